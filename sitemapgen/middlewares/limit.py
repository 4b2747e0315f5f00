"""Downloader middleware that sends no more requests than ``SITEMAPGEN_MAX_REQUESTS``.

The frontier hands out no further URLs then (``store/frontier.py``, ``Budget``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from sitemapgen.context import Component
from sitemapgen.download.failures import OverLimit
from sitemapgen.download.terms import REQUEST_COUNT

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler


class LimitMiddleware(Component):
    """Refuses requests beyond the limit; disabled if there is none."""

    def __init__(self, crawler: Crawler) -> None:
        self.stats = crawler.stats
        self.most = crawler.settings.getint("SITEMAPGEN_MAX_REQUESTS")
        if not self.most:
            raise NotConfigured

    def process_request(self, request: Request) -> None:
        """Raise OverLimit if as many requests were sent as are allowed."""
        if self.stats.get_value(REQUEST_COUNT, 0) >= self.most:
            raise OverLimit(f"not read further: SITEMAPGEN_MAX_REQUESTS={self.most}")
