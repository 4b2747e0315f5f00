"""A bug of the crawler costs no published page, and no crawl hides it."""

import pytest

from tests.helpers.crawls import IMPATIENT, Crawler, rest
from tests.helpers.server import HERE, Answer, Serve, page, text, urlset, xml

BROKEN = (*IMPATIENT, "-s", "SITEMAPGEN_PROFILE=tests.faults.broken_crawler")
PLACES = ("callback", "middleware", "store")
SOME = ["callback", *rest(*PLACES[1:])]


def site(fault: str = "") -> dict[str, Answer]:
    """A page that may fail, and a subtree behind it."""
    return {
        "/robots.txt": text("Sitemap: /sitemap.xml"),
        "/": page("/hub", "/other", title="Start"),
        "/hub": page("/leaf1", "/leaf2", title=fault, text=fault),
        "/other": page(title="Other"),
        "/leaf1": page("/leaf2", title="One"),
        "/leaf2": page(title="Two"),
    }


@pytest.mark.parametrize("place", SOME)
def test_a_bug_costs_no_published_page(place: str, crawl: Crawler) -> None:
    server, before = crawl.site(site(), settings=BROKEN)
    listed = before.sitemap
    assert len(listed) == 5
    server.site = site(f"fails-in-{place}")
    after = crawl(server.url, settings=BROKEN)
    assert after.code == 1, after.log
    assert after.sitemap == listed
    assert "planted" in after.log
    assert "1 page could not be read because of an error in the crawler" in after.log
    assert after.report["crawler_errors"] == 1
    server.site = site()
    healed = crawl.published(server.url, settings=BROKEN)
    assert healed.sitemap == listed
    assert healed.report["crawler_errors"] == 0


@pytest.mark.parametrize("place", ["callback", "middleware"])
def test_a_bug_with_the_start_page_ends_the_crawl(place: str, serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": page("/a", title=f"fails-in-{place}"), "/a": page("/")})
    result = crawl(server.url, settings=BROKEN)
    assert result.code == 1, result.log
    assert "planted" in result.log
    assert "ERROR a bug; the log has the traceback" in result.log
    assert not (result.output / "sitemap.xml").exists()


@pytest.mark.parametrize("place", SOME)
def test_a_bug_in_a_first_crawl(place: str, serve: Serve, crawl: Crawler) -> None:
    server = serve(site(f"fails-in-{place}"))
    result = crawl(server.url, settings=BROKEN)
    assert result.code == 1, result.log
    assert len(result.sitemap) == 2
    row = result.urls[f"{server.url}hub"]
    assert (row["verdict"], row["evidence"]) == (
        "fetch_error",
        "lost inside the crawler; see its log",
    )
    assert result.report["crawler_errors"] == 1


def test_a_bug_in_a_reader_of_a_system(serve: Serve, crawl: Crawler) -> None:
    """What it named before is still requested."""
    start = page("/other", head='<link rel="llms-txt" href="/llms.txt">')
    named = text(f"[x]({HERE}only)")
    server = serve({"/": start, "/other": page(), "/only": page(), "/llms.txt": named})
    before = crawl(server.url, settings=BROKEN)
    assert (before.code, f"{server.url}only" in before.sitemap) == (0, True)
    server.site = {**server.site, "/llms.txt": text("fails-in-source")}
    result = crawl(server.url, settings=BROKEN)
    assert result.code == 1, result.log
    assert "1 part of its systems could not be read because of an error" in result.log
    assert result.report["crawler_errors"] == 1
    assert result.sitemap == before.sitemap


@pytest.mark.parametrize("strategy", ["bfs", *rest("balanced")])
def test_a_bug_in_a_sitemap_file(strategy: str, serve: Serve, crawl: Crawler) -> None:
    """The files before it and after it are read, and nothing waits for it."""
    server = serve(
        {
            "/robots.txt": text("Sitemap: /first.xml\nSitemap: /bad.xml\nSitemap: /good.xml"),
            "/": page("/other"),
            **{f"/{name}": page(text=name) for name in ("other", "one", "only")},
            "/first.xml": urlset(f"{HERE}one"),
            "/bad.xml": xml("<urlset><!-- fails-in-sitemap --></urlset>"),
            "/good.xml": urlset(f"{HERE}only"),
        }
    )
    result = crawl(server.url, f"strategy={strategy}", settings=BROKEN)
    assert result.code == 1, result.log
    assert "planted" in result.log
    assert result.sitemap == [f"{server.url}{name}" for name in ("", "one", "only", "other")]
    errors = {file["url"]: file["error"] for file in result.report["sitemaps"]}
    assert errors.pop(f"{server.url}bad.xml") == "lost inside the crawler; see its log"
    assert set(errors.values()) == {""}
    assert f"Sitemap {server.url}bad.xml: lost inside the crawler" in result.log
    assert "2 files with 2 URLs; 1 failed" in result.log
