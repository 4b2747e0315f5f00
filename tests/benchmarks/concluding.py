"""What it costs to conclude a crawl: from its last page to the published files, step by step.

    python -m tests.benchmarks concluding.measure 1000000

Measured: ``seconds`` (CPU) and ``peak_mb`` (of the whole process, which only publishes), both in
all and by step, and ``ratio`` (seconds / those of writing the sitemap files alone). The store is
that of a site with 20 links a page, dates, canonicals, duplicates and a sitemap that lists half of
its pages; what was published before has lost one URL of a hundred.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import datetime, timedelta, timezone
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from sitemapgen.analysis.graph import LinkGraph
from sitemapgen.core import urls
from sitemapgen.core.document.shingles import SAMPLE
from sitemapgen.core.lastmod import best_claim, explain_choice, make_claims, pack_claims
from sitemapgen.items import Judgement, Link, Page, SitemapCounts, SitemapEntry, SitemapFile
from sitemapgen.publish import conclusions, publication, replacing
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.files import Staging
from sitemapgen.publish.options import Options
from sitemapgen.publish.replacing import Safety
from sitemapgen.publish.sitemaps import Listed, write_files
from sitemapgen.report import html
from sitemapgen.store import Store
from sitemapgen.store.conclusions import Conclusions
from sitemapgen.store.frontier import Frontier, Limits
from sitemapgen.store.kinds.suspects import Suspects
from sitemapgen.store.options import RunOptions
from sitemapgen.verdicts import Verdict
from tests.benchmarks import measure_alone

SITE = "https://www.example.com/"
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
TEXT = "Some say that the best page is the one that is read, others that it is the one found. " * 24
PART = 50_000

STEPS: dict[str, tuple[Any, str]] = {
    "traps": (Suspects, "mark_traps"),
    "frontier": (Frontier, "close_urls"),
    "reset_site_verdicts": (Conclusions, "reset_site_verdicts"),
    "graph": (Store, "graph"),
    "measure": (LinkGraph, "measure"),
    "ranks": (publication, "pagerank"),
    "apply": (Conclusions, "write_measures"),
    "canonicals": (conclusions, "leave_out_canonicalised"),
    "duplicates": (conclusions, "choose_duplicates"),
    "views": (publication, "mark_views"),
    "audit": (publication, "audit_sitemaps"),
    "dates": (conclusions, "decide_lastmods"),
    "summary": (publication, "summarise_crawl"),
    "published": (replacing, "read_published"),
    "loss": (replacing, "measure_loss"),
    "write": (replacing, "write_files"),
    "urls.csv": (html, "write_csv"),
    "report.html": (html, "write_page"),
    "replace": (Staging, "commit"),
    "close": (Store, "close"),
}
"""What is measured, in its order."""


# --- the site


@lru_cache(maxsize=4_096)
def link(number: int) -> Link:
    url = f"{SITE}section-{number // 1000:05d}/article-{number:08d}?page=1&view=full"
    return Link(url=url, key=urls.key(url))


SPREAD = np.arange(SAMPLE, dtype=np.uint32) * np.uint32(33_554_393)


def signature(number: int) -> bytes:
    """Some shingles, as ``core.document.shingles.signature_of_parts`` packs them."""
    return bytes(4) + np.sort(SPREAD + np.uint32(number * 40_503 % (1 << 32))).tobytes()


def page(number: int, pages: int) -> Page:
    """A page with 20 links.

    Of 25 of them are two canonicalised, two duplicates, one near-duplicate, three others.
    """
    kind = number % 25
    near = (number + step for step in range(1, 10))
    anywhere = (number * 7919 + step * 104_729 for step in range(5))
    children = (number * 6 + step for step in range(1, 7))
    links = dict.fromkeys(target % pages for target in (*children, *near, *anywhere))
    me, judgement = link(number), Judgement(Verdict.LISTED, "")
    if kind == 7:
        return Page(
            url=me.url,
            key=me.key,
            judgement=Judgement(Verdict.REDIRECT, "301 to another page"),
            status=301,
            links=(link((number + 1) % pages),),
        )
    if kind == 11:
        judgement = Judgement(Verdict.HTTP_ERROR, "HTTP 404")
        return Page(url=me.url, key=me.key, judgement=judgement, status=404)
    canonical = me.url
    if kind == 13:
        judgement = Judgement(Verdict.NOINDEX, '<meta name="robots" content="noindex">')
    elif kind in (15, 16):
        canonical = link(number - 10).url
        judgement = Judgement(Verdict.CANONICALISED, f"canonical is {canonical}")
    changed = NOW - timedelta(minutes=number * 37 % 2_000_000 + 10)
    said = [("time", changed.isoformat())] if number % 3 else []
    header = changed.strftime("%a, %d %b %Y %H:%M:%S GMT") if number % 4 else ""
    claims = make_claims([*said, ("last_modified", header)] if header else said, now=NOW)
    chosen = best_claim(claims)
    content = number - 1 if kind in (18, 20) else number
    near = number - 1 if kind == 22 else number
    return Page(
        url=me.url,
        key=me.key,
        judgement=judgement,
        status=200,
        links=tuple(link(target) for target in links if target != number)[:20],
        title=f"Article {number}",
        excerpt=TEXT[: 400 + number % 1_600],
        text_hash=content,
        content_hash=content,
        subject=near + 1,
        signature=signature(near),
        unbroken=b"\xff" * (SAMPLE // 8),
        language="en",
        canonical=canonical,
        etag=f'"{number:x}"',
        last_modified=header,
        answered=int(NOW.timestamp()),
        claims=pack_claims(claims),
        lastmod=chosen.lastmod if chosen else "",
        lastmod_source=chosen.source if chosen else "",
        lastmod_evidence=explain_choice(claims, chosen),
    )


def crawl(
    pages: int,
    path: Path,
    arguments: Mapping[str, object] | None = None,
    made: Callable[[int, int], Page] = page,
) -> None:
    """Make the store of a crawl that has nothing more to do.

    ``arguments``: those of its run; ``made``: its pages, by number.
    """
    store = Store(path, Limits())
    store.begin_run(arguments or {}, 0.0)
    store.settle_start(link(0).url)
    store.frontier.seed(link(0), 0.0)
    for first in range(0, pages // 2, PART):
        numbers = range(first, min(first + PART, pages // 2))
        entries = [
            (SitemapEntry(link(n).url, f"2025-{n % 12 + 1:02d}-{n % 28 + 1:02d}"), link(n))
            for n in numbers
        ]
        store.record_sitemap(
            SitemapFile(
                url=f"{SITE}sitemap-{first}.xml",
                found="robots",
                format="urlset",
                counts=SitemapCounts(entries=len(entries), with_lastmod=len(entries)),
                entries=tuple(entries),
            ),
            0.0,
        )
        store.commit()
    recorded = 0
    while leases := store.frontier.lease(64):
        for lease in leases:
            number = int(lease.url.rpartition("-")[2].partition("?")[0])
            store.record_page(made(number, pages), 0.0)
        recorded += len(leases)
        store.commit()
    if recorded != pages:
        raise RuntimeError(f"{recorded} of {pages} pages are linked")
    store.close()


def published(pages: int) -> Iterator[Listed]:
    """What the sitemap listed before: some of it is gone now."""
    for number in range(pages):
        if number % 25 not in (7, 11, 13, 15, 16, 18, 20) or number % 100 == 11:
            yield Listed(link(number).url, "2024-05-01T10:00:00+00:00", number % 12)


def publish_before(pages: int, directory: Path) -> None:
    with Staging(directory, now=0) as staging:
        written = write_files(published(pages), staging, Options(base_url=SITE))
        staging.commit(last=ENTRY, stale=written.stale)


# --- the measuring


class Meter:
    """CPU seconds and peak resident memory, by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.peak_mb: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
        start = time.process_time()
        yield
        self.seconds[name] = round(time.process_time() - start, 2)
        status = Path("/proc/self/status").read_text().splitlines()
        (peak,) = (line for line in status if line.startswith("VmHWM"))
        self.peak_mb[name] = round(int(peak.split()[1]) / 1024, 1)

    def around(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def measured(*args: Any, **kwargs: Any) -> Any:
            with self.step(name):
                return work(*args, **kwargs)

        return measured


def conclude(directory: str | Path) -> dict[str, Any]:
    """Publish what the store has; in this process, which ought to be fresh."""
    directory, meter = Path(directory), Meter()
    with ExitStack() as stack:
        for name, (owner, function) in STEPS.items():
            work = meter.around(name, getattr(owner, function))
            stack.enter_context(patch.object(owner, function, work))
        store = Store(directory / "crawl.sqlite", Limits())
        start = time.process_time()
        publication.publish_crawl(
            store,
            directory,
            Options(base_url=SITE),
            publication.ConclusionRules(
                start=link(0).url,
                site=urls.Site(origin=SITE.rstrip("/")),
                options=RunOptions(max_depth=20, base_url=SITE),
                left=Judgement(Verdict.OVER_CAP, "max_pages=0"),
                crawled=NOW.timestamp(),
            ),
            Safety(max_loss=0.2, force=False),
            NOW,
        )
        store.close()
        seconds = time.process_time() - start
    return {
        "seconds": round(seconds, 2),
        "peak_mb": max(meter.peak_mb.values()),
        "step_seconds": meter.seconds,
        "step_peak_mb": meter.peak_mb,
    }


def writing_seconds(pages: int) -> float:
    """Write the sitemap files alone."""
    with tempfile.TemporaryDirectory() as directory:
        start = time.process_time()
        publish_before(pages, Path(directory))
        return time.process_time() - start


def measure(pages: int) -> dict[str, Any]:
    """Make the store, and conclude it in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        crawl(pages, Path(name) / "crawl.sqlite")
        publish_before(pages, Path(name))
        measured: dict[str, Any] = measure_alone(conclude, name)
    return {"ratio": round(measured["seconds"] / writing_seconds(pages), 2), **measured}
