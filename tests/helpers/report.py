"""report.html in a browser, and texts that would break out of it."""

from __future__ import annotations

import io
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from sitemapgen.report import html
from sitemapgen.store.results import UrlRow
from tests.helpers.browser import BROWSER
from tests.helpers.crawls import DEADLINE

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "\"'><svg/onload=alert(1)>",
    "{{ 7 * 7 }} {% raw %} @@rows@@ <!-- <script>",
    "a\u2028b\u2029c\x00\x1b[31m\ud800",
    "\u202egnp.exe \u2066\u2067 end",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "x" * 10_000,
)

HEIGHT = 900
"""Pixels of the window."""


def made(facts: dict[str, Any], table: Iterable[UrlRow]) -> bytes:
    """The page of a report."""
    file = io.BytesIO()
    first = html.Table(facts["start"])
    deque(first.watch(table), maxlen=0)
    html.write(facts, first, file)
    return file.getvalue()


class Opened:
    """A page in the browser, with all that it said and asked for."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        page.on("request", lambda request: self.requests.append(request.url))
        self.url = path.as_uri()

    def go(
        self, fragment: str = "", ready: str = "data-ready=yes", *, folded: bool = False
    ) -> Opened:
        """Open the page, and its topics unless ``folded``."""
        self.page.goto(self.url + fragment)
        self.page.wait_for_selector(f"html[{ready}]", timeout=1_000 * DEADLINE)
        if not folded:
            unfold = "all => all.forEach(one => one.open = true)"
            self.page.locator(".topic").evaluate_all(unfold)
        return self

    @property
    def status(self) -> str:
        return self.page.locator("#status").inner_text()

    def wait(self, words: str) -> None:
        """Wait until the table says so of itself."""
        expect(self.page.locator("#status")).to_contain_text(words)

    def until(self, expression: str, value: object) -> None:
        """Wait until an expression has a value.

        Playwright's own way evaluates a text in the page, which the report's policy refuses.
        """
        end = time.monotonic() + DEADLINE
        while (found := self.page.evaluate(expression)) != value:
            assert time.monotonic() < end, (expression, found)
            self.page.wait_for_timeout(20)

    def column(self, number: int) -> list[str]:
        """The cells of a column of the table as far as it is shown."""
        cells = f"#all tbody tr:not(.detail) > :nth-child({number})"
        return [text.strip() for text in self.page.locator(cells).all_inner_texts()]


Show = Callable[..., Opened]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def show(chromium: Browser, tmp_path: Path) -> Iterator[Show]:
    """Write a page and open it: ``show(content, width=360, color_scheme="dark")``."""
    contexts = []
    expect.set_options(timeout=1_000 * DEADLINE)

    def show_(content: bytes, *, width: int = 1400, **options: Any) -> Opened:
        path = tmp_path / "report.html"
        path.write_bytes(content)
        context = chromium.new_context(viewport={"width": width, "height": HEIGHT}, **options)
        context.set_default_timeout(1_000 * DEADLINE)
        contexts.append(context)
        return Opened(context.new_page(), path)

    yield show_
    for context in contexts:
        context.close()
