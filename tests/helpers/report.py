"""report.html in a browser, and texts that would break out of it."""

from __future__ import annotations

import io
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sitemapgen.report import html
from sitemapgen.store.results import UrlRow
from tests.helpers.crawls import DEADLINE
from tests.helpers.opened import Opened, launched, window

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


def made(facts: dict[str, Any], table: Iterable[UrlRow]) -> bytes:
    """The page of a report."""
    file = io.BytesIO()
    first = html.Table(facts["start"])
    deque(first.watch(table), maxlen=0)
    html.write_page(facts, first, file)
    return file.getvalue()


class Report(Opened):
    """A report in the browser."""

    def __init__(self, page: Page, path: Path) -> None:
        super().__init__(page)
        self.url = path.as_uri()

    def go(
        self, fragment: str = "", ready: str = "data-ready=yes", *, folded: bool = False
    ) -> Report:
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


ShowReport = Callable[..., Report]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture
def show_report(chromium: Browser, tmp_path: Path) -> Iterator[ShowReport]:
    """Write a page and open it: ``show_report(content, width=360, color_scheme="dark").go()``."""

    def show(content: bytes, *, width: int = 1400, **options: Any) -> Report:
        path = tmp_path / "report.html"
        path.write_bytes(content)
        return Report(window(chromium, width, **options), path)

    yield show
    for context in chromium.contexts:
        context.close()
