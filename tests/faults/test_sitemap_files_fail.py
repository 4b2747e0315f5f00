"""Sitemap files of the site fail at a refresh: what only they name keeps its place for a time."""

from itertools import product

import pytest

from tests.helpers.crawls import IMPATIENT, Crawler, rest
from tests.helpers.server import Answer, Serve, Server, index, page, text, urlset

ORPHANS = ("one", "two", "three", "four")
OPTIONS = (*IMPATIENT, "-s", "DOWNLOAD_TIMEOUT=2", "-s", "RETRY_TIMES=0")


def site(server: Server, *, named: str = "index.xml") -> dict[str, Answer]:
    """Linked pages, and some that only the two files of an index name."""
    linked = [f"linked{number}" for number in range(30)]
    return {
        "/robots.txt": text(f"Sitemap: /{named}" if named else ""),
        "/": page(*linked),
        **{f"/{name}": page(title=name) for name in (*linked, *ORPHANS)},
        "/index.xml": index("a.xml", "b.xml", base=server.url),
        "/a.xml": urlset(*ORPHANS[:2], linked[0], base=server.url),
        "/b.xml": urlset(*ORPHANS[2:], base=server.url),
        "/sitemap.xml": urlset(*ORPHANS, base=server.url),
    }


def failing(kind: str, whole: Answer) -> Answer:
    assert isinstance(whole.body, str)
    return {
        "error": Answer("", 500),
        "hangs up": Answer("", 0),
        "hangs": whole._replace(delay=20),
        "endless": whole._replace(trickle=0.2),
        "cut": whole._replace(body=whole.body[: len(whole.body) // 3]),
        "empty": whole._replace(body=""),
        "a page": page(text="We are back soon"),
    }[kind]


KINDS = ("error", "hangs up", "hangs", "endless", "cut", "empty", "a page")
SOME = [
    ("error", "/index.xml"),
    *rest(("error", "/a.xml"), *product(KINDS[1:], ("/index.xml", "/a.xml"))),
]


@pytest.mark.parametrize(("kind", "path"), SOME)
def test_what_only_a_failing_file_names_keeps_its_place(
    kind: str, path: str, serve: Serve, crawl: Crawler
) -> None:
    server = serve({})
    whole = site(server)
    server.site = whole
    before = crawl(server.url, settings=OPTIONS)
    listed = before.sitemap
    assert (before.code, len(listed)) == (0, 35)
    server.site = {**whole, path: failing(kind, whole[path])}
    for _ in range(2):
        server.visits.clear()
        result = crawl.published(server.url, settings=OPTIONS)
        assert result.sitemap == listed
        assert "are still requested" in result.log
        assert {"/one", "/two"} <= {*server.paths}
        assert any(path in file["url"] and file["error"] for file in result.report["sitemaps"])
    gone = crawl.published(server.url, settings=OPTIONS)
    assert f"{server.url}two" not in gone.sitemap
    server.site = whole
    assert crawl(server.url, settings=OPTIONS).sitemap == listed


@pytest.mark.slow
def test_a_file_at_a_usual_path(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    whole = site(server, named="")
    server.site = whole
    before = crawl(server.url, settings=OPTIONS)
    listed = before.sitemap
    assert (before.code, len(listed)) == (0, 35)
    server.site = {**whole, "/sitemap.xml": Answer("", 500)}
    result = crawl(server.url, settings=OPTIONS)
    assert (result.code, result.sitemap) == (0, listed), result.log
    assert "are still requested" in result.log


@pytest.mark.slow
def test_a_file_that_the_site_removed_has_no_grace(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    whole = site(server)
    server.site = whole
    assert crawl(server.url, settings=OPTIONS).code == 0
    server.site = {**whole, "/b.xml": Answer("", 404), "/a.xml": urlset(f"{server.url}one")}
    result = crawl(server.url, settings=OPTIONS)
    assert len(result.sitemap) == 32
    assert "are still requested" not in result.log


def test_a_page_that_is_gone_is_dropped_all_the_same(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    whole = site(server)
    server.site = whole
    listed = crawl(server.url, settings=OPTIONS).sitemap
    server.site = {**whole, "/index.xml": Answer("", 500), "/one": Answer("", 404)}
    result = crawl(server.url, settings=OPTIONS)
    assert set(listed) - set(result.sitemap) == {f"{server.url}one"}, result.log
