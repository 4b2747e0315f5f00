"""Kinds of pages, and which page is the sibling of another."""

import numpy as np
import pytest

from sitemapgen.analysis.renditions import find_siblings, number_kinds
from sitemapgen.core.url_forms import form_of
from tests.helpers.graphs import graph

HOST = "https://example.com"


def kinds_of(paths: list[str]) -> list[int]:
    forms = [form_of(HOST + path) for path in paths]
    numbers = np.array([sorted({*forms}).index(form) for form in forms], np.int32)
    return number_kinds(((node, HOST + path) for node, path in enumerate(paths)), numbers).tolist()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/article.php?id={}", "/print.php?id={}"),
        ("/en/article/{}", "/en/print/{}"),
        ("/lamp{}/print", "/lamp{}/reviews"),
        ("/?a=commit;h={}", "/?a=diff;h={}"),
    ],
)
def test_words_that_many_pages_have_separate_kinds(one: str, other: str) -> None:
    paths = [form.format(number) for form in (one, other) for number in range(30)]
    found = kinds_of(paths)
    assert found == [found[0]] * 30 + [found[30]] * 30
    assert found[0] != found[30]


def test_words_that_few_pages_have_do_not() -> None:
    assert kinds_of([]) == []
    assert len({*kinds_of([f"/shop/{'abc'[number % 3]}{number}" for number in range(30)])}) == 1
    assert len({*kinds_of([f"/shop/lamp-{'x' * number}" for number in range(1, 30)])}) == 1


def test_the_page_that_leads_to_one_of_a_kind_is_its_sibling() -> None:
    """30 articles (1 to 30), each with a form (31 to 60); the start page (0) leads to articles."""
    links = {0: [*range(1, 31)], **{node: [node + 30] for node in range(1, 31)}}
    links |= {node: [node - 30] for node in range(31, 61)}
    site, numbers = graph(links, 61), np.array([0] + [1] * 30 + [2] * 30)
    is_listed = np.ones(61, np.bool_)
    found = find_siblings(site, site.measure(), numbers, is_listed)
    assert found == {2: [(node, node - 30) for node in range(31, 61)]}
    is_listed[1:31] = False
    assert find_siblings(site, site.measure(), numbers, is_listed) == {}


def test_what_a_list_leads_to_has_no_sibling() -> None:
    """The same, with a list of all forms on the start page."""
    links = {0: [*range(1, 61)], **{node: [node + 30] for node in range(1, 31)}}
    site, numbers = graph(links, 61), np.array([0] + [1] * 30 + [2] * 30)
    assert find_siblings(site, site.measure(), numbers, np.ones(61, np.bool_)) == {}
