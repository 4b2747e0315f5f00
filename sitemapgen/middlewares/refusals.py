"""Downloader middlewares that refuse requests which the crawl does not make."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from sitemapgen.context import Component, context_of
from sitemapgen.core.urls import key
from sitemapgen.download.failures import Fatal, OverLimit
from sitemapgen.download.terms import REQUEST_COUNT
from sitemapgen.items import CRASHED

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class CrashMiddleware(Component):
    """Refuses pages that crashed the process (``store/readings.py``); disabled without any."""

    def __init__(self, crawler: Crawler) -> None:
        self.readings = context_of(crawler).crawl.store.readings
        if not self.readings.has_fatal:
            raise NotConfigured

    def process_request(self, request: Request) -> None:
        """Raise Fatal for a page that crashed the process too often."""
        if self.readings.is_fatal(key(request.url)):
            sentence = "%(url)s is left out: %(why)s"
            logger.warning(sentence, {"url": request.url, "why": CRASHED.evidence})
            raise Fatal(CRASHED)


class LimitMiddleware(Component):
    """Refuses requests beyond ``SITEMAPGEN_MAX_REQUESTS``; disabled without a limit.

    The frontier hands out no further URLs then (``store/frontier.py``, ``Budget``).
    """

    def __init__(self, crawler: Crawler) -> None:
        self.stats = crawler.stats
        self.most = crawler.settings.getint("SITEMAPGEN_MAX_REQUESTS")
        if not self.most:
            raise NotConfigured

    def process_request(self, request: Request) -> None:
        """Raise OverLimit if as many requests were sent as are allowed."""
        if self.stats.get_value(REQUEST_COUNT, 0) >= self.most:
            raise OverLimit(f"not read further: SITEMAPGEN_MAX_REQUESTS={self.most}")
