"""One browser of the pool with its tabs: started here, or connected to at an endpoint.

It starts in the background, also anew after it ended. An endpoint that ended, hangs or cannot be
reached is left out for a pause, twice as long each time until it has rendered a page again. Which
page it renders: ``pool.py``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from playwright.async_api import Error

from sitemapgen.browser.chromium import GRACE, Chromium, NoBrowser
from sitemapgen.browser.tab import Failed, RenderedDocument, RenderJob, Tab
from sitemapgen.browser.within import CrawlEnding, TooLate, within
from sitemapgen.checks.browser import BrowserConfig, Endpoint
from sitemapgen.core.rendering.hands import MAX_ANSWER, MAX_SECONDS

logger = logging.getLogger(__name__)

RENDERS = 50
"""Number of pages that a tab renders before it is replaced, which frees leaked memory."""
MAX_TOUCH = 2 * MAX_SECONDS + 2 * MAX_ANSWER
"""Seconds in which a page is scrolled and its buttons are pressed; it ends by itself before."""
FIRST_PAUSE = 1.0
"""Seconds before an endpoint is tried again."""
LONGEST_PAUSE = 60.0


class Backend:
    """One browser and its tabs, for one attempt at a page after another."""

    def __init__(
        self,
        config: BrowserConfig,
        endpoint: Endpoint | None,
        is_ending: Callable[[], bool],
        login: Callable[[], Mapping[str, str] | None],
    ) -> None:
        """``login``: returns the credentials of the proxy that the browser was started with."""
        self.config = config
        self.endpoint = endpoint
        self.is_ending = is_ending
        self.load = 0
        """Number of pages in it; counted by the pool."""
        self.is_reserved = False
        """Whether it gets no other page, as one is to be alone in it; set by the pool."""
        self.rendered = 0
        self.has_run = False
        self.failed_starts = 0
        """Number of failed starts in a row."""
        self.error: NoBrowser | None = None
        self._login = login
        self._chromium: Chromium | None = None
        self._tabs: list[Tab] = []
        self._starting: asyncio.Task[None] | None = None
        self._setbacks = 0
        """Number of failed starts and ends since it last rendered a page."""
        self._resume_at = 0.0
        self._is_left_out = self._has_warned = False

    @property
    def is_ready(self) -> bool:
        """Whether the browser runs; true also of a frozen one."""
        return self._chromium is not None and self._chromium.is_alive

    def start_if_needed(self, launch: Callable[[], Coroutine[Any, Any, Chromium]]) -> None:
        """Start the browser in the background, unless it runs, starts or is left out.

        ``launch`` raises NoBrowser, Ending.
        """
        if self._starting is not None:
            if not self._starting.done():
                return
            starting, self._starting = self._starting, None
            starting.result()  # raises what only an error in the crawler raises
        if self.is_ready or monotonic() < self._resume_at:
            return
        self._starting = asyncio.ensure_future(self._start_browser(launch))

    async def _start_browser(self, launch: Callable[[], Coroutine[Any, Any, Chromium]]) -> None:
        try:
            if self._chromium is not None:
                await self._end_browser(self._chromium, "has disconnected")
                if monotonic() < self._resume_at:
                    return
            self._chromium = await launch()
        except NoBrowser as error:
            self.failed_starts += 1
            self.error = error
            self._leave_out(str(error))
        except CrawlEnding:
            pass
        else:
            self.has_run, self.failed_starts = True, 0

    async def render_page(self, job: RenderJob) -> RenderedDocument:
        """Render a page in a tab; keep the tab only if nothing went wrong.

        Raises Failed, TooLate, Ending, playwright's Error.
        """
        chromium = self._chromium
        assert chromium is not None
        tab: Tab | None = None
        is_kept = False
        began = monotonic()
        try:
            tab = self._tabs.pop() if self._tabs else await self._open_tab(chromium, job)
            waits = self.config.waits
            rendered = await within(waits.deadline, tab.render(job, waits), self.is_ending)
            if job.task is not None and not rendered.redirect:
                touching = tab.touch_page(job, waits)
                reach = await within(MAX_TOUCH, touching, self.is_ending)
                rendered = rendered._replace(reach=rendered.reach.with_more(reach))
            self._note_success()
            if not tab.is_odd and tab.renders < RENDERS:
                with suppress(Error, TooLate):  # the page was read in any case
                    await within(GRACE, tab.clear_page())
                    self._tabs.append(tab)
                    is_kept = True
            return rendered
        except (Failed, Error, TooLate, CrawlEnding):
            raise
        except Exception as error:  # raised by Playwright when its driver ends
            if chromium.is_alive:
                raise
            raise Failed("ends the browser") from error
        finally:
            job.seconds += monotonic() - began
            if not is_kept:
                await self._discard_tab(tab, chromium)

    async def _open_tab(self, chromium: Chromium, job: RenderJob) -> Tab:
        login = self._login()
        opening = Tab.open(
            chromium.browser,
            None if login else job.proxy,
            login,
            self.config.aborts,
            user_agent=_user_agent(chromium.user_agent, self.config.user_agent),
            ignore_https_errors=not self.config.verifies_certificates,
        )
        try:
            return await within(self.config.waits.deadline, opening, self.is_ending)
        except TooLate:
            await self._end_browser(chromium, "does not answer")
            raise

    async def _discard_tab(self, tab: Tab | None, chromium: Chromium) -> None:
        """Close a tab with its context; end the browser if it does not close, or has ended."""
        try:
            if tab is not None:
                with suppress(Error):
                    await within(GRACE, tab.context.close())
            await within(GRACE, chromium.ping())
        except TooLate:
            await self._end_browser(chromium, "does not answer")
        except Exception:  # noqa: BLE001 - Error, or what Playwright raises without its driver
            await self._end_browser(chromium, "has disconnected")

    async def _end_browser(self, chromium: Chromium, why: str) -> None:
        """End the browser, unless that was done before; leave an endpoint out for a while.

        ``why``: a verb phrase about the endpoint.
        """
        if self._chromium is chromium:
            self._chromium = None
            self._tabs.clear()
            if self.endpoint is not None:
                self._leave_out(f"{self.endpoint.name} {why}")
            await chromium.end()

    def _leave_out(self, why: str) -> None:
        """Start the pause of an endpoint, and log the first one with its reason."""
        if self.endpoint is None or self.is_ending():
            return
        pause = min(FIRST_PAUSE * 2.0**self._setbacks, LONGEST_PAUSE)
        self._setbacks += 1
        self._resume_at = monotonic() + pause
        if not self._is_left_out:
            self._is_left_out = True
            logger.log(
                logging.INFO if self._has_warned else logging.WARNING,
                "A browser is left out for now: %(why)s",
                {"why": why},
            )
            self._has_warned = True

    def _note_success(self) -> None:
        self.rendered += 1
        self._setbacks = 0
        if self._is_left_out and self.endpoint is not None:
            self._is_left_out = False
            logger.info("%(name)s renders pages again", {"name": self.endpoint.name})

    async def close(self) -> None:
        """End the browser; a start under way is given up."""
        if self._starting is not None:
            with suppress(Exception):
                await self._starting
        if self._chromium is not None:
            chromium, self._chromium = self._chromium, None
            await chromium.end()


def _user_agent(browser: str, ours: str) -> str:
    """Return the User-Agent of rendered pages: the browser's, as some scripts require, and ours.

    >>> _user_agent("Mozilla/5.0 (X11) Chrome/156.0", "sitemapgen/0.1.0 (+https://example.com/)")
    'Mozilla/5.0 (X11) Chrome/156.0 sitemapgen/0.1.0 (+https://example.com/)'
    """
    return ours if "Mozilla/" in ours else f"{browser} {ours}"
