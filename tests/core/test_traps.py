"""Which URLs look like one of endlessly many, by their form alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.traps import base, suspect
from sitemapgen.core.urls import parse, without_session

ORIGIN = "https://example.com"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/about",
        "/blog/blog/post",
        "/en/en/x",
        "/2024/05/my-first-post",
        "/docs/v1.2/index.html",
        "/docs/getting-started-with-the-new-api",
        "/tutorial-agg.html",
        "/shop/shoes/red-shoe-42",
        "/user/7/profile",
        "/a/b/a/c",
        "/deadbeef/cafe",
        "/a/b/c/d/e/f/g/h/i/j/k/l",
    ],
)
def test_ordinary(path: str) -> None:
    assert suspect(ORIGIN + path) is None


@pytest.mark.parametrize(
    ("path", "kind", "pattern"),
    [
        ("/x/x/x", "repeating_path", "/(x/)*"),
        ("/a/b/c/b/c/b/c/", "repeating_path", "/a/(b/c/)*"),
        ("/a/b/a/c/a/d/a/e", "repeating_path", "/a/*/a/*"),
        ("/" + "/".join("abcdefghijklm"), "growing_url", "/a/b/*: more than 12 levels"),
        (
            "/s?" + "&".join(f"{name}=1" for name in "abcdefghi"),
            "growing_url",
            "/*?*: more than 8 parameters",
        ),
        ("/events/2031/07/", "calendar", "/events/{month}"),
        ("/events/2031/jul/", "calendar", "/events/{month}"),
        ("/events/2031/w27", "calendar", "/events/{week}"),
        ("/events/2031/7/1", "calendar", "/events/{day}"),
        ("/2031", "calendar", "/{year}"),
        ("/events/2031-07-01/week", "calendar", "/events/{day}/week"),
        ("/events/20310701", "calendar", "/events/{day}"),
        ("/cal?month=3&year=2031", "calendar", "/cal?month={n}&year={n}"),
        ("/cal?view=day&d=2031-01-01", "calendar", "/cal?d={day}&view="),
        ("/index.php?id=7", "parameter", "/index.php?id="),
        ("/shop/shoes?sort=price", "parameter", "/shop/*?sort="),
        ("/shop/7?sort=price", "parameter", "/shop/{n}?sort="),
        ("/shop?size=m&colour=red", "facets", "/*?colour=&size="),
        ("/shop/shoes?page=2", "pagination", "/shop/shoes?page={n}"),
        ("/blog/page/7", "pagination", "/blog/page/{n}"),
        ("/item/77", "numbers", "/item/{n}"),
        ("/s/9f8a7b6c5d4e3f2a/about", "session_id", "/s/{id}/*"),
        ("/p/123e4567-e89b-12d3-a456-426614174000", "session_id", "/p/{id}"),
    ],
)
def test_suspicious(path: str, kind: str, pattern: str) -> None:
    found = suspect(ORIGIN + path)
    assert found is not None
    assert (found.kind, found.pattern) == (kind, pattern)


def test_combinations_of_one_path_are_a_family() -> None:
    one, two = suspect(f"{ORIGIN}/shop?a=1&b=2"), suspect(f"{ORIGIN}/shop?a=1&c=2")
    assert one is not None
    assert two is not None
    assert one.pattern != two.pattern
    assert one.family == two.family


@given(st.text())
def test_any_url_is_looked_at(text: str) -> None:
    url = parse(text, ORIGIN)
    if url is not None:
        found = suspect(url)
        assert found is None or (found.pattern and len(found.pattern) <= 200)
        assert parse(base(url)) is not None


@pytest.mark.parametrize(
    ("path", "without", "name"),
    [
        ("/a;jsessionid=0123ABC", "/a", ";jsessionid="),
        ("/a;jsessionid=0123ABC?b=2", "/a?b=2", ";jsessionid="),
        ("/(S(lit3py55t21z5v55vlm25s55))/orders", "/orders", "/(S())"),
        ("/a?PHPSESSID=1&b=2", "/a?b=2", "PHPSESSID="),
        ("/a?sid=0123456789abcdef", "/a", "sid="),
        ("/a?ASPSESSIONIDQACRTBCA=1", "/a", "ASPSESSIONIDQACRTBCA="),
        ("/a?sid=7", "/a?sid=7", ""),
        ("/a?s=shoes", "/a?s=shoes", ""),
        ("/a?session=morning", "/a?session=morning", ""),
        ("/wiki/Foo_(band)", "/wiki/Foo_(band)", ""),
        ("/a;v=1/b", "/a;v=1/b", ""),
    ],
)
def test_session_ids(path: str, without: str, name: str) -> None:
    assert without_session(ORIGIN + path) == (ORIGIN + without, name)
