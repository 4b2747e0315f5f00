"""Log formatter without lines for responses and items, which are in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.logformatter import LogFormatter

from sitemapgen.items import Page

if TYPE_CHECKING:
    from scrapy import Request, Spider
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult


class QuietLogFormatter(LogFormatter):
    """Drops the lines per response and per item; the recorder logs one per page, at DEBUG."""

    def crawled(self, request: Request, response: Response, spider: Spider) -> LogFormatterResult:
        return None  # type: ignore[return-value]  # documented: None skips the line

    def dropped(
        self, item: Any, exception: BaseException, response: Any, spider: Spider
    ) -> LogFormatterResult:
        if isinstance(item, Page):
            return None  # type: ignore[return-value]  # documented: None skips the line
        return super().dropped(item, exception, response, spider)

    def scraped(self, item: Any, response: Any, spider: Spider) -> LogFormatterResult:
        return None  # type: ignore[return-value]  # documented: None skips the line
