"""Signatures of main texts, by which near duplicates are recognised.

A signature is a sample of the text's shingles, those with the smallest hashes, so that equal texts
have equal samples. Source: Broder, "On the resemblance and containment of documents", 1997.
``analysis/near_duplicates.py`` compares the samples.
"""

from __future__ import annotations

from collections.abc import Iterable
from struct import pack
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from sitemapgen.core.document.main_text import hash_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHINGLE = 24
"""Consecutive UTF-8 bytes of a shingle, without white space: four words, eight ideographs."""
SAMPLE = 128
"""Shingles kept of a page, 4 bytes each: the similarity of two pages has an error of some 0.03."""
MIN_BYTES = 500
"""Minimum bytes of a text with a signature: in a shorter one, one word is a tenth of the text."""
MAX_MEDIA = 16
"""Images, frames and players kept of a page, 4 bytes each."""

_BLOCK = 16_384
"""Bytes whose shingles are hashed at a time: the 40 bytes of memory for each stay in the cache."""
_WORD = np.dtype("<u8")
_ALL = 1 << 64
# Odd numbers without a pattern, as multiplicative hashing needs them (those of xxHash64).
_FIRST, _SECOND, _THIRD = map(
    np.uint64, (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
)
_HALF = np.uint64(32)


def hash_subject(title: str, heading: str, language: str) -> int | None:
    """Hash the stated subject of a page to signed 64 bits; None without a title and heading."""
    if not title and not heading:
        return None
    stated = f"{title}\n{heading}\n{language}".encode("utf-8", "replace")
    return hash_of(stated)


def signature_of_parts(
    text: bytes, parts: NDArray[np.int64], media: Iterable[str]
) -> tuple[bytes, bytes]:
    """Return the signature of a text, and which of its shingles lie within one part of the text.

    ``text``: without white space. The signature samples it and the media of the page: numbers of
    4 bytes, little endian: number of media, their hashes, ascending, the smallest hashes of
    shingles, ascending; at most 580 bytes.

    ``parts``: ascending offsets in ``text`` at which a part begins: the ends of text nodes, where
    another page that shows the same paragraph has another neighbour. The second value has a bit for
    each shingle of the signature, the first in the highest bit of the first byte. Both are empty if
    the text is shorter than MIN_BYTES.
    """
    if len(text) < MIN_BYTES:
        return b"", b""
    hashes, is_whole = _sample_text(text, SAMPLE, parts)
    return signed_media(media) + hashes.tobytes(), np.packbits(is_whole).tobytes()


def signed_media(media: Iterable[str]) -> bytes:
    """Pack the media of a page, as at the beginning of a signature; at most 68 bytes."""
    shown = sorted({crc32(each.lstrip("./").encode("utf-8", "replace")) for each in media})
    del shown[MAX_MEDIA:]
    return pack(f"<I{len(shown)}I", len(shown), *shown)


def sample_shingles(text: bytes, size: int = SAMPLE) -> NDArray[np.uint32]:
    """Return the ``size`` smallest distinct hashes of shingles, or all, ascending."""
    return _sample_text(text, size, np.empty(0, np.int64)).hashes


def hash_shingles(text: bytes) -> NDArray[np.uint32]:
    """Return the distinct hashes of all shingles of a text, ascending; none of a shorter one."""
    if len(text) < SHINGLE:
        return np.empty(0, "<u4")
    return sample_shingles(text, len(text))


class _Sample(NamedTuple):
    """Shingles with the smallest hashes."""

    hashes: NDArray[np.uint32]
    """Each once, ascending."""
    is_whole: NDArray[np.bool_]
    """For each of ``hashes``: whether a shingle that has it lies within one part of the text."""


def _sample_text(text: bytes, size: int, parts: NDArray[np.int64]) -> _Sample:
    """Return the ``size`` smallest distinct hashes of the shingles of a text."""
    if len(text) <= _BLOCK + SHINGLE:
        return _sample_block(text, size, parts)
    # Each shingle begins in one block; the smallest hashes overall are among those of the blocks.
    blocks = [
        _sample_block(text[start : start + _BLOCK + SHINGLE - 1], size, parts - start)
        for start in range(0, len(text) - SHINGLE + 1, _BLOCK)
    ]
    hashes, is_whole = map(np.concatenate, zip(*blocks))
    order = np.argsort(hashes, kind="stable")
    return _distinct(hashes[order], is_whole[order], size)


def _sample_block(text: bytes, size: int, parts: NDArray[np.int64]) -> _Sample:
    # The eight bytes from each position as one number; three of these are a shingle.
    words: NDArray[np.uint64] = np.ndarray((len(text) - 7,), _WORD, text, strides=(1,)) * _FIRST
    count = len(text) - SHINGLE + 1
    hashes = words[:count] * _SECOND
    hashes ^= words[8 : 8 + count]
    hashes *= _THIRD
    hashes ^= words[16 : 16 + count]
    hashes *= _SECOND
    bound = _ALL * 3 * size // (2 * count)
    while True:
        places = np.flatnonzero(hashes < np.uint64(bound)) if bound < _ALL else np.arange(count)
        some = (hashes[places] >> _HALF).astype("<u4")
        order = np.argsort(some)
        places = places[order]
        begun = np.searchsorted(parts, places, "right")
        is_whole = begun == np.searchsorted(parts, places + (SHINGLE - 1), "right")
        found = _distinct(some[order], is_whole, size)
        if bound >= _ALL or len(found.hashes) >= size:
            return found
        bound *= 4  # the text is repetitive


def _distinct(ascending: NDArray[np.uint32], is_whole: NDArray[np.bool_], size: int) -> _Sample:
    """Return the first ``size`` distinct ones of ascending hashes."""
    is_new = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_new[1:])
    firsts = np.flatnonzero(is_new)
    if len(firsts) < len(ascending):
        ascending, is_whole = ascending[firsts], np.logical_or.reduceat(is_whole, firsts)
    return _Sample(ascending[:size], is_whole[:size])
