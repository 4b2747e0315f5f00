"""What it costs to export a crawl as tables, by format: CPU, memory, bytes of each table.

    python -m tests.benchmarks exporting.measure 1000000

Measured: ``state_bytes``, and for each format ``seconds`` (CPU), ``wall_seconds``, ``peak_mb``
(of the whole process, which only exports) and ``tables``: rows, files and bytes of each. The site
is that of ``concluding.py``.
"""

import resource
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from sitemapgen.publish.tables.export import FORMATS, export_tables
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from tests.benchmarks import concluding, measure_alone


def make(pages: int, directory: Path) -> None:
    """Make the state of a crawl that was published and has ended."""
    directory.mkdir(parents=True)
    state = directory / "crawl.sqlite"
    concluding.crawl(pages, state)
    concluding.conclude(directory)
    with closing(Store(state, Limits())) as store:
        store.history.keep_outcomes()
        store.end_run("finished", concluding.NOW.timestamp())


def measure_export(directory: str, format_: str) -> dict[str, Any]:
    """Export in this process, which ought to be fresh."""
    with tempfile.TemporaryDirectory(dir=directory) as into:
        begin, start = time.perf_counter(), time.process_time()
        exported = export_tables(Path(directory), Path(into), format_)
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


def measure(pages: int) -> dict[str, Any]:
    """Make the state, and export it in processes of their own."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name) / "output"
        make(pages, directory)
        return {
            "state_bytes": (directory / "crawl.sqlite").stat().st_size,
            **{each: measure_alone(measure_export, directory, each) for each in FORMATS},
        }
