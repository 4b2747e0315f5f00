"""Scrapy's settings: each holds, or is refused in one sentence."""

import json
import os
from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, ROOT, Crawl, Crawler, captured, command
from tests.helpers.server import Answer, Serve, Server, page, redirect, text

CHAIN: dict[str, Answer] = {
    "/robots.txt": text("User-agent: *\nDisallow: /secret\n"),
    "/": page("/1", "/secret", "/old", "/missing", title="Home"),
    "/old": redirect("/1"),
    "/secret": page(title="Secret"),
    **{f"/{number}": page(f"/{number + 1}", title=f"Page {number}") for number in range(1, 6)},
    "/6": page(title="Page 6"),
}


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(CHAIN)


def settings(**values: object) -> tuple[str, ...]:
    """Settings of the command line."""
    given = [("-s", f"{name}={value}") for name, value in values.items()]
    return (*IMPATIENT, *(part for pair in given for part in pair))


@pytest.mark.parametrize(
    ("given", "arguments", "pages"),
    [
        ({"DEPTH_LIMIT": 2}, (), {"", "1", "2"}),
        ({"SITEMAPGEN_MAX_PAGES": 1}, (), {""}),
        ({"SITEMAPGEN_EXCLUDE": "/2, /x/*"}, (), {"", "1"}),
        ({"SITEMAPGEN_INCLUDE": "/1,/2,/4"}, (), {"1", "2"}),
        ({"ROBOTSTXT_OBEY": False}, (), {"", "secret", *map(str, range(1, 7))}),
        # It caps an argument.
        ({"DEPTH_LIMIT": 1, "SITEMAPGEN_MAX_PAGES": 50}, ("max_depth=3", "max_pages=9"), {"", "1"}),
    ],
)
def test_a_setting_holds(
    server: Server,
    crawl: Crawler,
    given: dict[str, object],
    arguments: tuple[str, ...],
    pages: set[str],
) -> None:
    result = crawl.published(server.url, *arguments, settings=settings(**given))
    assert {url.removeprefix(server.url) for url in result.sitemap} == pages


def test_excludes_of_a_setting_hold_beside_those_of_the_argument(
    server: Server, crawl: Crawler
) -> None:
    """An interrupted crawl holds on to both."""
    given = settings(SITEMAPGEN_EXCLUDE="/4", CLOSESPIDER_PAGECOUNT=2)
    assert crawl(server.url, "exclude=/old", settings=given).code == 6
    other = crawl(server.url, "exclude=/old", settings=settings())
    assert (other.code, "exclude: the interrupted crawl" in other.log) == (5, True)
    result = crawl.published(server.url, "exclude=/old", settings=settings(SITEMAPGEN_EXCLUDE="/4"))
    left_out = {url for url, verdict in result.verdicts.items() if verdict == "excluded"}
    assert left_out == {f"{server.url}old", f"{server.url}4"}


@pytest.mark.full
def test_a_profile_holds_until_an_argument_is_given(server: Server, tmp_path: Path) -> None:
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    (profiles / "careful.py").write_text(
        "from sitemapgen.settings import *\nDEPTH_LIMIT = 1\nSITEMAPGEN_MAX_PAGES = 5\n"
    )
    environment = {**os.environ, "PYTHONWARNINGS": "error", "PYTHONPATH": f"{ROOT}:{tmp_path}"}

    def depths(name: str, *more: str) -> set[str]:
        given = settings(SITEMAPGEN_PROFILE="profiles.careful")
        line = command(server.url, tmp_path / name, *given, *more)
        done = captured(line, env=environment)
        assert done.returncode == 0, done.stderr
        crawl = Crawl(0, "", tmp_path / name)
        assert crawl.report["fetched"] <= 5
        return {row["depth"] for row in crawl.urls.values() if row["verdict"] == "listed"}

    assert depths("profile") == {"0", "1"}
    assert depths("argument", "-a", "max_depth=2") == {"0", "1", "2"}


def test_an_interrupted_crawl_holds_on_to_a_limit_that_a_setting_gave(
    server: Server, crawl: Crawler
) -> None:
    stopped = crawl(server.url, settings=settings(DEPTH_LIMIT=2, CLOSESPIDER_PAGECOUNT=2))
    assert stopped.code == 6
    other = crawl(server.url, settings=settings())
    assert other.code == 5
    assert "max_depth: the interrupted crawl" in other.log
    assert crawl(server.url, settings=settings(DEPTH_LIMIT=2)).code == 0


def test_a_limit_that_is_none_is_one_sentence(server: Server, crawl: Crawler) -> None:
    result = crawl(server.url, settings=settings(DEPTH_LIMIT="many"))
    assert (result.code, "Traceback" in result.log) == (2, False)
    assert "DEPTH_LIMIT: 'many' is no limit; use a whole number, or 0 for none" in result.log
    assert not server.visits


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("CLOSESPIDER_ITEMCOUNT", 2),
        ("CLOSESPIDER_PAGECOUNT", 3),
        ("CLOSESPIDER_TIMEOUT", 1),
        ("CLOSESPIDER_TIMEOUT_NO_ITEM", 1),
    ],
)
def test_closespider_interrupts_a_crawl_and_the_same_command_continues(
    server: Server, crawl: Crawler, given: str, value: int
) -> None:
    if "TIMEOUT" in given:  # all that comes after the first pages takes its time
        slow = {f"/{number}": CHAIN[f"/{number}"]._replace(delay=3) for number in range(1, 7)}
        server.site = {**CHAIN, **slow}
    stopped = crawl(server.url, settings=settings(CONCURRENT_REQUESTS=1, **{given: value}))
    assert (stopped.code, "Traceback" in stopped.log) == (6, False), stopped.log
    sentence = f"interrupted ({given.lower()}) after"
    assert sentence in stopped.log
    assert "nothing is lost, the same command continues" in stopped.log
    assert not (stopped.output / "sitemap.xml").exists()
    told = stopped.outcome
    assert (told["outcome"], told["exit_code"]) == ("interrupted", 6)
    server.site = CHAIN
    finished = crawl(server.url)
    assert (finished.code, len(finished.sitemap)) == (0, 7)


def test_closespider_leaves_what_is_published_as_it_is(server: Server, crawl: Crawler) -> None:
    before = crawl(server.url).files
    stopped = crawl(server.url, settings=settings(CLOSESPIDER_PAGECOUNT=3))
    assert stopped.code == 6
    assert stopped.files == before


def test_what_counts_errors_and_idle_pages_lets_a_healthy_crawl_pass(
    server: Server, crawl: Crawler
) -> None:
    """Every page is an item, and what a site does is no error of a callback."""
    # robots.txt, sitemaps and checks for soft 404s are pages without items: eight at most.
    given = settings(CLOSESPIDER_ERRORCOUNT=1, CLOSESPIDER_PAGECOUNT_NO_ITEM=9)
    result = crawl(server.url, settings=given)
    assert (result.code, len(result.sitemap)) == (0, 7)


def test_what_would_lose_pages_is_refused_in_one_sentence(server: Server, crawl: Crawler) -> None:
    result = crawl(server.url, settings=settings(JOBDIR="job"))
    assert (result.code, "Traceback" in result.log) == (2, False), result.log
    assert len(result.log.splitlines()) == 1
    assert "JOBDIR: " in result.log
    assert "the same command continues it; leave JOBDIR out" in result.log
    assert not server.visits


HARMLESS = {
    **{"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0},
    "SPIDER_MIDDLEWARES": json.dumps(
        {
            "scrapy.spidermiddlewares.referer.RefererMiddleware": 700,
            "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": 800,
        }
    ),
    **{"HTTPCACHE_ENABLED": False, "JOBDIR": "", "COOKIES_ENABLED": False},
}


def test_what_does_no_harm_works(server: Server, crawl: Crawler) -> None:
    result = crawl(server.url, settings=settings(**HARMLESS))
    assert (result.code, len(result.sitemap)) == (0, 7), result.log
