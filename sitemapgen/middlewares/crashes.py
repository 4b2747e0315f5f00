"""Downloader middleware that leaves out pages that crashed the process: ``store/readings.py``."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from sitemapgen.context import Component, context_of
from sitemapgen.core.urls import key
from sitemapgen.download.failures import Fatal
from sitemapgen.items import CRASHED

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class CrashMiddleware(Component):
    """Refuses requests for pages that crashed the process; disabled if there are none."""

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
