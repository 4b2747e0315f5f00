"""Scrapy's identity of a request, and its memory of requests: both are the store's."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy.dupefilters import BaseDupeFilter

from sitemapgen.context import context_of
from sitemapgen.core.urls import key

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class UrlFingerprinter:
    """A request is its normalised URL: ``core.urls.key``, 8 bytes."""

    def fingerprint(self, request: Request) -> bytes:
        return key(request.url).to_bytes(8, "big", signed=True)


class StoreDupeFilter(BaseDupeFilter):
    """A request is seen when its URL is in the frontier; asking puts it there, as a start URL."""

    def __init__(self, crawler: Crawler) -> None:
        self.context = context_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def request_seen(self, request: Request) -> bool:
        link = self.context.start_link(request.url)
        return not self.context.store.frontier.seed(link, time.time())
