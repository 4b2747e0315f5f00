"""What earlier runs of the embedded store read: their last pages, and when which page changed."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from sitemapgen.items import Judgement, Page, Verdict
from sitemapgen.store import Earlier

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from contextlib import AbstractContextManager

TABLES = ("page", "link", "sketch")
"""Those of which the run before has one as well: ``earlier_page`` and so on."""

TEXT, LINKS, DIRECTIVES = 1, 2, 4
"""Bits of what changed."""

MEMORY = 50_000
"""URLs of links remembered, some 10 MB."""

FIELDS = (
    *("url", "status", "title", "excerpt", "text_hash", "content_hash", "language", "canonical"),
    *("etag", "last_modified", "answered", "claims", "lastmod", "lastmod_source"),
    *("lastmod_evidence", "failures"),
)
"""Of ``Page``, under their names."""

EARLIER = f"""
SELECT own_verdict, own_evidence, alternates, coalesce(sketch, x''), followed, nofollow,
       {", ".join(FIELDS)}
FROM earlier_page JOIN url USING (key) LEFT JOIN earlier_link ON source = key
     LEFT JOIN earlier_sketch USING (key)
WHERE key = ?
"""

BEFORE = """
SELECT text_hash, own_verdict, canonical, followed, nofollow
FROM earlier_page LEFT JOIN earlier_link ON source = key WHERE key = ?
"""


class SqliteHistory:
    """See the protocol ``History``."""

    def __init__(
        self, db: sqlite3.Connection, writing: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self._db = db
        self._writing = writing
        self._urls: dict[int, str] = {}
        self.run = 0
        """The number of the run."""
        self.lasting_run = 0
        """The run whose pages hold where nothing changed; 0 if they may not."""
        self._has_earlier = False

    @staticmethod
    def create(db: sqlite3.Connection) -> None:
        """Create the earlier tables: those of the run, under their other names."""
        for table in TABLES:
            (statement,) = db.execute(
                "SELECT sql FROM sqlite_master WHERE name = ?", (table,)
            ).fetchone()
            db.execute(statement.replace(f"TABLE {table}", f"TABLE earlier_{table}", 1))

    def turn(self) -> None:
        """A new run begins: what the last one read is the earlier one, unless it read nothing."""
        has_read = self._db.execute("SELECT 1 FROM page LIMIT 1").fetchone()
        for table in TABLES:
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
        self._has_earlier = row is not None
        self.lasting_run = 0
        if row is not None:
            runs = self._db.execute(
                "SELECT arguments, version FROM run WHERE id IN (?, ?)", (*row, self.run)
            ).fetchall()
            self.lasting_run = row[0] if len(runs) == 2 and runs[0] == runs[1] else 0

    def earlier(self, key: int) -> Earlier | None:
        with self._writing():
            row = self.lasting_run and self._db.execute(EARLIER, (key,)).fetchone()
            if not row:
                return None
            verdict, evidence, alternates, sketch, followed, nofollow, *rest = row
            page = Page(
                key=key,
                judgement=Judgement(Verdict(verdict), evidence),
                alternates=tuple(array("q", alternates)),
                sketch=sketch,
                is_lasting=True,
                is_carried=True,
                **dict(zip(FIELDS, rest)),
            )
            links = [(self._url(target), False) for target in array("q", followed or b"")]
            links += [(self._url(target), True) for target in array("q", nofollow or b"")]
        return Earlier(page, links)

    def _url(self, key: int) -> str:
        url = self._urls.get(key)
        if url is None:
            if len(self._urls) > MEMORY:
                self._urls.clear()
            (url,) = self._db.execute("SELECT url FROM url WHERE key = ?", (key,)).fetchone()
            self._urls[key] = url
        return url

    def note(self, page: Page, now: float) -> None:
        """Keep a visit; the page is not yet written."""
        if page.failures:
            return
        changed = self._changes(page) if self._has_earlier else None
        self._db.execute(
            "REPLACE INTO visit VALUES (?, ?, ?, ?, ?)",
            (page.key, self.run, page.answered or int(now), changed, page.claims),
        )

    def _changes(self, page: Page) -> int | None:
        if page.is_carried:
            return 0
        row = self._db.execute(BEFORE, (page.key,)).fetchone()
        if row is None:
            return None
        text_hash, verdict, canonical, *links = row
        followed, nofollow = (frozenset(array("q", packed or b"")) for packed in links)
        changed = 0
        if page.text_hash != text_hash:
            changed |= TEXT
        if followed != {link.key for link in page.links if not link.nofollow} or nofollow != {
            link.key for link in page.links if link.nofollow
        }:
            changed |= LINKS
        if (page.judgement.verdict.value, page.canonical) != (verdict, canonical):
            changed |= DIRECTIVES
        return changed
