"""PageRank as a crawl publishes it, against ranks worked out by hand and by linear algebra."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.server import Answer, Serve, page, redirect
from tests.helpers.shared import POSTGRESQL
from tests.store import tables

pytestmark = pytest.mark.sample

PAGES = ("listed", "noindex", "canonicalised", "duplicate")


def priorities(result: Crawl) -> dict[str, str]:
    """The priority of each path in sitemap.xml."""
    text = (result.output / "sitemap.xml").read_text("utf-8")
    entry = r"<loc>http://[^/]+(.*?)</loc>\s*(?:<lastmod>.*?</lastmod>\s*)?<priority>(.*?)</"
    return dict(re.findall(entry, text))


def solved(state: Path) -> dict[str, float]:
    """PageRank by URL, as the solution of its equations, from the links that were found."""
    links = tables.link_graph(state)
    verdicts = {url: each.verdict for url, each in tables.urls(state).items() if each.is_named}
    moved = {url: links[url][0] for url, verdict in verdicts.items() if verdict == "redirect"}
    pages = [url for url, verdict in verdicts.items() if verdict in PAGES]
    place = {url: number for number, url in enumerate(pages)}
    votes = np.zeros((len(pages), len(pages)))
    for source in pages:
        for target in links.get(source, ()):
            for _ in range(10):
                target = moved.get(target, target)  # noqa: PLW2901
            if target in place and target != source:
                votes[place[target], place[source]] += 1
    sums = votes.sum(axis=0)
    votes = np.where(sums > 0, votes / np.where(sums > 0, sums, 1), 1 / len(pages))
    even = np.full(len(pages), 0.15 / len(pages))
    found = np.linalg.solve(np.eye(len(pages)) - 0.85 * votes, even)
    return dict(zip(pages, found.tolist()))


def test_ranks_and_priorities_of_a_small_site(serve: Serve, crawl: Crawler) -> None:
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
    server = serve(site)
    result = crawl.published(server.url, "priority=pagerank")
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


@pytest.mark.full
def test_ranks_of_the_postgresql_documentation(serve: Serve, crawl: Crawler) -> None:
    if not POSTGRESQL.exists():
        pytest.skip("the Debian package postgresql-doc-15 is not installed")
    server = serve(POSTGRESQL)
    result = crawl.published(server.url, "priority=pagerank")
    found = {url: float(row["pagerank"] or 0) for url, row in result.urls.items()}
    expected = solved(result.state)
    assert len(expected) > 1100
    assert found == pytest.approx({url: expected.get(url, 0.0) for url in found}, rel=2e-5)
    assert sum(found.values()) == pytest.approx(1, abs=1e-5)
    said = sorted(map(float, priorities(result).values()))
    assert said[len(said) // 2] == pytest.approx(0.5, abs=0.11)
    assert set(said) == {number / 10 for number in range(1, 11)}
