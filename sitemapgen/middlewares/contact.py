"""Downloader middleware that sends the contact of the crawl with every request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self


class ContactMiddleware:
    """Sends ``SITEMAPGEN_FROM`` as the From header: RFC 9110 section 10.1.2."""

    def __init__(self, address: str) -> None:
        if not address:
            raise NotConfigured
        if not re.fullmatch(r"[!-~]+@[!-~]+", address):
            raise CrawlError(
                Exit.ARGUMENTS,
                f"SITEMAPGEN_FROM: {address!r} is not a mail address; write ops@example.com",
            )
        self.address = address

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.settings["SITEMAPGEN_FROM"])

    def process_request(self, request: Request) -> None:
        request.headers.setdefault("From", self.address)
