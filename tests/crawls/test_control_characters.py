"""Text of a site with ESC, line ends, NUL and changes of direction, in every field of every reader.

Log, terminal and files have none of it, no line that the site has made up, and all of its pages.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.platforms import SHOPIFY_SCRIPT
from tests.helpers.raw import RawServer, answer

FORGED = "2026-11-25 10:00:00 ERROR forged"
BAD = f"a\x1b[31m\u202e\u2066\x00\x08\x9b\u2028b\r\n{FORGED}\nc\ud800"
TEXT = BAD.encode("utf-8", "replace").decode()
HEADER = TEXT.encode().replace(b"\r", b"").replace(b"\n", b"").replace(b"\x00", b"\x07")
"""What a header can have of it; Twisted ends the connection for the others."""
HARMFUL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
HTML = b"Content-Type: text/html; charset=utf-8"
SYSTEMS = f"""
<link rel="https://api.w.org/" href="/wp/"><meta name=generator content="MediaWiki 1.43">
<link rel=EditURI href="/api.php"><script>{SHOPIFY_SCRIPT}</script>
<meta name=generator content="Discourse 3"><meta name=generator content="Drupal 10">
<link rel=alternate type="application/atom+xml" href="/feed"><link rel=llms-txt href="/llms.txt">
"""
GOOD = (
    *("from-map", "from-list", "from-feed", "from-llms"),
    *("wp-post", "products/good", "t/good/2", "drupal-good"),
)
"""Pages that a reader names beside those that are none."""
URLSET = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def whole(text: str) -> bytes:
    return answer(text.encode(), HTML)


def as_json(value: Any) -> bytes:
    return answer(json.dumps(value).encode(), b"Content-Type: application/json")


def as_xml(text: str) -> bytes:
    return answer(text.encode(), b"Content-Type: application/xml")


PAGES = {
    "/title": whole(f"<title>{TEXT}</title><p>title"),
    "/meta": whole(
        f"<meta name=description content='{TEXT}'><meta name=robots content='{TEXT}, noindex'>"
        f"<meta name=keywords content='{TEXT}'><meta property='og:title' content='{TEXT}'>"
        f"<meta http-equiv=refresh content='9;url={TEXT}'><h1>{TEXT}</h1><p>meta"
    ),
    "/links": whole(
        f"<html lang='{TEXT}'><base target='{TEXT}'><link rel=canonical href='/c{TEXT}'>"
        f"<link rel=alternate hreflang='{TEXT}' href='/h{TEXT}'><a href='/a{TEXT}'>{TEXT}</a>"
        f"<a href='http://{TEXT}/' rel='{TEXT}'>x</a><a href='http://other.example/{TEXT}'>y</a>"
        f"<a href='#/{TEXT}'>z</a><img src='/i{TEXT}' alt='{TEXT}'><time datetime='{TEXT}'>links"
    ),
    "/json": whole(
        '<script type="application/ld+json">'
        + json.dumps({"@type": "NewsArticle", "headline": BAD, "datePublished": BAD, "name": BAD})
        + f"</script><p itemprop=dateModified content='{TEXT}'>json"
    ),
    "/robots-tag": answer(b"<p>a", HTML, b"X-Robots-Tag: noindex, " + HEADER),
    "/link": answer(b"<p>b", HTML, b"Link: </c" + HEADER + b">; rel=canonical; title=" + HEADER),
    "/type": answer(b"<p>c", b"Content-Type: text/" + HEADER),
    "/charset": answer(b"<p>d", b"Content-Type: text/html; charset=" + HEADER),
    "/coding": answer(b"<p>e", HTML, b"Content-Encoding: x" + HEADER[1:9].replace(b"\xe2", b"")),
    "/moved": answer(b"", b"Location: /m" + HEADER, status=b"301 " + HEADER),
    "/away": answer(b"", b"Location: http://other.example/" + HEADER, status=b"302 Found"),
    "/status": answer(b"", HTML, status=b"500 " + HEADER),
    "/modified": answer(b"<p>f", HTML, b"Last-Modified: " + HEADER, b"ETag: " + HEADER),
    "/refresh": answer(b"<p>g", HTML, b"Refresh: 0; url=/r" + HEADER),
    "/private": whole("<p>private"),
    "/prive\u202e": whole("<p>private"),
}


def site(url: str) -> dict[str, bytes]:
    links = "".join(f'<a href="{path}">{path}</a>' for path in PAGES)
    entries = "".join(
        f"<url><loc>{loc}</loc><lastmod>{value}</lastmod><changefreq>{value}</changefreq>"
        f"<priority>{value}</priority></url>"
        for loc, value in ((f"{url}from-map", "v\u202ev"), (f"{url}x\u202e", "2024-01-01"))
    )
    files = {
        "/broken.xml": f"<urlset {URLSET}><url><loc>{url}</loc><\u202e{TEXT}></urlset>",
        "/root.xml": "<r\u202e\u2066oot>x</root>",
        "/entries.xml": f'<urlset {URLSET} xmlns:x="\u202e\x9b">{entries}</urlset>',
        "/list.xml": f"{url}from-list\n{url}x{TEXT}\n",
    }
    rows = {
        "/wp/wp/v2/types": {
            name: {"_links": {"wp:items": [{"href": href}]}}
            for name, href in ((BAD, "/wp/bad"), ("post", "/wp/post"), ("page", f"http://[{BAD}"))
        },
        "/wp/post": [
            {"link": BAD, "modified_gmt": BAD},
            {"link": "http://[x", "modified_gmt": BAD},
            {"link": f"{url}wp-post", "modified_gmt": BAD},
        ],
        "/wp/bad": {"error": BAD},
        "/products.json": {"products": [{"handle": BAD, "updated_at": BAD}, {"handle": "good"}]},
        "/collections.json": {"collections": BAD},
        "/latest.json": {
            "topic_list": {
                "topics": [
                    {"id": 1, "slug": BAD, "last_posted_at": BAD},
                    {"id": 2, "slug": "good", "last_posted_at": BAD},
                ],
                "more_topics_url": "",
            }
        },
        "/jsonapi": {
            "links": {
                f"node--{BAD}": {"href": "/node/bad"},
                "node--page": {"href": "/node/page"},
                "node--x": {"href": f"http://[{BAD}"},
            }
        },
        "/node/page": {
            "data": [
                {"id": "1", "attributes": {"changed": BAD, "path": {"alias": BAD}}},
                {"id": "2", "attributes": {"changed": BAD, "path": {"alias": "/drupal-good"}}},
            ],
            "links": {"next": {"href": f"http://[{BAD}"}},
        },
        "/api.php": {"error": {"code": BAD, "info": BAD}},
    }
    rules = (
        f"User-agent: *\nDisallow: /prive\u202e\nDisallow: /private # {TEXT}\n"
        f"Crawl-delay: {TEXT}\nRequest-rate: {TEXT}\nVisit-time: {TEXT}\nDisalow: {TEXT}\n"
        + "".join(f"Sitemap: {url[:-1]}{path}\n" for path in files)
        + f"Sitemap: {TEXT}\nSitemap: http://other.example/{TEXT}\n"
    )
    feed = (
        f'<feed xmlns="http://www.w3.org/2005/Atom"><title>\u202e</title><entry><id>\u202e</id>'
        f'<updated>\u202e</updated><link href="{url}from-feed"/></entry><entry><link href="\u202e'
        f'"/></entry><broken {TEXT}></feed>'
    )
    return {
        **PAGES,
        "/": whole(f"{SYSTEMS}<title>Home</title>{links}"),
        "/robots.txt": answer(rules.encode(), b"Content-Type: text/plain"),
        "/feed": as_xml(feed),
        "/llms.txt": answer(f"# {TEXT}\n[{TEXT}]({url}from-llms)\n[x]({url}{TEXT})".encode()),
        **{path: as_xml(text) for path, text in files.items()},
        **{path: as_json(value) for path, value in rows.items()},
        **{f"/{name}": whole(f"<title>{name}</title><p>{name}") for name in GOOD},
    }


class _Any(dict[str, bytes]):
    """Answers whatever the query is."""

    def get(self, path: str, missing: Any = None) -> Any:
        return super().get(path, None) or super().get(path.partition("?")[0], missing)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield name
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def texts(result: Crawl) -> Iterator[tuple[str, str]]:
    """Yield (where, text) of all that a reader or a program is shown."""
    for number, row in enumerate(result.log.split("\n")):
        yield f"log {number}", row
    for path in result.output.iterdir():
        if path.suffix == ".json":
            for each in strings(json.loads(path.read_bytes())):
                yield path.name, each
        elif path.suffix == ".csv":
            for row in csv.reader(io.StringIO(path.read_text("utf-8"), newline="")):
                for each in row:
                    yield path.name, each
        elif path.suffix in (".xml", ".html", ".txt"):
            for each in path.read_text("utf-8").split("\n"):
                yield path.name, each


def test_they_reach_neither_log_nor_files(raw: RawServer, crawl: Crawler) -> None:
    raw.answers = _Any(site(raw.url))
    arguments = (
        "formats=xml,txt,json,rss,atom,html,links,md,jsonl,llms",
        "extensions=hreflang,images,videos,news",
    )
    result = crawl(raw.url, *arguments)
    found = [(where, text) for where, text in texts(result) if HARMFUL.search(text)]
    assert not found, "\n".join(f"{where}: {ascii(text)[:260]}" for where, text in found)
    assert not re.search(rf"^{FORGED}", result.log, re.MULTILINE)
    assert "Traceback" not in result.log
    assert result.code == 0
    listed = {url for url, verdict in result.verdicts.items() if verdict == "listed"}
    assert listed >= {raw.url + name for name in GOOD}
