"""Sites that send garbage: the crawl ends well, and garbage costs the page only that sends it."""

import gzip
from html import escape

import pytest

from sitemapgen.core import robots
from tests.helpers.cost import at_most
from tests.helpers.crawls import Crawler
from tests.helpers.hostile import DOCUMENTS, HEADERS, HTML, assert_ends_well, crawl_rows
from tests.helpers.raw import RawServer, answer
from tests.helpers.recorded import BROKEN, OF_ALL, all_documents
from tests.helpers.server import Answer, Serve, page, text, urlset, xml
from tests.helpers.shared import conformance


def test_headers(raw: RawServer, crawl: Crawler) -> None:
    result, found = crawl_rows(raw, crawl, HEADERS)
    assert found == {path: verdict for path, (_, verdict) in HEADERS.items()}
    assert {path for path in raw.paths if path.startswith("/latest")} == set()
    for path in ("/gzip-that-is-none", "/brotli-that-is-none", "/encoding-bytes"):
        assert "Content-Encoding" in result.urls[raw.url[:-1] + path]["evidence"]
    for name in ("1000", "63-bits", "64-bits", "400-digits"):
        evidence = result.urls[f"{raw.url}status-{name}"]["evidence"]
        assert evidence == "the status of the answer is no number of three digits"


def html(body: bytes) -> bytes:
    return answer(body, HTML)


def test_documents_that_are_no_html(raw: RawServer, crawl: Crawler) -> None:
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
def test_a_robots_txt_of_5_mb(serve: Serve, crawl: Crawler) -> None:
    """The rules of its first 512,000 bytes hold: 22,743, in less than 0.5 s of CPU for a URL."""
    rules = ["User-agent: *", "Disallow: /no", *(f"Disallow: /*/{n}/*x$" for n in range(250_000))]
    body = "\n".join(rules)
    assert len(body) > 5_000_000
    names = [f"/page-{number}" for number in range(10)]
    server = serve({"/robots.txt": text(body), "/": page(*names, "/no/1", "/a/249999/x")})
    server.site = {**server.site, **{name: page(text=name) for name in [*names, "/a/249999/x"]}}
    with at_most(0.5 * len(names)):
        held = robots.parse_robots(body.encode())
        assert [held.refusal(f"{server.url[:-1]}{name}") for name in names] == [None] * len(names)
    result = crawl(server.url)
    assert_ends_well(result)
    listed = [url.removeprefix(server.url[:-1]) for url in result.sitemap]
    assert sorted(listed) == sorted(["/", *names, "/a/249999/x"])
    assert result.verdicts[f"{server.url}no/1"] == "robots_disallowed"


@pytest.mark.parametrize(
    "body",
    [
        *BROKEN[-3:],
        *(pytest.param(body, marks=pytest.mark.slow) for body in OF_ALL if body not in BROKEN[-3:]),
    ],
    ids=lambda body: ascii(body)[:40],
)
def test_any_robots_txt(body: str, serve: Serve, crawl: Crawler) -> None:
    server = serve({"/robots.txt": text(body), "/": page("/a", "/b"), "/a": page(), "/b": page()})
    result = crawl(server.url)
    rules = robots.parse_robots(body.encode())
    if rules.refusal(server.url):
        assert result.code == 4, result.log
        return
    assert_ends_well(result)
    urls = [f"{server.url}{name}" for name in ("", "a", "b")]
    assert result.sitemap == [url for url in urls if not rules.refusal(url)]


# Everything that is public and broken, at once


@pytest.mark.full
def test_all_documents_headers_and_hrefs(crawl: Crawler) -> None:
    served = {f"/document-{number}": Answer(body) for number, body in enumerate(all_documents())}
    for case in conformance("robots_tags/headers.jsonl"):
        tags = [header.partition(":")[2].strip() for header in case["headers"]]
        headers = {"Content-Type": "text/html", "X-Robots-Tag": ", ".join(tags)}
        served[f"/tagged-{case['id']}"] = Answer("<p>x", headers=headers)
    hrefs = [escape(case["input"]) for case in conformance("url_wpt/cases.jsonl")]
    served["/hrefs"] = page(*(href.encode("utf-8", "replace").decode() for href in hrefs))
    served |= {f"/good-{number}": page(text=f"Good {number}") for number in range(20)}
    server, result = crawl.site({"/": page(*served), **served})
    assert_ends_well(result)
    seen = {url.removeprefix(server.url[:-1]) for url in result.urls}
    assert set(served) <= seen
    assert {f"{server.url}good-{number}" for number in range(20)} <= set(result.sitemap)
    paths = {path.partition("#")[0] for path in server.paths}
    assert {url.removeprefix(server.url[:-1]) for url in result.sitemap} <= paths


def test_all_sitemaps(serve: Serve, crawl: Crawler) -> None:
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
    good = {f"{name}.xml": urlset(name, base=server.url[:-1]) for name in names}
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
