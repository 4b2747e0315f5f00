"""One URL in several forms: the order of its parameters, its slashes."""

import pytest

from tests.helpers.crawls import IMPATIENT, Crawl, Crawler
from tests.helpers.server import Answer, Serve, Server, marked, page, redirect, text, xml

STOPPED = (*IMPATIENT, "-s", "CLOSESPIDER_PAGECOUNT=9", "-s", "CONCURRENT_REQUESTS=2")
LOSING = (*IMPATIENT, "-s", "SITEMAPGEN_MAX_LOSS=1")
FILES = ("/robots.txt", "/sitemap.xml")


def content(name: str, *links: str, head: str = "") -> Answer:
    words = f"The page {name} is about {name * 3}, and about nothing else. " * 3
    return page(*links, head=head, title=name, text=words)


HOME = (
    *("/i.php?mode=list&dir=x", "/i.php?z=1&a=2&z=0", "/i.php?b&a", "/i.php?c=1&", "/a", "/b"),
    *("/docs//a", "/docs//none", "/docs/b", "/same//page", "/moved//y", "/gone//y"),
    *("/order?b=2&a=1", "/refresh?b=2&a=1", "/circle?b=2&a=1", "/canonical?a=1&b=2"),
    *("/named?x=1&y=2", "/q?a=1&sort=2", "/q?sort=2&a=1"),
)
IN_SITEMAP = "".join(
    f"<url><loc>http://site.example{path}</loc></url>"
    for path in ("/only//named", "/named?y=2&amp;x=1")
)
LISTED = {
    # a server that looks up the query, whose answer to another order would be 404
    "/": content("Home", *HOME),
    "/i.php?mode=list&dir=x": content("List", "/i.php?mode=item&id=1&dir=x"),
    "/i.php?mode=item&id=1&dir=x": content("Item"),
    "/i.php?z=1&a=2&z=0": content("Repeated"),
    "/i.php?b&a": content("Bare"),
    "/i.php?c=1&": content("Open"),
    # of several forms, the first by URL
    "/a": content("A", "/shop?size=4&colour=red&utm_source=a"),
    "/b": content("B", "/shop?colour=red&size=4", "/shop?size=4&&colour=red"),
    "/shop?colour=red&size=4": content("Red"),
    # slashes that count: there is nothing with fewer of them
    "/docs//a": content("Docs", "c//d"),
    "/docs//c//d": content("Deep", "/docs//a"),
    "/docs/b": content("Another"),
    "/moved//y": content("Moved"),
    "/gone//y": content("Gone"),
    "/only//named": content("Named"),
    # slashes that do not
    "/same/page": content("Same"),
    # what a page names itself
    "/order?a=1&b=2": content("Order"),
    "/refresh?a=1&b=2": content("Refresh"),
    "/canonical?b=2&a=1": content("Own", head='<link rel="canonical" href="?b=2&amp;a=1">'),
    # of a sitemap before those of links; allowed before forbidden
    "/named?y=2&x=1": content("Better"),
    "/q?sort=2&a=1": content("Query"),
}
REFRESH = '<meta http-equiv="refresh" content="0; url=/refresh?a=1&amp;b=2">'
OTHERS = {
    "/robots.txt": text("User-agent: *\nDisallow: /*&sort=\nSitemap: /sitemap.xml"),
    "/sitemap.xml": xml(f"<urlset>{IN_SITEMAP}</urlset>"),
    "/shop?size=4&colour=red": LISTED["/shop?colour=red&size=4"],
    "/same//page": LISTED["/same/page"],
    "/moved/y": redirect("/moved//y"),
    "/gone/y": Answer(status=410),
    "/order?b=2&a=1": redirect("/order?a=1&b=2"),
    "/refresh?b=2&a=1": page(head=REFRESH),
    "/circle?b=2&a=1": redirect("/circle?a=1&b=2"),
    "/circle?a=1&b=2": redirect("/circle?b=2&a=1"),
    "/canonical?a=1&b=2": LISTED["/canonical?b=2&a=1"],
    "/named?x=1&y=2": LISTED["/named?y=2&x=1"],
}
SITE = {**{path: marked(answer, path) for path, answer in LISTED.items()}, **OTHERS}


def paths(server: Server, result: Crawl) -> set[str]:
    return {f"/{url.removeprefix(server.url)}" for url in result.sitemap}


@pytest.mark.fixed_urls
def test_the_form_in_which_a_page_is_listed(crawl: Crawler) -> None:
    """It was fetched in exactly this form; a refresh asks for this one, and an interrupted crawl
    ends with the same."""
    server, result = crawl.site(SITE)
    assert paths(server, result) == set(LISTED)
    assert len(server.paths) == len(set(server.paths))
    in_vain = {"/docs/a", "/docs/c/d", "/docs/none", "/docs//none", "/only/named"}
    probes = {path for path in server.paths if "404-check" in path}
    assert set(server.paths) - set(SITE) == in_vain | probes
    assert {"/same//page", "/shop?size=4&colour=red", "/named?x=1&y=2"}.isdisjoint(server.paths)
    assert result.verdicts["http://site.example/docs//none"] == "http_error"
    assert "http://site.example/docs/a" not in result.verdicts
    assert result.verdicts["http://site.example/circle?a=1&b=2"] == "redirect"
    home = result.urls["http://site.example/docs//a"]
    assert (home["depth"], home["in_degree"]) == ("1", "2")

    before = result.files["sitemap.xml"]
    server.visits.clear()
    again = crawl(server.url)
    assert (again.code, again.files["sitemap.xml"]) == (0, before), again.log
    unlisted = {"/docs//none", "/circle?b=2&a=1", "/circle?a=1&b=2"} & set(server.paths)
    probes = {path for path in server.paths if "404-check" in path}
    assert set(server.paths) == set(LISTED) | unlisted | probes | set(FILES)
    assert sum(visit.status == 304 for visit in server.visits) >= len(LISTED)

    stopped = crawl(server.url, "fresh=true", settings=STOPPED)
    assert stopped.code == 6, stopped.log
    whole = crawl(server.url)
    assert (whole.code, whole.files["sitemap.xml"]) == (0, before), whole.log


@pytest.mark.parametrize("slow", ["/a", "/b"])
def test_it_does_not_depend_on_the_order_of_answers(crawl: Crawler, slow: str) -> None:
    answers = {
        "/": content("Home", "/a", "/b"),
        "/a": content("A", "/x?size=4&colour=red", "/y//z"),
        "/b": content("B", "/x?colour=red&size=4", "/y/z"),
        "/x?size=4&colour=red": content("X"),
        "/x?colour=red&size=4": content("X"),
        "/y//z": content("Y"),
    }
    answers[slow] = answers[slow]._replace(delay=0.5)
    server, result = crawl.site(answers)
    assert paths(server, result) == {"/", "/a", "/b", "/x?colour=red&size=4", "/y//z"}


def test_it_stays_the_same_from_crawl_to_crawl(crawl: Crawler) -> None:
    """Whichever link is read first, as long as the page is listed."""
    other, listed = "/x?colour=red&size=4", "/x?size=4&colour=red"
    answers = {
        "/": content("Home", "/a"),
        "/a": content("A", listed),
        "/b": content("B", other),
        listed: content("X", "/b"),
        other: content("X", "/b"),
    }
    server, result = crawl.site(answers)
    assert listed in paths(server, result)
    answers["/"] = content("Home", "/a", "/b")
    answers["/a"] = answers["/a"]._replace(delay=0.5)
    server.site = answers
    assert listed in paths(server, crawl.published(server.url))
    answers[listed] = Answer(status=404)
    crawl.published(server.url, settings=LOSING)
    assert other in paths(server, crawl.published(server.url))


@pytest.mark.parametrize("refused", ["/x?colour", "/x?size"])
def test_a_listed_order_that_is_refused_later(crawl: Crawler, refused: str) -> None:
    """The other order, which may be fetched, takes its place in the crawl after."""
    orders = ["/x?colour=red&size=4", "/x?size=4&colour=red"]
    (listed,) = (order for order in orders if order.startswith(refused))
    (other,) = (order for order in orders if order != listed)
    answers = {"/": content("Home", listed), **dict.fromkeys(orders, content("X"))}
    server, result = crawl.site(answers)
    assert listed in paths(server, result)
    answers["/"] = content("Home", *orders)
    answers["/robots.txt"] = text(f"User-agent: *\nDisallow: {refused}")
    server.site = answers
    crawl.published(server.url, settings=LOSING)
    assert other in paths(server, crawl.published(server.url))


def test_slashes_and_parameters_are_kept(crawl: Crawler) -> None:
    answers = {
        "/": content("Home", "/a//b", "/a/b", "/c?x=1&utm_source=y&a=2"),
        "/a//b": content("Two", "c"),
        "/a//c": content("Below"),
        "/a/b": content("One"),
        "/c?x=1&utm_source=y&a=2": content("Kept"),
    }
    given = (*IMPATIENT, "-s", "SITEMAPGEN_MERGE_SLASHES=False")
    server, result = crawl.site(answers, "query=keep", settings=given)
    assert paths(server, result) == set(answers)


def test_a_start_url_that_redirects_to_another_order(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/?b=2&a=1": redirect("/?a=1&b=2"), "/?a=1&b=2": content("Home")})
    result = crawl.published(f"{server.url}?b=2&a=1")
    assert paths(server, result) == {"/?a=1&b=2"}
