"""Waits while the site is down, so that none of its pages is taken for broken.

Down or broken: ``core/outage.py``. A page that failed meanwhile is asked for again afterwards, as
if it never had been; it stays in flight in the store all the while.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from scrapy.http.request import NO_CALLBACK

from sitemapgen.context import context_of
from sitemapgen.core.outage import SERVER_ERROR, Failures
from sitemapgen.core.politeness import REFUSALS
from sitemapgen.core.urls import hostname
from sitemapgen.download.downloader import RequestCancelled, polite_downloader
from sitemapgen.download.failures import describe
from sitemapgen.download.terms import UNJUDGED
from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from sitemapgen.core.politeness import Pace

logger = logging.getLogger(__name__)

UNANSWERED = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    TunnelError,
)
"""What is raised where no answer came."""
LOOK = "sitemapgen_look"
"""``request.meta`` key: it looks whether the site is up, and its failure says just that."""


class OutageMiddleware:
    """Asks for the start page when answers fail; keeps what failed until that answers."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.give_up = crawler.settings.getfloat("SITEMAPGEN_BACKOFF_GIVE_UP")
        self.failures = Failures()
        self._waiting: asyncio.Task[bool] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the answer, or the request again after an outage; raise RequestCancelled."""
        if not _counts(request) or response.status in REFUSALS:  # the latter: BackoffMiddleware's
            return response
        if response.status < SERVER_ERROR:
            self.failures.answered()
            return response
        return await self._failed(request, f"HTTP {response.status}") or response

    async def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request again after an outage; raise RequestCancelled."""
        if isinstance(exception, UNANSWERED) and _counts(request):
            return await self._failed(request, describe(exception))
        return None

    async def _failed(self, request: Request, why: str) -> Request | None:
        """The request once more, if the site was down; None if it is the page that is broken."""
        if not self._is_of_site(request) or not self.failures.failed():
            return None
        if self._waiting is None:
            self._waiting = asyncio.ensure_future(self._wait(why))
            self._waiting.add_done_callback(self._waited)
        # Shielded: the request that failed first must not take the answer from the others.
        if not await asyncio.shield(self._waiting):
            return None
        again = request.copy()
        again.dont_filter = True
        again.meta.pop("retry_times", None)
        return again

    def _waited(self, _: asyncio.Task[bool]) -> None:
        self._waiting = None

    async def _wait(self, why: str) -> bool:
        """Wait until the site is up; return whether it was down. Raises RequestCancelled."""
        if await self._is_up():
            self.failures.site_is_up()
            return False
        start = self.context.start_url
        self.crawler.stats.inc_value("sitemapgen/outage/count")
        logger.warning(
            "%(url)s: %(why)s, and the start page fails as well: it alone is asked for, ever more "
            "rarely, until it answers",
            {"url": start, "why": why},
        )
        pace, pace_of_looks = self._pace(Request(start)), self._pace(self._look())
        began = monotonic()
        is_up = False
        while not is_up:
            now = monotonic()
            pause = pace.refused(now, now)
            if now + pause - began > self.give_up:
                self._end_crawl(f"{start}: {why}, for {now + pause - began:.0f} s")
            pace_of_looks.postpone(now, pause)
            is_up = await self._is_up()
        now = monotonic()
        pace.answered(now)
        self.failures.answered()
        logger.info("%(url)s is up, after %(time).0f s", {"url": start, "time": now - began})
        return True

    async def _is_up(self) -> bool:
        """Ask for the start page when its time has come."""
        try:
            response = await self.crawler.engine.download_async(self._look())
        except RequestCancelled:
            raise
        except UNANSWERED:
            return False
        except Exception:  # noqa: BLE001 - whatever it was, it was an answer
            return True
        return bool(response.status < SERVER_ERROR)

    def _look(self) -> Request:
        """A request for the start page, which waits behind no page."""
        url = self.context.start_url
        meta = {LOOK: True, "dont_retry": True, "download_slot": f"{hostname(url)} (look)"}
        return Request(url, callback=NO_CALLBACK, meta=meta, dont_filter=True)

    def _pace(self, request: Request) -> Pace:
        return polite_downloader(self.crawler).polite_slot(request).pace

    def _is_of_site(self, request: Request) -> bool:
        """Whether it is asked of the host whose start page has answered once."""
        start = self.context.start_url
        return bool(start) and hostname(request.url) == hostname(start)

    def _end_crawl(self, said: str) -> None:
        sentence = f"{said}; nothing is lost, the same command continues"
        self.context.abort(CrawlError(Exit.INTERRUPTED, sentence))
        raise RequestCancelled("the site is down")


def _counts(request: Request) -> bool:
    """Report whether a request may wait for the end of an outage.

    The look at the start page may not, nor may robots.txt, which that look waits for.
    """
    return LOOK not in request.meta and UNJUDGED not in request.meta
