"""Sites of systems that answer which pages they have: what is asked, believed, and what it costs.

The servers answer in the shapes of ``tests/helpers/platforms.py``.
"""

import json
import re
from contextlib import closing
from typing import Any

import pytest

from sitemapgen.store.opening import lend_store
from tests.docs.pages import ROOT
from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.platforms import (
    ATOM,
    LLMS,
    RSS,
    SHOPIFY_SCRIPT,
    collection,
    drupal_entry,
    latest,
    node,
    product,
    topic,
)
from tests.helpers.server import HERE, Answer, Serve, Server, page, text, urlset
from tests.helpers.store_front import StoreFront

GUIDE = ROOT / "docs" / "guides" / "shopify.md"
DATED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ")
SECONDS = re.compile(r"in \d+\.\d s")


SHOP = f"<script>{SHOPIFY_SCRIPT}</script>"
FORUM = '<meta name="generator" content="Discourse 3.4.1 - https://github.com/discourse">'
DRUPAL = '<meta name="Generator" content="Drupal 10 (https://www.drupal.org)">'
GHOST = '<meta name="generator" content="Ghost 5.82">'
LINKED = """<entry><id>{base}/2</id><link href="https://other.example/"/>
<updated>2026-02-01T00:00:00Z</updated></entry><entry><id>tag:3</id>
<link href="https://other.example/"/><updated>2026-02-01T00:00:00Z</updated></entry></feed>"""
"""Entries of a link blog: one has a page here, one has not."""
FEED = '<link rel="alternate" type="application/atom+xml" href="/feed">'


def as_json(value: object) -> Answer:
    return Answer(json.dumps(value), headers={"Content-Type": "application/json; charset=utf-8"})


def parts(result: Crawl) -> dict[str, dict[str, Any]]:
    """What was read of the systems, by system and part."""
    with closing(lend_store(result.output)[0]) as store:
        rows = store.sources.parts()
    return {f"{row['system']} {row['part']}".strip(): row for row in rows}


def asked(server: Server, name: str) -> list[str]:
    return [path for path in server.paths if path.startswith(name)]


def own_text(path: str) -> Answer:
    return page(title=f"Page {path}", text=f"{path} has words of its own. " * 20)


def listed(result: Crawl, server: Server) -> set[str]:
    assert result.code == 0, result.log
    return {url.removeprefix(server.url) for url in result.sitemap}


# --- what is found


@pytest.mark.full
def test_a_shop(crawl: Crawler) -> None:
    handles = [f"lamp-{number}" for number in range(253)]

    def dated(handle: str) -> dict[str, Any]:
        number = int(handle.removeprefix("lamp-"))
        return product(handle, f"2026-02-{number % 28 + 1:02}T{number % 24:02}:05:06-05:00")

    def site(path: str) -> Answer | None:
        if path == "/":
            return page("/pages/about", head=SHOP)
        if match := re.fullmatch(r"/products\.json\?limit=250&page=(\d+)", path):
            first = 250 * (int(match[1]) - 1)
            return as_json({"products": list(map(dated, handles[first : first + 250]))})
        if path == "/collections.json?limit=250&page=1":
            return as_json({"collections": [collection("all-lamps")]})
        if path.startswith(("/products/lamp-", "/collections/all-lamps", "/pages/about")):
            return own_text(path)
        return None

    server, result = crawl.site(site)
    expected = {"", "pages/about", "collections/all-lamps"}
    assert listed(result, server) == expected | {f"products/{handle}" for handle in handles}
    assert asked(server, "/products.json") == [
        f"/products.json?limit=250&page={number}" for number in (1, 2)
    ]
    found = parts(result)
    assert [found[name]["entries"] for name in ("shopify products", "shopify collections")] == [
        *(253, 1)
    ]
    assert result.urls[f"{server.url}products/lamp-7"]["lastmod"] == "2026-02-08T12:05:06+00:00"
    assert not result.urls[f"{server.url}pages/about"]["lastmod"]


def test_a_forum(crawl: Crawler) -> None:
    lists = {
        0: latest([topic(5, "how-to-light"), topic(6, "oil", 30)], "/latest?page=1"),
        1: latest([topic(7, "wicks")]),
    }
    site = {
        "/": page(head=FORUM),
        **{
            f"/latest.json?per_page=100&page={number}": Answer(
                body, headers={"Content-Type": "application/json"}
            )
            for number, body in lists.items()
        },
        **{path: own_text(path) for path in ("/t/how-to-light/5", "/t/oil/6", "/t/wicks/7")},
    }
    server, result = crawl.site(site)
    assert listed(result, server) == {"", "t/how-to-light/5", "t/oil/6", "t/wicks/7"}
    row = parts(result)["discourse topics"]
    assert (row["entries"], row["with_date"], row["requests"], row["error"]) == (3, 2, 2, "")
    assert result.urls[f"{server.url}t/wicks/7"]["lastmod"] == "2026-03-01T08:00:00+00:00"
    assert not result.urls[f"{server.url}t/oil/6"]["lastmod"]  # it changed on its second page


def test_drupal(crawl: Crawler) -> None:
    query = "fields%5Bnode--{}%5D=drupal_internal__nid,changed,path&sort=drupal_internal__nid"
    rows = {"article": [node(1, "/about"), node(2, None)], "page": []}
    server, result = crawl.site(
        {
            "/": page(head=DRUPAL),
            "/jsonapi": as_json(drupal_entry(HERE)),
            **{
                f"/jsonapi/node/{name}?{query.format(name)}&page%5Blimit%5D=50": as_json(
                    {"data": nodes}
                )
                for name, nodes in rows.items()
            },
            **{path: own_text(path) for path in ("/about", "/node/2")},
        }
    )
    assert listed(result, server) == {"", "about", "node/2"}
    assert result.urls[f"{server.url}about"]["lastmod"] == "2026-01-01T10:00:00+00:00"
    assert parts(result)["drupal article"]["with_date"] == 2


def test_ghost_is_read_by_its_sitemap_and_its_feed(serve: Serve, crawl: Crawler) -> None:
    """Its Content API has a key of the owner's, also where a page has it for its own scripts."""
    server = serve({})
    portal = (
        '<script defer src="/portal.min.js" data-ghost="/" data-api="/ghost/api/content/" '
        'data-key="22444f78447824223cefc48062"></script>'
    )
    feed = '<link rel="alternate" type="application/rss+xml" title="Lamps" href="/rss/">'
    dates = {f"{server.url}post/": "2026-03-03T03:03:03.000Z"}
    server.site = {
        "/": page(head=GHOST + feed + portal),
        "/robots.txt": text(f"User-agent: *\nSitemap: {server.url}sitemap.xml\nDisallow: /ghost/"),
        "/sitemap.xml": urlset(*dates, dates=dates),
        "/rss/": Answer(RSS.format(base=server.url.rstrip("/"))),
        **{path: own_text(path) for path in ("/post/", "/a", "/b")},
    }
    result = crawl(server.url)
    assert listed(result, server) == {"", "post/", "a", "b"}
    assert not asked(server, "/ghost")
    assert result.urls[f"{server.url}post/"]["lastmod"] == "2026-03-03T03:03:03+00:00"
    assert not result.urls[f"{server.url}a"]["lastmod"]  # the date of publication
    assert parts(result)["feed entries"]["with_date"] == 0


def test_a_feed_and_an_llms_txt(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    base = server.url.rstrip("/")
    server.site = {
        "/": page(head=f'{FEED}<link rel="llms-txt" href="/llms.txt">'),
        "/feed": Answer(ATOM.format(base=base).replace("</feed>", LINKED.format(base=base))),
        "/llms.txt": text(LLMS.format(base=base)),
        **{
            path: own_text(path)
            for path in ("/a", "/c", "/summary", "/guide", "/lamps_(light)", "/2")
        },
    }
    result = crawl(server.url)
    assert listed(result, server) == {"", "a", "c", "2", "summary", "guide", "lamps_(light)"}
    assert "The site's feed: 3 pages, 2 with a date, 1 request" in result.log
    row = parts(result)["feed entries"]
    assert (row["entries"], row["with_date"], row["offsite"]) == (3, 2, 1)
    assert result.urls[f"{server.url}2"]["lastmod"] == "2026-02-01T00:00:00+00:00"
    assert not asked(server, "/guide.md")
    assert parts(result)["llms.txt links"]["offsite"] == 1
    assert result.urls[f"{server.url}a"]["lastmod"] == "2026-03-01T11:00:00+00:00"


@pytest.mark.full
def test_the_guide_shows_a_run(serve: Serve, crawl: Crawler) -> None:
    """The log on the page is that of a store as ``tests/helpers/store_front.py`` has it."""
    server = serve({})
    server.site = StoreFront(server.url.rstrip("/"))
    result = crawl(server.url)
    assert len(listed(result, server)) == 66
    log = SECONDS.sub("", result.log)
    shown = [line[20:] for line in GUIDE.read_text("utf-8").splitlines() if DATED.match(line)]
    assert len(shown) > 5
    for line in shown:
        text = line.replace("https://shop.example.com/", server.url)
        text = text.replace("output/shop.example.com", str(result.output))
        assert SECONDS.sub("", text) in log, line
    assert result.urls[f"{server.url}products/lamp-60"]["verdict"] == "listed"


@pytest.mark.full
def test_a_file_without_dates_spares_no_visit(serve: Serve, crawl: Crawler) -> None:
    """An llms.txt that stays the same says nothing about the pages."""
    names = [f"/page/{number}" for number in range(40)]
    links = "".join(f"- [x]({name})\n" for name in names)
    server = serve(
        {
            "/": page(*names, head='<link rel="llms-txt" href="/llms.txt">'),
            "/llms.txt": text(links),
            **{name: own_text(name) for name in names},
        }
    )
    for _ in range(4):
        server.visits.clear()
        assert len(listed(crawl(server.url), server)) == 41
        assert set(names) <= set(server.paths)


def test_links_to_another_host_are_not_followed(serve: Serve, crawl: Crawler) -> None:
    server, other = serve({}), serve({})
    server.site = {
        "/": page("/a", head=DRUPAL),
        "/jsonapi": as_json(drupal_entry(other.url)),
        "/a": own_text("/a"),
    }
    result = crawl(server.url)
    assert listed(result, server) == {"", "a"}
    assert not other.visits
    assert parts(result)["drupal article"]["error"] == "on another host"


def test_a_site_that_names_no_system_is_asked_nothing(crawl: Crawler) -> None:
    server, result = crawl.site({"/": page("/a"), "/a": own_text("/a")})
    assert listed(result, server) == {"", "a"}
    assert not parts(result)
    for name in ("/products.json", "/latest.json", "/jsonapi", "/feed", "/rss", "/llms.txt"):
        assert not asked(server, name)
