"""What is read from a sitemap file, and what is said about one that is not as it should be?"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.sitemaps import MAX_ENTRIES, Sitemap, read
from sitemapgen.items import SitemapEntry

if TYPE_CHECKING:
    from collections.abc import Callable

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
    assert read(urlset(url(f"\n  {A}\n"), url(B, rest))) == Sitemap(
        format="urlset",
        entries=(SitemapEntry(A), SitemapEntry(B, "2024-05-01", "daily", "0.50")),
    )


def test_an_index() -> None:
    body = (
        f'<?xml version="1.0"?><sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{A}.xml</loc>'
        f"<lastmod>2024-05-01</lastmod></sitemap><sitemap><loc>{B}.xml</loc></sitemap>"
        "</sitemapindex>"
    )
    assert read(body.encode()) == Sitemap(format="index", children=(f"{A}.xml", f"{B}.xml"))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_text_file(end: str) -> None:
    body = end.join([A, "", f"  {B} ", "HTTP://EXAMPLE.COM/C", ""])
    sitemap = read(body.encode())
    assert sitemap.format == "text"
    assert locs(sitemap) == [A, B, "HTTP://EXAMPLE.COM/C"]
    assert sitemap.error == ""


def test_a_text_file_with_other_lines_says_how_many() -> None:
    lines = ["# my sitemap", A, "/relative", "ftp://example.com/", f"{B} {C}", "https://x/\ufffd"]
    sitemap = read("\n".join(lines).encode())
    assert locs(sitemap) == [A]
    assert sitemap.error == "5 of its lines are not an absolute http(s) URL"


@pytest.mark.parametrize(
    "body",
    [
        urlset(url(A), attributes=""),
        urlset(url(A), attributes=' xmlns="https://www.sitemaps.org/schemas/sitemap/0.9"'),
        urlset(f'<url xmlns=""><loc>{A}</loc></url>'),
        f'<s:urlset xmlns:s="{NAMESPACE}"><s:url><s:loc>{A}</s:loc></s:url></s:urlset>'.encode(),
    ],
    ids=["none", "https", "mixed", "prefix"],
)
def test_namespaces_do_not_matter(body: bytes) -> None:
    assert read(body) == Sitemap(format="urlset", entries=(SitemapEntry(A),))


IMAGE = 'xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'


@pytest.mark.parametrize(
    "entry",
    [
        f"<url><i:image {IMAGE}><i:loc>{B}</i:loc></i:image><loc>{A}</loc></url>",
        f"<url><i:loc {IMAGE}>{B}</i:loc><loc>{A}</loc></url>",
        f"<url><loc>{A}</loc><loc>{B}</loc></url>",
        f"<url><loc><![CDATA[{A}]]></loc></url>",
        f"<url><loc><!-- first -->{A[:9]}<?pause?>{A[9:]}</loc></url>",
        f"<!-- {url(B)} {url(C)} -->{url(A)}",
    ],
)
def test_the_first_loc_of_the_entry_itself_is_its_url(entry: str) -> None:
    assert read(urlset(entry)) == Sitemap(format="urlset", entries=(SitemapEntry(A),))


@pytest.mark.parametrize("entry", ["<url/>", "<url><loc/></url>", f"<url><b>{A}</b></url>"])
def test_an_entry_without_a_url_is_none(entry: str) -> None:
    assert locs(read(urlset(entry, url(B)))) == [B]


def test_references_are_resolved() -> None:
    assert locs(read(urlset(url(f"{A}?x=1&amp;y=2&#38;z=%C3%A9")))) == [f"{A}?x=1&y=2&z=%C3%A9"]


UMLAUT = '<?xml version="1.0" encoding="{}"?>' + f"<urlset>{url(A + '/ü')}</urlset>"


@pytest.mark.parametrize(
    "body",
    [
        UMLAUT.format("utf-8").encode("utf-8-sig"),
        UMLAUT.format("utf-16").encode("utf-16"),
        ("\ufeff \n" + UMLAUT.format("utf-16")).encode("utf-16-be"),
        UMLAUT.format("iso-8859-1").encode("iso-8859-1"),
        UMLAUT.format("utf-16").encode(),  # what .NET says of UTF-8
        UMLAUT.format("martian").encode(),
        b"\n\n " + UMLAUT.format("utf-8").encode(),
    ],
)
def test_encodings(body: bytes) -> None:
    assert read(body) == Sitemap(format="urlset", entries=(SitemapEntry(f"{A}/ü"),))


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_gzip_is_told_by_its_first_bytes(layers: int) -> None:
    body = TWO
    for _ in range(layers):
        body = gzip.compress(body)
    assert locs(read(body)) == [A, B]
    assert read(body).error == ""


def test_gzip_in_three_layers_is_not_undone() -> None:
    body = gzip.compress(gzip.compress(gzip.compress(TWO)))
    assert read(body) == Sitemap(error="gzip inside gzip, more than 2 layers of it")


def test_gzip_in_several_members_is_one_file() -> None:
    assert locs(read(gzip.compress(TWO[:70]) + gzip.compress(TWO[70:]))) == [A, B]


def many(count: int) -> list[str]:
    return [f"https://example.com/{number}/{number * 7919 % 10007}" for number in range(count)]


@pytest.mark.parametrize("form", ["urlset", "text"])
def test_a_truncated_gzip_keeps_what_came(form: str) -> None:
    urls = many(20_000)
    plain = urlset(*map(url, urls)) if form == "urlset" else "\n".join(urls).encode()
    packed = gzip.compress(plain)
    sitemap = read(packed[: len(packed) // 2])
    assert sitemap.format == form
    assert sitemap.error == "truncated gzip: what came was read"
    assert len(sitemap.entries) > 5_000
    assert locs(sitemap) == urls[: len(sitemap.entries)]  # none is cut in half


def test_a_damaged_gzip_keeps_what_came_before() -> None:
    packed = bytearray(gzip.compress(urlset(*map(url, many(50_000)))))
    packed[-200_000:-199_000] = b"\0" * 1_000
    sitemap = read(bytes(packed))
    assert sitemap.error.startswith("damaged gzip, read as far as it went: ")
    assert sitemap.entries


def test_truncated_xml_keeps_whole_entries_only() -> None:
    end_of_b = TWO.index(b"</urlset>")
    for cut in range(end_of_b - len(url(B)), end_of_b + 1):
        sitemap = read(TWO[:cut])
        assert locs(sitemap) == ([A, B] if cut == end_of_b else [A])
        assert sitemap.error.startswith("malformed or truncated XML (")


@pytest.mark.parametrize(
    "broken",
    [
        url(f"{B}?x=1&y=2"),
        url(f"{B}?x=1&y;z"),
        url(f"{B}?x=1&&&"),
        url(f"{B}\x0b"),
        url(f"{B}\0"),
        url(f"{B}<br>"),
        f"<url><loc>{B}</url>",
        url(B, "<lastmod>"),
        url(B, "<a b=c/>"),
    ],
)
def test_a_broken_entry_costs_itself_only(broken: str) -> None:
    """To let lxml recover would list ``?x=1=2``."""
    for body in (urlset(url(A), broken, url(C)), urlset(broken, url(A), broken, url(C))):
        sitemap = read(body)
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
    assert locs(read(body.encode("iso-8859-1"))) == [f"{A}/ü"]


def test_bytes_that_are_not_utf_8_cost_their_entry() -> None:
    body = urlset(url(A), url(f"{B}/ü"), url(C))
    sitemap = read(body.replace("ü".encode(), b"\xfc"))
    assert locs(sitemap) == [A, C]
    assert "encoding" in sitemap.error


def test_a_prefix_that_nobody_declared_costs_nothing() -> None:
    sitemap = read(urlset(url(A, f"<image:image><image:loc>{C}</image:loc></image:image>"), url(B)))
    assert locs(sitemap) == [A, B]
    assert "Namespace prefix image" in sitemap.error


def test_such_prefixes_do_not_hide_a_broken_entry() -> None:
    images = "<image:image/>" * 200  # lxml keeps the first 100 messages
    sitemap = read(urlset(url(A, images), "\n", url(f"{B}?x=1&y=2"), url(C)))
    assert locs(sitemap) == [A, C]
    assert sitemap.error == (
        "malformed or truncated XML (line 2: EntityRef: expecting ';'); broken entries left out: 1"
    )


def test_what_follows_the_end_is_named() -> None:
    sitemap = read(TWO + b"<p>generated in 0.1 s</p>")
    assert locs(sitemap) == [A, B]
    assert "Extra content at the end of the document" in sitemap.error


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "the file is empty"),
        (b" \n", "the file is empty"),
        (b"Not found", "neither XML nor a list of URLs"),
        (b"%PDF-1.7\n\x00\xff", "neither XML nor a list of URLs"),
        (b'{"url": "https://example.com/"}', "neither XML nor a list of URLs"),
        (b"<!doctype html><html><head><meta charset=utf-8><p>Not found", "an HTML page"),
        (b"<HTML>", "an HTML page"),
        (b'<html xmlns="http://www.w3.org/1999/xhtml"/>', "an HTML page"),
        (b"<rss><channel/></rss>", "<rss> is no sitemap and no feed"),
        (b"<a:urlset/>", "<a:urlset> is no sitemap and no feed"),
        (b"<", "XML without a document element"),
        (b"<!-- <urlset/> -->", "XML without a document element"),
    ],
)
def test_what_is_no_sitemap_says_what_it_is(body: bytes, error: str) -> None:
    assert read(body) == Sitemap(error=error)
    assert read(gzip.compress(body)) == Sitemap(error=error)


def test_an_empty_urlset_is_one() -> None:
    assert read(urlset()) == Sitemap(format="urlset")


LAUGHS = "".join(
    f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' if level else '<!ENTITY l0 "ha">'
    for level in range(10)
)


@pytest.mark.parametrize(
    "declarations",
    [
        '<!ENTITY x "https://evil.example/">',
        '<!ENTITY x SYSTEM "file:///etc/passwd">',
        '<!ENTITY x SYSTEM "https://evil.example/x">',
        '<!ENTITY % p SYSTEM "https://evil.example/x.dtd"> %p;',
        LAUGHS.replace("l9", "x"),
    ],
    ids=["internal", "file", "network", "parameter", "laughs"],
)
def test_entities_are_not_expanded(declarations: str) -> None:
    body = f"<!DOCTYPE urlset [{declarations}]>".encode() + urlset(url(A), url("&x;"))
    assert read(body) == Sitemap(error="its DTD declares entities: nothing was read")


def test_a_dtd_elsewhere_is_not_fetched_and_its_entities_spoil_a_url() -> None:
    body = b'<!DOCTYPE urlset SYSTEM "https://evil.example/x.dtd">' + urlset(url(f"{A}&x;"), url(B))
    assert locs(read(body)) == [B]


@pytest.mark.parametrize("form", ["urlset", "text", "sitemapindex"])
def test_the_cap_on_entries_is_exact(form: str) -> None:
    urls = many(11)
    text = "\n".join(urls).encode()
    xml = urlset(*map(url, urls))
    index = xml.replace(b"urlset", b"sitemapindex").replace(b"url>", b"sitemap>")
    body = {"urlset": xml, "text": text, "sitemapindex": index}[form]
    capped, whole = read(body, max_entries=10), read(body, max_entries=11)
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
    assert locs(read(pack(plain), max_bytes=len(plain))) == [A, B]
    capped = read(pack(plain), max_bytes=len(plain) - 12)
    assert locs(capped) == [A]
    assert capped.error == f"larger than {len(plain) - 12:,} bytes: the rest was not read"


MEGABYTE = 1 << 20


@pytest.mark.parametrize(
    "body",
    [
        gzip.compress(b"<urlset>" + b"\0" * 100 * MEGABYTE),
        gzip.compress(gzip.compress(b" " * 100 * MEGABYTE)),
        b"<urlset>" + b"<a/>" * 2 * MEGABYTE,
        b"<urlset><url><loc>" + b"&" * 8 * MEGABYTE,
        b"<urlset>" + b"<a>" * 2 * MEGABYTE,
        b'<urlset><url a="' + b"x" * 8 * MEGABYTE,
        b"<urlset>" + b"</url>" * MEGABYTE,
        b"<urlset>" + b"<url></url>" * MEGABYTE,
        b"<urlset>" + b"<url><&></url>" * MEGABYTE,
        b"<urlset><url>" + b"<a/>" * 4 * MEGABYTE + b"</url>",
        b"<urlset>" + (b"<url>" + b"<i:i/>" * 20_000 + b"</url>") * 70,
    ],
    ids=[
        "bomb", "nested bomb", "elements", "ampersands", "depth", "attribute", "ends", "empty",
        "broken", "entry", "prefixes",
    ],
)  # fmt: skip
def test_a_hostile_file_costs_seconds_and_little_memory(body: bytes) -> None:
    sitemap, seconds, megabytes = read_alone(body)
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
from sitemapgen.core.sitemaps import read
peak = lambda: int(re.search(r"VmHWM:\\s+([0-9]+)", Path("/proc/self/status").read_text())[1])
body = sys.stdin.buffer.read()
before, start = peak(), time.process_time()
sitemap = read(body, max_bytes=32 << 20)
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
        [sys.executable, "-c", ALONE], input=body, capture_output=True, check=True, timeout=60
    )
    seconds, megabytes, sitemap = done.stdout.decode().removesuffix("\n").split(" ", 2)
    return sitemap, float(seconds), int(megabytes)


text = st.text("<>/url set&;![]ahttps:.\n\x00\ufeff")
pieces = st.lists(
    st.sampled_from([url(A), url("&x;"), "<url>", "</url>", "<loc>", "<!--", "-->", "]]>"]) | text
)


@given(st.binary() | pieces.map("".join).map(str.encode))
def test_no_file_is_too_strange(body: bytes) -> None:
    for start in (b"", b"<urlset>", b"<?xml", b"<!DOCTYPE a [", b"\x1f\x8b", b"\xff\xfe"):
        sitemap = read(start + body)
        assert sitemap.format or sitemap.error
        assert "\n" not in sitemap.error


@given(st.lists(st.sampled_from([A, B, C])), st.integers(0, 400))
def test_wherever_a_file_breaks_off_no_url_is_invented(urls: list[str], cut: int) -> None:
    body = urlset(*map(url, urls))[:cut]
    for form in (body, gzip.compress(body)):
        assert locs(read(form)) == urls[: body.count(b"</url>")]
