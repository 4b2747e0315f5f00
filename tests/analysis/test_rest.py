"""Which pages a refresh need not request, and when it is the turn of each."""

import numpy as np
import pytest

from sitemapgen.analysis.coverage import Census
from sitemapgen.analysis.freshness.rest import resting_pages
from sitemapgen.analysis.freshness.trust import CHECKED_EVERY
from sitemapgen.analysis.graph import NOWHERE
from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each


def rest(
    verdicts: list[Verdict], run: int = 1, parent: dict[int, int] | None = None, original: int = -1
) -> tuple[list[int], list[int]]:
    """Return the pages of one kind that rest, and those whose turn it is."""
    every = np.ones(len(verdicts), np.bool_)
    census = Census(
        is_reached=every,
        in_sitemap=~every,
        is_crawled=every,
        verdict=np.array([verdict.code for verdict in verdicts], np.int8),
        original=np.full(len(verdicts), original),
        pagerank=np.zeros(len(verdicts)),
    )
    parents = np.full(len(verdicts), NOWHERE)
    for page, above in (parent or {}).items():
        parents[page] = above
    kind = np.array([int(verdict is Verdict.LISTED) for verdict in verdicts])
    is_gone = census.has(Verdict.HTTP_ERROR)
    groups = kind, np.zeros_like(kind)
    pages, is_turn = resting_pages(census, groups, parents, every, is_gone, run)
    return pages.tolist(), pages[is_turn].tolist()


@pytest.mark.parametrize("verdict", [Verdict.NOINDEX, Verdict.DUPLICATE, Verdict.REDIRECT])
def test_a_kind_rests_as_a_whole(verdict: Verdict) -> None:
    assert rest([verdict] * WITHOUT_EXCEPTION)[0] == [*range(WITHOUT_EXCEPTION)]
    assert rest([verdict] * (WITHOUT_EXCEPTION - 1)) == ([], [])


@pytest.mark.parametrize("pages", [WITHOUT_EXCEPTION, 100])
def test_each_page_has_its_turn_and_each_run_some(pages: int) -> None:
    turns = [rest([Verdict.NOINDEX] * pages, run)[1] for run in range(CHECKED_EVERY)]
    assert all(turns)
    assert sorted(page for some in turns for page in some) == [*range(pages)]


def test_variants_and_files_rest_alone() -> None:
    assert rest([Verdict.VARIANT, Verdict.LISTED, Verdict.NOT_HTML])[0] == [0, 2]


def test_one_of_two_samples_of_files_is_requested_in_each_run() -> None:
    assert [rest([Verdict.NOT_HTML] * 2, run)[1] for run in range(3)] == [[1], [0], [1]]


@pytest.mark.parametrize(("original", "rests"), [(NOWHERE, False), (30, True)])
def test_a_kind_that_leads_to_a_listed_page(original: int, rests: bool) -> None:
    """Unless that is its own original."""
    verdicts = [*[Verdict.CANONICALISED] * 30, Verdict.LISTED]
    assert bool(rest(verdicts, parent={30: 7}, original=original)[0]) is rests


@for_each((1, 1), (2 * WITHOUT_EXCEPTION - 1, 45), (4 * WITHOUT_EXCEPTION, 23), (500, 100))
def test_links_to_nothing_are_one_kind(number: int, asked: int) -> None:
    pages, turn = rest([Verdict.LISTED] * 9 + [Verdict.HTTP_ERROR] * number)
    assert (len(pages), len(turn)) == (number, asked)
