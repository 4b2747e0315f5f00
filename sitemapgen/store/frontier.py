"""Frontier: the URLs to be fetched, their order, and the state of the crawl.

The content of fetched pages: ``__init__.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.analysis.late_retry import FailedPage, LinklessPage
from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.soft404 import SHORT
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Judgement, Link, Page, Revisit, SameDates
from sitemapgen.store.database import Database
from sitemapgen.store.kinds.crowds import Crowds
from sitemapgen.store.kinds.files import FileHints
from sitemapgen.store.kinds.pages import Kinds
from sitemapgen.store.kinds.suspects import Suspects
from sitemapgen.store.previous_run import PreviousRun
from sitemapgen.store.sources import IS_SILENT
from sitemapgen.store.states import (
    DOCUMENTS_SQL,
    DONE,
    HAS_SAME_DATES,
    IN_FLIGHT,
    JUDGED_SQL,
    KNOWN,
    LET_IN,
    LINK,
    MADE_UP,
    MAY_RECOVER_SQL,
    NAMED,
    NOFOLLOW,
    NOT_ASKED,
    NOT_ASKED_SQL,
    OPEN_SQL,
    PENDING,
    SITEMAP,
    SITEMAP_DATES,
    START,
    SYSTEM_DATES,
    TEXT,
    judged_values,
)
from sitemapgen.verdicts import Reason, Verdict

TOO_MANY_HOPS = Judgement(Verdict.NOT_FETCHED, f"after {MAX_HOPS} redirects in a row")
ONLY_NOFOLLOW = Judgement(Verdict.NOT_FETCHED, "only nofollow links or soft 404s lead here")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the frontier."""

    max_depth: int = 0
    """Maximum number of links from the start URL; 0 means no limit."""
    sitemaps_first: bool = False
    """Whether sitemap URLs enter with the start URL, instead of after all links were followed."""
    stops_at_traps: bool = True
    """Whether endless spaces are left; otherwise they are only reported."""


class Lease(NamedTuple):
    """A URL that was handed out to be fetched."""

    key: int
    url: str
    depth: int
    is_suspect: bool = False
    """Whether its page is to be compared with others of its pattern."""
    etag: str = ""
    last_modified: str = ""
    """``etag`` and ``last_modified`` are the validators of the stored response, if its content is
    reusable; else empty."""
    revisit: Revisit = Revisit.FETCHED
    is_check: bool = False
    """Whether to download and parse the page even if the server answers 304."""
    is_late: bool = False
    """Whether the URL failed earlier in this run: it is requested once, without retries."""
    same_dates: SameDates = SameDates(0)
    """Evidence that it has not changed since its last visit: only looked up if
    ``Frontier.compares_dates``."""


class Candidates(NamedTuple):
    """Arrays over the URLs that wait to be fetched, in URL order."""

    keys: Ints
    is_start: Mask
    is_linked: Mask
    """Linked, or made up to ask the site about its links."""
    in_sitemap: Mask
    depth: Ints


class Retried(NamedTuple):
    """A page that was requested again in a round."""

    key: int
    url: str
    batch: int


MEMORY = 200_000
"""Number of links cached as already in the frontier; they take about 40 MB."""

REFUSED = "('excluded', 'out_of_scope', 'robots_disallowed')"
IS_OTHER_SPELLING = f"url.state = {KNOWN} AND excluded.url <> url.url"
TAKES = f"""
{IS_OTHER_SPELLING} AND CASE
    WHEN url.sources AND coalesce(url.verdict IN {REFUSED}, 0)
                         <> coalesce(excluded.verdict IN {REFUSED}, 0)
    THEN url.verdict IN {REFUSED}
    WHEN url.key IN (SELECT key FROM earlier_page WHERE own_verdict = 'listed')
    THEN excluded.sources & {NAMED} AND NOT url.sources & {NAMED}
    WHEN url.sources = 0 THEN 1
    WHEN (url.sources & {NAMED} <> 0) <> (excluded.sources & {NAMED} <> 0)
    THEN excluded.sources & {NAMED}
    ELSE excluded.url < url.url END
AND NOT EXISTS (SELECT 1 FROM form WHERE form.key = url.key AND form.run)"""
"""SQL condition by which another spelling of a URL becomes that which is requested: one that may
be fetched before one that may not, one of a sitemap before one of a link, the first by URL. A page
that the previous run listed keeps its own, unless a sitemap names another; of its other URLs, only
the spellings that are seen in this run count."""


def _merged_column(column: str, cleared: str = "NULL") -> str:
    """Return the SQL expression of a part of a verdict where a URL is added again."""
    return f"""CASE WHEN url.state <> {KNOWN} THEN url.{column}
    WHEN excluded.state = {PENDING} THEN {cleared}
    WHEN url.verdict IN {REFUSED} AND {TAKES} THEN excluded.{column}
    WHEN excluded.verdict IN {REFUSED} AND url.sources AND {IS_OTHER_SPELLING} THEN url.{column}
    WHEN url.verdict IS NULL OR url.verdict = 'not_fetched'
    THEN coalesce(excluded.{column}, url.{column})
    ELSE url.{column} END"""


ADD = f"""
INSERT INTO url (key, url, number, state, sources, depth, hops, position, verdict, evidence,
                 other_url, first_link, first_sitemap, pattern, generation, hint)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET
    number = coalesce(url.number, excluded.number),
    sources = url.sources | excluded.sources,
    first_link = coalesce(url.first_link, excluded.first_link),
    first_sitemap = coalesce(url.first_sitemap, excluded.first_sitemap),
    hops = min(url.hops, excluded.hops),
    pattern = coalesce(url.pattern, excluded.pattern),
    generation = coalesce(url.generation, excluded.generation),
    hint = coalesce(url.hint, excluded.hint),
    depth = CASE WHEN url.state = {KNOWN} OR url.depth > excluded.depth
            THEN coalesce(min(url.depth, excluded.depth), excluded.depth, url.depth)
            ELSE url.depth END,
    position = CASE WHEN url.state = {KNOWN} THEN excluded.position ELSE url.position END,
    url = CASE WHEN {TAKES} THEN excluded.url ELSE url.url END,
    verdict = {_merged_column("verdict")},
    evidence = {_merged_column("evidence")},
    other_url = {_merged_column("other_url", "''")},
    state = CASE WHEN url.state = {KNOWN} THEN excluded.state ELSE url.state END
"""

NUMBERS = """
SELECT key, number FROM url
WHERE key IN (SELECT value FROM json_each(?)) AND number NOT NULL
"""

UNSEEN_AGAIN = f"""
UPDATE url SET state = {KNOWN}, sources = 0, depth = NULL, hops = 0,
               {OPEN_SQL}, parent = NULL, in_degree = NULL,
               pagerank = NULL, reached = NULL, pattern = NULL, generation = NULL, draw = NULL,
               hint = NULL
"""

SAME_DATES = f"""
CASE WHEN ? AND page.key IS NOT NULL AND {HAS_SAME_DATES} THEN CASE
    WHEN {SYSTEM_DATES} <> '' THEN {SameDates.OF_SYSTEM:d}
    ELSE CASE WHEN {SITEMAP_DATES} <> '' THEN {SameDates.IN_SITEMAP:d} ELSE 0 END + CASE
        WHEN {IS_SILENT} THEN {SameDates.SILENCE:d} ELSE 0 END
    END ELSE 0 END"""
IS_COMPARED = f"""(pattern IS NOT NULL OR EXISTS (
    SELECT 1 FROM page AS now WHERE now.key = url.key AND now.revisit NOT IN ({NOT_ASKED_SQL})
))"""
"""SQL condition of the pages of which a sketch is kept: suspects, and those read again."""
LEASED = f"""
SELECT url.key, url, depth, {IS_COMPARED}, coalesce(etag, ''), coalesce(last_modified, ''),
       {SAME_DATES}
FROM url LEFT JOIN earlier_page AS page
     ON page.key = url.key AND run = ?
     AND is_lasting AND NOT failures
     AND (NOT {IS_COMPARED} OR url.key IN (SELECT key FROM earlier_sketch))
"""
LEASE = f"{LEASED} WHERE state = {PENDING} ORDER BY depth, position LIMIT ?"
LEASE_THESE = (
    f"{LEASED} JOIN json_each(?) AS wanted ON wanted.value = url.key "
    f"WHERE state = {PENDING} OR (state = {DONE} AND EXISTS ("
    f"SELECT 1 FROM page AS now WHERE now.key = url.key AND now.revisit = {Revisit.OVER_BUDGET:d}"
    ")) ORDER BY wanted.key"
)
LEASE_EARLIER = f"""
SELECT url.key, url, depth, pattern IS NOT NULL, '', '',
       {SAME_DATES}
FROM url JOIN earlier_page AS page ON page.key = url.key AND run = ?
WHERE state = {PENDING} AND NOT sources & {START} AND NOT EXISTS (
    SELECT 1 FROM page AS now WHERE now.key = url.key AND now.revisit NOT IN ({NOT_ASKED_SQL})
) ORDER BY depth, position LIMIT ?
"""
REQUESTED = f"""
SELECT count(*) FROM page
WHERE key IN (SELECT value FROM json_each(?)) AND revisit NOT IN ({NOT_ASKED_SQL})
"""
CANDIDATE = [("key", np.int64), ("sources", np.int8), ("depth", np.int64)]

HELD_BACK = f"state = {KNOWN} AND sources & {LINK} AND verdict IN ('too_deep', 'not_fetched')"
WAITING_FOR_PHASE_2 = f"""
state = {KNOWN} AND sources & {NAMED}
AND (verdict IS NULL OR verdict IN ('not_fetched', 'too_deep', 'not_html'))
"""


FAILED = f"""
SELECT url.key, url.url,
       iif(coalesce(page.status, 0), 'HTTP ' || page.status, coalesce(evidence, '')),
       coalesce(tries, 0), coalesce(round, 0), verdict, page.status, reason, EXISTS (
    SELECT 1 FROM earlier_page AS earlier WHERE earlier.key = url.key
    AND (earlier.own_verdict IN ({MAY_RECOVER_SQL})
         OR earlier.failures > 0)
)
FROM url JOIN page USING (key) LEFT JOIN late_try USING (key)
WHERE state = {DONE} AND sources <> 0 AND (
    verdict IN ({MAY_RECOVER_SQL})
    OR page.failures > 0 AND page.revisit <> {Revisit.OVER_BUDGET:d}
) ORDER BY url.url
"""
LINKLESS = f"""
SELECT url.key, url.url, content_hash, coalesce(tries, 0), coalesce(round, 0),
       coalesce(page.changed & {TEXT}, {TEXT}) = 0
FROM url JOIN page USING (key) LEFT JOIN late_try USING (key)
WHERE state = {DONE} AND sources <> 0 AND verdict IN ({DOCUMENTS_SQL}) AND text_length <= {SHORT}
AND content_hash NOT NULL AND page.revisit NOT IN ({NOT_ASKED_SQL})
AND NOT EXISTS (SELECT 1 FROM link WHERE source = url.key)
ORDER BY url.url
"""


class Frontier:
    """The URLs of a run: known, pending, in flight or done."""

    def __init__(
        self,
        db: Database,
        limits: Limits,
        previous_run: PreviousRun,
        suspects: Suspects,
        crowds: Crowds,
        file_hints: FileHints,
        kinds: Kinds,
    ) -> None:
        self.limits = limits
        self._db = db
        self._previous_run = previous_run
        self.compares_dates = False
        """Whether leases have ``same_dates``: it costs a look-up each."""
        self._suspects = suspects
        self._crowds = crowds
        self._file_hints = file_hints
        self._kinds = kinds
        self._followed: dict[int, int] = {}
        """By form of a link target: the smallest depth at which a link other than a redirect to it
        was found."""
        self._numbers: dict[int, int] = {}
        """By key: ``url.number``."""
        self._last_number = db.one("SELECT coalesce(max(number), 0) FROM url")
        self._position = db.one("SELECT coalesce(max(position), 0) FROM url")
        self._flying = 0
        self.fetched_before = self._count_fetched()
        """Number of URLs that earlier processes have fetched in this run."""
        self._fetched = self.fetched_before

    def begin_run(self) -> None:
        """Begin a new run: all URLs are unseen again, except for their first-seen times."""
        self._db.execute(UNSEEN_AGAIN)
        self._followed.clear()
        self._flying = self._fetched = self.fetched_before = 0

    # In

    def seed(self, link: Link, now: float) -> bool:
        """Put a start URL into the frontier at depth 0; return False if it already was there."""
        with self._db.writing():
            row = self._db.first("SELECT state, url FROM url WHERE key = ?", link.key)
            state, url = row or (KNOWN, link.url)
            self._add_rows([self._target_row(link, START, 0, 0, now)])
            if url != link.url:  # it redirected to another spelling
                self._db.execute(f"{LET_IN}, url = ? WHERE key = ?", (link.url, link.key))
            return state == KNOWN or url != link.url

    def follow_links(self, links: Iterable[Link], depth: int, hops: int, now: float) -> None:
        """Put the link targets of a page into the frontier, or note why not.

        ``depth``: that of the targets. ``hops``: redirects in a row that led to them.
        """
        known = self._followed
        if len(known) > MEMORY:
            known.clear()
        new = []
        for link in links:
            identity = link.literal_key or link.key
            if known.get(identity, 1 << 60) <= depth:
                continue
            source = NOFOLLOW if link.nofollow else LINK
            new.append(self._target_row(link, source, depth, hops, now))
            if not link.nofollow and not hops:
                known[identity] = depth
        self._add_rows(new)

    def add_named_urls(self, links: Collection[Link], now: float, source: int = SITEMAP) -> None:
        """Keep the URLs of a sitemap for their phase; with ``sitemaps_first``, fetch them now.

        ``source``: ``SITEMAP``, or ``SYSTEM`` for those of a system behind the site.
        """
        depth = 0 if self.limits.sitemaps_first else None
        self.target_numbers(links)
        self._add_rows([self._target_row(link, source, depth, 0, now) for link in links])

    def target_numbers(self, links: Collection[Link]) -> list[int]:
        """Return the numbers of the targets of links; new URLs get one, to be added with it."""
        known = self._numbers
        if len(known) > MEMORY:
            known.clear()
        try:
            return [known[link.key] for link in links]
        except KeyError:
            self._number_keys([link.key for link in links if link.key not in known])
            return [known[link.key] for link in links]

    def _number_keys(self, keys: list[int]) -> None:
        self._numbers.update(self._db.execute(NUMBERS, (json.dumps(keys),)))
        for key in keys:
            if key not in self._numbers:
                self._last_number += 1
                self._numbers[key] = self._last_number

    def _target_row(
        self, link: Link, source: int, depth: int | None, hops: int, now: float
    ) -> tuple[object, ...]:
        """Return the values for ``ADD``: the row of a link's target if it is new."""
        self._position += 1
        if link.key not in self._numbers:
            self._number_keys([link.key])
        pattern = self._crowds.waiting_pattern(link)
        state, judgement = KNOWN, link.refusal
        if judgement is None:
            if source == NOFOLLOW:
                judgement = ONLY_NOFOLLOW
            elif hops > MAX_HOPS:
                judgement = TOO_MANY_HOPS
            elif depth is not None and 0 < self.limits.max_depth < depth:
                words = f"deeper than max_depth={self.limits.max_depth}"
                judgement = Judgement(Verdict.TOO_DEEP, words)
            elif depth is not None and (source != LINK or (pattern is None and not link.file)):
                judgement = self._kinds.judge_path(link.key, link.url) if source == LINK else None
                state = KNOWN if judgement else PENDING
        return (
            link.key,
            link.url,
            self._numbers[link.key],
            state,
            source,
            depth if source != NOFOLLOW else None,
            hops,
            self._position,
            judgement and judgement.verdict.value,
            judgement and judgement.evidence,
            judgement.other_url if judgement else "",
            None if source & NAMED else now,
            now if source == SITEMAP else None,
            pattern,
            self._suspects.round,
            link.file and self._file_hints.shape_id(link.file),
        )

    def _add_rows(self, rows: list[tuple[object, ...]]) -> None:
        if rows:
            self._db.executemany(ADD, rows)

    # Out

    def mark_in_flight(self, link: Link, now: float) -> None:
        """Mark a URL that a spider fetches on its own as in flight; without links to it, as a
        start URL."""
        with self._db.writing():
            sources = self._db.one("SELECT sources FROM url WHERE key = ?", link.key) or 0
            if not sources & (START | LINK):
                self._add_rows([self._target_row(link, START, 0, 0, now)])
            self._db.execute(
                f"UPDATE url SET state = {IN_FLIGHT}, url = ? WHERE key = ?", (link.url, link.key)
            )
            self._flying += 1

    def lease(self, count: int) -> list[Lease]:
        """Lease up to ``count`` pending URLs, by depth and then by order of discovery."""
        return self._lease_selected(LEASE, count)

    def lease_these(self, keys: Sequence[int]) -> list[Lease]:
        """Lease the URLs among ``keys`` that are pending or postponed, in the order of ``keys``."""
        return self._lease_selected(LEASE_THESE, json.dumps(keys))

    def lease_earlier(self, count: int) -> list[Lease]:
        """Lease up to ``count`` pending URLs of the previous run's pages, to be carried over.

        Pages with an unchanged, trusted date are ``SKIPPED_UNCHANGED``, all others ``OVER_BUDGET``.
        """
        return self._lease_selected(LEASE_EARLIER, count)

    def _lease_selected(self, which: str, parameter: object) -> list[Lease]:
        with self._db.writing():
            rows = self._db.execute(
                which, (self.compares_dates, self._previous_run.lasting_run, parameter)
            ).fetchall()
            self._db.executemany(
                f"UPDATE url SET state = {IN_FLIGHT} WHERE key = ?", [(row[0],) for row in rows]
            )
            self._flying += len(rows)
        return [
            Lease(key_, url, depth, is_suspect, etag, modified, same_dates=SameDates(same))
            for key_, url, depth, is_suspect, etag, modified, same in rows
        ]

    def finish_page(self, page: Page) -> tuple[int, int]:
        """Mark a page as done; return its depth, and the redirects in a row that led to it."""
        row = self._db.execute(
            f"UPDATE url SET state = {DONE}, {JUDGED_SQL} WHERE key = ? "
            "RETURNING depth, hops, pattern, sources",
            (*judged_values(page.judgement), page.key),
        ).fetchone()
        if row is None:  # SQLite rolled back the transaction
            raise CrawlError(Exit.NO_SPACE, f"{self._db.path}: what was written last is lost")
        depth, hops, pattern, sources = row
        if pattern is not None and sources != MADE_UP:
            self._suspects.record_fetched(page)
        self._flying -= 1
        is_disallowed = page.judgement.verdict is Verdict.ROBOTS_DISALLOWED
        if not is_disallowed and sources != MADE_UP:
            self._fetched += page.revisit not in NOT_ASKED
        return depth, hops

    def reopen_page(self, page: Page) -> None:
        """Mark a page that is done as in flight again."""
        self._db.execute(f"UPDATE url SET state = {IN_FLIGHT} WHERE key = ?", (page.key,))
        self._flying += 1
        self._fetched = self._count_fetched()

    def rename_keys(self, keys: Sequence[tuple[int, int]]) -> None:
        """Follow pages that are requested again, by (key before, key now)."""
        self._fetched -= len(keys)
        self._followed.clear()
        for key in chain.from_iterable(keys):
            self._numbers.pop(key, None)

    def requeue_page(self, key: int) -> None:
        """Make a URL in flight pending again."""
        self._db.execute(f"UPDATE url SET state = {PENDING} WHERE key = ?", (key,))
        self._flying -= 1

    def requeue_leased(self) -> None:
        """Make every URL in flight pending again."""
        with self._db.writing():
            self._db.execute(f"UPDATE url SET state = {PENDING} WHERE state = {IN_FLIGHT}")
            self._flying = 0

    # Its phases

    def has_held_back(self) -> bool:
        """Return whether ``readmit_urls`` may find URLs."""
        return self._db.one(f"SELECT 1 FROM url WHERE {HELD_BACK} LIMIT 1") is not None

    def readmit_urls(self) -> int:
        """Put URLs into the frontier that only a longer path had kept out; return their number."""
        limit = self.limits.max_depth or 1 << 60
        within = f"{HELD_BACK} AND depth <= {limit} AND hops <= {MAX_HOPS}"
        with self._db.writing():
            self._db.execute(  # suspects and file-like URLs still wait for their release
                f"UPDATE url SET {OPEN_SQL} WHERE {within} "
                "AND (pattern IS NOT NULL OR hint IS NOT NULL)"
            )
            return self._db.execute(
                f"{LET_IN} WHERE {within} AND pattern IS NULL AND hint IS NULL"
            ).rowcount

    def read_again(self, keys: Sequence[int]) -> int:
        """Put URLs into the frontier that were read, or wait; return their number."""
        self._db.write_all(f"{LET_IN} WHERE key = ?", [(key,) for key in keys])
        self._fetched -= self._db.one(REQUESTED, json.dumps(keys))  # they are fetched again
        return len(keys)

    def has_waiting_sitemaps(self) -> bool:
        """Return whether ``release_sitemaps`` would find URLs."""
        return self._db.one(f"SELECT 1 FROM url WHERE {WAITING_FOR_PHASE_2} LIMIT 1") is not None

    def release_sitemaps(self) -> int:
        """Put the URLs that only sitemaps name into the frontier; return their number."""
        return self._db.write(f"{LET_IN} WHERE {WAITING_FOR_PHASE_2}").rowcount

    def close_urls(self, judgement: Judgement) -> int:
        """Give every URL that still waits this verdict; return their number."""
        return self._db.write(
            f"UPDATE url SET state = {KNOWN}, {JUDGED_SQL} "
            f"WHERE state IN ({PENDING}, {IN_FLIGHT}) OR ({WAITING_FOR_PHASE_2}) "
            f"OR (state = {KNOWN} AND sources <> 0 AND verdict IS NULL)",
            judged_values(judgement),
        ).rowcount

    # Late retries, which survive a kill

    def failed_pages(self) -> list[FailedPage]:
        """Return the pages that could not be read in this run, sorted by URL."""
        return [
            FailedPage._make((*facts, bool(is_old), Verdict(verdict), status, Reason(reason)))
            for *facts, verdict, status, reason, is_old in self._db.rows(FAILED)
        ]

    def linkless_pages(self) -> Iterator[LinklessPage]:
        """Yield the pages of this run with little text and without links, sorted by URL."""
        return map(LinklessPage._make, self._db.read(LINKLESS))

    def last_round(self) -> int:
        """Return the number of the last round; 0 before the first."""
        return self._db.count("SELECT coalesce(max(round), 0) FROM late_try")

    def retried_pages(self, number: int) -> list[Retried]:
        """Return the pages that were requested again in a round."""
        rows = self._db.rows(
            "SELECT key, url, batch FROM late_try JOIN url USING (key) WHERE round = ?", number
        )
        return [Retried(*row) for row in rows]

    def begin_retries(self, keys: Iterable[int], number: int, batch: int) -> None:
        """Note that pages are requested again, with the numbers of round and batch."""
        self._db.write_all(
            "INSERT INTO late_try (key, tries, round, batch) VALUES (?, 1, ?, ?) "
            "ON CONFLICT (key) DO UPDATE SET tries = tries + 1, round = excluded.round, "
            "batch = excluded.batch",
            [(key, number, batch) for key in keys],
        )

    # How it stands

    def has_pending(self) -> bool:
        """Return whether a URL waits to be fetched."""
        return self._db.one(f"SELECT 1 FROM url WHERE state = {PENDING} LIMIT 1") is not None

    def candidates(self) -> Candidates:
        """Return the pending URLs."""
        rows = self._db.read(
            f"SELECT key, sources, coalesce(depth, 0) FROM url WHERE state = {PENDING} ORDER BY url"
        )
        table = np.fromiter(rows, dtype=CANDIDATE)
        sources = table["sources"]
        return Candidates(
            keys=table["key"].copy(),
            is_start=(sources & START) != 0,
            is_linked=(sources & (LINK | MADE_UP)) != 0,
            in_sitemap=(sources & NAMED) != 0,
            depth=table["depth"].copy(),
        )

    def in_flight(self) -> int:
        """Return the number of leased URLs that are not done."""
        return self._flying

    def lost_leases(self) -> list[Lease]:
        """Return the leased URLs that are not done."""
        rows = self._db.rows(f"SELECT key, url, depth FROM url WHERE state = {IN_FLIGHT}")
        return [Lease(*row) for row in rows]

    def count_known(self) -> int:
        """Return the number of URLs seen in this run."""
        return self._db.count("SELECT count(*) FROM url WHERE sources <> 0")

    def known_of(self, keys: Iterable[int]) -> int:
        """Return how many of these URLs were seen in this run."""
        query = "SELECT count(*) FROM url WHERE key = ? AND sources <> 0"
        return sum(self._db.count(query, key) for key in keys)

    def fetched(self) -> int:
        """Return the number of URLs fetched in this run."""
        return self._fetched

    def _count_fetched(self) -> int:
        done = self._db.count(
            f"SELECT count(*) FROM url WHERE state = {DONE} AND verdict <> 'robots_disallowed'"
        )
        if not self._previous_run.lasting_run:
            return done
        skipped = self._db.count(
            "SELECT count(*) FROM page JOIN url USING (key) "
            f"WHERE state = {DONE} AND revisit IN ({NOT_ASKED_SQL})"
        )
        return done - skipped


class Budget:
    """``SITEMAPGEN_MAX_PAGES`` of one crawl, less the pages that were fetched.

    There is none left either when ``SITEMAPGEN_MAX_REQUESTS`` were sent.
    """

    def __init__(
        self, max_pages: int, max_requests: int, frontier: Frontier, sent: Callable[[], int]
    ) -> None:
        """``max_pages`` and ``max_requests``: 0 means no limit; ``sent`` returns the requests."""
        self.max_pages = max_pages
        self._max_requests = max_requests
        self._frontier = frontier
        self._sent = sent

    @property
    def is_limited(self) -> bool:
        return self.max_pages > 0

    @property
    def is_spent(self) -> bool:
        """Whether as many pages were fetched, or requests sent, as the budget allows."""
        are_fetched = self.is_limited and self._frontier.fetched() >= self.max_pages
        return are_fetched or self._are_requests_spent

    @property
    def limit(self) -> str:
        """The limit that is reached, as the user gives it."""
        if self._are_requests_spent:
            return f"SITEMAPGEN_MAX_REQUESTS={self._max_requests}"
        return f"max_pages={self.max_pages}"

    @property
    def _are_requests_spent(self) -> bool:
        return 0 < self._max_requests <= self._sent()

    def of(self, wanted: int) -> int:
        """Return how many of ``wanted`` further pages may be requested, those in flight counted."""
        if self._are_requests_spent:
            return 0
        if not self.is_limited:
            return wanted
        spent = self._frontier.fetched() + self._frontier.in_flight()
        return max(0, min(wanted, self.max_pages - spent))
