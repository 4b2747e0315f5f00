"""The budget of the analysis of endless spaces: bounded memory, whatever the number of URLs."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.alone

PROJECT = Path(__file__).resolve().parents[2]
GROWTH_MB = 40
"""By which the memory of a process may grow while a pattern is analysed."""
CHECKS = 4
"""Requests a pattern for second readings and made-up URLs."""


def measure(site: str, urls: int, deadline: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.traps", "--site", site, "--urls", str(urls)]
    done = subprocess.run(
        command, cwd=PROJECT, stdout=subprocess.PIPE, check=True, timeout=deadline
    )
    return json.loads(done.stdout)


def test_a_finite_pattern_is_fetched_to_its_end_in_bounded_memory() -> None:
    measured = measure("finite", 3_000, 300)
    assert measured["listed"] == 3_001, measured
    assert measured["fetched"] <= 3_001 + CHECKS, measured
    assert measured["growth_mb"] <= GROWTH_MB, measured


def test_an_endless_pattern_of_known_urls_costs_little() -> None:
    measured = measure("endless", 10_000, 300)
    assert measured["fetched"] <= 11 + 1_000, measured
    assert measured["growth_mb"] <= GROWTH_MB, measured


@pytest.mark.slow
@pytest.mark.parametrize("site", ["finite", "endless"])
def test_a_million_urls_of_one_pattern(site: str) -> None:
    measured = measure(site, 1_000_000, 7_200)
    print(measured)
    assert measured["growth_mb"] <= GROWTH_MB, measured
    if site == "finite":
        assert measured["ratio"] <= 0.2, measured
    else:  # next to nothing is fetched, and a million URLs are sorted into patterns
        assert measured["seconds"] <= 200, measured  # 86
