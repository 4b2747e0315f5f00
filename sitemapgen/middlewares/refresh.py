"""Downloader middleware for conditional requests of known pages (RFC 9110 section 13).

A response with 304 Not Modified is handled by ``spiders/sitemap.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Request

    from sitemapgen.store.frontier import Lease


class RefreshMiddleware:
    """Sends the validators of the stored response: its ETag and its Last-Modified."""

    def process_request(self, request: Request) -> None:
        lease: Lease | None = request.cb_kwargs.get("lease")
        if lease is None:
            return
        if lease.etag:
            request.headers["If-None-Match"] = lease.etag
        if lease.last_modified:
            request.headers["If-Modified-Since"] = lease.last_modified
