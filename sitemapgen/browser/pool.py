"""Pool of browser tabs that renders pages within a deadline.

The tabs belong to one browser, which starts with the first page. A page that fails gets a second
attempt while no other page is in the browser. A tab that hangs is closed; if that fails, the
browser is.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from time import monotonic
from typing import TYPE_CHECKING

from playwright.async_api import Error

from sitemapgen.browser.chromium import GRACE, BrowserLost, Chromium, NoBrowser, is_remote
from sitemapgen.browser.proxy import FilteringProxy, upstream_of
from sitemapgen.browser.tab import Failed, Tab
from sitemapgen.browser.within import Ending, TooLate, within

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.settings import BaseSettings

    from sitemapgen.browser.tab import Rendered, RenderJob
    from sitemapgen.checks.browser import BrowserConfig
    from sitemapgen.download.egress import Egress

MAX_FAILED_STARTS = 3
"""Number of failed restarts in a row after which the browser is given up."""
RENDERS = 50
"""Number of pages that a tab renders before it is replaced, which frees leaked memory."""


class TabPool:
    """The browser of one crawl, and its tabs."""

    def __init__(
        self,
        config: BrowserConfig,
        settings: BaseSettings,
        is_ending: Callable[[], bool],
        egress: Egress,
        note_refusal: Callable[[str], None],
    ) -> None:
        """Take the settings of scrapy-playwright from ``settings``.

        ``note_refusal`` is called with each host that was refused for its private address.
        """
        self.config = config
        self.settings = settings
        self.egress = egress
        self.note_refusal = note_refusal
        self.is_ending = is_ending
        self.deadline = config.waits.deadline
        self._free = asyncio.Semaphore(config.tabs)
        self._alone = asyncio.Lock()
        self._launching = asyncio.Lock()
        self._chromium: Chromium | None = None
        self._proxy: FilteringProxy | None = None
        self._tabs: list[Tab] = []
        self._missing: NoBrowser | None = None
        self._failed_starts: int | None = None
        """Failed starts since a browser last ran; None if none ever ran."""

    async def render(self, job: RenderJob) -> Rendered:
        """Render a page. Raises Failed, NoBrowser, Ending."""
        async with self._free:
            try:
                return await self._attempt(job)
            except (Failed, Error, TooLate):
                pass  # another page may be the cause
        # Alone in the browser: a failure now is the page's own.
        async with self._alone, AsyncExitStack() as stack:
            for _ in range(self.config.tabs):
                await stack.enter_async_context(self._free)
            try:
                return await self._attempt(job)
            except TooLate as error:
                raise Failed("does not settle in the browser in time") from error
            except Error as error:
                raise Failed(_in_words(error)) from error

    async def _attempt(self, job: RenderJob) -> Rendered:
        """Render a page in a tab; keep the tab only if nothing went wrong."""
        chromium = await self._start(job)
        tab: Tab | None = None
        began = monotonic()
        try:
            tab = self._tabs.pop() if self._tabs else await self._open(chromium, job)
            rendered = await within(
                self.deadline, tab.render(job, self.config.waits), self.is_ending
            )
            if not tab.is_odd and tab.renders < RENDERS:
                with suppress(Error, TooLate):  # the page was read in any case
                    await within(GRACE, tab.clear())
                    self._tabs.append(tab)
                    tab = None
            return rendered
        except (Failed, Error, TooLate, Ending):
            raise
        except Exception as error:  # raised by Playwright when its driver ends
            if chromium.is_alive:
                raise
            raise Failed("ends the browser") from error
        finally:
            job.seconds += monotonic() - began
            if tab is not None:
                await self._discard(tab, chromium)
            elif not chromium.is_alive:
                await self._end(chromium)

    async def _open(self, chromium: Chromium, job: RenderJob) -> Tab:
        proxy = self._proxy
        opening = Tab.open(
            chromium.browser,
            None if proxy else job.proxy,
            proxy.credentials if proxy else None,
            user_agent=_user_agent(chromium.user_agent, self.config.user_agent),
            ignore_https_errors=not self.config.verifies_certificates,
        )
        try:
            return await within(self.deadline, opening, self.is_ending)
        except TooLate:
            await self._end(chromium)
            raise

    async def _start(self, job: RenderJob) -> Chromium:
        """Return the browser, launched if none runs. Raises NoBrowser; Failed if temporary."""
        async with self._launching:
            if self._missing is not None:
                raise self._missing
            if self._chromium is not None and not self._chromium.is_alive:
                await self._end(self._chromium)
            if self._chromium is None:
                try:
                    self._chromium = await self._launch(job)
                except NoBrowser as error:
                    self._note(error)
                    raise Failed("ends the browser") from error
                self._failed_starts = 0
            return self._chromium

    def _note(self, error: NoBrowser) -> None:
        """Count a failed start. Raises NoBrowser when there will be no further attempt."""
        if self._failed_starts is None:
            self._missing = error
            raise error
        self._failed_starts += 1
        if self._failed_starts == MAX_FAILED_STARTS:
            self._missing = BrowserLost(f"the browser ended, and does not start again: {error}")
            raise self._missing from error

    async def _launch(self, job: RenderJob) -> Chromium:
        """Start a browser; behind ``FilteringProxy`` if the egress policy restricts it."""
        settings, url = self.settings, job.fence.url
        if self.egress.is_unrestricted or is_remote(settings):
            return await Chromium.start(settings, url, (job.proxy or {}).get("server", ""))
        if self._proxy is None:
            options = settings.getdict("PLAYWRIGHT_LAUNCH_OPTIONS")
            upstream = upstream_of(job.proxy or options.get("proxy"))
            self._proxy = FilteringProxy(self.egress, upstream, self.note_refusal)
            await self._proxy.start()
        return await Chromium.start(settings, url, self._proxy.url, is_proxy_for_all=True)

    async def _discard(self, tab: Tab, chromium: Chromium) -> None:
        """Close a tab with its context; if it does not close in time, end the browser."""
        try:
            await within(GRACE, tab.context.close())
        except TooLate:
            await self._end(chromium)
        except Exception:  # noqa: BLE001 - Error, or what Playwright raises without its driver
            if not chromium.is_alive:
                await self._end(chromium)

    async def _end(self, chromium: Chromium) -> None:
        if self._chromium is chromium:
            self._chromium = None
            self._tabs.clear()
            await chromium.end()

    async def close(self) -> None:
        """End the browser."""
        async with self._launching:
            if self._chromium is not None:
                await self._end(self._chromium)
            if self._proxy is not None:
                self._proxy.close()


def _user_agent(browser: str, ours: str) -> str:
    """Return the User-Agent of rendered pages: the browser's, as some scripts require, and ours.

    >>> _user_agent("Mozilla/5.0 (X11) Chrome/156.0", "sitemapgen/0.1.0 (+https://example.com/)")
    'Mozilla/5.0 (X11) Chrome/156.0 sitemapgen/0.1.0 (+https://example.com/)'
    """
    return ours if "Mozilla/" in ours else f"{browser} {ours}"


def _in_words(error: Error) -> str:
    """Return why a page could not be rendered, in the same words for the same cause."""
    message = error.message
    if "crashed" in message:
        return "crashes the browser"
    if "has been closed" in message or "Connection closed" in message:
        return "ends the browser"
    code = message.partition("net::")[2].split()
    return f"fails in the browser ({code[0]})" if code else "fails in the browser"
