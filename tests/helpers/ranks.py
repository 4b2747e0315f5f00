"""Ranks and priorities that a crawl has published, against the equations of PageRank."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.crawls import Crawl
from tests.store import tables

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


def assert_ranks(result: Crawl) -> None:
    """The ranks of a site of over a thousand pages are those of its links."""
    found = {url: float(row["pagerank"] or 0) for url, row in result.urls.items()}
    expected = solved(result.state)
    assert len(expected) > 1100
    assert found == pytest.approx({url: expected.get(url, 0.0) for url in found}, rel=2e-5)
    assert sum(found.values()) == pytest.approx(1, abs=1e-5)
    said = sorted(map(float, priorities(result).values()))
    assert said[len(said) // 2] == pytest.approx(0.5, abs=0.11)
    assert set(said) == {number / 10 for number in range(1, 11)}
