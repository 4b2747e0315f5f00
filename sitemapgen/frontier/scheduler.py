"""Scrapy scheduler over the frontier of the store, with its duplicate filter.

Only requests that serve a page in flight wait in memory (robots.txt, sitemaps, retries). After a
crash the page is repeated, and they are with it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Protocol

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import build_from_crawler, load_object

from sitemapgen.context import Component, context_of
from sitemapgen.download.downloader import polite_downloader
from sitemapgen.download.engine import is_ending, is_quiet, wake_engine
from sitemapgen.errors import A_BUG, CrawlError, Exit
from sitemapgen.frontier.batches import Batch, Batches
from sitemapgen.items import LOST, Page

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from sitemapgen.analysis.scheduling import Choice
    from sitemapgen.store.frontier import Lease

logger = logging.getLogger(__name__)

LARGE = 2_000
"""Number of fetched pages from which phases are planned in the background."""
ANSWERED = 200
"""Status recorded for carried pages whose response was lost by an error in the crawler."""

NO_CHOICE = "No URL could be chosen"


class StoreDupeFilter(Component, BaseDupeFilter):
    """Treats URLs in the frontier as seen; puts all others there, as start URLs."""

    def request_seen(self, request: Request) -> bool:
        context = context_of(self.crawler)
        return not context.crawl.store.frontier.seed(context.start_link(request.url), time.time())


class FrontierSpider(Protocol):
    """What the scheduler needs of its spider."""

    choice: Choice

    @property
    def is_discovered(self) -> bool:
        """Whether everything that the site names was requested and has answered."""

    def page_request(self, lease: Lease) -> Request:
        """Return the request for a URL of the frontier."""


READ_AHEAD = 32
"""URLs that are taken from the store at a time."""


class FrontierScheduler(BaseScheduler):
    """Hands out the pending URLs of the store, up to exactly ``SITEMAPGEN_MAX_PAGES``."""

    repeats_withdrawn = True
    """Whether requests cancelled by the downloader are repeated when the crawl is resumed."""
    spider: FrontierSpider

    def __init__(self, crawler: Crawler, dupefilter: BaseDupeFilter) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.store = self.context.crawl.store
        self.dupefilter = dupefilter
        self._waiting: list[tuple[int, int, Request]] = []
        self._arrivals = count()
        self._leases: deque[Lease] = deque()
        self._planning: asyncio.Future[None] | None = None
        """The planning that takes place in the background, which has the store meanwhile."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dupefilter = load_object(crawler.settings["DUPEFILTER_CLASS"])
        scheduler = cls(crawler, build_from_crawler(dupefilter, crawler))
        crawler.signals.connect(scheduler.spider_idle, signals.spider_idle)
        return scheduler

    def open(self, spider: FrontierSpider) -> None:  # type: ignore[override]  # it serves no other
        self.spider = spider
        self.batches = Batches(self.context, spider.choice)

    def close(self, reason: str) -> Deferred[None]:
        return deferred_from_coro(self._close_run(reason))

    async def _close_run(self, reason: str) -> None:
        if self._planning is not None:
            await self._planning
        with self._aborting_crawl("What was not visited could not be taken over"):
            if reason == "finished" and not self.store.frontier.in_flight():
                await self.context.in_background(self.batches.carry_over_rest)

    @contextmanager
    def _aborting_crawl(self, problem: str) -> Iterator[None]:
        """End the crawl because of an error; Scrapy would log it and go on, or wait for ever."""
        try:
            yield
        except CrawlError as error:
            self.context.abort(error)
        except Exception:
            logger.exception(problem)
            self.context.abort(CrawlError(Exit.ERROR, A_BUG))

    def has_pending_requests(self) -> bool:
        if self._waiting or self._leases or self._is_store_away:
            return True
        return bool(self._capacity()) and self.batches.has_more

    @property
    def _is_store_away(self) -> bool:
        """Whether the background has the store, or will have it."""
        return self._planning is not None or self.context.background.is_busy

    def enqueue_request(self, request: Request) -> bool:
        if request.dont_filter:
            heappush(self._waiting, (-request.priority, next(self._arrivals), request))
            return True
        return not self.dupefilter.request_seen(request)

    def next_request(self) -> Request | None:
        if self._waiting:
            return heappop(self._waiting)[2]
        if self._is_store_away:
            return None
        if not self._leases:
            with self._aborting_crawl(NO_CHOICE):
                self._lease_ahead()
        return self.spider.page_request(self._leases.popleft()) if self._leases else None

    def spider_idle(self) -> None:
        """Record a fetch_error for leased URLs that never completed; only a bug causes this."""
        with self._aborting_crawl("Lost requests could not be recorded"):
            for lease in self.store.frontier.lost_leases():
                logger.error("No result for %(url)s", {"url": lease.url})
                page = Page(url=lease.url, key=lease.key, judgement=LOST)
                page = self.context.within_grace_period(page)
                page = replace(page, status=ANSWERED) if page.is_carried else page
                self.store.record_page(page, time.time())

    def _lease_ahead(self) -> None:
        """Lease URLs ahead, at once or in the background; none before the rules of the site."""
        capacity = self._capacity()
        is_early = self.batches.needs_sitemaps and not self.spider.is_discovered
        if not self.context.is_entered or (capacity and is_early):
            return
        is_large = self.store.frontier.fetched() >= LARGE
        # Nothing else may need the store while much is planned.
        if capacity and is_large and is_quiet(self.crawler) and self.batches.needs_plan:
            self._planning = asyncio.ensure_future(self._lease_in_background(capacity))
        else:
            self._accept_batch(self.batches.lease_batch(capacity))

    async def _lease_in_background(self, capacity: int) -> None:
        """Lease URLs in the background, then have the engine ask for them."""

        def lease() -> Batch:
            self.store.commit()  # an interrupt rolls back what follows
            self.store.abort_when(partial(is_ending, self.crawler))
            try:
                return self.batches.lease_batch(capacity)
            finally:
                self.store.abort_when(None)

        try:
            with self._aborting_crawl(NO_CHOICE):
                try:
                    self._accept_batch(await self.context.in_background(lease))
                except CrawlError:
                    if not is_ending(self.crawler):
                        raise
                    self.store.roll_back()
        finally:
            self._planning = None
            wake_engine(self.crawler)

    def _accept_batch(self, batch: Batch) -> None:
        """Have a batch requested, after its pause."""
        self._leases.extend(batch.leases)
        downloader = polite_downloader(self.crawler)
        for lease in batch.leases if batch.pause else ():
            slot = downloader.polite_slot(self.spider.page_request(lease))
            slot.postpone_retry(batch.pause)

    def _capacity(self) -> int:
        """Return the number of URLs that may be handed out now."""
        return self.context.crawl.budget.of(READ_AHEAD)
