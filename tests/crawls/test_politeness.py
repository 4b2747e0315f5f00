"""How often, when and by whom a site is asked: by the server's own log.

Most tests run a second time with the behaviour off, and must then see the log break the rule.
"""

import gzip
import re
import signal
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import fmean
from string import ascii_lowercase

import pytest

from sitemapgen import HOME_PAGE, __version__
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
from tests.helpers.server import Answer, Serve, Server, Visit, page, text, xml

AT_ONCE = 5
"""Requests to one host."""


def gaps(visits: list[Visit]) -> list[float]:
    """Seconds between the beginnings of two requests."""
    return [after.began - before.began for before, after in pairwise(visits)]


def first_time(
    site: dict[str, Answer], server: Server, path: str, answer: Callable[[], Answer]
) -> None:
    """Let a path answer something else when it is asked for the first time."""
    server.site = lambda asked: (
        answer() if asked == path and server.paths.count(path) == 1 else site.get(asked)
    )


# Crawl-delay and Request-rate


@pytest.mark.parametrize(
    ("rule", "is_on"),
    [("Crawl-delay: 0.1", True), ("Crawl-delay: 0.1", False), ("Request-rate: 10/1s", True)]
    + [("Crawl-delay: 1e9", True)],
)
def test_time_between_requests(rule: str, is_on: bool, serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    site = site_of("abc", f"User-agent: *\n{rule}")
    first_time(site, server, "/a", lambda: Answer("", 500))  # so that it is retried
    # AutoThrottle and jitter work below what the site asks for, and must not get there.
    options = settings(
        DOWNLOAD_DELAY=0.01,
        DOWNLOAD_DELAY_JITTER=0.9,
        AUTOTHROTTLE_ENABLED=True,
        SITEMAPGEN_MAX_CRAWL_DELAY=0.1 if is_on else 0,
    )
    result = crawl.published(server.url, settings=options)
    assert sorted(server.paths) == ["/", "/a", "/a", "/b", "/c", "/robots.txt", "/sitemap.xml"]
    if is_on:
        assert fmean(gaps(server.visits)) >= 0.09  # a late start of one shortens the next gap
    else:
        assert min(gaps(server.visits)) < 0.09
    assert ("s between requests" in result.log) is is_on
    assert ("0.1 s are kept (SITEMAPGEN_MAX_CRAWL_DELAY)" in result.log) is (is_on and "9" in rule)
    if is_on:
        assert server.most_at_once == 1


def test_crawl_delay_is_not_for_those_who_ignore_robots_txt(serve: Serve, crawl: Crawler) -> None:
    robots = f"User-agent: *\nCrawl-delay: {DEADLINE}\nVisit-time: 0000-0001"
    options = settings(SITEMAPGEN_MAX_CRAWL_DELAY=DEADLINE)
    assert crawl(serve(site_of("abc", robots)).url, "robots=ignore", settings=options).code == 0


def test_an_end_does_not_wait_for_crawl_delay(serve: Serve, tmp_path: Path) -> None:
    server = serve(site_of("abcdef", f"User-agent: *\nCrawl-delay: {2 * DEADLINE}"))
    log = tmp_path / "log"
    options = settings(SITEMAPGEN_MAX_CRAWL_DELAY=2 * DEADLINE)
    process = start(command(server.url, tmp_path / "output", *options), log)
    wait_for(lambda: "s between requests" in log.read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(DEADLINE) == 6, log.read_text()
    assert "Traceback" not in log.read_text()


# Visit-time


def window(start: float, end: float) -> str:
    """A Visit-time from and to so many hours from now."""
    now = datetime.now(timezone.utc)
    times = [f"{now + timedelta(hours=hours):%H%M}" for hours in (start, end)]
    return f"User-agent: *\nVisit-time: {'-'.join(times)}"


def test_outside_visit_time_nothing_is_asked(serve: Serve, crawl: Crawler) -> None:
    robots = window(2, 4)
    server = serve(site_of("a", robots))
    result = crawl(server.url, settings=settings())
    assert_one_sentence(
        result, 6, f"{server.url}: robots.txt line 3: Visit-time: ".replace("/:", ":")
    )
    hour = robots.partition("Visit-time: ")[2][:2]
    assert f"UTC, come back at {hour}:" in result.log
    assert server.paths == ["/robots.txt"]
    server.site = site_of("a", window(-2, 2))
    assert len(crawl(server.url, settings=settings()).sitemap) == 2


@pytest.mark.slow  # a Visit-time ends with a minute
def test_a_visit_time_that_ends_ends_the_crawl(serve: Serve, crawl: Crawler) -> None:
    def endless(path: str) -> Answer | None:
        return page(f"{path}a", f"{path}b") if "." not in path else None

    server = serve(
        lambda path: text(window(-1, 1 / 60)) if path == "/robots.txt" else endless(path)
    )
    result = crawl(server.url, "max_pages=0", settings=settings(DOWNLOAD_DELAY=0.5))
    assert_one_sentence(result, 6, "robots.txt line 2: Visit-time: ")
    assert not (result.output / "sitemap.xml").exists()
    asked = len(server.visits)
    assert asked > 2
    server.site = lambda path: endless(path) if len(path) < 3 else page()
    assert crawl(server.url, "max_pages=0", settings=settings()).code == 0
    assert server.paths.count("/") == 1  # it continued


# Retry-After


def as_seconds(seconds: int) -> str:
    return f"{seconds}"


def as_date(seconds: int) -> str:
    later = datetime.now(timezone.utc) + timedelta(seconds=seconds + 1)  # it has whole seconds
    return format_datetime(later, usegmt=True)


@pytest.mark.parametrize(
    ("status", "form", "is_on"),
    [(429, as_seconds, True), (429, as_seconds, False), (503, as_date, True)]
    + [(302, as_seconds, True)],
)
def test_retry_after_pauses_everything_and_loses_nothing(
    status: int, form: Callable[[int], str], is_on: bool, serve: Serve, crawl: Crawler
) -> None:
    server = serve({})
    site = site_of(ascii_lowercase)
    more = {"Location": "/c"} if status == 302 else {}
    seconds = 1 if is_on else 2 * DEADLINE  # who keeps to that does not come to the end
    first_time(
        site, server, "/b", lambda: Answer("", status, {"Retry-After": form(seconds), **more})
    )
    options = settings(SITEMAPGEN_MAX_RETRY_AFTER=300 if is_on else 0)
    result = crawl.published(server.url, settings=options)
    refused = next(visit for visit in server.visits if visit.path == "/b")
    quiet = [visit.began - refused.ended for visit in server.visits if visit.began > refused.ended]
    if is_on:  # before the pause only those arrive that were sent until the refusal was read
        assert len([gap for gap in quiet if gap < 0.9]) <= 2 * AT_ONCE
        assert max(quiet) > 0.9
    if status != 302:
        assert len(result.sitemap) == 27
        assert server.paths.count("/b") == 2
        assert f"{server.url}b: HTTP {status}: no requests to 127.0.0.1" in result.log


@pytest.mark.parametrize("value", ["315360000", *rest("soon", "Sun, 06 Nov 1994 08:49:37 GMT")])
def test_absurd_values_of_retry_after(value: str, serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    first_time(site_of("ab"), server, "/a", lambda: Answer("", 503, {"Retry-After": value}))
    options = settings(SITEMAPGEN_MAX_RETRY_AFTER=0.3, SITEMAPGEN_BACKOFF_START=0.3)
    result = crawl.published(server.url, settings=options)
    assert len(result.sitemap) == 3
    again = [visit for visit in server.visits if visit.path == "/a"]
    assert again[1].began - again[0].ended >= 0.3


# Backoff


@pytest.mark.full
@pytest.mark.parametrize("is_on", [True, False])
def test_each_refusal_in_a_row_doubles_the_pause(is_on: bool, serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    # Slow enough that others are asked for in the meantime, where nothing pauses.
    site = {path: each._replace(delay=0.3) for path, each in site_of("abcdefgh").items()}
    pages: list[str] = []

    def answer(path: str) -> Answer | None:
        if len(path) == 2:
            pages.append(path)
            if len(pages) <= 7:  # five that are under way at once, and two more
                return Answer("", 429)
        return site.get(path)

    server.site = answer
    result = crawl.published(
        server.url, settings=settings(SITEMAPGEN_BACKOFF_START=0.2 if is_on else 0)
    )
    assert len(result.sitemap) == 9
    visits = [visit for visit in server.visits if len(visit.path) == 2]
    pauses = [after.began - before.ended for before, after in pairwise(visits)][4:]
    expected = [0.2, 0.4, 0.8] + 8 * [0.2]  # then one at a time, until ten were answered
    assert all(pause >= least for pause, least in zip(pauses, expected)) is is_on


def test_a_page_that_stays_refused_gets_its_verdict(serve: Serve, crawl: Crawler) -> None:
    server = serve({**site_of("abcdef"), "/c": Answer("", 503), "/sitemap.xml": Answer("", 429)})
    result = crawl.published(server.url, settings=settings(SITEMAPGEN_BACKOFF_START=0.01))
    row = result.urls[f"{server.url}c"]
    assert (row["verdict"], row["evidence"]) == ("http_error", "HTTP 503")
    assert len(result.sitemap) == 6
    assert server.paths.count("/c") == server.paths.count("/sitemap.xml") == 6
    assert result.report["sitemaps"][0]["error"] == "HTTP 429"


def test_a_page_that_waits_survives_a_kill(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    site = site_of("abc")
    server = serve({**site, "/b": Answer("", 429, {"Retry-After": "60"})})
    log = tmp_path / "first"
    process = start(command(server.url, tmp_path / "output", *settings()), log)
    wait_for(lambda: "no requests to 127.0.0.1" in log.read_text(), process)
    process.kill()
    process.wait(DEADLINE)
    server.site = site
    result = crawl.published(server.url, settings=settings())
    assert len(result.sitemap) == 4
    assert server.paths.count("/b") == 2


def test_a_start_page_that_stays_refused(serve: Serve, crawl: Crawler) -> None:
    server = serve({**site_of("a"), "/": Answer("", 503, {"Retry-After": "1"})})
    options = settings(SITEMAPGEN_BACKOFF_GIVE_UP=1.5)
    result = crawl(server.url, settings=options)
    assert_one_sentence(result, 3, "HTTP 503, and nothing but refusals for")
    result = crawl(server.url, settings=settings(SITEMAPGEN_MAX_RETRY_AFTER=0))
    assert_one_sentence(result, 3, f"{server.url}: HTTP 503")


@pytest.mark.alone
@pytest.mark.parametrize(
    ("latency", "delay", "seconds"),
    [(0.3, 0.15, 25), *rest((0.0, 0.05, 15), (0.05, 0.05, 15))],
)
def test_the_default_rate_is_what_the_delay_allows(
    latency: float, delay: float, seconds: int, serve: Serve, crawl: Crawler
) -> None:
    """At least 0.95 of it, by the server's log, but for three standard errors of the jitter.

    The delay is the one that AutoThrottle set, which grows with the latency that it measures. Each
    gap is 0.5 to 1.5 of it: a uniform distribution, with a standard deviation of 0.29.
    """
    names = [f"page-{number}" for number in range(round(seconds / delay))]
    server = serve({path: each._replace(delay=latency) for path, each in site_of(names).items()})
    result = crawl.published(server.url, settings=("-s", "AUTOTHROTTLE_DEBUG=true"))
    delays = [int(each) / 1000 for each in re.findall(r"delay: *(\d+) ms", result.log)]
    assert delay <= fmean(delays) < 1.2 * delay
    pages = [visit for visit in server.visits if visit.path.startswith("/page-")]
    taken = pages[-1].began - pages[0].began
    sent = sum(pages[0].began < visit.began <= pages[-1].began for visit in server.visits)
    assert sent >= len(names) - 1
    error = 3 * 0.29 / sqrt(sent)
    assert 0.95 - error <= sent * fmean(delays) / taken <= 1.05 + error
    assert server.most_at_once <= AT_ONCE
    shortest = sorted(gaps(pages))[len(pages) // 20]  # a late start of one shortens the next gap
    assert shortest > 0.4 * delay  # counted from the client's side: half a delay


# Who asks


def test_every_request_says_who_asks(crawl: Crawler) -> None:
    server, _ = crawl.site(site_of("a"), settings=settings(SITEMAPGEN_FROM="ops@example.com"))
    assert sorted(server.paths) == ["/", "/a", "/robots.txt", "/sitemap.xml"]
    for visit in server.visits:
        assert visit.headers["From"] == "ops@example.com"
        assert visit.headers["User-Agent"] == f"sitemapgen/{__version__} (+{HOME_PAGE})"


@pytest.mark.parametrize("address", ["nobody", "a@b\nX: y"])
def test_a_from_that_is_no_address(address: str, serve: Serve, crawl: Crawler) -> None:
    result = crawl(serve({}).url, settings=settings(SITEMAPGEN_FROM=address))
    assert_one_sentence(result, 2, f"SITEMAPGEN_FROM: {address!r} is not a mail address")


# Advice


ADVICE = "if the site is your own, SCRAPY_PROJECT=fast takes about"


@pytest.mark.slow
@pytest.mark.parametrize("robots", ["", "User-agent: *\nCrawl-delay: 3"])
def test_advice_at_the_end_of_a_long_crawl(robots: str, serve: Serve, crawl: Crawler) -> None:
    """For half a minute of pauses, unless the site asks for them."""
    server = serve(site_of("abcdefghijklm", robots))
    result = crawl.published(
        server.url, settings=("-s", "DOWNLOAD_DELAY=3", "-s", "DOWNLOAD_DELAY_JITTER=0")
    )
    assert (ADVICE in result.log.splitlines()[-1]) is (not robots)
    assert (ADVICE in result.log) is (not robots)


def test_a_short_crawl_has_no_advice_and_no_from_header(serve: Serve, crawl: Crawler) -> None:
    server = serve(site_of("ab"))
    assert ADVICE not in crawl(server.url, settings=()).log
    assert not [visit for visit in server.visits if "From" in visit.headers]


# Hostile sites


HOSTILE = settings(DOWNLOAD_MAXSIZE=10_000, DOWNLOAD_TIMEOUT=10, RETRY_TIMES=0)


@pytest.mark.parametrize("encoding", ["", "gzip", "deflate", "unknown size"])
def test_a_page_that_is_too_large(encoding: str, crawl: Crawler) -> None:
    body = b"<!doctype html>" + b" " * 20_000
    headers = {"Content-Type": "text/html"}
    if encoding in ("gzip", "deflate"):
        body = (gzip if encoding == "gzip" else zlib).compress(body)
        headers["Content-Encoding"] = encoding
        assert len(body) < 10_000
    large = Answer(body, headers=headers, trickle=1e-9 if encoding == "unknown size" else 0)
    options = (*HOSTILE, "-s", "DOWNLOAD_TIMEOUT=20")
    server, result = crawl.site({**site_of("ab"), "/a": large}, settings=options)
    row = result.urls[f"{server.url}a"]
    assert (row["verdict"], row["evidence"]) == ("fetch_error", "the answer is too large")
    assert len(result.sitemap) == 2
    assert "Traceback" not in result.log


def test_a_sitemap_may_be_larger_than_a_page(serve: Serve, crawl: Crawler) -> None:
    server = serve(site_of("a"))
    loc = f"<url><loc>{server.url}a</loc></url>"
    server.site = {**server.site, "/sitemap.xml": xml(f"<urlset>{loc}{' ' * 20_000}</urlset>")}
    result = crawl(server.url, settings=HOSTILE)
    (file,) = result.report["sitemaps"]
    assert (file["format"], file["error"]) == ("urlset", "")


@pytest.mark.full
def test_an_answer_that_never_ends(serve: Serve, crawl: Crawler) -> None:
    server = serve({**site_of("ab"), "/a": page(text="x" * 200)._replace(trickle=5)})
    result = crawl(server.url, settings=HOSTILE)
    row = result.urls[f"{server.url}a"]
    assert (row["verdict"], row["evidence"]) == ("fetch_error", "no complete answer in time")
    assert len(result.sitemap) == 2
