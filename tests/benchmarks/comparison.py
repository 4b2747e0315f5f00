"""A table for each of three sites: what a crawl costs, against other tools that crawl the same.

    python -m tests.benchmarks.comparison [--rounds 5]

Crawls of the same pages, in turn, and every other round in the opposite order; each is a whole
process with all that it starts: CPU, seconds, peak memory. All send as many requests at a time,
without a delay. The server is a process of its own, and its log is read after each crawl: the pages
that were fetched have to be those that sitemapgen fetches. Tools from PyPI are installed
in environments of their own, where those of ``tests.real`` are; one that cannot be installed is a
row without figures. Over TLS only those are compared that need nothing installed.

Prints the tables and writes them into docs/explanation/figures.md: the rounds are kept in
``comparison.json``, of which ``tests.docs.tables`` makes the tables. Linux only.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import PROJECT
from tests.benchmarks.comparison_table import Comparison, Tool, save, text
from tests.benchmarks.contestants import ALL, AT_HAND, OURS, Contestant, Task
from tests.benchmarks.cost import Memory, cost
from tests.benchmarks.crawling import SITE, pages
from tests.benchmarks.serving import ALONE, TLS, Serving, serve
from tests.docs.tables import write
from tests.real.processes import install, lacking

SITES = {
    "comparison": (ALL, SITE, "index.html"),
    "permalinks": (ALL, "posts:500", ""),
    "tls": (AT_HAND, f"{TLS}posts:500", ""),
}
"""By the name of the table: the tools, the site, and the path where a crawl of it begins."""
DEADLINE = 300
"""Seconds after which a crawl is killed."""


class Crawl(NamedTuple):
    """What one crawl took."""

    cpu: float
    """Seconds, of all its processes."""
    wall: float
    """Seconds."""
    memory: float
    """Megabytes at the peak, of all its processes together."""
    requests: int
    """In the server's log, with those for robots.txt and probes."""
    fetched: frozenset[str]
    """The paths of the pages."""


def is_ready(contestant: Contestant) -> bool:
    """Install what a contestant needs; where that fails, print why."""
    if missing := lacking(*filter(None, [contestant.program])):
        print(missing, file=sys.stderr)
        return False
    try:
        if contestant.venv:
            install(contestant.venv, *contestant.packages)
    except RuntimeError as error:
        print(f"{contestant.venv} could not be installed: {error}", file=sys.stderr)
        return False
    return True


def crawl(contestant: Contestant, serving: Serving, start: str, paths: Sequence[str]) -> Crawl:
    """Crawl from a start path, or fetch the pages of ``paths`` if links are not followed."""
    serving.record()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        task = Task(serving.url + start, directory / "urls", directory)
        task.urls.write_text("\n".join(serving.url + path[1:] for path in paths), "utf-8")
        memory = Memory()
        run = partial(
            cost,
            contestant.command(task),
            log=directory / "log",
            cwd=directory if contestant.venv else PROJECT,  # no scrapy.cfg for others
            environment={**contestant.variables, **serving.variables},
            deadline=DEADLINE,
        )
        if contestant.is_second:
            run()
            serving.record()
        spent = run(watch=memory.watch)
    asked = serving.record().paths
    return Crawl(*spent, memory.peak, len(asked), frozenset(pages(asked)))


def take(contestant: Contestant, serving: Serving, start: str, expected: frozenset[str]) -> Crawl:
    """Crawl, and raise RuntimeError if other pages were fetched than expected."""
    crawled = crawl(contestant, serving, start, sorted(expected))
    if odd := sorted(crawled.fetched ^ expected):
        raise RuntimeError(
            f"{contestant.label}: {len(crawled.fetched)} pages were fetched, not {len(expected)}; "
            f"the difference begins with {', '.join(odd[:5])}"
        )
    return crawled


def measure(contestants: Sequence[Contestant], site: str, start: str, rounds: int) -> Comparison:
    """Crawl in turn, ours first, so that a busy moment of the machine meets all.

    Raises RuntimeError if a contestant fails, or fetches other pages than ours.
    """
    machine = _machine()
    there = [contestant for contestant in contestants if is_ready(contestant)]
    taken: dict[str, list[Crawl]] = {contestant.label: [] for contestant in contestants}
    with serve(site) as serving:
        for contestant in there:  # also compiles and caches
            take(contestant, serving, ALONE, frozenset({f"/{ALONE}"}))
        expected = crawl(OURS, serving, start, ()).fetched
        for number in range(rounds):
            for contestant in there[:: -1 if number % 2 else 1]:
                crawled = take(contestant, serving, start, expected)
                taken[contestant.label].append(crawled)
                print(f"{number + 1}/{rounds} {contestant.label}", file=sys.stderr)
    return Comparison(
        pages=len(expected),
        rounds=rounds,
        machine=machine,
        tools=[_tool(contestant, taken[contestant.label]) for contestant in contestants],
    )


def _machine() -> str:
    """What the figures depend on, in words; to be called before anything is run."""
    load, *_ = os.getloadavg()  # of the last minute
    return f"{os.cpu_count()} cores, load before {load:.1f}; Python {platform.python_version()}"


def _tool(contestant: Contestant, crawls: Sequence[Crawl]) -> Tool:
    return Tool(
        name=contestant.label,
        requests=max((one.requests for one in crawls), default=0),
        cpu=[round(one.cpu, 3) for one in crawls],
        wall=[round(one.wall, 3) for one in crawls],
        memory=[round(one.memory, 1) for one in crawls],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    if rounds < 1:
        parser.error(f"--rounds {rounds}: at least 1 is needed")
    if not Path(SITE).is_dir():
        sys.exit(f"{SITE}: not there; install the Debian package postgresql-doc-15")
    try:
        found = {name: measure(*each, rounds) for name, each in SITES.items()}
    except RuntimeError as error:
        sys.exit(str(error))
    save(found)
    write()
    print("\n\n".join(map(text, found.values())))


if __name__ == "__main__":
    main()
