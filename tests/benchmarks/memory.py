"""How much memory pending URLs cost the crawling process.

    python -m tests.benchmarks.memory --pending 1000 100000

Each crawl fetches 110 pages and leaves so many URLs pending. Prints JSON: the most resident memory
of each, in MB, and by how much it grew from the first to the last.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.benchmarks.cost import Memory
from tests.benchmarks.crawling import ours
from tests.benchmarks.serving import serve

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pending", type=int, nargs="+", default=[1_000, 100_000])
    print(json.dumps(measure(parser.parse_args().pending)))


if __name__ == "__main__":
    main()
