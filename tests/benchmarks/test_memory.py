"""The budget of pending URLs: flat memory, whatever their number."""

import pytest

from tests.benchmarks.memory import measure

pytestmark = pytest.mark.alone


def test_pending_urls_cost_little_memory() -> None:
    measured = measure([1_000, 100_000])
    assert measured["growth_mb"] < 60, measured
