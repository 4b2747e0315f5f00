"""A middleware of a user of scrapy-playwright: all pages are read in the browser."""

import json

from scrapy import Request
from scrapy_playwright.page import PageMethod

from sitemapgen.settings import DOWNLOADER_MIDDLEWARES


class KeyMiddleware:
    def process_request(self, request: Request) -> None:
        if "lease" in request.cb_kwargs:
            request.meta["playwright"] = True
            request.meta["playwright_page_methods"] = [PageMethod("wait_for_timeout", 1_000)]


MIDDLEWARES = {**DOWNLOADER_MIDDLEWARES, f"{__name__}.KeyMiddleware": 760}
KEYED = ("-s", f"DOWNLOADER_MIDDLEWARES={json.dumps(MIDDLEWARES)}")
