"""Pages of this project, opened in a browser."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.helpers.browser import BROWSER, WITHOUT
from tests.helpers.crawls import DEADLINE

HEIGHT = 900
"""Pixels of the window."""


class Opened:
    """The page in the browser, with all that it said and asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()


Show = Callable[..., Opened]


@contextmanager
def launched(*flags: str) -> Iterator[Browser]:
    """Run a browser, or skip the test; while it runs, its thread can run no other event loop."""
    if not BROWSER:
        pytest.skip(WITHOUT)
    expect.set_options(timeout=1_000 * DEADLINE)
    with sync_playwright() as playwright:
        flags = ("--no-sandbox", *flags)
        browser = playwright.chromium.launch(executable_path=BROWSER, args=flags)
        yield browser
        browser.close()


def window(browser: Browser, width: int, **options: Any) -> Page:
    """Open an empty window."""
    context = browser.new_context(viewport={"width": width, "height": HEIGHT}, **options)
    context.set_default_timeout(1_000 * DEADLINE)  # its windows included
    return context.new_page()


@pytest.fixture
def show() -> Iterator[Show]:
    """Open an address: ``show(url, width=360)``."""
    with launched() as browser:

        def show_(url: str, width: int = 1280, **options: Any) -> Opened:
            opened = Opened(window(browser, width, **options))
            opened.page.goto(url)
            return opened

        yield show_
