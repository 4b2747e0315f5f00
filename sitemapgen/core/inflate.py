"""Streams of DEFLATE (RFC 1951) in their wrappers gzip and zlib, and whether they have ended.

As in browsers, nothing is lost where no more than a checksum is missing or wrong.
"""

from __future__ import annotations

import re
import zlib
from typing import NamedTuple

GZIP = b"\x1f\x8b\x08"
"""First bytes of gzip with DEFLATE, its only method (RFC 1952 section 2.3)."""
MAX_MEMBERS = 10_000
"""Maximum members of a gzip stream that are read; compressors for blocks make one for 64 kB."""
_FHCRC, _FEXTRA, _FNAME, _FCOMMENT = 2, 4, 8, 16
WRONG = "the checksum is wrong"
_TRAILER = 8  # bytes: checksum and length
_PADDING = re.compile(rb"\0*")
_BLOCK = 8_192  # of the input; what precedes a fault in a block is lost


class Inflated(NamedTuple):
    """A decompressed stream, as far as it could be read."""

    data: bytes
    is_whole: bool
    """Whether the stream has ended, or has been read up to the maximum."""
    fault: str = ""
    """Why the rest cannot be decompressed, as zlib describes it, or that a checksum is wrong; empty
    for a stream that is cut off."""


def gunzip(body: bytes, max_bytes: int) -> Inflated:
    """Decompress all members of a gzip stream, up to one byte more than ``max_bytes``."""
    out = bytearray()
    wrong = ""
    at: int | None = 0
    for _ in range(MAX_MEMBERS):
        start = None if at is None else _first_block(body, at)
        if start is None:
            return Inflated(bytes(out), is_whole=False)
        length = len(out)
        at, fault = _inflate_stream(body, start, out, max_bytes)
        if fault or len(out) > max_bytes:
            return Inflated(bytes(out), is_whole=not fault, fault=fault)
        if at is not None:
            checksum = zlib.crc32(memoryview(out)[length:]).to_bytes(4, "little")
            if not checksum.startswith(body[at : at + 4]):
                wrong = WRONG
            at = _PADDING.match(body, at + _TRAILER).end()  # type: ignore[union-attr]  # it may be empty
            rest = body[at : at + len(GZIP)]
            if not rest or not GZIP.startswith(rest):
                return Inflated(bytes(out), is_whole=True, fault=wrong)
    return Inflated(bytes(out), is_whole=False, fault=f"more than {MAX_MEMBERS:,} members")


def inflate(body: bytes, max_bytes: int) -> Inflated:
    """Decompress a zlib stream, or one of DEFLATE alone, as some servers send it for "deflate"."""
    out = bytearray()
    is_zlib = body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    end, fault = _inflate_stream(body, 2 if is_zlib else 0, out, max_bytes)
    return Inflated(bytes(out), is_whole=end is not None or len(out) > max_bytes, fault=fault)


def _first_block(body: bytes, at: int) -> int | None:
    """Return where the header of a member ends; None if it is cut off."""
    flags = body[at + 3] if len(body) > at + 3 else 0
    at += 10
    if flags & _FEXTRA:
        at += 2 + int.from_bytes(body[at : at + 2], "little")
    for flag in (_FNAME, _FCOMMENT):
        if flags & flag:
            at = body.find(b"\0", at) + 1
            if not at:
                return None
    at += 2 if flags & _FHCRC else 0
    return at if at < len(body) else None


def _inflate_stream(body: bytes, at: int, out: bytearray, max_bytes: int) -> tuple[int | None, str]:
    """Append to ``out``; return (end of the stream, fault), the end None if it is not reached."""
    stream = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    for start in range(at, len(body), _BLOCK):
        block = body[start : start + _BLOCK]
        try:
            out += stream.decompress(block, max_bytes + 1 - len(out))
        except zlib.error as error:
            return None, str(error)
        if stream.eof:
            return start + len(block) - len(stream.unused_data), ""
        if len(out) > max_bytes:
            break
    return None, ""
