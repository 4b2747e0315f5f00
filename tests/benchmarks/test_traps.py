"""The budget of the analysis of endless spaces: bounded memory, whatever the number of URLs."""

import pytest

from tests.benchmarks import measure_alone
from tests.benchmarks.traps import measure

pytestmark = pytest.mark.alone

GROWTH_MB = 40
"""By which the memory of a process may grow while a pattern is analysed."""
CHECKS = 4
"""Requests a pattern for second readings and made-up URLs."""


def test_a_finite_pattern_is_fetched_to_its_end_in_bounded_memory() -> None:
    measured = measure_alone(measure, "finite", 3_000)
    assert measured["listed"] == 3_001, measured
    assert measured["fetched"] <= 3_001 + CHECKS, measured
    assert measured["growth_mb"] <= GROWTH_MB, measured


def test_an_endless_pattern_of_known_urls_costs_little() -> None:
    measured = measure_alone(measure, "endless", 10_000)
    assert measured["fetched"] <= 11 + 1_000, measured
    assert measured["growth_mb"] <= GROWTH_MB, measured


@pytest.mark.slow
@pytest.mark.parametrize("site", ["finite", "endless"])
def test_a_million_urls_of_one_pattern(site: str) -> None:
    measured = measure_alone(measure, site, 1_000_000)
    print(measured)
    assert measured["growth_mb"] <= GROWTH_MB, measured
    if site == "finite":
        assert measured["ratio"] <= 0.2, measured
    else:  # next to nothing is fetched, and a million URLs are sorted into patterns
        assert measured["seconds"] <= 200, measured  # 86
