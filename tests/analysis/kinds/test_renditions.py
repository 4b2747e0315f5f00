"""Kinds of pages, and which page is the sibling of another."""

import numpy as np

from sitemapgen.analysis.kinds.renditions import Paths, find_siblings, number_kinds
from sitemapgen.core.url_forms import form_of
from tests.helpers.graphs import graph
from tests.helpers.tables import for_each

HOST = "https://example.com"


def kinds_of(paths: list[str]) -> list[int]:
    forms = [form_of(HOST + path) for path in paths]
    numbers = np.array([sorted({*forms}).index(form) for form in forms], np.int32)
    return number_kinds(
        ((node, HOST + path) for node, path in enumerate(paths)), numbers
    ).number.tolist()


@for_each(
    ("/article.php?id={}", "/print.php?id={}"),
    ("/article{}.html", "/article{}_print.html"),
    ("/en/article/{}", "/en/print/{}"),
    ("/lamp{}/print", "/lamp{}/reviews"),
    ("/?a=commit;h={}", "/?a=diff;h={}"),
)
def test_words_that_many_pages_have_separate_kinds(one: str, other: str) -> None:
    paths = [form.format(number) for form in (one, other) for number in range(30)]
    found = kinds_of(paths)
    assert found == [found[0]] * 30 + [found[30]] * 30
    assert found[0] != found[30]


def test_pages_of_small_kinds_with_the_same_last_word_are_one() -> None:
    sections = [f"/{'abcdef'[number % 6]}/lamp{number}" for number in range(30)]
    found = kinds_of([f"{section}/{word}" for word in ("source", "map") for section in sections])
    assert found == [found[0]] * 30 + [found[30]] * 30
    assert found[0] != found[30]
    assert len({*kinds_of([f"{section}/source" for section in sections[:22]])}) == 6


def test_words_that_few_pages_have_do_not() -> None:
    assert kinds_of([]) == []
    assert len({*kinds_of([f"/shop/{'abc'[number % 3]}{number}" for number in range(30)])}) == 1
    assert len({*kinds_of([f"/shop/lamp-{'x' * number}" for number in range(1, 30)])}) == 1


LINKS = {0: [*range(1, 31)], **{node: [node + 30] for node in range(1, 31)}}
"""A start page (0) that leads to 30 articles (1 to 30), each of which leads to a form (to 60)."""
KINDS = np.array([0] + [1] * 30 + [2] * 30)


def nameless(nodes: int) -> Paths:
    """Return paths that have nothing in common, without queries."""
    none = np.zeros(0, np.int64)
    return Paths(
        np.full(nodes, -1), np.zeros(nodes, np.bool_), [(np.zeros(nodes, np.int64), (none, none))]
    )


def siblings(links: dict[int, list[int]], listed: list[int]) -> dict[int, tuple[int, bool]]:
    """By form: its sibling, and whether no page leads to several forms."""
    site = graph(links, 61)
    found = find_siblings(site, site.measure(), KINDS, np.array(listed), nameless(61))
    columns = zip(found.page.tolist(), found.is_single.tolist())
    return {node: each for node, each in enumerate(columns) if node > 30 and each[0] >= 0}


def test_the_page_of_another_kind_that_leads_to_one_is_its_sibling() -> None:
    back = {node: [node - 30, node - 1] for node in range(32, 61)}
    every = {node: (node - 30, True) for node in range(31, 61)}
    assert siblings(LINKS, [*range(61)]) == every
    assert siblings({**LINKS, **back}, [*range(61)]) == every


def test_the_page_that_is_listed_in_place_of_a_sibling_is_nearer_as_well() -> None:
    start, itself = [0, *[0] * 30, *range(31, 61)], [0, *range(31, 61), *range(31, 61)]
    assert siblings(LINKS, start) == {node: (node - 30, True) for node in range(31, 61)}
    assert siblings(LINKS, itself) == siblings(LINKS, [-1] * 61) == {}


def test_the_page_that_is_listed_is_as_near_as_the_nearest_of_its_copies() -> None:
    """Copies (1 to 30) lead to forms, and these to the pages that are listed (61 to 90)."""
    site = graph({**LINKS, **{node: [node + 30] for node in range(31, 61)}}, 91)
    kinds = np.array([0] + [1] * 30 + [2] * 30 + [1] * 30)
    listed = np.array([0, *range(61, 91), *range(31, 91)])
    found = find_siblings(site, site.measure(), kinds, listed, nameless(91))
    assert found.page[31:61].tolist() == [*range(1, 31)]


def test_what_a_list_leads_to_is_not_single() -> None:
    found = siblings({**LINKS, 0: [*range(1, 61)]}, [*range(61)])
    assert found == dict.fromkeys(range(31, 61), (0, False))


def test_a_page_that_leads_to_no_other_of_the_kind_is_its_sibling_beside_a_list() -> None:
    site, itself = graph({**LINKS, 0: [*range(1, 61)]}, 61), np.arange(61)
    found = find_siblings(site, site.measure(), KINDS, itself, nameless(61))
    assert found.page[31:].tolist() == [0] * 30
    assert found.leader[31:].tolist() == [*range(1, 31)]


def test_the_directory_of_a_page_is_nearer_and_of_another_kind() -> None:
    site, itself = graph(LINKS, 61), np.arange(61)
    directories = np.where(itself > 30, itself - 30, np.where(itself > 0, 60 - itself, -1))
    paths = nameless(61)._replace(directory=directories)
    found = find_siblings(site, site.measure(), KINDS, itself, paths)
    assert found.directory[31:].tolist() == [*range(1, 31)]
    assert set(found.directory[:31].tolist()) == {-1}
    found = find_siblings(
        site, site.measure(), KINDS, itself, paths._replace(has_query=itself < 31)
    )
    assert found.directory[1:].tolist() == [*range(59, 30, -1), -1, *range(1, 31)]


def test_the_nearest_page_of_a_name_is_its_sibling() -> None:
    site, itself = graph(LINKS, 61), np.arange(61)
    names = np.where(itself % 30 == 7, 5, np.where(itself < 3, itself, 0))
    asking = np.append(itself, [40, 1, 40]), np.append(names, [5, 5, 1])
    paths = nameless(61)._replace(names=[(names, asking)])
    found = find_siblings(site, site.measure(), KINDS, itself, paths).namesake.tolist()
    assert {node: page for node, page in enumerate(found) if page >= 0} == {37: 7, 40: 1}
    narrow = np.where((itself == 9) | (itself == 37), 6, 0), (np.array([37]), np.array([6]))
    paths = paths._replace(names=[narrow, *paths.names])
    found = find_siblings(site, site.measure(), KINDS, itself, paths).namesake.tolist()
    assert {node: page for node, page in enumerate(found) if page >= 0} == {37: 9, 40: 1}
