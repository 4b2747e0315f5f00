"""Downloader middleware that repeats requests whose worker, or Redis, was lost: ``cluster/``.

They pass through scheduler and delays again, so that the pace of the site holds.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from sitemapgen.context import Component, context_of
from sitemapgen.download.failures import Fatal, LeaseLost
from sitemapgen.download.terms import DEATHS
from sitemapgen.items import DEADLY, MAX_WORKER_DEATHS

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class ClusterMiddleware(Component):
    """Repeats lost requests; a page with which worker after worker dies is left out."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        if context_of(crawler).host.cluster is None:
            raise NotConfigured

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return a lost request again. Raises Fatal."""
        if not isinstance(exception, LeaseLost):
            return None
        self.crawler.stats.inc_value("sitemapgen/cluster/lost_count")
        again = request.replace(dont_filter=True)
        if exception.is_death:
            again.meta[DEATHS] = deaths = request.meta.get(DEATHS, 0) + 1
            if deaths >= MAX_WORKER_DEATHS:
                sentence = "%(url)s is left out: %(why)s"
                logger.warning(sentence, {"url": request.url, "why": DEADLY.evidence})
                raise Fatal(DEADLY)
        return again
