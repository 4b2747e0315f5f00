"""Reader of the sitemap that a directory already has, whatever program wrote it."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import unescape

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.parts import epoch_seconds
from sitemapgen.core.sitemap_files.read import MAX_BYTES, read_sitemap
from sitemapgen.core.sitemap_files.schema import SITEMAP
from sitemapgen.core.urls import key, parse
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.formats import DECLARATION, ENTITIES, FORMATS

XML = FORMATS["xml"]
# ``unescape`` replaces the others itself, the ampersand last.
CHARACTERS = {entity: character for character, entity in ENTITIES if character in "'\""}

# An entry as ``formats.py`` writes it; its groups are the URL and the lastmod.
_ENTRY = re.compile(
    rb"  <url>\n    <loc>([^<>&\s]*(?:&(?:amp|lt|gt|apos|quot);[^<>&\s]*)*)</loc>\n"
    rb"(?:    <lastmod>([^<>&\n]*)</lastmod>\n)?"
    rb"(?:    <changefreq>[^<>&\n]*</changefreq>\n)?(?:    <priority>[^<>&\n]*</priority>\n)?"
    rb"(?:    +</?(?:xhtml|image|video|news):[^\n]*\n)*  </url>\n"
)
_HEAD = re.compile(
    rf"{re.escape(DECLARATION)}(?:<\?xml-stylesheet [^<>]*>\n)*"
    rf'<urlset xmlns="{re.escape(SITEMAP)}"(?: xmlns:[a-z]+="[^"]*")*>\n'.encode()
)
_BEGINNING = 8_192
"""Bytes that are read of a file to see its format; a head has less than 1,000."""


class PublishedFile(NamedTuple):
    """What one file of a sitemap lists."""

    name: str
    urls: Sequence[str]
    lastmods: Sequence[str]
    is_ours: bool
    """Whether its bytes have exactly the format of ``formats.py``; its URLs are normalised then."""
    error: str = ""
    """Why it could not be read, or not to its end; empty when it could."""


class Published(NamedTuple):
    """What all files of a sitemap list, file by file."""

    names: list[str]
    counts: NDArray[np.int64]
    """URLs in each of the files."""
    keys: NDArray[np.int64]
    """Keys of all URLs, file by file."""
    dates: NDArray[np.int64]
    """Dates of all URLs as ``parts.epoch_seconds`` returns them; empty without ``with_dates``."""
    unread: tuple[str, ...] = ()
    """Files that could not be read to their end, each with the reason."""


def read_published(directory: Path, *, with_dates: bool = False) -> Published:
    """Read all files of the sitemap in a directory, one in memory at a time."""
    names, unread = [], []
    keys, dates = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for file in published_files(directory):
        if file.error:
            unread.append(f"{directory / file.name}: {file.error}")
        if not file.urls:
            continue
        urls = file.urls if file.is_ours else [parse(url) or url for url in file.urls]
        names.append(file.name)
        keys.append(np.fromiter(map(key, urls), np.int64, len(urls)))
        if with_dates:
            dates.append(np.fromiter(map(epoch_seconds, file.lastmods), np.int64, len(urls)))
    counts = np.fromiter(map(len, keys[1:]), np.int64, len(names))
    together = (np.concatenate(keys), np.concatenate(dates))
    return Published(names, counts, *together, tuple(unread))


def published_files(directory: Path) -> Iterator[PublishedFile]:
    """Yield the files of the sitemap in a directory, one in memory at a time."""
    entry = directory / ENTRY
    if not entry.is_file():
        return
    file, children = _read_file(entry)
    yield file
    for location in children:
        if name := location.rpartition("/")[2]:
            yield _read_file(directory / name)[0]


def _read_file(path: Path) -> tuple[PublishedFile, Sequence[str]]:
    """Read one file of a sitemap; also return the files that it lists as an index."""
    if path.exists() and not path.is_file():
        return PublishedFile(path.name, (), (), is_ours=False, error="no regular file"), ()
    try:
        body = path.read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        return PublishedFile(path.name, (), (), is_ours=False, error=why), ()
    own = own_entries(body)
    if own is not None:
        return PublishedFile(path.name, *own, is_ours=True), ()
    sitemap = read_sitemap(body)
    urls = [entry.url for entry in sitemap.entries]
    lastmods = [entry.lastmod for entry in sitemap.entries]
    file = PublishedFile(path.name, urls, lastmods, is_ours=False, error=sitemap.error)
    return file, sitemap.children


def own_entries(body: bytes) -> tuple[Sequence[str], Sequence[str]] | None:
    """Return URLs and lastmods of a file in the format of ``formats.py``; None for any other.

    Ten times faster than the reader for all sitemaps.
    """
    body = _unpack_body(body)
    # What is before an entry, its URL, its lastmod; what is between, the next URL ...
    head, *pieces = _ENTRY.split(body)
    if not _HEAD.fullmatch(head) or pieces[-1:] != [XML.foot] or any(pieces[2:-1:3]):
        return None
    try:
        lines = b"\n".join(pieces[:-1:3]).decode()
        lastmods = b"\n".join([lastmod or b"" for lastmod in pieces[1:-1:3]]).decode()
    except UnicodeDecodeError:
        return None
    return unescape(lines, CHARACTERS).split("\n"), lastmods.split("\n")


def url_of(entry: bytes) -> str:
    """Return the URL of an entry in the format of ``formats.py``."""
    match = _ENTRY.fullmatch(entry)
    assert match is not None
    return unescape(match[1].decode(), CHARACTERS)


def has_our_format(path: Path) -> bool:
    """Return whether a readable file begins as a urlset of ``formats.py`` does."""
    try:
        with path.open("rb") as file:
            beginning = file.read(_BEGINNING)
    except (OSError, ValueError):  # a name that no file can have
        return False
    with suppress(zlib.error):  # as it is
        beginning = zlib.decompressobj(wbits=31).decompress(beginning, _BEGINNING)
    match = _HEAD.match(beginning)
    return match is not None and match.string.startswith(b"  <url>\n    <loc>", match.end())


def _unpack_body(body: bytes) -> bytes:
    """Decompress a complete gzip stream; return anything else unchanged."""
    stream = zlib.decompressobj(wbits=31)
    try:
        unpacked = stream.decompress(body, MAX_BYTES)
    except zlib.error:
        return body
    return unpacked if stream.eof and not stream.unused_data else body
