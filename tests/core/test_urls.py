"""URLs: one normal form, the site's origin, patterns. Rules of DESIGN section "URLs"."""

import re

from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request

from sitemapgen.core.urls import (
    Patterns,
    Site,
    extension,
    hostname,
    is_private,
    is_same_site,
    key,
    other_address,
    parse,
    split,
    strip_tracking,
)
from tests.helpers.tables import for_each


@for_each(
    ("/(S(x))/a", "/a"),
    ("/(S(x))", "/"),
    ("/(S(x))a", "/(S(x))a"),  # no session, and what is left would be no path
    ("/(S(x))%2Fa", "/(S(x))%2Fa"),
    ("/a/(A(x)S(y))", "/a"),
    ("/;sid=1/a", "/a"),
    ("/a/..;sid=1/b", "/b"),
    ("/a/.;jsessionid=1", "/a/"),
)
def test_a_url_without_its_session_is_normalised(path: str, rest: str) -> None:
    site = Site(origin="https://example.com")
    assert site.resolve(f"https://example.com{path}") == f"https://example.com{rest}"


@for_each(
    ("HTTP://Example.COM/About", "http://example.com/About"),  # path case kept
    ("http://example.com", "http://example.com/"),
    ("http://example.com:80/a", "http://example.com/a"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("https://example.com:8443/a", "https://example.com:8443/a"),
    ("http://user:secret@example.com/", "http://example.com/"),
    ("http://example.com/a#part", "http://example.com/a"),
    ("http://example.com/a?", "http://example.com/a"),
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com//a///b//", "http://example.com/a/b/"),  # repeated slashes collapsed
    # but for those of a URL in the path, as archives have them
    (
        "http://example.com/web/2020/http://b.example//c",
        "http://example.com/web/2020/http://b.example/c",
    ),
    ("http://example.com/a?x=//b", "http://example.com/a?x=//b"),  # in the path only
    ("http://example.com/a/", "http://example.com/a/"),  # trailing slash kept
    ("http://example.com/%7euser/%41", "http://example.com/~user/A"),
    ("http://example.com/a%2fb", "http://example.com/a%2Fb"),  # a reserved one stays encoded
    ("http://example.com/ä b", "http://example.com/%C3%A4%20b"),
    ("http://example.com/?[a]|{b}^`%zz", "http://example.com/?%5Ba%5D%7C%7Bb%7D%5E%60%25zz"),
    ("http://münchen.example/", "http://xn--mnchen-3ya.example/"),
    ("http://good.com\\@evil.com/", "http://good.com/@evil.com/"),  # as browsers read it
    (" \thttp://exam\nple.com/a\t", "http://example.com/a"),
    ("http://[::1]:8000/a", "http://[::1]:8000/a"),
)
def test_normal_form(href: str, normal: str) -> None:
    assert parse(href) == normal


@for_each(
    *["", "a/b", "http://[::1", "http://h:99999/", "mailto:a@b.c", "javascript:void(0)", "ftp://h/"]
    + ["http://\ud800/", "http://h/\ud800", "http:", "//", "file:///etc/passwd", "http://a b/"]
)
def test_what_is_no_web_address(href: str) -> None:
    assert parse(href) is None


@for_each(
    ("?q=ä", "windows-1252", "http://h.example/a?q=%E4"),
    ("?q=ä", "utf-8", "http://h.example/a?q=%C3%A4"),
    ("ä?q=1", "windows-1252", "http://h.example/%C3%A4?q=1"),  # the path is always UTF-8
    ("?q=ä#ä", "windows-1252", "http://h.example/a?q=%E4"),
    ("?q=€", "iso-8859-2", "http://h.example/a?q=%26%238364%3B"),  # what it cannot express
    # WHATWG Encoding, "get an output encoding".
    ("?q=é", "utf-16le", "http://h.example/a?q=%C3%A9"),
    ("?q=é", "utf-16be", "http://h.example/a?q=%C3%A9"),
    ("?q=é", "replacement", "http://h.example/a?q=%C3%A9"),
    # As Chromium encodes them; brackets are encoded in the normal form.
    ("?q=ก", "windows-874", "http://h.example/a?q=%A1"),
    ("?q=Џ", "x-mac-cyrillic", "http://h.example/a?q=%DA"),
    ("?q=א", "iso-8859-8-i", "http://h.example/a?q=%E0"),
    ("?q=①～", "shift_jis", "http://h.example/a?q=%87@%81%60"),
    ("?q=똠", "euc-kr", "http://h.example/a?q=%8Cc"),
    ("?q=の", "big5", "http://h.example/a?q=%C7U"),
    ("?q=é", "x-user-defined", "http://h.example/a?q=%26%23233%3B"),
)
def test_queries_are_written_in_the_encoding_of_the_document(
    href: str, encoding: str, normal: str
) -> None:
    assert parse(href, "http://h.example/a", encoding) == normal


SOUP = st.text(alphabet=st.sampled_from("ab.Z/:?#&=%@[]\\|^{}<>\"'` ~;,+*!$()éß漢\u0131\t\n2eEfF-"))


@given(SOUP)
def test_normal_form_is_final(soup: str) -> None:
    """Normalising twice changes nothing, and Scrapy requests exactly this form."""
    url = parse(f"http://example.com/{soup}")
    if url is not None:
        assert parse(url) == url
        assert Request(url).url == url
        assert re.fullmatch(r"[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]+", url)


@given(SOUP, st.sampled_from(["strip_tracking", "keep", "drop"]), st.booleans())
def test_site_form_is_final(soup: str, query: str, strip: bool) -> None:
    site = Site(
        origin="http://example.com",
        query=query,
        trailing_slash="strip" if strip else "keep",
        merge_www=True,
    )
    url = site.resolve(soup, "http://www.example.com/a/b?c=d")
    if url is not None:
        assert site.resolve(url) == url


@given(SOUP)
def test_a_path_never_leads_to_another_origin(soup: str) -> None:
    """What follows a single slash and a letter stays where it is."""
    url = parse("/x" + soup, "http://example.com/a/b")
    assert url is not None
    assert split(url).origin == "http://example.com"


@given(st.text(), st.text(), st.sampled_from(["utf-8", "windows-1252", "no-such-encoding"]))
def test_parse_never_raises(href: str, base: str, encoding: str) -> None:
    parse(href, base, encoding)
    parse(href, "http://example.com/", encoding)


def test_key_is_a_signed_64_bit_identity() -> None:
    keys = {key(f"http://example.com/{number}") for number in range(1000)}
    assert len(keys) == 1000
    assert all(-(2**63) <= value < 2**63 for value in keys)
    assert key("http://example.com/") == -350646258024731386


@for_each(
    ("/?b=2&a=1", "/?a=1&b=2", True),
    ("/?b=2&&a=1&", "/?a=1&b=2", True),
    ("/?b&a", "/?a&b", True),
    ("/?a=2&a=1", "/?a=1&a=2", False),  # equal names keep their order
    ("/?b=2&a=2&a=1", "/?a=2&a=1&b=2", True),
    ("/?a=1&b=2", "/?a=1;b=2", False),
    ("/b&a", "/a&b", False),
    ("/?&", "/", True),
    ("/a//b", "/a/b", False),
)
def test_the_order_of_parameters_makes_no_other_url(one: str, other: str, is_same: bool) -> None:
    keys = {key(f"http://example.com{each}") for each in (one, other)}
    assert len(keys) == 2 - is_same


@for_each(True, False)
@for_each(
    ("/a//b", "/a/b"),
    ("//a///b//", "/a/b/"),
    ("/a//../b", ""),
    ("/a//?b=//c", "/a/?b=//c"),
    ("/web//http://b.example//c", "/web/http://b.example/c"),
    ("/web/http://b.example/c", ""),
    ("/a/b?c=//d", ""),
)
def test_slashes_are_merged_unless_they_count(path: str, merged: str, merges: bool) -> None:
    origin = "http://example.com"
    linked = parse(origin + path, merge_slashes=False)
    url, _, other = Site(origin=origin, merge_slashes=merges).resolve_link(origin + path)
    if merges and merged:
        assert (url, other) == (origin + merged, linked)
    else:
        assert (url, other) == (linked, "")


@for_each(
    ("https://e.example/a", "https://e.example", "this host"),
    ("http://e.example/a", "https://e.example", "http of this host"),
    ("https://e.example/a", "http://e.example", "https of this host"),
    ("https://e.example:8443/", "https://e.example", "port 8443 of this host"),
    ("http://e.example/", "http://e.example:8000", "port 80 of this host"),
    ("https://e.example:8443/", "http://e.example", "https and port 8443 of this host"),
    ("https://e.example:8000/", "http://e.example:8000", "https of this host"),
    ("https://e.example/", "http://e.example:8000", "https of this host"),
    ("https://e.example./", "https://e.example", "the host with a trailing dot"),
    ("https://e.example/", "https://e.example.", "the host without a trailing dot"),
    ("https://www.e.example/", "https://e.example", "the host with www"),
    ("http://www.e.example./", "http://www.e.example:81", "port 80 of the host with a traili"),
    ("http://[::1]:81/", "http://[::1]:80", "port 81 of this host"),
    ("https://shop.e.example/", "https://e.example", ""),
    ("https://e.example.evil.example/", "https://e.example", ""),
)
def test_other_addresses_of_a_host(url: str, origin: str, expected: str) -> None:
    assert other_address(url, origin).startswith(expected or "\n") == bool(expected)


@for_each(
    ("utm_source=a&utm_medium=b", ""),
    ("id=1&fbclid=x", "id=1"),
    ("b=2&a=1", "b=2&a=1"),  # as it is linked
    ("UTM_Source=a&GCLID=1&x=1", "x=1"),
    ("&&a=1&", "&&a=1&"),
    ("&gclid=1&", ""),
    ("utm=1&gclids=2", "utm=1&gclids=2"),  # only the whole name
    ("ref=EL100&pk_id=7", "ref=EL100&pk_id=7"),  # of a house, of a row
    ("page-two", "page-two"),
)
def test_tracking_parameters(query: str, kept: str) -> None:
    assert strip_tracking(query) == kept


@for_each("utm_campaign", "fbclid", "gclid", "msclkid", "mc_cid", "mc_eid", "ref", "_ga", "_gl")
def test_names_of_the_seed_are_tracking(name: str) -> None:
    assert strip_tracking(f"{name}=x&a=2") == "a=2"


@for_each(
    ({}, "http://e.example/a?b=1&yclid=x", "http://e.example/a?b=1"),
    ({"query": "keep"}, "http://e.example/a?b=1&yclid=x", "http://e.example/a?b=1&yclid=x"),
    ({"query": "drop"}, "http://e.example/a?b=1", "http://e.example/a"),
    ({"trailing_slash": "strip"}, "http://e.example/a/", "http://e.example/a"),
    ({"trailing_slash": "strip"}, "http://e.example/", "http://e.example/"),
    ({"trailing_slash": "strip"}, "http://other.example/a/", "http://other.example/a/"),
    ({"merge_www": True}, "http://www.e.example/a", "http://e.example/a"),
    ({}, "http://www.e.example/a", "http://www.e.example/a"),
)
def test_how_a_site_writes_its_urls(arguments: dict[str, object], url: str, expected: str) -> None:
    site = Site(origin="http://e.example", **arguments)
    assert site.resolve(url) == expected


@for_each(
    ("https://example.com/a", True),
    ("http://example.com/a", False),
    ("https://www.example.com/a", False),
    ("https://example.com:8443/a", False),
    ("https://example.com.evil.example/", False),
)
def test_owned_is_scheme_host_and_port(url: str, owned: bool) -> None:
    assert Site(origin="https://example.com").owns(url) is owned


@for_each(
    ("http://example.com/", "https://example.com/", True),
    ("http://example.com/", "https://www.example.com/de/", True),
    ("https://www.example.com/", "https://example.com/", True),
    ("http://127.0.0.1:8000/", "https://127.0.0.1:8443/", True),
    ("http://127.0.0.1:8000/", "http://127.0.0.1:8001/", False),
    ("http://example.com/", "http://shop.example.com/", False),
    ("http://example.com/", "http://example.org/", False),
    ("http://www.com/", "http://com/", True),
)
def test_how_far_a_start_url_may_move(url: str, other: str, same: bool) -> None:
    assert is_same_site(url, other) is same


@for_each(
    ("/admin/*", "http://e.example/admin/x", "/admin/*"),
    ("/admin/*", "http://e.example/admin/", "/admin/*"),
    ("/admin/*", "http://e.example/administration", None),
    ("*.pdf", "http://e.example/a/b.pdf", "*.pdf"),
    ("*.pdf", "http://e.example/a/b.pdf?x=1", "*.pdf"),  # its path does
    ("*.pdf", "http://e.example/a.pdf/b", None),
    ("/a?x=*", "http://e.example/a?x=1", "/a?x=*"),  # ? is itself, not a wildcard
    ("/a?x=*", "http://e.example/abx=1", None),
    ("http://e.example/*/print", "http://e.example/a/b/print", "http://e.example/*/print"),
    ("/b, /a ", "http://e.example/a", "/a"),
    ("/A", "http://e.example/a", None),
    ("", "http://e.example/a", None),
)
def test_patterns(patterns: str, url: str, matching: str | None) -> None:
    assert Patterns(patterns).match(url) == matching


@for_each(("/a.PDF", "pdf"), ("/a.tar.gz", "gz"), ("/a.b/c", ""), ("/", ""), ("/v1.2", "2"))
def test_extension(path: str, expected: str) -> None:
    assert extension(path) == expected


@for_each(
    ("http://127.0.0.1:8000/", "127.0.0.1", True),
    ("http://localhost/", "localhost", True),
    ("http://10.1.2.3/", "10.1.2.3", True),
    ("http://169.254.169.254/", "169.254.169.254", True),
    ("http://[::1]:80/", "[::1]", True),
    ("http://example.com/", "example.com", False),
    ("http://93.184.216.34/", "93.184.216.34", False),
)
def test_private_addresses(url: str, host: str, private: bool) -> None:
    normal = parse(url)
    assert normal is not None
    assert hostname(normal) == host
    assert is_private(normal) is private


@given(st.text("ab/._-~0A%@:", max_size=12))
def test_plain_paths_are_what_the_parser_makes_of_them(path: str) -> None:
    base = "https://e.example:81/a/b?c=1"
    resolved = Site(origin="https://e.example:81", merge_slashes=False).resolve(f"/{path}", base)
    assert resolved == parse(f"/{path}", base, merge_slashes=False)
