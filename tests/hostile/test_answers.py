"""Redirects whose body is broken, beside pages that are whole."""

import gzip

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.hostile import HTML, PAGE, crawl_rows, document, moved
from tests.helpers.raw import RawServer, answer

PACKED = gzip.compress(PAGE * 99)

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
