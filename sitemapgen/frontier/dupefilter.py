"""Scrapy's request fingerprinter and duplicate filter, both backed by the store."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy.dupefilters import BaseDupeFilter

from sitemapgen.context import context_of
from sitemapgen.core.urls import literal_key

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class UrlFingerprinter:
    """Fingerprints a request by the ``core.urls.literal_key`` of its URL: 8 bytes."""

    def fingerprint(self, request: Request) -> bytes:
        return literal_key(request.url).to_bytes(8, "big", signed=True)


class StoreDupeFilter(BaseDupeFilter):
    """Treats URLs in the frontier as seen; puts all others there, as start URLs."""

    def __init__(self, crawler: Crawler) -> None:
        self.context = context_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def request_seen(self, request: Request) -> bool:
        link = self.context.start_link(request.url)
        return not self.context.crawl.store.frontier.seed(link, time.time())
