"""URLs that end like files: samples, waiting URLs, and verdicts.

URLs named by sitemaps are in none of the counts: they are fetched in the phase of sitemaps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sitemapgen.analysis.kinds.files import HintShape
from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.items import FileHint, Judgement, Suspicion
from sitemapgen.store.database import Database
from sitemapgen.store.kinds.suspects import Suspects
from sitemapgen.store.states import (
    DONE,
    IN_FLIGHT,
    JUDGED_SQL,
    KNOWN,
    LET_IN,
    LINK,
    NAMED,
    PENDING,
    READ_SQL,
    insert_sql,
    judged_values,
)


class Example(NamedTuple):
    """A requested URL and its outcome."""

    url: str
    verdict: str
    evidence: str


EXAMPLES = 3


class FileHints:
    """The URLs that end like files, by shape: form of the directory, and extension.

    A released URL is pending or has a pattern.
    """

    def __init__(self, db: Database, suspects: Suspects) -> None:
        self._db = db
        self._suspects = suspects
        self._ids: dict[FileHint, int] = {}

    @property
    def _waiting_sql(self) -> str:
        return (
            f"hint IS NOT NULL AND state = {KNOWN} AND pattern IS NULL "
            f"AND sources & {LINK} AND NOT sources & {NAMED} "
            f"AND hops <= {MAX_HOPS} "
            "AND (verdict IS NULL OR verdict IN ('not_fetched', 'not_html', 'over_cap') "
            f"OR verdict = 'too_deep' AND depth <= {self._suspects.max_depth or 1 << 60})"
        )

    def begin_run(self) -> None:
        """Begin a new run: the shapes were deleted."""
        self._ids.clear()

    def shape_id(self, hint: FileHint) -> int:
        """Return the row id of a shape, which is inserted if it is new."""
        known = self._ids.get(hint)
        if known is None:
            self._db.execute(
                insert_sql("file_hint", "directory extension", "INSERT OR IGNORE"), hint
            )
            known = self._ids[hint] = int(
                self._db.one(
                    "SELECT id FROM file_hint WHERE directory = ? AND extension = ?", *hint
                )
            )
        return known

    def are_waiting(self) -> bool:
        """Return whether any of them was neither requested nor released nor left out."""
        query = f"SELECT 1 FROM url WHERE {self._waiting_sql} AND verdict IS NOT 'not_html' LIMIT 1"
        return self._db.one(query) is not None

    def count_shapes(self) -> list[HintShape]:
        """Count the URLs of each shape."""
        rows = self._db.rows(
            "SELECT file_hint.id, directory, extension, "
            f"total(CASE WHEN {self._waiting_sql} THEN 1 END), "
            f"total(state IN ({PENDING}, {IN_FLIGHT})), "
            f"total(state = {DONE} AND verdict IN ({READ_SQL})), "
            f"total(state = {DONE} AND verdict = 'not_html'), "
            f"total(state = {DONE} AND verdict NOT IN ({READ_SQL}, 'not_html')) "
            "FROM url JOIN file_hint ON file_hint.id = hint WHERE hint IS NOT NULL "
            "AND sources <> 0 GROUP BY hint ORDER BY directory, extension"
        )
        return [HintShape(*row[:3], *map(int, row[3:])) for row in rows]

    def request_urls(self, counts: Mapping[int, int]) -> int:
        """Put this number of URLs of each shape into the frontier; return how many there were."""
        with self._db.writing():
            return sum(
                self._db.execute(
                    f"{LET_IN} WHERE key IN (SELECT key FROM url WHERE hint = ? "
                    f"AND {self._waiting_sql} ORDER BY length(url), url LIMIT ?)",
                    (shape, count),
                ).rowcount
                for shape, count in counts.items()
            )

    def waiting_urls(self, shapes: Iterable[int]) -> list[tuple[int, str]]:
        """Return (key, URL) of the waiting URLs of these shapes, sorted by URL."""
        return self._db.rows(
            "SELECT key, url FROM url WHERE hint IN (SELECT value FROM json_each(?)) "
            f"AND {self._waiting_sql} ORDER BY url",
            json.dumps([*shapes]),
        )

    def waiting_earlier(self) -> list[tuple[int, str]]:
        """Return (key, URL) of the waiting pages of the previous run, sorted by URL."""
        return self._db.rows(
            "SELECT key, url FROM url WHERE key IN (SELECT key FROM earlier_page) "
            f"AND {self._waiting_sql} ORDER BY url"
        )

    def release_urls(self, urls: Iterable[tuple[int, Suspicion | None]]) -> int:
        """Put URLs into the frontier; those under a suspicion wait among the trap candidates.

        Return the number of the former.
        """
        urls = [*urls]
        ordinary = [(key,) for key, suspicion in urls if suspicion is None]
        with self._db.writing():
            self._db.executemany(
                "UPDATE url SET pattern = ? WHERE key = ?",
                [(self._suspects.family(why), key) for key, why in urls if why],
            )
            self._db.executemany(f"{LET_IN} WHERE key = ?", ordinary)
        return len(ordinary)

    def examples(self, shapes: Iterable[int]) -> list[Example]:
        """Return some outcomes of these shapes, files first, then by length of the URL."""
        rows = self._db.rows(
            "SELECT url, verdict, evidence FROM url "
            f"WHERE hint IN (SELECT value FROM json_each(?)) AND state = {DONE} AND sources <> 0 "
            f"ORDER BY verdict <> 'not_html', length(url), url LIMIT {EXAMPLES}",
            json.dumps([*shapes]),
        )
        return [Example(*row) for row in rows]

    def leave_out(self, shapes: Iterable[int], judgement: Judgement) -> None:
        """Give the waiting URLs of these shapes this verdict."""
        given = judged_values(judgement)
        self._db.write(
            f"UPDATE url SET {JUDGED_SQL} "
            f"WHERE hint IN (SELECT value FROM json_each(?)) AND {self._waiting_sql} "
            "AND (verdict, evidence) IS NOT (?, ?)",
            (*given, json.dumps([*shapes]), *given[:2]),
        )
