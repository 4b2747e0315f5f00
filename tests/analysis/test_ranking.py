"""PageRank and PriorityRank, against graphs worked out by hand and against linear algebra."""

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapgen.analysis.graph import NO_PAGE, LinkGraph, Nodes
from sitemapgen.analysis.ranking import decile_bounds, pagerank, priorityrank, round_ranks
from sitemapgen.verdicts import Verdict
from tests.analysis.sites import site
from tests.helpers.graphs import LINKS, graph
from tests.helpers.tables import for_each

UNHURRIED = settings(deadline=None)
"""The first use of linear algebra takes its time."""

PAGES = [each for each in Verdict if each not in NO_PAGE]


def ranks(names: Sequence[str], links: Mapping[str, Sequence[str]], **more: object) -> list[float]:
    """The PageRank of some pages, in their order by name."""
    return pagerank(site(names, links=links, **more)).tolist()


# --- by hand


def test_two_pages_that_link_to_each_other_share_evenly() -> None:
    assert ranks(["a", "b"], {"a": ["b"], "b": ["a"]}) == pytest.approx([0.5, 0.5])


def test_a_star() -> None:
    # c = 0.15/4 + 0.85 * (3 * l), l = 0.15/4 + 0.85 * c / 3, c + 3 l = 1
    leaf = (0.15 / 4 + 0.85 / 3) / (1 + 0.85)
    found = ranks(["a", "b", "c", ""], {"": ["a", "b", "c"], "a": [""], "b": [""], "c": [""]})
    assert found == pytest.approx([1 - 3 * leaf, leaf, leaf, leaf])


def test_a_page_without_links_gives_to_all() -> None:
    # b is dangling: a = 0.075 + 0.85 * b / 2 and b = 0.075 + 0.85 * (a + b / 2), a + b = 1
    a = (0.075 + 0.425) / 1.425
    assert ranks(["a", "b"], {"a": ["b"]}) == pytest.approx([a, 1 - a])


def test_parts_that_nothing_connects_keep_their_share() -> None:
    found = ranks(["a", "b", "c", "d"], {"a": ["b"], "b": ["a"], "c": ["d"], "d": ["c"]})
    assert found == pytest.approx([0.25] * 4)


def test_a_link_to_itself_does_not_count() -> None:
    pages = ["a", "b", "c"]
    assert ranks(pages, {"a": ["a", "b"], "b": ["c"], "c": ["a", "c"]}) == pytest.approx(
        [1 / 3] * 3
    )


def test_a_page_that_links_only_to_itself_is_dangling() -> None:
    assert ranks(["a", "b"], {"a": ["a", "b"], "b": ["b"]}) == ranks(["a", "b"], {"a": ["b"]})


@for_each(
    # A redirect passes its rank on, and keeps none.
    ({"a": ["older"], "b": ["a"]}, {"redirects": {"older": "old", "old": "b"}}),
    # A redirect back to the page is a link to itself.
    ({"a": ["old", "b"], "b": ["a"]}, {"redirects": {"old": "a"}}),
    # A circle of redirects leads nowhere.
    ({"a": ["old", "b"], "b": ["a"]}, {"redirects": {"old": "older", "older": "old"}}),
    # What is no page takes no rank and gives none.
    *(({"a": ["b", "old"], "b": ["a"], "old": ["a"]}, {"verdicts": {"old": v}}) for v in NO_PAGE),
)
def test_two_pages_share_what_others_do_not_take(
    links: dict[str, list[str]], more: dict[str, Any]
) -> None:
    others = {name for facts in more.values() for name in facts}
    found = ranks(["a", "b", *sorted(others)], links, **more)
    assert found == pytest.approx([0.5, 0.5, *[0] * len(others)])


@for_each(*PAGES)
def test_what_is_a_page_has_a_rank(verdict: Verdict) -> None:
    found = ranks(["a", "x"], {"a": ["x"], "x": ["a"]}, verdicts={"x": verdict})
    assert found == pytest.approx([0.5, 0.5])


def test_one_page() -> None:
    assert ranks([""], {}) == [1.0]
    assert ranks([""], {"": [""]}) == [1.0]


def test_no_pages_at_all() -> None:
    assert pagerank(graph({}, 0, start=())).tolist() == []
    assert ranks(["x"], {}, verdicts={"x": Verdict.HTTP_ERROR}) == [0.0]
    assert priorityrank(graph({}, 0, start=()), np.zeros(0)).tolist() == []


# --- PriorityRank, by hand


def priority_ranks(
    names: Sequence[str],
    links: Mapping[str, Sequence[str]],
    priorities: Mapping[str, float],
    **more: object,
) -> list[float]:
    built = site(names, links=links, sitemap=list(priorities), **more)
    return priorityrank(
        built, np.array([priorities.get(name, 9.0) for name in sorted(names)])
    ).tolist()


def test_the_start_page_links_to_the_sitemap_and_that_to_its_urls() -> None:
    # Nothing but start -> sitemap -> a, three nodes, a dangling:
    # s = e, m = e + 0.85 s, a = e + 0.85 m with e = 0.05 + 0.85 a / 3
    e = 1 / (1 + 1.85 + (1 + 0.85 * 1.85))
    assert priority_ranks(["", "a"], {}, {"a": 0.5}) == pytest.approx(
        [e, e * (1 + 0.85 * 1.85)], abs=1e-8
    )


def test_the_sitemap_weighs_by_priority() -> None:
    found = priority_ranks(["", "a", "b", "c"], {}, {"a": 0.9, "b": 0.3, "c": 0.0})
    start, a, b, c = found
    assert c == pytest.approx(start)
    assert a - c == pytest.approx(3 * (b - c))


@for_each(0.0, 0.1, 0.5, 1.0)
def test_equal_priorities_are_none(priority: float) -> None:
    links = {"": ["a"], "a": ["b", ""]}
    found = priority_ranks(["", "a", "b"], links, {"a": priority, "b": priority})
    assert found == pytest.approx(priority_ranks(["", "a", "b"], links, {"a": 0.7, "b": 0.7}))


def test_an_orphan_of_the_sitemap_is_raised_above_one_that_it_does_not_name() -> None:
    named, unnamed = priority_ranks(["", "a", "b"], {"": []}, {"a": 0.5})[1:]
    assert named > unnamed


def test_a_start_page_that_redirects_links_to_the_sitemap_from_where_it_leads() -> None:
    found = priority_ranks(["", "a", "home"], {}, {"a": 0.5}, redirects={"": "home"})
    there = priority_ranks(["", "a"], {}, {"a": 0.5})
    assert found == pytest.approx([0, there[1], there[0]])


# --- by linear algebra


def solved(
    built: LinkGraph,
    links: Mapping[int, Sequence[int]],
    redirects: Mapping[int, int],
    priority: Mapping[int, float] | None = None,
) -> list[float]:
    """The fixed point itself, out of dense matrices."""
    size = len(built.nodes.keys)
    is_page = [Verdict.of(code) not in NO_PAGE for code in built.nodes.verdict.tolist()]
    votes = np.zeros((size + 1, size + 1))  # the sitemap is last

    def end(node: int) -> int | None:
        for _ in range(size + 1):
            if node not in redirects:
                return node if is_page[node] else None
            node = redirects[node]
        return None

    for source, targets in links.items():
        for target in targets:
            landing = end(target)
            if is_page[source] and landing is not None and landing != source:
                votes[landing, source] += 1
    nodes = [node for node in range(size) if is_page[node]]
    if priority is not None:
        nodes.append(size)
        if end(0) is not None:
            votes[size, end(0)] += 1
        weights = {node: weight for node, weight in priority.items() if is_page[node]}
        if not any(weights.values()):
            weights = dict.fromkeys(weights, 1.0)
        for node, weight in weights.items():
            votes[node, size] = weight
    votes = votes[np.ix_(nodes, nodes)]
    sums = votes.sum(axis=0)
    votes = np.where(sums > 0, votes / np.where(sums > 0, sums, 1), 1 / max(len(nodes), 1))
    found = np.zeros(size + 1)
    if nodes:
        even = np.full(len(nodes), 0.15 / len(nodes))
        found[nodes] = np.linalg.solve(np.eye(len(nodes)) - 0.85 * votes, even)
    return found[:size].tolist()


VERDICTS = st.lists(st.sampled_from(list(Verdict)), min_size=12, max_size=12)
REDIRECTS = st.dictionaries(st.integers(0, 11), st.integers(0, 11), max_size=5)
PRIORITIES = st.dictionaries(st.integers(0, 11), st.sampled_from([0.0, 0.3, 0.5, 1.0]))


def random_graph(
    links: Mapping[int, Sequence[int]],
    verdicts: Sequence[Verdict],
    redirects: Mapping[int, int],
    sitemap: Sequence[int] = (),
    order: Sequence[int] = range(12),
) -> LinkGraph:
    """A site of 12 URLs, its links read in this order of the pages."""
    keys = [(node * 7919 + 13) % 10007 - 5000 for node in range(12)]
    is_redirect = [node in redirects for node in range(12)]
    codes = [
        Verdict.REDIRECT.code
        if node in redirects
        else (verdict if verdict is not Verdict.REDIRECT else Verdict.LISTED).code
        for node, verdict in enumerate(verdicts)
    ]
    nodes = Nodes(
        keys=np.array(keys, np.int64),
        is_start=np.arange(12) == 0,
        in_sitemap=np.isin(np.arange(12), list(sitemap)),
        is_named=np.isin(np.arange(12), list(sitemap)),
        is_fetched=np.ones(12, np.bool_),
        is_redirect=np.array(is_redirect),
        verdict=np.array(codes, np.int8),
        length=np.zeros(12, np.int32),
        is_endless=np.zeros(12, np.bool_),
        parameters=np.zeros(12, np.int16),
    )
    edges = {**links, **{node: [target] for node, target in redirects.items()}}
    rows = [
        (keys[node], array("q", [keys[target] for target in edges[node]]).tobytes())
        for node in order
        if node in edges
    ]
    return LinkGraph(nodes, rows)


@UNHURRIED
@given(LINKS, VERDICTS, REDIRECTS)
def test_pagerank_solves_its_equations(
    links: dict[int, list[int]], verdicts: list[Verdict], redirects: dict[int, int]
) -> None:
    built = random_graph(links, verdicts, redirects)
    found = pagerank(built)
    assert found.tolist() == pytest.approx(solved(built, links, redirects), abs=2e-7)
    assert found.sum() == pytest.approx(1.0 if built.nodes.is_page.any() else 0.0)


@UNHURRIED
@given(LINKS, VERDICTS, REDIRECTS, PRIORITIES)
def test_priorityrank_solves_its_equations(
    links: dict[int, list[int]],
    verdicts: list[Verdict],
    redirects: dict[int, int],
    priorities: dict[int, float],
) -> None:
    built = random_graph(links, verdicts, redirects, list(priorities))
    found = priorityrank(built, np.array([priorities.get(node, 9.0) for node in range(12)]))
    expected = solved(built, links, redirects, priorities)
    assert found.tolist() == pytest.approx(expected, abs=2e-7)


@UNHURRIED
@given(LINKS, VERDICTS, REDIRECTS, st.permutations(range(12)))
def test_the_order_of_the_rows_changes_no_bit(
    links: dict[int, list[int]],
    verdicts: list[Verdict],
    redirects: dict[int, int],
    order: list[int],
) -> None:
    shuffled = random_graph(links, verdicts, redirects, order=order)
    ordered = random_graph(links, verdicts, redirects)
    assert pagerank(shuffled).tobytes() == pagerank(ordered).tobytes()


def test_the_order_of_many_rows_changes_no_bit() -> None:
    generator = np.random.default_rng(4)
    keys = generator.permutation(3000).astype(np.int64)
    count = len(keys)
    rows = [
        (int(key), generator.choice(keys, 1 + int(count / (place + 2)) % 90).tobytes())
        for place, key in enumerate(keys)
    ]
    everything = np.ones(count, np.bool_)
    nodes = Nodes(
        keys=np.sort(keys),
        is_start=np.arange(count) == 0,
        in_sitemap=~everything,
        is_named=~everything,
        is_fetched=everything,
        is_redirect=~everything,
        verdict=np.zeros(count, np.int8),
        length=np.zeros(count, np.int32),
        is_endless=np.zeros(count, np.bool_),
        parameters=np.zeros(count, np.int16),
    )
    there, back = pagerank(LinkGraph(nodes, rows)), pagerank(LinkGraph(nodes, rows[::-1]))
    assert there.tobytes() == back.tobytes()


# --- as they are shown


def test_ranks_are_shown_with_six_digits() -> None:
    shown = round_ranks(np.array([1 / 3, 2e-6 / 3, 1.23456789e-9, 0.0, 1.0])).tolist()
    assert list(map(repr, shown)) == ["0.333333", "6.66667e-07", "1.23457e-09", "0.0", "1.0"]


@for_each(
    ([], []),
    ([0.4], [4]),
    ([0.2] * 7, [4] * 7),
    ([n / 55 for n in range(1, 11)], list(range(10))),
    ([n / 5050 for n in range(1, 101)], [n // 10 for n in range(100)]),
    ([0.1, 0.1, 0.1, 0.7], [3, 3, 3, 8]),
    ([0.7, 0.1, 0.1, 0.1], [8, 3, 3, 3]),
)
def test_the_place_of_a_rank_among_the_tenths(ranked: list[float], places: list[int]) -> None:
    steps = decile_bounds(np.array(ranked))
    assert [sum(step <= rank for step in steps) for rank in ranked] == places
