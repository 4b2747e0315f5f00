"""Download handler for both schemes: HTTP, and a browser for pages to be rendered.

A crawl has one browser, and its modules are imported only when a page needs it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from scrapy.core.downloader.handlers.base import BaseDownloadHandler

from sitemapgen.context import context_of
from sitemapgen.download.failures import BrowserMissing
from sitemapgen.download.http_handler import HttpHandler
from sitemapgen.download.terms import RENDERING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitemapgen.browser.renderer import Renderer

logger = logging.getLogger(__name__)


class BrowserHandler(BaseDownloadHandler):
    """Sends the requests marked by RenderingMiddleware to the browser, all others to HTTP."""

    lazy = True
    _renderers: ClassVar[WeakKeyDictionary[Crawler, Renderer]] = WeakKeyDictionary()
    """By crawl: the renderer that its handlers share, as each one has a driver of 125 MB."""
    _has_logged = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._http = HttpHandler(crawler)

    async def download_request(self, request: Request) -> Response:
        """Download the response for a request.

        Raises Unrendered if the browser fails, BrowserMissing without a browser, and what
        ``HttpHandler`` raises.
        """
        context = context_of(self.crawler)
        is_rendering, cluster = request.meta.get(RENDERING), context.cluster
        if cluster is not None and (is_rendering or "lease" in request.cb_kwargs):
            return await cluster.download(request)
        if is_rendering:
            return await self._renderer().download(request)
        egress = context.egress if context.guards_downloader else None
        return await self._http.download_request(request, egress)

    async def close(self) -> None:
        await self._http.close()
        if renderer := self._renderers.pop(self.crawler, None):
            await renderer.close()

    def _renderer(self) -> Renderer:
        if self.crawler not in self._renderers:
            # This import takes 0.5 s and 30 MB; crawls of static sites do without it.
            try:
                from sitemapgen.browser.renderer import Renderer  # noqa: PLC0415
            except ImportError as error:
                self._log_missing(error.name or str(error))
                raise BrowserMissing("needs a browser, and there is none") from error
            self._renderers[self.crawler] = Renderer(self.crawler)
        return self._renderers[self.crawler]

    def _log_missing(self, module: str) -> None:
        """Log once which module is not installed."""
        if not self._has_logged:
            self._has_logged = True
            logger.warning(
                "Pages need a browser, and for that %(module)s: %(remedy)s",
                {"module": module, "remedy": "pip install scrapy-playwright psutil"},
            )
