"""Pool of browser tabs that renders pages within a deadline.

A few tabs of one browser, which starts with the first page that needs it. Whatever fails gets a
second attempt with the browser to itself; what hangs is closed: the tab, else the whole browser.
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

    from sitemapgen.browser.tab import Rendered, RenderJob, Waits
    from sitemapgen.download.egress import Egress

MAX_FAILED_STARTS = 3
"""Attempts to start a browser anew after one has run."""
RENDERS = 50
"""Pages that a tab renders before it is replaced: what they leak goes with it."""


class TabPool:
    """The browser of one crawl."""

    def __init__(
        self,
        settings: BaseSettings,
        waits: Waits,
        is_ending: Callable[[], bool],
        egress: Egress,
        note_refusal: Callable[[str], None],
    ) -> None:
        """``note_refusal`` gets each host that a page was kept from: it is at a private address."""
        self.settings = settings
        self.egress = egress
        self.note_refusal = note_refusal
        self.waits = waits
        self.is_ending = is_ending
        self.deadline = settings.getfloat("SITEMAPGEN_RENDERING_DEADLINE")
        self._size = max(1, settings.getint("SITEMAPGEN_RENDERING_TABS"))
        self._free = asyncio.Semaphore(self._size)
        self._alone = asyncio.Lock()
        self._launching = asyncio.Lock()
        self._chromium: Chromium | None = None
        self._proxy: FilteringProxy | None = None
        self._tabs: list[Tab] = []
        self._missing: NoBrowser | None = None
        self._failed_starts: int | None = None
        """Since a browser has run; None if none ever has."""

    async def render(self, job: RenderJob) -> Rendered:
        """Render a page. Raises Failed, NoBrowser, Ending."""
        async with self._free:
            try:
                return await self._attempt(job)
            except (Failed, Error, TooLate):
                pass  # perhaps another page's doing
        # One at a time, when no other page is in the browser: what fails now fails by itself.
        async with self._alone, AsyncExitStack() as stack:
            for _ in range(self._size):
                await stack.enter_async_context(self._free)
            try:
                return await self._attempt(job)
            except TooLate as error:
                raise Failed("does not settle in the browser in time") from error
            except Error as error:
                raise Failed(_in_words(error)) from error

    async def _attempt(self, job: RenderJob) -> Rendered:
        """Render a page in a tab; keep the tab only if all went well."""
        chromium = await self._start(job)
        tab: Tab | None = None
        began = monotonic()
        try:
            tab = self._tabs.pop() if self._tabs else await self._open(chromium, job)
            rendered = await within(self.deadline, tab.render(job, self.waits), self.is_ending)
            if not tab.is_odd and tab.renders < RENDERS:
                with suppress(Error, TooLate):  # what was read stands
                    await within(GRACE, tab.clear())
                    self._tabs.append(tab)
                    tab = None
            return rendered
        except (Failed, Error, TooLate, Ending):
            raise
        except Exception as error:  # Playwright's own, where its driver ends
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
        settings = self.settings
        proxy = self._proxy
        opening = Tab.open(
            chromium.browser,
            None if proxy else job.proxy,
            proxy.credentials if proxy else None,
            user_agent=_user_agent(chromium.user_agent, settings["USER_AGENT"]),
            ignore_https_errors=not settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"),
        )
        try:
            return await within(self.deadline, opening, self.is_ending)
        except TooLate:
            await self._end(chromium)
            raise

    async def _start(self, job: RenderJob) -> Chromium:
        """The browser, launched if there is none. Raises NoBrowser; Failed if that may pass."""
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
        """Note that no browser started. Raises NoBrowser when that is for good."""
        if self._failed_starts is None:
            self._missing = error
            raise error
        self._failed_starts += 1
        if self._failed_starts == MAX_FAILED_STARTS:
            self._missing = BrowserLost(f"the browser ended, and does not start again: {error}")
            raise self._missing from error

    async def _launch(self, job: RenderJob) -> Chromium:
        """Start a browser, behind a proxy of ours where it may not connect to everything."""
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
        """Close a tab with its context; if it does not close, the browser."""
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
    """What scripts and hosts are told: a browser, and whose; some scripts fail without the former.

    >>> _user_agent("Mozilla/5.0 (X11) Chrome/156.0", "sitemapgen/0.1.0 (+https://example.com/)")
    'Mozilla/5.0 (X11) Chrome/156.0 sitemapgen/0.1.0 (+https://example.com/)'
    """
    return ours if "Mozilla/" in ours else f"{browser} {ours}"


def _in_words(error: Error) -> str:
    """Why a page could not be rendered, the same words every time."""
    message = error.message
    if "crashed" in message:
        return "crashes the browser"
    if "has been closed" in message or "Connection closed" in message:
        return "ends the browser"
    code = message.partition("net::")[2].split()
    return f"fails in the browser ({code[0]})" if code else "fails in the browser"
