"""The REST API of WordPress, by responses in the form of its documentation."""

import json

from sitemapgen.core.sources.reading import Ask, Response, read_statement
from sitemapgen.core.sources.wordpress import PER_PAGE, WordPress
from tests.helpers.tables import for_each

SITE = "https://blog.example/"
API = f"{SITE}wp-json/wp/v2"


def named(href: str) -> Ask | None:
    page = f'<html><head><link rel="https://api.w.org/" href="{href}"></head></html>'
    return WordPress().first(read_statement(SITE, {"content-type": "text/html"}, page.encode()))


def response(value: object, **headers: str) -> Response:
    names = {name.replace("_", "-"): each for name, each in headers.items()}
    return Response(f"{API}/posts", names, json.dumps(value).encode())


def row(number: int, changed: str = "2024-05-01T12:30:00") -> dict[str, object]:
    return {"link": f"{SITE}{number}/", "modified_gmt": changed}


POSTS = Ask(f"{API}/posts?page=1", "post", "1")


@for_each(
    ("/wp-json/", f"{API}/types"),
    (f"{SITE}wp-json", f"{API}/types"),
    (f"{SITE}?rest_route=/", f"{SITE}?rest_route=%2Fwp%2Fv2%2Ftypes"),
    (f"{SITE}index.php?rest_route=/", f"{SITE}index.php?rest_route=%2Fwp%2Fv2%2Ftypes"),
)
def test_the_start_page_names_the_api(href: str, expected: str) -> None:
    ask = named(href)
    assert ask is not None
    assert ask.url == expected


def test_a_header_names_the_api_where_the_theme_does_not() -> None:
    values = [
        f'<{SITE}wp-json/>; rel="https://api.w.org/"',
        f'<{SITE}wp-json/wp/v2/pages/2>; rel="alternate"; title="JSON"; type="application/json"',
        f"<{SITE}>; rel=shortlink",
    ]
    for headers in (values, values[::-1]):
        ask = WordPress().first(
            read_statement(SITE, {"link": ", ".join(headers)}, b"<title>A</title>")
        )
        assert ask is not None
        assert ask.url == f"{API}/types"
    elsewhere = '<https://other.example/wp-json/>; rel="https://api.w.org/"; anchor="/other"'
    assert WordPress().first(read_statement(SITE, {"link": elsewhere}, b"")) is None


def test_other_pages_name_none() -> None:
    assert (
        WordPress().first(read_statement(SITE, {}, b"<meta name=generator content=WordPress>"))
        is None
    )
    assert WordPress().first(read_statement(SITE, {}, b"")) is None


def types(*names: str) -> dict[str, object]:
    return {
        name: {"slug": name, "_links": {"wp:items": [{"href": f"{API}/{name}s"}]}} for name in names
    }


def test_parts_of_pages_are_no_types_of_pages() -> None:
    said = {**types("post", "page", "wp_block", "nav_menu_item", "recipe"), "odd": [1], "bare": {}}
    answer = WordPress().read(Ask(f"{API}/types", ""), response(said))
    assert [ask.part for ask in answer.more] == ["page", "post", "recipe"]
    assert answer.more[0].url == (
        f"{API}/pages?_fields=link,modified_gmt&per_page=100&orderby=id&order=asc&page=1"
    )


def test_times_are_in_utc() -> None:
    said = [row(1), row(2, "0000-00-00T00:00:00"), row(3, "2024-05-01T12:30:00Z"), row(4, "")]
    said += [{"link": f"{SITE}5/"}, {"modified_gmt": "2024-05-01T12:30:00"}]
    records = WordPress().read(POSTS, response(said)).records
    assert [record.changed for record in records] == [
        *("2024-05-01T12:30:00+00:00", "", "2024-05-01T12:30:00Z", "", ""),
    ]
    assert all(record.is_page for record in records)


def test_attachments_add_no_pages() -> None:
    ask = Ask(f"{API}/media?page=1", "attachment", "1")
    assert [each.is_page for each in WordPress().read(ask, response([row(1)])).records] == [False]


@for_each((PER_PAGE, "2", True), (PER_PAGE, "1", False), (99, "7", False), (PER_PAGE, "", True))
def test_pages_of_entries(rows: int, total: str, is_more: bool) -> None:
    said = response([row(number) for number in range(rows)], x_wp_totalpages=total)
    (*more,) = WordPress().read(POSTS, said).more
    assert [ask.state for ask in more] == ["2"] * is_more
    assert all("page=2" in ask.url for ask in more)


@for_each(
    (b"<!doctype html><p>Please log in", "the answer is HTML"),
    (b"", "the answer is no JSON"),
    (b'{"code": "rest_forbidden"}', "the answer has another form than documented"),
    (b"[" * 100_000, "the answer is no JSON"),
)
def test_what_is_no_answer(body: bytes, error: str) -> None:
    answer = WordPress().read(POSTS, Response(POSTS.url, {}, body))
    assert (answer.error, answer.records, answer.more) == (error, (), ())
