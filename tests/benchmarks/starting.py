"""What ``sitemapgen --help`` costs, against ``scrapy --help``.

    python -m tests.benchmarks.starting

Pairs of processes in an empty directory, in turn. Prints JSON: the median of the ratios of their
CPU, and the smallest and the largest.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks.cost import cost
from tests.benchmarks.serving import PROJECT

PAIRS = 10


def measure(pairs: int = PAIRS) -> dict[str, float]:
    """Measure pairs of processes, after one that compiles and caches."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)

        def spent(program: str) -> float:
            return cost(
                [sys.executable, "-m", program, "--help"],
                log=directory / "log",
                cwd=directory,
                environment={"PYTHONPATH": str(PROJECT)},
            ).cpu

        spent("sitemapgen")
        spent("scrapy")
        ratios = [spent("sitemapgen") / spent("scrapy") for _ in range(pairs)]
    return {"ratio": median(ratios), "least": min(ratios), "most": max(ratios)}


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
