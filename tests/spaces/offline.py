"""Crawl a site of the laboratory inside this process: no network, no browser, no probes.

What the scheduler, the spider and the pipeline do, in turn; some milliseconds a page on a machine
that is busy otherwise, where ``crawling.py`` takes seconds a site. The verdict of the tests is
that of ``crawling.py``; this is for many sites, generated ones and benchmarks.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.document.pages import HttpResponse, read_page
from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.robots import Robots
from sitemapgen.core.urls import Patterns, Site
from sitemapgen.download.carry_over import CarryOver
from sitemapgen.frontier.phases import next_phase
from sitemapgen.frontier.revisits import Revisits
from sitemapgen.frontier.suspects import examine_crowds
from sitemapgen.items import Judgement, Link
from sitemapgen.publish import publication
from sitemapgen.publish.options import Options
from sitemapgen.publish.replacing import Safety
from sitemapgen.store import Store
from sitemapgen.store.frontier import Lease, Limits
from sitemapgen.store.options import RunOptions
from sitemapgen.verdicts import Verdict
from tests.helpers.server import Answer
from tests.spaces.space import Part

ORIGIN = "https://www.example.com"
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
MISSING = Answer("<h1>not here</h1>", 404)


class OfflineCrawl:
    """A crawl of a site that answers at once."""

    def __init__(self, path: Path, answer: Part) -> None:
        self._answer = answer
        self.shuffle: Callable[[list[Lease]], object] = list
        """Puts the URLs that are fetched side by side into the order of their answers."""
        self.rules = Rules(
            site=Site(origin=ORIGIN), robots=Robots(), include=Patterns(""), exclude=Patterns("")
        )
        self._reader = LinkReader(self.rules)
        self.store = Store(path, Limits())
        self.store.begin_run({}, 0.0)
        self.store.settle_start(f"{ORIGIN}/")
        self.store.frontier.seed(self._reader.link(f"{ORIGIN}/"), 0.0)
        self._revisits = Revisits(self.store)
        self._carry_over = CarryOver(self.store, grace_runs=0)

    def fetch(self) -> int:
        """Fetch what is in the frontier, until nothing is; how many pages.

        Those that rest are taken over from the crawl before.
        """
        fetched = 0
        while leases := self._revisits.lease(64):
            self.shuffle(leases)
            for lease in leases:
                if lease.revisit.is_request:
                    self._fetch_one(lease)
                else:
                    self._take_over(lease)
            fetched += sum(lease.revisit.is_request for lease in leases)
            self.store.commit()
            examine_crowds(self.store)
        return fetched

    def _fetch_one(self, lease: Lease) -> None:
        answer = self._answer(lease.url.removeprefix(ORIGIN)) or MISSING
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers = {name.lower(): [value] for name, value in answer.headers.items()}
        response = HttpResponse(answer.status, headers, body, NOW)
        options = ReadOptions(sketch=lease.is_suspect)
        page = read_page(response, self._reader.link(lease.url), self._reader, options)
        self.store.record_page(page, 0.0)

    def _take_over(self, lease: Lease) -> None:
        page = self._carry_over.page(Link(url=lease.url, key=lease.key), self._reader)
        assert page is not None
        self.store.record_page(replace(page, revisit=lease.revisit), 0.0)

    def advance(self) -> int:
        """Let further URLs into the frontier; how many."""
        return next_phase(self.store, self._revisits, max_depth=0)

    def conclude(self) -> None:
        """Leave out what is left of the traps."""
        self.store.suspects.mark_traps(())

    def publish(self, directory: Path) -> None:
        """Write the sitemap and the report as the product does."""
        publication.publish_crawl(
            self.store,
            directory,
            Options(base_url=f"{ORIGIN}/"),
            publication.ConclusionRules(
                start=f"{ORIGIN}/",
                site=self.rules.site,
                options=RunOptions(max_depth=0, base_url=f"{ORIGIN}/"),
                left=Judgement(Verdict.OVER_CAP, "max_pages=0"),
                crawled=NOW.timestamp(),
            ),
            Safety(max_loss=0.2, force=False),
            NOW,
        )
        self.store.history.keep_outcomes()
        self.store.end_run("finished", NOW.timestamp())
        self.store.commit()


def crawl_offline(answer: Part, directory: Path, is_enough: Callable[[int], bool]) -> int:
    """Crawl and publish, or stop once so many pages are enough; how many were fetched."""
    directory.mkdir(parents=True, exist_ok=True)
    crawl = OfflineCrawl(directory / "crawl.sqlite", answer)
    fetched = crawl.fetch()
    while not is_enough(fetched) and crawl.advance():
        fetched += crawl.fetch()
    if not is_enough(fetched):
        crawl.publish(directory)
    crawl.store.close()
    return fetched
