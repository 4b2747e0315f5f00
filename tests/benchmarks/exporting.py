"""What it costs to export a crawl as tables, by format: CPU, memory, bytes of each table.

    python -m tests.benchmarks.exporting --pages 1000000

Prints JSON: ``state_bytes``, and for each format ``seconds`` (CPU), ``wall_seconds``, ``peak_mb``
(of the whole process, which only exports) and ``tables``: rows, files and bytes of each. The site
is that of ``concluding.py``. ``--keep`` names a directory for the state, to measure again without
making it again.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from sitemapgen.publish.tables.export import FORMATS, export
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from tests.benchmarks import concluding

PROJECT = Path(__file__).resolve().parents[2]


def make(pages: int, directory: Path) -> None:
    """Make the state of a crawl that was published and has ended."""
    directory.mkdir(parents=True)
    state = directory / "crawl.sqlite"
    concluding.crawl(pages, state)
    concluding.conclude(directory)
    with closing(Store(state, Limits())) as store:
        store.history.keep_outcomes()
        store.end_run("finished", concluding.NOW.timestamp())


def measure_export(directory: Path, format_: str) -> dict[str, Any]:
    """Export in this process, which ought to be fresh."""
    with tempfile.TemporaryDirectory(dir=directory) as into:
        begin, start = time.perf_counter(), time.process_time()
        exported = export(directory, Path(into), format_)
        seconds, wall = time.process_time() - start, time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "seconds": round(seconds, 2),
        "wall_seconds": round(wall, 2),
        "peak_mb": round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1),
        "tables": {
            each.path.name: {"rows": each.rows, "files": each.files, "bytes": each.bytes}
            for each in exported.tables
        },
    }


def measure(pages: int, kept: Path | None = None) -> dict[str, Any]:
    """Make the state, or take the one that is kept, and export it in processes of their own."""
    with tempfile.TemporaryDirectory() as name:
        directory = kept or Path(name) / "output"
        if not directory.exists():
            make(pages, directory)
        measured: dict[str, Any] = {"state_bytes": (directory / "crawl.sqlite").stat().st_size}
        for format_ in FORMATS:
            command = [sys.executable, "-m", __spec__.name, "--export", str(directory), format_]
            done = subprocess.run(
                command, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
            )
            measured[format_] = json.loads(done.stdout)
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--export", nargs=2, help="export what is there, once, in this format")
    arguments = parser.parse_args()
    if arguments.export:
        directory, format_ = arguments.export
        print(json.dumps(measure_export(Path(directory), format_)))
    else:
        print(json.dumps(measure(arguments.pages, arguments.keep), indent=1))


if __name__ == "__main__":
    main()
