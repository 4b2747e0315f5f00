"""The budget of a command that does not crawl: its start, against Scrapy's."""

from __future__ import annotations

import pytest

from tests.benchmarks.starting import measure

pytestmark = pytest.mark.alone


def test_help_costs_less_than_scrapys() -> None:
    measured = measure()
    assert measured["ratio"] <= 0.5, measured  # measured 0.16
