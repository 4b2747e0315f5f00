"""Browsers of one crawl: that of rendered pages, and scrapy-playwright's for a spider's requests.

Requests with ``meta["playwright"]`` are sent by scrapy-playwright's own handler, to which all its
keys and settings apply. Pages that the crawl renders by itself: ``renderer.py``.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy.http import Response
from scrapy_playwright.handler import Config, ScrapyPlaywrightDownloadHandler
from scrapy_playwright.headers import use_scrapy_headers
from scrapy_playwright.provider import PlaywrightBrowserProvider

from sitemapgen.browser.chromium import config_of, fence_arguments, launch_first
from sitemapgen.browser.proxy import FilteringProxy, upstream_of
from sitemapgen.browser.renderer import Renderer, proxy_of
from sitemapgen.checks.browser import CHROMIUM, read_endpoints
from sitemapgen.context import context_of
from sitemapgen.core.urls import parse, split

if TYPE_CHECKING:
    from playwright.async_api import Browser
    from scrapy import Request
    from scrapy.crawler import Crawler


class Browsers:
    """Each browser is started by the first request for it."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self._driver_lock = asyncio.Lock()
        self._renderer: Renderer | None = None
        self._handler: ScrapyPlaywrightDownloadHandler | None = None
        self._proxy: FilteringProxy | None = None

    async def render(self, request: Request) -> Response:
        """Return the rendered document. Raises Unrendered, BrowserMissing, RequestCancelled."""
        if self._renderer is None:
            self._renderer = Renderer(self.crawler, self._driver_lock)
        return await self._renderer.download(request)

    async def send(self, request: Request) -> Response:
        """Have scrapy-playwright send a request. Raises NoBrowser, playwright's Error.

        A page of a crawl that leads elsewhere is returned as a redirect, and judged as one.
        """
        async with self._driver_lock:
            if self._handler is None:
                self._handler = await self._launched_handler(request)
        response: Response = await self._handler.download_request(request)
        is_of_crawl = self.context.host.guards_downloader and self.context.is_open
        if is_of_crawl and parse(response.url) != parse(request.url):
            to = {"Location": response.url}
            return Response(request.url, status=302, headers=to, request=request)
        return response

    async def close(self) -> None:
        """End the browsers."""
        for each in (self._renderer, self._handler):
            if each is not None:
                await each.close()
        if self._proxy is not None:
            self._proxy.close()

    async def _launched_handler(self, request: Request) -> ScrapyPlaywrightDownloadHandler:
        """Return scrapy-playwright's handler, which otherwise launches when the engine starts."""
        settings = self.crawler.settings
        handler = ScrapyPlaywrightDownloadHandler.from_crawler(self.crawler)
        endpoint = next(iter(read_endpoints(settings)), None)
        config = handler.config = config_of(settings, endpoint)
        if endpoint is None and handler.browser_provider_cls is PlaywrightBrowserProvider:
            wanted = settings.get("SITEMAPGEN_BROWSER")
            handler.browser_provider_cls = partial(_Provider, wanted=wanted)
        if self.context.host.guards_downloader:
            if endpoint is None:
                await self._guard_config(config, request)
            if handler.process_request_headers is use_scrapy_headers:
                handler.process_request_headers = _own_headers
        try:
            await handler._maybe_launch_in_thread()
        except Exception:
            await handler.close()
            raise
        return handler

    async def _guard_config(self, config: Config, request: Request) -> None:
        """Apply the proxy and the egress policy of the crawl to a browser that is started here."""
        options, egress = config.launch_options, self.context.host.egress
        proxy = options.get("proxy") or proxy_of(request)
        if not egress.is_unrestricted:
            if self._proxy is None:
                self._proxy = FilteringProxy(egress, upstream_of(proxy), self._note_refusal)
                await self._proxy.start()
            proxy = {"server": self._proxy.url, **self._proxy.credentials}
            if config.browser_type_name == CHROMIUM:
                fence = fence_arguments(request.url, self._proxy.url, is_proxy_for_all=True)
                options = {**options, "args": [*options.get("args", ()), *fence]}
        config.launch_options = {**options, **({"proxy": proxy} if proxy else {})}

    def _note_refusal(self, _: str) -> None:
        self.crawler.stats.inc_value("sitemapgen/egress/refused_count/browser")


class _Provider(PlaywrightBrowserProvider):  # type: ignore[misc]  # it has no types
    """scrapy-playwright's provider, with the same choice of browsers as for rendered pages."""

    def __init__(self, config: Config, wanted: str) -> None:
        super().__init__(config)
        self._wanted = wanted

    async def launch_browser(self) -> Browser:
        """Launch the first browser found. Raises NoBrowser, playwright's Error."""
        if self.config.browser_type_name != CHROMIUM:
            browser: Browser = await super().launch_browser()
            return browser
        return await launch_first(super().launch_browser, self.config, self._wanted)


async def _own_headers(*, playwright_request: Any, **given: Any) -> dict[str, str]:
    """Return the headers of a request; those of the crawl, such as logins, for the page's origin.

    The others get its User-Agent.
    """
    data = given["scrapy_request_data"]
    headers: dict[str, str] = await playwright_request.all_headers()
    if split(playwright_request.url).origin == split(data["url"]).origin:
        headers = await use_scrapy_headers(playwright_request=playwright_request, **given)
    elif agent := data["headers"].get("User-Agent"):
        headers["user-agent"] = agent.decode("latin-1")
    return headers
