"""From an answer to a Page: the parts put together."""

import hashlib
import json
from dataclasses import asdict, replace
from datetime import datetime, timezone

from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.document.pages import (
    READER_VERSION,
    UNCHANGED,
    HttpResponse,
    Sent,
    is_confirmed,
    read_page,
)
from sitemapgen.core.links import LinkReader
from sitemapgen.core.robots import Robots
from sitemapgen.core.urls import key
from sitemapgen.items import Link, Page
from sitemapgen.verdicts import Reason, Verdict
from tests.core.readers import reader
from tests.helpers.tables import for_each

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
URL = "https://e.example/a/b"
HTML = {"content-type": ["text/html; charset=utf-8"]}


def read(
    body: str | bytes = "",
    headers: dict[str, list[str]] = HTML,
    status: int = 200,
    sent: Sent = UNCHANGED,
    url: str = URL,
) -> Page:
    body = body.encode() if isinstance(body, str) else body
    response = HttpResponse(status, headers, body, NOW, sent=sent)
    return read_page(response, Link(url=url, key=key(url)), reader(), ReadOptions())


def urls(page: Page) -> list[str]:
    return [link.url.removeprefix("https://e.example") for link in page.links]


@for_each(
    ({}, b"<!DOCTYPE html><title>x</title>", Verdict.LISTED),
    ({}, b"\xef\xbb\xbf \n<html>", Verdict.LISTED),
    ({}, b"\x00\x01\x02", Verdict.NOT_HTML),
    ({"content-type": ["TEXT/HTML;charset=x"]}, b"", Verdict.LISTED),
    ({"content-type": ["application/xhtml+xml"]}, b"", Verdict.LISTED),
    ({"content-type": ["text/html, text/html; charset=x"]}, b"", Verdict.LISTED),
    ({"content-type": ["text/html; charset=x, , y"]}, b"", Verdict.LISTED),
    ({"content-type": ["text/html, image/gif"]}, b"", Verdict.NOT_HTML),
    ({"content-type": ["text/plain", "text/html"]}, b"", Verdict.LISTED),
    ({"content-type": ["text/html", "text/plain"]}, b"", Verdict.NOT_HTML),
    ({"content-type": ["text/html", "nonsense", "*/*"]}, b"", Verdict.LISTED),
    ({"content-type": ["text/html charset=utf-8"]}, b"", Verdict.LISTED),
    ({"content-type": ["nonsense"]}, b"<!DOCTYPE html>", Verdict.LISTED),
    ({"content-type": ["nonsense"]}, b"\x00\x01", Verdict.NOT_HTML),
    ({"content-type": ["text/plain"]}, b"<!DOCTYPE html>", Verdict.NOT_HTML),
)
def test_what_counts_as_html(headers: dict[str, list[str]], body: bytes, verdict: Verdict) -> None:
    assert read(body, headers).judgement.verdict is verdict


@for_each(
    # A bundle that was configured for another host, or the static shell of an application.
    ("/a/b", "https://stage.example/a/b", "https://stage.example/a/b /a/b", "listed"),
    ("/", "/a/b", "/a/b /", "listed"),
    ("", "/c", "/c", "canonicalised"),
    ("/c", "", "/c", "canonicalised"),
    ("/c", "/c", "/c", "canonicalised"),
    ("/a/b", "/a/b", "/a/b", "listed"),
    ("", "", "", "listed"),
    ("/c", "/d", "/d /c", "listed"),
    # Behind a proxy: the same one.
    ("http://e.example/c", "/c", "/c", "canonicalised"),
)
def test_canonicals_that_scripts_change(
    sent: str, rendered: str, canonical: str, verdict: str
) -> None:
    def whole(path: str) -> str:
        return f"https://e.example{path}" if path.startswith("/") else path

    body = f'<link rel="canonical" href="{rendered}">' if rendered else ""
    page = read(body, sent=Sent((whole(sent),) if sent else ()))
    assert page.canonical == " ".join(map(whole, canonical.split()))
    assert page.judgement.verdict.value == verdict


def test_a_noindex_counts_from_the_document_that_was_sent() -> None:
    page = read("<p>x</p>", sent=Sent(noindex='<meta name="robots" content="noindex">'))
    assert page.judgement.verdict is Verdict.NOINDEX


def test_links_are_resolved_against_the_base() -> None:
    body = '<base href="/c/"><a href="d">x</a><a href="?q">x</a><a href="http://other.example/">x'
    assert urls(read(body)) == ["/c/d", "/c/?q"]


def test_links_that_lead_nowhere_are_counted() -> None:
    page = read('<a href="http://[">x</a><a href="http://o.example/">x</a><a href="/x">x</a>')
    assert (page.malformed_links, page.offsite_links, urls(page)) == (1, 1, ["/x"])


def test_links_of_an_error_page_are_not_followed() -> None:
    assert read('<a href="/x">x</a>', status=404).links == ()


def test_a_target_linked_twice_is_one_link_and_followed() -> None:
    (link,) = read('<a href="/x" rel="nofollow">x</a><a href="/x#part">x</a>').links
    assert not link.nofollow


def test_meta_nofollow_holds_for_every_link() -> None:
    page = read('<meta name="robots" content="nofollow"><a href="/x">x</a>')
    assert [link.nofollow for link in page.links] == [True]
    assert page.judgement.verdict is Verdict.LISTED


def test_links_carry_why_they_may_not_be_fetched() -> None:
    (link,) = read('<a href="/no/x">x</a>').links
    assert link.refusal
    assert link.refusal[:2] == (Verdict.ROBOTS_DISALLOWED, "robots.txt line 2: Disallow: /no")


@for_each(
    ('<link rel="canonical" href="b">', Verdict.LISTED),
    ('<link rel="canonical" href="b?utm_source=x#y">', Verdict.LISTED),
    ('<link rel="canonical" href="/c">', Verdict.CANONICALISED),
    ('<link rel="canonical" href="https://other.example/">', Verdict.CANONICALISED),
    # Contradicting ones say nothing.
    ('<link rel="canonical" href="/c"><link rel="canonical" href="/d">', Verdict.LISTED),
    ('<link rel="canonical" href="mailto:a@b.example">', Verdict.LISTED),
)
def test_canonicals(head: str, verdict: Verdict) -> None:
    assert read(f"<head>{head}</head>").judgement.verdict is verdict


@for_each(
    ('<link rel="canonical" href="/c" hreflang="en">', "", "/c ignored: it has hreflang"),
    ('<link rel="canonical" href="/c" lang="en">', "", "/c ignored: it has lang"),
    ('<link rel="canonical" href="/c" media="print">', "", "/c ignored: it has media"),
    ('<link rel="canonical" href="/c" TYPE>', "", "/c ignored: it has type"),
    ('<link rel="alternate canonical" href="/c" hreflang="en">', "", "/c ignored: it has hreflang"),
    ("", "</c>; rel=canonical; hreflang=en", "/c ignored: it has hreflang"),
    ("", '</c>; rel=canonical; type="text/html"', "/c ignored: it has type"),
    ("", "</c>; media=screen; rel=canonical", "/c ignored: it has media"),
    # Nothing to remark: it names the page itself, or another one counts.
    ('<link rel="canonical" href="/a/b" hreflang="en">', "</a/b>; rel=canonical; lang=en", ""),
    ('<link rel="canonical" href="/c" title="hreflang">', "", None),
    ('<link rel="canonical" href="/c"><link rel="canonical" href="/d" media="print">', "", None),
)
def test_canonicals_that_name_a_version_for_others(
    head: str, link: str, evidence: str | None
) -> None:
    page = read(f"<head>{head}</head>", {**HTML, "link": [link]})
    if evidence is None:
        assert page.judgement.verdict is Verdict.CANONICALISED
        return
    reason = Reason.CANONICAL_QUALIFIED if evidence else Reason.NONE
    evidence = evidence and f"canonical https://e.example{evidence}"
    assert page.judgement == (Verdict.LISTED, evidence, "", reason)
    assert page.canonical == ""


@for_each(
    ("", "</c>; rel=canonical", "/c"),
    ('<link rel="canonical" href="/c">', "</c>; rel=canonical", "/c"),
    ('<link rel="canonical" href="/c">', "</d>; rel=canonical", "/c /d"),
    ('<link rel="canonical" href="/c">', "<>; rel=canonical, <#x>; rel=canonical", "/c"),
    ('<link rel="canonical" href="#top">', "<http://[>; rel=canonical", ""),
    # A header is resolved against the URL, an element against the base.
    ('<base href="/x/"><link rel="canonical" href="c">', "<../x/c>; rel=canonical", "/x/c"),
    ("", "</\xc3\xa4>; rel=canonical", "/%C3%A4"),
    ("", "<http://e.example/c?utm_source=x>; rel=canonical", "/c"),  # http: behind a proxy
    ("", "<http://o.example/c>; rel=canonical", "http://o.example/c"),
)
def test_canonicals_of_head_and_headers(head: str, link: str, canonical: str) -> None:
    page = read(f"<head>{head}</head>", {**HTML, "link": [link]})
    assert page.canonical.replace("https://e.example", "") == canonical
    named = {url for url in canonical.split() if url.startswith("/")}
    assert named <= set(urls(page))


def test_a_hundred_canonicals_are_cut_short() -> None:
    head = "".join(f'<link rel="canonical" href="/{number}">' for number in range(100))
    assert len(read(f"<head>{head}</head>").canonical.split()) == 4


def test_a_canonical_of_a_nofollow_page_is_no_link_to_follow() -> None:
    headers = {**HTML, "link": ["</c>; rel=canonical"], "x-robots-tag": ["nofollow"]}
    assert [(link.url, link.nofollow) for link in read("", headers).links] == [
        ("https://e.example/c", True)
    ]


@for_each(
    ('<meta http-equiv="refresh" content="0;url=/c">', {}, "/c", ["/c", "/z"]),
    ('<meta http-equiv="refresh" content="5;url=/c">', {}, "/c", ["/c", "/z"]),
    ('<meta http-equiv="refresh" content="6;url=/c">', {}, "", ["/c", "/z"]),
    ('<base href="/x/"><meta http-equiv="refresh" content="0;url=c">', {}, "/x/c", ["/x/c"]),
    ('<meta http-equiv="refresh" content="0">', {}, "", ["/z"]),
    ('<meta http-equiv="refresh" content="0;url=b#x">', {}, "", ["/a/b", "/z"]),
    ('<meta http-equiv="refresh" content="0;url=http://[">', {}, "", ["/z"]),
    ("", {"refresh": ["3;c"]}, "/a/c", ["/a/c", "/z"]),
    ('<base href="/x/">', {"refresh": ["0;url=c"]}, "/a/c", ["/a/c"]),
    ("", {"refresh": ["0"]}, "", ["/z"]),
    ("", {"refresh": ["soon"]}, "", ["/z"]),
)
def test_refreshes(
    head: str, headers: dict[str, list[str]], evidence: str, links: list[str]
) -> None:
    page = read(f'<head>{head}</head><a href="/z">x</a>', {**HTML, **headers})
    expected = f"refresh to https://e.example{evidence}" if evidence else ""
    assert page.judgement[:2] == (Verdict.REDIRECT if evidence else Verdict.LISTED, expected)
    assert urls(page)[: len(links)] == links
    assert "/z" in urls(page)


def test_a_refresh_is_followed_from_a_nofollow_page_too() -> None:
    head = '<meta name="robots" content="nofollow"><meta http-equiv="refresh" content="0;/c">'
    page = read(f'<head>{head}</head><a href="/z">x</a>')
    assert [(link.url[-2:], link.nofollow) for link in page.links] == [("/c", False), ("/z", True)]


def test_versions_in_other_languages() -> None:
    head = '<link rel="alternate" hreflang="de" href="/de"><link rel="alternate" href="/feed">'
    header = '</fr>; rel=alternate; hreflang=fr, </it>; rel=alternate, </es>; hreflang="es"'
    page = read(f"<head>{head}</head>", {**HTML, "link": [header]})
    assert page.alternates == (key("https://e.example/de"), key("https://e.example/fr"))
    assert urls(page) == ["/de", "/feed", "/fr"]


@for_each(
    ("", "", True),
    ("<p>", " \n<p class=x>", True),
    ("<title>a</title>", "<title>a | Site</title>", True),
    ("<title>a</title>", "<title>b</title>", False),
    ("<html lang=en>", "<html lang=de>", False),
    ("<img src=1.png>", "<img src=2.png>", False),
    ("<img src=x.gif data-src=1.png>", "<img src=x.gif data-src=2.png>", False),
    ("<iframe src=/1></iframe>", "<iframe src=/2></iframe>", False),
    ("<object data=1></object>", "<object data=2></object>", False),
    ("<a href=/1>link</a>", "<a href=/2>link</a>", True),
    ("more words", "", False),
)
def test_what_makes_two_pages_the_same(one: str, two: str, is_same: bool) -> None:
    words = "<p>A hundred characters and more that both of them have in common, word by word. " * 2
    assert (read(one + words).content_hash == read(two + words).content_hash) is is_same
    assert read(one).text_hash is None


def test_short_pages_are_compared_by_their_bytes_unless_there_is_nothing_to_see() -> None:
    assert read("<title>A page</title>").content_hash is None
    assert read("<title>A page</title><p>x").content_hash is not None


@for_each(
    ("<a href='/login?next=%2Fa'>Log in</a>", "<a href='/login?next=%2Fb'>Log in</a>", True),
    ("<form action=/in?u=x&amp;r=/a>", "<form action=/in?u=x&amp;r=/b>", True),
    ("<a href='/login?next=%2Fa'>Log in</a>", "<a href='/login?next=%2Fc'>Log in</a>", False),
    ("<img src=/a.png>", "<img src=/b.png>", False),
    ("<img src=/scaled?of=/a.png>", "<img src=/scaled?of=/b.png>", False),
    ("<a href=/a/1>More</a>", "<a href=/b/1>More</a>", False),
)
def test_short_pages_that_name_the_address_to_return_to(one: str, two: str, is_same: bool) -> None:
    hashes = [
        read(f"<title>Members</title><p>Log in.</p>{body}", url=f"https://e.example/{name}")
        for name, body in (("a", one), ("b", two))
    ]
    assert (hashes[0].content_hash == hashes[1].content_hash) is is_same


@for_each(
    ("/\xc3\xa4", "/%C3%A4"),
    ("/\xef\xf3\xf2\xfc", "/%EF%F3%F2%FC"),
    ("/\xef?q=\xf3#\xf2", "/%EF?q=%F3"),
    ("/a\xc3\xa4\xef", "/a%C3%A4%EF"),  # both in one
    ("//\xef.example/", None),
)
def test_bytes_of_a_redirect_stay_as_they_are(location: str, target: str | None) -> None:
    assert urls(read(headers={"location": [location]}, status=301)) == ([target] if target else [])


NOINDEX, NOFOLLOW = '<meta name="robots" content="noindex">', "<meta name=robots content=nofollow>"
DE = '<link rel="alternate" hreflang="de" href="/de">'
CANONICAL = '<link rel="canonical" href="/c">'


@for_each(
    ("", {}, True),
    ("", {"content-type": ["TEXT/HTML"]}, True),
    ("", {"content-type": ["nonsense"]}, True),
    ("", {"content-type": ["text/plain"]}, False),
    ("", {"content-type": ["text/html", "application/pdf"]}, False),
    ("", {"x-robots-tag": ["noindex"]}, False),
    ("", {"x-robots-tag": ["max-snippet: 20", "googlebot: none"]}, False),
    ("", {"x-robots-tag": ["nofollow"]}, False),
    ("", {"x-robots-tag": ["unavailable_after: 2025-12-31"]}, False),
    ("", {"x-robots-tag": ["unavailable_after: 2026-12-31"]}, False),  # not for long
    ("", {"x-robots-tag": ["otherbot: noindex, nofollow", "all"]}, True),
    ("", {"x-robots-tag": ["noindex nofollow"]}, False),  # worth a remark
    ('<meta name="robots" content="none noarchive">', {"x-robots-tag": ["noindex;"]}, True),
    (NOINDEX, {"x-robots-tag": ["noindex"]}, True),
    (NOINDEX, {"x-robots-tag": ["all"]}, True),  # the more restrictive one counts
    (NOINDEX, {"x-robots-tag": ["noindex, nofollow"]}, False),
    (NOFOLLOW, {"x-robots-tag": ["nofollow"]}, True),
    (NOFOLLOW, {"x-robots-tag": ["noindex"]}, False),
    ("", {"link": ["</style.css>; rel=preload; as=style"]}, True),
    ("", {"link": ["</c>; rel=canonical"]}, False),
    ("", {"link": [f"<{URL}>; rel=canonical"]}, False),
    ("", {"link": ["</c>; rel=canonical; hreflang=de"]}, True),
    (CANONICAL, {"link": ["</c>; rel=canonical"]}, True),
    (CANONICAL, {"link": ["</d>; rel=canonical"]}, False),
    ("", {"link": ["</de>; rel=alternate; hreflang=de"]}, False),
    (DE, {"link": ["</de>; rel=alternate; hreflang=de"]}, True),
    (DE, {"link": ["</de>; rel=alternate; hreflang=de, </fr>; rel=alternate; hreflang=fr"]}, False),
    ("", {"refresh": ["0; url=/c"]}, False),
    ("", {"refresh": ["60; url=/c"]}, True),
    ("", {"refresh": ["60"]}, True),
    ('<meta http-equiv="refresh" content="0; url=/c">', {"refresh": ["0; url=/d"]}, True),
)
def test_what_headers_state_anew(
    head: str, headers: dict[str, list[str]], is_confirmed_: bool
) -> None:
    """After a 304 with such headers a page is read again, and one read with them is read anew."""
    body = f"<head>{head}</head><a href=/x>x</a>"
    page = read(body)
    assert page.is_lasting
    assert is_confirmed(page, headers, reader(), NOW) is is_confirmed_
    with_them = read(body, {**HTML, **headers})
    assert with_them.is_lasting is (
        is_confirmed_ and with_them.judgement.verdict is not Verdict.NOT_HTML
    )


def test_nofollow_in_headers_is_nothing_new_where_it_is_ignored() -> None:
    ignoring = LinkReader(replace(reader().rules, ignores_nofollow=True))
    assert is_confirmed(read("<a href=/x>x</a>"), {"x-robots-tag": ["nofollow"]}, ignoring, NOW)


def test_a_redirect_has_one_link() -> None:
    page = read(headers={"location": ["../c"]}, status=301)
    assert urls(page) == ["/c"]
    target = "https://e.example/c"
    assert page.judgement == (Verdict.REDIRECT, f"301 to {target}", target, Reason.NONE)


def test_a_redirect_elsewhere_has_none() -> None:
    page = read(headers={"location": ["//other.example"]}, status=302)
    assert page.links == ()
    assert page.judgement.verdict is Verdict.OFFSITE_REDIRECT


def test_the_base_may_lead_elsewhere() -> None:
    assert urls(read('<base href="https://other.example/"><a href="x">x</a>')) == []


@given(
    st.binary(max_size=300),
    st.integers(100, 599),
    st.dictionaries(
        st.sampled_from(["content-type", "location", "x-robots-tag", "last-modified", "date"]),
        st.lists(st.text(max_size=20), max_size=2),
    ),
)
def test_no_answer_raises(body: bytes, status: int, headers: dict[str, list[str]]) -> None:
    read(body, headers, status)
    read(b"<html>" + body, {**headers, **HTML}, 200)


def test_nothing_is_forbidden_without_rules() -> None:
    assert Robots().refusal(URL) is None


SENTENCE = "The keeper of the harbour light writes down the wind and the number of ships each day. "
SAMPLES = (
    f"<title>Light</title><h1>Harbour light</h1><main><p>{SENTENCE * 8}</p></main>",
    f'<html lang="en-GB"><head><title>A &amp; B</title><link rel="canonical" href="/a/c">'
    f'<link rel="alternate" hreflang="de" href="/de"></head><body><nav><a href="/">Home</a></nav>'
    f"<article><h2>Ships</h2><p>{SENTENCE * 6}</p><ul><li>one<li>two</ul></article></body>",
    '<title>Map</title><img src="/map.png" width="800" height="600" alt="Map">'
    "<table><tr><th>Day<th>Wind<tr><td>1<td>12.5</table><a href=x rel=nofollow>x</a>",
    f'<script type="application/ld+json">{{"dateModified": "2025-05-01"}}</script>'
    f"<noscript><p>Scripts are off.</p></noscript><p>{'灯台守は毎日風を記す。' * 40}</p>",
    '<meta name="robots" content="noindex"><a href="?page=2">Next</a><a href="/no">no</a>',
    f'<title>Rain</title><p>{SENTENCE * 6}</p><img data-original="/rain.png">'
    '<svg><path d="M0 9"/></svg>',
    "<title>Enter</title><p>Your name</p><input name=n><input type=password name=p>",
    '<title>Tide | Harbour</title><meta name="description" content="The tides of the harbour">',
    '<a href="/f?b=1&amp;a=2">f</a><a href="/g//h">g</a><a href="http://e.example/i">i</a>',
    "<title>Tide\u202e \x1btables</title><h1>Ti\u2066des</h1>",
    '<head><link rel="canonical" hreflang="en" href="/en"></head><a href="/x">x</a>',
    '<title>Lamps</title><a href="?sort=price">by price</a><a href="/lamp/7">A brass lamp</a>',
    '<title>Log</title><a href="?id=4d38b968cf54b61ae28b">38</a><pre>38 4\nof lamps, brass, tin',
    '<h1>One</h1><h1>Two</h1><img src="http://e.example/a.png"><a href="/x"><img src="b.png"></a>'
    '<script type="application/ld+json">{"@type": "Event", "name": "Tide"}</script>',
    "<title>B</title>" + "".join(f'<a href="/a/{name}/b">Lamps</a>' for name in "cdef"),
    '<title>Keeper</title><a href="/no/in" rel=nofollow>Log in</a><a href="/y" rel=nofollow>y</a>',
    "<title>Ago</title><p>Ann has changed this page 9 minutes ago.",
    '<title>Members</title><p>For members only.<a href="/in?next=/a/b">Log in</a>',
)
READ_BY = {
    1: "6f86f769237f60c0",
    2: "800e9c53d5b75056",
    3: "e76a61a0001667cc",
    4: "12b6459d1901ab8a",
    5: "c602f8037a7fe9b8",
    6: "40e63b454e4a03f7",
    7: "558340f4ff8fdc6f",
    8: "ea995e709797e493",
    9: "7aa993037f9095e7",
    10: "6a0723fb1847ee2f",
    11: "6b05d9821712f921",
    12: "7dd8347fac306f84",
    13: "38e922ddd653fc77",
}
"""Digests of what each version of the reader makes of the samples."""


def fields_of(page: Page) -> dict[str, object]:
    """The fields of a page, but for what is read on request only."""
    on_request = {"markdown", "description"}
    return {name: value for name, value in asdict(page).items() if name not in on_request}


def test_another_reading_has_another_version() -> None:
    """Who changes what is read out of a page raises ``READER_VERSION`` and adds its digest here."""
    pages = "\n".join(
        json.dumps(fields_of(read(sample)), default=str, sort_keys=True) for sample in SAMPLES
    )
    digest = hashlib.sha256(pages.encode()).hexdigest()[:16]
    assert READ_BY[READER_VERSION] == digest
    assert max(READ_BY) == READER_VERSION
    assert len(set(READ_BY.values())) == len(READ_BY)
