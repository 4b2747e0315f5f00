"""The budget of the metrics: time a link, memory a page and a link."""

import pytest

from tests.benchmarks.metrics import measure

pytestmark = pytest.mark.alone


def test_a_hundred_thousand_pages() -> None:
    measured = measure(100_000, 120)
    assert measured["seconds"] <= 15, measured
    assert measured["iterations"] <= 60, measured
    assert measured["peak_mb"] <= 120, measured


@pytest.mark.slow
def test_a_million_pages() -> None:
    measured = measure(1_000_000, 300)
    print(measured)
    assert measured["seconds"] <= 60, measured
    assert measured["peak_mb"] <= 420, measured


@pytest.mark.slow
def test_fifty_million_links() -> None:
    small, large = measure(1_000_000, 300), measure(2_800_000, 1_200)
    print(large)
    assert large["links"] >= 50_000_000
    pages = large["pages"] - small["pages"]
    links = large["links"] - small["links"]
    grown = (large["peak_mb"] - small["peak_mb"]) * 2**20
    assert grown <= 160 * pages + 8 * links, (small, large)
    assert large["peak_mb"] <= 2_000, large
