"""Sites that send garbage: the crawl ends well, and garbage costs the page only that sends it."""

from __future__ import annotations

import base64
import gzip
import random
import re
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import pytest

from sitemapgen.core import robots
from tests.crawls.conftest import IMPATIENT, Crawl
from tests.helpers.raw import RawServer, answer
from tests.helpers.server import Answer, Server, page, text, xml
from tests.helpers.shared import conformance

Serve = Callable[..., Server]
Run = Callable[..., Crawl]

HTML = b"Content-Type: text/html; charset=utf-8"
QUICK = (*IMPATIENT, "-s", "RETRY_TIMES=0", "-s", "SITEMAPGEN_MAX_RETRY_AFTER=0.05")
QUICK = (*QUICK, "-s", "SITEMAPGEN_BACKOFF_RETRIES=1", "-s", "DOWNLOAD_TIMEOUT=10")


def assert_ends_well(result: Crawl) -> None:
    """A sitemap, counts that add up, and nothing in the log but our own printable lines."""
    assert result.code == 0, result.log
    for line in result.log.splitlines():
        assert re.fullmatch(r"[-0-9]{10} [:0-9]{8} (?:INFO|WARNING) .{,1000}", line), line
        assert line.isprintable(), ascii(line)
    verdicts = Counter(result.verdicts.values())
    told = {name: count for name, count in result.report["verdicts"].items() if count}
    assert told == verdicts
    assert len(result.sitemap) == verdicts["listed"]


@pytest.fixture
def raw() -> Iterator[RawServer]:
    server = RawServer()
    yield server
    server.stop()


def crawl_rows(
    raw: RawServer, crawl: Run, rows: dict[str, tuple[bytes, str]]
) -> tuple[Crawl, dict[str, str]]:
    """Crawl a start page with links to all rows and an ordinary page between every two of them.

    Returns the verdicts of the rows; the ordinary pages are all listed.
    """
    names = list(rows)
    good = [f"/good-{number}" for number in range(len(names) + 1)]
    hrefs = [href for pair in zip(good, names) for href in pair] + good[-1:]
    links = "".join(f'<a href="{href}">x</a>' for href in hrefs)
    raw.answers = {
        "/": answer(f"<!doctype html><p>{links}".encode(), HTML),
        **{path: answer(f"<!doctype html><p>{path}".encode(), HTML) for path in good},
        **{path: sent for path, (sent, _) in rows.items()},
    }
    result = crawl(raw.url, settings=QUICK)
    assert_ends_well(result)
    verdicts = {url.removeprefix(raw.url[:-1]): name for url, name in result.verdicts.items()}
    assert {path: verdicts[path] for path in ["/", *good]} == dict.fromkeys(["/", *good], "listed")
    return result, {path: verdicts[path] for path in rows}


def document(*headers: bytes) -> bytes:
    return answer(b"<!doctype html><p>A page", HTML, *headers)


def moved(location: bytes, *headers: bytes) -> bytes:
    return answer(b"", b"Location: " + location, *headers, status=b"301 Moved Permanently")


def typed(content_type: bytes, body: bytes = b"<!doctype html><p>A page") -> bytes:
    return answer(body, b"Content-Type: " + content_type)


def packed(encoding: bytes, body: bytes) -> bytes:
    return answer(body, HTML, b"Content-Encoding: " + encoding)


PAGE = b"<!doctype html><p>A page"
HEADERS = {
    "/location-itself": (moved(b"/location-itself"), "redirect"),
    "/location-circle": (moved(b"/location-circle-2"), "redirect"),
    "/location-circle-2": (moved(b"/location-circle"), "redirect"),
    "/location-empty": (moved(b""), "http_error"),
    "/location-no-url": (moved(b"http://[::1"), "http_error"),
    "/location-bytes": (moved(b"/\xff\xfe\x80"), "redirect"),
    "/location-control": (moved(b"/good-1\x00\x07\x1b[31m"), "redirect"),
    "/location-folded": (moved(b"/good-1\r\n /good-2"), "redirect"),
    "/location-script": (moved(b"javascript:alert(1)"), "http_error"),
    "/location-file": (moved(b"file:///etc/passwd"), "http_error"),
    "/location-private": (moved(b"http://169.254.169.254/latest"), "offsite_redirect"),
    "/location-long": (moved(b"/" + b"a" * 10_000), "redirect"),
    "/location-twice": (moved(b"/good-1", b"Location: /good-2"), "redirect"),
    "/retry-after-years": (moved(b"/good-1", b"Retry-After: " + b"9" * 400), "redirect"),
    "/retry-after-soon": (
        answer(b"", b"Retry-After: soon\xff", status=b"503 Busy"),
        "http_error",
    ),
    "/retry-after-negative": (
        answer(b"", b"Retry-After: -1e9", status=b"429 Slow down"),
        "http_error",
    ),
    "/type-bytes": (typed(b"\xff\xfe\x80"), "not_html"),
    "/type-punctuation": (typed(b";;;,=/="), "not_html"),
    "/type-control": (typed(b"text/\x00\x1b[31mhtml"), "not_html"),
    "/type-long": (typed(b"text/html; charset=" + b"x" * 9_000), "listed"),
    "/type-charset": (typed(b"text/html; charset=\"\xff\x00'; charset="), "listed"),
    "/type-empty": (typed(b""), "listed"),
    "/type-twice": (answer(PAGE, b"Content-Type: text/html", b"Content-Type: a/b"), "listed"),
    "/link-brackets": (document(b"Link: " + b"<" * 5_000), "listed"),
    "/link-punctuation": (document(b'Link: <>;;;,,;=<;>",<\xff>; rel="canonical'), "listed"),
    "/link-no-url": (document(b"Link: <http://[::1>; rel=canonical"), "listed"),
    "/link-quotes": (document(b"Link: </x>; rel=" + b'"\\' * 4_000), "listed"),
    "/robots-punctuation": (document(b"X-Robots-Tag: :::,,,;;;\xff: ,noindex:"), "listed"),
    "/robots-never": (document(b"X-Robots-Tag: unavailable_after: the day after"), "listed"),
    "/robots-commas": (document(b"X-Robots-Tag: " + b"," * 9_000 + b"noindex"), "noindex"),
    "/modified-words": (document(b"Last-Modified: yesterday"), "listed"),
    "/modified-numbers": (document(b"Last-Modified: Thu, 99 Foo 99999 99:99:99 +9999"), "listed"),
    "/modified-digits": (document(b"Last-Modified: " + b"9" * 9_000), "listed"),
    "/modified-bytes": (document(b"Last-Modified: \xff\x00", b"Date: \xff"), "listed"),
    "/refresh-garbage": (document(b"Refresh: 9" + b"9" * 5_000 + b"; url=http://["), "listed"),
    "/etag-bytes": (document(b'ETag: W/"\xff\x00', b"Set-Cookie: \xff=;;=\x00"), "listed"),
    "/gzip-that-is-none": (packed(b"gzip", PAGE), "fetch_error"),
    "/gzip-broken": (packed(b"gzip", gzip.compress(PAGE * 99)[:60] + b"\xff" * 60), "listed"),
    "/gzip-cut": (packed(b"gzip", gzip.compress(random.Random(1).randbytes(999))[:500]), "listed"),
    "/gzip-twice": (packed(b"gzip, gzip", gzip.compress(gzip.compress(PAGE))), "listed"),
    "/deflate-raw": (packed(b"deflate", zlib.compress(PAGE)[2:-4]), "listed"),
    "/brotli-that-is-none": (packed(b"br", PAGE), "fetch_error"),
    "/encoding-unknown": (packed(b"x-unknown", PAGE), "listed"),
    "/encoding-bytes": (packed(b"\xff", PAGE), "fetch_error"),
    "/headers-none": (b"HTTP/1.1 200 OK\r\n\r\n" + PAGE, "listed"),
    "/headers-10000": (document(*(b"X-%d: y" % number for number in range(10_000))), "listed"),
    "/headers-no-colon": (document(b"no colon", b": no name", b"\xff\x00: \x00"), "fetch_error"),
    "/header-of-a-megabyte": (document(b"X: " + b"y" * 1_000_000), "fetch_error"),
    "/length-negative": (document(b"Content-Length: -1"), "fetch_error"),
    "/length-words": (document(b"Content-Length: many"), "fetch_error"),
    "/length-two": (document(b"Content-Length: 3", b"Content-Length: 9"), "fetch_error"),
    "/length-more-than-there-is": (document(b"Content-Length: 99999"), "fetch_error"),
    "/chunked-garbage": (document(b"Transfer-Encoding: chunked"), "fetch_error"),
    "/status-word": (answer(PAGE, HTML, status=b"OK"), "fetch_error"),
    "/status-999": (answer(PAGE, HTML, status=b"999 Denied"), "http_error"),
    "/status-text": (answer(PAGE, HTML, status=b"500 \xff\x00\x1b[31m"), "http_error"),
    "/status-204": (answer(b"", HTML, status=b"204 Nothing"), "http_error"),
    "/no-http": (b"\x00\xff garbage \r\n\r\n" * 9, "fetch_error"),
    "/nothing": (b"", "fetch_error"),
    "/ends-in-the-headers": (b"HTTP/1.1 200 OK\r\nContent-Type: te", "fetch_error"),
}


def test_headers(raw: RawServer, crawl: Run) -> None:
    result, found = crawl_rows(raw, crawl, HEADERS)
    assert found == {path: verdict for path, (_, verdict) in HEADERS.items()}
    assert {path for path in raw.paths if path.startswith("/latest")} == set()
    for path in ("/gzip-that-is-none", "/brotli-that-is-none", "/encoding-bytes"):
        assert "Content-Encoding" in result.urls[raw.url[:-1] + path]["evidence"]


def html(body: bytes) -> bytes:
    return answer(body, HTML)


def deep_json() -> bytes:
    nested = b'<script type="application/ld+json">' + b'{"a":[' * 50_000 + b"</script>"
    return nested + b'<script type="application/ld+json">{"dateModified": 1%s}</script>' % (
        b"0" * 9_000
    )


DOCUMENTS = {
    "/empty": b"",
    "/png": b"\x89PNG\r\n\x1a\n" + random.Random(2).randbytes(9_000),
    "/pdf": b"%PDF-1.7\n" + random.Random(3).randbytes(9_000),
    "/zip": gzip.compress(PAGE),
    "/zeros": bytes(100_000),
    "/noise": random.Random(4).randbytes(200_000),
    "/utf-16": PAGE.decode().encode("utf-16le"),
    "/json": b'{"a": ["<a href=/json>"]}',
    "/xml-bomb": b'<!DOCTYPE x [<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">]><x>&c;</x>',
    "/deep": b"<div>" * 100_000 + b"deep",
    "/angles": b"<" * 500_000,
    "/ampersands": b"&" * 500_000,
    "/comment": b"<!--" + b"-" * 500_000,
    "/attribute": b"<p x='" + b"y" * 500_000,
    "/attributes": b"<p " + b"".join(b"a%d " % number for number in range(50_000)) + b">",
    "/no-urls": b"<a href='http://['>x</a>" * 20_000,
    "/urls": b"".join(b"<a href='%s'>x</a>" % href for href in (
        b"javascript:void(0)", b"data:text/html,<a>", b"\x00\x1b[31m", b"http://\xff.example/",
        b"//", b"http:////127.0.0.1", b"?" * 5_000, b"/" * 5_000, b"../" * 5_000, b"http://1.2.3.4.5/",
        b"&#0;&#xD800;&#99999999;", b"http://127.0.0.1:99999/", b"http://%00/", b"\\\\127.0.0.1\\x",
    )),
    "/title": b"<title>=cmd|\x1b[31m\x07\r\n2026-01-01 00:00:00 ERROR forged\xe2\x80\xa8</title>",
    "/base": b"<base href='http://['><a href=/good-1>x</a><base href='javascript:x'>",
    "/refresh": b"<meta http-equiv=refresh content='" + b"9" * 9_000 + b";url=http://['>",
    "/json-ld": deep_json(),
    "/dates": b"<meta property=article:modified_time content='" + b"9" * 9_000 + b"'><time>\xff",
    "/robots": b"<meta name=robots content='" + b"," * 100_000 + b"\xff:unavailable_after:'>",
    "/canonical": b"<link rel=canonical href='http://['><link rel=canonical href='\x00'>",
    "/hreflang": b"<link rel=alternate hreflang='\xff' href='http://['>" * 5_000,
    "/frames": b"<frameset><frame src='//['><frame src>" * 1_000,
    "/template": b"<template shadowrootmode=open>" * 5_000,
}  # fmt: skip


def test_documents_that_are_no_html(raw: RawServer, crawl: Run) -> None:
    """They say that they are, and so they are listed; but for what becomes of their links."""
    rows = {path: (html(body), "listed") for path, body in DOCUMENTS.items()}
    result, found = crawl_rows(raw, crawl, rows)
    assert found == dict.fromkeys(DOCUMENTS, "listed")
    beyond = {path for path in raw.paths if path not in raw.answers}
    assert not [path for path in beyond if len(path) > 2_048]
    assert "forged" not in result.log
    assert result.urls[f"{raw.url}title"]["title"].startswith("'=cmd|")


# robots.txt


@pytest.mark.alone
def test_a_robots_txt_of_5_mb(serve: Serve, crawl: Run) -> None:
    """The rules of its first 512,000 bytes hold: 22,743, in less than half a second for a URL."""
    rules = ["User-agent: *", "Disallow: /no", *(f"Disallow: /*/{n}/*x$" for n in range(250_000))]
    body = "\n".join(rules)
    assert len(body) > 5_000_000
    names = [f"/page-{number}" for number in range(10)]
    server = serve({"/robots.txt": text(body), "/": page(*names, "/no/1", "/a/249999/x")})
    server.site = {**server.site, **{name: page(text=name) for name in [*names, "/a/249999/x"]}}
    began = time.monotonic()
    result = crawl(server.url)
    assert time.monotonic() - began < 3 + 0.5 * 13
    assert_ends_well(result)
    listed = [url.removeprefix(server.url[:-1]) for url in result.sitemap]
    assert sorted(listed) == sorted(["/", *names, "/a/249999/x"])
    assert result.verdicts[f"{server.url}no/1"] == "robots_disallowed"


ROBOTS = [
    case["robots"]
    for name in ("cases", "parse_stats")
    for case in conformance(f"robots_google/{name}.jsonl")
]
BROKEN = [
    "\ufeff" * 3,
    "\x00" * 1000,
    "<html><body>404</body></html>",
    ":\n" * 1000,
    "User-agent: *\n" * 1000,
    "Disallow: /\n" * 9,
    "User-agent: *\nDisallow: /" + "*a" * 3000 + "$",
    "Sitemap: http://[\n" * 9,
    "User-agent: *\nCrawl-delay: 1e999\nRequest-rate: 0/0\nVisit-time: 9999-9999\nSitemap: \x1b[3m",
]
OF_ALL = list(dict.fromkeys([*BROKEN, *ROBOTS]))


@pytest.mark.parametrize(
    "body",
    [
        *BROKEN[-3:],
        *(pytest.param(body, marks=pytest.mark.slow) for body in OF_ALL if body not in BROKEN[-3:]),
    ],
    ids=lambda body: ascii(body)[:40],
)
def test_any_robots_txt(body: str, serve: Serve, crawl: Run) -> None:
    server = serve({"/robots.txt": text(body), "/": page("/a", "/b"), "/a": page(), "/b": page()})
    result = crawl(server.url)
    rules = robots.parse(body.encode())
    if rules.refusal(server.url):
        assert result.code == 4, result.log
        return
    assert_ends_well(result)
    urls = [f"{server.url}{name}" for name in ("", "a", "b")]
    assert result.sitemap == [url for url in urls if not rules.refusal(url)]


# Everything that is public and broken, at once


def body_of(value: Any) -> bytes:
    """The converters' spelling of bytes: text, {bytes: text} or {bytes_b64: base64}."""
    if isinstance(value, dict) and "bytes_b64" in value:
        return base64.b64decode(value["bytes_b64"])
    return str(value["bytes"] if isinstance(value, dict) else value).encode(
        "utf-8", "surrogatepass"
    )


def all_documents() -> list[bytes]:
    bodies = [
        base64.b64decode(case["body_b64"])
        for case in conformance("html_html5lib_encoding/cases.jsonl")
    ]
    bodies += [
        body_of(case["response"].get("body", {"bytes_b64": case["response"].get("body_b64")}))
        for case in conformance("html_scrapy_links/cases.jsonl")
    ]
    bodies += [
        body_of(argument)
        for case in conformance("html_w3lib/cases.jsonl")
        for argument in case["args"]
        if argument is not None
    ]
    for name in ("meta", "meta_refresh"):
        bodies += [case["html"].encode() for case in conformance(f"robots_tags/{name}.jsonl")]
    return list(dict.fromkeys(bodies))


def test_all_documents_headers_and_hrefs(serve: Serve, crawl: Run) -> None:
    served = {f"/document-{number}": Answer(body) for number, body in enumerate(all_documents())}
    for case in conformance("robots_tags/headers.jsonl"):
        tags = [header.partition(":")[2].strip() for header in case["headers"]]
        headers = {"Content-Type": "text/html", "X-Robots-Tag": ", ".join(tags)}
        served[f"/tagged-{case['id']}"] = Answer("<p>x", headers=headers)
    hrefs = [escape(case["input"]) for case in conformance("url_wpt/cases.jsonl")]
    served["/hrefs"] = page(*(href.encode("utf-8", "replace").decode() for href in hrefs))
    served |= {f"/good-{number}": page(text=f"Good {number}") for number in range(20)}
    server = serve({"/": page(*served), **served})
    result = crawl(server.url)
    assert_ends_well(result)
    seen = {url.removeprefix(server.url[:-1]) for url in result.urls}
    assert set(served) <= seen
    assert {f"{server.url}good-{number}" for number in range(20)} <= set(result.sitemap)
    paths = {path.partition("#")[0] for path in server.paths}
    assert {url.removeprefix(server.url[:-1]) for url in result.sitemap} <= paths


def test_all_sitemaps(serve: Serve, crawl: Run) -> None:
    cases = [
        case["body"]
        for case in conformance("sitemap_scrapy/cases.jsonl")
        if case["kind"] == "sitemap"
    ]
    bodies = (
        [case.encode() for case in cases] + all_documents() + [body.encode() for body in OF_ALL]
    )
    bodies += [gzip.compress(cases[0].encode())[:-9], b"\x1f\x8b" + bytes(99), *DOCUMENTS.values()]
    files = {
        f"/map-{number}.xml": xml("")._replace(body=body) for number, body in enumerate(bodies)
    }
    server = serve({})
    # So many in a row may fail before the others are left alone.
    names = [f"/good-{number}" for number in range(len(files) // 50 + 1)]
    good = {
        f"{name}.xml": xml(f"<urlset><url><loc>{server.url[:-1]}{name}</loc></url></urlset>")
        for name in names
    }
    bad = list(files)
    order = [each for n, name in enumerate(good) for each in [*bad[50 * n : 50 * n + 50], name]]
    server.site = {
        **{name: page(text=name) for name in names},
        **files,
        **good,
        "/robots.txt": text("".join(f"Sitemap: {name}\n" for name in order)),
        "/": page(),
    }
    result = crawl(server.url)
    assert_ends_well(result)
    assert {server.url, *(server.url[:-1] + name for name in names)} <= set(result.sitemap)
    read = {file["url"].removeprefix(server.url[:-1]) for file in result.report["sitemaps"]}
    assert {*files, *good} <= read
