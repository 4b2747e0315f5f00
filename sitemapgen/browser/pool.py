"""Pool of browser tabs that renders pages within a deadline.

The tabs belong to one browser that starts with the first page, or to the browsers at several
endpoints: a page goes to the one with the fewest pages. A page that fails gets a second attempt
alone in a browser, in another one if there is any. The browsers: ``backend.py``.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from playwright.async_api import Error

from sitemapgen.browser.backend import Backend
from sitemapgen.browser.chromium import BrowserLost, Chromium, NoBrowser
from sitemapgen.browser.proxy import FilteringProxy, upstream_of
from sitemapgen.browser.tab import Failed, RenderedDocument, RenderJob
from sitemapgen.browser.within import GLANCE, CrawlEnding, TooLate
from sitemapgen.core.rendering.hands import Reach

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from sitemapgen.checks.browser import BrowserConfig, Endpoint
    from sitemapgen.download.egress import Egress

MAX_FAILED_STARTS = 5
"""Number of failed restarts in a row after which a browser is given up; with the pauses of an
endpoint half a minute."""


class TabPool:
    """The browsers of one crawl."""

    def __init__(
        self,
        config: BrowserConfig,
        settings: BaseSettings,
        is_ending: Callable[[], bool],
        egress: Egress,
        note_refusal: Callable[[str], None],
        driver_lock: asyncio.Lock,
    ) -> None:
        """Take the settings of scrapy-playwright from ``settings``.

        ``note_refusal`` is called with each host that was refused for its private address.
        ``driver_lock`` is held while a driver of Playwright starts.
        """
        self.config = config
        self.settings = settings
        self.egress = egress
        self.note_refusal = note_refusal
        self.is_ending = is_ending
        self.backends = [
            Backend(config, endpoint, is_ending, self._proxy_login)
            for endpoint in config.endpoints or (None,)
        ]
        self._queue = asyncio.Lock()
        """Held while a page waits for a browser: first come, first served."""
        self._changed = asyncio.Event()
        self._driver_lock = driver_lock
        self._proxy: FilteringProxy | None = None
        self._missing: NoBrowser | None = None

    async def render(self, job: RenderJob) -> RenderedDocument:
        """Render a page. Raises Failed, NoBrowser, Ending."""
        async with self._take_place(job) as backend:
            with suppress(Failed, Error, TooLate):  # another page may be the cause
                return await backend.render_page(job)
        # Alone in the browser: a failure now is the page's own.
        async with self._place_alone(job, backend) as other:
            try:
                if not job.is_touched:
                    return await other.render_page(job)
                job.task = None
                rendered = await other.render_page(job)
                failure = Reach(bound="it fails when it is touched")
                return rendered._replace(reach=rendered.reach.with_more(failure))
            except TooLate as error:
                raise Failed("does not settle in the browser in time") from error
            except Error as error:
                raise Failed(_describe_error(error)) from error

    def page_counts(self) -> list[tuple[Endpoint, int]]:
        """Return the endpoints with the number of pages that each rendered."""
        return [(each.endpoint, each.rendered) for each in self.backends if each.endpoint]

    @asynccontextmanager
    async def _take_place(self, job: RenderJob) -> AsyncIterator[Backend]:
        """Take a place in the running browser with the fewest pages. Raises NoBrowser, Ending."""
        async with self._queue:
            backend = await self._least_loaded(job, self.config.tabs)
            backend.load += 1
        try:
            yield backend
        finally:
            backend.load -= 1
            self._changed.set()

    @asynccontextmanager
    async def _place_alone(self, job: RenderJob, last: Backend) -> AsyncIterator[Backend]:
        """Take a whole browser, ``last`` only if no other runs. Raises NoBrowser, Ending."""
        is_done = False
        while not is_done:
            async with self._queue:
                backend = await self._least_loaded(job, inf, last)
                backend.is_reserved = True
            try:
                while backend.load:
                    await self._wait_for_change()
                if backend.is_ready:
                    is_done = True
                    yield backend
            finally:
                backend.is_reserved = False
                self._changed.set()

    async def _least_loaded(
        self, job: RenderJob, tabs: float, last: Backend | None = None
    ) -> Backend:
        """Return the running browser with the fewest pages, and less than ``tabs``; wait for one.

        ``last`` is returned only if no other runs. Raises NoBrowser, Ending.
        """
        while True:
            running = self._running_backends(job)
            others = [each for each in running if each is not last] or running
            free = [each for each in others if not each.is_reserved and each.load < tabs]
            if free:
                return min(free, key=lambda each: (each.load, each.rendered))
            await self._wait_for_change()

    def _running_backends(self, job: RenderJob) -> list[Backend]:
        """Return the browsers that run; have the others started. Raises NoBrowser."""
        if self._missing is not None:
            raise self._missing
        for backend in self.backends:
            backend.start_if_needed(partial(self._launch_browser, job, backend.endpoint))
        running = [backend for backend in self.backends if backend.is_ready]
        if not running:
            self._check_attempts()
        return running

    def _check_attempts(self) -> None:
        """Raise NoBrowser if no browser has started, and no further attempt will be made."""
        has_run = any(backend.has_run for backend in self.backends)
        limit = MAX_FAILED_STARTS if has_run else 1
        if any(backend.failed_starts < limit for backend in self.backends):
            return
        errors = "; ".join(str(backend.error) for backend in self.backends)
        if has_run:
            self._missing = BrowserLost(f"the browser ended, and does not start again: {errors}")
        elif self.config.endpoints:
            name = self.config.endpoints[0].setting
            self._missing = NoBrowser(f"no browser of {name} can be reached: {errors}")
        else:
            self._missing = NoBrowser(errors)
        raise self._missing

    async def _wait_for_change(self) -> None:
        """Wait until a page ends, for a moment at most. Raises Ending."""
        if self.is_ending():
            raise CrawlEnding
        self._changed.clear()
        with suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._changed.wait(), GLANCE)

    async def _launch_browser(self, job: RenderJob, endpoint: Endpoint | None) -> Chromium:
        """Start a browser; behind ``FilteringProxy`` if the egress policy restricts it.

        Raises NoBrowser, Ending.
        """
        start = partial(
            Chromium.start,
            self.settings,
            job.fence.url,
            endpoint=endpoint,
            lock=self._driver_lock,
            is_ending=self.is_ending,
        )
        if self.egress.is_unrestricted or endpoint is not None:
            return await start((job.proxy or {}).get("server", ""))
        if self._proxy is None:
            options = self.settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
            upstream = upstream_of(job.proxy or options.get("proxy"))
            self._proxy = FilteringProxy(self.egress, upstream, self.note_refusal)
            await self._proxy.start()
        return await start(self._proxy.url, is_proxy_for_all=True)

    def _proxy_login(self) -> Mapping[str, str] | None:
        return self._proxy.credentials if self._proxy else None

    async def close(self) -> None:
        """End the browsers."""
        await asyncio.gather(*(backend.close() for backend in self.backends))
        if self._proxy is not None:
            self._proxy.close()


def _describe_error(error: Error) -> str:
    """Return why a page could not be rendered, in the same words for the same cause."""
    message = error.message
    if "crashed" in message:
        return "crashes the browser"
    if "has been closed" in message or "Connection closed" in message:
        return "ends the browser"
    code = message.partition("net::")[2].split()
    return f"fails in the browser ({code[0]})" if code else "fails in the browser"
