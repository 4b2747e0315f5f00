"""PageRank as a crawl publishes it, against ranks that were worked out by hand."""

from tests.helpers.crawls import Crawler
from tests.helpers.ranks import priorities
from tests.helpers.server import Answer, page, redirect


def test_ranks_and_priorities_of_a_small_site(crawl: Crawler) -> None:
    # All link to the start page, which links to a, b, c and, through a redirect, to d; a links to
    # b as well. What is no page has no rank, and the links to it do not count.
    site = {
        "/": page("/a", "/b", "/c", "/old", "/gone", title="Start"),
        "/a": page("/", "/b", "/a", title="A"),
        "/b": page("/", title="B"),
        "/c": page("/", "/gone", title="C"),
        "/d": page("/", title="D"),
        "/old": redirect("/d"),
        "/gone": Answer(b"", status=404),
    }
    server, result = crawl.site(site, "priority=pagerank")
    # With e = 0.15 / 5: c = d = a = e + 0.85 s / 4, b = a + 0.85 a / 2, s + b + 3 a = 1
    start = (1 - 0.03 * 4.425) / (1 + 0.2125 * 4.425)
    a = 0.03 + 0.2125 * start
    expected = {"/": start, "/a": a, "/b": 1.425 * a, "/c": a, "/d": a, "/old": "", "/gone": ""}
    rows = {url.removeprefix(server.url.rstrip("/")): row for url, row in result.urls.items()}
    found = {path: row["pagerank"] for path, row in rows.items()}
    assert found == {path: rank and f"{rank:.6g}" for path, rank in expected.items()}
    # The standing of three equal ones is the middle of their six tenths.
    assert priorities(result) == {"/": "1.0", "/b": "0.7", "/a": "0.3", "/c": "0.3", "/d": "0.3"}
    again = crawl(server.url)
    assert priorities(again) == {"/": "1.0", "/a": "0.9", "/b": "0.9", "/c": "0.9", "/d": "0.8"}
