"""Scrapy extension for the dashboard, enabled by ``SITEMAPGEN_DASHBOARD_ENABLED``.

It sends the figures once a second while a client is connected. The events: ``events.py``; the web
server: ``server.py``.
"""

from __future__ import annotations

import logging
from collections import deque
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from sitemapgen.context import Component, context_of
from sitemapgen.download.engine import wait_closed
from sitemapgen.errors import Exit
from sitemapgen.extensions.dashboard import events
from sitemapgen.extensions.figures import figures_of
from sitemapgen.items import Page
from sitemapgen.publish.files import read_object
from sitemapgen.publish.replacing import REFUSED_FILES
from sitemapgen.publish.result import RESULT_FILE

if TYPE_CHECKING:
    from sitemapgen.extensions.dashboard.server import Dashboard

logger = logging.getLogger(__name__)

INTERVAL = 1.0
"""Seconds between two updates."""
HISTORY = 120
"""Number of events that a client can request again: about one minute."""
LATEST = 50
"""Number of pages in a snapshot."""
PUBLISHED = ("report.html", "sitemap.xml")
"""Files of an earlier crawl that are linked while this one runs."""
FILES = (*PUBLISHED, "urls.csv")
"""Files of this crawl that are linked at its end."""
AT_ONCE = 20
"""Maximum number of pages per update, so that they can be read in a second."""


class DashboardExtension(Component):
    """Runs the dashboard from the first request to the last file."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("SITEMAPGEN_DASHBOARD_ENABLED"):
            raise NotConfigured
        self.crawler = crawler
        self.directory = context_of(crawler).host.args.output_directory()
        """The output directory."""
        self.figures = figures_of(crawler)
        self.host = settings["SITEMAPGEN_DASHBOARD_HOST"]
        self.port = settings.getint("SITEMAPGEN_DASHBOARD_PORT")
        self.journal = events.EventLog(HISTORY)
        self._latest: deque[Page] = deque(maxlen=LATEST)
        self._unsent = 0
        self._watched_at = -inf
        self._watch = create_looping_call(self._update_clients)
        self._dashboard: Dashboard | None = None
        crawler.signals.connect(self.start, signals.engine_started)
        crawler.signals.connect(self.item_scraped, signals.item_scraped)
        crawler.signals.connect(self._send_progress, signals.spider_idle)  # the files are written
        crawler.signals.connect(self.stop, signals.engine_stopped)

    async def start(self) -> None:
        """Open the dashboard and log its address; the crawl continues if that fails."""
        # Imported here, as crawls without a dashboard need no web server.
        from sitemapgen.extensions.dashboard.server import Dashboard  # noqa: PLC0415

        self.figures.status()  # so that the figures keep the last status of the crawl
        dashboard = Dashboard(self.journal, self.snapshot, self.directory)
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
        """Keep a page for the next update."""
        if isinstance(item, Page):
            self._latest.append(item)
            self._unsent += 1

    async def stop(self) -> None:
        """Send the outcome of the crawl, and close the dashboard."""
        await wait_closed(self.crawler)
        if self._dashboard is None:
            return
        self._watch.stop()
        self.journal.append(events.FINISHED, self._finished_data())
        self._dashboard.wake_streams()
        await self._dashboard.stop()
        self._dashboard = None

    def snapshot(self) -> dict[str, Any]:
        """Return the current data: that of the event ``snapshot``, and of /status."""
        self._send_pages()  # first, as the snapshot contains them: its client must not get both
        status = self.figures.status()
        return {
            "url": status.url,
            "output": str(self.directory.absolute()),
            "published": [name for name in PUBLISHED if (self.directory / name).is_file()],
            **events.progress_data(status),
            "rates": events.curve_points(self.figures.samples),
            "pages": [events.page_data(page) for page in self._latest],
        }

    def _update_clients(self) -> None:
        now = monotonic()
        assert self._dashboard is not None
        if self._dashboard.streams:
            self._watched_at = now
        if now - self._watched_at < HISTORY * INTERVAL / 2:  # a client may soon reconnect
            self._send_progress()
        else:
            self._unsent = 0
            self.figures.status()  # for the curve

    def _send_progress(self) -> None:
        if self._dashboard is None:
            return
        self._send_pages()
        self.journal.append(events.PROGRESS, events.progress_data(self.figures.status()))
        self._dashboard.wake_streams()

    def _send_pages(self) -> None:
        if self._unsent:
            sent = min(self._unsent, AT_ONCE)
            pages = [events.page_data(page) for page in list(self._latest)[-sent:]]
            self.journal.append(events.PAGES, {"pages": pages, "skipped": self._unsent - sent})
            self._unsent = 0

    def _finished_data(self) -> dict[str, Any]:
        exit_code = int(self.crawler.stats.get_value("sitemapgen/exit_code", Exit.ERROR))
        below = f"{REFUSED_FILES}/" if exit_code == Exit.REFUSED else ""
        is_written = exit_code in (Exit.PUBLISHED, Exit.REFUSED)
        names = [f"{below}{name}" for name in FILES] if is_written else []
        report = read_object(self.directory / below / "report.json") if is_written else {}
        return events.finished_data(
            events.progress_data(self.figures.status()),
            exit_code,
            str(read_object(self.directory / RESULT_FILE).get("sentence", "")),
            report,
            [
                {"name": name, "path": str(self.directory.absolute() / name), "href": name}
                for name in names
                if (self.directory / name).is_file()
            ],
        )
