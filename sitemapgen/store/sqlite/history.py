"""History in the embedded store: visits, outcomes, and how often dates were right.

The protocol: ``store/history.py``. The pages of the previous run: ``previous_run.py``.
"""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.freshness.rates import Visits
from sitemapgen.analysis.freshness.trust import DAY, Record
from sitemapgen.analysis.lastmod import NEVER, Validated, horizon, section, trusts, validated
from sitemapgen.core.lastmod import SOURCES, numbers
from sitemapgen.items import Revisit, Validation
from sitemapgen.store.history import FirstSeen, PastVisits, TrustRow
from sitemapgen.store.sqlite.sitemap_dates import DATES_BEFORE, DATES_NOW
from sitemapgen.store.sqlite.states import DONE, NOT_ASKED_SQL, TEXT, insert

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapgen.analysis.graph import Floats
    from sitemapgen.store.sqlite.database import Database

VISITS = """
SELECT key, visited, coalesce(changed, -1), coalesce(changed & 1, 0) AND claims <> ''
FROM visit ORDER BY key, run
"""
CHANGE_CLAIMS = """
SELECT url, claims FROM visit JOIN url USING (key)
WHERE changed & 1 AND claims <> '' ORDER BY key, run
"""
VALIDATED = f"""
SELECT page.key, url, validation = {Validation.CHECKED:d}, changed <> 0
FROM page JOIN url USING (key)
WHERE validation IN ({Validation.CHANGED:d}, {Validation.CHECKED:d}) AND changed IS NOT NULL
AND state = {DONE}
"""

VISIT = [("key", np.int64), ("visited", np.int64), ("changed", np.int8), ("is_dated", np.bool_)]


KEEP_OUTCOMES = f"""
INSERT INTO verdict_history (key, run, verdict, lastmod)
SELECT key, :run, now.verdict, now.lastmod FROM (
    SELECT url.key, CASE WHEN sources <> 0 THEN verdict END AS verdict,
           CASE WHEN sources <> 0 THEN
               CASE WHEN state = {DONE} AND verdict = 'listed'
               THEN coalesce(final_lastmod.lastmod, page.lastmod, '') ELSE '' END
           END AS lastmod
    FROM url LEFT JOIN page USING (key) LEFT JOIN final_lastmod USING (key)
    ORDER BY url.key
) AS now
WHERE (now.verdict, now.lastmod) IS NOT (
    SELECT verdict, lastmod FROM verdict_history
    WHERE verdict_history.key = now.key AND run < :run ORDER BY run DESC LIMIT 1
)
"""

OUTCOMES = """
SELECT url, verdict_history.verdict, verdict_history.lastmod
FROM url JOIN verdict_history USING (key)
WHERE run = (SELECT max(run) FROM verdict_history AS upto WHERE upto.key = url.key AND run <= ?)
AND verdict_history.verdict IS NOT NULL ORDER BY url
"""

SINCE = """
SELECT min(started) FROM run
WHERE is_complete AND reason <> 'nothing' AND id < ?1 AND id > coalesce((
    SELECT max(id) FROM run WHERE arguments <> (SELECT arguments FROM run WHERE id = ?1)
), 0)
"""


TRUST_CHANGES = """
SELECT source, section, name, is_trusted, reason, evidence FROM trust_change
WHERE (source, section, run) IN (
    SELECT source, section, max(run) FROM trust_change GROUP BY source, section
)
ORDER BY is_trusted, source, name, section
"""

IS_SEEN = """
SELECT EXISTS (SELECT 1 FROM visit WHERE key = ?1 AND changed & ?3 AND run > before.run)
FROM (SELECT min(run) AS run FROM verdict_history WHERE key = ?1 AND lastmod = ?2) AS before
WHERE before.run IS NOT NULL
"""

TRUST = "run source section hits false_alarms misses quiet alarm silence proof is_own"
"""Columns of the table ``trust``."""


class SqliteHistory:
    """Implementation of the protocol ``History``."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.run = 0
        """The number of the current run, or of the last one."""

    def open(self) -> None:
        """Read the number of the run that was begun or continued."""
        self.run = self._db.one("SELECT coalesce(max(id), 0) FROM run")

    def keep_visits(self) -> None:
        with self._db.writing():
            self._db.execute(
                "REPLACE INTO visit (key, run, visited, changed, claims) "
                "SELECT key, run, visited, changed, claims "
                "FROM page JOIN url USING (key) "
                f"WHERE state = {DONE} AND answered AND NOT failures "
                f"AND revisit NOT IN ({NOT_ASKED_SQL})"
            )
            self._db.execute("DELETE FROM sitemap_dates_at_visit")
            self._db.execute(
                "INSERT INTO sitemap_dates_at_visit (key, said) "
                f"SELECT key, {DATES_BEFORE} FROM page "
                f"WHERE revisit = {Revisit.OVER_BUDGET:d} AND {DATES_BEFORE} <> {DATES_NOW}"
            )

    def keep_outcomes(self) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM verdict_history WHERE run = ?", (self.run,))
            self._db.execute(KEEP_OUTCOMES, {"run": self.run})
            self._db.execute(
                "UPDATE run SET is_complete = NOT EXISTS (SELECT 1 FROM url "
                "WHERE sources <> 0 AND verdict = 'over_cap') WHERE id = ?",
                (self.run,),
            )

    def concluded_runs(self) -> list[int]:
        rows = self._db.rows(
            "SELECT id FROM run WHERE is_complete IS NOT NULL AND ended ORDER BY id"
        )
        return [run for (run,) in rows]

    def first_seen(self) -> FirstSeen:
        table = np.fromiter(
            self._db.read("SELECT first_link, first_sitemap FROM url"),
            dtype=[("link", np.float64), ("sitemap", np.float64)],
        )
        starts = self._db.rows("SELECT started FROM run ORDER BY id")
        since = self._db.one(SINCE, self.run)
        return FirstSeen(table["link"], table["sitemap"], np.array(starts).ravel(), since)

    def outcomes(self, run: int) -> Iterator[tuple[str, str, str]]:
        return self._db.read(OUTCOMES, run)

    def horizon(self) -> int:
        starts = [start for (start,) in self._db.rows("SELECT started FROM run ORDER BY id")]
        if not starts:
            return NEVER
        *earlier, now = starts
        asked = f"SELECT max(visited) FROM page WHERE run = ? AND revisit NOT IN ({NOT_ASKED_SQL})"
        return horizon(earlier, max(now, self._db.one(asked, self.run) or 0))

    def visits(self) -> PastVisits:
        table = np.fromiter(self._db.read(VISITS), dtype=VISIT)
        times = self._change_times()
        is_first = np.ones(len(table), np.bool_)
        is_first[1:] = table["key"][1:] != table["key"][:-1]
        firsts = np.flatnonzero(is_first)
        is_new = table["changed"] < 0  # not in the previous run
        days = np.full(len(table), np.inf)
        days[1:] = np.diff(table["visited"]) / DAY
        is_impossible = table["visited"] > self.horizon()  # the clock was wrong
        is_impossible[1:] |= is_impossible[:-1] | (days[1:] < 0)
        days[is_first | is_new | is_impossible] = np.inf
        since = np.full(len(table), np.nan)
        since[table["is_dated"]] = (table["visited"][table["is_dated"]] - times) / DAY
        since[~(since <= days) | ~np.isfinite(days)] = np.nan
        visits = Visits(
            page=np.cumsum(is_first) - 1,
            days=days,
            changed=is_new | ((table["changed"] & TEXT) != 0),
            since=since,
        )
        last = np.append(firsts[1:], len(table))[: len(firsts)] - 1
        return PastVisits(table["key"][firsts], table["visited"][last], visits)

    def _change_times(self) -> Floats:
        """Return when the pages with ``is_dated`` changed by a trusted source; NaN for none."""
        judged = trusts(self._records("run = (SELECT max(run) FROM trust)"))
        trusted = {place for place, trust in judged.items() if trust.is_trusted}
        times = array("d")
        for url, claims in self._db.read(CHANGE_CLAIMS):
            here, said = section(url), numbers(claims)
            believed = (said[each] for each in SOURCES if each in said and (each, here) in trusted)
            times.append(next((moment for moment in believed if moment >= 0), math.nan))
        return np.frombuffer(times, np.float64)

    def records(self) -> dict[tuple[str, int], Record]:
        return self._records("run = (SELECT max(run) FROM trust WHERE run < ?)", self.run)

    def _records(self, condition: str, *parameters: int) -> dict[tuple[str, int], Record]:
        rows = self._db.rows(
            "SELECT source, section, hits, false_alarms, misses, quiet, alarm, silence, "
            f"proof, is_own FROM trust WHERE {condition}",
            *parameters,
        )
        return {(source, section): Record(*counts) for source, section, *counts in rows}

    def validators(self) -> dict[tuple[str, int], Record]:
        rows = self._db.rows(VALIDATED)
        return validated(map(Validated._make, rows), self.records(), self.run)

    def keep_records(self, records: Mapping[tuple[str, int], Record]) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM trust WHERE run = ?", (self.run,))
            self._db.executemany(
                insert("trust", TRUST),
                [(self.run, *key, *record) for key, record in records.items()],
            )

    def keep_trust_changes(self, changes: Sequence[TrustRow]) -> list[TrustRow]:
        known = self._db.rows(
            "SELECT source, section, name, is_trusted, reason, evidence FROM trust_change "
            "WHERE run = ?",
            self.run,
        )
        with self._db.writing():
            self._db.execute("DELETE FROM trust_change WHERE run = ?", (self.run,))
            self._db.executemany(
                insert("trust_change", "run source section name is_trusted reason evidence"),
                [(self.run, *change) for change in changes],
            )
        return [change for change in changes if tuple(change) not in known]

    def trust_changes(self) -> list[TrustRow]:
        return [
            TrustRow(source, section, name, bool(is_trusted), *why)
            for source, section, name, is_trusted, *why in self._db.rows(TRUST_CHANGES)
        ]

    def is_change(self, key: int, lastmod: str) -> bool:
        return all(seen for (seen,) in self._db.rows(IS_SEEN, key, lastmod, TEXT))
