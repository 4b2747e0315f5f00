"""Times and sizes of HTML responses by template, for ``result.json``.

They change from crawl to crawl, so the report of an unchanged site cannot have them. The
quantiles: ``analysis/response_times.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals

from sitemapgen.context import Component, context_of
from sitemapgen.download.examining import is_html
from sitemapgen.download.terms import RENDERED

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class ResponseTimesExtension(Component):
    """Adds the responses that this process downloads itself to the times of the crawl."""

    def __init__(self, crawler: Crawler) -> None:
        self.times = context_of(crawler).response_times
        crawler.signals.connect(self.response_downloaded, signals.response_downloaded)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Add the response if it is a page that a browser did not render."""
        latency = request.meta.get("download_latency")
        is_page = response.status == 200 and is_html(response)
        if is_page and latency is not None and RENDERED not in response.flags:
            self.times.add(request.url, latency, len(response.body))
