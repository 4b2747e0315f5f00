"""How much memory a crawl holds while it renders, and what it leaves behind.

Crawls a client-rendered site. Measured: the resident memory of crawler, driver and browser, all
their processes together and by program, in MB, around the 50th page, in the middle and at the end
(medians over 20 pages); how many processes there were at a time, and how many are left afterwards.
"""

import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from statistics import median
from typing import Any, NamedTuple

import psutil

from tests.benchmarks import PROJECT
from tests.benchmarks.rendering_cpu import DEADLINE, ENVIRONMENT, crawling, serve

NEAR = 10
"""Pages before and after the one in question."""


class Sample(NamedTuple):
    """One look at the processes of a crawl."""

    pages: int
    """Rendered so far."""
    mb: Counter[str]
    """By program."""
    processes: int


def measure(pages: int = 500, at_once: int = 4, quiet: float = 0.2) -> dict[str, Any]:
    """Crawl so many pages. Raises RuntimeError if one of them was not listed."""
    samples: list[Sample] = []
    family: set[psutil.Process] = set()
    with serve(pages) as server, tempfile.TemporaryDirectory() as output:
        command = crawling(server, output, at_once, quiet)
        crawl = subprocess.Popen(
            command, cwd=PROJECT, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True
        )
        root = psutil.Process(crawl.pid)
        end = time.monotonic() + DEADLINE
        try:
            while crawl.poll() is None and time.monotonic() < end:
                rendered = sum(path.startswith("/api/") for path in list(server.paths))
                with suppress(psutil.Error):
                    alive = [root, *root.children(recursive=True)]
                    family.update(alive)
                    samples.append(Sample(rendered, _weigh(alive), len(alive)))
                time.sleep(0.2)
        finally:
            crawl.kill()
            _, log = crawl.communicate()
    if crawl.returncode or f"listed {pages}" not in log:
        raise RuntimeError(f"exit code {crawl.returncode}\n{log[-2_000:]}")
    moments = {50: 50, pages // 2: pages // 2, pages: pages - NEAR}
    return {
        "mb": {
            name: _median([each.mb for each in samples if abs(each.pages - at) <= NEAR])
            for name, at in moments.items()
        },
        "processes": max(each.processes for each in samples),
        "left": sum(_is_running(process) for process in family),
    }


def _weigh(processes: Iterable[psutil.Process]) -> Counter[str]:
    """Resident megabytes by program, and of all."""
    sizes = Counter[str]()
    for process in processes:
        with suppress(psutil.Error):
            size = process.memory_info().rss / 1e6
            kind = next((part for part in process.cmdline() if part.startswith("--type=")), "")
            sizes[kind.removeprefix("--type=") or process.name()] += size
            sizes["all"] += size
    return sizes


def _median(sizes: list[Counter[str]]) -> dict[str, int]:
    names = sorted(frozenset().union(*sizes))
    return {name: round(median(each[name] for each in sizes)) for name in names}


def _is_running(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False
