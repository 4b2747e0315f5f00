"""Storage format of excerpts: a frame of Zstandard (RFC 8878) of UTF-8.

Of zlib's and Zstandard's levels this one is the fastest that halves English text of 2,000
characters: 14 us, where zlib takes 45.
"""

from __future__ import annotations

import sys

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
