"""The budget of the metrics: time a link, memory a page and a link."""

import pytest

from tests.benchmarks import measure_alone
from tests.benchmarks.metrics import metrics

pytestmark = pytest.mark.alone


def test_a_hundred_thousand_pages() -> None:
    measured = measure_alone(metrics, 100_000)
    assert measured["seconds"] <= 15, measured
    assert measured["iterations"] <= 60, measured
    assert measured["peak_mb"] <= 120, measured


@pytest.mark.slow
def test_a_million_pages() -> None:
    measured = measure_alone(metrics, 1_000_000)
    print(measured)
    assert measured["seconds"] <= 60, measured
    assert measured["peak_mb"] <= 420, measured


@pytest.mark.slow
def test_fifty_million_links() -> None:
    small, large = measure_alone(metrics, 1_000_000), measure_alone(metrics, 2_800_000)
    print(large)
    assert large["links"] >= 50_000_000
    pages = large["pages"] - small["pages"]
    links = large["links"] - small["links"]
    grown = (large["peak_mb"] - small["peak_mb"]) * 2**20
    assert grown <= 160 * pages + 8 * links, (small, large)
    assert large["peak_mb"] <= 2_000, large
