"""Titles and descriptions in the embedded store. The protocol: ``store/titles.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.store.titles import Long, Missing, Repeated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sitemapgen.store.database import Database
    from sitemapgen.store.titles import Field

LISTED = "FROM page JOIN url USING (key) WHERE verdict = 'listed' AND sources <> 0"
LENGTH = {"title": "title_length", "description": "description_length"}
VALUE = {"title": "nullif(title, '')", "description": "description_hash"}


class SqliteTitles:
    """Implementation of the protocol ``Titles``."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def missing(self, field: Field, examples: int) -> Missing:
        those = f"{LISTED} AND {LENGTH[field]} = 0"
        rows = self._db.rows(f"SELECT url {those} ORDER BY url LIMIT ?", examples)
        return Missing(self._db.one(f"SELECT count(*) {those}"), [url for (url,) in rows])

    def long(self, field: Field, limit: int, examples: int) -> Long:
        length = LENGTH[field]
        those = f"{LISTED} AND {length} > ?1"
        first = f"SELECT url, {length} {those} ORDER BY {length} DESC, url LIMIT ?2"
        pages = self._db.one(f"SELECT count(*) {those}", limit)
        return Long(pages, self._db.rows(first, limit, examples))

    def repeated(self, field: Field) -> Iterator[Repeated]:
        value = VALUE[field]
        rows = self._db.read(
            f"SELECT count(*), {value} AS shown {LISTED} AND {value} NOT NULL "
            "GROUP BY shown HAVING count(*) > 1"
        )
        return map(Repeated._make, rows)

    def pages_with(
        self, field: Field, values: Collection[str | int]
    ) -> Iterator[tuple[str | int, str]]:
        value, marks = VALUE[field], ", ".join("?" * len(values))
        return self._db.read(
            f"SELECT {value} AS shown, url {LISTED} AND shown IN ({marks}) ORDER BY url", *values
        )
