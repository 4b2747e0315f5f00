"""A real site with a sitemap that was damaged on purpose, its audit computed again from the store.

With SQL, sets and loops alone: nothing of sitemapgen is asked, and nothing of numpy.
"""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitemapgen.core.url_forms import template
from tests.helpers.crawls import IMPATIENT, Crawl, command, run_to_end
from tests.helpers.server import Answer, Server, page, redirect, text, xml
from tests.helpers.shared import POSTGRESQL
from tests.store import tables

pytestmark = pytest.mark.sample

SEED = 20_090_420
PAGES = sorted(path.name for path in POSTGRESQL.glob("*.html")) if POSTGRESQL.exists() else []


class Damage:
    """A sitemap that lacks 30 % of the site, and lists what it should not."""

    def __init__(self) -> None:
        dice = random.Random(SEED)
        self.kept = [name for name in PAGES if dice.random() > 0.3]
        self.moved = {f"moved/{n}.html": name for n, name in enumerate(dice.sample(PAGES, 20))}
        self.gone = [f"gone/{n}.html" for n in range(10)]
        self.orphans = [f"orphan/{n}.html" for n in range(5)]
        self.copies = {f"copy/{n}.html": name for n, name in enumerate(dice.sample(PAGES, 7))}
        self.hidden = [f"hidden/{n}.html" for n in range(3)]
        self.elsewhere = ["http://another.example/a", "http://another.example/b"]
        self.twice = dice.sample(self.kept, 12)

    def locations(self, base: str) -> list[str]:
        own = (*self.kept, *self.moved, *self.gone, *self.orphans, *self.copies, *self.hidden)
        return [*(base + name for name in (*own, *self.twice)), *self.elsewhere]

    def answer(self, path: str, base: str) -> Answer | None:
        name = path.lstrip("/").partition("?")[0]
        if name == "robots.txt":
            return text(f"User-agent: *\nSitemap: {base}damaged.xml")
        if name == "damaged.xml":
            locations = "".join(f"<url><loc>{each}</loc></url>" for each in self.locations(base))
            return xml(f"<urlset>{locations}</urlset>")
        if name in self.moved:
            return redirect(f"/{self.moved[name]}")
        if name in self.orphans:
            return page("/index.html", title=name, text=f"What only the sitemap names: {name}.")
        if name in self.hidden:
            return page("/", title=name, head='<meta name="robots" content="noindex">')
        file = POSTGRESQL / (self.copies.get(name, name) or "index.html")
        if not file.is_file():
            return None
        kind = "text/html; charset=utf-8" if file.suffix == ".html" else "text/css"
        return Answer(file.read_bytes(), headers={"Content-Type": kind})


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Damage, Crawl, str]]:
    if not PAGES:
        pytest.skip(f"{POSTGRESQL} is not here")
    damage = Damage()
    server = Server({})
    server.site = lambda path: damage.answer(path, server.url)
    directory = tmp_path_factory.mktemp("postgresql")
    line = command(server.url, directory / "output", *IMPATIENT)
    try:
        assert run_to_end(line, directory / "log") == 0, (directory / "log").read_text()
        yield damage, Crawl(0, "", directory / "output"), server.url
    finally:
        server.stop()


class Store:
    """What the crawl left in its database, as sets of URLs."""

    def __init__(self, state: Path) -> None:
        urls = tables.urls(state)
        self.seen = set(urls)
        self.start = next(url for url, each in urls.items() if each.is_start)
        self.verdict = {url: each.verdict for url, each in urls.items()}
        self.evidence = {url: each.evidence for url, each in urls.items()}
        self.crawled = {
            url
            for url, each in urls.items()
            if each.is_done and each.verdict != "robots_disallowed"
        }
        self.sitemaps = tables.in_sitemaps(state)
        self.similar = tables.near_duplicates(state)
        self.links = tables.link_graph(state)
        self.discovery = self._reached()

    def _reached(self) -> set[str]:
        met, waiting = {self.start}, [self.start]
        while waiting:
            for target in self.links.get(waiting.pop(), ()):
                if target not in met:
                    met.add(target)
                    waiting.append(target)
        return met

    def of(self, *verdicts: str) -> set[str]:
        return {url for url in self.seen if self.verdict[url] in verdicts}

    def stands_for(self, url: str) -> str | None:
        """The page that a URL is, or repeats; None for what is no page."""
        met = set()
        while url not in met and url in self.crawled:
            met.add(url)
            if url in self.similar:
                url = self.similar[url]
            elif self.verdict[url] in ("duplicate", "canonicalised"):
                url = self.evidence[url].split()[-1]
            else:
                return url if self.verdict[url] in ("listed", "noindex") else None
        return None

    def unique(self, urls: set[str]) -> set[str]:
        return {page for url in urls if (page := self.stands_for(url))}

    def in_links(self, url: str) -> set[str]:
        return {source for source, targets in self.links.items() if url in targets} - {url}


@pytest.fixture(scope="module")
def store(damaged: tuple[Damage, Crawl, str]) -> Store:
    return Store(damaged[1].state)


@pytest.fixture(scope="module")
def report(damaged: tuple[Damage, Crawl, str]) -> dict[str, Any]:
    return damaged[1].report


def sizes(everything: set[str], store: Store) -> dict[str, int]:
    one, other = everything & store.discovery, everything & store.sitemaps
    return {
        "all": len(everything),
        "discovery": len(one),
        "sitemaps": len(other),
        "both": len(one & other),
        "either": len(one | other),
    }


@pytest.mark.full
def test_the_damage_is_what_was_done(
    damaged: tuple[Damage, Crawl, str], report: dict[str, Any]
) -> None:
    damage, _, url = damaged
    wasted = {row["verdict"]: row["count"] for row in report["wasted"]["verdicts"]}
    assert wasted["redirect"] == 20
    assert wasted["http_error"] == 10
    assert wasted["noindex"] == 3
    # A copy is left out for its original, unless only the copy is in the sitemap.
    in_both = [name for name in damage.copies.values() if name in damage.kept]
    assert wasted["duplicate"] >= len(in_both) > 0
    assert report["wasted"]["repeated"]["count"] == 12
    assert report["wasted"]["repeated"]["entries"] == 24
    assert report["wasted"]["offsite"]["entries"] == 2
    assert {row["url"] for row in report["wasted"]["repeated"]["examples"]} == {
        url + name for name in damage.twice
    }
    assert report["orphans"]["count"] == 5 + 7  # not what redirects, is missing or noindex
    assert len(PAGES) - len(damage.kept) == pytest.approx(0.3 * len(PAGES), rel=0.15)


def test_states_and_metrics(store: Store, report: dict[str, Any]) -> None:
    coverage = report["coverage"]
    sets = coverage["sets"]
    listed = store.of("listed")
    assert sets["seen"] == sizes(store.seen, store)
    assert sets["crawled"] == sizes(store.crawled, store)
    assert sets["listed"] == sets["indexed"] == sizes(listed, store)
    one, other = store.unique(store.discovery), store.unique(store.sitemaps)
    everything = store.unique(store.seen)
    assert sets["unique"] == {
        "all": len(everything),
        "discovery": len(one),
        "sitemaps": len(other),
        "both": len(one & other),
        "either": len(one | other),
    }
    quotients = {
        "coverage": (store.crawled & store.sitemaps, store.crawled),
        "unique_coverage": (other, everything),
        "index_coverage": (listed & store.sitemaps, listed),
    }
    for name, (part, whole) in quotients.items():
        assert coverage[name]["value"] == round(len(part) / len(whole), 4), name
    assert coverage["signal_to_noise"]["all"]["value"] == round(
        len(everything) / len(store.seen), 4
    )
    assert coverage["efficiency"]["discovery"]["value"] == round(
        len(one) / len(store.crawled & store.discovery), 4
    )
    assert coverage["efficiency"]["sitemaps"]["value"] == round(
        len(other) / len(store.crawled & store.sitemaps), 4
    )


def test_pagerank_coverage(store: Store, report: dict[str, Any]) -> None:
    """PageRank by loops: over pages, what redirects get goes on to their ends."""
    ends = {url: store.links[url][0] for url in store.of("redirect") if store.links.get(url)}
    pages = store.of("listed", "noindex", "canonicalised", "duplicate")

    def end(url: str) -> str:
        return end(ends[url]) if url in ends else url

    links = {
        source: [end(target) for target in store.links.get(source, ()) if end(target) in pages]
        for source in pages
    }
    links = {
        source: [target for target in targets if target != source]
        for source, targets in links.items()
    }
    rank = dict.fromkeys(pages, 1 / len(pages))
    for _ in range(100):
        given = dict.fromkeys(pages, 0.0)
        for source, targets in links.items():
            for target in targets:
                given[target] += 0.85 * rank[source] / len(targets)
        rest = (1 - sum(given.values())) / len(pages)
        rank = {url: value + rest for url, value in given.items()}
    expected = sum(value for url, value in rank.items() if url in store.sitemaps)
    assert report["coverage"]["pagerank_coverage"]["value"] == pytest.approx(expected, abs=2e-4)


def test_what_is_missing_and_wasted(store: Store, report: dict[str, Any]) -> None:
    missing = store.crawled - store.sitemaps
    assert report["missing"]["crawled"]["count"] == len(missing)
    verdicts = Counter(store.verdict[url] for url in missing)
    assert {row["verdict"]: row["count"] for row in report["missing"]["verdicts"]} == verdicts
    pages = sorted(url for url in missing & store.of("listed") if url not in store.similar)
    assert report["missing"]["pages"]["count"] == len(pages)
    assert [row["url"] for row in report["missing"]["pages"]["examples"]] == pages[:20]
    assert sum(row["count"] for row in report["missing"]["types"]) == len(missing)
    wasted = Counter(store.verdict[url] for url in store.sitemaps)
    del wasted["listed"]
    assert {row["verdict"]: row["count"] for row in report["wasted"]["verdicts"]} == wasted
    assert report["wasted"]["count"] == wasted.total()


def test_links(store: Store, report: dict[str, Any]) -> None:
    pages = store.of("listed", "canonicalised", "duplicate")
    assert report["orphans"]["count"] == len((store.sitemaps - store.discovery) & pages)
    broken = store.of("http_error", "fetch_error", "soft_404")
    linked = {url: sources for url in broken if (sources := store.in_links(url))}
    assert report["broken_links"]["count"] == len(linked)
    assert report["broken_links"]["links"] == sum(map(len, linked.values()))
    redirects = store.of("redirect", "offsite_redirect")
    assert report["redirects"]["count"] == len(redirects)
    assert report["redirects"]["in_sitemap"] == len(redirects & store.sitemaps) == 20
    for example in report["redirects"]["examples"]:
        first, second, *_ = example["chain"]
        assert store.links[first][0] == second
    rows = report["histograms"]["in_degree"]
    in_degree = Counter(
        target
        for source, targets in store.links.items()
        for target in set(targets)
        if target != source
    )
    for row in rows:
        urls = {url for url in store.crawled if row["from"] <= in_degree[url] <= row["to"]}
        assert (row["urls"], row["in_sitemap"]) == (len(urls), len(urls & store.sitemaps))
    assert sum(row["urls"] for row in rows) == len(store.crawled)


def test_the_kinds(store: Store, report: dict[str, Any]) -> None:
    of: dict[str, set[str]] = {}
    for url in store.seen:
        of.setdefault(template(url), set()).add(url)
    assert report["kinds"]["count"] == len(report["kinds"]["rows"]) == len(of)
    for row in report["kinds"]["rows"]:
        urls = of[row["kind"]]
        listed = urls & store.of("listed")
        assert row["urls"] == len(urls)
        assert row["listed"] == len(listed)
        assert row["in_sitemap"] == len(urls & store.sitemaps)
        assert row["missing"] == len(listed - store.sitemaps)
        assert sum(left["count"] for left in row["left_out"]) == len(urls - listed)
        assert row["example"] in (listed or urls)
