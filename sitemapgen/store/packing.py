"""Storage formats of texts, of links and their labels, and of sitemap extensions.

Texts are frames of Zstandard (RFC 8878) of UTF-8. Of zlib's and Zstandard's levels this one is the
fastest that halves English text of 2,000 characters: 14 us, where zlib takes 45.

The links of a page are the numbers of their targets, ``url.number``. The numbers of a row all take
as many bytes as the largest of them needs; the first byte of the row is that width. Numbers follow
the order of discovery, so that most sites need two or three bytes, where a key takes eight.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from struct import pack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.key_index import Places
from sitemapgen.items import Extensions, LinkLabel, News, Video

Ints = NDArray[np.int64]

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_packer = zstd.ZstdCompressor(level=1)
"""To create one takes as long as to compress an excerpt."""


def pack_text(text: str) -> bytes:
    packed: bytes = _packer.compress(text.encode(), zstd.ZstdCompressor.FLUSH_FRAME)
    return packed


def unpack_text(packed: bytes | None) -> str | None:
    """Return the text; None, as SQL functions do, for None."""
    return None if packed is None else zstd.decompress(packed).decode()


def pack_labels(labels: Iterable[LinkLabel]) -> bytes:
    text = json.dumps([tuple(label) for label in labels], separators=(",", ":"))
    return zlib.compress(text.encode(), 1)


def unpack_labels(packed: bytes) -> list[LinkLabel]:
    return [
        LinkLabel(target, kind, text, nofollow)
        for target, kind, text, nofollow in json.loads(zlib.decompress(packed))
    ]


def pack_extensions(said: Extensions) -> str:
    """Pack extensions as JSON without empty fields."""
    facts = {
        "images": said.images,
        "videos": [_present_facts(video._asdict()) for video in said.videos],
        "news": said.news and said.news._asdict(),
        "alternates": said.alternates,
    }
    return json.dumps(_present_facts(facts), ensure_ascii=False, separators=(",", ":"))


def _present_facts(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in facts.items() if value}


def unpack_extensions(text: str) -> Extensions:
    facts = json.loads(text)
    return Extensions(
        images=tuple(facts.get("images", ())),
        videos=tuple(Video(**video) for video in facts.get("videos", ())),
        news=News(**facts["news"]) if "news" in facts else None,
        alternates=tuple((code, url) for code, url in facts.get("alternates", ())),
    )


FORMATS = {1: "B", 2: "H", 3: "I", 4: "I"}
"""By width: the ``struct`` format of a number; of three bytes the fourth is removed."""
CHUNK = 1 << 17
"""Bytes of packed numbers that are unpacked together, which bounds the memory."""


def pack_numbers(numbers: Sequence[int]) -> bytes:
    """Pack numbers in their order; none are no bytes.

    >>> pack_numbers([1, 2, 300]).hex(" ")
    '02 01 00 02 00 2c 01'
    """
    if not numbers:
        return b""
    width = (max(numbers).bit_length() + 7) // 8 or 1
    cells = bytearray(pack(f"<{len(numbers)}{FORMATS[width]}", *numbers))
    if width == 3:
        del cells[3::4]
    return bytes((width,)) + cells


def unpack_numbers(packed: bytes | None) -> list[int]:
    """Return the numbers of a row.

    >>> unpack_numbers(pack_numbers([1, 2, 300])), unpack_numbers(None)
    ([1, 2, 300], [])
    """
    if not packed:
        return []
    width = packed[0]
    return [
        int.from_bytes(packed[at : at + width], "little") for at in range(1, len(packed), width)
    ]


def unpack_all(rows: Sequence[bytes]) -> tuple[Ints, Ints]:
    """Return the numbers of all rows, one after another, and how many each row has.

    >>> numbers, counts = unpack_all([pack_numbers([7]), b"", pack_numbers([1, 300])])
    >>> numbers.tolist(), counts.tolist()
    ([7, 1, 300], [1, 0, 2])
    """
    packed = np.frombuffer(b"".join(rows), np.uint8)
    lengths = np.array([len(row) for row in rows], np.int64)
    starts = (np.cumsum(lengths) - lengths)[lengths > 0]
    widths = np.ones(len(rows), np.uint8)
    widths[lengths > 0] = packed[starts]
    counts: Ints = np.maximum(lengths - 1, 0) // widths.astype(np.int64)
    width_of_byte = np.repeat(widths, lengths)
    width_of_byte[starts] = 0
    width_of_number = np.repeat(widths, counts)
    numbers = np.zeros((int(counts.sum()), 8), np.uint8)
    for width in set(widths.tolist()):
        cells = packed[width_of_byte == width].reshape(-1, width)
        numbers[width_of_number == width, :width] = cells
    return numbers.view("<i8").ravel(), counts


class Keys:
    """Keys of URLs by number."""

    def __init__(self, numbers: Ints, keys: Ints) -> None:
        """Take the number and the key of each URL; 0 is no number."""
        self._keys = np.zeros(int(numbers.max(initial=0)) + 2, np.int64)
        self._keys[numbers] = keys
        self._keys[0] = 0

    def rows(self, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Yield rows with packed 64-bit keys of the targets, from rows of packed numbers.

        The first column is that of the source; the others are packed.
        """
        for batch in _cut_batches(rows):
            sources, *packed = zip(*batch)
            yield from zip(sources, *(self._keys_of(*unpack_all(column)) for column in packed))

    def _keys_of(self, numbers: Ints, counts: Ints) -> Iterator[bytes]:
        """Yield the keys of each row; 0 for a number that no URL has."""
        keys = self._keys.take(numbers, mode="clip").tobytes()
        start = 0
        for end in (np.cumsum(counts) * 8).tolist():
            yield keys[start:end]
            start = end


def _cut_batches(rows: Iterable[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    """Cut rows into batches of some ``CHUNK`` bytes."""
    batch: list[tuple[Any, ...]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row[1]) + 8
        if size > CHUNK:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def renumber_links(connection: sqlite3.Connection) -> None:
    """Fill the tables of links of version 8 from the old ones, and drop these.

    Links, which were keys of URLs, become their numbers. It is a step of a migration, in the open
    transaction: ``migrations/8.sql``.
    """
    rows = connection.execute("SELECT key, number FROM url WHERE number NOT NULL")
    table = np.fromiter(rows, dtype=[("key", np.int64), ("number", np.int64)])
    numbers, places = table["number"].copy(), Places(table["key"].copy())
    for name in ("link", "earlier_link"):
        connection.executemany(
            f"INSERT INTO {name} (source, followed, nofollow, same_list) VALUES (?, ?, ?, ?)",
            _renumbered_rows(connection, name, places, numbers),
        )
        connection.execute(f"DROP TABLE old_{name}")


def _renumbered_rows(
    connection: sqlite3.Connection, name: str, places: Places, numbers: Ints
) -> Iterator[tuple[int, bytes, bytes, bytes]]:
    query = f"SELECT source, followed, nofollow, same_list FROM old_{name} ORDER BY source"
    for source, *packed in connection.execute(query):
        followed, nofollow, same_list = (np.frombuffer(each, np.int64) for each in packed)
        near = np.flatnonzero(np.isin(followed, same_list)).tolist()
        yield (
            source,
            pack_numbers(numbers[places.find_positions(followed)].tolist()),
            pack_numbers(numbers[places.find_positions(nofollow)].tolist()),
            pack_numbers(near),
        )
