"""Peak memory of the crawling process: of a whole crawl, and for pending URLs.

For these each crawl fetches 110 pages and leaves so many URLs pending. Measured: the most resident
memory of each, in MB, and by how much it grew from the first to the last.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.comparison import crawl
from tests.benchmarks.contestants import OURS, TUTORIAL
from tests.benchmarks.cost import Memory
from tests.benchmarks.crawling import SITE, needs, ours
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


def test_a_crawl_takes_what_one_of_crawlspider_takes() -> None:
    """0.97 to 1.00 of it on 2026-11-30."""
    needs(SITE, "postgresql-doc-15")
    with serve(SITE) as serving:
        peaks = [crawl(tool, serving, "index.html", []).memory for tool in (OURS, TUTORIAL)]
    assert peaks[0] < 1.04 * peaks[1], peaks
