"""Page numbers in the URLs of lists."""

from __future__ import annotations

import pytest

from sitemapgen.core.pagination import unnumbered

ROOT = "https://example.com"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/parts?page=7", "/parts"),
        ("/parts/?page=7", "/parts"),
        ("/?page=2", ""),
        ("/parts?page=7&sort=name", "/parts?sort=name"),
        ("/parts?colour=red&page=7&sort=name", "/parts?colour=red&sort=name"),
        ("/parts?start=20", "/parts"),
        ("/parts?offset=20&limit=10", "/parts?limit=10"),
        ("/news?tx_news%5BcurrentPage%5D=3", "/news"),
        ("/katalog?PAGEN_1=3", "/katalog"),
        ("/blog/page/2", "/blog"),
        ("/blog/page/2/", "/blog"),
        ("/page/2/", ""),
        ("/blog/page-2", "/blog"),
        ("/blog/list-page-2.html", "/blog/list.html"),
        ("/blog/seite2", "/blog"),
    ],
)
def test_a_list_is_what_is_left_without_the_page_number(url: str, expected: str) -> None:
    assert unnumbered(ROOT + url) == ROOT + expected


@pytest.mark.parametrize(
    "url",
    [
        "/",
        "/parts",
        "/parts/7",
        "/parts?id=7",
        "/?p=7",  # a post of WordPress
        "/parts?page=all",
        "/calendar?start=20240131",  # a day
        "/calendar?start=2024-01-31",
        "/page",
        "/pages/7-reasons",
        "/homepage-2024-review",
    ],
)
def test_what_has_no_page_number(url: str) -> None:
    assert unnumbered(ROOT + url) == ""
