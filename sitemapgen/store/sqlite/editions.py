"""Editions in the embedded store. The protocol: ``store/editions.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.store.editions import Edition, Moved
from sitemapgen.store.states import TEXT, insert

if TYPE_CHECKING:
    from sitemapgen.store.database import Database
    from sitemapgen.store.sqlite.history import SqliteHistory

COLUMNS = Edition._fields

EDITIONS = (
    f"SELECT {', '.join(f'edition.{name}' for name in COLUMNS)} "
    "FROM edition JOIN run ON run.id = edition.run"
)
COUNTS = "(reason = 'finished' OR edition.run = ?1) AND edition.run <= ?1"
"""Condition of the editions that the run ``?1`` has behind it, its own included."""

PRELIMINARY = """
SELECT coalesce(ended, (SELECT max(visited) FROM page WHERE run = ?1), started), version
FROM run WHERE id = ?1
"""

NOW = "sources <> 0 AND verdict IS 'listed'"
THEN = """(
    SELECT verdict FROM verdict_history AS kept
    WHERE kept.key = url.key AND run <= ?1 ORDER BY run DESC LIMIT 1
)"""
NEW = f"FROM url WHERE {NOW} AND {THEN} IS NOT 'listed'"
GONE = f"FROM url WHERE NOT ({NOW}) AND {THEN} = 'listed'"
CHANGED = (
    f"FROM url WHERE {NOW} AND {THEN} = 'listed' AND EXISTS ("
    f"SELECT 1 FROM visit WHERE visit.key = url.key AND run > ?1 AND changed & {TEXT})"
)


class SqliteEditions:
    """Implementation of the protocol ``Editions``."""

    def __init__(self, db: Database, history: SqliteHistory) -> None:
        self._db = db
        self._history = history

    def of_run(self) -> Edition:
        run = self._history.run
        reason = self._db.one("SELECT reason FROM run WHERE id = ? AND ended NOT NULL", run)
        kept = self.own() if reason else None
        if reason == "finished":
            kept = kept or self.before()
        if kept:
            return kept
        crawled, version = self._db.first(PRELIMINARY, run)
        return Edition(run, "", crawled, version, "null")

    def own(self) -> Edition | None:
        return self._first("edition.run = ?", self._history.run)

    def before(self) -> Edition | None:
        return self._first("reason = 'finished' AND edition.run < ?", self._history.run)

    def latest(self, count: int) -> list[Edition]:
        query = f"{EDITIONS} WHERE {COUNTS} AND listed NOT NULL ORDER BY edition.run DESC LIMIT ?2"
        return [Edition(*row) for row in self._db.rows(query, self._history.run, count)][::-1]

    def keep(self, edition: Edition) -> None:
        with self._db.writing():
            self._db.execute(insert("edition", " ".join(COLUMNS), "REPLACE"), edition)

    def discard(self) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM edition WHERE run = ?", (self._history.run,))

    def new(self, since: int, examples: int) -> Moved:
        return self._moved(NEW, since, examples)

    def gone(self, since: int, examples: int) -> Moved:
        return self._moved(GONE, since, examples)

    def changed(self, since: int, examples: int) -> Moved:
        return self._moved(CHANGED, since, examples)

    def _first(self, condition: str, *parameters: int) -> Edition | None:
        query = f"{EDITIONS} WHERE {condition} ORDER BY edition.run DESC LIMIT 1"
        row = self._db.first(query, *parameters)
        return Edition(*row) if row else None

    def _moved(self, those: str, since: int, examples: int) -> Moved:
        count = self._db.one(f"SELECT count(*) {those}", since)
        first = f"SELECT url, iif(sources, verdict, NULL) {those} ORDER BY url LIMIT ?2"
        return Moved(count, self._db.rows(first, since, examples) if count else [])
