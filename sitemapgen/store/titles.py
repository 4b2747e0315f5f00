"""Titles, meta descriptions and headings of the listed pages, read only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sitemapgen.store.database import Database

Field = Literal["title", "description", "h1"]


class Missing(NamedTuple):
    """Pages without a title, a description or an ``<h1>``."""

    pages: int
    examples: list[str]
    """The first ones in URL order."""


class Long(NamedTuple):
    """Pages whose description is longer than a limit."""

    pages: int
    examples: list[tuple[str, int]]
    """(URL, number of characters), the longest first."""


class Repeated(NamedTuple):
    """A title, a description or an ``<h1>`` of several pages."""

    pages: int
    value: str | int
    """The title without the site's name, the hash of the description, or the ``<h1>``."""


LISTED = "FROM page JOIN url USING (key) WHERE verdict = 'listed' AND sources <> 0"
LENGTH = {"title": "title_length", "description": "description_length", "h1": "length(h1)"}
VALUE = {
    "title": "nullif(title, '')",
    "description": "description_hash",
    "h1": "nullif(h1, '')",
}


class Titles:
    """The texts of the listed pages; those that were never read do not count."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def missing(self, field: Field, examples: int) -> Missing:
        """Count the pages without it."""
        those = f"{LISTED} AND {LENGTH[field]} = 0"
        rows = self._db.rows(f"SELECT url {those} ORDER BY url LIMIT ?", examples)
        return Missing(self._db.one(f"SELECT count(*) {those}"), [url for (url,) in rows])

    def titles(self) -> Iterator[tuple[str, str, int]]:
        """Yield (URL, title without the site's name, characters with it) of the pages."""
        return self._db.read(f"SELECT url, title, title_length {LISTED} AND title_length > 0")

    def long(self, limit: int, examples: int) -> Long:
        """Count the pages whose description has more characters than ``limit``."""
        those = f"{LISTED} AND description_length > ?1"
        first = (
            f"SELECT url, description_length {those} ORDER BY description_length DESC, url LIMIT ?2"
        )
        pages = self._db.one(f"SELECT count(*) {those}", limit)
        return Long(pages, self._db.rows(first, limit, examples))

    def repeated(self, field: Field) -> Iterator[Repeated]:
        """Yield what more than one page has, in no order."""
        value = VALUE[field]
        rows = self._db.read(
            f"SELECT count(*), {value} AS shown {LISTED} AND {value} NOT NULL "
            "GROUP BY shown HAVING count(*) > 1"
        )
        return map(Repeated._make, rows)

    def pages_with(
        self, field: Field, values: Collection[str | int]
    ) -> Iterator[tuple[str | int, str]]:
        """Yield (value, URL) of the pages with one of these values, a few dozen, in URL order."""
        value, marks = VALUE[field], ", ".join("?" * len(values))
        return self._db.read(
            f"SELECT {value} AS shown, url {LISTED} AND shown IN ({marks}) ORDER BY url", *values
        )
