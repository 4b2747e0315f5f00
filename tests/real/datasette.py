"""datasette from PyPI with two tables; the ideal set from the database.

Must: the tables and each of their rows. Further: the pages of a table to its end, and one facet
alone. Not: orders, combinations of facets, and facets that a reader asks for.
"""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from tests.helpers.programs import background
from tests.real.processes import environment, install, lacking
from tests.real.system import Site, System

PACKAGES = ("datasette>=0.65,<0.66",)
TOOLS = environment("datasette") / "bin"
ROWS, MAKERS = 500, 60
FACETS = {
    "colour": ("amber", "blue", "green", "grey", "red", "white"),
    "material": ("birch", "brass", "clay", "glass", "oak", "steel", "wool"),
    "room": ("attic", "cellar", "hall", "kitchen", "study"),
    "state": ("lent", "lost", "shown", "stored"),
}
WORDS = "bowl chair clock cup door lamp rug shelf spoon stool table vase"


def make(path: Path) -> None:
    """Make the database: a table of things with four facets, and one of their makers."""
    chance = random.Random("datasette")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT, town TEXT)")
        db.executemany(
            "INSERT INTO makers VALUES (?, ?, ?)",
            ((number, f"Maker {number}", f"Town {number % 9}") for number in range(1, MAKERS + 1)),
        )
        columns = ", ".join(f"{name} TEXT" for name in FACETS)
        db.execute(
            f"CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, {columns}, "
            "about TEXT, maker INTEGER REFERENCES makers(id))"
        )
        db.executemany(
            f"INSERT INTO things VALUES ({', '.join('?' * (len(FACETS) + 4))})",
            (
                (
                    number,
                    f"{chance.choice(WORDS.split())} {number}",
                    *map(chance.choice, FACETS.values()),
                    " ".join(chance.choices(WORDS.split(), k=12)),
                    chance.randint(1, MAKERS),
                )
                for number in range(1, ROWS + 1)
            ),
        )


def ideal() -> frozenset[str]:
    """Paths of the tables and their rows."""
    rows = {"things": ROWS, "makers": MAKERS}
    return frozenset(
        {"/", "/museum", *(f"/museum/{name}" for name in rows)}.union(
            f"/museum/{name}/{number}"
            for name, most in rows.items()
            for number in range(1, most + 1)
        )
    )


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """Two tables of a museum."""
    path, metadata = directory / "museum.db", directory / "metadata.yml"
    make(path)
    facets = "".join(f"\n        - {name}" for name in FACETS)
    metadata.write_text(
        f"databases:\n  museum:\n    tables:\n      things:\n        facets:{facets}\n"
    )
    command = [TOOLS / "datasette", path, "--metadata", metadata, "--port", str(port)]
    with background(command, port, directory / "log"):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(),
            also={
                "a further page of a table": r"/museum/\w+\?_next=\d+",
                "one facet alone, or the things of a maker": r"/museum/\w+\?[a-z]\w+=[\w ]+",
            },
            beyond={
                "the query behind a table": r"/museum\?.*sql=.*",
                "the towns of makers as a facet": r"/museum/makers\?_facet=town(&.*)?",
            },
        )


SYSTEM = System(
    name="datasette",
    serve=serve,
    lacks=lambda: lacking(TOOLS / "datasette"),
    install=partial(install, "datasette", *PACKAGES),
    excess=0.9,  # the query of each table that was read
)
