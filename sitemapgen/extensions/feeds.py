"""Scrapy's feeds (``-o``, ``-O``, ``FEEDS``) with one item a URL, written at the end of a crawl.

During the crawl the verdict of a URL is not final. ``pipelines/sitemap.py`` has the items written
once it is; where they come from: ``publish/rereport.py``.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exporters import CsvItemExporter, XmlItemExporter
from scrapy.extensions.feedexport import FeedExporter

from sitemapgen.context import context_of
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.rereport import url_items
from sitemapgen.report.urls_csv import harmless

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)


class UrlFeeds(FeedExporter):
    """Scrapy's exporter, which takes no items while pages are fetched."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        exporter = cls(crawler)
        context_of(crawler).exporters.append(exporter.export)
        crawler.signals.connect(exporter.open_spider, signals.spider_opened)
        return exporter

    def open_spider(self, spider: Spider) -> None:
        super().open_spider(spider)
        # Handlers run in the order in which they were connected: the pipeline's, then this one.
        self.crawler.signals.connect(self.close_spider, signals.spider_closed)

    def export(self, directory: Path) -> None:
        """Write the items of the crawl in an output directory to each feed. Raises CrawlError."""
        assert self.crawler.spider is not None
        problem = self._open()
        try:
            for item in url_items(directory):
                self.item_scraped(item, self.crawler.spider)
        except OSError as error:
            problem = _sentence(", ".join(self.feeds), error)
        if problem:
            raise CrawlError(Exit.NO_SPACE, problem)
        for slot in self.slots:
            logger.info("%(uri)s: %(count)d URLs", {"uri": slot.uri, "count": slot.itemcount})

    def _open(self) -> str:
        """Open the feeds, and give up those that cannot be; what is wrong with one of them."""
        problem = ""
        for slot in tuple(self.slots):
            try:
                slot.start_exporting()
            except OSError as error:
                self.slots.remove(slot)
                problem = _sentence(slot.uri, error)
        return problem


def _sentence(uri: str, error: OSError) -> str:
    return f"{uri}: cannot be written: {error.strerror or error}"


class HarmlessCsv(CsvItemExporter):
    """Scrapy's exporter, with cells that no spreadsheet runs, and a space between two links."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"join_multivalued": " ", **kwargs})

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        text = super().serialize_field(field, name, value)
        return harmless(text) if isinstance(text, str) else text


class PlainXml(XmlItemExporter):
    """Scrapy's exporter, with an empty element where there is no value."""

    def serialize_field(self, field: Any, name: str, value: Any) -> Any:
        return "" if value is None else super().serialize_field(field, name, value)
