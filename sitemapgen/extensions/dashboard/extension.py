"""Shows the crawl in a browser, where ``SITEMAPGEN_DASHBOARD_ENABLED`` says so.

It looks once a second, and only while somebody watches; what it tells: ``events.py``; to whom:
``server.py``.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from sitemapgen.context import context_of
from sitemapgen.errors import Exit
from sitemapgen.extensions.dashboard import events
from sitemapgen.extensions.figures import figures_of
from sitemapgen.items import Page
from sitemapgen.publish.publication import BESIDE

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from sitemapgen.extensions.dashboard.server import Dashboard

logger = logging.getLogger(__name__)

INTERVAL = 1.0
"""Seconds between two looks."""
HISTORY = 120
"""Events that a client can ask for again: about a minute."""
LATEST = 50
"""Pages that a snapshot shows."""
PUBLISHED = ("report.html", "sitemap.xml")
"""Files of an earlier crawl that can be looked at while this one runs."""
AT_ONCE = 20
"""Pages that are told at a time: more nobody can read in a second."""


class DashboardExtension:
    """Runs the dashboard from the first request to the last file."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("SITEMAPGEN_DASHBOARD_ENABLED"):
            raise NotConfigured
        self.crawler = crawler
        self.context = context_of(crawler)
        self.figures = figures_of(crawler)
        self.host = settings["SITEMAPGEN_DASHBOARD_HOST"]
        self.port = settings.getint("SITEMAPGEN_DASHBOARD_PORT")
        self.max_clients = settings.getint("SITEMAPGEN_DASHBOARD_MAX_CLIENTS")
        self.journal = events.Journal(HISTORY)
        self._latest: deque[Page] = deque(maxlen=LATEST)
        self._untold = 0
        self._watched_at = -inf
        self._watch = create_looping_call(self._look)
        self._dashboard: Dashboard | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension.start, signals.engine_started)
        crawler.signals.connect(extension.item_scraped, signals.item_scraped)
        crawler.signals.connect(extension.spider_idle, signals.spider_idle)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        crawler.signals.connect(extension.stop, signals.engine_stopped)
        return extension

    @property
    def directory(self) -> Path:
        """Where the files go."""
        return self.context.args.output_directory()

    async def start(self) -> None:
        """Open the dashboard and log its address; the crawl goes on if that fails."""
        # Not at the top: crawls without a dashboard need no web server.
        from sitemapgen.extensions.dashboard.server import Dashboard  # noqa: PLC0415

        self.figures.status()  # from here on it can be told how the crawl stood at its end
        dashboard = Dashboard(self.journal, self.snapshot, self.directory, self.max_clients)
        try:
            url = await dashboard.start(self.host, self.port)
        except OSError as error:
            logger.error(
                "No dashboard at %(host)s:%(port)d: %(why)s",
                {"host": self.host, "port": self.port, "why": error.strerror or error},
            )
            return
        self._dashboard = dashboard
        self._watch.start(INTERVAL, now=False)
        logger.info("Dashboard: %(url)s", {"url": url})

    def item_scraped(self, item: Any) -> None:
        """Remember the page; what is told of it, and to whom, is seen to once a second."""
        if isinstance(item, Page):
            self._latest.append(item)
            self._untold += 1

    def spider_idle(self) -> None:
        """Send now that the files are written: that may take a minute without another event."""
        self._tell()

    def spider_closed(self) -> None:
        if self._watch.running:
            self._watch.stop()

    async def stop(self) -> None:
        """Return how the crawl ended, and close the dashboard with it."""
        if self._dashboard is None:
            return
        self.journal.append(events.FINISHED, self._end())
        self._dashboard.wake()
        await self._dashboard.stop()
        self._dashboard = None

    def snapshot(self) -> dict[str, Any]:
        """The data of now: that of ``snapshot``, and of /status."""
        self._tell_pages()  # they are in the snapshot, so whoever gets it need not be told again
        status = self.figures.status()
        return {
            "url": status.url,
            "output": str(self.directory.absolute()),
            "published": [name for name in PUBLISHED if (self.directory / name).is_file()],
            **events.figures(status),
            "rates": events.rates(self.figures.samples),
            "pages": [events.page_data(page) for page in self._latest],
        }

    def _look(self) -> None:
        now = monotonic()
        assert self._dashboard is not None
        if self._dashboard.streams:
            self._watched_at = now
        if now - self._watched_at < HISTORY * INTERVAL / 2:  # or it may soon be watched again
            self._tell()
        else:
            self._untold = 0
            self.figures.status()  # for the curve

    def _tell(self) -> None:
        if self._dashboard is None:
            return
        self._tell_pages()
        self.journal.append(events.PROGRESS, events.figures(self.figures.status()))
        self._dashboard.wake()

    def _tell_pages(self) -> None:
        if self._untold:
            told = min(self._untold, AT_ONCE)
            pages = [events.page_data(page) for page in list(self._latest)[-told:]]
            self.journal.append(events.PAGES, {"pages": pages, "skipped": self._untold - told})
            self._untold = 0

    def _end(self) -> dict[str, Any]:
        exit_code = self.crawler.stats.get_value("sitemapgen/exit_code", Exit.ERROR)
        directory = self.directory.absolute()
        if exit_code == Exit.REFUSED:
            directory = directory / BESIDE
        report, files = {}, []
        if exit_code in (Exit.PUBLISHED, Exit.REFUSED):
            paths = [directory / name for name in ("report.html", "sitemap.xml", "urls.csv")]
            files = [(path.name, str(path)) for path in paths if path.is_file()]
            try:
                report = json.loads((directory / "report.json").read_text("utf-8"))
            except (OSError, ValueError):
                logger.debug("no report.json to tell of", exc_info=True)
        return events.finished(self.figures.status(), int(exit_code), report, files)
