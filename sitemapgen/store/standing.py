"""Counts of a running crawl, kept up to date by triggers.

Counting a frontier of 1,000,000 URLs takes 0.2 s. Temporary triggers of this connection count
instead, from the first call on: each page costs 10 to 20 us more, and reading the counts nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sitemapgen.store.database import Database
from sitemapgen.store.states import KNOWN, PENDING

LATER = -1
"""Code in place of the depth for URLs whose phase has not come: suspects, and sitemaps' URLs."""

WAITS = f"""CASE
    WHEN {{row}}state = {PENDING} THEN coalesce({{row}}depth, 0)
    WHEN {{row}}state = {KNOWN} AND {{row}}verdict IS NULL AND {{row}}sources <> 0 THEN {LATER}
END"""
VERDICT = "{row}verdict"
TABLES = {
    "standing_waiting": (
        WAITS,
        "state, depth, verdict, sources",
        f"""
        SELECT coalesce(depth, 0), count(*) FROM url WHERE state = {PENDING} GROUP BY depth
        UNION ALL
        SELECT {LATER}, count(*) FROM url
        WHERE state = {KNOWN} AND verdict IS NULL AND sources <> 0
        """,
    ),
    "standing_verdicts": (
        VERDICT,
        "verdict",
        "SELECT verdict, count(*) FROM url WHERE verdict IS NOT NULL GROUP BY verdict",
    ),
}
"""By name of a temporary table: the value that URLs are counted by, the columns it depends on, and
the query for the first count (0.5 s for 1,250,000 URLs of a resumed crawl). No other table may
have these names, as a temporary table hides it."""


def _counter_sql(table: str, value: str, columns: str, first: str) -> Iterator[str]:
    """Yield the statements that create a table of counts and its triggers."""
    old, new = value.format(row="OLD."), value.format(row="NEW.")
    one_more = "ON CONFLICT (value) DO UPDATE SET urls = urls + excluded.urls"
    plus = f"INSERT INTO {table} (value, urls) VALUES ({new}, 1) {one_more};"
    minus = f"UPDATE {table} SET urls = urls - 1 WHERE value = {old};"
    yield f"CREATE TEMP TABLE {table} (value PRIMARY KEY, urls INTEGER NOT NULL) WITHOUT ROWID"
    yield f"INSERT INTO temp.{table} (value, urls) SELECT * FROM ({first}) WHERE true {one_more}"
    for name, event, condition, change in (
        ("new", "INSERT", f"{new} IS NOT NULL", plus),
        ("in", f"UPDATE OF {columns}", f"{new} IS NOT NULL AND {new} IS NOT {old}", plus),
        ("out", f"UPDATE OF {columns}", f"{old} IS NOT NULL AND {new} IS NOT {old}", minus),
    ):
        yield (
            f"CREATE TEMP TRIGGER {table}_{name} AFTER {event} ON main.url "
            f"WHEN {condition} BEGIN {change} END"
        )


class Standing(NamedTuple):
    """Current counts of a crawl."""

    waiting: dict[int, int]
    """Number of URLs that wait to be fetched, by depth."""
    later: int
    """Number of URLs whose phase has not come: suspects, and URLs that only sitemaps name."""
    verdicts: dict[str, int]
    """Number of URLs with a verdict so far, by its word."""


class LiveCounts:
    """The counts of this connection."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._is_counting = False

    def read(self, *, last: bool = False) -> Standing:
        """Return the current counts. The first call starts counting, the ``last`` stops it."""
        with self._db.writing():
            if not self._is_counting:
                for table, counting in TABLES.items():
                    for statement in _counter_sql(table, *counting):
                        self._db.execute(statement)
                self._is_counting = True
            waiting, verdicts = (
                dict(self._db.execute(f"SELECT value, urls FROM temp.{table} WHERE urls > 0"))
                for table in TABLES
            )
            if last:
                for table in TABLES:
                    for name in ("new", "in", "out"):
                        self._db.execute(f"DROP TRIGGER temp.{table}_{name}")
                    self._db.execute(f"DROP TABLE temp.{table}")
                self._is_counting = False
            return Standing(waiting, waiting.pop(LATER, 0), verdicts)
