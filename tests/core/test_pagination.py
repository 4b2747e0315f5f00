"""The pages of one list, by their URLs and by rel=next."""

from __future__ import annotations

import pytest

from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.pagination import in_lists, unnumbered
from sitemapgen.core.robots import Robots
from sitemapgen.core.urls import Patterns, Site

ROOT = "https://example.com"
RULES = Rules(site=Site(origin=ROOT), robots=Robots(), include=Patterns(""), exclude=Patterns(""))


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


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("/parts", "/parts?page=2", True),
        ("/parts/", "/parts?page=2", True),
        ("/parts?page=2", "/parts?page=3", True),
        ("/parts?page=2", "/parts/", True),
        ("/parts?page=2", "/parts/?page=2", True),  # a redirect
        ("/parts?sort=name", "/parts?page=2", False),
        ("/parts?page=2", "/screws?page=2", False),
        ("/parts?page=2", "/parts/bolt", False),
        ("/parts", "/parts/", False),
        ("/", "/parts?page=2", False),
        ("/", "/?page=2", True),
        ("/", "/?p=2", False),
    ],
)
def test_links_within_a_list(source: str, target: str, expected: bool) -> None:
    reader = LinkReader(RULES)
    (link,) = in_lists(ROOT + source, (reader.link(ROOT + target),))
    assert link.same_list is expected


def test_what_rel_next_names_is_of_the_list() -> None:
    reader = LinkReader(RULES)
    links = tuple(reader.link(f"{ROOT}/log?before={name}") for name in ("a", "b"))
    marked = in_lists(f"{ROOT}/log", links, {links[1].key})
    assert [link.same_list for link in marked] == [False, True]
