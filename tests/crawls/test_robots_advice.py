"""What a crawl says about the line in robots.txt that names its sitemap."""

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import HERE, Serve, page, text

SITE = {"/": page("/a"), "/a": page(text="a " * 60)}
FOR_ALL, FOR_GOOGLE = "User-agent: *\nDisallow: /cart\n", "User-agent: googlebot\nDisallow: /cart\n"


@pytest.mark.parametrize(
    ("robots", "arguments", "sitemap", "is_there"),
    [
        (f"Sitemap: {HERE}other.xml", ["sitemaps=URLsitemap.xml"], "URLsitemap.xml", False),
        ("sitemap:/sitemap.xml # ours", [], "URLsitemap.xml", True),
        (f"Sitemap: {HERE}sitemap.xml", ["base_url=URLmaps/"], "URLmaps/sitemap.xml", False),
    ],
)
def test_advice(
    robots: str, arguments: list[str], sitemap: str, is_there: bool, serve: Serve, crawl: Crawler
) -> None:
    server = serve({**SITE, "/robots.txt": text(robots)})
    crawled = crawl(server.url, *(each.replace("URL", server.url) for each in arguments))
    line = f"Sitemap: {sitemap.replace('URL', server.url)}"
    assert crawled.report["robots_txt"] == {
        "url": f"{server.url}robots.txt",
        "line": line,
        "is_there": is_there,
    }
    said = "has the line that names the sitemap" if is_there else "should have the line"
    assert f" INFO {server.url}robots.txt {said}: {line}\n" in crawled.log


@pytest.mark.parametrize(
    ("robots", "names"),
    [
        (FOR_ALL, []),
        (FOR_ALL + FOR_GOOGLE, []),
        (FOR_ALL + FOR_GOOGLE + "Disallow: /a\n", ["Googlebot"]),
        (f"User-agent: sitemapgen\nDisallow: /cart\nCrawl-delay: 0.01\n{FOR_GOOGLE}", ["Bingbot"]),
    ],
)
def test_other_rules_for_search_engines(robots: str, names: list[str], crawl: Crawler) -> None:
    _, crawled = crawl.site({**SITE, "/robots.txt": text(robots)})
    for name in ("Googlebot", "Bingbot"):
        said = f"robots.txt has other rules for {name} than those of this crawl: "
        assert crawled.log.count(said) == (name in names)
