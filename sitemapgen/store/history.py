"""History over all runs: changes of pages, outcomes of URLs, trust in dates, editions.

An edition is a run whose report differs from the one before: ``publish/editions.py``.

The pages of the previous run: ``previous_run.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from sitemapgen.analysis.freshness.trust import Record
from sitemapgen.analysis.freshness.visits import VISIT, PastVisits, past_visits
from sitemapgen.analysis.graph import Floats
from sitemapgen.analysis.lastmod import NEVER, Validated, latest_moment
from sitemapgen.items import Revisit, Validation
from sitemapgen.store.database import Database
from sitemapgen.store.states import (
    DONE,
    HAS_SAME_DATES,
    NOT_ASKED_SQL,
    SITEMAP_DATES_BEFORE,
    SYSTEM_DATES_BEFORE,
    TEXT,
    insert_sql,
)


class FirstSeen(NamedTuple):
    """Times at which each URL of all runs was first seen: seconds since 1970 UTC, NaN for never."""

    links: Floats
    sitemaps: Floats
    starts: Floats
    """The start times of the runs, in their order."""
    since: float | None
    """The start of the first complete run under the arguments of this one; URLs first seen after it
    are new. None if there is no such run before this one."""


class TrustRow(NamedTuple):
    """A source of dates that lost trust in a section of the site, or regained it."""

    source: str
    section: int
    """A value of ``analysis.lastmod.url_section``, or ``trust.SMALL_SECTIONS``."""
    name: str
    """The first segment of the path; empty for the root and for the small sections."""
    is_trusted: bool
    reason: str
    """One of ``trust.REASONS``."""
    evidence: str


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
    examples: list[tuple[str, str | None]]
    """(URL, its verdict now) of the first ones in URL order; None: it is named nowhere now."""


VISITS = """
SELECT key, visited, coalesce(changed & 1, -1), coalesce(changed & 1, 0) AND claims <> ''
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


TRUST_CHANGES = f"""
SELECT {", ".join(TrustRow._fields)} FROM trust_change
WHERE (source, section, run) IN (
    SELECT source, section, max(run) FROM trust_change GROUP BY source, section
)
ORDER BY is_trusted, source, name, section
"""

IS_SEEN = f"""
SELECT EXISTS (SELECT 1 FROM visit WHERE key = :key AND changed & {TEXT} AND run > before.run)
FROM (
    SELECT min(run) AS run FROM verdict_history WHERE key = :key AND lastmod = :lastmod
) AS before
WHERE before.run IS NOT NULL
"""

TRUST = ("source", "section", *Record._fields)
"""Columns of the table ``trust``, besides ``run``."""


EDITIONS = (
    f"SELECT {', '.join(f'edition.{name}' for name in Edition._fields)} "
    "FROM edition JOIN run ON run.id = edition.run"
)
HAS_BEHIND = "(reason = 'finished' OR edition.run = ?1) AND edition.run <= ?1"
"""Condition of the editions that the run ``?1`` has behind it, its own included."""

PRELIMINARY = """
SELECT coalesce(ended, (SELECT max(visited) FROM page WHERE run = ?1), started), version
FROM run WHERE id = ?1
"""

LISTED_NOW = "sources <> 0 AND verdict IS 'listed'"
VERDICT_THEN = """(
    SELECT verdict FROM verdict_history AS kept
    WHERE kept.key = url.key AND run <= ?1 ORDER BY run DESC LIMIT 1
)"""
MOVED = {
    "new": f"{LISTED_NOW} AND {VERDICT_THEN} IS NOT 'listed'",
    "gone": f"NOT ({LISTED_NOW}) AND {VERDICT_THEN} = 'listed'",
    "changed": f"{LISTED_NOW} AND {VERDICT_THEN} = 'listed' AND EXISTS ("
    f"SELECT 1 FROM visit WHERE visit.key = url.key AND run > ?1 AND changed & {TEXT})",
}
"""SQL conditions on the URLs that have moved since the run ``?1``."""


class History:
    """The data that is kept permanently of every run, this one included."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.run = 0
        """The number of the current run, or of the last one; 0 in a new store."""

    def open(self) -> None:
        """Read the number of the run that was begun or continued."""
        self.run = self._db.one("SELECT coalesce(max(id), 0) FROM run")

    def keep_visits(self) -> None:
        """Keep the visits of this run to pages that answered."""
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
                "INSERT INTO sitemap_dates_at_visit (key, sitemaps, systems) "
                f"SELECT key, {SITEMAP_DATES_BEFORE}, {SYSTEM_DATES_BEFORE} FROM page "
                f"WHERE revisit IN ({Revisit.OVER_BUDGET:d}, {Revisit.NOT_DUE:d}) "
                f"AND NOT {HAS_SAME_DATES}"
            )

    def keep_outcomes(self) -> None:
        """Keep verdict and lastmod of each URL of this run, which has been concluded."""
        with self._db.writing():
            self._db.execute("DELETE FROM verdict_history WHERE run = ?", (self.run,))
            self._db.execute(KEEP_OUTCOMES, {"run": self.run})
            self._db.execute(
                "UPDATE run SET is_complete = NOT EXISTS (SELECT 1 FROM url "
                "WHERE sources <> 0 AND verdict = 'over_cap') WHERE id = ?",
                (self.run,),
            )

    def concluded_runs(self) -> list[int]:
        """Return the numbers of the runs whose outcomes were kept, in their order."""
        return self._db.column(
            "SELECT id FROM run WHERE is_complete IS NOT NULL AND ended ORDER BY id"
        )

    def first_seen(self) -> FirstSeen:
        """Return when links and sitemaps first named each URL."""
        table = np.fromiter(
            self._db.read("SELECT first_link, first_sitemap FROM url"),
            dtype=[("link", np.float64), ("sitemap", np.float64)],
        )
        since = self._db.one(SINCE, self.run)
        return FirstSeen(table["link"], table["sitemap"], np.array(self.start_times()), since)

    def run_outcomes(self, run: int) -> Iterator[tuple[str, str, str]]:
        """Yield (URL, verdict, lastmod if listed) of every URL seen in a run, in URL order."""
        return self._db.read(OUTCOMES, run)

    def start_times(self) -> list[float]:
        """Return the start times of all runs, in their order; seconds since 1970 UTC."""
        return self._db.column("SELECT started FROM run ORDER BY id")

    def past_visits(self) -> PastVisits:
        """Return the visits of all runs, by page; those of this run once it has been concluded."""
        visits = np.fromiter(self._db.read(VISITS), dtype=VISIT)
        records = self.source_records(with_this_run=True)
        return past_visits(visits, self._db.read(CHANGE_CLAIMS), records, self.horizon())

    def horizon(self) -> int:
        """Return the time after which no date and no visit can be: ``lastmod.latest_moment``."""
        starts = self.start_times()
        if not starts:
            return NEVER
        *earlier, now = starts
        query = f"SELECT max(visited) FROM page WHERE run = ? AND revisit NOT IN ({NOT_ASKED_SQL})"
        return latest_moment(earlier, max(now, self._db.one(query, self.run) or 0))

    def source_records(self, *, with_this_run: bool = False) -> dict[tuple[str, int], Record]:
        """Return the record of each source of dates in each section, up to the previous run.

        ``with_this_run``: up to the last run that was concluded, which may be this one.
        """
        rows = self._db.rows(
            f"SELECT {', '.join(TRUST)} FROM trust "
            "WHERE run = (SELECT max(run) FROM trust WHERE run < ?)",
            self.run + with_this_run,
        )
        return {(source, section): Record(*counts) for source, section, *counts in rows}

    def validated_pages(self) -> Iterator[Validated]:
        """Yield the pages of this run that were requested conditionally, and read."""
        return map(Validated._make, self._db.rows(VALIDATED))

    def keep_records(self, records: Mapping[tuple[str, int], Record]) -> None:
        """Keep the records of sources and validators with this run."""
        rows = [(self.run, *key, *record) for key, record in records.items()]
        self._db.replace_all("trust", " ".join(("run", *TRUST)), rows, self.run)

    def keep_trust_changes(self, changes: Sequence[TrustRow]) -> list[TrustRow]:
        """Replace the decisions of this run; return those that it had not made before."""
        known = self._db.rows(
            f"SELECT {', '.join(TrustRow._fields)} FROM trust_change WHERE run = ?", self.run
        )
        columns = " ".join(("run", *TrustRow._fields))
        rows = [(self.run, *change) for change in changes]
        self._db.replace_all("trust_change", columns, rows, self.run)
        return [change for change in changes if tuple(change) not in known]

    def trust_changes(self) -> list[TrustRow]:
        """Return the last decision for each source and section, this run included; losses first."""
        return [
            TrustRow(source, section, name, bool(is_trusted), *why)
            for source, section, name, is_trusted, *why in self._db.rows(TRUST_CHANGES)
        ]

    def is_change(self, key: int, lastmod: str) -> bool:
        """Return whether the main text changed in a run after the first that published this date.

        True if no run has published it, as there is no evidence against a change.
        """
        return all(seen for (seen,) in self._db.rows(IS_SEEN, key=key, lastmod=lastmod))

    # Editions; those whose files were refused count for their own run only

    def edition(self) -> Edition:
        """Return the edition of the current or last run; a preliminary one if it has no report."""
        reason = self._db.one("SELECT reason FROM run WHERE id = ? AND ended NOT NULL", self.run)
        kept = self.own_edition() if reason else None
        if reason == "finished":
            kept = kept or self.edition_before()
        if kept:
            return kept
        crawled, version = self._db.first(PRELIMINARY, self.run)
        return Edition(self.run, "", crawled, version, "null")

    def own_edition(self) -> Edition | None:
        """Return the edition that the current run was the first with; None if there is none."""
        return self._find_edition("edition.run = ?")

    def edition_before(self) -> Edition | None:
        """Return the edition that was published last before the current run."""
        return self._find_edition("reason = 'finished' AND edition.run < ?")

    def _find_edition(self, condition: str) -> Edition | None:
        query = f"{EDITIONS} WHERE {condition} ORDER BY edition.run DESC LIMIT 1"
        row = self._db.first(query, self.run)
        return Edition(*row) if row else None

    def latest_editions(self, count: int) -> list[Edition]:
        """Return the last editions with known figures up to the current run, the oldest first."""
        query = (
            f"{EDITIONS} WHERE {HAS_BEHIND} AND listed NOT NULL ORDER BY edition.run DESC LIMIT ?2"
        )
        return [Edition(*row) for row in self._db.rows(query, self.run, count)][::-1]

    def keep_edition(self, edition: Edition) -> None:
        """Keep an edition; it replaces that of the same run."""
        self._db.write(insert_sql("edition", " ".join(Edition._fields), "REPLACE"), edition)

    def discard_edition(self) -> None:
        """Remove the edition of the current run, if any."""
        self._db.write("DELETE FROM edition WHERE run = ?", (self.run,))

    def count_moved(
        self, how: Literal["new", "gone", "changed"], since: int, examples: int
    ) -> Moved:
        """Count the URLs that are listed now and were not in run ``since``, or the reverse.

        ``changed``: those that are listed in both, and whose main text changed after it.
        """
        count = self._db.one(f"SELECT count(*) FROM url WHERE {MOVED[how]}", since)
        first = f"SELECT url, iif(sources, verdict, NULL) FROM url WHERE {MOVED[how]}"
        query = f"{first} ORDER BY url LIMIT ?2"
        return Moved(count, self._db.rows(query, since, examples) if count else [])
