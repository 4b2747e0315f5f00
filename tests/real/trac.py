"""Trac from PyPI with 120 tickets and a wiki of 60 pages; the ideal set from its database.

Must: tickets, milestones, reports and the pages of the wiki that people wrote. Not: its manual,
old versions and changes, which are noindex, nofollow. Further: what it shows in tables without an
end (``/query``, ``/report`` in each order, ``/timeline``).
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from tests.helpers.programs import background
from tests.real.processes import environment, install, lacking, run
from tests.real.system import Site, System

HERE = Path(__file__).parent
PACKAGES = ("trac>=1.6,<2", "setuptools<81")
TOOLS = environment("trac") / "bin"
VIEWS = r"/(report/\d+|query)\?(.*&)?page=\d+(&.*)?"
"""Tables of tickets, from the second page on."""
ALSO = {
    "a table of tickets": r"/(query|report)(/\d+)?\?.*",
    "what happened in a time": r"/timeline(\?.*)?",
    "a form of the tracker": r"/(search|prefs(/\w+)?)(\?.*)?",
    "a view of the tracker": r"/(about|roadmap|query|report|wiki)?(\?.*)?",
    "a milestone that Trac comes with": r"/milestone/milestone\d",
    "a milestone, by another field": r"/milestone/[\w-]+\?by=.*",
}


def ideal(database: Path) -> frozenset[str]:
    """Paths of tickets, milestones, reports and written pages."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as trac:
        kinds = {
            "/ticket": "SELECT id FROM ticket",
            "/milestone": "SELECT name FROM milestone WHERE name LIKE 'phase-%'",
            "/report": "SELECT id FROM report",
            "/wiki": "SELECT DISTINCT name FROM wiki WHERE author != 'trac'",
        }
        return frozenset(
            f"{directory}/{name}"
            for directory, query in kinds.items()
            for (name,) in trac.execute(query)
        )


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A tracker with 120 tickets."""
    log, project = directory / "log", directory / "project"
    python = {**os.environ, "PYTHONPATH": str(HERE.parent.parent)}
    run([TOOLS / "trac-admin", project, "initenv", "Workshop", "sqlite:db/trac.db"], log)
    run([TOOLS / "python", HERE / "tracker" / "fill.py", project], log, env=python)
    server = [TOOLS / "tracd", "--single-env", f"--port={port}", "--hostname=127.0.0.1", project]
    with background(server, port, log):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(project / "db" / "trac.db"),
            also=ALSO,
            same=lambda path: "/wiki/WikiStart" if path in ("/", "/wiki") else path,
            views=VIEWS,
        )


SYSTEM = System(
    name="trac",
    serve=serve,
    lacks=lambda: lacking(TOOLS / "tracd"),
    install=partial(install, "trac", *PACKAGES),
)
