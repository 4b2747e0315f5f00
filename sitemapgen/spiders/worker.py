"""Spider of a worker: fetches, renders and reads pages for the coordinator of a crawl.

It has neither store nor frontier; delays, robots.txt and retries are the coordinator's. The
exchange: ``cluster/worker.py``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy import Spider, signals

from sitemapgen.core.words import counted
from sitemapgen.deploy import profiles
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import ACCESS
from sitemapgen.tools.network import without_store

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from sitemapgen.cluster.description import Membership
    from sitemapgen.cluster.worker import Worker

logger = logging.getLogger(__name__)

COORDINATORS = (
    *("robots", "refusals.CrashMiddleware", "rendering", "outage", "backoff"),
    *("refusals.ClusterMiddleware", "sessions"),
)
"""Downloader middlewares, by module, that work for the coordinator alone."""
UNLIMITED = 1_000
"""Requests at a time; the coordinator limits them."""


class WorkerSpider(Spider):
    """Takes part in a crawl. Its arguments are the credentials of ``params.ACCESS``."""

    name = "worker"
    metadata: ClassVar[dict[str, str]] = {
        "title": "Worker of a crawl on several machines",
        "description": "Fetches pages for a crawl of the spider sitemap that has "
        "SITEMAPGEN_CLUSTER; alone it crawls nothing.",
    }
    worker: Worker
    _running: asyncio.Future[None] | None = None

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Leave to the coordinator what is its. Raises CrawlError."""
        super().update_settings(settings)
        profiles.apply_profile(settings)
        settings.setdict(
            {
                **without_store(settings, COORDINATORS),
                "RETRY_ENABLED": False,
                "DOWNLOAD_DELAY": 0,
                "AUTOTHROTTLE_ENABLED": False,
                "CONCURRENT_REQUESTS": UNLIMITED,
                "CONCURRENT_REQUESTS_PER_DOMAIN": UNLIMITED,
            },
            priority="cmdline",
        )

    @classmethod
    def from_crawler(
        cls, crawler: Crawler, *args: Any, membership: Membership, **kwargs: Any
    ) -> Self:
        spider = super().from_crawler(crawler, *args)
        given = {name: value for name, value in kwargs.items() if not name.startswith("_")}
        if others := sorted(given.keys() - ACCESS.keys()):
            names = ", ".join(ACCESS)
            raise CrawlError(
                Exit.ARGUMENTS,
                f"{others[0]}: a worker has only the arguments {names}; the others are those of "
                "the crawl",
            )
        from sitemapgen.cluster.worker import Worker  # noqa: PLC0415 - its packages are optional

        spider.worker = Worker.begin(crawler, membership, given)
        crawler.signals.connect(spider.spider_closed, signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Take part until the crawl ends."""
        description = self.worker.description
        logger.info(
            "Taking part in the crawl of %(url)s at %(redis)s",
            {"url": description.url, "redis": self.worker.server.name},
        )
        self._running = asyncio.ensure_future(self._run_worker())
        try:
            await asyncio.shield(self._running)
        except asyncio.CancelledError:
            self.worker.is_leaving = True  # a signal: pages under way are finished
            raise
        return
        yield

    async def _run_worker(self) -> None:
        try:
            await self.worker.run()
        except CrawlError as error:
            self.worker.end(error)
        except Exception:
            logger.exception("The worker has failed")
            self.crawler.stats.set_value("sitemapgen/exit_code", int(Exit.ERROR))

    async def spider_closed(self) -> None:
        """Return what is done, and what is not."""
        self.worker.is_leaving = True
        if self._running is not None:  # a signal came before the start
            await self.worker.leave_crawl(self._running)
        stats = self.crawler.stats
        stats.set_value("sitemapgen/exit_code", stats.get_value("sitemapgen/exit_code", 0))
        pages = counted(self.worker.done, "page")
        logger.info("%(pages)s done for the crawl", {"pages": pages})
