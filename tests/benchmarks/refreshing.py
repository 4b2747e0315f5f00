"""What the second crawl of a site costs that has not changed, against the first.

    python -m tests.benchmarks.refreshing --rounds 3

Prints JSON: CPU seconds of both processes, bytes of the bodies that the server sent, requests, and
the ratios of the second to the first (medians over the rounds). The site answers conditional
requests: its pages have an ETag.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.crawling import SITE, ours
from tests.benchmarks.serving import serve


def measure(site: str = SITE, rounds: int = 3, start: str = "index.html") -> dict[str, Any]:
    """Crawl a site twice into the same output, as often as there are rounds."""
    runs: dict[str, list[dict[str, float]]] = {"first": [], "second": []}
    with serve(site) as serving:
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as name:
                for run in runs.values():
                    serving.record()
                    cpu = ours(serving.url + start, Path(name) / "output")
                    paths, _, sent = serving.record()
                    run.append({"cpu": cpu, "bytes": sent, "requests": len(paths)})
    ratios = {
        what: round(median(b[what] / a[what] for a, b in zip(*runs.values())), 3)
        for what in ("cpu", "bytes", "requests")
    }
    return {**runs, "ratio": ratios}


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--site", default=SITE)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.site, arguments.rounds), indent=2))


if __name__ == "__main__":
    main()
