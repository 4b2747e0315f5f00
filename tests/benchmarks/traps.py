"""What the analysis of endless spaces costs at many URLs of one pattern.

    python -m tests.benchmarks traps.measure finite 1000000

Sites: ``finite``, a tree of pages that each say something, so that all are fetched; ``endless``,
whose URLs are known from ordinary pages and whose pages all say the same. Measured: CPU
``seconds`` of all ``releases``, of the ``longest`` one and of the ``conclusion``; ``growth_mb`` of
the resident memory while one of them ran; ``ratio``, the CPU of releases and conclusion to that of
reading and recording the pages; what was ``fetched`` and ``listed``. The pages are made in this
process, without a network.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from tests.helpers.server import Answer
from tests.spaces.offline import OfflineCrawl

BRANCHES = 4
"""Children of a page of the finite site."""
LINKS = 1_000
"""Links of an ordinary page into the endless site."""

Body = Callable[[str, int], str]
"""The HTML of a path of a site that has so many URLs of the pattern."""


# --- the sites


def html(title: str, text: str, links: Iterator[str]) -> str:
    anchors = "".join(f'<a href="{href}">{href[1:]}</a>' for href in links)
    return (
        f"<!doctype html><title>{title}</title><h1>{title}</h1><main>{text}</main><p>{anchors}</p>"
    )


def finite(path: str, urls: int) -> str:
    """/thing?id=N: a table of numbers and a name; it leads to its children in a tree."""
    number = int(path.partition("=")[2] or 0)
    children = range(BRANCHES * number + 1, BRANCHES * number + BRANCHES + 1)
    random = Random(number)
    cells = "".join(f"<td>{random.randint(1, 10**6)}</td>" for _ in range(8))
    name = "".join(random.choices("bcdfghklmnprst", k=8))
    text = f"<p>{name} and its numbers</p><table><tr>{cells}</tr></table>"
    return html("A thing", text, (f"/thing?id={child}" for child in children if child <= urls))


def endless(path: str, urls: int) -> str:
    """/page-N, ordinary pages of 1,000 links; /counter?n=N says its number and leads on."""
    if path.startswith("/counter"):
        number = int(path.partition("=")[2])
        following = (f"/counter?n={n}" for n in (3 * number + 1, 3 * number + 2))
        return html(f"Page {number}", f"<p>Page {number}</p>", following)
    if path == "/":
        return html("Home", "<p>Home</p>", (f"/page-{n}x" for n in range(urls // LINKS)))
    number = int(path[6:-1])
    first = LINKS * number
    links = (f"/counter?n={n}" for n in range(first, first + LINKS))
    return html(f"Part {number}", f"<p>The part of {Random(number).random()}</p>", links)


SITES: dict[str, Body] = {"finite": finite, "endless": endless}


# --- the measuring


class Meter:
    """CPU seconds of some work, and by how much the resident memory grew while it was done."""

    def __init__(self) -> None:
        self.count = 0
        self.seconds = self.longest = self.growth_mb = 0.0

    @contextmanager
    def measuring(self) -> Iterator[None]:
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
        before, start = resident("VmRSS"), time.process_time()
        yield
        spent = time.process_time() - start
        self.count += 1
        self.seconds += spent
        self.longest = max(self.longest, spent)
        self.growth_mb = max(self.growth_mb, resident("VmHWM") - before)


def resident(line: str) -> float:
    """A line of this process's status, in MB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (found,) = (each for each in lines if each.startswith(f"{line}:"))
    return int(found.split()[1]) / 1024


def measure(site: str, urls: int) -> dict[str, Any]:
    """Crawl a site of so many URLs of one pattern to its end."""
    releases, conclusion = Meter(), Meter()
    with tempfile.TemporaryDirectory() as name:
        start = time.process_time()
        path = Path(name) / "crawl.sqlite"
        crawl = OfflineCrawl(path, lambda path: Answer(SITES[site](path, urls)))
        fetched = crawl.fetch()
        while True:
            with releases.measuring():
                released = crawl.advance()
            if not released:
                break
            fetched += crawl.fetch()
        with conclusion.measuring():
            crawl.conclude()
        counts = crawl.store.results.count_urls()["verdict"]
        crawl.store.close()
        total = time.process_time() - start
    analysed = releases.seconds + conclusion.seconds
    return {
        "urls": urls,
        "fetched": fetched,
        "listed": counts.get("listed", 0),
        "releases": releases.count,
        "seconds": round(releases.seconds, 2),
        "longest": round(releases.longest, 2),
        "conclusion": round(conclusion.seconds, 2),
        "ratio": round(analysed / (total - analysed), 3),
        "growth_mb": round(max(releases.growth_mb, conclusion.growth_mb), 1),
    }
