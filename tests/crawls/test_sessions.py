"""Servers that have each URL redirect to itself with a session id, as they do without cookies."""

from collections.abc import Callable

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import Answer, Serve, page
from tests.helpers.sessions import NAMES, in_path, in_query, sessions


@pytest.mark.parametrize("write", [in_path, in_query])
def test_a_site_with_a_session_id_in_each_url(
    write: Callable[[str, str], str], crawl: Crawler
) -> None:
    server, result = crawl.site(sessions(write))
    assert result.sitemap == sorted(f"{server.url}{name}" for name in ("", *NAMES))
    for name in ("", *NAMES):
        assert sum(path == f"/{name}" for path in server.paths) == 1
    probes = sum("404-check" in path for path in server.paths)
    of_pages = [path for path in server.paths if "404-check" not in path and ".aspx" in path]
    assert (len(of_pages), probes <= 4) == (2 * len(NAMES), True)

    refreshed = crawl.published(server.url)
    assert refreshed.sitemap == result.sitemap


def test_a_session_id_that_leads_to_another_is_a_circle(serve: Serve, crawl: Crawler) -> None:
    server = serve(sessions(in_path, ends=False))
    result = crawl(server.url)
    assert (result.code, "redirects in a circle" in result.log) == (3, True)
    assert sum("robots" not in path for path in server.paths) == 2


def test_a_session_url_that_robots_txt_forbids_is_not_requested(
    serve: Serve, crawl: Crawler
) -> None:
    answer = sessions(in_path)
    rules = Answer("User-agent: *\nDisallow: /(S(", headers={"Content-Type": "text/plain"})
    server = serve(lambda path: rules if path == "/robots.txt" else answer(path))
    result = crawl(server.url)
    assert result.code != 0
    assert not any("(S(" in path for path in server.paths)


@pytest.mark.parametrize(("value", "is_named"), [("eccbc87e4b", True), ("en", False)])
def test_a_session_of_the_sites_own_is_named(
    value: str, is_named: bool, serve: Serve, crawl: Crawler
) -> None:
    names = [f"/part?no={number}&u={value}" for number in range(12)]
    parts = {name: page("/", title=name, text=f"What is {name}. " * 9) for name in names}
    result = crawl.published(serve({"/": page(*names, title="Home"), **parts}).url)
    words = f"12 listed URLs have the parameter u={value}: if it is the session of a visitor"
    assert (words in result.log) == is_named
    assert any(words in fix["sentence"] for fix in result.report["priorities"]) == is_named
