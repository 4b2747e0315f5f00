"""Has a page to be rendered, and what becomes of it then? How it is done: ``browser/``.

The rendered document takes the place of the one that the server sent; its status and headers stay.
"""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, cast

from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK

from sitemapgen.browser.terms import RENDERED, RENDERING, Unrendered
from sitemapgen.core.eligibility import HTML
from sitemapgen.downloader import Withdrawn

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from typing_extensions import Self

    from sitemapgen.spiders.sitemap import SitemapSpider

logger = logging.getLogger(__name__)

UNRENDERABLE = "unrenderable"
"""Flag of responses, before the reason: ``unrenderable: ...``."""

GUESSES = frozenset({"always", "sample"})
"""Reasons to render a page that may well be complete as the server sent it."""

BEGINNING = 32_768
"""Bytes in which a mount node is looked for."""
_SCRIPT = re.compile(rb"<script\b([^>]*)>")
_DATA = re.compile(rb"""\btype\s*=\s*["']?(?!module|text/javascript|application/javascript)\w""")
_EMPTY_MOUNT = re.compile(
    rb"""id=["']?(?:root|app|__next|__nuxt|svelte|main|mount)["'\s>][^<]{0,200}(?<=>)\s{0,99}</"""
)
_LINK = re.compile(rb"<a\s[^>]*\bhref\b")
_UNSEEN = re.compile(
    rb"<(script|style|noscript|template|head)\b.*?</\1\s*>|<!--.*?-->|<[^>]*>",
    re.IGNORECASE | re.DOTALL,
)
THIN = 200
"""Bytes of text: with less, and no link, a page shows nothing without its scripts."""


class RenderingMiddleware:
    """Sends page requests through the browser where what the server sent is not the page."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.spider = cast("SitemapSpider", crawler.spider)
        self.render = self.spider.args.render
        if self.render == "never":
            raise NotConfigured

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Return the rendered page, or the static one, marked when that does not do."""
        if response.status != 200 or "claim" not in request.cb_kwargs or not _is_html(response):
            return response
        reason = needs_browser(response, always=self.render == "always")
        if not reason:
            return response
        stats = self.crawler.stats
        try:
            rendered = await self._fetch(request, reason)
        except Unrendered as error:
            stats.inc_value(f"sitemapgen/rendering/failure_count/{reason}")
            logger.debug("%(url)s %(why)s", {"url": request.url, "why": error})
            if reason in GUESSES:
                return response
            return response.replace(flags=[*response.flags, f"{UNRENDERABLE}: {error}"])
        stats.inc_value(f"sitemapgen/rendering/page_count/{reason}")
        return _replaced(response, rendered)

    async def _fetch(self, request: Request, reason: str) -> Response:
        """Ask for a page again, of the browser; robots.txt, delays and logins hold for it too."""
        again = Request(
            request.url,
            callback=NO_CALLBACK,
            meta={RENDERING: reason, "dont_retry": True},
            dont_filter=True,
        )
        try:
            response = await self.crawler.engine.download_async(again)
        except (Unrendered, Withdrawn):
            raise
        except Exception as error:  # a page that cannot be rendered costs only itself
            logger.exception("%(url)s", {"url": request.url})
            raise Unrendered(f"fails in the browser ({type(error).__name__})") from error
        if RENDERED not in response.flags:
            raise Unrendered("DOWNLOAD_HANDLERS has no sitemapgen.browser.handler.BrowserHandler")
        return response


def needs_browser(response: Response, *, always: bool = False) -> str:
    """Why a document has to be rendered; empty if it need not."""
    body, complete = response.body, "always" if always else ""
    if b"<script" not in body:
        return complete
    if all(_DATA.search(script[1]) for script in _SCRIPT.finditer(body)):
        return complete
    if _EMPTY_MOUNT.search(body, 0, BEGINNING):
        return "empty_mount"
    if not _LINK.search(body) and len(b" ".join(_UNSEEN.sub(b" ", body).split())) < THIN:
        return "thin"
    return complete


def _is_html(response: Response) -> bool:
    declared = (response.headers.get("Content-Type") or b"").decode("latin-1")
    media_type = declared.partition(";")[0].strip().lower()
    return media_type in HTML or (not media_type and isinstance(response, HtmlResponse))


def _replaced(static: Response, rendered: Response) -> Response:
    """The rendered document with the headers of the answer that the server gave first."""
    headers = static.headers.copy()
    headers["Content-Type"] = rendered.headers["Content-Type"]
    return HtmlResponse(
        static.url,
        status=static.status,
        headers=headers,
        body=rendered.body,
        flags=[*static.flags, *rendered.flags],
        request=static.request,
    )
