"""Status of a crawl: a live display on a terminal, else a log line at intervals, not per page."""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import sys
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.logformatter import LogFormatter, LogFormatterResult
from scrapy.utils.asyncio import create_looping_call

from sitemapgen.context import Component, step_begins
from sitemapgen.core.words import counted, duration
from sitemapgen.download.engine import wait_closed
from sitemapgen.extensions.figures import Status, figures_of
from sitemapgen.items import Page

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

logger = logging.getLogger(__name__)

INTERVAL = 0.5
"""Seconds between two updates of the live display."""
PATIENCE = 5.0
"""Seconds of publishing after which its steps are logged, unless there is a live display."""
BAR_WIDTH = 24

STATES = {
    "starting": "asking the site",
    "finishing": "finishing what is under way; the state is kept",
    "publishing": "nothing left to fetch: the files are being written",
}
WAITS = {
    "backoff": "the site refused requests: no more for {}",
    "late_retry": "pages that failed are requested again in {}",
    "backoff_gap": "the site refused requests: {} from one to the next",
    "robots_delay": "robots.txt asks for {} from one request to the next",
}


class Progress(Component):
    """Shows the status of a crawl, without effect on it."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.crawler = crawler
        self.interval = settings.getfloat("LOGSTATS_INTERVAL")
        self.is_live = (
            settings.getbool("LOG_ENABLED") and not settings.get("LOG_FILE") and is_terminal()
        )
        if not (self.is_live or self.interval):
            raise NotConfigured
        self.figures = figures_of(crawler)
        self._watch = create_looping_call(self._show_display if self.is_live else self._begin_line)
        self._line: asyncio.Future[None] | None = None
        """The last line of the log, which waits for figures of its time."""
        self._live: Live | None = None
        self._publishing_since = inf
        crawler.signals.connect(self.spider_opened, signals.spider_opened)
        crawler.signals.connect(self.spider_idle, signals.spider_idle)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)
        crawler.signals.connect(self.step_begins, step_begins)
        crawler.signals.connect(self.engine_stopped, signals.engine_stopped)

    def spider_opened(self) -> None:
        self._watch.start(INTERVAL if self.is_live else self.interval, now=False)

    def spider_idle(self) -> None:
        """Show that the files are written."""
        if self._live:
            self._show_display()

    def spider_closed(self) -> None:
        """Keep up a display that has begun; without one, the steps are logged."""
        if not self._live:
            self._stop_watch()
        self.spider_idle()

    def step_begins(self, step: str) -> None:
        """Show the step of publishing; without a terminal, log it if publishing takes long."""
        now = monotonic()
        self._publishing_since = min(self._publishing_since, now)
        if self._live:
            self._show_display()
        elif now - self._publishing_since >= PATIENCE and not self.is_live:
            logger.info("publishing: %(step)s", {"step": step})

    async def engine_stopped(self) -> None:
        await wait_closed(self.crawler)
        self.stop()

    def _stop_watch(self) -> None:
        if self._watch.running:
            self._watch.stop()
        if self._line:
            self._line.cancel()

    def stop(self) -> None:
        """Remove the live display, and restore the terminal."""
        self._stop_watch()
        if self._live:
            before = sys.stderr
            self._live.stop()
            _redirect_log(before, sys.stderr)
            self._live = None
            atexit.unregister(self.stop)

    def _show_display(self) -> None:
        if self._live is None:
            self._start_display()
        assert self._live is not None
        self._live.update(
            render_status(self.figures.status(), self._live.console.width), refresh=True
        )

    def _start_display(self) -> None:
        # Imported here, after the first request, as it takes 0.1 s.
        from rich.console import Console  # noqa: PLC0415
        from rich.live import Live  # noqa: PLC0415

        before = sys.stderr
        console = Console(stderr=True, soft_wrap=True)
        self._live = Live(
            console=console, auto_refresh=False, transient=True, redirect_stdout=False
        )
        self._live.start()
        _redirect_log(before, sys.stderr)
        atexit.register(self.stop)  # a second Ctrl-C ends the process before the engine stops

    def _begin_line(self) -> None:
        if self._line is None or self._line.done():
            self._line = asyncio.ensure_future(self._log_status())

    async def _log_status(self) -> None:
        status = await self.figures.current_status()
        logger.info(
            "%(figures)s",
            {"figures": ", ".join([*describe_figures(status), *describe_outlook(status)])},
        )


class QuietLogFormatter(LogFormatter):
    """Drops the lines per response and per item; ``context.py`` logs one per page, at DEBUG."""

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


def describe_figures(status: Status) -> list[str]:
    """Return the figures of a crawl, each with its noun."""
    parts = [
        counted(status.fetched, "page fetched", "pages fetched"),
        f"{status.listed:,} listed",
        f"{status.queued:,} in the queue",
    ]
    if status.again:
        parts.append(f"{status.again:,} to be read again")
    if status.later:
        parts.append(f"{status.later:,} for later")
    if status.rendered:
        parts.append(f"{status.rendered:,} rendered")
    if status.rate is not None:
        parts.append(f"{status.rate:.1f} pages a second")
    return parts


def describe_outlook(status: Status) -> list[str]:
    """Return the step of the crawl, the reason for a delay, and the estimated time left."""
    state, wait = STATES.get(status.state, ""), status.wait
    if status.step:
        state = f"publishing: {status.step}"
    waits = WAITS[wait.reason].format(duration(wait.seconds)) if wait else ""
    left = status.left.sentence if status.left else ""
    return [words for words in (state, waits, left) if words]


def render_status(status: Status, width: int) -> RenderableType:
    """Return a status as three lines of up to ``width`` columns."""
    from rich.console import Group  # noqa: PLC0415 - see Progress._start_display
    from rich.constrain import Constrain  # noqa: PLC0415
    from rich.progress_bar import ProgressBar  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    header = Table.grid(expand=True, padding=(0, 0, 0, 1))
    header.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    header.add_column()
    header.add_row(Text(status.url, "bold"), Text(_format_clock(status.seconds), "dim"))
    numbers = Text(" · ", no_wrap=True, overflow="ellipsis").join(
        Text.assemble((number, "bold"), f" {words}")
        for number, _, words in (part.partition(" ") for part in describe_figures(status))
    )
    known = status.fetched + status.queued + status.later
    total = min(known, status.max_pages or known) or 1
    bar = ProgressBar(total, status.fetched, BAR_WIDTH, complete_style="cyan")
    last = Table.grid(padding=(0, 2, 0, 0))
    last.add_column()
    last.add_column(no_wrap=True, overflow="ellipsis")
    last.add_row(bar, Text("; ".join(describe_outlook(status))))
    # A terminal writes ^C after the last line, which needs room so as not to add another line.
    return Group(header, numbers, Constrain(last, max(1, width - 6)))


def _format_clock(seconds: float) -> str:
    return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"


def is_terminal() -> bool:
    """Return whether stderr is a terminal that can update a line."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _redirect_log(before: Any, now: Any) -> None:
    """Redirect the log's handlers to the new stderr, so that no line breaks the display."""
    for handler in logging.root.handlers:
        if isinstance(handler, logging.StreamHandler) and handler.stream is before:
            handler.setStream(now)
