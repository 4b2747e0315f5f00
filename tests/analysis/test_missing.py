"""Pages that are lists, images or parts of others, and the pages that only look like them."""

import random

import numpy as np
import pytest

from sitemapgen.analysis.graph import Ints, LinkGraph
from sitemapgen.analysis.missing import FEW, OwnImages, Subsets, tables_of_contents
from sitemapgen.core.document.shingles import sample_shingles
from tests.analysis.sites import site

WORDS = random.Random(1).sample(range(10**7, 10**8), 9_000)


def text(first: int, last: int) -> bytes:
    """Eight characters a word; texts that overlap have these words in common."""
    return "".join(map(str, WORDS[first:last])).encode()


def parts(looked_for: dict[int, bytes], others: dict[int, bytes]) -> list[int]:
    texts = {**looked_for, **others}
    lengths = np.zeros(100, np.int64)
    for node, words in texts.items():
        lengths[node] = len(words)
    found = Subsets({node: sample_shingles(words) for node, words in looked_for.items()}, lengths)
    samples = [sample_shingles(words) for words in texts.values()]
    counts = np.array([len(each) for each in samples])
    found.search_nodes(np.array([*texts]), counts, np.concatenate(samples))
    return found.nodes().tolist()


@pytest.mark.parametrize("times", [1.5, 2, 4, 8])
def test_a_part_of_a_longer_page(times: float) -> None:
    assert parts(
        {1: text(100, 600)}, {2: text(1_000, 1_000 + int(500 * (times - 1))) + text(100, 600)}
    ) == [1]


def test_the_whole_is_no_part() -> None:
    assert parts({1: text(0, 500), 2: text(0, 1_000)}, {}) == [1]


@pytest.mark.parametrize(
    ("own", "other"),
    [
        (text(0, 500), text(500, 2_000)),  # nothing in common
        (text(0, 500), text(250, 2_000)),  # half of it
        (text(0, 500), text(100, 2_000)),  # four fifths
        (text(0, 500), text(0, 450) + text(900, 950)),  # one template, equally long
    ],
)
def test_what_is_no_part(own: bytes, other: bytes) -> None:
    assert parts({1: own}, {2: other}) == []


def test_what_the_whole_site_says_is_evidence_for_nothing() -> None:
    terms = text(0, 400)
    shops = {number: terms + text(1_000 + 3 * number, 1_003 + 3 * number) for number in range(40)}
    assert parts(shops, {99: terms + text(3_000, 4_000)}) == []


def test_nothing_to_look_for() -> None:
    assert parts({}, {2: text(0, 500)}) == []
    assert parts({1: b"x" * 500}, {2: text(0, 500)}) == []  # one shingle


def image_pages(*shown: tuple[int, ...], others: tuple[int, ...] = ()) -> list[int]:
    """Which of the pages with these images have one of their own."""
    found = OwnImages({node: np.array(each, np.uint32) for node, each in enumerate(shown)})
    found.count_images(np.array([image for each in shown for image in each] + [*others], np.uint32))
    return found.nodes().tolist()


def test_an_image_of_its_own_and_the_logo() -> None:
    logo = 7
    assert image_pages((logo, 1), (logo, 2), (logo,), (logo,), ()) == [0, 1]
    assert image_pages((logo,), others=(logo,) * FEW) == []  # one page with little text
    assert image_pages((1,), others=(1,) * (FEW - 1)) == [0]  # its gallery, its larger view


def issue(articles: int, menu: int = 0) -> LinkGraph:
    """An issue (0) with links to its articles, each to its neighbours; all have a menu."""
    pages = range(articles + 1)
    links = {page: [page - 1, page + 1, 0] for page in pages if page}
    links[0] = list(pages)[1:]
    everywhere = list(range(articles + 1, articles + 1 + menu))
    return graph_of({page: [*links.get(page, []), *everywhere] for page in (*pages, *everywhere)})


def graph_of(links: dict[int, list[int]]) -> LinkGraph:
    """Pages by number, which is their place as well."""
    names = {page: f"{page:03}" for page in links}
    return site(
        [*names.values()],
        links={
            names[page]: [names[each] for each in dict.fromkeys(targets) if each in names]
            for page, targets in links.items()
        },
    )


def contents(graph: LinkGraph, length: int) -> list[int]:
    size = len(graph.nodes.keys)
    in_degree: Ints = graph.measure(0).in_degree
    lengths, some = np.full(size, length), np.ones(size, np.bool_)
    return np.flatnonzero(tables_of_contents(graph, in_degree, lengths, some)).tolist()


def test_a_table_of_contents() -> None:
    assert contents(issue(20), 20 * 60) == [0]
    assert contents(issue(20), 20 * 60 + 1) == []  # with first sentences
    assert contents(issue(8), 100) == []
    assert contents(issue(20, menu=30), 600) == [0]  # the menu is no page's own


def test_a_menu_makes_no_table_of_contents() -> None:
    everywhere = range(40)
    assert contents(graph_of({page: [*everywhere] for page in everywhere}), 100) == []
