"""Download handler for both schemes: HTTP, and browsers for the requests that need one.

The browsers' modules are imported only when a request needs one.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from scrapy.core.downloader.handlers.base import BaseDownloadHandler

from sitemapgen.context import context_of
from sitemapgen.download.failures import BrowserMissing
from sitemapgen.download.http_handler import HttpHandler
from sitemapgen.download.terms import PLAYWRIGHT, RENDERING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitemapgen.browser.browsers import Browsers

logger = logging.getLogger(__name__)


class BrowserHandler(BaseDownloadHandler):
    """Sends those of RenderingMiddleware, or with scrapy-playwright's key, to a browser."""

    lazy = True
    _shared: ClassVar[WeakKeyDictionary[Crawler, Browsers]] = WeakKeyDictionary()
    """By crawl: the browsers that its handlers share, as each one has a driver of 125 MB."""
    _has_logged = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._http = HttpHandler(crawler)

    async def download_request(self, request: Request) -> Response:
        """Download the response for a request.

        Raises Unrendered if the browser fails, BrowserMissing without a browser, and what
        ``HttpHandler`` and scrapy-playwright raise.
        """
        host = context_of(self.crawler).host
        is_rendering, cluster = request.meta.get(RENDERING), host.cluster
        if not is_rendering and request.meta.get(PLAYWRIGHT):
            return await self._shared_browsers().send(request)
        if cluster is not None and (is_rendering or "lease" in request.cb_kwargs):
            return await cluster(request)
        if is_rendering:
            return await self._shared_browsers().render(request)
        egress = host.egress if host.guards_downloader else None
        return await self._http.download_request(request, egress)

    async def close(self) -> None:
        await self._http.close()
        if browsers := self._shared.pop(self.crawler, None):
            await browsers.close()

    def _shared_browsers(self) -> Browsers:
        if self.crawler not in self._shared:
            # This import takes 0.5 s and 30 MB; crawls of static sites do without it.
            try:
                from sitemapgen.browser.browsers import Browsers  # noqa: PLC0415
            except ImportError as error:
                self._log_missing(error.name or str(error))
                raise BrowserMissing("needs a browser, and there is none") from error
            self._shared[self.crawler] = Browsers(self.crawler)
        return self._shared[self.crawler]

    def _log_missing(self, module: str) -> None:
        """Log once which module is not installed."""
        if not self._has_logged:
            self._has_logged = True
            logger.warning(
                "Pages need a browser, and for that %(module)s: %(remedy)s",
                {"module": module, "remedy": "pip install scrapy-playwright psutil"},
            )
