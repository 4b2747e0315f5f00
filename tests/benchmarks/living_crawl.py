"""The living site, crawled by the real crawler: over HTTP, once a virtual day.

    python -m tests.benchmarks living_crawl.measure 30
    python -m tests.benchmarks living_crawl.measure_budget 30

The server answers as the site is at
the virtual time; the crawler is ``scrapy crawl sitemap`` in a process whose clock is moved
(``tests/clock``). Everything else about it is as users run it.
"""

import csv
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timezone
from email.utils import formatdate
from pathlib import Path
from typing import Any

import numpy as np

from sitemapgen.analysis.lastmod import assess_sources, url_section
from sitemapgen.core.urls import key
from sitemapgen.store.opening import lend_store
from tests.benchmarks.living_site import (
    BEGIN,
    DAY,
    NAMES,
    POSTGRESQL,
    Life,
    LivingSite,
    MemoryCrawler,
    Run,
    best_freshness,
    live,
    mean,
)
from tests.helpers.crawls import IMPATIENT, command, start
from tests.helpers.server import Answer, Server
from tests.store.tables import first_seen

DEADLINE = 600
SECTION_OF = {url_section(f"https://a/{name}/x"): name for name in NAMES}


class RealCrawler:
    """See ``living_site.Crawler``."""

    def __init__(
        self, site: LivingSite, directory: Path, budget: int = 0, refresh: str = "all"
    ) -> None:
        """``budget``: max_pages of all runs but the first; 0 for no limit."""
        self.site, self.directory, self.budget = site, directory, budget
        self.refresh = refresh
        self.now = BEGIN
        self.server = Server(self._answer, name="site.example")  # samples go by hashes of URLs
        self.page_of = {path: page for page, path in enumerate(site.paths)}
        self.first_link = np.full(len(site.files), np.nan)
        self.first_sitemap = np.full(len(site.files), np.nan)
        self.seconds: list[float] = []
        self.growth: dict[str, Any] = {}
        self.due: dict[str, Any] | None = None
        root = self.server.url.rstrip("/")
        self.keys = np.array([key(root + path) for path in site.paths], np.int64)
        self.left = np.zeros(len(site.files), np.bool_)
        """Pages that the last run left out by ``refresh=due``."""

    def run(self, site: LivingSite, now: float, number: int) -> Run:
        self.now, self.server.visits = now, []
        output, log = self.directory / "output", self.directory / f"log-{number}"
        url = self.server.url.rstrip("/") + site.paths[site.start]
        more = ["-a", f"proxy={self.server.proxy}", "-a", f"refresh={self.refresh}"]
        more += ["-a", f"max_pages={self.budget}"] if self.budget and number else []
        began = time.monotonic()
        process = start(command(url, output, *more, *IMPATIENT), log, now=now)
        try:
            code = process.wait(DEADLINE)
        finally:
            process.kill()
            process.wait()
        self.seconds.append(time.monotonic() - began)
        if code:
            raise RuntimeError(f"run {number}: exit code {code}; {log.read_text()[-2000:]}")
        visits = self.server.visits
        pages = {self.page_of[visit.path] for visit in visits if visit.path in self.page_of}
        report = json.loads((output / "report.json").read_text("utf-8"))
        self.growth, self.due = report["growth"], report["due"]
        with closing(lend_store(output)[0]) as store:
            self.left = np.isin(self.keys, store.due.left_out())
        self._see(output / "crawl.sqlite")
        return Run(
            requests=len(visits),
            body_bytes=sum(visit.size for visit in visits),
            visited=np.array(sorted(pages), np.int64),
            lastmod=self._lastmods(output / "urls.csv"),
            distrusted=_distrusted(output),
        )

    def _see(self, state: Path) -> None:
        for url, (link, sitemap) in first_seen(state).items():
            page = self.page_of.get(_path(url))
            if page is not None:
                self.first_link[page] = np.nan if link is None else link
                self.first_sitemap[page] = np.nan if sitemap is None else sitemap

    def _lastmods(self, table: Path) -> np.ndarray:
        lastmods = np.full(len(self.site.files), np.nan)
        with table.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                page = self.page_of.get(_path(row["url"]))
                if page is None or row["verdict"] != "listed" or not row["lastmod"]:
                    continue
                moment = datetime.fromisoformat(row["lastmod"])
                seconds = moment.replace(tzinfo=moment.tzinfo or timezone.utc).timestamp()
                if row["lastmod_source"] == "observed":  # in its run, which takes some time
                    seconds = BEGIN + (seconds - BEGIN) // DAY * DAY
                lastmods[page] = seconds
        return lastmods

    # The server

    def _answer(self, path: str) -> Answer | None:
        if path == "/robots.txt":
            return Answer("Sitemap: /sitemap.xml", headers={"Content-Type": "text/plain"})
        if path == "/sitemap.xml":
            return self._sitemap()
        page = self.page_of.get(path)
        if page is None or not self.site.is_alive(self.now)[page]:
            return None
        headers = {
            "Content-Type": "text/html; charset=utf-8",
            "Date": formatdate(self.now, usegmt=True),
            "Last-Modified": formatdate(self.site.last_modified(page, self.now), usegmt=True),
            "ETag": f'"{page}-{self.site.version(page, self.now)}"',
        }
        return Answer(self.site.body(page, self.now), headers=headers)

    def _sitemap(self) -> Answer:
        entries = []
        for page, date in sorted(self.site.sitemap(self.now).items()):
            moment = "" if np.isnan(date) else datetime.fromtimestamp(date, timezone.utc)
            lastmod = moment and f"<lastmod>{moment.isoformat()}</lastmod>"
            url = self.server.url.rstrip("/") + self.site.paths[page]
            entries.append(f"<url><loc>{url}</loc>{lastmod}</url>\n")
        body = f"<urlset>{''.join(entries)}</urlset>"
        headers = {"Content-Type": "application/xml", "ETag": f'"{hash(body):x}"'}
        return Answer(body, headers=headers)


def _path(url: str) -> str:
    return "/" + url.split("/", 3)[3]


def _distrusted(output: Path) -> frozenset[tuple[str, str]]:
    with closing(lend_store(output)[0]) as store:
        records = store.history.source_records(with_this_run=True)
    return frozenset(
        (source, SECTION_OF[where])
        for (source, where), trust in assess_sources(records).items()
        if not trust.is_trusted and where in SECTION_OF
    )


@contextmanager
def some_of(pages: int) -> Iterator[Path]:
    """A directory with so many of the pages, from each section; 0: with all."""
    if not pages:
        yield POSTGRESQL
        return
    with tempfile.TemporaryDirectory() as name:
        files = sorted(POSTGRESQL.glob("*.html"))
        step = len(files) / pages
        chosen = {files[int(number * step)] for number in range(pages)}
        for file in chosen | {POSTGRESQL / "index.html", POSTGRESQL / "bookindex.html"}:
            shutil.copy(file, name)
        yield Path(name)


def crawl(site: LivingSite, days: int, budget: int = 0) -> tuple[RealCrawler, Life]:
    """Crawl the site once a day."""
    with tempfile.TemporaryDirectory() as name:
        crawler = RealCrawler(site, Path(name), budget)
        try:
            return crawler, live(site, crawler, days)
        finally:
            crawler.server.stop()


def planted(site: LivingSite, days: int) -> tuple[float, int]:
    """SeenDelta in days over the URLs that links and sitemaps see after the first run."""
    both = np.isfinite(site.listed_from) & (site.born > BEGIN)
    links, sitemap = (
        np.ceil((each[both] - BEGIN) / DAY) for each in (site.linked_from, site.listed_from)
    )
    alive = np.minimum(np.ceil((site.gone[both] - BEGIN) / DAY), days)
    in_time = np.maximum(links, sitemap) < alive
    return float((links - sitemap)[in_time].sum()), int(np.count_nonzero(in_time))


def measure_budget(days: int = 30, pages: int = 0, share: float = 0.1) -> dict[str, Any]:
    """Compare what is found with ``max_pages`` with crawling in turn, and with the optimum."""
    with some_of(pages) as root:
        site = LivingSite(root, days=days)
        budget = int(share * len(site.files))
        _, life = crawl(site, days, budget)
        others = {
            policy: live(site, MemoryCrawler(len(site.files), budget=budget, policy=policy), days)
            for policy in ("uniform", "true_rates", "ours")
        }
    later = slice(days // 3, None)
    lives = {"crawler": life, **{f"in memory, {name}": each for name, each in others.items()}}
    return {
        "pages": len(site.files),
        "days": days,
        "budget": budget,
        "requests": life.requests,
        "changes_found": {
            name: round(sum(each.found[later]) / sum(each.changed[later]), 3)
            for name, each in lives.items()
        },
        "freshness": {
            "best_without_dates": round(best_freshness(site.true_rate, budget), 3),
            **{name: mean(each.freshness[later]) for name, each in lives.items()},
        },
        "lastmod_precision": [round(each, 3) for each in life.precision],
    }


def measure(days: int = 30, pages: int = 0) -> dict[str, Any]:
    """Compare what the crawler does with crawling in full, and with what happened."""
    with some_of(pages) as root:
        site = LivingSite(root, days=days)
        full = live(site, MemoryCrawler(len(site.files), policy="uniform", conditional=False), days)
        crawler, life = crawl(site, days)
    seconds, urls = planted(site, days)
    delta = crawler.growth["seen_delta"]
    return {
        "pages": len(site.files),
        "days": days,
        "seconds_a_run": round(sum(crawler.seconds) / days, 1),
        "first_run": {"requests": life.requests[0], "body_bytes": life.body_bytes[0]},
        "requests": round(sum(life.requests[1:]) / sum(full.requests[1:]), 3),
        "body_bytes": round(sum(life.body_bytes[1:]) / sum(full.body_bytes[1:]), 3),
        "changes_found": round(sum(life.found[1:]) / max(sum(life.changed[1:]), 1), 3),
        "found_by_day": [
            round(found / changed, 3) if changed else None
            for found, changed in zip(life.found[1:], life.changed[1:])
        ],
        "spared_where_honest": [round(share, 3) for share in life.spared],
        "lastmod_precision": [round(share, 3) for share in life.precision],
        "lastmod_recall": [round(share, 3) for share in life.recall],
        "distrusted": [sorted(map(" ".join, each)) for each in life.distrusted],
        "seen_delta": {
            "days": round(delta["seconds"] / DAY, 1),
            "planted_days": seconds,
            "urls": delta["urls"],
            "planted_urls": urls,
        },
        "freshness": mean(life.freshness[days // 3 :]),
    }
