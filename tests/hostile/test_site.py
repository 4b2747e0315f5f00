"""A site that serves one hostile answer of each kind beside twenty honest pages: all are listed."""

import gzip
from itertools import cycle

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.hostile import HEADERS, HTML, QUICK, assert_ends_well
from tests.helpers.raw import RawServer, answer
from tests.store.tables import is_sound

XML = b"Content-Type: application/xml"

LINKED = [f"/linked/{number}" for number in range(10)]
NAMED = [f"/named/{number}" for number in range(9)] + ["/named/;"]


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
        path: answer(f"<!doctype html><title>{path}</title><p>All about {path}".encode(), HTML)
        for path in [*LINKED, *NAMED]
    }
    hrefs = [*HREFS, *(href for pair in zip(HEADERS, cycle(LINKED)) for href in pair)]
    links = "".join(f'<a href="{href}">x</a>' for href in hrefs)
    robots = ROBOTS + "".join(f"Sitemap: {path}\n" for path in files)
    raw.answers = {
        "/": answer(f"<!doctype html><title>Home</title><p>{links}".encode(), HTML),
        "/robots.txt": answer(robots.encode(), b"Content-Type: text/plain"),
        **honest,
        **{path: sent for path, (sent, _) in HEADERS.items()},
        **files,
    }
    result = crawl(raw.url, f"strategy={strategy}", "duplicates=off", settings=QUICK)
    assert_ends_well(result)
    verdicts = {url.removeprefix(base): verdict for url, verdict in result.verdicts.items()}
    assert {path: verdicts.get(path) for path in honest} == dict.fromkeys(honest, "listed")
    assert {base + path for path in ["/", *honest]} <= set(result.sitemap)
    answers = {path: verdict for path, (_, verdict) in HEADERS.items()}
    assert {path: verdicts.get(path) for path in answers} == answers
    read = {file["url"].removeprefix(base): file["error"] for file in result.report["sitemaps"]}
    faulty = {path for path, error in read.items() if error}
    assert set(files) <= set(read)
    assert faulty == set(files) - {"/numbers.xml", "/feed.xml", "/encoding.xml", "/last.xml"}
    assert read["/odd-namespace.xml"].endswith("broken entries left out: 1")
    assert read["/odd-namespace.xml"] in result.log
    assert is_sound(result.state)
