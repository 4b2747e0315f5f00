"""Download handler for both schemes: Scrapy's own, and a browser beside it.

The browser is one, and nothing of it is imported before a page needs it.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakKeyDictionary

from scrapy.exceptions import ResponseDataLossError

from sitemapgen.browser import http_client
from sitemapgen.browser.connections import GuardedHandler
from sitemapgen.download.failures import BrowserMissing, InvalidStatus
from sitemapgen.download.terms import RENDERING

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from sitemapgen.browser.renderer import Renderer

logger = logging.getLogger(__name__)

FAIL_ON_DATALOSS = "download_fail_on_dataloss"
"""``request.meta`` key, Scrapy's: False where an answer that breaks off is better than none."""


class BrowserHandler(GuardedHandler):
    """Has the browser answer what RenderingMiddleware asks for."""

    lazy = True
    _renderers: ClassVar[WeakKeyDictionary[Crawler, Renderer]] = WeakKeyDictionary()
    """One for the handlers of a crawl: each would cost a driver of 125 MB."""
    _is_told = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        http_client.install(self._pool)

    async def download_request(self, request: Request) -> Response:
        """Answer a request.

        Raises Unrendered for what the browser cannot answer, InvalidStatus for what is no status.
        """
        if request.meta.get(RENDERING):
            return await self._renderer().download(request)
        wanted = request.meta.get(FAIL_ON_DATALOSS)
        request.meta[FAIL_ON_DATALOSS] = False  # whether it matters is known with the status
        try:
            response = await super().download_request(request)
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
            # Half a second and 30 MB that crawls of static sites do not pay.
            try:
                from sitemapgen.browser.renderer import Renderer  # noqa: PLC0415
            except ImportError as error:
                self._tell(error.name or str(error))
                raise BrowserMissing("needs a browser, and there is none") from error
            self._renderers[self._crawler] = Renderer(self._crawler)
        return self._renderers[self._crawler]

    def _tell(self, module: str) -> None:
        """Log once what is not installed."""
        if not self._is_told:
            self._is_told = True
            logger.warning(
                "Pages need a browser, and for that %(module)s: pip install -r requirements.txt",
                {"module": module},
            )


def _without_encoded_body(redirect: Response) -> Response:
    """A redirect whose body nothing has to decode: only its Location matters."""
    if "Content-Encoding" not in redirect.headers:
        return redirect
    headers = redirect.headers.copy()
    del headers["Content-Encoding"]
    return redirect.replace(body=b"", headers=headers)
