"""Scrapy extension that measures how long the event loop stands still while a crawl is concluded.

Enabled by ``EXTENSIONS_BASE``. At the end it writes JSON to the file ``WATCHDOG_FILE``: the number
of turns of the loop, and by step of the publication the largest gap between two of them, in
``seconds`` and in ``cpu`` (seconds of CPU that the process took meanwhile, to which a busy machine
adds little). The current step is in a file beside it.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler

from sitemapgen.context import step_begins
from sitemapgen.download.engine import wait_closed

INTERVAL = 0.005
"""Seconds between two turns of a loop that has nothing else to do."""


class Watchdog:
    """Wakes up all the time, and notes when it wakes up late."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.file = Path(crawler.settings["WATCHDOG_FILE"])
        self.step = "closing"
        self.turns = 0
        self.seconds: dict[str, float] = {}
        self.cpu: dict[str, float] = {}
        crawler.signals.connect(self.spider_idle, signals.spider_idle)
        crawler.signals.connect(self.step_begins, step_begins)
        crawler.signals.connect(self.engine_stopped, signals.engine_stopped)
        self._watching: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Watchdog:
        return cls(crawler)

    def spider_idle(self) -> None:
        if self._watching is None:
            self._watching = asyncio.ensure_future(self._watch())

    def step_begins(self, step: str) -> None:
        self.step = step.partition(" (")[0]
        self.file.with_suffix(".step").write_text(self.step)

    async def _watch(self) -> None:
        while True:
            step, began, cpu = self.step, time.monotonic(), time.process_time()
            await asyncio.sleep(INTERVAL)
            self.turns += 1
            gap = time.monotonic() - began - INTERVAL
            self.seconds[step] = max(self.seconds.get(step, 0.0), gap)
            self.cpu[step] = max(self.cpu.get(step, 0.0), time.process_time() - cpu)

    async def engine_stopped(self) -> None:
        await wait_closed(self.crawler)
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching
        measured: dict[str, Any] = {"turns": self.turns, "seconds": self.seconds, "cpu": self.cpu}
        self.file.write_text(json.dumps(measured))
