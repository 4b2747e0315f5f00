"""Download handler for both schemes: Scrapy's own, and a browser for pages to be rendered.

A crawl has one browser, and its modules are imported only when a page needs it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from scrapy.exceptions import DownloadFailedError, ResponseDataLossError

from sitemapgen.browser.connections import GuardedHandler
from sitemapgen.browser.http_client import is_malformed
from sitemapgen.context import context_of
from sitemapgen.download.failures import BrowserMissing, InvalidStatus, MalformedResponse
from sitemapgen.download.terms import RENDERING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitemapgen.browser.renderer import Renderer

logger = logging.getLogger(__name__)

FAIL_ON_DATALOSS = "download_fail_on_dataloss"
"""Scrapy's ``request.meta`` key: False if a truncated response is accepted."""


class BrowserHandler(GuardedHandler):
    """Sends the requests marked by RenderingMiddleware to the browser, all others to HTTP."""

    lazy = True
    _renderers: ClassVar[WeakKeyDictionary[Crawler, Renderer]] = WeakKeyDictionary()
    """By crawl: the renderer that its handlers share, as each one has a driver of 125 MB."""
    _has_logged = False

    async def download_request(self, request: Request) -> Response:
        """Download the response for a request.

        Raises Unrendered if the browser fails, BrowserMissing without a browser, InvalidStatus for
        a status outside of 100 to 999, MalformedResponse for what is no HTTP.
        """
        cluster = context_of(self._crawler).cluster
        is_rendering = request.meta.get(RENDERING)
        if cluster is not None and (is_rendering or "lease" in request.cb_kwargs):
            return await cluster.download(request)
        if is_rendering:
            return await self._renderer().download(request)
        wanted = request.meta.get(FAIL_ON_DATALOSS)
        request.meta[FAIL_ON_DATALOSS] = False  # decided below: redirects may be truncated
        try:
            response = await super().download_request(request)
        except DownloadFailedError as error:
            if is_malformed(error.__cause__):
                raise MalformedResponse(str(error)) from error
            raise
        finally:
            request.meta[FAIL_ON_DATALOSS] = wanted
            if wanted is None:
                del request.meta[FAIL_ON_DATALOSS]
        if not 100 <= response.status <= 999:
            raise InvalidStatus
        if 300 <= response.status < 400 and "Location" in response.headers:
            return _without_encoded_body(response)
        is_fatal = self._fail_on_dataloss if wanted is None else wanted
        if "dataloss" in response.flags and is_fatal:
            raise ResponseDataLossError
        return response

    async def close(self) -> None:
        await super().close()
        if renderer := self._renderers.pop(self._crawler, None):
            await renderer.close()

    def _renderer(self) -> Renderer:
        if self._crawler not in self._renderers:
            # This import takes 0.5 s and 30 MB; crawls of static sites do without it.
            try:
                from sitemapgen.browser.renderer import Renderer  # noqa: PLC0415
            except ImportError as error:
                self._log_missing(error.name or str(error))
                raise BrowserMissing("needs a browser, and there is none") from error
            self._renderers[self._crawler] = Renderer(self._crawler)
        return self._renderers[self._crawler]

    def _log_missing(self, module: str) -> None:
        """Log once which module is not installed."""
        if not self._has_logged:
            self._has_logged = True
            logger.warning(
                "Pages need a browser, and for that %(module)s: %(remedy)s",
                {"module": module, "remedy": "pip install scrapy-playwright psutil"},
            )


def _without_encoded_body(redirect: Response) -> Response:
    """Remove a redirect's body if it is encoded, so that it is not decoded: it is not used."""
    if "Content-Encoding" not in redirect.headers:
        return redirect
    headers = redirect.headers.copy()
    del headers["Content-Encoding"]
    return redirect.replace(body=b"", headers=headers)
