"""What earlier runs of the embedded store read: their last pages, and when which page changed."""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING
from zlib import compress, crc32, decompress

import numpy as np

from sitemapgen.analysis.freshness.rates import Visits
from sitemapgen.analysis.freshness.trust import DAY, Record, is_sample, is_turn
from sitemapgen.analysis.lastmod import (
    Validated,
    distrusted,
    hiding,
    section,
    sparing,
    trusts,
    validated,
)
from sitemapgen.core.lastmod import SOURCES, numbers
from sitemapgen.core.urls import key
from sitemapgen.items import Judgement, Spared, Validation, Verdict
from sitemapgen.store import Earlier, FirstSeen, PastVisits, Postponed, SitemapMark
from sitemapgen.store.sqlite.database import OF_TWO_RUNS
from sitemapgen.store.sqlite.states import DONE, IN_FLIGHT, PENDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemapgen.analysis.graph import Floats
    from sitemapgen.items import Page, SitemapDocument
    from sitemapgen.store import Claim
    from sitemapgen.store.sqlite.database import Database

NOT_ASKED = (Spared.SPARED, Spared.POSTPONED)
NOT_ASKED_SQL = f"{Spared.SPARED:d}, {Spared.POSTPONED:d}"

SAID = """coalesce((
    SELECT group_concat(lastmod, char(10)) FROM {entry} AS entry
    WHERE entry.key = page.key AND entry.lastmod <> ''
), '')"""
SAID_NOW = SAID.format(entry="sitemap_entry")
SAID_BEFORE = (
    "coalesce((SELECT said FROM earlier_said WHERE earlier_said.key = page.key), "
    f"{SAID.format(entry='earlier_sitemap_entry')})"
)
"""What sitemaps say of a page's date, one date a line; and what they said when it was visited last,
if it was not postponed in this run."""

INDEXES = ("same_text", "same_content")
"""Indexes of pages that are made when somebody asks."""

TEXT, LINKS, DIRECTIVES = 1, 2, 4
"""Bits of what changed."""

SITEMAPS_EVERY = 8
"""A sitemap file that is said to be as it was is read all the same, once in so many runs."""

MOST_DOUBTED, LEAST_DOUBTED = 0.05, 10
"""Share of the pages that are said to be as they were, of which so many may be doubted for their
sitemap's date: where more have another date, it is hardly that of the page. And how many may be
doubted of few."""

MEMORY = 50_000
"""URLs of links remembered, some 10 MB."""

EARLIER = """
SELECT own_verdict, own_evidence, failures, last_modified, claims, followed, nofollow
FROM earlier_page LEFT JOIN earlier_link ON source = key WHERE key = ?
"""

REMARKED = (
    *("last_modified", "answered", "claims"),
    *("lastmod", "lastmod_source", "lastmod_evidence"),
)
"""Columns of a page that the server marked anew when it said that nothing else has changed."""

CARRIED = {
    "run": ":run",
    "visited": "coalesce(:visited, visited)",
    "changed": "CASE WHEN :visited THEN 0 END",
    "spared": ":spared",
    "validation": ":validation",
    "failures": f"CASE WHEN :spared = {Spared.POSTPONED:d} THEN failures ELSE :failures END",
    "status": f"CASE WHEN :spared = {Spared.POSTPONED:d} THEN status ELSE :status END",
    **{name: f"CASE WHEN :last_modified <> '' THEN :{name} ELSE {name} END" for name in REMARKED},
}
"""Columns of a page that are not carried as they are."""

BEFORE = """
SELECT coalesce(text_hash, excerpt), own_verdict, canonical, followed, nofollow
FROM earlier_page LEFT JOIN earlier_link ON source = key WHERE key = ?
"""

VISITS = """
SELECT key, visited, coalesce(changed, -1), coalesce(changed & 1, 0) AND claims <> ''
FROM visit ORDER BY key, run
"""
TOLD = """
SELECT url, claims FROM visit JOIN url USING (key)
WHERE changed & 1 AND claims <> '' ORDER BY key, run
"""
SAID_SAME = f"{Validation.UNCHANGED:d}, {Validation.CHECKED:d}"
LATEST = "SELECT key, max(lastmod) AS said FROM {entry} WHERE lastmod <> '' GROUP BY key"
DOUBTFUL = f"""
SELECT key, url, page.validation FROM ({LATEST.format(entry="sitemap_entry")}) AS now
JOIN ({LATEST.format(entry="earlier_sitemap_entry")}) AS before USING (key)
JOIN page USING (key) JOIN earlier_page USING (key) JOIN url USING (key)
WHERE now.said > before.said AND now.said >= date(earlier_page.visited - 86400, 'unixepoch')
AND state = {DONE} AND page.validation IN ({SAID_SAME})
"""

SAME = f"SELECT count(*) FROM page WHERE validation IN ({SAID_SAME})"

VALIDATED = f"""
SELECT page.key, url, validation = {Validation.CHECKED:d}, changed <> 0
FROM page JOIN url USING (key)
WHERE validation IN ({Validation.CHANGED:d}, {Validation.CHECKED:d}) AND changed IS NOT NULL
AND state = {DONE}
"""

VISIT = [("key", np.int64), ("visited", np.int64), ("changed", np.int8), ("is_dated", np.bool_)]


KEEP_OUTCOMES = f"""
INSERT INTO outcome
SELECT key, :run, now.verdict, now.lastmod FROM (
    SELECT url.key, CASE WHEN sources <> 0 THEN verdict END AS verdict,
           CASE WHEN sources <> 0 THEN
               CASE WHEN state = {DONE} AND verdict = 'listed'
               THEN coalesce(settled.lastmod, page.lastmod, '') ELSE '' END
           END AS lastmod
    FROM url LEFT JOIN page USING (key) LEFT JOIN settled USING (key)
    ORDER BY url.key
) AS now
WHERE (now.verdict, now.lastmod) IS NOT (
    SELECT verdict, lastmod FROM outcome
    WHERE outcome.key = now.key AND run < :run ORDER BY run DESC LIMIT 1
)
"""

OUTCOMES = """
SELECT url, outcome.verdict, outcome.lastmod FROM url JOIN outcome USING (key)
WHERE run = (SELECT max(run) FROM outcome AS upto WHERE upto.key = url.key AND run <= ?)
AND outcome.verdict IS NOT NULL ORDER BY url
"""

SINCE = """
SELECT min(started) FROM run
WHERE is_complete AND reason <> 'nothing' AND id < :run AND id > coalesce((
    SELECT max(id) FROM run WHERE arguments <> (SELECT arguments FROM run WHERE id = :run)
), 0)
"""

POSTPONED = f"""
SELECT page.key, url, visited, verdict = 'listed',
       {SAID_NOW} <> '' AND {SAID_BEFORE} <> '' AND {SAID_NOW} <> {SAID_BEFORE},
       {SAID_NOW} <> '' AND {SAID_BEFORE} <> ''
FROM page JOIN url USING (key) WHERE spared = {Spared.POSTPONED:d} AND state = {DONE} ORDER BY url
"""
MIN_STEP = 60.0
"""Seconds from one run to the next that are taken for a plan."""


class SqliteHistory:
    """See the protocol ``History``."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._urls: dict[int, str] = {}
        self.run = 0
        """The number of the run."""
        self.lasting_run = 0
        """The run whose pages hold where nothing changed; 0 if they may not."""
        self.has_earlier = False
        self._sparing: frozenset[int] = frozenset()
        self._hiding: frozenset[int] = frozenset()
        self._sitemap_doubts: frozenset[int] = frozenset()
        self._doubted: set[int] = set()
        self._carry = ""

    def turn(self) -> None:
        """A new run begins: what the last one read is the earlier one, unless it read nothing."""
        for index in INDEXES:  # each would stay with the pages that it was made for
            self._db.execute(f"DROP INDEX IF EXISTS {index}")
        has_read = self._db.execute("SELECT 1 FROM page LIMIT 1").fetchone()
        for table in OF_TWO_RUNS:
            if has_read:
                self._db.execute(f"DELETE FROM earlier_{table}")
                self._db.execute(f"ALTER TABLE earlier_{table} RENAME TO next_{table}")
                self._db.execute(f"ALTER TABLE {table} RENAME TO earlier_{table}")
                self._db.execute(f"ALTER TABLE next_{table} RENAME TO {table}")
            else:
                self._db.execute(f"DELETE FROM {table}")

    def open(self) -> None:
        """Look at the run that was begun or continued, and at what there was before it."""
        (self.run,) = self._db.execute("SELECT coalesce(max(id), 0) FROM run").fetchone()
        row = self._db.execute(
            "SELECT max(run) FROM earlier_page HAVING max(run) IS NOT NULL"
        ).fetchone()
        self.has_earlier = row is not None
        self.lasting_run = 0
        if row is not None:
            runs = self._db.execute(
                "SELECT arguments, version FROM run WHERE id IN (?, ?)", (*row, self.run)
            ).fetchall()
            self.lasting_run = row[0] if len(runs) == 2 and runs[0] == runs[1] else 0
        records = self.records() if self.lasting_run else {}
        self._sparing = sparing(records)
        self._hiding = hiding(records)
        self._sitemap_doubts = distrusted(records, "sitemap")
        rows = self._db.execute(
            f"SELECT key FROM page JOIN url USING (key) WHERE state IN ({PENDING}, {IN_FLIGHT}) "
            f"AND validation = {Validation.UNCHANGED:d}"
        )
        self._doubted = {key for (key,) in rows}

    @property
    def is_sparing(self) -> bool:
        return bool(self._sparing)

    def spared(self, key: int, url: str) -> Spared:
        """Whether a page whose sitemap's date has not moved is spared in this run."""
        if section(url) not in self._sparing:
            return Spared.NOT
        has_turn = is_turn(np.array([key]), self.run)[0]
        return Spared.IN_ITS_TURN if has_turn else Spared.SPARED

    def conditional(self, claims: Iterable[Claim]) -> list[Claim]:
        """Decide which claims are asked for conditionally, and which of them are checked."""
        claims = list(claims)
        if not self.lasting_run:
            return claims
        samples = is_sample(np.array([claim.key for claim in claims], np.int64), self.run)
        return [
            self._conditional(claim, is_one) if is_one or self._hiding or self._doubted else claim
            for claim, is_one in zip(claims, samples.tolist())
        ]

    def _conditional(self, claim: Claim, is_one: bool) -> Claim:
        if claim.key in self._doubted:
            return claim._replace(etag="", last_modified="", is_check=True)
        if not (claim.etag or claim.last_modified):
            return claim
        if not is_one and section(claim.url) in self._hiding:
            return claim._replace(etag="", last_modified="")
        return claim._replace(is_check=is_one)

    def recall_doubted(self) -> int:
        """See ``Store``."""
        if not self.lasting_run:
            return 0
        with self._db.writing():
            rows = self._db.execute(DOUBTFUL).fetchall()
            rows = [row for row in rows if section(row[1]) not in self._sitemap_doubts]
            if not rows:
                return 0
            (same,) = self._db.execute(SAME).fetchone()
            rows.sort(key=lambda row: crc32(f"{row[0]} {self.run}".encode()))
            chosen = rows[: max(LEAST_DOUBTED, int(MOST_DOUBTED * same))]
            keys = [key for key, _, said in chosen if said == Validation.UNCHANGED]
            self._db.executemany(
                f"UPDATE url SET state = {PENDING}, verdict = NULL, evidence = NULL WHERE key = ?",
                [(key,) for key in keys],
            )
        self._doubted.update(keys)
        return len(keys)

    def earlier(self, key: int) -> Earlier | None:
        with self._db.writing():
            row = self.lasting_run and self._db.execute(EARLIER, (key,)).fetchone()
            if not row:
                return None
            verdict, evidence, failures, last_modified, claims, followed, nofollow = row
            links = [(self._url(target), False) for target in array("q", followed or b"")]
            links += [(self._url(target), True) for target in array("q", nofollow or b"")]
        judgement = Judgement(Verdict(verdict), evidence)
        return Earlier(judgement, failures, links, last_modified, claims)

    def carry(self, page: Page, now: float) -> None:
        """Take over what the run before read of a page."""
        if not self._carry:
            columns = [row[1] for row in self._db.execute("PRAGMA table_info(page)")]
            values = ", ".join(CARRIED.get(name, name) for name in columns)
            self._carry = f"REPLACE INTO page SELECT {values} FROM earlier_page WHERE key = :key"
        self._db.execute(
            self._carry,
            {
                "key": page.key,
                "run": self.run,
                "visited": None if page.spared in NOT_ASKED else int(now),
                "spared": int(page.spared),
                "validation": int(page.validation),
                "failures": page.failures,
                "status": page.status,
                **{name: getattr(page, name) for name in REMARKED},
            },
        )
        for table in ("sketch", "extension"):
            self._db.execute(
                f"REPLACE INTO {table} SELECT * FROM earlier_{table} WHERE key = ?", (page.key,)
            )

    def _url(self, key: int) -> str:
        url = self._urls.get(key)
        if url is None:
            if len(self._urls) > MEMORY:
                self._urls.clear()
            (url,) = self._db.execute("SELECT url FROM url WHERE key = ?", (key,)).fetchone()
            self._urls[key] = url
        return url

    def changes(self, page: Page) -> int | None:
        """What of a page is not as the run before read it, as bits; None if it did not."""
        if not self.has_earlier:
            return None
        row = self._db.execute(BEFORE, (page.key,)).fetchone()
        if row is None:
            return None
        text, verdict, canonical, *links = row
        followed, nofollow = (frozenset(array("q", packed or b"")) for packed in links)
        changed = 0
        if text != (page.excerpt if page.text_hash is None else page.text_hash):
            changed |= TEXT
        if followed != {link.key for link in page.links if not link.nofollow} or nofollow != {
            link.key for link in page.links if link.nofollow
        }:
            changed |= LINKS
        if (page.judgement.verdict.value, page.canonical) != (verdict, canonical):
            changed |= DIRECTIVES
        return changed

    def keep_visits(self) -> None:
        """Keep what this run saw of each page that answered, for good."""
        with self._db.writing():
            self._db.execute(
                "REPLACE INTO visit SELECT key, run, visited, changed, claims "
                "FROM page JOIN url USING (key) "
                f"WHERE state = {DONE} AND answered AND NOT failures "
                f"AND spared NOT IN ({NOT_ASKED_SQL})"
            )
            self._db.execute("DELETE FROM said")
            self._db.execute(
                f"INSERT INTO said SELECT key, {SAID_BEFORE} FROM page "
                f"WHERE spared = {Spared.POSTPONED:d} AND {SAID_BEFORE} <> {SAID_NOW}"
            )

    def keep_outcomes(self) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM outcome WHERE run = ?", (self.run,))
            self._db.execute(KEEP_OUTCOMES, {"run": self.run})
            self._db.execute(
                "UPDATE run SET is_complete = NOT EXISTS (SELECT 1 FROM url "
                "WHERE sources <> 0 AND verdict = 'over_cap') WHERE id = ?",
                (self.run,),
            )

    def concluded_runs(self) -> list[int]:
        with self._db.writing():
            rows = self._db.execute(
                "SELECT id FROM run WHERE is_complete IS NOT NULL AND ended ORDER BY id"
            )
            return [run for (run,) in rows]

    def first_seen(self) -> FirstSeen:
        with self._db.writing():
            table = np.fromiter(
                self._db.execute("SELECT first_link, first_sitemap FROM url"),
                dtype=[("link", np.float64), ("sitemap", np.float64)],
            )
            starts = self._db.execute("SELECT started FROM run ORDER BY id").fetchall()
            (since,) = self._db.execute(SINCE, {"run": self.run}).fetchone()
        return FirstSeen(table["link"], table["sitemap"], np.array(starts).ravel(), since)

    def outcomes(self, run: int) -> Iterator[tuple[str, str, str]]:
        with self._db.writing():
            yield from self._db.execute(OUTCOMES, (run,))

    def visits(self) -> PastVisits:
        with self._db.writing():
            table = np.fromiter(self._db.execute(VISITS), dtype=VISIT)
            told = self._told()
        is_first = np.ones(len(table), np.bool_)
        is_first[1:] = table["key"][1:] != table["key"][:-1]
        firsts = np.flatnonzero(is_first)
        is_new = table["changed"] < 0  # or the run before did not meet it
        days = np.full(len(table), np.inf)
        days[1:] = np.diff(table["visited"]) / DAY
        days[is_first | is_new] = np.inf
        since = np.full(len(table), np.nan)
        since[table["is_dated"]] = (table["visited"][table["is_dated"]] - told) / DAY
        since[~(since <= days) | ~np.isfinite(days)] = np.nan
        visits = Visits(
            page=np.cumsum(is_first) - 1,
            days=days,
            changed=is_new | ((table["changed"] & TEXT) != 0),
            since=since,
        )
        last = np.append(firsts[1:], len(table))[: len(firsts)] - 1
        return PastVisits(table["key"][firsts], table["visited"][last], visits)

    def _told(self) -> Floats:
        """When the pages with ``is_dated`` changed, as a trusted source tells; NaN if none does."""
        judged = trusts(self._records("run = (SELECT max(run) FROM trust)"))
        trusted = {place for place, trust in judged.items() if trust.is_trusted}
        times = array("d")
        for url, claims in self._db.execute(TOLD):
            here, said = section(url), numbers(claims)
            believed = (said[each] for each in SOURCES if each in said and (each, here) in trusted)
            times.append(next((moment for moment in believed if moment >= 0), math.nan))
        return np.frombuffer(times, np.float64)

    def known(self) -> int:
        if not self.lasting_run:
            return 0
        (pages,) = self._db.execute("SELECT count(*) FROM earlier_page").fetchone()
        return int(pages)

    def postponed(self) -> Postponed:
        with self._db.writing():
            rows = self._db.execute(POSTPONED).fetchall()
            ((started, before),) = self._db.execute(
                "SELECT max(started), max(CASE WHEN id <= ? THEN started END) FROM run",
                (self.lasting_run,),
            ).fetchall()
        urls = [url for _, url, *_ in rows]
        columns = ("key", "visited", "is_listed", "is_moved", "says")
        table = np.array(
            [(key, *more) for key, _, *more in rows],
            dtype=[(name, np.int64 if name in columns[:2] else np.bool_) for name in columns],
        )
        return Postponed(
            keys=table["key"],
            urls=urls,
            age=np.maximum(started - table["visited"], 0) / DAY,
            is_listed=table["is_listed"],
            is_moved=table["is_moved"],
            is_silent=table["says"] & ~table["is_moved"],
            step=max(started - before, MIN_STEP) / DAY,
        )

    def records(self) -> dict[tuple[str, int], Record]:
        return self._records("run = (SELECT max(run) FROM trust WHERE run < ?)", self.run)

    def _records(self, condition: str, *parameters: int) -> dict[tuple[str, int], Record]:
        with self._db.writing():
            rows = self._db.execute(
                "SELECT source, section, hits, false_alarms, misses, quiet FROM trust "
                f"WHERE {condition}",
                parameters,
            ).fetchall()
        return {(source, section): Record(*counts) for source, section, *counts in rows}

    def validators(self) -> dict[tuple[str, int], Record]:
        with self._db.writing():
            rows = self._db.execute(VALIDATED).fetchall()
        return validated(map(Validated._make, rows), self.records(), self.run)

    def drop_documents(self) -> None:
        """Forget sitemap files that the run before did not meet, if it met any."""
        self._db.execute(
            "DELETE FROM sitemap_document WHERE url NOT IN (SELECT url FROM sitemap) "
            "AND EXISTS (SELECT 1 FROM sitemap)"
        )

    def keep_document(self, url: str, document: SitemapDocument) -> None:
        """Keep a sitemap file as it came."""
        location, etag, last_modified, body = document
        self._db.execute(
            "REPLACE INTO sitemap_document VALUES (?, ?, ?, ?, ?)",
            (url, location, etag, last_modified, compress(body)),
        )

    def sitemap_mark(self, url: str) -> SitemapMark | None:
        with self._db.writing():
            row = self._db.execute(
                "SELECT location, etag, last_modified FROM sitemap_document "
                "WHERE url = ? AND (etag <> '' OR last_modified <> '')",
                (url,),
            ).fetchone()
        if row is None:
            return None
        location, etag, last_modified = row
        is_check = (key(url) + self.run) % SITEMAPS_EVERY == 0
        return SitemapMark(location, etag, last_modified, is_check)

    def is_unreliable(self, url: str) -> bool:
        with self._db.writing():
            return bool(
                self._db.execute(
                    "SELECT 1 FROM sitemap_document "
                    "WHERE url = ? AND etag = '' AND last_modified = ''",
                    (url,),
                ).fetchone()
            )

    def sitemap_body(self, url: str) -> bytes:
        with self._db.writing():
            (body,) = self._db.execute(
                "SELECT body FROM sitemap_document WHERE url = ?", (url,)
            ).fetchone()
        return decompress(body)

    def keep_records(self, records: Mapping[tuple[str, int], Record]) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM trust WHERE run = ?", (self.run,))
            self._db.executemany(
                "INSERT INTO trust VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(self.run, *key, *record) for key, record in records.items()],
            )
