"""Whole tables, read only: every page, link, visit and change of verdict.

Each method streams its rows, so that memory is bounded whatever the size of the state. Results for
reports, with URLs instead of keys: ``results.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from sitemapgen.store.database import Database
from sitemapgen.store.packing import Keys
from sitemapgen.store.states import DIRECTIVES, DONE, EXPORTED, LINKS, TEXT


class LinksRow(NamedTuple):
    """The links of one page: keys of their targets, 8 bytes each, in native byte order."""

    source: int
    followed: bytes
    nofollow: bytes


class ChangeRow(NamedTuple):
    """A URL whose verdict or lastmod a run changed."""

    run: int
    key: int
    url: str
    verdict: str | None
    """None: no link and no sitemap names the URL any more."""
    verdict_before: str | None
    """That of the run before; None: no run had seen the URL, or the one before had not."""
    lastmod: str | None
    """A W3C datetime; None or empty without one."""


class RunRow(NamedTuple):
    """One run. Times: seconds since 1970, UTC."""

    run: int
    start: str
    """The start URL after redirects; empty if it never answered."""
    started: float
    ended: float | None
    reason: str | None
    is_complete: int | None
    """0: a cap left URLs unfetched; None: the run was not concluded."""
    version: str


RUNS = "SELECT id, start, started, ended, reason, is_complete, version FROM run ORDER BY id"

PAGE = {
    **EXPORTED,
    "key": "url.key",
    "reason": "nullif(url.reason, '')",
    "evidence": "nullif(url.evidence, '')",
    "other_url": "nullif(url.other_url, '')",
    "parent_key": "url.parent",
    "canonical": "nullif(page.canonical, '')",
    "language": "nullif(page.language, '')",
    **{name: f"nullif({EXPORTED[name]}, '')" for name in EXPORTED if "lastmod" in name},
    "first_linked": "url.first_link",
    "first_in_sitemap": "url.first_sitemap",
    "render_seconds": "render.seconds",
}
"""SQL expressions of the columns of ``Export.pages`` that are not columns of ``page``; their order
and meanings, and a column that is computed, are in ``publish/tables/rows.py``."""

# In the order of the rows on the disk, so that nothing is sorted.
PAGES = f"""
FROM url LEFT JOIN page ON page.key = url.key AND url.state = {DONE}
LEFT JOIN final_lastmod ON final_lastmod.key = page.key
LEFT JOIN render ON render.key = page.key
WHERE url.sources <> 0 ORDER BY url.key
"""

OF_PAGES = f"""
SELECT source, followed, nofollow FROM link JOIN url ON url.key = link.source
WHERE state = {DONE} AND sources <> 0 ORDER BY source
"""

# The limit keeps SQLite from sorting after the join, with the URLs.
CHANGES = """
SELECT run, change.key, url, change.verdict, verdict_before, change.lastmod FROM (
    SELECT run, key, verdict, lag(verdict) OVER (PARTITION BY key ORDER BY run) AS verdict_before,
           lastmod FROM verdict_history ORDER BY run, key LIMIT -1
) AS change CROSS JOIN url ON url.key = change.key
"""

VISITS = f"""
SELECT run, key, visited, (changed & {TEXT}) <> 0, (changed & {LINKS}) <> 0,
       (changed & {DIRECTIVES}) <> 0 FROM visit ORDER BY run, key
"""


class Export:
    """Whole tables, read only."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def runs(self) -> list[RunRow]:
        """Return the runs, in their order."""
        return list(map(RunRow._make, self._db.rows(RUNS)))

    def pages(self, columns: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        """Yield these columns of every URL seen in the last run, by key.

        None where a value does not exist. Times: seconds since 1970, UTC; dates: W3C datetimes.
        """
        chosen = ", ".join(PAGE.get(name, f"page.{name}") for name in columns)
        return self._db.read(f"SELECT {chosen} {PAGES}")

    def links(self) -> Iterator[LinksRow]:
        """Yield the links of every page read in the last run, by key."""
        numbers = self._db.read("SELECT number, key FROM url WHERE number NOT NULL")
        table = np.fromiter(numbers, dtype=[("number", np.int64), ("key", np.int64)])
        keys = Keys(table["number"], table["key"])
        return map(LinksRow._make, keys.rows(self._db.read(OF_PAGES)))

    def changes(self) -> Iterator[ChangeRow]:
        """Yield the changes of verdicts and dates of all runs, by run and key."""
        return map(ChangeRow._make, self._db.read(CHANGES))

    def visits(self) -> Iterator[tuple[int, int, int, int | None, int | None, int | None]]:
        """Yield (run, key, time, has the text changed, the links, the directives) of all visits.

        By run and key, of pages that answered; the last three are None at the first visit.
        """
        return self._db.read(VISITS)
