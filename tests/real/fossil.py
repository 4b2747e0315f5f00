"""Fossil from Debian: check-ins, files, wiki and tickets behind one program; the ideal set from it.

Fossil shows links only to those with the capability ``h``; here visitors have it, as where people
want their code found. Must: every check-in, every file of the newest version, every wiki page and
ticket, the lists that lead there. Also: timelines, histories, differences, files as of a check-in.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import run

from tests.helpers.programs import background
from tests.real import repository
from tests.real.processes import lacking
from tests.real.system import Site, System

COMMITS = 10
PAGES, TICKETS = 20, 30
FILE = "project.fossil"
OF_FILE = ("-R", FILE)
VISITORS = "ghjorz"
"""Letters of what visitors may do: fossil's own choice, and ``h``, which shows them links."""
PREFIX = 10
"""Digits of a hash in a link."""
SQL = {
    "check-ins": "SELECT uuid FROM blob JOIN event ON objid = rid WHERE type = 'ci'",
    "tickets": "SELECT tkt_uuid FROM ticket",
}


def fossil(directory: Path, *arguments: str, text: str = "") -> str:
    """What a command prints, run by a made-up user in a directory of its own."""
    return run(
        ["fossil", *arguments],
        cwd=directory,
        input=text,
        env={**os.environ, "USER": "ada", "HOME": str(directory)},
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def make(directory: Path) -> None:
    """Make a repository with the history of a git repository, a wiki and tickets."""
    repository.make(directory / "git", COMMITS)
    history = repository.git(directory / "git", "fast-export", "--all")
    fossil(directory, "import", "--git", FILE, text=history)
    fossil(directory, "user", "capabilities", "nobody", VISITORS, *OF_FILE)
    verbs, nouns = repository.VERBS, repository.NOUNS
    for number in range(PAGES):
        text = f"Page {number} is about {nouns[number % 10]} and {nouns[number * 7 % 10]} {number}."
        fossil(directory, "wiki", "create", f"Page {number}", "-", *OF_FILE, text=text)
    for number in range(TICKETS):
        title = f"{verbs[number % 9]} the {nouns[number * 3 % 10]} of {number}"
        facts = ("title", title, "status", "Open", "comment", f"It happens {number} times.")
        fossil(directory, "ticket", "add", *facts, *OF_FILE)


def ideal(directory: Path) -> frozenset[str]:
    """Paths of the pages of content, and of the lists that lead to them."""
    known = {
        name: [each.strip("'") for each in fossil(directory, "sql", *OF_FILE, query).split()]
        for name, query in SQL.items()
    }
    pages = {"/index", "/timeline", "/taglist", "/brlist", "/ticket", "/rptview/1", "/wcontent"}
    pages |= {f"/info/{each[:PREFIX]}" for each in known["check-ins"]}
    pages |= {f"/tktview/{each[:PREFIX]}" for each in known["tickets"]}
    pages |= {f"/wiki?name=Page {number}" for number in range(PAGES)}
    files = repository.git(directory / "git", "ls-files").split()
    return frozenset(pages | {f"/finfo?name={name}" for name in files})


def same(path: str) -> str:
    """A check-in or a ticket under a longer hash, a wiki page with a parameter without meaning."""
    if found := re.match(rf"/v?(info|tktview)/([0-9a-f]{{{PREFIX}}})[0-9a-f]*$", path):
        return f"/{found[1]}/{found[2]}"
    return path.removesuffix("&p=")


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A server of a small repository."""
    make(directory)
    command = ["fossil", "server", "--localhost", "--port", str(port)]
    with background([*command, directory / FILE], port, directory / "log"):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(directory),
            also={
                "events of one kind, time, person or file": r"/\w*(timeline|history)\b.*",
                "what check-ins changed": r"/([fvw]diff|vinfo|ci|ci_tags)\b.*",
                "files and directories as of a check-in": r"/(file|fileage|finfo|tree|dir|doc|info"
                r"|artifact|annotate|blame|praise|hexdump|raw)\b.*",
                "what the program says of itself, and its tables": r"/(?!tktview\b)\w.*",
            },
            same=same,
        )


SYSTEM = System(name="fossil", serve=serve, lacks=lambda: lacking("fossil", "git"), excess=0.5)
