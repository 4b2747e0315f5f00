"""Compressed streams: what is in them, and whether they have ended."""

import gzip
import io
import random
import zlib
from collections.abc import Callable

import pytest

from sitemapgen.core.inflate import Inflated, gunzip, inflate

PLAIN = b"".join(b"<p>page %d" % (number * 7919 % 10007) for number in range(3_000))
ALL = 1 << 30


def named(body: bytes) -> bytes:
    file = io.BytesIO()
    with gzip.GzipFile("a.html", "wb", fileobj=file) as stream:
        stream.write(body)
    packed = bytearray(file.getvalue())
    packed[3] |= 2 | 4 | 16  # a checksum of the header, an extra field and a comment
    start = packed.index(b"\0", 10) + 1
    return (
        bytes(packed[:10]) + b"\3\0abc" + bytes(packed[10:start]) + b"said\0\0\0" + packed[start:]
    )


def raw(body: bytes) -> bytes:
    return zlib.compress(body)[2:-4]


FORMS: list[tuple[Callable[[bytes], bytes], Callable[[bytes, int], Inflated], int]] = [
    (gzip.compress, gunzip, 8),
    (named, gunzip, 8),
    (zlib.compress, inflate, 4),
    (raw, inflate, 0),
]
"""(compression, decompression, bytes of the trailer)"""


@pytest.mark.parametrize(("pack", "unpack", "trailer"), FORMS)
@pytest.mark.parametrize("body", [PLAIN, b"x", b""], ids=["long", "short", "empty"])
def test_a_stream_has_ended_where_nothing_but_its_trailer_is_missing(
    pack: Callable[[bytes], bytes],
    unpack: Callable[[bytes, int], Inflated],
    trailer: int,
    body: bytes,
) -> None:
    packed = pack(body)
    assert unpack(packed, ALL) == Inflated(body, is_whole=True)
    end = len(packed) - trailer
    for length in {*range(1, 40), end // 2, *range(end - 9, len(packed))} & {
        *range(1, len(packed))
    }:
        found = unpack(packed[:length], ALL)
        assert (found.is_whole, found.fault) == (length >= end, ""), length
        assert body.startswith(found.data)


def test_members_are_one_stream() -> None:
    first, second = gzip.compress(PLAIN), gzip.compress(b"end")
    for between in (b"", bytes(512)):
        assert gunzip(first + between + second, ALL) == Inflated(PLAIN + b"end", is_whole=True)
        for length in range(1, len(second) - 8):
            assert not gunzip(first + between + second[:length], ALL).is_whole
    assert gunzip(first + b"garbage", ALL) == Inflated(PLAIN, is_whole=True)


def test_a_checksum_that_is_wrong_costs_nothing() -> None:
    packed = gzip.compress(PLAIN)
    for trailer in (bytes(8), bytes(3), bytes(8) + gzip.compress(b"")):
        found = gunzip(packed[:-8] + trailer, ALL)
        assert found == Inflated(PLAIN, is_whole=True, fault="the checksum is wrong")


def test_damage_keeps_what_came_before() -> None:
    body = random.Random(1).randbytes(200_000)  # in blocks that are stored as they are
    packed = bytearray(zlib.compress(body))
    packed[100_000:] = b"\x07" * 100_000
    found = inflate(bytes(packed), ALL)
    assert (found.is_whole, bool(found.fault)) == (False, True)
    assert len(found.data) > 90_000
    assert body.startswith(found.data[:90_000])


def test_streams_made_to_be_long() -> None:
    assert len(gunzip(gzip.compress(bytes(50_000_000)), 1_000).data) == 1_001
    assert len(inflate(zlib.compress(bytes(50_000_000)), 1_000).data) == 1_001
    assert gunzip(gzip.compress(b"") + bytes(16_000_000), ALL).is_whole
    assert gunzip(gzip.compress(b"") * 800_000, ALL).fault == "more than 10,000 members"
