"""Per-crawl context: the state of one crawl that its components share.

Its host makes it: the spider of a crawl (``spiders/sitemap.py``), the middleware of the add-on for
spiders of other projects (``middlewares/visits.py``), the spider of commands that fetch
(``tools/network.py``), a worker (``cluster/worker.py``). Components get it by ``context_of``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from sitemapgen.analysis.response_times import ResponseTimes
from sitemapgen.background import Background
from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.rendering.detect import AUTO
from sitemapgen.core.urls import key
from sitemapgen.download.carry_over import CarryOver
from sitemapgen.download.egress import Egress
from sitemapgen.download.responses import PageReader, utc_now
from sitemapgen.download.robots import RobotsService
from sitemapgen.download.terms import REQUEST_COUNT
from sitemapgen.errors import CrawlError
from sitemapgen.items import LOST, Judgement, Link, Page, SitemapFile, SourcePart
from sitemapgen.store.frontier import Budget
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from sitemapgen.core.document.markup import Source
    from sitemapgen.core.robots import Robots
    from sitemapgen.download.probing import Prober
    from sitemapgen.params import Params
    from sitemapgen.publish.result import Result
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)
T = TypeVar("T")

COMMIT_SECONDS = 0.1
"""Seconds after a commit from which the next record is committed at once."""

step_begins = object()
"""Signal at the start of a step of publishing, named by ``step``."""

_ATTRIBUTE = "sitemapgen_context"


class Host:
    """What the context needs of the object that makes it; the defaults are of other spiders."""

    args: Params
    home: str
    """The origin that is crawled, or entered: that of the start URL, after redirects."""
    prober: Prober
    egress = Egress(())
    """The egress policy; this one allows all addresses."""
    guards_downloader = True
    """Whether ``egress`` applies to Scrapy's own connections as well as to the browser's."""
    cluster: Callable[[Request], Awaitable[Response]] | None = None
    """``Coordinator.download``; None for a crawl that fetches its pages itself."""
    unrequested: Judgement | None = None
    """The verdict of URLs that are never requested; None if all URLs have to be."""
    publishes = False
    """Whether the content of an open crawl is published at its end."""

    async def page_key(self, request: Request, response: Response) -> int | None:
        """Return the key of a response's page; None if it is not a page of the site."""

    def end(self, error: CrawlError) -> None:
        """End the crawl because of an error."""


class OpenCrawl:
    """What a crawl with a store has, from its opening on; it records what is read."""

    def __init__(self, crawler: Crawler, store: Store, result: Result) -> None:
        settings = crawler.settings
        self.store = store
        self.budget = Budget(
            settings.getint("SITEMAPGEN_MAX_PAGES"),
            settings.getint("SITEMAPGEN_MAX_REQUESTS"),
            store.frontier,
            lambda: int(crawler.stats.get_value(REQUEST_COUNT, 0)),
        )
        self.carry_over = CarryOver(store, settings.getint("SITEMAPGEN_GRACE_RUNS"))
        self.result = result
        """The outcome of the crawl, as ``result.json``."""
        self._crawler = crawler
        self._batch = max(settings.getint("CONCURRENT_REQUESTS") - 1, 1)
        """Number of records after which the transaction is committed."""
        self._waiting, self._committed = 0, 0.0

    def record(self, item: Page | SitemapFile | SourcePart) -> bool:
        """Record a page, a sitemap file or a part of a system; return whether it is of the site.

        Raises CrawlError.
        """
        is_of_site = True
        if isinstance(item, Page):
            is_of_site = self._record_page(item)
        elif isinstance(item, SourcePart):
            self.store.record_source(item, time.time())
        else:
            self._record_sitemap(item)
        self._commit()
        return is_of_site

    def _record_page(self, page: Page) -> bool:
        with self.store.readings.reading(page.key, page.url):
            is_of_site = self.store.record_page(page, time.time())
        if not is_of_site:
            return False
        verdict = page.judgement.verdict.value
        logger.debug("%(verdict)s: %(url)s", {"verdict": verdict, "url": page.url})
        stats = self._crawler.stats
        stats.inc_value(f"sitemapgen/store/page_count/{verdict}")
        if page.malformed_links:
            stats.inc_value("sitemapgen/links/malformed_count", page.malformed_links)
        if page.offsite_links:
            stats.inc_value("sitemapgen/links/offsite_count", page.offsite_links)
        return True

    def _record_sitemap(self, file: SitemapFile) -> None:
        try:
            self.store.record_sitemap(file, time.time())
        except CrawlError:
            raise
        except Exception:
            logger.exception("Sitemap %(url)s", {"url": file.url})
            lost = replace(file, format="", error=LOST.evidence, reason=LOST.reason)
            self.store.record_sitemap(replace(lost, entries=(), document=None), time.time())

    def _commit(self) -> None:
        """Commit at once if pages come slowly, else in batches.

        A kill then loses the pages in flight and less than one batch.
        """
        self._waiting += 1
        now = time.monotonic()
        if self._waiting >= self._batch or now > self._committed + COMMIT_SECONDS:
            self.store.commit()
            self._waiting, self._committed = 0, now


class CrawlContext:
    """State of one crawl. What comes later has a method of its own, and the time of that."""

    def __init__(self, crawler: Crawler, host: Host) -> None:
        """Make the context of a crawl, which ``context_of`` returns from now on."""
        self.crawler = crawler
        self.host = host
        self.robots = RobotsService(crawler)
        self.start_url = ""
        """The start URL after redirects; empty until it has answered."""
        self.error: CrawlError | None = None
        """The error for which the crawl ends; None for none."""
        self.sources: WeakKeyDictionary[Response, Source] = WeakKeyDictionary()
        """Bodies that a middleware has read already, until the page is read."""
        self.background = Background()
        self.response_times = ResponseTimes()
        self.is_concluded = asyncio.Event()
        """Whether the pipeline has nothing more to do for this crawl."""
        self.exporters: list[Callable[[Path], Awaitable[None]]] = []
        """Called with the output directory once the verdicts are final; they raise CrawlError."""
        self._crawl: OpenCrawl | None = None
        self._pages: PageReader | None = None
        setattr(crawler, _ATTRIBUTE, self)

    @property
    def is_open(self) -> bool:
        """Whether there is a store: ``open`` was called."""
        return self._crawl is not None

    @property
    def crawl(self) -> OpenCrawl:
        """The open crawl, from ``open`` on."""
        assert self._crawl is not None
        return self._crawl

    @property
    def is_entered(self) -> bool:
        """Whether there are rules for links: ``enter`` was called."""
        return self._pages is not None

    @property
    def link_reader(self) -> LinkReader:
        """The reader of links, from ``enter`` on."""
        return self.pages.links

    @property
    def rules(self) -> Rules:
        """The rules for links, from ``enter`` on."""
        return self.link_reader.rules

    @property
    def pages(self) -> PageReader:
        """The reader of pages, from ``enter`` on."""
        assert self._pages is not None
        return self._pages

    def open(self, store: Store, result: Result, start_url: str) -> None:
        """Record pages from now on; ``start_url``: that of a continued crawl, else empty."""
        self._crawl = OpenCrawl(self.crawler, store, result)
        self.start_url = start_url

    def enter(self, url: str, robots: Robots, now: Callable[[], datetime] = utc_now) -> None:
        """Apply the rules of a URL's origin to links from now on."""
        args = self.host.args
        rules = Rules(
            site=args.site(url),
            robots=robots,
            include=args.included(),
            exclude=args.excluded(),
            ignores_nofollow=args.nofollow == "ignore",
        )
        options = ReadOptions(
            labels=args.with_links,
            markdown=args.with_texts,
            description=args.with_descriptions,
            extensions=args.extensions,
            judges_scripts=args.render != "never"
            and self.crawler.settings["SITEMAPGEN_RENDERING_RULE"] == AUTO,
        )
        self._pages = PageReader(LinkReader(rules), options, self.sources, now)

    def set_start(self, url: str) -> None:
        """Set the start URL, which has answered."""
        self.start_url = url

    def abort(self, error: CrawlError) -> None:
        """End the crawl because of an error; later errors are ignored."""
        if self.error is None:
            self.error = error
            self.host.end(error)

    async def in_background(self, work: Callable[[], T]) -> T:
        """Do long work with the store; the event loop must not use the store meanwhile."""
        store = self.crawl.store

        def work_there() -> T:
            store.bind_to_thread()
            return work()

        try:
            return await self.background.run(work_there)
        finally:
            store.bind_to_thread()

    def start_link(self, url: str) -> Link:
        """Return a start URL as a link; only robots.txt can exclude it."""
        line = self.rules.robots.refusal(url)
        refusal = Judgement(Verdict.ROBOTS_DISALLOWED, line) if line else None
        return Link(url=url, key=key(url), refusal=refusal)

    def carried(self, link: Link, response: Response | None = None) -> Page | None:
        """Return a page as the previous run has it: ``CarryOver.page``."""
        return self.crawl.carry_over.page(link, self.link_reader, response)

    def within_grace_period(self, page: Page) -> Page:
        """Return a failing page in its previous, listed state during its grace period."""
        if not self.start_url:
            return page
        return self.crawl.carry_over.within_grace_period(page, self.link_reader)


class Component:
    """Component of Scrapy that is made of its crawler alone."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)


def context_of(crawler: Crawler) -> CrawlContext:
    """Return the context of a crawl; a new one for spiders that are no host."""
    context: CrawlContext | None = getattr(crawler, _ATTRIBUTE, None)
    return context or CrawlContext(crawler, Host())


def or_abort(method: Callable[..., T]) -> Callable[..., T | None]:
    """End the crawl for a CrawlError of a callback; Scrapy would log a traceback and continue.

    For methods of objects with a ``context``.
    """

    @wraps(method)
    def guarded(self: Any, *args: object, **kwargs: object) -> T | None:
        try:
            return method(self, *args, **kwargs)
        except CrawlError as error:
            self.context.abort(error)
            return None

    return guarded
