"""Temporary files of the browser: none is left, not even by a crawl that was killed."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.browser import QUICK, app, links, needs_browser, nothing_is_left
from tests.helpers.crawls import Crawler, command, start, wait_for
from tests.helpers.server import Answer, Serve

__all__ = ["nothing_is_left"]


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The directory for temporary files. Its path is short: Chromium has a socket in there."""
    path = Path(tempfile.mkdtemp(dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(path))
    yield path
    shutil.rmtree(path)


def site(path: str) -> Answer | None:
    return None if path == "/robots.txt" else app(links("/a", "/b", path))


@needs_browser
def test_nothing_is_left_by_a_crawl(
    serve: Serve, crawl: Crawler, temporary: Path, tmp_path: Path
) -> None:
    server = serve(site)
    log = tmp_path / "killed.log"
    process = start(command(server.url, tmp_path / "killed", *QUICK), log)
    wait_for(lambda: len(server.visits) > 3 or process.poll() is not None)
    process.kill()
    process.wait()
    foreign = temporary / "sitemapgen-of-another"
    foreign.mkdir()
    result = crawl.published(server.url, settings=QUICK)
    assert len(result.sitemap) == 3
    left = [path for path in temporary.iterdir() if path.name != f"_jinja2-cache-{os.getuid()}"]
    assert left == [foreign]
