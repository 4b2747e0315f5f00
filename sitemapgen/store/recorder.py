"""Recorder of pages and sitemap files in the store, a few in each transaction."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from sitemapgen.errors import CrawlError
from sitemapgen.items import LOST, Page, SourcePart

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapgen.items import SitemapFile
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)

COMMIT_SECONDS = 0.1
"""Seconds after a commit from which the next record is committed at once."""


class Recorder:
    """The only writer of pages, links and sitemap entries."""

    def __init__(self, crawler: Crawler, store: Store) -> None:
        self.crawler = crawler
        self.store = store
        self.batch = max(crawler.settings.getint("CONCURRENT_REQUESTS") - 1, 1)
        """Number of records after which the transaction is committed."""
        self._waiting, self._committed = 0, 0.0

    def record(self, item: Page | SitemapFile | SourcePart) -> bool:
        """Record a page, a sitemap file or a part of a system; return whether it is of the site.

        Raises CrawlError.
        """
        is_of_site = True
        if isinstance(item, Page):
            is_of_site = self._record_page(item)
        elif isinstance(item, SourcePart):
            self.store.record_source(item, time.time())
        else:
            self._record_sitemap(item)
        self._commit()
        return is_of_site

    def _record_page(self, page: Page) -> bool:
        with self.store.readings.reading(page.key, page.url):
            is_of_site = self.store.record(page, time.time())
        if not is_of_site:
            return False
        verdict = page.judgement.verdict.value
        logger.debug("%(verdict)s: %(url)s", {"verdict": verdict, "url": page.url})
        stats = self.crawler.stats
        stats.inc_value(f"sitemapgen/store/page_count/{verdict}")
        if page.malformed_links:
            stats.inc_value("sitemapgen/links/malformed_count", page.malformed_links)
        if page.offsite_links:
            stats.inc_value("sitemapgen/links/offsite_count", page.offsite_links)
        return True

    def _record_sitemap(self, file: SitemapFile) -> None:
        try:
            self.store.record_sitemap(file, time.time())
        except CrawlError:
            raise
        except Exception:
            logger.exception("Sitemap %(url)s", {"url": file.url})
            lost = replace(file, format="", error=LOST.evidence, reason=LOST.reason)
            self.store.record_sitemap(replace(lost, entries=(), document=None), time.time())

    def _commit(self) -> None:
        """Commit at once if pages come slowly, else in batches.

        A kill then loses the pages in flight and less than one batch.
        """
        self._waiting += 1
        now = time.monotonic()
        if self._waiting >= self.batch or now > self._committed + COMMIT_SECONDS:
            self.store.commit()
            self._waiting, self._committed = 0, now
