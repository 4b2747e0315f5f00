"""Pages of this project, opened in a browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from tests.helpers.browser import BROWSER
from tests.helpers.crawls import DEADLINE


class Opened:
    """The page in the browser, with all that it said and asked for."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(url)

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()


Show = Callable[..., Opened]


@pytest.fixture
def show() -> Iterator[Show]:
    """Open an address: ``show(url, width=360)``."""
    expect.set_options(timeout=1_000 * DEADLINE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])

        def show_(url: str, width: int = 1280, **options: Any) -> Opened:
            context = browser.new_context(viewport={"width": width, "height": 900}, **options)
            context.set_default_timeout(1_000 * DEADLINE)  # its windows included
            return Opened(context.new_page(), url)

        yield show_
        browser.close()
