"""Crawls with a browser: where it is, pages that scripts make, and what it leaves running."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT
from tests.helpers.server import Answer

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), "")
WITHOUT = f"none of {', '.join(BROWSERS)} is on PATH"
"""The reason of what is skipped."""
needs_browser = pytest.mark.skipif(not BROWSER, reason=WITHOUT)
"""For tests without the fixtures that open a page, which skip them."""
QUICK = (
    *IMPATIENT,
    *("-s", "SITEMAPGEN_RENDERING_DEADLINE=3", "-s", "SITEMAPGEN_RENDERING_QUIET=0.3"),
    *("-s", "SITEMAPGEN_RENDERING_SETTLE=1.5", "-s", f"SITEMAPGEN_BROWSER={BROWSER}"),
)
MARK = "SITEMAPGEN_TEST_PROCESSES"
WORDS = "What there is to say about a page that is complete as the server sends it. " * 5


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Every process that a crawl started ends with it: browsers and their drivers."""
    monkeypatch.setenv(MARK, str(tmp_path))
    yield
    end = time.monotonic() + DEADLINE
    while left := family(str(tmp_path)):
        if time.monotonic() > end:
            for process in left:
                with suppress(psutil.Error):
                    process.kill()
            pytest.fail(f"left behind: {left}")
        time.sleep(0.1)


def family(mark: str) -> list[psutil.Process]:
    """Processes started by a crawl, directly or not, also those with another parent since."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            is_ours = process.environ().get(MARK) == mark and process.pid != os.getpid()
            if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


def app(script: str, body: str = '<div id="root"></div>', head: str = "") -> Answer:
    """A page that its script makes."""
    return Answer(
        f"<!doctype html><html lang=en><head><title>App</title>{head}</head><body>{body}"
        f"<script>const root = document.querySelector('#root');{script}</script></body></html>"
    )


def links(*hrefs: str) -> str:
    """A script that makes links."""
    anchors = "".join(f'<a href="{href}">{href}</a> ' for href in hrefs)
    return f"root.innerHTML += `<p>some words that were not there before</p>{anchors}`;"
