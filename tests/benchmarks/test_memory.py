"""How much memory pending URLs cost the crawling process.

Each crawl fetches 110 pages and leaves so many URLs pending. Measured: the most resident memory
of each, in MB, and by how much it grew from the first to the last.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.cost import Memory
from tests.benchmarks.crawling import ours
from tests.benchmarks.serving import serve

pytestmark = pytest.mark.alone

FETCHED = 110


def peak(pending: int) -> float:
    """The most resident memory, in MB, of a crawl that leaves so many URLs pending."""
    memory = Memory()
    with serve(f"wide:{FETCHED + pending}") as serving, tempfile.TemporaryDirectory() as name:
        arguments = ["-a", f"max_pages={FETCHED}"]
        output = Path(name) / "output"
        ours(serving.url, output, arguments=arguments, watch=memory.watch, deadline=300)
        report = json.loads((output / "report.json").read_text())
    left = report["verdicts"]["over_cap"]
    if left != pending:
        raise RuntimeError(f"{left} URLs were left pending, not {pending}")
    return memory.peak


def measure(pending: list[int]) -> dict[str, Any]:
    """The peak for each number of pending URLs, and the growth."""
    peaks = {count: round(peak(count), 1) for count in pending}
    return {"mb": peaks, "growth_mb": round(peaks[pending[-1]] - peaks[pending[0]], 1)}


def test_pending_urls_cost_little_memory() -> None:
    """The peak of a small crawl differs by 6 MB from one to the next."""
    measured = measure([1_000, 100_000])
    assert measured["growth_mb"] < 65, measured
