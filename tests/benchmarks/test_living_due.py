"""The promise of refresh=due, on sites whose changes are known: in memory, and really crawled."""

import json
from typing import Any

import pytest

from sitemapgen.analysis.freshness.due import MAX_RUNS, MOST_STALE
from tests.benchmarks.living_due import measure, measure_real
from tests.benchmarks.living_site import POSTGRESQL

pytestmark = pytest.mark.skipif(
    not POSTGRESQL.exists(), reason="the Debian package postgresql-doc-15 is not installed"
)


def check(measured: dict[str, Any]) -> None:
    """What is promised, and whether the crawler's own estimate of it is right."""
    print(json.dumps(measured, indent=1))
    assert measured["oldest_days"] < MAX_RUNS
    assert measured["gone_listed_days"] <= MAX_RUNS
    assert measured["expected_of_left"] <= MOST_STALE
    assert measured["stale_of_left"] <= MOST_STALE
    assert measured["stale_of_left"] == pytest.approx(measured["expected_of_left"], rel=0.5)
    assert measured["stale_of_listed"] < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_site_without_dates_most_of_whose_pages_change_seldom(seed: int) -> None:
    measured = measure(seed=seed)
    check(measured)
    assert measured["left_out"] > 0.5
    assert measured["requests_of_all"] < 0.5


@pytest.mark.slow
def test_pages_that_change_often_are_visited_always() -> None:
    measured = measure(kind="living")
    check(measured)
    assert measured["oldest_days"] <= 3


def test_sections_that_change_their_ways_are_visited_in_the_same_run() -> None:
    measured = measure(is_spiky=True)
    check(measured)
    runs = dict.fromkeys((section, run) for run, section in measured["visited_whole"])
    assert ("releases", 31) in runs  # redesigned in the night before
    assert any(section == "catalogs" and 30 <= run <= 34 for section, run in runs)


@pytest.mark.slow
def test_twelve_days_of_the_real_crawler() -> None:
    measured = measure_real(12, 150)
    check(measured)
    assert measured["requests_of_all"] < 0.9


@pytest.mark.slow
def test_twenty_days_of_the_real_crawler() -> None:
    measured = measure_real(20, 300)
    check(measured)
    assert measured["requests_of_all"] < 0.6
