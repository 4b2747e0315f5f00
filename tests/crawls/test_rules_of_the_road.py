"""robots.txt, the site's own sitemaps, the start URL, the order of pages: by the server's log."""

from zlib import crc32

import pytest

from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import HERE, Answer, Serve, Server, page, redirect, text, urlset

MANY_AT_ONCE = (
    *IMPATIENT,
    *("-s", "CONCURRENT_REQUESTS=16", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=16"),
)


def pages(server: Server) -> list[str]:
    return [path for path in server.paths if "robots.txt" not in path and "sitemap" not in path]


# robots.txt


def test_robots_txt_comes_first_and_nothing_disallowed_is_asked(
    serve: Serve, crawl: Crawler
) -> None:
    rules = "User-agent: *\nDisallow: /no\nAllow: /no/but-this$\nDisallow: /*?sort="
    server = serve({"/robots.txt": text(rules), "/no/but-this": page(), "/a?page=2": page()})
    hrefs = ["/no", "/no/but-this", "/no/x", "/a?page=2", "/a?sort=1"]
    hrefs += [f"/no/{number}" for number in range(40)]
    server.site = {**server.site, "/": page(*hrefs)}
    result = crawl.published(server.url, settings=MANY_AT_ONCE)
    assert server.paths[0] == "/robots.txt"
    assert server.paths.count("/robots.txt") == 1
    assert sorted(pages(server)) == ["/", "/a?page=2", "/no/but-this"]
    assert result.urls[f"{server.url}a?sort=1"]["evidence"] == (
        "robots.txt line 4: Disallow: /*?sort="
    )


def test_robots_txt_may_be_ignored_but_for_its_sitemaps(serve: Serve, crawl: Crawler) -> None:
    rules = text("User-agent: *\nDisallow: /\nSitemap: /of-robots.xml")
    server = serve({"/robots.txt": rules, "/": page(), "/orphan": page()})
    server.site = {**server.site, "/of-robots.xml": urlset(f"{server.url}orphan")}
    assert len(crawl(server.url, "robots=ignore").sitemap) == 2


@pytest.mark.parametrize("answer", [Answer("", 404), Answer("", 403), redirect("/rules.txt")])
def test_other_answers_of_robots_txt(answer: Answer, crawl: Crawler) -> None:
    rules = text("User-agent: sitemapgen/1.0\nDisallow: /no")
    server, _ = crawl.site(
        {"/robots.txt": answer, "/rules.txt": rules, "/": page("/no"), "/no": page()}
    )
    assert ("/no" in server.paths) is (answer.status != 301)


@pytest.mark.parametrize(("hops", "is_read"), [(5, True), (6, False)])
def test_five_redirects_of_robots_txt_are_followed_also_to_another_host(
    hops: int, is_read: bool, serve: Serve, crawl: Crawler
) -> None:
    """RFC 9309 section 2.3.1.2: the rules belong to the host that was asked."""
    elsewhere = serve({f"/{hop}": redirect(f"/{hop + 1}") for hop in range(1, hops)})
    elsewhere.site = {**elsewhere.site, f"/{hops}": text("User-agent: *\nDisallow: /no")}
    server, _ = crawl.site(
        {"/robots.txt": redirect(f"{elsewhere.url}1"), "/": page("/no"), "/no": page()}
    )
    assert ("/no" not in server.paths) is is_read


# The site's own sitemaps


def test_the_usual_paths_are_tried_in_turn(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": page(), "/orphan": page()})
    server.site = {**server.site, "/wp-sitemap.xml": urlset(f"{server.url}orphan")}
    result = crawl(server.url)
    assert len(result.sitemap) == 2
    asked = [path for path in server.paths if "sitemap" in path]
    assert asked == ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"]
    assert [file["url"] for file in result.report["sitemaps"]] == [f"{server.url}wp-sitemap.xml"]


# The start URL


def test_a_start_url_that_redirects_within_the_site(crawl: Crawler) -> None:
    server, result = crawl.site(
        {"/": redirect("/en/"), "/en/": page("/", "/en/a"), "/en/a": page()}
    )
    rows = result.urls
    assert [rows[f"{server.url}{name}"]["depth"] for name in ("", "en/", "en/a")] == ["0", "0", "1"]
    assert result.sitemap == [f"{server.url}en/", f"{server.url}en/a"]


@pytest.mark.parametrize(
    ("argument", "listed"),
    [
        ("scope=path", ["docs/", "docs/a/", "docs/a/?b=1"]),
        ("query=drop", ["docs/", "docs/a/", "other"]),
        ("query=keep", ["docs/", "docs/a/", "docs/a/?utm_id=2&b=1", "other"]),
        ("trailing_slash=strip", ["docs", "docs/a", "docs/a?b=1", "other"]),
        ("include=/docs/*", ["docs/", "docs/a/", "docs/a/?b=1"]),
    ],
)
def test_what_is_in_scope(argument: str, listed: list[str], serve: Serve, crawl: Crawler) -> None:
    server = serve(
        lambda path: (
            page("/docs/a/?utm_id=2&b=1", "/docs/a/", "/other", title=path)
            if "." not in path
            else None
        )
    )
    result = crawl(f"{server.url}docs/", argument)
    assert [url.removeprefix(server.url) for url in result.sitemap] == listed


# The order of pages


CHAIN_AND_ORPHAN = {
    "/": page("/1"),
    "/1": page("/2")._replace(delay=0.2),
    "/2": page(),
    "/orphan": page("/child"),
    "/child": page(),
    "/sitemap.xml": urlset("orphan", "2", base=HERE),
}


def test_what_only_sitemaps_name_comes_after_links(crawl: Crawler) -> None:
    server, result = crawl.site(CHAIN_AND_ORPHAN)
    assert pages(server) == ["/", "/1", "/2", "/orphan", "/child"]
    rows = {url.removeprefix(server.url): row for url, row in result.urls.items()}
    assert [(rows[name]["depth"], rows[name]["parent"]) for name in ("orphan", "child")] == [
        ("3", ""),
        ("4", f"{server.url}orphan"),
    ]


def test_seeded_asks_for_sitemap_urls_early(crawl: Crawler) -> None:
    server, result = crawl.site(CHAIN_AND_ORPHAN, "strategy=seeded")
    assert pages(server).index("/orphan") < 3
    assert result.urls[f"{server.url}orphan"]["depth"] == "3"
    assert result.urls[f"{server.url}2"]["depth"] == "2"


def test_a_sitemap_url_is_not_lost_to_max_depth(crawl: Crawler) -> None:
    server, result = crawl.site(CHAIN_AND_ORPHAN, "max_depth=1")
    depths = {url.removeprefix(server.url): row["depth"] for url, row in result.urls.items()}
    assert depths == {"": "0", "1": "1", "2": "2", "orphan": "1", "child": "2"}
    assert result.verdicts[f"{server.url}child"] == "too_deep"
    assert "/child" not in server.paths


def wide(path: str) -> Answer | None:
    """Each page links to ten more, and has a number of its own."""
    links = (f"{path}{digit}" for digit in range(10))
    return page(*links, text=f"{crc32(path.encode())} lamps") if "." not in path else None


@pytest.mark.parametrize("cap", [1, 7, 50, 111])
def test_max_pages_is_exact(cap: int, crawl: Crawler) -> None:
    server, result = crawl.site(wide, f"max_pages={cap}", settings=MANY_AT_ONCE)
    assert len(set(pages(server))) == len(pages(server)) == cap
    assert f"Stopped by max_pages={cap}" in result.log
