"""Signatures of main texts, by which near duplicates are recognised.

A signature is a sample of the text's shingles, those with the smallest hashes, so that equal texts
have equal samples. Source: Broder, "On the resemblance and containment of documents", 1997.
``analysis/near_duplicates.py`` compares the samples.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import pack
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

SHINGLE = 24
"""Consecutive UTF-8 bytes of a shingle, without white space: four words, eight ideographs."""
SAMPLE = 128
"""Shingles kept of a page, 4 bytes each: the similarity of two pages has an error of some 0.03."""
MIN_BYTES = 500
"""Minimum bytes of a text with a signature: in a shorter one, one word is a tenth of the text."""
MAX_MEDIA = 16
"""Images, frames and players kept of a page, 4 bytes each."""

_BLOCK = 1_048_576
"""Bytes whose shingles are hashed at a time: numpy takes some 40 bytes of memory for each."""
_WORD = np.dtype("<u8")
_ALL = 1 << 64
# Odd numbers without a pattern, as multiplicative hashing needs them (those of xxHash64).
_FIRST, _SECOND, _THIRD = map(
    np.uint64, (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
)
_HALF = np.uint64(32)


def subject(title: str, heading: str, language: str) -> int | None:
    """Hash the stated subject of a page to signed 64 bits; None without a title and heading."""
    if not title and not heading:
        return None
    stated = f"{title}\n{heading}\n{language}".encode("utf-8", "replace")
    return int.from_bytes(blake2b(stated, digest_size=8).digest(), "big", signed=True)


def signature(text: bytes, media: Iterable[str]) -> bytes:
    """Pack samples of a text without white space, and of the media of a page.

    Numbers of 4 bytes, little endian: number of media, their hashes, ascending, the smallest
    hashes of shingles, ascending. At most 580 bytes; empty if the text is shorter than MIN_BYTES.
    """
    return signed_media(media) + sample(text).tobytes() if len(text) >= MIN_BYTES else b""


def signed_media(media: Iterable[str]) -> bytes:
    """Pack the media of a page, as at the beginning of a signature; at most 68 bytes."""
    shown = sorted({crc32(each.lstrip("./").encode("utf-8", "replace")) for each in media})
    del shown[MAX_MEDIA:]
    return pack(f"<I{len(shown)}I", len(shown), *shown)


def sample(text: bytes, size: int = SAMPLE) -> NDArray[np.uint32]:
    """Return the ``size`` smallest distinct hashes of shingles, or all, ascending."""
    if len(text) <= _BLOCK + SHINGLE:
        return _sample(text, size)
    # Each shingle begins in one block; the smallest hashes overall are among those of the blocks.
    blocks = (
        text[start : start + _BLOCK + SHINGLE - 1]
        for start in range(0, len(text) - SHINGLE + 1, _BLOCK)
    )
    return np.unique(np.concatenate([_sample(block, size) for block in blocks]))[:size]


def _sample(text: bytes, size: int) -> NDArray[np.uint32]:
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
        some = hashes if bound >= _ALL else hashes[hashes < np.uint64(bound)]
        some = np.sort(some) >> _HALF
        is_new = np.ones(len(some), np.bool_)
        is_new[1:] = some[1:] != some[:-1]
        chosen: NDArray[np.uint64] = some[is_new][:size]
        if len(chosen) == size or bound >= _ALL:
            return chosen.astype("<u4")
        bound *= 4  # the text is repetitive
