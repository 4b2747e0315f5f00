"""Scrapy's own commands inside the project: they need neither a store nor our spider."""

import json
import sys
from pathlib import Path

import pytest

from tests.crawls.commands import Result, run
from tests.helpers.crawls import IMPATIENT, Crawler, captured
from tests.helpers.server import Serve, Server, page, redirect, text

SITE = {
    "/robots.txt": text("User-agent: *\nDisallow: /secret\n"),
    "/": page("/a", "/old", "/secret", title="Home", text="Welcome to a site of some pages."),
    "/a": page("/", "/old", title="A", text="The first page says this and that."),
    "/old": redirect("/a"),
    "/secret": page(title="Secret"),
}
FOLLOWER = """
import scrapy

class Follower(scrapy.Spider):
    name = "follower"

    async def start(self):
        yield scrapy.Request(self.start_url)

    def parse(self, response):
        yield {"url": response.url}
        for href in response.css("a::attr(href)").getall():
            yield response.follow(href, self.parse)
"""


def give(*arguments: str) -> Result:
    """Run a command to an end without a traceback."""
    result = run(*arguments, "-s", "DOWNLOAD_DELAY=0")
    assert "Traceback" not in result.log, result.log
    return result


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(SITE)


FETCH = ("fetch", "--nolog")
TITLE = "response.css('title::text').get()"


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ((*FETCH, "URL"), "<title>Home</title>"),
        ((*FETCH, "URLold"), "<title>A</title>"),  # of a redirect
        ((*FETCH, "--headers", "--no-redirect", "URLold"), "< Location: /a"),
        ((*FETCH, "URLsecret", "-s", "ROBOTSTXT_OBEY=False"), "Secret"),
        (("shell", "URL", "-c", f"(response.status, {TITLE})"), "(200, 'Home')\n"),
        (("shell", "URL", "-c", "response.url"), "URL\n"),
        (("shell", "BARE", "-c", "response.status"), "200\n"),
        (("shell", "FILE", "-c", TITLE), "A file\n"),  # it has no robots.txt
        (("shell", "-c", "settings['BOT_NAME']"), "sitemapgen\n"),
        (("parse", "--nocolour", "URLa"), "'title': 'A'"),
        (("parse", "--nocolour", "--pipelines", "URLa"), "'title': 'A'"),
    ],
)
def test_what_is_printed(
    server: Server, words: tuple[str, ...], printed: str, tmp_path: Path
) -> None:
    file = tmp_path / "page.html"
    file.write_text("<title>A file</title>")

    def given(word: str) -> str:
        word = word.replace("BARE", server.url.rstrip("/")).replace("FILE", str(file))
        return word.replace("URL", server.url)

    result = give(*map(given, words))
    assert (result.code, given(printed) in result.out) == (0, True)


def test_fetch_obeys_robots_txt(server: Server) -> None:
    forbidden = give("fetch", f"{server.url}secret")
    assert "Secret" not in forbidden.out
    assert "/secret is not fetched: robots.txt has" in forbidden.log


@pytest.mark.parametrize("name", ["fetch", "shell", "view"])
def test_our_spider_is_refused_where_it_gets_no_arguments(server: Server, name: str) -> None:
    result = give(name, "--spider=sitemap", server.url)
    assert (result.code, "use scrapy parse" in result.log) == (2, True)
    assert not server.visits


def test_list_and_check() -> None:
    assert give("list").out.split() == ["sitemap", "worker"]
    checked = give("check")
    assert (checked.code, "OK" in checked.log) == (0, True)


@pytest.mark.parametrize(
    ("path", "verdict", "link"),
    [
        ("", "listed", "a"),
        ("old", "redirect", "a"),
        ("missing", "http_error", None),
        ("secret", "robots_disallowed", None),
    ],
)
def test_parse_prints_the_page(
    server: Server, path: str, verdict: str, link: str | None, tmp_path: Path
) -> None:
    given = ("-a", f"url={server.url}", "-a", f"output={tmp_path / 'output'}")
    result = give("parse", "--nocolour", "--spider=sitemap", *given, f"{server.url}{path}")
    assert result.code == 0
    assert f"'verdict': '{verdict}'" in result.out
    assert f"'url': '{server.url}{path}'" in result.out
    assert link is None or f"'url': '{server.url}{link}'" in result.out
    assert not (tmp_path / "output").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("http://127.0.0.1:1/",), 3, "the connection was refused"),
        (("-a", "max_pages=-1", "http://127.0.0.1:1/"), 2, "max_pages: -1 is negative"),
    ],
)
def test_parse_says_what_is_wrong(arguments: tuple[str, ...], code: int, sentence: str) -> None:
    result = give("parse", *arguments, "-s", "SITEMAPGEN_ROBOTS_BACKOFF=0.01")
    assert (result.code, sentence in result.log) == (code, True)


def test_parse_leaves_an_interrupted_crawl_as_it_is(
    server: Server, crawl: Crawler, tmp_path: Path
) -> None:
    output = tmp_path / "output"
    stopped = crawl(server.url, settings=(*IMPATIENT, "-s", "CLOSESPIDER_PAGECOUNT=2"))
    assert stopped.code == 6
    give("parse", "-a", f"url={server.url}", "-a", f"output={output}", f"{server.url}a")
    assert crawl(server.url).sitemap == [server.url, f"{server.url}a"]


def test_another_spider_of_the_project_crawls_and_exports(server: Server, tmp_path: Path) -> None:
    spider = tmp_path / "follower.py"
    spider.write_text(FOLLOWER)
    items = tmp_path / "items.jl"
    result = give("runspider", str(spider), "-a", f"start_url={server.url}", "-o", str(items))
    assert result.code == 0
    found = [json.loads(line)["url"] for line in items.read_text().splitlines()]
    assert sorted(found) == [server.url, f"{server.url}a"]
    assert "/secret" not in server.paths


@pytest.mark.full
def test_bench_runs() -> None:
    bench = ("scrapy", "bench", "-s", "CLOSESPIDER_PAGECOUNT=20")
    done = captured([sys.executable, "-m", *bench])
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "closespider_pagecount" in done.stderr
