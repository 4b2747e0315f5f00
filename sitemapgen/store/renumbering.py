"""Step of the migration to version 8: links, which were keys of URLs, become their numbers.

``migrations/8.sql`` has the rest of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.key_index import Places
from sitemapgen.store.links import pack_numbers

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

TABLES = ("link", "earlier_link")


def renumber(connection: sqlite3.Connection) -> None:
    """Fill the new tables of links from the old ones, and drop these, in the open transaction."""
    rows = connection.execute("SELECT key, number FROM url WHERE number NOT NULL")
    table = np.fromiter(rows, dtype=[("key", np.int64), ("number", np.int64)])
    numbers, places = table["number"].copy(), Places(table["key"].copy())
    for name in TABLES:
        connection.executemany(
            f"INSERT INTO {name} (source, followed, nofollow, same_list) VALUES (?, ?, ?, ?)",
            _renumbered(connection, name, places, numbers),
        )
        connection.execute(f"DROP TABLE old_{name}")


def _renumbered(
    connection: sqlite3.Connection, name: str, places: Places, numbers: np.ndarray
) -> Iterator[tuple[int, bytes, bytes, bytes]]:
    query = f"SELECT source, followed, nofollow, same_list FROM old_{name} ORDER BY source"
    for source, *packed in connection.execute(query):
        followed, nofollow, same_list = (np.frombuffer(each, np.int64) for each in packed)
        near = np.flatnonzero(np.isin(followed, same_list)).tolist()
        yield (
            source,
            pack_numbers(numbers[places.find(followed)].tolist()),
            pack_numbers(numbers[places.find(nofollow)].tolist()),
            pack_numbers(near),
        )
