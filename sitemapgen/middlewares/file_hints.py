"""Downloader middleware that stops the download of files after their headers.

It applies to URLs that end like files (``core/file_hints.py``). The page is ``not_html`` without
its body; the connection has to be closed, as only that stops the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import StopDownload

from sitemapgen.context import Component
from sitemapgen.core.eligibility import HTML
from sitemapgen.core.file_hints import file_hint
from sitemapgen.core.headers import content_type_of, media_type_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http.headers import Headers


class FileHintMiddleware(Component):
    """Stops downloads of files that were requested as pages."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self.headers_received, signals.headers_received)

    def headers_received(self, headers: Headers, body_length: int, request: Request) -> None:
        """Raise StopDownload for a body that will not be read."""
        if not body_length or "lease" not in request.cb_kwargs or not file_hint(request.url):
            return
        types = [value.decode("latin-1") for value in headers.getlist("Content-Type")]
        media_type = media_type_of(content_type_of(types))
        if media_type and media_type not in HTML:
            self.crawler.stats.inc_value("sitemapgen/file_hints/unread_count")
            raise StopDownload(fail=False)
