"""Downloader middleware that waits while the site is down, so that no page counts as broken.

A firewall that answers 403 to every request of a fast crawler is an outage, too. Detection of an
outage: ``core/politeness.py``. Pages that failed meanwhile are requested again
afterwards, with all their retries; they stay in flight in the store.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.crawler import Crawler
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from sitemapgen.context import Component, context_of
from sitemapgen.core.politeness import FORBIDDEN, REFUSALS, SERVER_ERROR, Failures
from sitemapgen.core.urls import hostname
from sitemapgen.download.downloader import RequestCancelled, polite_downloader
from sitemapgen.download.failures import MalformedResponse, describe_failure
from sitemapgen.download.terms import UNJUDGED
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.store.frontier import Lease

logger = logging.getLogger(__name__)

UNANSWERED = (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    TunnelError,
)
"""Exceptions of requests without a response."""
LOOK = "sitemapgen_look"
"""``request.meta`` key of requests that check whether the site is up; they are no pages."""


class OutageMiddleware(Component):
    """Requests the start page when pages fail; holds failed requests until it answers."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.give_up = crawler.settings.getfloat("SITEMAPGEN_BACKOFF_GIVE_UP")
        self.failures = Failures()
        self._waiting: asyncio.Task[bool] | None = None

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the response, or after an outage the request. Raises RequestCancelled."""
        if not _may_wait(request) or response.status in REFUSALS:  # left to BackoffMiddleware
            return response
        if not _is_failure(response):
            self.failures.answered()
            return response
        return await self._handle_failure(request, f"HTTP {response.status}") or response

    async def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request after an outage, else None. Raises RequestCancelled."""
        is_answered = isinstance(exception, MalformedResponse)
        if isinstance(exception, UNANSWERED) and not is_answered and _may_wait(request):
            return await self._handle_failure(request, describe_failure(exception))
        return None

    async def _handle_failure(self, request: Request, why: str) -> Request | None:
        """Return the request again if the site was down; None if only the page fails."""
        start = self.context.start_url  # only pages of its host count, once it has answered
        if not start or hostname(request.url) != hostname(start):
            return None
        lease: Lease | None = request.cb_kwargs.get("lease")
        is_late = lease is not None and lease.is_late  # it failed before, when others were read
        if not self.failures.failed() and not is_late:
            return None
        if self._waiting is None or self._waiting.done():
            self._waiting = asyncio.ensure_future(self._wait_for_site(why))
        # Shielded: cancelling the first request that waits must not cancel it for the others.
        if not await asyncio.shield(self._waiting):
            return None
        again = request.replace(dont_filter=True)
        again.meta.pop("retry_times", None)
        return again

    async def _wait_for_site(self, why: str) -> bool:
        """Wait until the site is up; return whether it was down. Raises RequestCancelled."""
        if await self._is_up():
            self.failures.site_is_up()
            return False
        start = self.context.start_url
        self.crawler.stats.inc_value("sitemapgen/outage/count")
        logger.warning(
            "%(url)s: %(why)s, and the start page fails as well: it alone is requested, at growing "
            "intervals, until it answers",
            {"url": start, "why": why},
        )
        slot_of = polite_downloader(self.crawler).polite_slot
        pace, pace_of_looks = slot_of(Request(start)).pace, slot_of(self._look()).pace
        began = monotonic()
        is_up = False
        while not is_up:
            now = monotonic()
            pause = pace.refused(now, now)
            if now + pause - began > self.give_up:
                problem = f"{start}: {why}, for {now + pause - began:.0f} s"
                sentence = f"{problem}; nothing is lost, the same command continues"
                self.context.abort(CrawlError(Exit.INTERRUPTED, sentence))
                raise RequestCancelled("the site is down")
            pace_of_looks.postpone(now, pause)
            is_up = await self._is_up()
        now = monotonic()
        pace.answered(now)
        self.failures.answered()
        logger.info("%(url)s is up, after %(time).0f s", {"url": start, "time": now - began})
        return True

    async def _is_up(self) -> bool:
        """Request the start page after the pause of its slot; return whether the site is up."""
        try:
            response = await self.crawler.engine.download_async(self._look())
        except RequestCancelled:
            raise
        except MalformedResponse:
            return True
        except UNANSWERED:
            return False
        except Exception:  # noqa: BLE001 - any other error follows a response
            return True
        return not _is_failure(response)

    def _look(self) -> Request:
        """Return a request for the start page in a slot of its own, not behind other pages."""
        url = self.context.start_url
        meta = {LOOK: True, "dont_retry": True, "download_slot": f"{hostname(url)} (look)"}
        return Request(url, callback=NO_CALLBACK, meta=meta, dont_filter=True)


def _is_failure(response: Response) -> bool:
    """Return whether a response is one that all pages have during an outage."""
    return bool(response.status >= SERVER_ERROR or response.status == FORBIDDEN)


def _may_wait(request: Request) -> bool:
    """Return whether a request may wait for the end of an outage.

    Checks of the start page may not, nor may robots.txt, for which those checks wait.
    """
    return LOOK not in request.meta and UNJUDGED not in request.meta
