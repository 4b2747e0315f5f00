"""The budget of concluding a crawl: so many times the cost of writing its sitemap, and no more."""

import pytest

from tests.benchmarks.concluding import STEPS, measure

pytestmark = pytest.mark.alone

RATIO = 34.0
"""30 measured: 8 of it for near-duplicates, the audit and the report, and 8 since the audit
compares missing pages with listed ones."""


def test_forty_thousand_pages() -> None:
    measured = measure(40_000)
    assert measured["step_seconds"].keys() == STEPS.keys()
    assert measured["ratio"] <= RATIO, measured
    # 122, of which 10 are the checks of arguments, which the options of a run bring along and every
    # crawl has loaded.
    assert measured["peak_mb"] <= 130, measured


@pytest.mark.slow
def test_a_million_pages() -> None:
    measured = measure(1_000_000)
    print(measured)
    assert measured["ratio"] <= RATIO, measured
    assert measured["peak_mb"] <= 400, measured
