"""Advice about the pace: how much of a crawl is pauses between requests."""

from __future__ import annotations

import logging
from time import monotonic, process_time

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response

from sitemapgen.analysis.progress import Load, fast_seconds
from sitemapgen.context import Component, context_of
from sitemapgen.core.politeness import REFUSALS, SERVER_ERROR
from sitemapgen.core.urls import hostname
from sitemapgen.core.words import duration
from sitemapgen.download.downloader import polite_downloader
from sitemapgen.download.engine import wait_closed

logger = logging.getLogger(__name__)


class PaceAdvice(Component):
    """Measures how much of a crawl is pauses; disabled if there is no delay between requests."""

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getfloat("DOWNLOAD_DELAY"):
            raise NotConfigured
        self.crawler = crawler
        self._began, self._cpu_before = monotonic(), process_time()
        self._answers = self._errors = 0
        self._latency = 0.0
        self._load: Load | None = None
        crawler.signals.connect(self.response_downloaded, signals.response_downloaded)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)
        crawler.signals.connect(self.engine_stopped, signals.engine_stopped)

    def response_downloaded(self, response: Response, request: Request) -> None:
        """Add the latency of a response."""
        self._answers += 1
        self._errors += response.status >= SERVER_ERROR or response.status in REFUSALS
        self._latency += request.meta.get("download_latency", 0.0)

    def spider_closed(self) -> None:
        """Measure the crawl before its files are written."""
        rendering = self.crawler.stats.get_value("sitemapgen/rendering/seconds", 0.0)
        self._load = Load(
            seconds=monotonic() - self._began,
            answers=self._answers,
            errors=self._errors,
            latency=self._latency,
            cpu=process_time() - self._cpu_before,
            rendering=rendering / self.crawler.settings.getint("SITEMAPGEN_RENDERING_TABS"),
        )

    async def engine_stopped(self) -> None:
        """Log the advice as the last line, unless the crawl failed or the site asks for a delay."""
        await wait_closed(self.crawler)
        context = context_of(self.crawler)
        if self._load is None or self.crawler.stats.get_value("sitemapgen/exit_code") != 0:
            return
        if polite_downloader(self.crawler).current_wait(hostname(context.start_url)) is not None:
            return
        if seconds := fast_seconds(self._load):
            logger.info(
                "Most of these %(seconds)s were pauses between requests; if the site is your own, "
                "SCRAPY_PROJECT=fast takes about %(fast)s",
                {"seconds": duration(self._load.seconds), "fast": duration(seconds)},
            )
