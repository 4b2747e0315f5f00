"""Downloader middleware that slows down for hosts that answer 429 or 503.

The length of pauses: ``core/politeness.py``, ``Pace``. A refused page is requested again after the
pause, and stays in flight in the store meanwhile.
"""

from __future__ import annotations

import logging
from time import monotonic

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from sitemapgen.context import Component, context_of
from sitemapgen.core.politeness import REFUSALS, SERVER_ERROR
from sitemapgen.core.urls import hostname
from sitemapgen.download.downloader import RequestCancelled, polite_downloader
from sitemapgen.download.responses import retry_after_of
from sitemapgen.errors import CrawlError, Exit

logger = logging.getLogger(__name__)

TIMES_REFUSED = "sitemapgen_times_refused"
"""``request.meta`` key: number of times that this page was refused before."""
LONG_PAUSE = 5.0
"""Seconds from which on a pause is logged as INFO."""


class BackoffMiddleware(Component):
    """Adjusts the pace of a host after every response, and repeats refused requests."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.retries = crawler.settings.getint("SITEMAPGEN_BACKOFF_RETRIES")
        self.give_up = crawler.settings.getfloat("SITEMAPGEN_BACKOFF_GIVE_UP")
        self._hosts: set[str] = set()
        crawler.signals.connect(self.response_downloaded, signals.response_downloaded)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Adjust the pace of the host before Scrapy takes its next request from the queue."""
        slot = polite_downloader(self.crawler).polite_slot(request)
        if slot.is_calm and response.status == 200:
            return
        slot.count_from_now()
        now = monotonic()
        began = now - request.meta.get("download_latency", 0.0)
        if response.status in REFUSALS:
            again = bool(request.meta.get(TIMES_REFUSED))
            pause = slot.pace.refused(now, began, retry_after_of(response), again=again)
            self._log_refusal(response, pause)
            return
        if response.status < SERVER_ERROR:
            slot.pace.answered(began)
        # RFC 9110 section 10.2.3: of a redirect, the time before its target may be requested.
        if 300 <= response.status < 400 and (asked := retry_after_of(response)):
            slot.pace.postpone(now, asked)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Repeat a refused request. Raises RequestCancelled when the crawl is given up."""
        if response.status not in REFUSALS or request.meta.get("dont_retry"):
            return response
        outage = polite_downloader(self.crawler).polite_slot(request).pace.outage
        if outage > self.give_up:
            self._end_crawl(response, outage)
        times = request.meta.get(TIMES_REFUSED, 0) + 1
        if times > self.retries:
            return response
        self.crawler.stats.inc_value("sitemapgen/backoff/retry_count")
        meta = {**request.meta, TIMES_REFUSED: times}
        return request.replace(meta=meta, dont_filter=True)

    def _end_crawl(self, response: Response, outage: float) -> None:
        """End the crawl because its own site refuses all requests, so that no page is lost."""
        if hostname(response.url) != hostname(self.context.start_url or self.context.host.args.url):
            return
        problem = f"HTTP {response.status}, and nothing but refusals for {outage:.0f} s"
        if self.context.start_url:
            problem += "; nothing is lost, the same command continues"
        exit_code = Exit.INTERRUPTED if self.context.start_url else Exit.UNREACHABLE
        self.context.abort(CrawlError(exit_code, f"{response.url}: {problem}"))
        raise RequestCancelled("the site refuses everything")

    def _log_refusal(self, response: Response, pause: float) -> None:
        """Log a refusal: the first of a host as WARNING, long pauses as INFO, others as DEBUG."""
        self.crawler.stats.inc_value(f"sitemapgen/backoff/refusal_count/{response.status}")
        host = hostname(response.url)
        level = logging.DEBUG
        if pause >= LONG_PAUSE:
            level = logging.INFO
        if host not in self._hosts:
            self._hosts.add(host)
            level = logging.WARNING
        logger.log(
            level,
            "%(url)s: HTTP %(status)d: no requests to %(host)s for %(pause).1f s, then one "
            "request at a time",
            {"url": response.url, "status": response.status, "host": host, "pause": pause},
        )
