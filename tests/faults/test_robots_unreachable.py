"""robots.txt that fails where a crawl resumes, or where it has expired in the middle of one."""

import signal
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from tests.helpers.crawls import DEADLINE, Crawler, command, rest, start, wait_for
from tests.helpers.politeness import settings, site_of
from tests.helpers.server import Answer, Serve, Server

NAMES = "abcdefghijklmnopqrst"
OPTIONS = settings(SITEMAPGEN_BACKOFF_START=0.2, DOWNLOAD_DELAY=0.02, SITEMAPGEN_MAX_PROBES=0)
FAILURES = {"error": Answer("", 500), "not now": Answer("", 503), "hangs up": Answer("", 0)}


def interrupted(server: Server, output: Path, log: Path) -> None:
    """Kill a crawl of ``NAMES`` in its middle."""
    slow = settings(DOWNLOAD_DELAY=0.1, CONCURRENT_REQUESTS=2)
    server.site = site_of(NAMES)
    server.visits.clear()
    process = start(command(server.url, output, *slow), log)
    wait_for(lambda: len(server.visits) > 8 or process.poll() is not None)
    process.kill()
    process.wait()
    server.visits.clear()


def failing(paths: Callable[[str], bool], answer: Answer) -> Callable[[str], Answer | None]:
    site = site_of(NAMES)
    return lambda path: answer if paths(path) else site.get(path)


@pytest.mark.parametrize(
    ("how", "is_all"),
    [("error", False), *rest(("error", True), *product(("not now", "hangs up"), (True, False)))],
)
def test_resumed_while_robots_txt_fails(
    how: str, is_all: bool, serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    """The first crawl of a site, or the second one, which changes nothing of what is published."""
    server = serve(site_of(NAMES))
    before = {} if is_all else crawl.published(server.url, settings=OPTIONS).files
    interrupted(server, tmp_path / "output", tmp_path / "log")
    server.site = failing(lambda path: is_all or path == "/robots.txt", FAILURES[how])
    result = crawl(server.url, settings=OPTIONS)
    assert (result.code, result.files) == (3, before), result.log
    assert "without it nothing may be" in result.log or "connection" in result.log
    assert "Traceback" not in result.log
    assert set(server.paths) == {"/robots.txt"}  # without it nothing else may be asked for
    server.site = site_of(NAMES)
    result = crawl.published(server.url, settings=OPTIONS)
    assert len(result.sitemap) == len(NAMES) + 1
    assert result.files == before or is_all


def test_resumed_before_the_site_is_up_again(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    server = serve({})
    interrupted(server, tmp_path / "output", tmp_path / "log")
    site = site_of(NAMES)
    server.site = lambda path: Answer("", 502) if len(server.visits) < 3 else site.get(path)
    result = crawl.published(server.url, settings=OPTIONS)
    assert len(result.sitemap) == len(NAMES) + 1
    assert "robots.txt" in result.log


@pytest.mark.parametrize("how", [signal.SIGTERM, *rest(signal.SIGINT)])
def test_one_signal_ends_a_pause_for_robots_txt(
    how: signal.Signals, serve: Serve, tmp_path: Path
) -> None:
    server = serve({})
    output, log = tmp_path / "output", tmp_path / "log"
    interrupted(server, output, log)
    server.site = failing(lambda path: path == "/robots.txt", Answer("", 500))
    process = start(command(server.url, output, *settings(SITEMAPGEN_ROBOTS_BACKOFF=600)), log)
    wait_for(lambda: len(server.visits) > 0)
    process.send_signal(how)
    assert process.wait(DEADLINE) == 6
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("how", ["error", *rest("not now", "hangs up")])
def test_robots_txt_expires_and_fails(how: str, serve: Serve, crawl: Crawler) -> None:
    """RFC 9309 section 2.4: the copy may be used beyond its time while there is no other."""
    server = serve({})
    site = site_of(NAMES, "User-agent: *\nDisallow: /t\n")

    def said(path: str) -> Answer | None:
        has_failed = path == "/robots.txt" and server.paths.count(path) > 1
        return FAILURES[how] if has_failed else site.get(path)

    server.site = said
    expiring = ("-s", "SITEMAPGEN_PROFILE=tests.faults.robots_expire")
    result = crawl.published(server.url, settings=(*OPTIONS, *expiring, "-s", "DOWNLOAD_DELAY=0.2"))
    assert server.paths.count("/robots.txt") > 3
    assert len(result.sitemap) == len(NAMES)
    assert "/t" not in server.paths
    assert "goes on" in result.log


@pytest.mark.slow
def test_robots_txt_expires_while_the_site_is_down(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    site = site_of(NAMES)
    server.site = lambda path: Answer("", 502) if 9 < len(server.visits) < 30 else site.get(path)
    expiring = ("-s", "SITEMAPGEN_PROFILE=tests.faults.robots_expire")
    result = crawl.published(server.url, settings=(*OPTIONS, *expiring, "-s", "DOWNLOAD_DELAY=0.1"))
    assert len(result.sitemap) == len(NAMES) + 1
