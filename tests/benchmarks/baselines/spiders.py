"""The spiders: one that crawls as Scrapy's tutorial teaches it, one that only fetches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response


class Tutorial(CrawlSpider):
    """Follows every link of one host."""

    name = "tutorial"
    rules = (Rule(LinkExtractor(), callback="parse_page", follow=True),)

    def __init__(self, url: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = [url]
        self.allowed_domains = [urlsplit(url).hostname or ""]

    def parse_page(self, response: Response) -> Iterator[dict[str, str]]:
        yield {"url": response.url}


class FetchOnly(Spider):
    """Fetches the URLs of a file, one a line, and looks at none of the answers."""

    name = "fetch_only"

    def __init__(self, urls: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.urls = Path(urls).read_text("utf-8").split()

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url, dont_filter=True)

    def parse(self, response: Response) -> None:
        """Be done with it."""
