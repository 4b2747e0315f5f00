"""Which URLs look like one of endlessly many, by their form alone."""

from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.shapes import base, made_up, plain_shape, shape, space, suspect
from sitemapgen.core.urls import parse, without_session
from tests.helpers.tables import for_each

ORIGIN = "https://example.com"


@for_each(
    *("/", "/about", "/2024/05/my-first-post", "/docs/v1.2/index.html"),
    *("/docs/getting-started-with-the-new-api", "/tutorial-agg.html"),
    *("/shop/shoes/red-shoe-42", "/user/7/profile"),
    *("/deadbeef/cafe", "/a/b/c/d/e/f/g/h/i/j/k/l"),
)
def test_ordinary(path: str) -> None:
    assert suspect(ORIGIN + path) is None


@for_each(
    ("/x/x/x", "repeating_path", "/(x/)*"),
    ("/blog/blog/post", "repeating_path", "/(blog/)*"),
    ("/a/b/a/c", "repeating_path", "/(a/)*"),
    ("/a/b/c/b/c/", "repeating_path", "/a/(b/c/)*"),
    ("/loop/a/b/a/b", "repeating_path", "/loop/(a/b/)*"),
    ("/loop/b/a/b/a", "repeating_path", "/loop/(a/b/)*"),
    ("/a/b/a/c/a/d", "repeating_path", "/(a/)*"),
    ("/" + "/".join("abcdefghijklm"), "growing_url", "/a/b/*: more than 12 levels"),
    (
        "/s?" + "&".join(f"{name}=1" for name in "abcdefghi"),
        "growing_url",
        "/s?*: more than 8 parameters",
    ),
    ("/events/2031/07/", "calendar", "/*/{month}"),
    ("/events/2031/jul/", "calendar", "/*/{month}"),
    ("/events/2031/w27", "calendar", "/*/{week}"),
    ("/events/2031/7/1", "calendar", "/*/{day}"),
    ("/2031", "calendar", "/{year}"),
    ("/events/2031-07-01/week", "calendar", "/*/{day}/*"),
    ("/events/20310701", "calendar", "/*/{day}"),
    ("/cal?month=3&year=2031", "calendar", "/*?month=&year="),
    ("/cal?view=day&d=2031-01-01", "calendar", "/*?d=&view="),
    ("/index.php?id=7", "parameter", "/*?id="),
    ("/shop/7?sort=price", "parameter", "/*/{n}?sort="),
    ("/shop?size=m&colour=red", "facets", "/*?colour=&size="),
    ("/?p=a.git;a=commit;h=0", "facets", "/?a=&h=&p="),
    ("/shop/shoes?page=2", "pagination", "/*/*?page="),
    ("/blog/page/7", "pagination", "/*/*/{n}"),
    ("/item/77", "numbers", "/*/{n}"),
    ("/s/9f8a7b6c5d4e3f2a/about", "session_id", "/*/{id}/*"),
    ("/p/123e4567-e89b-12d3-a456-426614174000", "session_id", "/*/{id}"),
)
def test_suspicious(path: str, kind: str, family: str) -> None:
    found = suspect(ORIGIN + path)
    assert found is not None
    assert (found.kind, found.family) == (kind, family)


def test_constants_separate_patterns() -> None:
    found = shape(f"{ORIGIN}/git/commit?a=log;h=7")
    assert found is not None
    assert found.slots() == [("0", "git"), ("1", "commit"), ("a", "log"), ("h", "7")]
    assert found.pattern(frozenset()) == "/*/*?a=&h="
    assert found.pattern(frozenset({("1", "commit")})) == "/*/commit?a=&h="
    assert found.pattern(frozenset({("a", "log")})) == "/*/*?a=log&h="


def test_dates_pages_and_identifiers_never_separate_patterns() -> None:
    url = f"{ORIGIN}/x?day=1&page=2&d=2031-01-01&q={'a' * 33}&id=9f8a7b6c5d4e3f2a&kind=b"
    found = shape(url)
    assert found is not None
    assert found.slots() == [("0", "x"), ("kind", "b")]


@for_each(
    ("/events/{month}", "/events/{date}"),
    ("/events/{day}/week", "/events/{date}"),
    ("/shop?colour=&size=", "/shop"),
    ("/loop/(a/b/)*", "/loop"),
    ("/list", "/list"),
)
def test_spaces(pattern: str, name: str) -> None:
    assert space(pattern) == name


@given(st.text())
def test_any_url_is_looked_at(text: str) -> None:
    url = parse(text, ORIGIN)
    if url is not None:
        found = suspect(url)
        assert found is None or (found.family and len(found.family) <= 200)
        assert parse(base(url)) is not None


@for_each(
    ("/a;jsessionid=0123ABC", "/a", ";jsessionid="),
    ("/a;jsessionid=0123ABC?b=2", "/a?b=2", ";jsessionid="),
    ("/(S(lit3py55t21z5v55vlm25s55))/orders", "/orders", "/(S())"),
    ("/a?PHPSESSID=1&b=2", "/a?b=2", "PHPSESSID="),
    ("/a?sid=0123456789abcdef", "/a", "sid="),
    ("/a?ASPSESSIONIDQACRTBCA=1", "/a", "ASPSESSIONIDQACRTBCA="),
    ("/a?sid=7", "/a?sid=7", ""),
    ("/a?s=shoes", "/a?s=shoes", ""),
    ("/a?session_id=12", "/a?session_id=12", ""),  # of a talk
    ("/a?session_id=0123456789abcdef", "/a", "session_id="),
    ("/a?session=morning", "/a?session=morning", ""),
    ("/wiki/Foo_(band)", "/wiki/Foo_(band)", ""),
    ("/a;v=1/b", "/a;v=1/b", ""),
)
def test_session_ids(path: str, without: str, name: str) -> None:
    assert without_session(ORIGIN + path) == (ORIGIN + without, name)


@for_each(
    "https://e.example/wiki/amber",
    "https://e.example/wiki/amber-ivory/",
    "https://e.example/wiki/%E6%97%A5%E6%9C%AC",
    "https://e.example/wiki/0",
    "https://e.example/a/b/c/",
    "https://e.example/t%C3%A9",
)
def test_a_made_up_url_is_always_another_one(url: str) -> None:
    found = {made_up(url, plain_shape(url).pattern(frozenset()), seed) for seed in (1, 2, 3)}
    assert len(found | {url}) == 4
    assert {each.rpartition("/")[0].count("/") for each in found} == {
        url.rpartition("/")[0].count("/")
    }
