"""Editions: the runs whose report differs from the one before.

What makes an edition: ``publish/editions.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.store.states import TEXT, insert

if TYPE_CHECKING:
    from sitemapgen.store.database import Database
    from sitemapgen.store.history import History


class Edition(NamedTuple):
    """A report of a site, which stands until a later run has another one."""

    run: int
    """The number of the run that was the first with this report."""
    digest: str
    """Digest of the report; empty if unknown."""
    crawled: float
    """Time at which the crawl ended, in seconds since 1970 UTC."""
    version: str
    """Version of the crawler."""
    changes: str
    """The section ``changes`` of the report as JSON."""
    seen: int | None = None
    """Number of URLs seen; None if unknown, as for a state of an earlier version."""
    listed: int | None = None
    in_sitemap: int | None = None
    """Number of listed URLs in the site's own sitemaps; None if unknown, or without a sitemap."""


class Moved(NamedTuple):
    """URLs that entered or left the published set, or whose main text changed."""

    urls: int
    """Their number."""
    examples: list[tuple[str, str | None]]
    """(URL, its verdict now) of the first ones in URL order; None: it is named nowhere now."""


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


class Editions:
    """The editions of all runs; those whose files were refused count for their own run only."""

    def __init__(self, db: Database, history: History) -> None:
        self._db = db
        self._history = history

    def of_run(self) -> Edition:
        """Return the edition of the current or last run; a preliminary one if it has no report."""
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
        """Return the edition that the current run was the first with; None if there is none."""
        return self._first("edition.run = ?", self._history.run)

    def before(self) -> Edition | None:
        """Return the edition that was published last before the current run."""
        return self._first("reason = 'finished' AND edition.run < ?", self._history.run)

    def latest(self, count: int) -> list[Edition]:
        """Return the last editions with known figures up to the current run, the oldest first."""
        query = f"{EDITIONS} WHERE {COUNTS} AND listed NOT NULL ORDER BY edition.run DESC LIMIT ?2"
        return [Edition(*row) for row in self._db.rows(query, self._history.run, count)][::-1]

    def keep(self, edition: Edition) -> None:
        """Keep an edition; it replaces that of the same run."""
        with self._db.writing():
            self._db.execute(insert("edition", " ".join(COLUMNS), "REPLACE"), edition)

    def discard(self) -> None:
        """Remove the edition of the current run, if any."""
        with self._db.writing():
            self._db.execute("DELETE FROM edition WHERE run = ?", (self._history.run,))

    def new(self, since: int, examples: int) -> Moved:
        """Count the URLs that are listed now and were not in run ``since``."""
        return self._moved(NEW, since, examples)

    def gone(self, since: int, examples: int) -> Moved:
        """Count the URLs that were listed in run ``since`` and are not now."""
        return self._moved(GONE, since, examples)

    def changed(self, since: int, examples: int) -> Moved:
        """Count the URLs that are listed in both, and whose main text changed after ``since``."""
        return self._moved(CHANGED, since, examples)

    def _first(self, condition: str, *parameters: int) -> Edition | None:
        query = f"{EDITIONS} WHERE {condition} ORDER BY edition.run DESC LIMIT 1"
        row = self._db.first(query, *parameters)
        return Edition(*row) if row else None

    def _moved(self, those: str, since: int, examples: int) -> Moved:
        count = self._db.one(f"SELECT count(*) {those}", since)
        first = f"SELECT url, iif(sources, verdict, NULL) {those} ORDER BY url LIMIT ?2"
        return Moved(count, self._db.rows(first, since, examples) if count else [])
