"""Scrapy scheduler over the frontier of the store.

Only requests that serve a page in flight wait in memory (robots.txt, sitemaps, retries). After a
crash the page is repeated, and they are with it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from heapq import heappop, heappush
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.misc import build_from_crawler, load_object

from sitemapgen.context import context_of
from sitemapgen.download.downloader import polite_downloader
from sitemapgen.download.engine import is_quiet, wake
from sitemapgen.errors import A_BUG, CrawlError, Exit
from sitemapgen.frontier.due import DuePages
from sitemapgen.frontier.late_retry import LateRetry
from sitemapgen.frontier.phases import next_phase
from sitemapgen.frontier.planner import forget_unreached, planner, take_over
from sitemapgen.frontier.revisits import Revisits
from sitemapgen.frontier.trap_candidates import examine_crowds
from sitemapgen.items import Revisit

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.dupefilters import BaseDupeFilter
    from twisted.internet.defer import Deferred
    from typing_extensions import Self

    from sitemapgen.store.frontier import Lease

logger = logging.getLogger(__name__)

LARGE = 2_000
"""Number of fetched pages from which phases are planned in the background: 14 us of CPU each."""


class FrontierScheduler(BaseScheduler):
    """Hands out the pending URLs of the store, up to exactly ``SITEMAPGEN_MAX_PAGES``."""

    repeats_withdrawn = True
    """Whether requests cancelled by the downloader are repeated when the crawl is resumed."""

    def __init__(self, crawler: Crawler, dupefilter: BaseDupeFilter) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.max_depth = crawler.settings.getint("DEPTH_LIMIT")
        self.read_ahead = crawler.settings.getint("SITEMAPGEN_FRONTIER_READ_AHEAD")
        self.dupefilter = dupefilter
        self._waiting: list[tuple[int, int, Request]] = []
        self._arrivals = count()
        self._leases: deque[Lease] = deque()
        self._settled_at = -1
        self._planning: asyncio.Future[None] | None = None
        """The planning that takes place in the background, which has the store meanwhile."""
        self._is_closing = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        dupefilter = load_object(crawler.settings["DUPEFILTER_CLASS"])
        scheduler = cls(crawler, build_from_crawler(dupefilter, crawler))
        crawler.signals.connect(scheduler.spider_idle, signals.spider_idle)
        return scheduler

    def open(self, spider: Spider) -> None:
        self.store = self.context.store
        due = DuePages(self.store) if self.context.args.refresh == "due" else None
        self.revisits = Revisits(self.store, due)
        self.planner = planner(self.store, self.context.choice, self.context.budget, self.revisits)
        seconds = self.crawler.settings.getfloat("SITEMAPGEN_LATE_RETRY_SECONDS")
        self._late_retry = LateRetry(self.store, seconds)
        self._hand_out = self.planner.lease if self.planner else self.revisits.lease

    def close(self, reason: str) -> Deferred[None]:
        return deferred_from_coro(self._close(reason))

    async def _close(self, reason: str) -> None:
        self._is_closing = True
        if self._planning is not None:
            await self._planning
        try:
            if reason == "finished" and not self.store.frontier.in_flight():
                await self._in_background(self._wind_up)
        except CrawlError as error:
            self.context.abort(error)
        except Exception:  # Scrapy would only log it, and incomplete results would be published
            logger.exception("What was not visited could not be taken over")
            self.context.abort(CrawlError(Exit.ERROR, A_BUG))

    async def _in_background(self, work: Callable[[], None]) -> None:
        """Do work that may take long; the event loop must not use the store meanwhile."""

        def work_there() -> None:
            self.store.bind_to_thread()
            work()

        try:
            await self.context.background.run(work_there)
        finally:
            self.store.bind_to_thread()

    def _wind_up(self) -> None:
        """Carry over pages that were not visited, if anything still links to them."""
        if self.planner:
            self.planner.learn()
        if not self.store.previous_run.known():
            return
        while not self._capacity() and (
            leases := take_over(self.store, self.revisits, self.max_depth)
        ):
            self._spare(leases)
        is_refresh = self.planner is not None and self.planner.is_refresh
        has_recalled = self.revisits.conclude_due()
        if is_refresh or has_recalled or self.store.previous_run.count_postponed():
            forget_unreached(self.store, self.max_depth)

    def has_pending_requests(self) -> bool:
        if self._waiting or self._leases or self._is_store_away:
            return True
        has_more = self.store.frontier.has_pending() or (self.planner and self.planner.has_more)
        return bool(self._capacity() and has_more)

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
        try:
            if not self._leases:
                self._lease()
        except CrawlError as error:
            self.context.abort(error)
        except Exception:  # Scrapy would only log it, and the crawl would wait for ever
            logger.exception("No URL could be chosen")
            self.context.abort(CrawlError(Exit.ERROR, A_BUG))
        return self.context.request_for(self._leases.popleft()) if self._leases else None

    def spider_idle(self) -> None:
        try:
            self.record_lost_requests()
        except CrawlError as error:
            self.context.abort(error)

    def record_lost_requests(self) -> None:
        """Record a fetch_error for leased URLs that never completed; only a bug causes this."""
        for lease in self.store.frontier.lost():
            logger.error("No result for %(url)s", {"url": lease.url})
            self.store.record(self.context.lost_page(lease), time.time())

    def _lease(self) -> None:
        """Lease URLs ahead; when there are none left, begin the next phase."""
        capacity = self._capacity()
        if not capacity:
            self._retry_late()
            return
        if self.planner and not self.context.start_url:
            self._leases.extend(self.planner.lease_start(capacity))
            return
        if self._waits_for_sitemaps():
            return
        if self._takes_long():
            self._planning = asyncio.ensure_future(self._plan(capacity))
            return
        if self._choose(capacity):
            self._retry_late()

    def _takes_long(self) -> bool:
        """Return whether much has to be planned, and nothing else needs the store meanwhile."""
        if self.store.frontier.fetched() < LARGE or self._is_closing:
            return False
        if not is_quiet(self.crawler):
            return False
        if self._settled_at == self.store.recorded():
            return False
        return self.planner is not None or not self.store.frontier.has_pending()

    async def _plan(self, capacity: int) -> None:
        """Lease URLs in the background, then have the engine ask for them."""

        is_exhausted = False

        def choose() -> None:
            nonlocal is_exhausted
            self.store.commit()  # an interrupt rolls back what follows
            self.store.abort_when(lambda: self._is_closing)
            try:
                is_exhausted = self._choose(capacity)
            finally:
                self.store.abort_when(None)

        try:
            await self._in_background(choose)
            if is_exhausted and not self._is_closing:
                self._retry_late()
        except CrawlError as error:
            if self._is_closing:
                self.store.roll_back()
            else:
                self.context.abort(error)
        except Exception:
            logger.exception("No URL could be chosen")
            self.context.abort(CrawlError(Exit.ERROR, A_BUG))
        finally:
            self._planning = None
            wake(self.crawler)

    def _choose(self, capacity: int) -> bool:
        """Lease URLs, or those of the next phase; return whether a phase came to its end.

        A phase whose pages are all carried over ends at once, and the next one begins.
        """
        examine_crowds(self.store)
        self._take(capacity)
        has_ended = False
        while not self._leases and not self.store.frontier.in_flight():
            if self._settled_at == self.store.recorded():
                break
            self._settled_at = self.store.recorded()
            has_ended = True
            if next_phase(self.store, self.revisits, self.max_depth):
                self._take(capacity)
        return has_ended

    def _waits_for_sitemaps(self) -> bool:
        """Return whether the site's sitemaps influence the order and are not read completely."""
        if not (self.context.start_url and (self.planner or self.revisits.is_sparing)):
            return False
        return self.context.discovery is None or not self.context.discovery.is_done

    def _retry_late(self) -> None:
        """Request failed pages again, after a pause, when all others are done."""
        if self._leases or not self.context.start_url or self.store.frontier.in_flight():
            return
        keys, pause = self._late_retry.next()
        if not keys:
            return
        self._leases.extend(self._spare(self.revisits.lease_again(keys)))
        self.store.commit()
        downloader = polite_downloader(self.crawler)
        for lease in self._leases:
            slot = downloader.polite_slot(self.context.request_for(lease))
            slot.pace.postpone(monotonic(), pause)

    def _take(self, count: int) -> None:
        """Lease URLs until some have to be fetched; record those that are carried over."""
        while not self._leases and (leases := self._hand_out(count)):
            self._leases.extend(self._spare(leases))

    def _spare(self, leases: list[Lease]) -> list[Lease]:
        """Record the leases that need not be fetched; return the others."""
        others = []
        for lease in leases:
            page = self.context.unvisited(lease)
            if page is None:
                others.append(_to_be_requested(lease))
            else:
                self.store.record(page, time.time())
        return others

    def _capacity(self) -> int:
        """Return the number of URLs that may be handed out now."""
        return self.context.budget.of(self.read_ahead)


def _to_be_requested(lease: Lease) -> Lease:
    """Return a lease as one of a page that could not be carried over."""
    return lease if lease.revisit.is_request else lease._replace(revisit=Revisit.FETCHED)
