"""Pages of the previous run, and whether they are still valid.

The history over all runs: ``history.py``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.freshness.due import MIN_STEP
from sitemapgen.analysis.freshness.revisits import Doubtful
from sitemapgen.analysis.freshness.trust import DAY
from sitemapgen.analysis.graph import Floats, Ints, Mask
from sitemapgen.core.eligibility import GONE
from sitemapgen.core.urls import key as url_key
from sitemapgen.items import Judgement, Link, Page, Revisit, Validation
from sitemapgen.store.database import Database
from sitemapgen.store.history import History
from sitemapgen.store.packing import unpack_numbers
from sitemapgen.store.states import (
    DIRECTIVES,
    DONE,
    HAD_DATES,
    HAS_DATES,
    HAS_SAME_DATES,
    IN_FLIGHT,
    LINKS,
    NAMED,
    NOT_ASKED,
    NOT_ASKED_SQL,
    PENDING,
    SHARED_LINKS,
    START,
    TEXT,
)
from sitemapgen.verdicts import Reason, Verdict


class PreviousPage(NamedTuple):
    """A page as the previous run read it."""

    judgement: Judgement
    """The verdict from its response alone."""
    failures: int
    """Number of runs in a row in which it failed."""
    links: list[tuple[str, bool]]
    """(URL, is nofollow) of each link."""
    last_modified: str = ""
    claims: str = ""
    """The dates of the page: ``last_modified`` as in the header, ``claims`` packed by
    ``core.lastmod.pack_claims``."""
    canonical: str = ""
    alternates: tuple[int, ...] = ()
    """``Page.canonical`` and ``Page.alternates``."""


class Postponed(NamedTuple):
    """Arrays over the pages carried over without a request, in URL order."""

    keys: Ints
    urls: list[str]
    age: Floats
    """Days since the last visit, at the start of this run."""
    is_listed: Mask
    """Whether the page was listed at its last visit."""
    is_moved: Mask
    """Whether sitemaps give another date than at the last visit."""
    is_silent: Mask
    """Whether sitemaps give the same date as at the last visit; False if there is none."""
    step: float
    """Days between the starts of the previous run and this one."""


INDEXES = ("same_text", "same_content", "same_short", "little_text")
"""Indexes of ``page`` that are created on demand, and would stay with the renamed table."""

EARLIER_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'earlier_%'"

PREVIOUS = """
SELECT own_verdict, own_evidence, own_other_url, own_reason, failures, last_modified, claims,
       canonical, alternates, followed, nofollow
FROM earlier_page LEFT JOIN earlier_link ON source = key WHERE key = ?
"""

REMARKED = ("last_modified", "answered", "claims", "lastmod", "lastmod_source", "lastmod_evidence")
"""Columns of a page that a 304 Not Modified with a new Last-Modified updates."""

CARRIED = {
    "run": ":run",
    "signature_id": ":signature_id",
    "excerpt_id": ":excerpt_id",
    "visited": "coalesce(:visited, visited)",
    "changed": "CASE WHEN :visited THEN 0 END",
    "revisit": ":revisit",
    "validation": ":validation",
    "failures": f"CASE WHEN :revisit IN ({NOT_ASKED_SQL}) THEN failures ELSE :failures END",
    "status": f"CASE WHEN :revisit IN ({NOT_ASKED_SQL}) THEN status ELSE :status END",
    **{name: f"CASE WHEN :last_modified <> '' THEN :{name} ELSE {name} END" for name in REMARKED},
}
"""Columns that are not copied unchanged when a page is carried over, with their expressions."""

BESIDE = ("sketch", "extension", "label", "rendered", "markdown", "description", "external")
"""Tables with a row for some pages."""

CONTENTS = {"signature": "signature unbroken", "excerpt": "packed"}
"""Tables with signatures and excerpts, the most of the bytes of pages, and their columns besides
``id``; ``page`` has the ids. A short excerpt without a hash of the text is in ``page``."""

COPY_CONTENTS = """
INSERT INTO {table} ({columns}) SELECT {columns} FROM earlier_{table}
WHERE id = (SELECT {table}_id FROM earlier_page WHERE key = ?)
"""
COPY = "REPLACE INTO {0} ({1}) SELECT {2} FROM earlier_{0} WHERE key = :key"

PREVIOUS_CONTENT = """
SELECT coalesce(text_hash, excerpt), own_verdict, canonical, followed, nofollow
FROM earlier_page LEFT JOIN earlier_link ON source = key WHERE key = ?
"""

UNCHANGED_SQL = f"{Validation.UNCHANGED:d}, {Validation.CHECKED:d}"
LATEST = "SELECT key, max(lastmod) AS said FROM {entry} WHERE lastmod <> '' GROUP BY key"
DOUBTFUL = f"""
SELECT key, url, page.validation FROM ({LATEST.format(entry="sitemap_entry")}) AS now
JOIN ({LATEST.format(entry="earlier_sitemap_entry")}) AS before USING (key)
JOIN page USING (key) JOIN earlier_page USING (key) JOIN url USING (key)
WHERE now.said > before.said AND now.said >= date(earlier_page.visited - 86400, 'unixepoch')
AND state = {DONE} AND page.validation IN ({UNCHANGED_SQL})
"""

SAME = f"SELECT count(*) FROM page WHERE validation IN ({UNCHANGED_SQL})"

NEVER_FOUND = f"""
SELECT key FROM page WHERE status IN {GONE} AND own_verdict = 'http_error' AND NOT EXISTS (
    SELECT 1 FROM verdict_history AS had WHERE had.key = page.key AND had.verdict <> 'http_error'
)
"""
RESTING = f"""
SELECT page.key, is_turn, status IN {GONE}
FROM earlier_resting JOIN earlier_page AS page USING (key) JOIN url USING (key)
WHERE NOT failures AND NOT sources & {NAMED | START}
AND NOT EXISTS (SELECT 1 FROM page AS now WHERE now.key = url.key)
AND (pattern IS NULL OR own_verdict IN ('redirect', 'not_html', 'http_error')
     OR page.key IN (SELECT key FROM earlier_sketch))
"""
ROUSED = f"""
SELECT page.key, url, before.status IN {GONE}
FROM page JOIN earlier_page AS before USING (key) JOIN url USING (key)
WHERE page.changed & {DIRECTIVES} AND page.own_verdict = 'listed'
"""
RESTED = f"""
SELECT key, url, status IN {GONE} FROM page JOIN url USING (key)
WHERE state = {DONE} AND revisit = {Revisit.LEFT_OUT:d}
"""
RESTED_VARIANTS = f"""
SELECT key, base FROM (
    SELECT key, revisit, (
        SELECT base.key FROM earlier_resting AS resting
        JOIN url AS base ON base.key = resting.base JOIN page AS read ON read.key = base.key
        WHERE resting.key = url.key AND base.verdict = 'listed' AND NOT coalesce(read.changed, 0)
    ) AS base
    FROM page JOIN url USING (key)
    WHERE state = {DONE} AND (revisit = {Revisit.LEFT_OUT:d} OR changed = 0)
    AND own_verdict = 'listed' AND verdict = 'listed' AND 'variant' = (
        SELECT verdict FROM verdict_history WHERE verdict_history.key = url.key
        ORDER BY run DESC LIMIT 1
    )
) WHERE base IS NOT NULL OR revisit = {Revisit.LEFT_OUT:d}
"""
POSTPONED = f"""
SELECT page.key, url, visited, verdict = 'listed',
       {HAS_DATES} AND {HAD_DATES} AND NOT {HAS_SAME_DATES},
       {HAS_DATES} AND {HAD_DATES} AND {HAS_SAME_DATES}
FROM page JOIN url USING (key)
WHERE revisit = {Revisit.OVER_BUDGET:d} AND state = {DONE} ORDER BY url
"""


class PreviousRun:
    """The pages of the previous run, if they are valid under the arguments of this one."""

    def __init__(self, db: Database, history: History) -> None:
        self._db = db
        self._history = history
        self.lasting_run = 0
        """The run whose unchanged pages remain valid in this run; 0 if none do, because the
        arguments or the reader version differ."""
        self._is_read_alike = False
        """Whether it has pages, and this run reads pages as it did."""
        self._linked_at_start: frozenset[int] = frozenset()
        self._copies: list[str] = []
        """The statements that carry a page over."""

    def begin_run(self) -> None:
        """Begin a new run: the pages of the last one become the previous ones, if it has any."""
        for index in INDEXES:
            self._db.execute(f"DROP INDEX IF EXISTS {index}")
        has_read = self._db.execute("SELECT 1 FROM page LIMIT 1").fetchone()
        for earlier in self._db.column(EARLIER_TABLES):
            table = earlier.removeprefix("earlier_")
            if has_read:
                schema = self._db.one("SELECT sql FROM sqlite_master WHERE name = ?", table)
                self._db.execute(f"DROP TABLE {earlier}")
                self._db.execute(f"ALTER TABLE {table} RENAME TO {earlier}")
                self._db.execute(schema)
            else:
                self._db.execute(f"DELETE FROM {table}")

    def open(self) -> None:
        """Load the facts of the run before the one that was begun or continued."""
        previous = self._db.one("SELECT max(run) FROM earlier_page")
        self.lasting_run = 0
        self._is_read_alike = False
        self._linked_at_start = frozenset()
        if previous is not None:
            runs = self._db.rows(
                "SELECT arguments, reader FROM run WHERE id IN (?, ?)", previous, self._history.run
            )
            self._is_read_alike = len({reader for _, reader in runs}) == 1
            self.lasting_run = previous if len(runs) == 2 and runs[0] == runs[1] else 0
        if self.lasting_run:
            columns = {name: CARRIED.get(name, name) for name in self._db.column_names("page")}
            self._copies = [COPY.format("page", ", ".join(columns), ", ".join(columns.values()))]
            for table in BESIDE:
                if self._db.one(f"SELECT 1 FROM earlier_{table} LIMIT 1"):
                    names = ", ".join(self._db.column_names(table))
                    self._copies.append(COPY.format(table, names, names))

    def count_known(self) -> int:
        """Return the number of pages that are still valid."""
        return self._db.count("SELECT count(*) FROM earlier_page") if self.lasting_run else 0

    # Pages that the server confirmed as unchanged

    def doubtful_pages(self) -> list[Doubtful]:
        """Return the pages confirmed as unchanged for which a sitemap has a newer date."""
        return [
            Doubtful(key, url, validation != Validation.UNCHANGED)
            for key, url, validation in self._db.rows(DOUBTFUL)
        ]

    def count_unchanged(self) -> int:
        """Return the number of pages that the server confirmed as unchanged in this run."""
        return self._db.count(SAME)

    def never_found(self) -> list[int]:
        """Return the keys of URLs of this run that are gone, and that no run has found."""
        return self._db.column(NEVER_FOUND)

    def resting(self, keys: Iterable[int]) -> dict[int, tuple[bool, bool]]:
        """Return those of some pages that rest: whether it is their turn now, and are gone.

        The rules: ``analysis/freshness/rest.py``. Without those that the site names elsewhere than
        in links.
        """
        rows = self._db.of_keys(RESTING, sorted(keys)) if self.lasting_run else ()
        return {key: (bool(is_turn), bool(is_gone)) for key, is_turn, is_gone in rows}

    def on_turn(self) -> list[int]:
        """Return the keys of all resting pages whose turn it is in this run."""
        return self._db.column("SELECT key FROM earlier_resting WHERE is_turn")

    def roused_urls(self, keys: Iterable[int]) -> list[tuple[str, bool]]:
        """Return those of some pages that may be listed now, by other directives or as pages.

        (URL, whether it was gone).
        """
        return [
            (url, bool(was_gone)) for _, url, was_gone in self._db.of_keys(ROUSED, sorted(keys))
        ]

    def rested_pages(self) -> Iterator[tuple[int, str, bool]]:
        """Yield (key, URL, whether it is gone) of the pages of this run that rested."""
        return self._db.read(RESTED)

    def rested_variants(self) -> dict[int, int | None]:
        """Return the listed pages that were variants before, and rested or are unchanged, by key.

        With each, the key of the listed, unchanged page beside which it showed nothing of its own;
        None for those that rested, if there is none.
        """
        return dict(self._db.read(RESTED_VARIANTS))

    def doubted_keys(self) -> list[int]:
        """Return the keys of pages confirmed as unchanged that are to be read again."""
        return self._db.column(
            f"SELECT key FROM page JOIN url USING (key) WHERE state IN ({PENDING}, {IN_FLIGHT}) "
            f"AND validation = {Validation.UNCHANGED:d}"
        )

    # What it read

    def page(self, key: int) -> PreviousPage | None:
        """Return a page as that run read it; None if it did not."""
        with self._db.writing():  # the page will be recorded next
            row = self.lasting_run and self._db.execute(PREVIOUS, (key,)).fetchone()
            if not row:
                return None
            verdict, evidence, other_url, reason, *facts, followed, nofollow = row
            links = [
                (self._db.url_of(target), is_nofollow)
                for is_nofollow, numbers in ((False, followed), (True, nofollow))
                for target in unpack_numbers(numbers)
            ]
        judgement = Judgement(Verdict(verdict), evidence, other_url, Reason(reason))
        failures, modified, claims, canonical, packed = facts
        alternates = tuple(array("q", packed))
        return PreviousPage(judgement, failures, links, modified, claims, canonical, alternates)

    def carry_page(self, page: Page, now: float) -> None:
        """Copy a page from the previous run, with what is ``BESIDE`` it."""
        values = {
            "key": page.key,
            "run": self._history.run,
            **{f"{table}_id": self._copy_row(table, page.key) for table in CONTENTS},
            "visited": None if page.revisit in NOT_ASKED else int(now),
            "revisit": int(page.revisit),
            "validation": int(page.validation),
            "failures": page.failures,
            "status": page.status,
            **{name: getattr(page, name) for name in REMARKED},
        }
        for statement in self._copies:
            self._db.execute(statement, values)

    def _copy_row(self, table: str, key: int) -> int | None:
        """Copy the row of a page in one of ``CONTENTS``; return its new id, None without one."""
        columns = CONTENTS[table].replace(" ", ", ")
        copy = self._db.execute(COPY_CONTENTS.format(table=table, columns=columns), (key,))
        return copy.lastrowid if copy.rowcount else None

    def find_changes(
        self, page: Page, numbers: Callable[[Collection[Link]], list[int]]
    ) -> int | None:
        """Return what has changed in a page since the previous run, as bits of ``page.changed``.

        None if that run did not read the page, or had another ``READER_VERSION``. ``numbers``:
        those of the targets of links.
        """
        if not self._is_read_alike:
            return None
        row = self._db.execute(PREVIOUS_CONTENT, (page.key,)).fetchone()
        if row is None:
            return None
        text, verdict, canonical, *links = row
        before = [set(unpack_numbers(packed)) for packed in links]
        now = [
            set(numbers([link for link in page.links if link.nofollow == nofollow]))
            for nofollow in (False, True)
        ]
        changed = 0
        if text != (page.excerpt if page.text_hash is None else page.text_hash):
            changed |= TEXT
        if now != before:
            changed |= LINKS
            if now[0] - before[0] <= self._start_links():
                changed |= SHARED_LINKS
        if (page.judgement.verdict.value, page.canonical) != (verdict, canonical):
            changed |= DIRECTIVES
        return changed

    def _start_links(self) -> frozenset[int]:
        """Return the numbers of the URLs that the start page links to in this run."""
        if not self._linked_at_start:
            start = self._db.one("SELECT start FROM run ORDER BY id DESC LIMIT 1")
            packed = self._db.one("SELECT followed FROM link WHERE source = ?", url_key(start))
            self._linked_at_start = frozenset(unpack_numbers(packed or b""))
        return self._linked_at_start

    def count_postponed(self) -> Postponed:
        """Return the pages of this run that were postponed (``Revisit.OVER_BUDGET``)."""
        rows = self._db.rows(POSTPONED)
        started, before = self._db.first(
            "SELECT max(started), max(CASE WHEN id <= ? THEN started END) FROM run",
            self.lasting_run,
        )
        keys, urls, visited, is_listed, is_moved, is_silent = zip(*rows) if rows else [()] * 6
        return Postponed(
            keys=np.array(keys, np.int64),
            urls=[*urls],
            age=np.maximum(started - np.array(visited, np.int64), 0) / DAY,
            is_listed=np.array(is_listed, np.bool_),
            is_moved=np.array(is_moved, np.bool_),
            is_silent=np.array(is_silent, np.bool_),
            step=max(started - before, MIN_STEP) / DAY,
        )

    def count_revisits(self, *how: Revisit) -> int:
        """Return the number of pages of this run that were treated in one of these ways."""
        ways = ", ".join(f"{each:d}" for each in how)
        return self._db.count(
            "SELECT count(*) FROM page JOIN url USING (key) "
            f"WHERE state = {DONE} AND sources <> 0 AND revisit IN ({ways})"
        )
