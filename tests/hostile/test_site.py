"""A site that serves one hostile answer of each kind beside twenty honest pages: all are listed."""

import gzip

import pytest

from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.hostile import assert_ends_well
from tests.helpers.raw import RawServer, answer
from tests.store.tables import is_sound

HTML = b"Content-Type: text/html; charset=utf-8"
XML = b"Content-Type: application/xml"
QUICK = (*IMPATIENT, "-s", "RETRY_TIMES=0", "-s", "SITEMAPGEN_MAX_RETRY_AFTER=0.05")
PAGE = b"<!doctype html><title>Strange</title><p>A page with a strange way to be sent"

LINKED = [f"/linked/{number}" for number in range(10)]
NAMED = [f"/named/{number}" for number in range(9)] + ["/named/;"]


def html(*headers: bytes, status: bytes = b"200 OK", body: bytes = PAGE) -> bytes:
    return answer(body, HTML, *headers, status=status)


def moved(*headers: bytes, body: bytes = b"") -> bytes:
    return answer(body, b"Location: /linked/1", *headers, status=b"301 Moved")


ANSWERS = {
    # Statuses and numbers
    "/status-64-bits": html(status=b"18446744073709551617 Big"),
    "/status-99": html(status=b"99 Small"),
    "/length-64-bits": html(b"Content-Length: 18446744073709551617"),
    "/retry-after": moved(b"Retry-After: " + b"9" * 400),
    "/modified": html(b"Last-Modified: Fri, 31 Dec 9999 23:59:59 -2359"),
    # Headers
    "/links": html(*[b"Link: " + b'<,"\\' * 4_000] * 20),
    "/link-quotes": html(b"Link: </x>; rel=" + b'"\\' * 8_000),
    "/tags": html(*[b"X-Robots-Tag: " + b"a:," * 5_000] * 20),
    "/type": html(b"Content-Type: text/html; charset=" + b'"' * 16_000),
    "/cookies": html(*[b"Set-Cookie: \xff=;;=\x00" + b"a" * 4_000] * 20),
    "/header-of-a-megabyte": html(b"X: " + b"y" * 1_000_000),
    # Bodies
    "/redirect-gzip": moved(b"Content-Encoding: gzip", body=PAGE),
    "/redirect-cut": moved(b"Content-Length: 999", body=PAGE),
    "/gzip-bomb": html(b"Content-Encoding: gzip", body=gzip.compress(bytes(40_000_000))),
    "/gzip-none": html(b"Content-Encoding: gzip"),
    "/cut": html(b"Content-Length: 99999"),
    "/chunks": html(b"Transfer-Encoding: chunked"),
    "/nothing": b"",
    "/no-http": b"\x00\xff garbage\r\n\r\n",
    # URLs
    "/a;": html(),
    "/a": html(),
    "/redirect-circle": answer(b"", b"Location: /redirect-circle", status=b"302 Found"),
    "/redirect-long": answer(b"", b"Location: /" + b"a" * 9_000, status=b"302 Found"),
    "/redirect-no-url": answer(b"", b"Location: http://[", status=b"302 Found"),
}

HREFS = [
    *("http://[", "//", "http://%00/", "/" + "?" * 3_000, "/" + "/x" * 3_000, "/" + "%" * 2_000),
    *("/(S(x))@e.example/", "/..;sid=1/;sid=1/", "/x" * 12, "?" + "&" * 2_000, "\x00\x1b[31m"),
]

ENTRY = "<url><loc>{}</loc></url>"
SITEMAPS = {
    "odd-namespace": '<urlset xmlns:i="http://x/ y"><url><loc>/?a&b</loc></url>LOC</urlset>',
    "ampersands": "<urlset>LOC<url><loc>" + "&" * 100_000,
    "several": "<urlset><url><loc>/x</loc><loc>/y</loc></url><url/>LOC</urlset>",
    "cut": "<urlset>LOC<url><loc>/x</loc><lastmod>2024-",
    "encoding": '<?xml version="1.0" encoding="martian"?><urlset>LOC</urlset>',
    "numbers": "<urlset>LOC<url><loc>/x</loc><priority>1e999</priority>"
    "<lastmod>9999-12-31T23:59:59-23:59</lastmod></url></urlset>",
    "text": "LINE\n" + "x\n" * 100,
    "feed": "<rss><item><guid>LINK</guid></item><item><guid>x</guid></item></rss>",
    "depth": "<urlset>LOC" + "<x>" * 1_000,
    "entities": '<!DOCTYPE urlset [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>',
    "namespace": f'<urlset xmlns="{"x" * 60_000}"><url><loc>/x</loc></url></urlset>',
    "nothing": "",
    "bomb": "",
    "last": "<urlset>LOC</urlset>",
}

ROBOTS = (
    "\ufeffUser-agent: *\nCrawl-delay: nan\nCrawl-delay: 1e999\nRequest-rate: 1/" + "9" * 5_000
    + "\nVisit-time: 9999-9999\nDisallow: /" + "*a" * 2_000 + "$\nDisallow: /*/*/*/*/no$\n"
    + "Sitemap: http://[\n"
)  # fmt: skip


def sitemap_files(base: str) -> dict[str, bytes]:
    """The broken files, each with one of the pages that nothing links to, as far as it can."""
    named = iter(NAMED)
    files = {}
    for name, text in SITEMAPS.items():
        url = base + next(named) if any(place in text for place in ("LOC", "LINE", "LINK")) else ""
        filled = text.replace("LOC", ENTRY.format(url)).replace("LINE", url).replace("LINK", url)
        body = gzip.compress(bytes(60_000_000)) if name == "bomb" else filled.encode()
        files[f"/{name}.xml"] = answer(body, XML)
    assert next(named, None) is None
    return files


@pytest.mark.parametrize("strategy", ["bfs", "balanced"])
def test_one_of_each_kind(strategy: str, raw: RawServer, crawl: Crawler) -> None:
    base = raw.url[:-1]
    files = sitemap_files(base)
    honest = {
        path: html(body=f"<!doctype html><title>{path}</title><p>All about {path}".encode())
        for path in [*LINKED, *NAMED]
    }
    hrefs = [*HREFS, *(href for pair in zip(ANSWERS, LINKED * 3) for href in pair)]
    links = "".join(f'<a href="{href}">x</a>' for href in hrefs)
    robots = ROBOTS + "".join(f"Sitemap: {path}\n" for path in files)
    raw.answers = {
        "/": html(body=f"<!doctype html><title>Home</title><p>{links}".encode()),
        "/robots.txt": answer(robots.encode(), b"Content-Type: text/plain"),
        **honest,
        **ANSWERS,
        **files,
    }
    result = crawl(raw.url, f"strategy={strategy}", settings=QUICK)
    assert_ends_well(result)
    verdicts = {url.removeprefix(base): verdict for url, verdict in result.verdicts.items()}
    assert {path: verdicts.get(path) for path in honest} == dict.fromkeys(honest, "listed")
    assert {base + path for path in ["/", *honest]} <= set(result.sitemap)
    assert set(verdicts) >= set(ANSWERS)
    assert [verdicts[f"/redirect-{what}"] for what in ("gzip", "cut")] == ["redirect"] * 2
    assert [verdicts[f"/status-{what}"] for what in ("64-bits", "99")] == ["fetch_error"] * 2
    read = {file["url"].removeprefix(base): file["error"] for file in result.report["sitemaps"]}
    faulty = {path for path, error in read.items() if error}
    assert set(files) <= set(read)
    assert faulty == set(files) - {"/numbers.xml", "/feed.xml", "/encoding.xml", "/last.xml"}
    assert is_sound(result.state)
