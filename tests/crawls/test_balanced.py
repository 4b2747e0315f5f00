"""strategy=balanced: as many pages from the sitemap and from links as turn out to be worth it."""

from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, MADE_AGAIN, Crawler, command, start, wait_for
from tests.helpers.server import HERE, Answer, Serve, Server, page, text, urlset, xml
from tests.helpers.sites import endless_tree
from tests.store.tables import plan

WORDS = "All there is to say about the subject of this page, and not a word about another one. "
NOINDEX = '<meta name="robots" content="noindex">'


def site(*, good_links: bool, good_sitemap: bool) -> dict[str, Answer]:
    """400 pages: a tree of links, and as many orphans that only the sitemap names."""
    answers: dict[str, Answer] = {"/robots.txt": text("Sitemap: /sitemap.xml")}
    for number in range(200):
        first = 5 * number + 1
        children = [f"/links/{child}-" for child in range(first, min(first + 5, 200))]
        head = "" if good_links or not number else NOINDEX
        name = f"/links/{number}-" if number else "/"
        answers[name] = page(*children, head=head, text=f"{WORDS} {number} by links", title=name)
    for number in range(200):
        head = "" if good_sitemap else NOINDEX
        name = f"/orphans/{number}-"
        answers[name] = page(head=head, text=f"{WORDS} {number} alone", title=name)
    names = (f"orphans/{number}-" for number in range(200))
    answers["/sitemap.xml"] = urlset(*names, base=HERE)
    return answers


def asked(server: Server) -> tuple[int, int]:
    """How many pages of each kind were asked for; the start page apart."""
    kinds = [path.split("/")[1] for path in server.paths if path.endswith("-")]
    server.visits.clear()
    return kinds.count("links"), kinds.count("orphans")


@pytest.mark.parametrize(("good_links", "good_sitemap"), [(True, False), (False, True)])
@pytest.mark.full
def test_the_budget_goes_where_the_good_pages_are(
    good_links: bool, good_sitemap: bool, serve: Serve, crawl: Crawler
) -> None:
    server = serve(site(good_links=good_links, good_sitemap=good_sitemap))
    result = crawl.published(server.url, "strategy=balanced", "max_pages=120")
    links, orphans = asked(server)
    assert links + orphans + 1 == result.report["fetched"] == 120
    assert (links if good_links else orphans) >= 105
    assert len(result.sitemap) == (links + 1 if good_links else orphans + 1)
    balance = plan(result.state)["balance"]
    assert (balance[1] / balance[0] > 0.9) is good_sitemap
    # The next run begins with what this one has learned; from equal shares it would lose ten.
    again = crawl.published(
        server.url, "strategy=balanced", "max_pages=121", "scope=path", "force=true"
    )
    links, orphans = asked(server)
    assert links + orphans == again.report["fetched"] - 1 == 120
    assert (orphans if good_links else links) <= 5


@pytest.mark.full
def test_a_crawl_without_a_cap_ends_with_the_files_of_any_other(
    crawl: Crawler, tmp_path: Path
) -> None:
    server, breadth = crawl.site(site(good_links=True, good_sitemap=True), output=tmp_path / "bfs")
    balanced = crawl(server.url, "strategy=balanced", output=tmp_path / "balanced")
    assert len(balanced.sitemap) == 400
    assert balanced.files == breadth.files


@pytest.mark.full
def test_made_up_urls_are_fetched_before_it_ends(serve: Serve, crawl: Crawler) -> None:
    tree = endless_tree(0)
    server = serve(lambda path: tree(path) if len(path) <= 7 else page(text=WORDS))
    result = crawl.published(server.url, "strategy=balanced")
    made_up = {path for path in server.paths if server.url + path[1:] not in result.urls}
    assert [path for path in made_up if not path.startswith(("/robots", "/sitemap", "/wp-"))]


@pytest.mark.full
def test_killed_in_the_middle_it_repeats_what_was_in_flight_and_goes_on(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = serve(site(good_links=True, good_sitemap=False))
    output = tmp_path / "output"
    for pages in (40, 80):
        slow = (
            "-a",
            "strategy=balanced",
            "-a",
            "max_pages=150",
            *IMPATIENT,
            "-s",
            "DOWNLOAD_DELAY=0.01",
        )
        process = start(command(server.url, output, *slow), tmp_path / "log")
        wait_for(lambda: len(server.visits) >= pages, process)  # noqa: B023 - it is called here
        process.kill()
        process.wait()
    result = crawl.published(server.url, "strategy=balanced", "max_pages=150")
    assert result.report["fetched"] == 150
    repeated = len(server.paths) - len({*server.paths})
    links, orphans = asked(server)
    assert repeated <= 2 * MADE_AGAIN + 4 + 4  # robots.txt and sitemap
    assert orphans <= 20
    assert links >= 129


def test_what_the_sitemap_is_sorted_by(crawl: Crawler) -> None:
    """One orphan has a high priority, another a link from the start page and a low one."""
    answers = site(good_links=True, good_sitemap=True)
    answers["/"] = page("/orphans/150-", "/links/1-", text=WORDS)
    entries = [
        f"<url><loc>{HERE}orphans/{number}-</loc>{said}</url>"
        for number in range(200)
        for said in [
            {120: "<priority>0.9</priority>", 150: "<priority>0.1</priority>"}.get(number, "")
        ]
    ]
    answers["/sitemap.xml"] = xml(f"<urlset>{''.join(entries)}</urlset>")
    server, _ = crawl.site(answers, "strategy=balanced", "max_pages=3")
    pages = [path for path in server.paths if path.endswith("-")]
    assert len(pages) == 2
    # Of the two that the start page links to either may be the best of Discovery.
    assert "/orphans/150-" in pages
    assert not {"/orphans/120-", "/links/1-"} <= set(pages)
