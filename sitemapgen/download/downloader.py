"""Scrapy's downloader, with a lower limit for the delay between two requests to a host.

The limit comes from Crawl-delay and Request-rate (``core/robots.py``), Retry-After and backoff
(``core/politeness.py``). Above it, Scrapy's delay, its jitter and AutoThrottle work as usual.
"""

from __future__ import annotations

import logging
from datetime import datetime, time, timezone
from random import uniform
from time import monotonic
from typing import NamedTuple, cast

from scrapy import Request, Spider
from scrapy.core.downloader import Downloader, Slot
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.utils.asyncio import create_looping_call

from sitemapgen.core.politeness import Pace
from sitemapgen.core.robots import Robots
from sitemapgen.download.engine import is_ending

logger = logging.getLogger(__name__)

LONGEST_PAUSE = 60.0
"""Seconds of the longest pause that the site did not ask for itself."""
WATCH_INTERVAL = 0.5
"""Seconds between two checks of whether the crawl is being closed."""


class Wait(NamedTuple):
    """Why requests to a host are delayed."""

    reason: str
    """``backoff``: a pause after a refusal; ``late_retry``: one before failed pages are requested
    again; ``robots_delay``: a delay between requests by robots.txt; ``backoff_gap``: such a delay
    after recent refusals."""
    seconds: float
    """The rest of a pause, or the time from one request to the next."""


class RequestCancelled(IgnoreRequest):
    """A request was cancelled before it was sent, as the crawl ends; the page stays in flight."""


class PoliteSlot(Slot):
    """The requests to one host, with a lower limit for Scrapy's delay."""

    __slots__ = (
        *("_drawn_at", "_due", "_factor", "_late", "_retry_at"),
        *("floor_cap", "pace", "slow_robots"),
    )

    def __init__(self, slot: Slot, pace: Pace, floor_cap: float) -> None:
        super().__init__(slot.concurrency, slot.delay, slot.jitter)
        self.pace = pace
        self.floor_cap = floor_cap
        self.slow_robots: dict[str, Robots] = {}
        """By origin: the robots.txt of this host that have a delay between requests."""
        self._drawn_at = -1.0
        self._factor = 1.0
        self._due = 0.0
        self._late = 0.0
        self._retry_at = 0.0

    def postpone_retry(self, pause: float) -> None:
        """Pause for some seconds before pages that failed are requested again."""
        now = monotonic()
        self.pace.postpone(now, pause)
        self._retry_at = now + pause

    @property
    def is_calm(self) -> bool:
        """Whether the host neither requests a delay nor has refused anything recently."""
        return not self.slow_robots and self.pace.is_calm

    def current_wait(self) -> Wait | None:
        """Return why requests to the host are delayed; None if they are not."""
        pause = self.pace.resume_at - monotonic()
        if pause > 0:
            is_retry = self.pace.resume_at <= self._retry_at
            return Wait("late_retry" if is_retry else "backoff", pause)
        asked = self.delay_floor() if self.slow_robots else 0.0
        if self.pace.gap > asked:
            return Wait("backoff_gap", self.pace.gap)
        return Wait("robots_delay", asked) if asked else None

    def delay_floor(self) -> float:
        """Return the seconds between requests by robots.txt, at this time of the day."""
        now = _time_of_day()
        asked = max((robots.delay(now) for robots in self.slow_robots.values()), default=0.0)
        return min(asked, self.floor_cap)

    def download_delay(self) -> float:
        """Return the seconds from the last request, or its response, to the next one."""
        pace = self.pace
        delay = self._jittered_delay()
        self._due = self.lastseen + delay
        if self.slow_robots:
            delay = max(delay, self.delay_floor())
        return max(delay, pace.gap, pace.resume_at - self.lastseen)

    def _jittered_delay(self) -> float:
        """Return the delay with its jitter, shortened by how late the last request was sent.

        Scrapy draws the jitter again whenever it looks at the queue, and the timer that ends a
        delay is late by what the event loop does meanwhile: the requests were 1.22 delays apart.
        The result is never less than the shortest delay with jitter.
        """
        if self.lastseen != self._drawn_at:
            self._late = max(0.0, self.lastseen - self._due)
            self._drawn_at = self.lastseen
            self._factor = 1 + uniform(-self.jitter, self.jitter)  # noqa: S311 - a delay is no secret
        shortest = self.delay * (1 - self.jitter)
        return max(shortest, self.delay * self._factor - self._late, 0.0)

    def free_transfer_slots(self) -> int:
        """Return how many more requests may be sent now; hosts with a delay get one at a time."""
        at_once = 1 if self.slow_robots or self.pace.gap else self.concurrency
        return at_once - len(self.transferring)

    def count_from_now(self) -> None:
        """Measure the delay from a response, so that network latency does not shorten it."""
        if self.slow_robots or self.pace.gap:
            self.lastseen = monotonic()


class PoliteDownloader(Downloader):
    """Scrapy's downloader with a polite slot for each host."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self._start = settings.getfloat("SITEMAPGEN_BACKOFF_START")
        self._longest_asked = settings.getfloat("SITEMAPGEN_MAX_RETRY_AFTER")
        self._floor_cap = settings.getfloat("SITEMAPGEN_MAX_CRAWL_DELAY")
        self._polite: dict[str, PoliteSlot] = {}
        self._watch = create_looping_call(self._withdraw_when_closing)

    def polite_slot(self, request: Request) -> PoliteSlot:
        """Return the slot that a request belongs to."""
        # A request that was sent has its slot in meta.
        key = request.meta.get(self.DOWNLOAD_SLOT) or self.get_slot_key(request)
        return self._polite.get(key) or self._make_polite(key, request)

    def current_wait(self, host: str) -> Wait | None:
        """Return why requests to this host are delayed; None if they are not."""
        slot = self._polite.get(host)
        return slot.current_wait() if slot else None

    def obey_robots(self, origin: str, robots: Robots) -> None:
        """Apply the delay between requests in the robots.txt of an origin."""
        slot = self.polite_slot(Request(f"{origin}/robots.txt"))
        slot.slow_robots.pop(origin, None)
        if not robots.is_slow or self._floor_cap <= 0:
            return
        slot.slow_robots[origin] = robots
        slot.count_from_now()
        asked, kept = robots.delay(_time_of_day()), slot.delay_floor()
        if asked > kept:
            logger.warning(
                "%(origin)s/robots.txt asks for %(asked)g s between requests; %(kept)g s are kept "
                "(SITEMAPGEN_MAX_CRAWL_DELAY)",
                {"origin": origin, "asked": asked, "kept": kept},
            )
        else:
            logger.info(
                "%(origin)s/robots.txt asks for %(asked)g s between requests: one at a time",
                {"origin": origin, "asked": asked},
            )

    def _get_slot(self, request: Request, spider: Spider | None = None) -> tuple[str, Slot]:
        key = self.get_slot_key(request)
        if key not in self.slots:  # the first request to this host, or the first in a minute
            self._make_polite(key, request)
        return key, self.slots[key]

    def _make_polite(self, key: str, request: Request) -> PoliteSlot:
        """Put the polite slot of a host into Scrapy's table; an earlier one keeps its state."""
        _, slot = super()._get_slot(request)
        if key not in self._polite:
            pace = Pace(start=self._start, longest=LONGEST_PAUSE, longest_asked=self._longest_asked)
            self._polite[key] = PoliteSlot(slot, pace, self._floor_cap)
        self.slots[key] = self._polite[key]
        if not self._watch.running:
            self._watch.start(WATCH_INTERVAL, now=False)
        return self._polite[key]

    def _withdraw_when_closing(self) -> None:
        """Cancel delayed requests when the crawl ends."""
        scheduler = self.crawler.engine.scheduler
        if not (is_ending(self.crawler) and getattr(scheduler, "repeats_withdrawn", False)):
            return  # by Scrapy's own scheduler they would not be requested again
        for slot in self.slots.values():
            slot.close()
            while slot.queue:
                _, answer = slot.queue.popleft()
                answer.errback(RequestCancelled("taken back"))

    def close(self) -> None:
        if self._watch.running:
            self._watch.stop()
        super().close()


def _time_of_day() -> time:
    return datetime.now(timezone.utc).time()


def polite_downloader(crawler: Crawler) -> PoliteDownloader:
    """Return the downloader of a crawl."""
    return cast("PoliteDownloader", crawler.engine.downloader)
