"""The budget of publishing: near the cost of formatting alone, in flat memory."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from sitemapgen.publish import sitemaps
from tests.benchmarks import publishing

if TYPE_CHECKING:
    from pathlib import Path

RATIO = 4.0
"""1,000,000 URLs in 15 s are allowed, and the loop takes 2 to 3 s."""

PEAK_MB = 50
"""The interpreter takes 15; one part held in memory would add 9, all URLs of a million 200."""


def measure(urls: int) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.publishing", "--urls", str(urls)]
    done = subprocess.run(
        command, cwd=publishing.PROJECT, capture_output=True, check=True, timeout=300
    )
    return json.loads(done.stdout)


def test_a_hundred_thousand_urls() -> None:
    measured = measure(100_000)
    assert measured["ratio"] <= RATIO
    assert measured["peak_mb"] <= PEAK_MB


@pytest.mark.slow
def test_a_million_urls() -> None:
    measured = measure(1_000_000)
    assert measured["ratio"] <= RATIO
    assert measured["seconds"] <= 15
    assert measured["peak_mb"] <= PEAK_MB


def test_the_loop_writes_the_same_entries(tmp_path: Path) -> None:
    publishing.publish(1000, tmp_path)
    publishing.loop(1000, tmp_path)
    form = sitemaps.FORMATS["xml"]
    ours = (tmp_path / sitemaps.ENTRY).read_bytes()
    assert ours == form.head + (tmp_path / "loop.xml").read_bytes() + form.foot
