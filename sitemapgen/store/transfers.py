"""Transfers of pages: how long the last complete response took, and its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.store.states import DONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.store.database import Database

NOTICED = 1.0
"""Seconds below which a time is not kept: it differs from crawl to crawl by as much."""
RECORD = """
INSERT INTO transfer VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET
bytes = iif(excluded.bytes BETWEEN bytes / 2 AND bytes * 2, bytes, excluded.bytes),
seconds = iif(excluded.seconds BETWEEN seconds / 2 AND seconds * 2, seconds, excluded.seconds)
"""


class Transfer(NamedTuple):
    """The last complete response of a page."""

    url: str
    seconds: float
    """Seconds from the request to the last byte, to a tenth; 0 for less than a second."""
    size: int
    """Number of bytes of the body, as sent."""


class Transfers:
    """The transfers of the pages that were read.

    A figure replaces the one before only where it is less than half of it, or more than twice, so
    that the report of an unchanged site is unchanged.
    """

    def __init__(self, db: Database) -> None:
        self._db = db

    def record(self, key: int, seconds: float, size: int) -> None:
        """Keep the transfer of a page: seconds to the last byte, bytes of the body as sent."""
        with self._db.writing():
            kept = round(seconds, 1) if seconds >= NOTICED else 0.0
            self._db.execute(RECORD, (key, kept, size))

    def pages(self) -> Iterator[Transfer]:
        """Yield the transfers of pages with status 200, in URL order."""
        rows = self._db.read(
            "SELECT url, seconds, bytes FROM transfer JOIN url USING (key) JOIN page USING (key) "
            f"WHERE status = 200 AND state = {DONE} AND sources <> 0 ORDER BY url"
        )
        return map(Transfer._make, rows)
