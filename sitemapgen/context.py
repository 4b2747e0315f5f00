"""Per-crawl context: the state of one crawl that its components share.

It is filled by the spider of a crawl (``spiders/sitemap.py``), by the add-on for spiders of other
projects (``middlewares/visits.py``), and by the spider of commands that fetch
(``tools/network.py``). Every component gets it by ``context_of(crawler)``.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from sitemapgen.analysis.response_times import ResponseTimes
from sitemapgen.background import Background
from sitemapgen.core.document.pages import unfetched_page
from sitemapgen.core.eligibility import Rules
from sitemapgen.core.late_retry import LOST
from sitemapgen.core.links import LinkReader
from sitemapgen.core.rendering.detect import AUTO
from sitemapgen.core.urls import key, split
from sitemapgen.download.carry_over import CarryOver
from sitemapgen.download.egress import Egress
from sitemapgen.download.probing import Prober
from sitemapgen.download.robots import RobotsService
from sitemapgen.items import Judgement, Link
from sitemapgen.store.budget import Budget
from sitemapgen.store.recorder import Recorder
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitemapgen.analysis.scheduling import Choice
    from sitemapgen.core.document.markup import Source
    from sitemapgen.core.robots import Robots
    from sitemapgen.errors import CrawlError
    from sitemapgen.items import Page
    from sitemapgen.params import Params
    from sitemapgen.publish.result import Result
    from sitemapgen.store import Store
    from sitemapgen.store.frontier import Lease

step_begins = object()
"""Signal at the start of a step of publishing, named by ``step``."""

_ATTRIBUTE = "sitemapgen_context"
POLL_SECONDS = 0.05
"""Seconds between two looks whether the spider is closed."""
ANSWERED = 200
"""Status recorded for carried pages whose response was lost by an error in the crawler."""


class SitemapDiscovery(Protocol):
    """The reading of what the site names by itself: sitemaps, and systems behind it."""

    @property
    def is_done(self) -> bool:
        """Whether everything was requested and has answered."""


class Cluster(Protocol):
    """The workers of a crawl, on any number of machines."""

    async def download(self, request: Request) -> Response:
        """Have a worker fetch, or render, and read a page.

        Raises LeaseLost, RequestCancelled, and what a request that fails here raises.
        """


class CrawlContext:
    """State of one crawl.

    ``robots`` is available from the beginning, the attributes set by ``open`` once ``is_open`` is
    true, and those set by ``enter`` from the first page on.
    """

    args: Params
    store: Store
    recorder: Recorder
    budget: Budget
    result: Result
    """The outcome of the crawl, as ``result.json``."""
    choice: Choice
    """The arguments and settings that determine the choice of URLs."""
    origin: str
    """The origin that is crawled: that of the start URL, after redirects."""
    reader: LinkReader
    prober: Prober
    carry_over: CarryOver
    request_for: Callable[[Lease], Request]
    """Returns the request for a URL of the frontier."""
    page_key: Callable[[Request, Response], Awaitable[int | None]]
    """Returns the key of a response's page; None if it is not a page of the site."""
    end: Callable[[CrawlError], None]
    """Ends the crawl because of an error."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.robots = RobotsService(crawler)
        self.start_url = ""
        """The start URL after redirects; empty until it has answered."""
        self.egress = Egress(())
        """The egress policy: all addresses are allowed unless a crawl sets another one."""
        self.guards_downloader = True
        """Whether ``egress`` applies to Scrapy's own connections as well as to the browser's."""
        self.is_open = False
        """Whether there is a store, whose content is published when the crawl ends."""
        self.error: CrawlError | None = None
        """The error for which the crawl ends; None for none."""
        self.unrequested: Judgement | None = None
        """The verdict of URLs that are never requested; None if all URLs have to be."""
        self.discovery: SitemapDiscovery | None = None
        self.sources: WeakKeyDictionary[Response, Source] = WeakKeyDictionary()
        """Bodies that a middleware has read already, until the page is read."""
        self.cluster: Cluster | None = None
        """None for a crawl that fetches its pages itself."""
        self.background = Background()
        self.response_times = ResponseTimes()
        self.is_concluded = asyncio.Event()
        """Whether the pipeline has nothing more to do for this crawl."""
        self.exporters: list[Callable[[Path], Awaitable[None]]] = []
        """Called with the output directory once the verdicts are final; they raise CrawlError."""

    def open(self, store: Store, result: Result) -> None:
        """Set the store and the result, to record pages from now on."""
        self.store = store
        self.result = result
        self.recorder = Recorder(self.crawler, store)
        self.budget = Budget(self.crawler.settings.getint("SITEMAPGEN_MAX_PAGES"), store.frontier)
        self.is_open = True

    def enter(self, url: str, robots: Robots, read: Callable[[Link, Response], Page]) -> None:
        """Apply the rules of a URL's origin to links from now on.

        ``read``: turns a response into a page.
        """
        self.enter_to_read(url, robots)
        self.prober = Prober(self.crawler, self.store, self.reader, url, read)
        grace_runs = self.crawler.settings.getint("SITEMAPGEN_GRACE_RUNS")
        self.carry_over = CarryOver(self.store, self.reader, grace_runs)

    def enter_to_read(self, url: str, robots: Robots) -> None:
        """Apply the rules of a URL's origin where pages are read and nothing is stored."""
        args = self.args
        self.origin = split(url).origin
        rules = Rules(
            site=args.site(url),
            robots=robots,
            include=args.included(),
            exclude=args.excluded(),
            ignores_nofollow=args.nofollow == "ignore",
        )
        self.reader = LinkReader(
            rules,
            with_labels=args.with_links,
            with_markdown=args.with_texts,
            with_descriptions=args.with_descriptions,
            judges_scripts=args.render != "never"
            and self.crawler.settings["SITEMAPGEN_RENDERING_RULE"] == AUTO,
        )

    def abort(self, error: CrawlError) -> None:
        """End the crawl because of an error; later errors are ignored."""
        if self.error is None:
            self.error = error
            self.end(error)

    def start_link(self, url: str) -> Link:
        """Return a start URL as a link; only robots.txt can exclude it."""
        line = self.reader.rules.robots.refusal(url)
        refusal = Judgement(Verdict.ROBOTS_DISALLOWED, line) if line else None
        return Link(url=url, key=key(url), refusal=refusal)

    def unvisited(self, lease: Lease) -> Page | None:
        """Return the carried-over page of a URL; None if it has to be fetched."""
        if not self.start_url or lease.revisit.is_request:
            return None
        page = self.carry_over.page(Link(url=lease.url, key=lease.key))
        return page and replace(page, revisit=lease.revisit)

    def within_grace_period(self, page: Page) -> Page:
        """Return a failing page in its previous, listed state during its grace period."""
        return self.carry_over.within_grace_period(page) if self.start_url else page

    def lost_page(self, lease: Lease) -> Page:
        """Return the page of a URL that was not read because of an error in the crawler."""
        page = self.within_grace_period(unfetched_page(self.start_link(lease.url), LOST))
        return replace(page, status=ANSWERED) if page.is_carried else page


def context_of(crawler: Crawler) -> CrawlContext:
    """Return the context of a crawl, created by the first call."""
    context: CrawlContext | None = getattr(crawler, _ATTRIBUTE, None)
    if context is None:
        context = CrawlContext(crawler)
        setattr(crawler, _ATTRIBUTE, context)
    return context


async def closed(crawler: Crawler) -> None:
    """Wait until the spider is closed; an interrupt stops the engine while it is closing."""
    while crawler.engine is not None and crawler.engine.spider is not None:
        await asyncio.sleep(POLL_SECONDS)
