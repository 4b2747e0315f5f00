"""What is read from a sitemap file, and what is said about one that is not as it should be?"""

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.sitemap_files.entries import w3c_datetime
from sitemapgen.core.sitemap_files.read import MAX_ENTRIES, Sitemap, read_sitemap
from sitemapgen.items import Extensions, News, SitemapEntry, Video
from tests.helpers.tables import for_each

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
A, B, C = "https://example.com/a", "https://example.com/b", "https://example.com/c"


def url(loc: str, rest: str = "") -> str:
    return f"<url><loc>{loc}</loc>{rest}</url>"


def urlset(*urls: str, attributes: str = f' xmlns="{NAMESPACE}"') -> bytes:
    return f"<urlset{attributes}>{''.join(urls)}</urlset>".encode()


def locs(sitemap: Sitemap) -> list[str]:
    return [entry.url for entry in sitemap.entries]


TWO = urlset(url(A), url(B))


def test_a_urlset() -> None:
    rest = "<lastmod> 2024-05-01 </lastmod><changefreq>daily</changefreq><priority>0.50</priority>"
    assert read_sitemap(urlset(url(f"\n  {A}\n"), url(B, rest))) == Sitemap(
        format="urlset",
        entries=(SitemapEntry(A), SitemapEntry(B, "2024-05-01", "daily", "0.50")),
    )


def test_an_index() -> None:
    body = (
        f'<?xml version="1.0"?><sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{A}.xml</loc>'
        f"<lastmod>2024-05-01</lastmod></sitemap><sitemap><loc>{B}.xml</loc></sitemap>"
        "</sitemapindex>"
    )
    assert read_sitemap(body.encode()) == Sitemap(format="index", children=(f"{A}.xml", f"{B}.xml"))


@for_each("\n", "\r", "\r\n")
def test_a_text_file(end: str) -> None:
    body = end.join([A, "", f"  {B} ", "HTTP://EXAMPLE.COM/C", ""])
    sitemap = read_sitemap(body.encode())
    assert sitemap.format == "text"
    assert locs(sitemap) == [A, B, "HTTP://EXAMPLE.COM/C"]
    assert sitemap.error == ""


def test_a_text_file_with_other_lines_says_how_many() -> None:
    lines = ["# my sitemap", A, "/relative", "ftp://example.com/", f"{B} {C}", "https://x/\ufffd"]
    sitemap = read_sitemap("\n".join(lines).encode())
    assert locs(sitemap) == [A]
    assert sitemap.error == "5 of its lines are not an absolute http(s) URL"


def test_a_text_file_of_other_lines_is_not_read_to_its_end() -> None:
    sitemap = read_sitemap(f"{A}\n".encode() + b"x\n" * 100_000 + f"{B}\n".encode())
    assert locs(sitemap) == [A]
    assert sitemap.error.startswith("100,000 lines that are no absolute http(s) URL: the rest")
    assert read_sitemap(b"x\n" * 200_000) == Sitemap(error="neither XML nor a list of URLs")


@for_each(
    urlset(url(A), attributes=""),
    urlset(url(A), attributes=' xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"'),
    urlset(f'<url xmlns=""><loc>{A}</loc></url>'),
    f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>{A}</s:loc></s:url></s:urlset>'.encode(),
)
def test_namespaces_do_not_matter(body: bytes) -> None:
    assert read_sitemap(body) == Sitemap(format="urlset", entries=(SitemapEntry(A),))


IMAGE = 'xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'


@for_each(
    f"<url><i:image {IMAGE}><i:loc>{B}</i:loc></i:image><loc>{A}</loc></url>",
    f"<url><i:loc {IMAGE}>{B}</i:loc><loc>{A}</loc></url>",
    f"<url><loc>{A}</loc><loc>{B}</loc></url>",
    f"<url><loc><![CDATA[{A}]]></loc></url>",
    f"<url><loc><!-- first -->{A[:9]}<?pause?>{A[9:]}</loc></url>",
    f"<!-- {url(B)} {url(C)} -->{url(A)}",
)
def test_the_first_loc_of_the_entry_itself_is_its_url(entry: str) -> None:
    assert [entry.url for entry in read_sitemap(urlset(entry)).entries] == [A]


@for_each("<url/>", "<url><loc/></url>", f"<url><b>{A}</b></url>")
def test_an_entry_without_a_url_is_none(entry: str) -> None:
    assert locs(read_sitemap(urlset(entry, url(B)))) == [B]


def test_entries_without_a_url_and_with_several_are_counted() -> None:
    several = f"<url><loc>{A}</loc><loc>{B}</loc></url>"
    body = urlset("<url></url>", several, url(C), "<url><loc> </loc></url>")
    broken = body.replace(b"</urlset>", b"<url><loc>&</loc></url></urlset>")
    for sitemap in (read_sitemap(body), read_sitemap(broken)):
        assert locs(sitemap) == [A, C]
        assert sitemap.error.endswith(
            "1 entry with several <loc>, of which the first was taken; 2 entries without a URL"
        )
    assert read_sitemap(urlset(url(A, "<x:loc xmlns:x='x'>1</x:loc>"))).error == ""


def test_a_url_that_no_page_has_is_counted_and_not_kept() -> None:
    long = f"https://example.com/{'a' * 20_000}"
    fault = "1 entry with a URL of more than 16,384 characters"
    sitemap = read_sitemap(urlset(url(long), url(A, f"<lastmod>{'2' * 9_000}</lastmod>")))
    assert (locs(sitemap), sitemap.error) == ([A], fault)
    assert sitemap.entries[0].lastmod == "2" * 100
    for body in (
        f"<rss><item><link>{long}</link></item><item><link>{A}</link></item></rss>",
        f'<feed><entry><link href="{long}"/></entry><entry><link href="{A}"/></entry></feed>',
    ):
        assert (locs(read_sitemap(body.encode())), read_sitemap(body.encode()).error) == (
            [A],
            fault,
        )


def test_references_are_resolved() -> None:
    assert locs(read_sitemap(urlset(url(f"{A}?x=1&amp;y=2&#38;z=%C3%A9")))) == [
        f"{A}?x=1&y=2&z=%C3%A9"
    ]


UMLAUT = '<?xml version="1.0" encoding="{}"?>' + f"<urlset>{url(A + '/ü')}</urlset>"


@for_each(
    UMLAUT.format("utf-8").encode("utf-8-sig"),
    UMLAUT.format("utf-16").encode("utf-16"),
    ("\ufeff \n" + UMLAUT.format("utf-16")).encode("utf-16-be"),
    UMLAUT.format("iso-8859-1").encode("iso-8859-1"),
    UMLAUT.format("utf-16").encode(),  # what .NET says of UTF-8
    UMLAUT.format("martian").encode(),
    b"\n\n " + UMLAUT.format("utf-8").encode(),
)
def test_encodings(body: bytes) -> None:
    assert read_sitemap(body) == Sitemap(format="urlset", entries=(SitemapEntry(f"{A}/ü"),))


@for_each(0, 1, 2)
def test_gzip_is_told_by_its_first_bytes(layers: int) -> None:
    body = TWO
    for _ in range(layers):
        body = gzip.compress(body)
    assert locs(read_sitemap(body)) == [A, B]
    assert read_sitemap(body).error == ""


def test_gzip_in_three_layers_is_not_undone() -> None:
    body = gzip.compress(gzip.compress(gzip.compress(TWO)))
    assert read_sitemap(body) == Sitemap(error="gzip inside gzip, more than 2 layers of it")


def test_gzip_in_several_members_is_one_file() -> None:
    assert locs(read_sitemap(gzip.compress(TWO[:70]) + gzip.compress(TWO[70:]))) == [A, B]


def many(count: int) -> list[str]:
    return [f"https://example.com/{number}/{number * 7919 % 10007}" for number in range(count)]


@for_each("urlset", "text")
def test_a_truncated_gzip_keeps_what_came(form: str) -> None:
    urls = many(20_000)
    plain = urlset(*map(url, urls)) if form == "urlset" else "\n".join(urls).encode()
    packed = gzip.compress(plain)
    sitemap = read_sitemap(packed[: len(packed) // 2])
    assert sitemap.format == form
    assert sitemap.error == "truncated gzip: only the received part was read"
    assert len(sitemap.entries) > 5_000
    assert locs(sitemap) == urls[: len(sitemap.entries)]  # none is cut in half


def test_a_damaged_gzip_keeps_what_came_before() -> None:
    packed = bytearray(gzip.compress(urlset(*map(url, many(50_000)))))
    packed[-200_000:-199_000] = b"\0" * 1_000
    sitemap = read_sitemap(bytes(packed))
    assert sitemap.error.startswith("damaged gzip, read as far as it went: ")
    assert sitemap.entries


def test_an_answer_that_broke_off_keeps_whole_lines_only() -> None:
    error = "the response was cut short: only the received part was read"
    for body, whole in ((f"{A}\n{B[:-1]}", [A]), (f"{A}\r{B}\r", [A, B]), (A, [])):
        sitemap = read_sitemap(body.encode(), is_cut=True)
        assert (locs(sitemap), sitemap.error) == (whole, error)


def test_a_text_file_in_utf_16() -> None:
    for encoding in ("utf-16", "utf-16-be"):
        bom = "" if encoding == "utf-16" else "\ufeff"
        body = f"{bom}{A}\r\n{B}/ü\r".encode(encoding)
        assert (locs(read_sitemap(body)), read_sitemap(body).format) == ([A, f"{B}/ü"], "text")


def test_no_control_character_reaches_the_error() -> None:
    sitemap = read_sitemap(urlset(f'<url xmlns:x="\x9b31m\u202e"><loc>{A}</loc></url>'))
    assert sitemap.error
    assert sitemap.error.isprintable()


@for_each("<lastmod>2024-0", "<lastmod>2024-05-01</lastmod></ur", "<p")
def test_a_whole_loc_counts_where_its_entry_is_cut_behind_it(rest: str) -> None:
    body = urlset(url(A), url(B, "<lastmod>2024-05-01</lastmod>"))
    cut = body[: body.rindex(b"</loc>") + 6] + rest.encode()
    assert locs(read_sitemap(cut)) == [A, B]
    assert read_sitemap(cut).error.startswith("malformed or truncated XML (")


def test_where_the_answer_broke_off_any_whole_loc_counts() -> None:
    for cut in range(TWO.index(B.encode()), len(TWO)):
        is_whole = cut >= TWO.rindex(b"</loc>") + 6
        assert locs(read_sitemap(TWO[:cut], is_cut=True)) == ([A, B] if is_whole else [A]), TWO[
            :cut
        ]
        packed = gzip.compress(TWO[:cut] + b"\0" * 9)[:-9]
        assert set(locs(read_sitemap(packed))) <= {A, B}


def test_a_whole_link_counts_where_its_item_is_cut_behind_it() -> None:
    cut = f"<rss><channel><item><link>{A}</link><pubDate>Wed"
    assert locs(read_sitemap(cut.encode())) == [A]
    broken = f"<rss><channel><item><title>&<link>{A}</link><pubDate>Wed"
    assert locs(read_sitemap(broken.encode())) == []


def test_truncated_xml_keeps_whole_entries_only() -> None:
    end_of_b = TWO.index(b"</urlset>")
    for cut in range(end_of_b - len(url(B)), end_of_b + 1):
        sitemap = read_sitemap(TWO[:cut])
        assert locs(sitemap) == ([A, B] if cut == end_of_b else [A])
        assert sitemap.error.startswith("malformed or truncated XML (")


@for_each(
    url(f"{B}?x=1&y=2"),
    url(f"{B}?x=1&y;z"),
    url(f"{B}?x=1&&&"),
    url(f"{B}\x0b"),
    url(f"{B}\0"),
    url(f"{B}<br>"),
    f"<url><loc>{B}</url>",
    url(B, "<lastmod>"),
    url(B, "<a b=c/>"),
)
def test_a_broken_entry_costs_itself_only(broken: str) -> None:
    """To let lxml recover would list ``?x=1=2``."""
    for body in (urlset(url(A), broken, url(C)), urlset(broken, url(A), broken, url(C))):
        sitemap = read_sitemap(body)
        assert locs(sitemap) == [A, C]
        assert sitemap.error.startswith("malformed or truncated XML (")
        count = body.count(broken.encode())
        assert sitemap.error.endswith(f"broken entries left out: {count}")


def test_a_broken_entry_in_latin_1_and_with_prefixes() -> None:
    body = (
        '<?xml version="1.0" encoding="iso-8859-1"?>'
        f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>{B}&</s:loc></s:url>'
        f"<s:url><s:loc>{A}/ü</s:loc></s:url></s:urlset>"
    )
    assert locs(read_sitemap(body.encode("iso-8859-1"))) == [f"{A}/ü"]


def test_bytes_that_are_not_utf_8_cost_their_entry() -> None:
    body = urlset(url(A), url(f"{B}/ü"), url(C))
    sitemap = read_sitemap(body.replace("ü".encode(), b"\xfc"))
    assert locs(sitemap) == [A, C]
    assert "encoding" in sitemap.error


def test_an_undeclared_prefix_costs_nothing() -> None:
    sitemap = read_sitemap(
        urlset(url(A, f"<image:image><image:loc>{C}</image:loc></image:image>"), url(B))
    )
    assert locs(sitemap) == [A, B]
    assert "Namespace prefix image" in sitemap.error


def test_such_prefixes_do_not_hide_a_broken_entry() -> None:
    images = "<image:image/>" * 200  # lxml keeps the first 100 messages
    sitemap = read_sitemap(urlset(url(A, images), "\n", url(f"{B}?x=1&y=2"), url(C)))
    assert locs(sitemap) == [A, C]
    assert sitemap.error == (
        "malformed or truncated XML (line 2: EntityRef: expecting ';'); broken entries left out: 1"
    )


@for_each(
    "http://www.google.com/ schemas", "", " ", "é x", "a&amp;&quot;b", "http://[", "x" * 2_000
)
@for_each('xmlns="{}"', 'xmlns:image="{}"', 'xmlns:é="{}"', 'xmlns:xml="{}"', 'xml:base="{}"')
@for_each("utf-8", "iso-8859-1")
def test_odd_namespaces_do_not_matter_to_a_broken_file(
    encoding: str, attributes: str, namespace: str
) -> None:
    """To make an element with one of them, lxml raises ValueError."""
    declared = attributes.format(namespace)
    text = f'<?xml version="1.0" encoding="{encoding}"?><urlset {declared}>'
    text += f"{url(f'{A}?x=1&y=2')}{url(B)}{url(f'{C}/é')}</urlset>"
    assert locs(read_sitemap(text.encode(encoding))) == [B, f"{C}/é"]


def test_a_namespace_longer_than_any_is_not_copied_for_each_entry() -> None:
    error = "a tag of more than 2,048 characters, its namespace included"
    long = "x" * 3_000
    assert read_sitemap(urlset(url(A), attributes=f' xmlns="{long}"')) == Sitemap(
        error=f"{error}: nothing was read"
    )
    sitemap = read_sitemap(urlset(url(A), f'<x xmlns="{long}">{url(B)}</x>', url(C)))
    assert (locs(sitemap), sitemap.error) == ([A], f"{error}: the rest was not read")


def test_a_prefix_of_any_letters_in_a_broken_file() -> None:
    body = f'<é:urlset xmlns:é="x"><é:url><é:loc>{A}&</é:loc></é:url>'
    body += f"<é:url><é:loc>{B}</é:loc></é:url></é:urlset>"
    assert locs(read_sitemap(body.encode())) == [B]


def test_an_xml_declaration_without_an_end_is_not_repeated_around_each_entry() -> None:
    body = f'<?xml version="1.0" <urlset>{url(A)}{url(B)}'.encode()
    assert locs(read_sitemap(body + b"<x>" * 50_000 + b"?>")) == []


def test_what_follows_the_end_is_named() -> None:
    sitemap = read_sitemap(TWO + b"<p>generated in 0.1 s</p>")
    assert locs(sitemap) == [A, B]
    assert "Extra content at the end of the document" in sitemap.error


@for_each(
    (b"", "the file is empty"),
    (b" \n", "the file is empty"),
    (b"Not found", "neither XML nor a list of URLs"),
    (b"%PDF-1.7\n\x00\xff", "neither XML nor a list of URLs"),
    (b'{"url": "https://example.com/"}', "neither XML nor a list of URLs"),
    (b"<!doctype html><html><head><meta charset=utf-8><p>Not found", "an HTML page"),
    (b"<HTML>", "an HTML page"),
    (b'<html xmlns="http://www.w3.org/1999/xhtml"/>', "an HTML page"),
    (b"<opml><body/></opml>", "<opml> is no sitemap and no feed"),
    (b"<a:urlset/>", "<a:urlset> is no sitemap and no feed"),
    (b"<", "XML without a document element"),
    (b"<!-- <urlset/> -->", "XML without a document element"),
)
def test_what_is_no_sitemap_says_what_it_is(body: bytes, error: str) -> None:
    assert read_sitemap(body) == Sitemap(error=error)
    assert read_sitemap(gzip.compress(body)) == Sitemap(error=error)


# Feeds

RSS = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<link>https://example.com/</link><atom:link href="https://example.com/feed" rel="self"/>
<item><title>A</title><atom:link href="https://example.com/x"/><link> https://example.com/a </link>
  <pubDate>Wed, 02 Oct 2002 15:00:00 +0200</pubDate></item>
<item><link><![CDATA[https://example.com/b?x=1&y=2]]></link><pubDate>gestern</pubDate></item>
<item><title>no link</title></item>
</channel></rss>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://example.com/"><link>https://example.com/</link>
  <items><rdf:Seq><rdf:li rdf:resource="https://example.com/a"/></rdf:Seq></items></channel>
<item rdf:about="https://example.com/x"><link>https://example.com/a</link>
  <dc:date>2002-10-02T13:00:00Z</dc:date></item>
<item rdf:about="https://example.com/b"><link>https://example.com/b</link></item>
</rdf:RDF>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/blog/"><link href="https://e.com/"/>
<updated>2020-01-01T00:00:00Z</updated>
<entry><link rel="self" href="x"/><link rel="enclosure" href="y.mp3"/><link href="a"/>
  <updated>2002-10-02T13:00:00.5Z</updated><published>2001-01-01T00:00:00Z</published>
  <source><link href="z"/></source></entry>
<entry xml:base="https://example.com/news/">
  <link rel="alternate" xml:base="2002/" href="b"/></entry>
<entry><link rel="alternate" href="https://example.com/c"/><updated>soon</updated></entry>
<entry xml:base="http://["><link href="/d"/></entry>
<entry><link rel="self" href="x"/></entry><entry><link href=""/></entry>
</feed>"""

FEEDS = {
    "rss": (
        RSS,
        [(A, "2002-10-02T15:00:00+02:00"), (f"{B}?x=1&y=2", "gestern")],
    ),
    "rdf": (RDF, [(A, "2002-10-02T13:00:00Z"), (B, "")]),
    "atom": (
        ATOM,
        [
            ("/blog/a", "2002-10-02T13:00:00.5Z"),
            ("https://example.com/news/2002/b", ""),
            (C, "soon"),
            ("/d", ""),
        ],
    ),
}


@for_each(*FEEDS)
def test_a_feed(form: str) -> None:
    body, entries = FEEDS[form]
    for encoded in (body.encode(), body.encode("utf-16"), gzip.compress(body.encode())):
        sitemap = read_sitemap(encoded)
        assert (sitemap.format, sitemap.error) == (form, "")
        assert [entry[:2] for entry in sitemap.entries] == entries


@for_each(
    (f"<guid>{A}</guid>", [A]),
    (f'<guid isPermaLink="true">{A}</guid>', [A]),
    (f'<guid isPermaLink="false">{A}</guid>', []),
    (f"<guid>{A}</guid><link>{B}</link>", [B]),
    (f"<link/><guid> {A} </guid>", [A]),
    ("<guid>tag:example.com,2024:1</guid>", []),
    (f'<guid isPermaLink="False ">{A}</guid>', []),
)
def test_a_guid_of_rss_is_the_url_where_it_is_a_permalink(item: str, urls: list[str]) -> None:
    assert locs(read_sitemap(f"<rss><channel><item>{item}</item></channel></rss>".encode())) == urls


@for_each(*FEEDS)
def test_a_feed_that_breaks_off_keeps_what_came(form: str) -> None:
    body, entries = FEEDS[form]
    name = "entry" if form == "atom" else "item"
    end = body.index(f"</{name}>") + len(name) + 3
    sitemap = read_sitemap(body[: end + 20].encode())
    assert sitemap.format == form
    assert [entry[:2] for entry in sitemap.entries] == entries[:1]
    assert sitemap.error.startswith("malformed or truncated XML (")


@for_each(
        ("Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00+00:00"),
        ("02 Oct 02 15:00 -0330", "2002-10-02T15:00:00-03:30"),
        ("Wed, 02 Oct 2002 08:00:00 PDT", "2002-10-02T08:00:00-07:00"),
        ("Wed, 02 Oct 2002 08:00:00 -0000", "2002-10-02T08:00:00Z"),
        *((date, date) for date in [
            "", "now", "2024-05-01", "2024-05-01T10:00:00Z", "Sat, 31 Feb 2024 10:00:00 GMT",
            "Wed, 02 Oct 2002 08:00:00 CEST", "Wed, 02 Oct 2002 08:00:00",
            "Wed, 02 Oct 99999999999 08:00:00 GMT",
        ]),
    )  # fmt: skip
def test_dates_of_feeds(date: str, written: str) -> None:
    assert w3c_datetime(date) == written


# Extensions

NAMESPACES = (
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"'
    ' xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
)
RICH = """<url>
<image:image><image:loc>/1.png</image:loc><image:title>One</image:title></image:image>
<loc>https://example.com/a</loc><image:image><image:loc>/2.png</image:loc></image:image>
<image:image/>
<video:video><video:title>A film</video:title><video:thumbnail_loc>/t.jpg</video:thumbnail_loc>
<video:content_loc>/f.mp4</video:content_loc><video:player_loc>/p</video:player_loc></video:video>
<video:video><video:content_loc>/g.mp4</video:content_loc></video:video>
<news:news><news:publication><news:name>The Times</news:name><news:language>en</news:language>
</news:publication><news:publication_date>2024-05-01</news:publication_date>
<news:title>It rains</news:title></news:news>
<xhtml:link rel="alternate" hreflang="de" href="/de"/>
<xhtml:link rel="alternate" hreflang="x-default" href="/"/>
<xhtml:link rel="alternate" media="handheld" href="/m"/>
<xhtml:link rel="stylesheet" hreflang="de" href="/css"/>
<lastmod>2024-05-02</lastmod></url>"""
SAID = Extensions(
    images=("/1.png", "/2.png"),
    videos=(Video("A film", "/t.jpg", "/f.mp4", "/p"), Video(content="/g.mp4")),
    news=News("The Times", "en", "2024-05-01", "It rains"),
    alternates=(("de", "/de"), ("x-default", "/")),
)


@for_each(NAMESPACES, NAMESPACES.replace("http:", "https:"), "")
def test_extensions_are_kept_also_in_other_namespaces(namespaces: str) -> None:
    sitemap = read_sitemap(urlset(RICH, url(B), attributes=f' xmlns="{NAMESPACE}"{namespaces}'))
    assert sitemap.entries == (SitemapEntry(A, "2024-05-02", extensions=SAID), SitemapEntry(B))


# Neither


def test_an_empty_urlset_is_one() -> None:
    assert read_sitemap(urlset()) == Sitemap(format="urlset")


LAUGHS = "".join(
    f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' if level else '<!ENTITY l0 "ha">'
    for level in range(10)
)


@for_each(
    '<!ENTITY x "https://evil.example/">',
    '<!ENTITY x SYSTEM "file:///etc/passwd">',
    '<!ENTITY x SYSTEM "https://evil.example/x">',
    '<!ENTITY % p SYSTEM "https://evil.example/x.dtd"> %p;',
    LAUGHS.replace("l9", "x"),
)
def test_entities_are_not_expanded(declarations: str) -> None:
    body = f"<!DOCTYPE urlset [{declarations}]>".encode() + urlset(url(A), url("&x;"))
    assert read_sitemap(body) == Sitemap(error="its DTD declares entities: nothing was read")


def test_a_dtd_elsewhere_is_not_fetched_and_its_entities_spoil_a_url() -> None:
    body = b'<!DOCTYPE urlset SYSTEM "https://evil.example/x.dtd">' + urlset(url(f"{A}&x;"), url(B))
    assert locs(read_sitemap(body)) == [B]


@for_each("urlset", "text", "sitemapindex")
def test_the_cap_on_entries_is_exact(form: str) -> None:
    urls = many(11)
    text = "\n".join(urls).encode()
    xml = urlset(*map(url, urls))
    index = xml.replace(b"urlset", b"sitemapindex").replace(b"url>", b"sitemap>")
    body = {"urlset": xml, "text": text, "sitemapindex": index}[form]
    capped, whole = read_sitemap(body, max_entries=10), read_sitemap(body, max_entries=11)
    assert [*capped.children, *locs(capped)] == urls[:10]
    assert capped.error.startswith("more than 10 ")
    assert [*whole.children, *locs(whole)] == urls
    assert whole.error == ""


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("form", ["urlset", "text"])
def test_the_cap_on_bytes_is_exact_and_cuts_no_url(
    form: str, pack: Callable[[bytes], bytes]
) -> None:
    plain = TWO if form == "urlset" else f"{A}\n{B}".encode()
    assert locs(read_sitemap(pack(plain), max_bytes=len(plain))) == [A, B]
    capped = read_sitemap(pack(plain), max_bytes=len(plain) - 12)
    assert locs(capped) == [A]
    assert capped.error == f"larger than {len(plain) - 12:,} bytes: the rest was not read"


MEGABYTE = 1 << 20


HOSTILE = {
    "bomb": lambda: gzip.compress(b"<urlset>" + b"\0" * 100 * MEGABYTE),
    "nested bomb": lambda: gzip.compress(gzip.compress(b" " * 100 * MEGABYTE)),
    "elements": lambda: b"<urlset>" + b"<a/>" * 2 * MEGABYTE,
    "ampersands": lambda: b"<urlset><url><loc>" + b"&" * 8 * MEGABYTE,
    "depth": lambda: b"<urlset>" + b"<a>" * 2 * MEGABYTE,
    "attribute": lambda: b'<urlset><url a="' + b"x" * 8 * MEGABYTE,
    "ends": lambda: b"<urlset>" + b"</url>" * MEGABYTE,
    "empty": lambda: b"<urlset>" + b"<url></url>" * MEGABYTE,
    "broken": lambda: b"<urlset>" + b"<url><&></url>" * MEGABYTE,
    "entry": lambda: b"<urlset><url>" + b"<a/>" * 4 * MEGABYTE + b"</url>",
    "prefixes": lambda: b"<urlset>" + (b"<url>" + b"<i:i/>" * 20_000 + b"</url>") * 70,
}


@pytest.mark.sample
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_costs_seconds_and_little_memory(name: str) -> None:
    sitemap, seconds, megabytes = read_alone(HOSTILE[name]())
    assert sitemap.startswith(("0 entries: malformed", "0 entries: larger", "0 entries: more"))
    assert seconds < 10
    assert megabytes < 120


def test_a_full_file_is_read_in_flat_memory() -> None:
    rest = "<lastmod>2024-05-01</lastmod>" + f"<i:i {IMAGE}><i:loc>{C}</i:loc></i:i>" * 3
    body = urlset(*(url(loc, rest) for loc in many(MAX_ENTRIES)))
    sitemap, seconds, megabytes = read_alone(body)
    assert sitemap == "50000 entries: "
    assert seconds < 5
    assert megabytes < 80  # the tree would be 300


ALONE = """
import re, sys, time
from pathlib import Path
from sitemapgen.core.sitemap_files.read import read_sitemap
peak = lambda: int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1])
body = sys.stdin.buffer.read()
before, start = peak(), time.process_time()
sitemap = read_sitemap(body, max_bytes=32 << 20)
seconds = time.process_time() - start
print(seconds, (peak() - before) >> 10, len(sitemap.entries), "entries:", sitemap.error)
"""


def read_alone(body: bytes) -> tuple[str, float, int]:
    """Read in a process of its own: what was found, CPU seconds, growth of the peak in MiB.

    libxml2 allocates where tracemalloc does not look.
    """
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak is read from /proc, which this system has not")
    done = subprocess.run(
        [sys.executable, "-c", ALONE], input=body, capture_output=True, check=True, timeout=600
    )
    seconds, megabytes, sitemap = done.stdout.decode().removesuffix("\n").split(" ", 2)
    return sitemap, float(seconds), int(megabytes)


text = st.text("<>/url set&;![]ahttps:.\n\x00\ufeff")
pieces = st.lists(
    st.sampled_from(
        [url(A), url("&x;"), "<url>", "</url>", "<loc>", "<!--", "-->", "]]>"]
        + ["<item>", "</item>", "<link>", "</link>", "<entry>", "</entry>", "<link href='x'/>"]
    )
    | text
)


@given(st.binary() | pieces.map("".join).map(str.encode))
def test_no_file_is_too_strange(body: bytes) -> None:
    starts = (b"", b"<urlset>", b"<rss>", b"<feed>", b"<rdf:RDF>", b"<?xml", b"<!DOCTYPE a [")
    for start in (*starts, b"\x1f\x8b", b"\xff\xfe"):
        sitemap = read_sitemap(start + body)
        assert sitemap.format or sitemap.error
        assert "\n" not in sitemap.error


@given(st.lists(st.sampled_from([A, B, C])), st.integers(0, 400))
def test_wherever_a_file_breaks_off_no_url_is_invented(urls: list[str], cut: int) -> None:
    body = urlset(*map(url, urls))[:cut]
    for form in (body, gzip.compress(body)):
        assert locs(read_sitemap(form)) == urls[: body.count(b"</url>")]
