"""A page at which the process dies, and pages that were merely in flight when it did."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sitemapgen.core.document import html
from sitemapgen.errors import CrawlError
from sitemapgen.store.readings import SUFFIX, Readings
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler, rest
from tests.helpers.server import Answer, Serve, Server, page, text

NAMES = "abcdefgh"
DYING = (*IMPATIENT, "-s", "SITEMAPGEN_PROFILE=tests.faults.broken_crawler")
EVIDENCE = "the crawler crashed twice while reading it"


def site(*deadly: str) -> dict[str, Answer]:
    return {
        "/robots.txt": text("Sitemap: /sitemap.xml"),
        "/": page(*(f"/{name}" for name in NAMES)),
        **{f"/{name}": page(text="deadly" if name in deadly else "", title=name) for name in NAMES},
    }


def until_it_ends(crawl: Crawler, server: Server) -> tuple[list[int], Crawl]:
    """The exit codes of the same command until it ends by itself, and what it left."""
    codes: list[int] = []
    while len(codes) < 12:
        result = crawl(server.url, settings=DYING)
        codes.append(result.code)
        if result.code >= 0:
            return codes, result
    raise AssertionError(codes)


def test_a_sitemap_file_that_ends_the_process_is_left_out(serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    server.site = {**site(), "/sitemap.xml": text("deadly")}
    codes, result = until_it_ends(crawl, server)
    assert codes == [-signal.SIGABRT] * 2 + [0]
    assert len(result.sitemap) == len(NAMES) + 1
    assert f"Sitemap {server.url}sitemap.xml: {EVIDENCE}" in result.log


@pytest.mark.parametrize("deadly", ["c", *rest("bcg")])
def test_pages_that_end_the_process_are_left_out(deadly: str, serve: Serve, crawl: Crawler) -> None:
    server = serve(site(*deadly))
    codes, result = until_it_ends(crawl, server)
    assert codes == [-signal.SIGABRT] * 2 * len(deadly) + [0], result.log
    for name in NAMES:
        row = result.urls[f"{server.url}{name}"]
        expected = ("fetch_error", EVIDENCE) if name in deadly else ("listed", row["evidence"])
        assert (row["verdict"], row["evidence"]) == expected
    # What is in flight when another page ends the process is asked for again.
    asked = [server.paths.count(f"/{name}") for name in deadly]
    assert all(2 <= times <= 2 * len(deadly) for times in asked), asked
    left_out = [f"WARNING {server.url}{name} is left out: {EVIDENCE}" for name in deadly]
    assert any(line in result.log for line in left_out)

    # The next crawl tries again, and once: the site, or the crawler, may have been mended.
    server.visits.clear()
    codes, result = until_it_ends(crawl, server)
    assert codes == [-signal.SIGABRT] * len(deadly) + [0]
    server.site = site()
    result = crawl.published(server.url, settings=DYING)
    assert set(result.verdicts.values()) == {"listed"}
    assert not list(result.output.glob(f"*{SUFFIX}*"))


def test_a_published_page_that_ends_the_process_keeps_its_place(
    serve: Serve, crawl: Crawler
) -> None:
    server = serve(site())
    assert crawl(server.url, settings=DYING).code == 0
    server.site = site("c")
    codes, result = until_it_ends(crawl, server)
    assert codes == [-signal.SIGABRT] * 2 + [0]
    assert f"{server.url}c" in result.sitemap


@pytest.mark.slow
def test_a_start_page_that_ends_the_process(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": page(text="deadly")})
    codes, result = until_it_ends(crawl, server)
    assert codes == [-signal.SIGABRT] * 2 + [3]
    assert EVIDENCE in result.log


# The journal

NEVER_LEFT: list[object] = []
"""Readings that go on for ever: they would be left if nothing referred to them."""


def journal(path: Path) -> Readings:
    return Readings(path / "state")


def died(path: Path, *keys: int) -> None:
    """Leave what processes leave that die while they read these pages."""
    for key in keys:
        reading = journal(path).reading(key, "")
        reading.__enter__()
        NEVER_LEFT.append(reading)


def test_two_crashes_on_the_same_page_are_one_too_many(tmp_path: Path) -> None:
    died(tmp_path, 7)
    assert not journal(tmp_path).is_fatal(7)
    died(tmp_path, 7)
    readings = journal(tmp_path)
    assert readings.is_fatal(7)
    assert readings.has_fatal


def test_crashes_on_two_pages_in_turn(tmp_path: Path) -> None:
    died(tmp_path, 7, -8, 7, -8)
    readings = journal(tmp_path)
    assert readings.is_fatal(7)
    assert readings.is_fatal(-8)


def test_a_clean_reading_makes_up_for_a_crash(tmp_path: Path) -> None:
    died(tmp_path, 7)
    readings = journal(tmp_path)
    with readings.reading(7, ""):
        pass
    readings.record_success(7)
    died(tmp_path, 7)
    assert not journal(tmp_path).is_fatal(7)


def test_a_death_between_two_readings_is_no_pages_fault(tmp_path: Path) -> None:
    for _ in range(3):
        readings = journal(tmp_path)
        with readings.reading(7, ""):
            pass
    assert not journal(tmp_path).has_fatal


def test_an_exception_is_no_crash(tmp_path: Path) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), journal(tmp_path).reading(7, ""):
            raise ZeroDivisionError
    assert not journal(tmp_path).has_fatal


@pytest.mark.parametrize("content", [b"", b"\0" * 7, b"x" * 33, b"\xff" * 8])
def test_a_damaged_journal(content: bytes, tmp_path: Path) -> None:
    (tmp_path / f"state{SUFFIX}").write_bytes(content)
    assert not journal(tmp_path).has_fatal


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match="cannot be written"):
        journal(tmp_path / "missing")


def test_a_slow_page_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """By CPU: the wait of a machine that is busy, or asleep, is nothing to report."""
    readings = journal(tmp_path)
    with readings.reading(7, "http://example.com/slow"):
        time.sleep(2.5)
    assert not readings.slow
    with readings.reading(7, "http://example.com/slow"):
        began = time.thread_time()
        while time.thread_time() < began + 2.05:
            pass
    ((url, seconds),) = readings.slow
    assert url == "http://example.com/slow"
    assert seconds > 2.0
    assert "http://example.com/slow took 2." in caplog.text


def test_what_a_reading_costs(tmp_path: Path) -> None:
    """Measured: 4 microseconds, a hundredth of parsing an ordinary page."""
    readings = journal(tmp_path)
    links = "".join(f"<li><a href='/page/{number}'>A page</a></li>" for number in range(22))
    body = f"<title>Page</title><p>{'Some words. ' * 100}</p><ul>{links}</ul>".encode()

    def journalled(number: int) -> None:
        with readings.reading(number, "http://example.com/"):
            pass

    def spent(action: Callable[[int], object]) -> float:
        began = time.process_time()
        for number in range(500):
            action(number)
        return time.process_time() - began

    parsing = min(spent(lambda _: html.parse_document(body, "text/html")) for _ in range(5))
    assert min(spent(journalled) for _ in range(5)) < parsing / 10
