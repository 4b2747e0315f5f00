"""Pages that are visited in turn: ``analysis/freshness/due.py``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.freshness.due import SectionStanding, SectionTest
from sitemapgen.analysis.freshness.visits import VISIT
from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.items import Revisit
from sitemapgen.store.database import Database
from sitemapgen.store.history import History
from sitemapgen.store.previous_run import PreviousRun
from sitemapgen.store.states import (
    DIRECTIVES,
    DONE,
    HAS_SAME_DATES,
    IN_FLIGHT,
    LET_IN,
    LINKS,
    NOT_ASKED_SQL,
    PENDING,
    SHARED_LINKS,
    SYSTEM_DATES,
    TEXT,
)


class KnownPages(NamedTuple):
    """Pages of the previous run that may be left out, sorted by key; one element a page.

    They were listed in it, their last request succeeded, and their content lasts.
    """

    keys: Ints
    urls: list[str]
    visited: Ints
    """Time of the last visit in seconds since 1970 UTC."""
    has_other_date: Mask
    """Whether sitemaps or systems of the site have other dates for the page than at that visit."""
    has_system_date: Mask


class SectionRow(NamedTuple):
    """What is kept of a section of the site in a run."""

    tested: SectionTest
    name: str
    """The first segment of the path; empty for the root and for the small sections."""


class Left(NamedTuple):
    """Pages that this run left out (``Revisit.NOT_DUE``)."""

    pages: int
    oldest: float
    """Time of the earliest of their last visits in seconds since 1970 UTC; 0 for no pages."""
    examples: list[str]
    """The URLs of the pages that were visited the longest ago."""


PAGES = f"""
SELECT page.key, url, page.visited, NOT {HAS_SAME_DATES}, {SYSTEM_DATES} <> ''
FROM earlier_page AS page JOIN url USING (key)
WHERE page.run = ? AND own_verdict = 'listed' AND is_lasting AND answered AND NOT failures
AND (
    SELECT verdict FROM verdict_history AS last WHERE last.key = page.key
    ORDER BY last.run DESC LIMIT 1
) = 'listed'
ORDER BY page.key
"""
IS_CHANGED = f"(changed & {TEXT | DIRECTIVES} OR changed & {LINKS | SHARED_LINKS} = {LINKS})"
"""SQL expression for whether a visit found a change by which another visit may be worth more; a
change of links alone is none if the start page, which is always visited, has the new ones as well.
"""
VISITS = f"""
SELECT key, visited, coalesce({IS_CHANGED}, -1), 0 FROM visit
WHERE run < ?1 AND run >= ?1 - ?2 ORDER BY key, run
"""
VISITED = f"""
SELECT page.key, {IS_CHANGED} FROM page JOIN url USING (key)
WHERE state = {DONE} AND revisit NOT IN ({NOT_ASKED_SQL}) AND NOT failures AND changed NOT NULL
"""
IS_LEFT = f"revisit = {Revisit.NOT_DUE:d}"
OF_LEFT = f"FROM page JOIN url USING (key) WHERE state = {DONE} AND sources <> 0 AND {IS_LEFT}"
ROW = "section left_out stale visited changed expected evidence ended name"
"""Columns of the table ``due`` but the run: those of ``SectionTest``, and the name."""


class Due:
    """The pages that are visited in turn, and the tests of their sections."""

    def __init__(self, db: Database, history: History, previous_run: PreviousRun) -> None:
        self._db = db
        self._history = history
        self._previous_run = previous_run

    def known_pages(self) -> KnownPages:
        """Return the pages of the previous run; none if it is not valid in this run."""
        run = self._previous_run.lasting_run
        rows = self._db.rows(PAGES, run) if run else []
        keys, urls, visited, has_other_date, has_system_date = zip(*rows) if rows else [()] * 5
        return KnownPages(
            keys=np.array(keys, np.int64),
            urls=[*urls],
            visited=np.array(visited, np.int64),
            has_other_date=np.array(has_other_date, np.bool_),
            has_system_date=np.array(has_system_date, np.bool_),
        )

    def recent_visits(self, runs: int) -> NDArray[np.void]:
        """Return the visits of the last ``runs`` runs before this one, as ``visits.VISIT``.

        They are sorted by page and time. ``changed`` is about directives and links too, but not
        about links that the start page has as well, and dates are left aside.
        """
        return np.fromiter(self._db.read(VISITS, self._history.run, runs), dtype=VISIT)

    def recalled_keys(self) -> list[int]:
        """Return the keys of pages that were left out in this run, and are to be visited now."""
        return self._db.column(
            f"SELECT key FROM page JOIN url USING (key) "
            f"WHERE state IN ({PENDING}, {IN_FLIGHT}) AND {IS_LEFT}"
        )

    def recall_pages(self, keys: Iterable[int]) -> int:
        """Put these pages into the frontier if they were left out; return their number."""
        return self._db.write(
            f"{LET_IN} WHERE state = {DONE} AND key IN (SELECT value FROM json_each(?)) "
            f"AND EXISTS (SELECT 1 FROM page WHERE page.key = url.key AND {IS_LEFT})",
            (json.dumps([*keys]),),
        ).rowcount

    def visited_pages(self) -> tuple[Ints, Mask]:
        """Return (keys, whether each is gone or had changed) of the pages requested in this run.

        As in ``recent_visits``.
        """
        kind = [("key", np.int64), ("changed", np.bool_)]
        table = np.fromiter(self._db.read(VISITED), dtype=kind)
        return table["key"], table["changed"]

    def section_standings(self) -> dict[int, SectionStanding]:
        """Return the state of each section before this run."""
        rows = self._db.rows(
            "SELECT section, evidence, ended FROM due "
            "WHERE run = (SELECT max(run) FROM due WHERE run < ?)",
            self._history.run,
        )
        return {section: SectionStanding(evidence, ended) for section, evidence, ended in rows}

    def replace_rows(self, rows: Iterable[SectionRow]) -> None:
        """Replace the rows of this run."""
        run = self._history.run
        kept = [(run, *row.tested, row.name) for row in rows]
        self._db.replace_all("due", f"run {ROW}", kept, run)

    def rows(self) -> list[SectionRow]:
        """Return the rows of this run, sorted by name."""
        rows = self._db.rows(
            f"SELECT {', '.join(ROW.split())} FROM due WHERE run = ? ORDER BY name, section",
            self._history.run,
        )
        return [SectionRow(SectionTest(*columns), name) for *columns, name in rows]

    def left_out(self) -> Ints:
        """Return the keys of the pages that this run left out."""
        return np.array(self._db.column(f"SELECT key {OF_LEFT}"), np.int64)

    def left_out_pages(self, examples: int) -> Left:
        """Return the pages that this run left out, with at most this number of examples."""
        pages, oldest = self._db.first(f"SELECT count(*), coalesce(min(visited), 0) {OF_LEFT}")
        first = f"SELECT url {OF_LEFT} ORDER BY visited, url LIMIT ?"
        return Left(pages, oldest, self._db.column(first, examples))
