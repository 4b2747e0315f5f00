"""Downloader middlewares that refuse requests, stop downloads, or repeat what workers have lost."""

from __future__ import annotations

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured, StopDownload
from scrapy.http.headers import Headers

from sitemapgen.context import Component, context_of
from sitemapgen.core.eligibility import HTML
from sitemapgen.core.file_hints import file_hint
from sitemapgen.core.headers import content_type_of, media_type_of
from sitemapgen.core.urls import key
from sitemapgen.download.failures import LeaseLost, OverLimit, leave_out
from sitemapgen.download.terms import DEATHS, HEADERS_ONLY, REQUEST_COUNT
from sitemapgen.items import CRASHED, DEADLY, MAX_WORKER_DEATHS


class CrashMiddleware(Component):
    """Refuses pages that crashed the process (``store/readings.py``); disabled without any."""

    def __init__(self, crawler: Crawler) -> None:
        self.readings = context_of(crawler).crawl.store.readings
        if not self.readings.has_fatal:
            raise NotConfigured

    def process_request(self, request: Request) -> None:
        """Raise Fatal for a page that crashed the process too often."""
        if self.readings.is_fatal(key(request.url)):
            raise leave_out(request.url, CRASHED)


class LimitMiddleware(Component):
    """Refuses requests beyond ``SITEMAPGEN_MAX_REQUESTS``; disabled without a limit.

    The frontier hands out no further URLs then (``store/frontier.py``, ``Budget``).
    """

    def __init__(self, crawler: Crawler) -> None:
        self.stats = crawler.stats
        self.most = crawler.settings.getint("SITEMAPGEN_MAX_REQUESTS")
        if not self.most:
            raise NotConfigured

    def process_request(self, request: Request) -> None:
        """Raise OverLimit if as many requests were sent as are allowed."""
        if self.stats.get_value(REQUEST_COUNT, 0) >= self.most:
            raise OverLimit(f"not read further: SITEMAPGEN_MAX_REQUESTS={self.most}")


class FileHintMiddleware(Component):
    """Stops downloads after their headers: checks of links, and files requested as pages.

    The latter are URLs that end like files (``core/file_hints.py``). The page is ``not_html``
    without its body; the connection has to be closed, as only that stops the server.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        crawler.signals.connect(self.headers_received, signals.headers_received)

    def headers_received(self, headers: Headers, body_length: int, request: Request) -> None:
        """Raise StopDownload for a body that will not be read."""
        if request.method == "GET" and request.meta.get(HEADERS_ONLY):
            raise StopDownload(fail=False)
        if not body_length or "lease" not in request.cb_kwargs or not file_hint(request.url):
            return
        types = [value.decode("latin-1") for value in headers.getlist("Content-Type")]
        media_type = media_type_of(content_type_of(types))
        if media_type and media_type not in HTML:
            self.crawler.stats.inc_value("sitemapgen/file_hints/unread_count")
            raise StopDownload(fail=False)


class ClusterMiddleware(Component):
    """Repeats requests whose worker, or Redis, was lost: ``cluster/``.

    They pass through scheduler and delays again, so that the pace of the site holds. A page with
    which worker after worker dies is left out.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        if context_of(crawler).host.cluster is None:
            raise NotConfigured

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return a lost request again. Raises Fatal."""
        if not isinstance(exception, LeaseLost):
            return None
        self.crawler.stats.inc_value("sitemapgen/cluster/lost_count")
        again = request.replace(dont_filter=True)
        if exception.is_death:
            again.meta[DEATHS] = deaths = request.meta.get(DEATHS, 0) + 1
            if deaths >= MAX_WORKER_DEATHS:
                raise leave_out(request.url, DEADLY)
        return again
