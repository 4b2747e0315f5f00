"""Signatures and excerpts of pages, which are the most of their bytes, in tables of their own.

``page`` has the ids of their rows. A short excerpt without a hash of the text is in ``page``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.store.states import insert
from sitemapgen.store.texts import pack_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapgen.items import Page
    from sitemapgen.store.database import Database

COLUMNS = {"signature": "signature unbroken", "excerpt": "packed"}
"""The tables, each with its columns besides ``id``."""
WRITE_SIGNATURE, WRITE_EXCERPT = (insert(table, columns) for table, columns in COLUMNS.items())
COPY = """
INSERT INTO {table} ({columns}) SELECT {columns} FROM earlier_{table}
WHERE id = (SELECT {table}_id FROM earlier_page WHERE key = ?)
"""


class Ids(NamedTuple):
    """The ids of the rows of a page; None without one."""

    signature_id: int | None = None
    excerpt_id: int | None = None


class Contents:
    """Writes the rows; they are read by ``EXCERPT`` and ``SIGNATURE`` of ``states.py``."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def write(self, page: Page) -> Ids:
        """Write the rows of a page.

        Those of an earlier reading in the same run, which is rare, stay unused; they are deleted
        with the other rows of the run. To look for them would cost more than they do.
        """
        signature_id = excerpt_id = None
        if page.signature:
            values = (page.signature, page.unbroken)
            signature_id = self._db.execute(WRITE_SIGNATURE, values).lastrowid
        if page.text_hash is not None:
            packed = pack_text(page.excerpt)
            excerpt_id = self._db.execute(WRITE_EXCERPT, (packed,)).lastrowid
        return Ids(signature_id, excerpt_id)

    def copy(self, key: int) -> Ids:
        """Copy the rows of a page from the previous run."""
        copies = (
            self._db.execute(COPY.format(table=table, columns=columns.replace(" ", ", ")), (key,))
            for table, columns in COLUMNS.items()
        )
        return Ids(*(copy.lastrowid if copy.rowcount else None for copy in copies))

    def delete(self, keys: Sequence[tuple[int]]) -> None:
        """Delete the rows of pages."""
        for table in COLUMNS:
            self._db.write_all(
                f"DELETE FROM {table} WHERE id = (SELECT {table}_id FROM page WHERE key = ?)", keys
            )
