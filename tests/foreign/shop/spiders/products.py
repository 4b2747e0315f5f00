"""Follows what it is interested in, and collects titles."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from scrapy import Request, Spider
from scrapy.http import TextResponse


class Products(Spider):
    name = "products"

    def __init__(self, url: str, paths: str = "", **more: Any) -> None:
        """``paths``: what to begin with besides the URL, separated by commas."""
        super().__init__(**more)
        self.urls = [url, *(f"{url}{path}" for path in filter(None, paths.split(",")))]

    async def start(self) -> AsyncIterator[Request]:
        for url in self.urls:
            yield Request(url, callback=self.listing)

    def listing(self, response: TextResponse) -> Iterator[Any]:
        yield from response.follow_all(css="a.product", callback=self.product)
        yield from response.follow_all(css="a.next", callback=self.listing)

    def product(self, response: TextResponse) -> Iterator[dict[str, Any]]:
        yield {"url": response.url, "words": response.css("body ::text").getall()}
