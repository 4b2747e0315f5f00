"""Scrapy's feeds (``-o``, ``-O``, ``FEEDS``) with one item per URL, written at the end of a crawl.

Verdicts are final only then; ``pipelines/sitemap.py`` calls ``export``. Source of the items:
``publish/republish.py``.
"""

from __future__ import annotations

import logging
from itertools import islice
from pathlib import Path
from typing import Any

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.exporters import CsvItemExporter, XmlItemExporter
from scrapy.extensions.feedexport import FeedExporter
from typing_extensions import Self

from sitemapgen.context import context_of
from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.republish import url_items
from sitemapgen.report.urls_csv import escape_cell

logger = logging.getLogger(__name__)

AT_ONCE = 100
"""Number of items that are written between two turns of the event loop."""


class UrlFeeds(FeedExporter):
    """Scrapy's exporter without items during the crawl."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        exporter = cls(crawler)
        context_of(crawler).exporters.append(exporter.export)
        crawler.signals.connect(exporter.open_spider, signals.spider_opened)
        return exporter

    def open_spider(self, spider: Spider) -> None:
        super().open_spider(spider)
        self.crawler.signals.connect(self.close_spider, signals.spider_closed)

    async def close_spider(self, spider: Spider) -> None:
        """Close the feeds after the pipeline has written them."""
        await context_of(self.crawler).is_concluded.wait()
        await super().close_spider(spider)

    async def export(self, directory: Path) -> None:
        """Write the items of the crawl in an output directory to each feed. Raises CrawlError."""
        assert self.crawler.spider is not None
        problem = self._open_feeds()
        run = context_of(self.crawler).background.run
        items = url_items(directory)
        try:
            while some := await run(lambda: list(islice(items, AT_ONCE))):
                for item in some:
                    self.item_scraped(item, self.crawler.spider)
        except OSError as error:
            problem = _failure_sentence(", ".join(self.feeds), error)
        finally:
            await run(items.close)
        if problem:
            raise CrawlError(Exit.NO_SPACE, problem)
        for slot in self.slots:
            urls = counted(slot.itemcount, "URL")
            logger.info("%(uri)s: %(urls)s", {"uri": slot.uri, "urls": urls})

    def _open_feeds(self) -> str:
        """Open the feeds, without those that fail; return a sentence on the last failure."""
        problem = ""
        for slot in tuple(self.slots):
            try:
                slot.start_exporting()
            except OSError as error:
                self.slots.remove(slot)
                problem = _failure_sentence(slot.uri, error)
        return problem


def _failure_sentence(uri: str, error: OSError) -> str:
    return f"{uri}: cannot be written: {error.strerror or error}"


class HarmlessCsv(CsvItemExporter):
    """Scrapy's exporter, with formulas escaped for spreadsheets, and spaces between links."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"join_multivalued": " ", **kwargs})

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        text = super().serialize_field(field, name, value)
        return escape_cell(text) if isinstance(text, str) else text


class PlainXml(XmlItemExporter):
    """Scrapy's exporter, with an empty element for None."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return "" if value is None else super().serialize_field(field, name, value)
