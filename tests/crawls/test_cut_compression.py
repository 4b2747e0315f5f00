"""Compressed answers that are cut off: failures that pass, wherever they come from."""

import gzip
import zlib
from collections.abc import Callable, Mapping

import brotli
import pytest
from backports import zstd
from scrapy.exceptions import IgnoreRequest, ResponseDataLossError
from scrapy.http import Request, Response
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from sitemapgen.download.failures import NOT_AS_ENCODED, TOO_LARGE, failure_of
from sitemapgen.middlewares.compression import CompressionMiddleware
from tests.helpers.crawls import Crawler
from tests.helpers.server import Answer, Serve, page, text, xml
from tests.helpers.tables import for_each

PACKERS: Mapping[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "gzip, br": lambda body: brotli.compress(gzip.compress(body)),
    "gzip, gzip": lambda body: gzip.compress(gzip.compress(body)),
}
BODY = "".join(f"<p>{number * 7919 % 10007} lines of a page" for number in range(300)).encode()


def packed(plain: Answer, coding: str = "gzip", share: float = 1.0) -> Answer:
    """Return an answer in a coding, of which a share is there."""
    body = plain.body.encode() if isinstance(plain.body, str) else plain.body
    whole = PACKERS[coding](body)
    headers = {**plain.headers, "Content-Encoding": coding}
    return Answer(whole[: int(share * len(whole))], headers=headers)


# The middleware


def middleware() -> CompressionMiddleware:
    crawler = get_crawler(settings_dict={"DOWNLOAD_MAXSIZE": 1_000_000})
    crawler.spider = crawler._create_spider("any")
    return build_from_crawler(CompressionMiddleware, crawler)


def decoded(body: bytes, coding: str, **meta: object) -> Request | Response:
    request = Request("https://example.com/", meta=meta)
    response = Response(request.url, headers={"Content-Encoding": coding}, body=body)
    found = middleware().process_response(request, response)
    assert isinstance(found, (Request, Response))
    return found


@for_each(*PACKERS)
def test_a_stream_that_has_not_ended_is_asked_for_again(coding: str) -> None:
    whole = PACKERS[coding](BODY)
    found = decoded(whole, coding)
    assert isinstance(found, Response)
    assert (found.body, found.flags) == (BODY, [])
    for share in (0.1, 0.6, 0.86, 0.99):
        cut = whole[: int(len(whole) * share)]
        again = decoded(cut, coding)
        assert isinstance(again, Request)
        assert again.meta["retry_times"] == 1
        for meta in ({"dont_retry": True}, {"retry_times": 2}):
            with pytest.raises(ResponseDataLossError):
                decoded(cut, coding, **meta)
        part = decoded(cut, coding, download_fail_on_dataloss=False)
        assert isinstance(part, Response)
        assert part.flags == ["dataloss"]
        assert BODY.startswith(part.body)
    with pytest.raises(ResponseDataLossError):
        decoded(PACKERS["gzip"](BODY)[:5], "gzip", download_fail_on_dataloss=False, dont_retry=True)


def test_the_trailer_of_gzip_is_not_missed() -> None:
    for body in (gzip.compress(BODY)[:-8], gzip.compress(BODY)[:-3], gzip.compress(BODY) + b"\0"):
        found = decoded(body, "gzip")
        assert isinstance(found, Response)
        assert (found.body, found.flags) == (BODY, [])


def test_an_answer_without_a_body_is_empty() -> None:
    for coding in PACKERS:
        assert decoded(b"", coding, dont_retry=True).body == b""


@for_each("gzip", "deflate", "br", "zstd")
def test_what_is_in_another_coding_and_what_is_too_large(coding: str) -> None:
    for body, failure in (
        (b"\x07" + BODY, NOT_AS_ENCODED),
        (PACKERS[coding](bytes(9_000_000)), TOO_LARGE),
    ):
        with pytest.raises((OSError, zlib.error, IgnoreRequest)) as raised:
            decoded(body, coding)
        assert failure_of(raised.value) == failure


# Crawls


def test_a_robots_txt_that_is_cut_off_is_none(serve: Serve, crawl: Crawler) -> None:
    """It has the rules that are missing, so nothing is requested."""
    rules = "\n".join(["User-agent: *", *(f"Disallow: /{n * 7919 % 10007}" for n in range(60))])
    server = serve({"/robots.txt": packed(text(rules), "gzip", 0.6), "/": page()})
    result = crawl(server.url)
    assert result.code == 3, result.log
    assert set(server.paths) == {"/robots.txt"}
    assert "the answer was cut short" in result.log


def test_pages_sitemaps_and_feeds_that_are_cut_off_fail_for_a_while(
    serve: Serve, crawl: Crawler
) -> None:
    names = [f"/{coding.replace(', ', '-')}" for coding in PACKERS]
    feed = "".join(f"<entry><id>x</id><link href='/feed-{n}'/></entry>" for n in range(40))
    head = '<link rel="alternate" type="application/atom+xml" href="/feed.atom">'
    urls = "".join(f"<url><loc>{{0}}map-{n * 7919 % 10007}</loc></url>" for n in range(40))
    server = serve({})
    urlset = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    file = urlset.format(server.url).encode()
    index = "".join(
        f"<sitemap><loc>{server.url}{name}</loc></sitemap>" for name in ("a.xml", "b.gz")
    )
    pages = {name: page(text=f"{name} {BODY.decode()}") for name in names}
    sources = {
        "/feed.atom": xml(f'<feed xmlns="http://www.w3.org/2005/Atom">{feed}</feed>'),
        "/a.xml": xml(file.decode()),
    }
    fixed = {
        "/sitemap.xml": xml(f"<sitemapindex>{index}</sitemapindex>"),
        "/": page(*names, head=head),
        **{f"/map-{n * 7919 % 10007}": page(text=f"{n} of the map") for n in range(40)},
        **{f"/feed-{n}": page(text=f"{n} of the feed") for n in range(40)},
    }

    def site(share: float) -> dict[str, Answer]:
        gz = gzip.compress(file)
        return {
            **fixed,
            **{n: packed(pages[n], coding, share) for n, coding in zip(names, PACKERS)},
            **{name: packed(plain, "br", share) for name, plain in sources.items()},
            "/b.gz": Answer(gz[: int(share * len(gz))], headers={"ETag": f'"{share}"'}),
        }

    server.site = site(1)
    first = crawl(server.url)
    assert len(first.sitemap) == len(names) + 1 + 80
    server.visits.clear()
    server.site = site(0.5)
    second = crawl(server.url)
    assert second.sitemap == first.sitemap
    evidence = {second.urls[server.url[:-1] + name]["evidence"] for name in names}
    assert evidence == {"no answer for 1 run; listed as it was"}
    for name in (*names, "/a.xml", "/feed.atom", "/b.gz"):
        assert server.paths.count(name) > 1, name
    server.site = {**site(1), "/": packed(page(*names), "gzip", 0.5)}
    third = crawl(server.url)
    assert (third.code, third.sitemap) == (3, first.sitemap)
