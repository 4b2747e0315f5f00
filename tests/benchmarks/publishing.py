"""What it costs to publish a sitemap, against the plain loop that formats the same bytes.

    python -m tests.benchmarks.publishing --urls 1000000

Prints JSON: ``seconds`` (wall clock, the best of three), ``peak_mb`` (the whole process that only
publishes, interpreter included) and ``ratio`` (seconds / those of the loop, which writes
the same entries to one file and syncs it to the same disk).
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sitemapgen.publish.files import Staging
from sitemapgen.publish.sitemaps import ENTRY, PRIORITIES, Listed, Options, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROJECT = Path(__file__).resolve().parents[2]
SITE = "https://www.example.com/"
ROUNDS = 3


def pages(count: int) -> Iterator[Listed]:
    """Yield pages such as a large site has: 75 characters, an ampersand, a date."""
    for number in range(count):
        url = f"{SITE}section-{number // 1000:05d}/article-{number:08d}?page=1&view=full"
        yield Listed(url, "2024-05-01T10:00:00+00:00", number % 12)


def publish(count: int, directory: Path) -> None:
    with Staging(directory, now=int(time.time())) as staging:
        written = write(pages(count), staging, Options(base_url=SITE))
        staging.commit(last=ENTRY, stale=written.stale)


def loop(count: int, directory: Path) -> None:
    """Write the same entries, unchecked, to one file of any size."""
    with (directory / "loop.xml").open("wb") as file:
        for url, lastmod, depth, _ in pages(count):
            loc = url.replace("&", "&amp;")
            file.write(
                f"  <url>\n    <loc>{loc}</loc>\n    <lastmod>{lastmod}</lastmod>\n"
                f"    <priority>{PRIORITIES[min(depth, 9)]}</priority>\n  </url>\n".encode()
            )
        file.flush()
        os.fsync(file.fileno())


def seconds(work: Callable[[int, Path], None], count: int) -> float:
    with tempfile.TemporaryDirectory() as directory:
        start = time.perf_counter()
        work(count, Path(directory))
        return time.perf_counter() - start


def peak_mb(count: int) -> float:
    """Publish in a fresh process, whose peak is its own, and return that."""
    command = [sys.executable, "-m", __spec__.name, "--urls", str(count), "--peak"]
    done = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True)
    return float(done.stdout)


def own_peak_mb(count: int) -> float:
    seconds(publish, count)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def measure(count: int) -> dict[str, float]:
    """Measure both in turn, so that a busy moment of the machine meets both."""
    rounds = [(seconds(publish, count), seconds(loop, count)) for _ in range(ROUNDS)]
    ours, theirs = (min(column) for column in zip(*rounds, strict=True))
    return {
        "seconds": round(ours, 2),
        "peak_mb": round(peak_mb(count), 1),
        "ratio": round(ours / theirs, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--peak", action="store_true", help="publish once, print the peak only")
    arguments = parser.parse_args()
    result = own_peak_mb if arguments.peak else measure
    print(json.dumps(result(arguments.urls)))


if __name__ == "__main__":
    main()
