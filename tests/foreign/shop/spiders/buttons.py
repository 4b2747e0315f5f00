"""Presses a button by scrapy-playwright's keys, and follows the links that it shows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, ClassVar

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import TextResponse
from scrapy_playwright.page import PageMethod


class CountingMiddleware:
    """Counts the requests with the key that a middleware of such a project looks for."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CountingMiddleware:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        if request.meta.get("playwright"):
            self.crawler.stats.inc_value("shop/playwright_count")


async def mark(page: Any, request: Request) -> None:
    await page.add_init_script("window.mark = 'marked'")


def is_unwanted(request: Any) -> bool:
    """For PLAYWRIGHT_ABORT_REQUEST."""
    return "unwanted" in request.url


class Buttons(Spider):
    name = "buttons"
    custom_settings: ClassVar[dict[str, Any]] = {
        "DOWNLOADER_MIDDLEWARES": {CountingMiddleware: 543}
    }

    def __init__(self, url: str, **more: Any) -> None:
        super().__init__(**more)
        self.url = url

    async def start(self) -> AsyncIterator[Request]:
        shown = PageMethod("wait_for_selector", "a.product")
        meta = {
            "playwright": True,
            "playwright_context": "desk",
            "playwright_context_kwargs": {"locale": "sv-SE"},
            "playwright_include_page": True,
            "playwright_page_init_callback": mark,
            "playwright_page_methods": [PageMethod("click", "button"), shown],
        }
        yield Request(self.url, meta=meta)

    async def parse(self, response: TextResponse) -> AsyncIterator[Any]:
        page = response.meta["playwright_page"]
        words = [await page.evaluate(each) for each in ("window.mark", "navigator.language")]
        await page.close()
        yield {"url": response.url, "words": [*words, *response.flags]}
        for request in response.follow_all(css="a.product", callback=self.product):
            yield request

    def product(self, response: TextResponse) -> Iterator[dict[str, Any]]:
        words = response.css("body ::text").getall()
        yield {"url": response.url, "words": [*response.flags, *words]}
