"""Settings of a crawl with bugs: words in a page make parts of the crawler fail.

Given with SITEMAPGEN_PROFILE. ``deadly`` ends the process while the page is read, as a native
parser may; the others raise where they say: in the spider's callback, in a downloader middleware,
in the store, when half of the page is written, and in the readers of sitemaps and systems.
"""

import os
from typing import Any

import sitemapgen.download.responses
from sitemapgen.core.sources.llms_txt import LlmsTxt
from sitemapgen.middlewares import rendering
from sitemapgen.spiders import sitemap_files as seeding
from sitemapgen.store import Store

_read_page = sitemapgen.download.responses.read_page
_read_sitemap = seeding.read_sitemap
_write_links = Store._write_links
_is_html = rendering.is_html
_read_llms_txt = LlmsTxt.read


def _in_callback(response: Any, *others: Any) -> Any:
    if b"deadly" in response.body:
        os.abort()
    if b"fails-in-callback" in response.body:
        raise RuntimeError("planted")
    return _read_page(response, *others)


def _in_middleware(response: Any) -> Any:
    if b"fails-in-middleware" in response.body:
        raise ValueError("planted")
    return _is_html(response)


def _in_store(self: Store, page: Any) -> None:
    if page.title == "fails-in-store":
        raise OverflowError("planted")
    _write_links(self, page)


def _in_sitemap(body: bytes, **options: Any) -> Any:
    if b"deadly" in body:
        os.abort()
    if b"fails-in-sitemap" in body:
        raise ValueError("planted")
    return _read_sitemap(body, **options)


def _in_source(self: LlmsTxt, ask: Any, response: Any) -> Any:
    if b"fails-in-source" in response.body:
        raise KeyError("planted")
    return _read_llms_txt(self, ask, response)


sitemapgen.download.responses.read_page = _in_callback
seeding.read_sitemap = _in_sitemap
LlmsTxt.read = _in_source  # type: ignore[method-assign]
rendering.is_html = _in_middleware
Store._write_links = _in_store
