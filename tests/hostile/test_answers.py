"""Answers whose status, headers or body are broken, beside pages that are not."""

import gzip

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.hostile import HTML, PAGE, crawl_rows, document, moved
from tests.helpers.raw import RawServer, answer

PACKED = gzip.compress(PAGE * 99)
NO_DIGITS = "the status of the answer is no number of three digits"


def status(number: int) -> bytes:
    return answer(PAGE, HTML, status=b"%d What" % number)


STATUSES = {
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
}


def test_statuses(raw: RawServer, crawl: Crawler) -> None:
    result, found = crawl_rows(raw, crawl, STATUSES)
    assert found == {path: verdict for path, (_, verdict) in STATUSES.items()}
    for path in ("/status-1000", "/status-63-bits", "/status-64-bits", "/status-400-digits"):
        assert result.urls[raw.url[:-1] + path]["evidence"] == NO_DIGITS


LONG = b"9" * 300
NUMBERS = {
    "/age": (document(b"Age: " + LONG), "listed"),
    "/max-age": (document(b"Cache-Control: max-age=" + LONG), "listed"),
    "/retry-after": (moved(b"/good-1", b"Retry-After: " + LONG), "redirect"),
    "/retry-after-float": (moved(b"/good-1", b"Retry-After: 1e999"), "redirect"),
    "/retry-after-nan": (answer(b"", b"Retry-After: nan", status=b"503 Busy"), "http_error"),
    "/retry-after-date": (
        moved(b"/good-1", b"Retry-After: Fri, 31 Dec 9999 23:59:59 -2359"),
        "redirect",
    ),
    "/modified": (document(b"Last-Modified: Fri, 31 Dec 9999 23:59:59 -2359"), "listed"),
    "/modified-0001": (document(b"Last-Modified: Mon, 01 Jan 0001 00:00:00 +2359"), "listed"),
    "/date": (document(b"Date: Fri, 31 Dec 9999 23:59:59 -2359", b"Age: -1"), "listed"),
    "/length": (document(b"Content-Length: " + LONG), "fetch_error"),
    "/length-64-bits": (document(b"Content-Length: 18446744073709551617"), "fetch_error"),
    "/refresh": (document(b"Refresh: " + LONG + b"; url=/good-1"), "listed"),
    "/links-of-a-megabyte": (
        document(*(b"Link: <" + b"a" * 16_000 + b">;rel=x" for _ in range(50))),
        "listed",
    ),
    "/tags-of-a-megabyte": (
        document(b"X-Robots-Tag: noindex", *(b"X-Robots-Tag: " + b"a," * 8_000 for _ in range(50))),
        "noindex",
    ),
    "/headers-of-half-a-megabyte": (document(*[b"X: " + b"y" * 500] * 1_000), "listed"),
    "/headers-without-an-end": (document(*[b"X: " + b"y" * 500] * 8_000), "fetch_error"),
    "/a-header-without-an-end": (document(*[b" " + b"y" * 500] * 8_000), "fetch_error"),
    "/continue-without-an-end": (b"HTTP/1.1 100 Go on\r\n\r\n" * 200_000, "fetch_error"),
}


def test_numbers_and_sizes(raw: RawServer, crawl: Crawler) -> None:
    _, found = crawl_rows(raw, crawl, NUMBERS)
    assert found == {path: verdict for path, (_, verdict) in NUMBERS.items()}


REDIRECTS = {
    "/whole": moved(b"/good-1", b"Content-Length: 0"),
    "/no-gzip": moved(b"/good-1", b"Content-Encoding: gzip") + PAGE,
    "/cut-gzip": moved(b"/good-1", b"Content-Encoding: gzip") + PACKED[:-9],
    "/broken-gzip": moved(b"/good-1", b"Content-Encoding: gzip") + PACKED[:30] + b"\xff" * 99,
    "/no-brotli": moved(b"/good-1", b"Content-Encoding: br") + PAGE,
    "/no-encoding": moved(b"/good-1", b"Content-Encoding: \xff") + PAGE,
    "/bomb": moved(b"/good-1", b"Content-Encoding: gzip") + gzip.compress(bytes(20_000_000)),
    "/cut": moved(b"/good-1", b"Content-Length: 999") + PAGE,
    "/cut-chunk": moved(b"/good-1", b"Transfer-Encoding: chunked") + b"fff\r\n<p>",
}


def test_a_redirect_keeps_its_location_whatever_its_body_is(raw: RawServer, crawl: Crawler) -> None:
    rows = {path: (sent, "redirect") for path, sent in REDIRECTS.items()}
    rows["/page-with-a-location"] = (
        answer(PAGE, HTML, b"Location: /good-1", b"Content-Length: 999"),
        "fetch_error",
    )
    result, found = crawl_rows(raw, crawl, rows)
    assert found == {path: verdict for path, (_, verdict) in rows.items()}
    for path in REDIRECTS:
        evidence = result.urls[raw.url[:-1] + path]["evidence"]
        assert evidence == f"301 to {raw.url}good-1"


@pytest.mark.parametrize("body", [b"", PACKED[:-9], PAGE], ids=["empty", "cut", "plain"])
def test_robots_txt_behind_a_redirect_with_a_broken_body(
    body: bytes, raw: RawServer, crawl: Crawler
) -> None:
    rules = b"User-agent: *\nDisallow: /good-1\n"
    raw.answers = {
        "/robots.txt": moved(b"/rules.txt", b"Content-Encoding: gzip") + body,
        "/rules.txt": answer(rules, b"Content-Type: text/plain"),
        "/": answer(b"<a href=/good-1>1</a><a href=/good-2>2</a>", HTML),
        "/good-2": document(),
    }
    result = crawl.published(raw.url)
    assert result.sitemap == [raw.url, f"{raw.url}good-2"]
    assert "/good-1" not in raw.paths
