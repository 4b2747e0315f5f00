"""What systems behind the site state about its pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from sitemapgen import __version__
from sitemapgen.analysis.freshness.silence import Undated
from sitemapgen.core.sources.feeds import Feeds
from sitemapgen.core.sources.reading import Ask
from sitemapgen.core.urls import key
from sitemapgen.items import Link, SourceCounts, SourcePart
from sitemapgen.store.database import BATCH, Database
from sitemapgen.store.history import History
from sitemapgen.store.sitemaps import unread_rows
from sitemapgen.store.states import (
    DONE,
    LINK,
    NOT_ASKED_SQL,
    SITEMAP,
    START,
    SYSTEM,
    insert_sql,
)

COLUMNS = ("url", "system", "part", "error", *SourceCounts._fields)

ADD = insert_sql("source", f"id {' '.join(COLUMNS)}", "REPLACE")

UNREAD = f"""
SELECT key, source, kept + 1, url FROM earlier_source_entry JOIN url USING (key)
WHERE is_page AND source NOT IN (SELECT value FROM json_each(?)) AND kept < ?
AND (key, source) > (?, ?) ORDER BY key, source LIMIT {BATCH}
"""

INCOMPLETE = "incomplete"
"""``run.stated`` of a run in which nothing follows from silence."""

IS_SILENT = """(
    page.visited > (SELECT stated_since FROM run ORDER BY id DESC LIMIT 1)
    AND NOT (coalesce(page.changed, 0) AND (
        SELECT coalesce(stated_since < started, 0) FROM run WHERE id < (SELECT max(id) FROM run)
        ORDER BY id DESC LIMIT 1
    ))
)"""
"""SQL condition on ``page``, a page of the previous run: the systems have stated the same since its
last visit, and at that visit nothing had changed while they stated the same."""

UNDATED = f"""
SELECT now.key, url, now.changed <> 0
FROM page AS now JOIN earlier_page AS page ON page.key = now.key JOIN url ON url.key = now.key
WHERE state = {DONE} AND now.answered AND now.changed NOT NULL
AND now.revisit NOT IN ({NOT_ASKED_SQL}) AND {IS_SILENT}
AND NOT EXISTS (SELECT 1 FROM source_entry WHERE source_entry.key = now.key AND changed <> '')
"""


class Sources:
    """The parts of the systems, and their entries."""

    def __init__(self, db: Database, history: History) -> None:
        self._db = db
        self._history = history

    def record_part(self, part: SourcePart, links: Sequence[Link]) -> None:
        """Store the entries of a part, the URLs of which are ``links``.

        Those of pages are added to the frontier elsewhere.
        """
        source = key(part.url)
        facts = (part.url, part.system, part.part, part.error)
        self._db.execute(ADD, (source, *facts, *part.counts))
        self._db.executemany(
            insert_sql(
                "source_entry",
                "key source changed is_page kept",
                f"INSERT OR {'IGNORE' if part.kept_for else 'REPLACE'}",
            ),
            (
                (link.key, source, each.changed, each.is_page, part.kept_for)
                for each, link in zip(part.entries, links)
            ),
        )

    def unread_pages(self, read: Iterable[str], grace: int) -> Iterator[tuple[int, int, list[str]]]:
        """Yield (part, runs, URLs) of the previous run's pages of all parts not in ``read``.

        As ``Sitemaps.unread_entries``. ``part``: ``core.urls.key`` of its URL.
        """
        for part, runs, rows in unread_rows(self._db, UNREAD, read, grace):
            yield part, runs, [url for (url,) in rows]

    def systems(self, *, in_previous_run: bool = False) -> list[tuple[str, Ask]] | None:
        """Return (name, first request) of the systems that the start page names in this run.

        ``in_previous_run``: in the run before it. None if this version has not examined the page.
        """
        kept = self._db.one(
            "SELECT systems FROM run WHERE id = :run AND version = :version",
            run=self._history.run - in_previous_run,
            version=__version__,
        )
        return None if kept is None else [(name, Ask(*ask)) for name, *ask in json.loads(kept)]

    def keep_systems(self, systems: Sequence[tuple[str, Ask]]) -> None:
        """Keep what ``systems`` returns."""
        kept = json.dumps([(name, *ask) for name, ask in systems])
        self._db.write("UPDATE run SET systems = ? WHERE id = ?", (kept, self._history.run))

    def is_concluded(self) -> bool:
        """Return whether the systems were read in this run; it may have been interrupted since."""
        return bool(self._db.one("SELECT stated FROM run WHERE id = ?", self._history.run))

    def compare_statements(self, now: float, *, is_whole: bool) -> None:
        """Compare all statements with those of the previous run, once they are read.

        ``is_whole``: whether everything was read; if not, nothing is concluded from silence.
        """
        stated = (self._digest_entries() if is_whole else "") or INCOMPLETE
        before, since = self._db.first(
            "SELECT stated, stated_since FROM run WHERE id < ? ORDER BY id DESC LIMIT 1",
            self._history.run,
        ) or ("", None)
        if stated == INCOMPLETE:
            since = None
        elif stated != before or since is None:
            since = now
        self._db.write(
            "UPDATE run SET stated = ?, stated_since = ? WHERE id = ?",
            (stated, since, self._history.run),
        )

    def _digest_entries(self) -> str:
        """Return a hash of all entries; empty if there are none.

        Without the dates of feeds, which count from a minute on: until then they may be a clock.
        """
        digest, is_any = blake2b(digest_size=16), False
        for row in self._db.read(
            "SELECT key, source, CASE system WHEN ? THEN '' ELSE changed END, is_page "
            "FROM source_entry JOIN source ON source.id = source ORDER BY key, source",
            Feeds.system,
        ):
            digest.update(repr(row).encode())
            is_any = True
        return digest.hexdigest() if is_any else ""

    def parts(self) -> list[dict[str, Any]]:
        """Return the fields of all SourceParts and their counts, by system and URL."""
        rows = self._db.rows(f"SELECT {', '.join(COLUMNS)} FROM source ORDER BY system, url")
        return [dict(zip(COLUMNS, row)) for row in rows]

    def named_alone(self) -> int:
        """Return the number of listed pages that only systems name, and no link or sitemap."""
        return self._db.count(
            "SELECT count(*) FROM url WHERE verdict = 'listed' "
            f"AND sources & {SYSTEM} AND NOT sources & {START | LINK | SITEMAP}"
        )

    def undated_pages(self) -> Iterator[Undated]:
        """Yield the pages without a date of a system that were visited again while all statements
        were the same; not those that had changed in the same way at the visit before."""
        return map(Undated._make, self._db.rows(UNDATED))
