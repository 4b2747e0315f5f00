"""Depth, parent, in-degree and redirect hops, against a walk that is easy to believe."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.analysis.graph import UNREACHED, Measures
from sitemapgen.verdicts import Verdict
from tests.analysis.sites import site
from tests.helpers.graphs import LINKS, graph


def as_lists(measures: Measures) -> tuple[list[int], list[int], list[int], list[int]]:
    return (
        measures.depth.tolist(),
        measures.parent.tolist(),
        measures.in_degree.tolist(),
        measures.hops.tolist(),
    )


def test_what_the_sitemap_alone_names_is_as_near_as_what_the_start_page_links_to() -> None:
    links = {0: [1], 1: [2], 2: [3], 3: [4], 5: [4, 6], 6: [7]}
    built = graph(links, 9, sitemap=(3, 5))
    assert built.distances().tolist() == [0, 1, 2, 3, 2, 1, 2, 3, 9]


def test_shortest_path_and_the_first_parent_by_url() -> None:
    depth, parent, in_degree, _ = as_lists(
        graph({0: [2, 1], 1: [3], 2: [3, 4], 3: [0, 3], 4: [3]}, 5).measure()
    )
    assert depth == [0, 1, 1, 2, 2]
    assert parent == [UNREACHED, 0, 0, 1, 2]
    assert in_degree == [1, 1, 1, 3, 1]  # a link to itself does not count


def test_what_only_sitemaps_name_stands_below_the_deepest_page() -> None:
    depth, parent, _, _ = as_lists(
        graph(
            {0: [1], 1: [2], 3: [4, 1], 4: [5]}, 7, sitemap=(3, 2, 6), fetched={0, 1, 3, 4}
        ).measure()
    )
    # 2 is linked, though not fetched: the deepest fetched page is 1.
    assert depth == [0, 1, 2, 2, 3, 4, 2]
    assert parent == [UNREACHED, 0, 1, UNREACHED, 3, 4, UNREACHED]


def test_an_orphan_that_another_orphan_links_to_has_no_parent_all_the_same() -> None:
    depth, parent, _, _ = as_lists(graph({0: [], 1: [2]}, 3, sitemap=(1, 2)).measure())
    assert depth == [0, 1, 1]
    assert parent == [UNREACHED, UNREACHED, UNREACHED]


def test_depth_counts_links_whatever_the_limit() -> None:
    chain = {node: [node + 1] for node in range(5)}
    measures = graph(chain, 6, sitemap=(4,), fetched={0, 1, 2}).measure(max_depth=2)
    assert measures.depth.tolist() == [0, 1, 2, 3, 4, 5]


def test_an_orphan_is_in_a_sitemap_and_no_path_of_links_leads_to_it() -> None:
    # 4 and 5 link to each other, but nothing else does; 6 is in no sitemap.
    links = {0: [1], 1: [2], 2: [3], 4: [5], 5: [4]}
    built = graph(links, 7, sitemap=(2, 3, 4, 5))
    for max_depth in (0, 1, 2, 3):  # what is only too deep is linked all the same
        found = built.measure(max_depth).is_orphan.tolist()
        assert found == [False, False, False, False, True, True, False]


def test_a_dead_end_leads_to_no_other_page() -> None:
    names = ["", "gone", "home", "in", "loop", "old", "out", "trap", "unread", "unseen", "way"]
    links = {
        "": ["in", "out", "loop", "gone", "unread"],
        "in": ["gone", "in"],  # to an error and to itself
        "loop": ["old"],  # a redirect back to it
        "out": ["home"],
        "way": ["unseen"],  # of a trap, never fetched: who knows what it is
        "trap": ["unseen"],
        "gone": [""],
    }
    built = site(
        names,
        links=links,
        redirects={"old": "loop", "home": ""},
        verdicts={
            "gone": Verdict.HTTP_ERROR,
            "unread": Verdict.OVER_CAP,
            **dict.fromkeys(("trap", "unseen"), Verdict.TRAP),
        },
    )
    built.nodes.is_fetched[[names.index("unread"), names.index("unseen")]] = False
    dead = built.dead_ends().tolist()
    assert [name for name, is_dead in zip(names, dead) if is_dead] == ["in", "loop"]


def test_what_nothing_leads_to() -> None:
    depth, parent, in_degree, _ = as_lists(graph({0: []}, 2).measure())
    assert (depth, parent, in_degree) == ([0, UNREACHED], [UNREACHED, UNREACHED], [0, 0])


def test_redirect_hops_are_counted_from_the_nearest_page_that_links_into_the_chain() -> None:
    links = {0: [1], 1: [2], 2: [3], 3: [4], 5: [3]}
    hops = graph(links, 6, redirects=(1, 2, 3)).measure().hops.tolist()
    assert hops == [0, 0, 1, 0, 1, 0]


def test_a_redirect_loop_has_hops_all_the_same() -> None:
    hops = graph({0: [1], 1: [2], 2: [1]}, 3, redirects=(1, 2)).measure().hops.tolist()
    assert hops == [0, 0, 1]


def test_an_empty_store() -> None:
    assert as_lists(graph({}, 0, start=()).measure()) == ([], [], [], [])


@given(LINKS)
def test_agrees_with_a_plain_walk(links: dict[int, list[int]]) -> None:
    walked = {0: 0}
    queue = [0]
    for node in queue:
        for target in links.get(node, []):
            if target not in walked:
                walked[target] = walked[node] + 1
                queue.append(target)
    measures = graph(links, 12).measure()
    assert measures.depth.tolist() == [walked.get(node, UNREACHED) for node in range(12)]
    for node, parent in enumerate(measures.parent.tolist()):
        candidates = [
            source
            for source, targets in links.items()
            if node in targets and node and walked.get(source, -9) + 1 == walked.get(node)
        ]
        assert parent == min(candidates, default=UNREACHED)
    for node, in_degree in enumerate(measures.in_degree.tolist()):
        assert in_degree == sum(
            node in targets for source, targets in links.items() if source != node
        )


@given(LINKS, st.sets(st.integers(0, 11)))
def test_distances_agree_with_a_walk_that_begins_with_the_orphans_too(
    links: dict[int, list[int]], sitemap: set[int]
) -> None:
    def walk(near: list[int]) -> list[int]:
        walked = {0: 0, **dict.fromkeys(near, 1)}
        for node in (queue := sorted(walked)):
            for target in links.get(node, []):
                if target not in walked:
                    walked[target] = walked[node] + 1
                    queue.append(target)
        return [walked.get(node, 12) for node in range(12)]

    linked = walk([])
    orphans = [node for node in sitemap if linked[node] == 12]
    near = [*orphans, *(node for node in links.get(0, []) if node)]
    assert graph(links, 12, sitemap=tuple(sitemap)).distances().tolist() == walk(near)


@given(LINKS, st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)), st.integers(1, 7))
def test_it_does_not_matter_how_many_links_are_looked_at_together(
    links: dict[int, list[int]], redirects: set[int], sitemap: set[int], chunk: int
) -> None:
    whole = graph(links, 12, redirects=tuple(redirects), sitemap=tuple(sitemap))
    with patch("sitemapgen.analysis.graph.CHUNK", chunk):
        parts = graph(links, 12, redirects=tuple(redirects), sitemap=tuple(sitemap))
        measures = parts.measure(3)
    assert as_lists(measures) == as_lists(whole.measure(3))
    nodes = np.arange(12)
    assert parts.first_targets(nodes).tolist() == whole.first_targets(nodes).tolist()
