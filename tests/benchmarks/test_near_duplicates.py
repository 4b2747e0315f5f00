"""Precision and recall of the default threshold on a small part of the labelled set."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from sitemapgen.settings import SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD
from tests.benchmarks.near_duplicates import DISTINCT, NEAR, SITES, Read, cases, measure, read

EACH = 6
PRECISION, RECALL = 0.95, 0.80

for site in SITES:
    if not Path(site).exists():
        pytest.skip(f"{site} is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def pairs() -> Sequence[Read]:
    return [read(case) for case in cases(EACH)]


def test_every_kind_of_edit_is_there(pairs: Sequence[Read]) -> None:
    assert {each.kind for each in pairs} == {*NEAR, *DISTINCT}


def test_the_default_threshold(pairs: Sequence[Read]) -> None:
    measured = measure(pairs, SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD)
    assert measured.precision >= PRECISION
    assert measured.recall >= RECALL


def test_text_alone_is_no_evidence(pairs: Sequence[Read]) -> None:
    alone = measure(pairs, SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD, text_alone=True)
    assert alone.precision < 0.7


def test_other_thresholds_are_worse(pairs: Sequence[Read]) -> None:
    assert measure(pairs, 0.6).precision < PRECISION
    assert measure(pairs, 0.95).recall < RECALL


def test_the_samples_are_as_good_as_all_shingles(pairs: Sequence[Read]) -> None:
    errors = [each.similarity - each.exact for each in pairs if each.exact > 0.5]
    assert (sum(error**2 for error in errors) / len(errors)) ** 0.5 < 0.03
