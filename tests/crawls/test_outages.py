"""A site that is down for a while in the middle of a crawl, and pages that are broken for good."""

import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crawls.commands import run
from tests.helpers.crawls import (
    DEADLINE,
    Crawler,
    assert_one_sentence,
    command,
    rest,
    start,
    wait_for,
)
from tests.helpers.politeness import settings, site_of
from tests.helpers.server import Answer, Serve, Server

NAMES = "abcdefghijklmnopqrst"
SECONDS = re.compile(rb"(?<=T\d\d:)\d\d:\d\d")
"""Of a time, what differs between two crawls that begin at the same one on a busy machine."""
DAY = 86_400.0
BEGIN = 20_500.5 * DAY
PACE = {"SITEMAPGEN_BACKOFF_START": 0.2, "CONCURRENT_REQUESTS": 4, "DOWNLOAD_DELAY": 0.01}
OPTIONS = settings(**PACE)
LATE = settings(**PACE, SITEMAPGEN_LATE_RETRY_SECONDS=1)


def down_after(server: Server, pages: int, failures: int, answer: Answer) -> None:
    """Let a site of ``NAMES`` fail so many times, from a number of requests on."""
    site = site_of(NAMES)

    def said(path: str) -> Answer | None:
        return answer if pages < len(server.visits) <= pages + failures else site.get(path)

    server.site = said


@pytest.mark.parametrize(
    "answer",
    [Answer("", 500), Answer("", 0), Answer("", 403)],
    ids=["error", "hangs up", "firewall"],
)
def test_an_outage_costs_no_page(answer: Answer, serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    down_after(server, 9, 10, answer)
    result = crawl.published(server.url, settings=LATE)
    assert len(result.sitemap) == len(NAMES) + 1
    assert "fails as well" in result.log
    assert len(server.visits) < 60


@pytest.mark.parametrize("last", [1, 2])
def test_a_firewall_that_refuses_the_last_pages(last: int, serve: Serve, crawl: Crawler) -> None:
    """Fewer pages than the look at the start page takes: they are requested again first."""
    server = serve({})
    down_after(server, len(NAMES) + 3 - last, 8, Answer("", 403))
    result = crawl.published(server.url, settings=LATE)
    assert len(result.sitemap) == len(NAMES) + 1
    assert "HTTP 403, and the start page fails as well" in result.log


def test_pages_that_are_forbidden_for_good(serve: Serve, crawl: Crawler) -> None:
    """Members' pages: a few are requested again, once, and they do not count as failing."""
    members = [f"members/{number}" for number in range(40)]
    site = site_of([*NAMES, *members])
    server = serve({**site, **{f"/{name}": Answer("", 403) for name in members}})
    result = crawl.published(server.url, settings=LATE)
    assert len(result.sitemap) == len(NAMES) + 1
    assert "fails as well" not in result.log
    assert result.report["failing"] == 0
    again = [name for name in members if server.paths.count(f"/{name}") > 1]
    assert len(again) <= 8
    assert max(server.paths.count(f"/{name}") for name in members) == 2
    assert server.paths.count("/") <= 1 + 4 + 8


@pytest.mark.full
def test_a_server_that_is_restarted(tmp_path: Path) -> None:
    """No process listens for a while: connections are refused."""
    site = site_of(NAMES)
    server = Server(site)
    process = start(
        command(server.url, tmp_path / "output", *OPTIONS, "-s", "DOWNLOAD_DELAY=0.1"),
        tmp_path / "log",
    )
    wait_for(lambda: len(server.visits) > 8)
    server.stop()
    wait_for(lambda: "fails as well" in (tmp_path / "log").read_text(), process)
    with Server(site, port=server.port):
        assert process.wait(DEADLINE) == 0, (tmp_path / "log").read_text()
    listed = (tmp_path / "output/sitemap.xml").read_text()
    assert listed.count("<loc>") == len(NAMES) + 1


@pytest.mark.parametrize("answer", [Answer("", 500), Answer("", 0)], ids=["error", "hangs up"])
def test_broken_pages_are_no_outage(answer: Answer, serve: Serve, crawl: Crawler) -> None:
    broken = NAMES[4:]
    server = serve({**site_of(NAMES), **{f"/{name}": answer for name in broken}})
    result = crawl.published(server.url, settings=OPTIONS)
    assert len(result.sitemap) == len(NAMES) + 1 - len(broken)
    assert {result.verdicts[f"{server.url}{name}"] for name in broken} <= {
        "http_error",
        "fetch_error",
    }
    # Scrapy asks three times; Twisted once more where a used connection ends without an answer.
    assert max(server.paths.count(f"/{name}") for name in broken) <= 6
    assert 2 <= server.paths.count("/") <= 6  # 16 broken pages, and is the site up?
    assert "fails as well" not in result.log


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (403, "HTTP 403, for "),
        (502, "HTTP 502, for "),
        (503, "HTTP 503, and nothing but refusals for"),
    ],
)
def test_an_outage_without_end_ends_the_crawl(
    status: int, sentence: str, serve: Serve, crawl: Crawler
) -> None:
    server = serve({})
    down_after(server, 9, 10_000, Answer("", status))
    options = (*LATE, "-s", "SITEMAPGEN_BACKOFF_GIVE_UP=2")
    result = crawl(server.url, settings=options)
    assert_one_sentence(result, 6, sentence)
    assert len(server.visits) < 60
    assert not (result.output / "sitemap.xml").exists()
    read = {path for path in server.paths[:9] if len(path) == 2}
    server.visits.clear()
    server.site = site_of(NAMES)
    result = crawl.published(server.url, settings=options)
    assert len(result.sitemap) == len(NAMES) + 1
    assert not read & {*server.paths}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_end_in_the_middle_of_an_outage(
    how: signal.Signals, serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = serve({})
    down_after(server, 9, 10_000, Answer("", 502))
    options = settings(SITEMAPGEN_BACKOFF_START=30, CONCURRENT_REQUESTS=4)
    process = start(command(server.url, tmp_path / "output", *options), tmp_path / "log")
    wait_for(lambda: "fails as well" in (tmp_path / "log").read_text())
    process.send_signal(how)
    assert process.wait(DEADLINE) == (6 if how is signal.SIGINT else -signal.SIGKILL)
    server.site = site_of(NAMES)
    result = crawl.published(server.url, settings=OPTIONS)
    assert len(result.sitemap) == len(NAMES) + 1


def lasting(answer: Answer) -> Callable[[str], Answer]:
    """A site that is down, whatever is requested."""
    return lambda _: answer


@pytest.mark.full
@pytest.mark.parametrize(
    "answer",
    [
        *(Answer("", 503), Answer("", 404)),
        *rest((Answer("", 0),), (Answer("", 301, {"Location": "/"}),)),
    ],
)
def test_a_site_that_is_down_costs_nothing_that_is_known(answer: Answer, crawl: Crawler) -> None:
    server, first = crawl.site(site_of(NAMES), settings=OPTIONS, now=BEGIN)
    before = first.files
    server.site = lasting(answer)
    options = (*OPTIONS, "-s", "SITEMAPGEN_BACKOFF_GIVE_UP=0.1")
    for day in (1, 2):
        failed = crawl(server.url, settings=options, now=BEGIN + day * DAY)
        assert failed.code == 3, failed.log
        assert failed.files == before
    for name in ("report", "publish"):
        result = run(name, first.output)
        assert result.code == 0, result.log
    assert first.files == before


@pytest.mark.parametrize("how", [None, signal.SIGKILL, *rest(signal.SIGINT)])
def test_the_crawl_after_an_outage_compares_with_the_one_before_it(
    how: signal.Signals | None, serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = serve(site_of(NAMES))
    outputs = (tmp_path / "output", tmp_path / "undisturbed")
    for output in outputs:
        crawl.published(server.url, output=output, settings=OPTIONS, now=BEGIN)
    server.site = lasting(Answer("", 503))
    options = settings(SITEMAPGEN_BACKOFF_START=30 if how else 0, SITEMAPGEN_BACKOFF_GIVE_UP=0.1)
    server.visits.clear()
    line, log = command(server.url, outputs[0], *options), tmp_path / "log-of-it"
    process = start(line, log, now=BEGIN + DAY / 2)
    if how:
        wait_for(lambda: bool(server.visits))
        process.send_signal(how)
    code = process.wait(DEADLINE)
    assert code == {None: 3, signal.SIGINT: 6, signal.SIGKILL: -9}[how], log.read_text()
    server.site = site_of(NAMES[1:] + "xyz")
    found = [
        crawl(server.url, output=output, settings=OPTIONS, now=BEGIN + DAY) for output in outputs
    ]
    assert [result.code for result in found] == [0, 0], found[0].log
    for name in ("urls.csv", "report.json"):
        disturbed, undisturbed = (SECONDS.sub(b"", result.files[name]) for result in found)
        assert disturbed == undisturbed
    changes = found[0].report["changes"]
    assert (changes["new"]["count"], changes["gone"]["count"]) == (3, 1)
