"""Answers that break every rule, and how a crawl of them has to end."""

import gzip
import random
import re
import zlib
from collections import Counter

from tests.helpers.crawls import IMPATIENT, Crawl, Crawler
from tests.helpers.raw import RawServer, answer

HTML = b"Content-Type: text/html; charset=utf-8"
QUICK = (
    *(*IMPATIENT, "-s", "RETRY_TIMES=0", "-s", "SITEMAPGEN_MAX_RETRY_AFTER=0.05"),
    *("-s", "SITEMAPGEN_BACKOFF_RETRIES=1"),
)


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


def crawl_rows(
    raw: RawServer, crawl: Crawler, rows: dict[str, tuple[bytes, str]]
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
    result = crawl(raw.url, "duplicates=off", settings=QUICK)
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


def status(line: object) -> bytes:
    return answer(PAGE, HTML, status=f"{line} What".encode())


PAGE = b"<!doctype html><p>A page"
LONG = b"9" * 300
HEADERS = {
    "/status-0": (status(0), "fetch_error"),
    "/status-99": (status(99), "fetch_error"),
    "/status-299": (status(299), "http_error"),
    "/status-600": (status(600), "http_error"),
    "/status-1000": (status(1000), "fetch_error"),
    "/status-32-bits": (status(2**32), "fetch_error"),
    "/status-63-bits": (status(2**63), "fetch_error"),
    "/status-64-bits": (status(2**64), "fetch_error"),
    "/status-400-digits": (status(10**400), "fetch_error"),
    "/status-negative": (status(-200), "fetch_error"),
    "/status-word": (answer(PAGE, HTML, status=b"OK"), "fetch_error"),
    "/status-999": (status(999), "http_error"),
    "/status-text": (answer(PAGE, HTML, status=b"500 \xff\x00\x1b[31m"), "http_error"),
    "/status-204": (answer(b"", HTML, status=b"204 Nothing"), "http_error"),
    "/age": (document(b"Age: " + LONG), "listed"),
    "/max-age": (document(b"Cache-Control: max-age=" + LONG), "listed"),
    "/date": (document(b"Date: Fri, 31 Dec 9999 23:59:59 -2359", b"Age: -1"), "listed"),
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
    "/retry-after-float": (moved(b"/good-1", b"Retry-After: 1e999"), "redirect"),
    "/retry-after-nan": (answer(b"", b"Retry-After: nan", status=b"503 Busy"), "http_error"),
    "/retry-after-date": (
        moved(b"/good-1", b"Retry-After: Fri, 31 Dec 9999 23:59:59 -2359"),
        "redirect",
    ),
    "/type-bytes": (typed(b"\xff\xfe\x80"), "listed"),
    "/type-punctuation": (typed(b";;;,=/="), "listed"),
    "/type-control": (typed(b"text/\x00\x1b[31mhtml"), "not_html"),
    "/type-long": (typed(b"text/html; charset=" + b"x" * 9_000), "listed"),
    "/type-charset": (typed(b"text/html; charset=\"\xff\x00'; charset="), "listed"),
    "/type-empty": (typed(b""), "listed"),
    "/type-twice": (answer(PAGE, b"Content-Type: text/html", b"Content-Type: a/b"), "not_html"),
    "/link-brackets": (document(b"Link: " + b"<" * 5_000), "listed"),
    "/link-punctuation": (document(b'Link: <>;;;,,;=<;>",<\xff>; rel="canonical'), "listed"),
    "/link-no-url": (document(b"Link: <http://[::1>; rel=canonical"), "listed"),
    "/link-quotes": (document(b"Link: </x>; rel=" + b'"\\' * 4_000), "listed"),
    "/links-of-a-megabyte": (
        document(*(b"Link: <" + b"a" * 16_000 + b">;rel=x" for _ in range(50))),
        "listed",
    ),
    "/robots-punctuation": (document(b"X-Robots-Tag: :::,,,;;;\xff: ,noindex:"), "listed"),
    "/robots-never": (document(b"X-Robots-Tag: unavailable_after: the day after"), "listed"),
    "/robots-commas": (document(b"X-Robots-Tag: " + b"," * 9_000 + b"noindex"), "noindex"),
    "/tags-of-a-megabyte": (
        document(b"X-Robots-Tag: noindex", *(b"X-Robots-Tag: " + b"a," * 8_000 for _ in range(50))),
        "noindex",
    ),
    "/modified-words": (document(b"Last-Modified: yesterday"), "listed"),
    "/modified-numbers": (document(b"Last-Modified: Thu, 99 Foo 99999 99:99:99 +9999"), "listed"),
    "/modified-digits": (document(b"Last-Modified: " + b"9" * 9_000), "listed"),
    "/modified-bytes": (document(b"Last-Modified: \xff\x00", b"Date: \xff"), "listed"),
    "/modified-9999": (document(b"Last-Modified: Fri, 31 Dec 9999 23:59:59 -2359"), "listed"),
    "/modified-0001": (document(b"Last-Modified: Mon, 01 Jan 0001 00:00:00 +2359"), "listed"),
    "/refresh-garbage": (document(b"Refresh: 9" + b"9" * 5_000 + b"; url=http://["), "listed"),
    "/refresh-late": (document(b"Refresh: " + LONG + b"; url=/good-1"), "listed"),
    "/etag-bytes": (document(b'ETag: W/"\xff\x00', b"Set-Cookie: \xff=;;=\x00"), "listed"),
    "/gzip-that-is-none": (packed(b"gzip", PAGE), "fetch_error"),
    "/gzip-broken": (packed(b"gzip", gzip.compress(PAGE * 99)[:60] + b"\xff" * 60), "listed"),
    "/gzip-cut": (
        packed(b"gzip", gzip.compress(random.Random(1).randbytes(999))[:500]),
        "fetch_error",
    ),
    "/gzip-twice": (packed(b"gzip, gzip", gzip.compress(gzip.compress(PAGE))), "listed"),
    "/gzip-bomb": (packed(b"gzip", gzip.compress(bytes(40_000_000))), "fetch_error"),
    "/deflate-raw": (packed(b"deflate", zlib.compress(PAGE)[2:-4]), "listed"),
    "/brotli-that-is-none": (packed(b"br", PAGE), "fetch_error"),
    "/encoding-unknown": (packed(b"x-unknown", PAGE), "listed"),
    "/encoding-bytes": (packed(b"\xff", PAGE), "fetch_error"),
    "/headers-none": (b"HTTP/1.1 200 OK\r\n\r\n" + PAGE, "listed"),
    "/headers-10000": (document(*(b"X-%d: y" % number for number in range(10_000))), "listed"),
    "/headers-no-colon": (document(b"no colon", b": no name", b"\xff\x00: \x00"), "fetch_error"),
    "/header-of-a-megabyte": (document(b"X: " + b"y" * 1_000_000), "fetch_error"),
    "/headers-of-half-a-megabyte": (document(*[b"X: " + b"y" * 500] * 1_000), "listed"),
    "/headers-without-an-end": (document(*[b"X: " + b"y" * 500] * 8_000), "fetch_error"),
    "/a-header-without-an-end": (document(*[b" " + b"y" * 500] * 8_000), "fetch_error"),
    "/continue-without-an-end": (b"HTTP/1.1 100 Go on\r\n\r\n" * 200_000, "fetch_error"),
    "/length-negative": (document(b"Content-Length: -1"), "fetch_error"),
    "/length-words": (document(b"Content-Length: many"), "fetch_error"),
    "/length-of-300-digits": (document(b"Content-Length: " + LONG), "fetch_error"),
    "/length-64-bits": (document(b"Content-Length: 18446744073709551617"), "fetch_error"),
    "/length-two": (document(b"Content-Length: 3", b"Content-Length: 9"), "fetch_error"),
    "/length-more-than-there-is": (document(b"Content-Length: 99999"), "fetch_error"),
    "/chunked-garbage": (document(b"Transfer-Encoding: chunked"), "fetch_error"),
    "/no-http": (b"\x00\xff garbage \r\n\r\n" * 9, "fetch_error"),
    "/nothing": (b"", "fetch_error"),
    "/ends-in-the-headers": (b"HTTP/1.1 200 OK\r\nContent-Type: te", "fetch_error"),
}


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
