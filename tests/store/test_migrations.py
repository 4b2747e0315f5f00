"""Migrations of the store: whole or not at all, and to the tables of a new state."""

import signal
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from sitemapgen.store import Store
from sitemapgen.store.database import OLDEST, VERSION, Database
from sitemapgen.store.frontier import Limits
from tests.helpers.crawls import rest
from tests.store.old_states import STATES, dump, restore

NAMES = sorted(path.stem for path in STATES.glob("*.sql"))
OLDER = [name for name in NAMES if not name.startswith(f"{VERSION}-")]

KILLED = """
import os, signal, sqlite3, sys
from pathlib import Path
from sitemapgen.store import database

connect, statements = sqlite3.connect, 0

def traced(*arguments, **options):
    connection = connect(*arguments, **options)
    def trace(statement):
        global statements
        statements += 1
        if statements == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_trace_callback(trace)
    return connection

database.sqlite3.connect = traced
database.Database(Path(sys.argv[1])).close()
"""


def tables(path: Path) -> dict[str, set[tuple[object, ...]]]:
    """The columns of each table: name, type, whether it may be NULL, place in the primary key."""
    database = sqlite3.connect(path)
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    found = {
        name: {
            (column, kind, not_null, key)
            for _, column, kind, not_null, _, key in database.execute(f"PRAGMA table_info({name})")
        }
        for (name,) in names
    }
    database.close()
    return found


def indexes(path: Path) -> set[str]:
    database = sqlite3.connect(path)
    rows = database.execute("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL")
    made_when_needed = ("same_text", "same_content", "same_short", "little_text")
    found = {
        sql.replace('"', "") for (sql,) in rows if not any(name in sql for name in made_when_needed)
    }
    database.close()
    return found


def test_states_of_all_versions_are_stored() -> None:
    versions = range(OLDEST, VERSION + 1)
    assert {
        f"{version}-{kind}" for version in versions for kind in ("finished", "interrupted")
    } == (set(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_the_tables_are_those_of_a_new_state(name: str, tmp_path: Path) -> None:
    new, old = tmp_path / "new.sqlite", restore(name, tmp_path / "old")
    for path in (new, old):
        Database(path).close()
    assert tables(old) == tables(new)
    assert indexes(old) == indexes(new)


@pytest.mark.full
@pytest.mark.parametrize("name", [OLDER[0], *rest(*OLDER[1:])])
def test_a_migration_that_is_killed(name: str, tmp_path: Path) -> None:
    """Whatever statement it was killed at, the state is the old one or, once it is committed, the
    new one; and it is migrated next time."""
    whole = restore(name, tmp_path / "whole")
    Database(whole).close()
    after = dump(whole)
    path = restore(name, tmp_path / "killed")
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA journal_mode = WAL")
    before = dump(path)
    for statement in count(3, 9):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(path), str(statement)], timeout=600, check=False
        )
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        assert dump(path) in (before, after), f"killed at statement {statement}"
        if statement == 3:
            assert dump(path) == before
    assert statement > 20
    assert dump(path) == after
    Database(path).close()


@pytest.mark.parametrize("name", ["4-finished", "5-finished", "6-finished"])
def test_a_sitemap_file_lost_before_the_reason_was_a_column(name: str, tmp_path: Path) -> None:
    path = restore(name, tmp_path)
    error = "lost inside the crawler; its log says why"
    with sqlite3.connect(path) as database:
        database.execute("UPDATE sitemap SET error = ?, format = ''", (error,))
    database.close()
    store = Store(path, Limits())
    assert store.results.count_lost().files == 1
    store.close()


def test_prefixed_strings_become_columns(tmp_path: Path) -> None:
    path = restore("13-finished", tmp_path)
    with sqlite3.connect(path) as old:
        dates = [(1, "2024\n2025\napi 2026\napi 2027"), (2, "\napi 2026"), (3, "2024"), (4, "")]
        old.executemany("INSERT INTO sitemap_dates_at_visit VALUES (?, ?)", dates)
        levels = [(level,) for level in ("", "f", "f /a")]
        old.executemany("INSERT INTO rendering VALUES (?, 3, 2, 1, 0)", levels)
    old.close()
    new = Database(path)
    assert new.rows("SELECT * FROM sitemap_dates_at_visit") == [
        (1, "2024\n2025", "2026\n2027"),
        (2, "", "2026"),
        (3, "2024", ""),
        (4, "", ""),
    ]
    assert new.rows("SELECT family, template FROM rendering") == [("", ""), ("f", ""), ("f", "/a")]
    families = new.rows("SELECT family FROM pattern WHERE pattern IS NULL ORDER BY family")
    assert families == [("/*?month=",), ("/{n}",)]
    new.close()


@pytest.mark.parametrize("name", OLDER)
def test_a_state_that_is_only_read_keeps_its_version(name: str, tmp_path: Path) -> None:
    path = restore(name, tmp_path)
    before = dump(path)
    database = Database(path, lent=True)
    assert database.one("SELECT count(*) FROM url WHERE other_url <> ''")
    database.close()
    assert dump(path) == before
