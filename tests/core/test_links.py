"""Links of documents: each href is read as a reader without a memory reads it."""

from datetime import datetime, timezone
from html import escape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.document.pages import HttpResponse, read_page
from sitemapgen.core.links import MEMORY, LinkReader
from sitemapgen.core.urls import Resolver, Site, key
from sitemapgen.items import Link, Page
from tests.core.readers import reader
from tests.helpers.tables import for_each

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
URL = "https://e.example/a/b"
BASES = (
    URL,
    *("https://e.example/a/c", "https://e.example/a/b?q=1", "https://e.example/a/b?q=2"),
    *("https://e.example/a/b/", "https://e.example/", "https://e.example/post-1/"),
    *("https://e.example/post-2/", "https://e.example/a//b", "https://e.example/a/b/c/"),
    *("https://e.example:8443/a/b", "http://e.example/a/b"),
    *("http://o.example/a/b", "https://o.example/"),
)
ENCODINGS = ("utf-8", "windows-1251", "shift_jis", "utf-16le")
HREFS = (
    *("", "?q", "?q=\u0436", "#x", " ", " ?q", "\x01#x", "\t?q", "http:?q", "https:?q", "https:#x"),
    *("HTTPS:", "h\tttps:?q", "https:\n?q", "https:x", "https:/x", "https:\\x", "x", " x", "\tx"),
    *(".", "./", "..", "../x", "../../x", "../../../x", "../", "../?q", "../#x", "../\t../x"),
    *("..\\x", "..//x", "%2e%2e/x", "\t/x", " /x", "/", "/x", "/x?q=\u0436", "/../x", "/%2e%2e/x"),
    *("/.\t./x", "/;sid=1A2B3C4D5E6F7G8H9/x", "/no/x", "//", "//o.example/x", "//e.example/x"),
    *("//e.example:8443/x", "/\\o.example/x", "\\/o.example/x", "\\\\o.example/x", "\\x"),
    *("/\t/o.example/x", "/\n\\o.example", "\\\r/o.example", "///o.example/x", "///", "/./x"),
    *("/.//o.example", "http:", "http://", "http://[", "http:///o.example"),
    *("https://e.example/x?q=\u0436", "HTTP://e.example/x", "javascript:void(0)"),
    *("mailto:a@e.example", "/x?PHPSESSID=7f"),
)
PIECES = st.lists(
    st.sampled_from(
        (
            *("/", "\\", "?", "#", ".", "..", ":", "@", "&", "=", ";", "%2e", "%"),
            *(" ", "\t", "\n", "\r", "\0", "\xa0", "\u0436", "\ud800"),
            *("http:", "https:", "HTTPS:", "mailto:", "o.example", "e.example", "8443"),
            *("x", "no", "b", "PHPSESSID=7f", "utm_source=x"),
        )
    ),
    max_size=7,
).map("".join)
READINGS = st.lists(st.tuples(st.sampled_from(BASES), st.sampled_from(ENCODINGS)), max_size=8)
SITES = st.sampled_from(({}, {"merge_slashes": False}, {"trailing_slash": "strip"}))


def page(body: str, links: LinkReader, url: str = URL, encoding: str = "utf-8") -> Page:
    headers = {
        "content-type": [f"text/html; charset={encoding}"],
        "link": ["<#x>; rel=alternate; hreflang=fr, <?q>; rel=alternate; hreflang=it"],
    }
    response = HttpResponse(200, headers, body.encode(encoding, "xmlcharrefreplace"), NOW)
    return read_page(response, Link(url=url, key=key(url)), links, ReadOptions(labels=True))


@given(
    SITES,
    st.lists(st.tuples(st.sampled_from(HREFS) | PIECES, st.booleans()), max_size=30),
    READINGS,
)
@example(
    {},
    [(href, False) for href in HREFS],
    [(base, encoding) for encoding in ENCODINGS for base in BASES],
)
def test_what_was_read_before_changes_no_link(
    site: dict[str, object], anchors: list[tuple[str, bool]], readings: list[tuple[str, str]]
) -> None:
    links = reader(**site)
    for base, encoding in readings:
        here = Resolver(links.rules.site, base, base, encoding)
        assert links.read(anchors, here) == reader(**site).read(anchors, here)


@for_each("", "/c/", "?q=3", "//o.example/d", "http:x", " \t/c/d")
def test_what_was_read_before_changes_no_page(base: str) -> None:
    head = "".join(f'<link rel=alternate hreflang=de href="{escape(href)}">' for href in HREFS)
    body = "".join(f'<a href="{escape(href)}">{number}</a>' for number, href in enumerate(HREFS))
    if base:
        head = f'<base href="{base}">{head}'
    text = f"<head>{head}</head>{body}"
    links = reader()
    for encoding in ENCODINGS[:3]:
        for url in BASES[:10]:
            assert page(text, links, url, encoding) == page(text, reader(), url, encoding)


def place(path: str = "/a/b") -> Resolver:
    """The place of a document without a <base>."""
    url = f"https://e.example{path}"
    return Resolver(Site(origin="https://e.example"), url, url)


def judged(links: LinkReader, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of URLs that a reader judges from now on."""
    urls: list[str] = []
    link = links.link

    def judge(url: str) -> Link:
        urls.append(url)
        return link(url)

    monkeypatch.setattr(links, "link", judge)
    return urls


@for_each(
    ("https://e.example/x", 1),
    ("/x", 1),
    ("/../x", 1),
    ("\\x", 1),
    ("//e.example/x", 1),
    ("x", 2),
    ("../x", 1),
    ("../?q", 1),
    ("..\\x", 2),
    ("?q", 4),
    ("#x", 4),
    ("https:?q", 4),
)
def test_how_often_a_link_of_four_pages_is_judged(
    href: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once for all pages of these directories, once a directory, or on each page."""
    links = reader()
    urls = judged(links, monkeypatch)
    for path in ("/post-1/", "/post-1/b", "/post-2/", "/post-2/b"):
        links.read([(href, False)], place(path))
    assert len(urls) == number


def test_equal_hrefs_of_different_directories_are_different_links() -> None:
    links = reader()
    one = links.read([("x", False)], place("/a/b")).links[0].url
    two = links.read([("x", False)], place("/c/d")).links[0].url
    assert (one, two) == ("https://e.example/a/x", "https://e.example/c/x")


def test_counts_of_what_is_no_link() -> None:
    hrefs = ("http://[", "http://o.example/", "/x")
    found = reader().read([(href, False) for href in hrefs], place())
    assert (len(found.links), found.malformed, found.offsite) == (1, 1, 1)


@for_each(
    ("/{{ post.url }}", False),
    ("?id={{id}}&x", False),
    ("{% url 'post' 1 %}", False),
    ("/post/${slug}/", False),
    ("/post/<%= id %>", False),
    ("/tree/%7B%7Bcookiecutter.name%7D%7D", True),
    ("/{0f8fad5b-d9cb-469f-a165-70867728950e}.html", True),
    ("/map?view={%22zoom%22:{%22x%22:1}}", True),
    ("/$10/{a}", True),
)
def test_a_variable_that_no_template_has_filled_in_is_no_link(href: str, leads: bool) -> None:
    found = reader().read([(href, False)], place())
    assert (len(found.links), found.malformed) == (leads, not leads)
    assert bool(place().url(href)) == leads, "as a canonical URL, too"


@pytest.mark.full
def test_the_memory_of_links_is_bounded() -> None:
    links = reader()
    for number in range(2):
        anchors = [(f"/{number}-{each}", False) for each in range(MEMORY)]
        assert len(links.read(anchors, place()).links) == MEMORY
    assert sum(map(len, links._known.values())) <= MEMORY + 1


def test_directories_without_relative_links_are_forgotten_too() -> None:
    links = reader()
    for number in range(MEMORY + 10):
        links.read([("/x", False)], place(f"/{number}/"))
    assert len(links._known) < MEMORY
