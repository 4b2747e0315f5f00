"""Every page says "not now" once, or for good."""

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.politeness import settings, site_of
from tests.helpers.server import Answer, Serve

NAMES = "abcdefghij"
OPTIONS = settings(SITEMAPGEN_BACKOFF_START=0.02, SITEMAPGEN_MAX_PROBES=0)


def test_each_page_once(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    site = site_of(NAMES)
    server.site = lambda path: (
        Answer("", 503)
        if path != "/robots.txt" and server.paths.count(path) == 1
        else site.get(path)
    )
    result = crawl.published(server.url, settings=OPTIONS)
    assert len(result.sitemap) == len(NAMES) + 1
    assert max(server.paths.count(f"/{name}") for name in NAMES) == 2


@pytest.mark.slow
def test_all_pages_for_good(serve: Serve, crawl: Crawler) -> None:
    """At a refresh: nothing is dropped, and the same command continues when the site is back."""
    server = serve(site_of(NAMES))
    listed = crawl(server.url, settings=OPTIONS).sitemap
    site = site_of(NAMES)
    server.site = lambda path: site.get(path) if path in ("/robots.txt", "/") else Answer("", 503)
    result = crawl(server.url, settings=(*OPTIONS, "-s", "SITEMAPGEN_BACKOFF_GIVE_UP=1"))
    assert result.code in (0, 6), result.log
    assert result.sitemap == listed
    server.site = site
    result = crawl(server.url, settings=OPTIONS)
    assert (result.code, result.sitemap) == (0, listed), result.log
