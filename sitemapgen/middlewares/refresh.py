"""Asks for pages that an earlier run read only in case they changed since (RFC 9110 section 13).

What becomes of the answer "304 Not Modified": ``spiders/sitemap.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Request

    from sitemapgen.store.frontier import Lease


class RefreshMiddleware:
    """Sends back what an earlier answer was marked with: its ETag and its Last-Modified."""

    def process_request(self, request: Request) -> None:
        lease: Lease | None = request.cb_kwargs.get("lease")
        if lease is None:
            return
        if lease.etag:
            request.headers["If-None-Match"] = lease.etag
        if lease.last_modified:
            request.headers["If-Modified-Since"] = lease.last_modified
