"""The driver of the browser ends: the browser starts anew, or pages that need it stay listed."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.helpers.browser import BROWSER, QUICK, app, family, links, needs_browser, nothing_is_left
from tests.helpers.crawls import DEADLINE, Crawl, command, rest, start, wait_for
from tests.helpers.server import Answer, Serve, Server

__all__ = ["nothing_is_left"]

NAMES = "abcdef"


def site(path: str) -> Answer | None:
    if path == "/robots.txt":
        return None
    return app(links(*(f"/{name}" for name in NAMES))) if path == "/" else app(links("/", path))


def driver_of(mark: str) -> psutil.Process | None:
    """The driver of the browser that a crawl started; None while there is none."""
    for process in family(mark):
        with suppress(psutil.Error):
            if "run-driver" in process.cmdline():
                return process
    return None


def run(
    server: Server, directory: Path, browser: Path, disturb: Callable[[], None] | None = None
) -> Crawl:
    """Crawl; ``disturb`` is called once, when some pages have been rendered."""
    output, log = directory / "output", directory / "log"
    log.unlink(missing_ok=True)
    server.visits.clear()
    options = (*QUICK, "-s", f"SITEMAPGEN_BROWSER={browser}", "-s", "CONCURRENT_REQUESTS=1")
    process = start(command(server.url, output, *options), log)
    try:
        if disturb:  # each page is requested twice: by the crawler, and by the browser
            wait_for(lambda: len(server.visits) >= 7, process)
            disturb()
        code = process.wait(DEADLINE)
    finally:
        process.kill()
        process.wait()
    return Crawl(code, log.read_text(), output)


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that can be taken away."""
    path = tmp_path / "browser"
    path.symlink_to(BROWSER)
    return path


@needs_browser
@pytest.mark.parametrize("is_refresh", [True, *rest(False)])
def test_the_driver_is_killed(
    is_refresh: bool, serve: Serve, tmp_path: Path, browser: Path
) -> None:
    server = serve(site)
    if is_refresh:
        assert run(server, tmp_path, browser).code == 0

    def kill() -> None:
        driver = driver_of(str(tmp_path))
        assert driver is not None
        driver.kill()

    result = run(server, tmp_path, browser, kill)
    assert result.code == 0, result.log
    assert len(result.sitemap) == len(NAMES) + 1, result.log
    assert result.report["failing"] == 0
    assert result.report["rendering"]["failed"] == 0
    assert "Traceback" not in result.log
    assert "never retrieved" not in result.log


@needs_browser
def test_the_driver_is_killed_and_no_browser_starts(
    serve: Serve, tmp_path: Path, browser: Path
) -> None:
    server = serve(site)
    before = run(server, tmp_path, browser)
    listed = before.sitemap
    assert (before.code, len(listed)) == (0, len(NAMES) + 1), before.log

    def kill() -> None:
        browser.unlink()
        driver = driver_of(str(tmp_path))
        assert driver is not None
        driver.kill()

    result = run(server, tmp_path, browser, kill)
    assert result.code == 1, result.log
    assert result.sitemap == listed
    assert "the browser ended, and does not start again" in result.log
    assert "Traceback" not in result.log
