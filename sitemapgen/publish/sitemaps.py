"""Writer of the sitemap files, in XML, plain text and JSON.

Form of an entry: ``formats.py``. Distribution of URLs to files: ``layouts.py``. Files beside the
sitemap: ``other_formats.py``. Replacement of the published files: ``files.py``. Choice of URLs:
``core/eligibility.py``.
"""

from __future__ import annotations

import os
import re
import time
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from sitemapgen.analysis.graph import Ints
from sitemapgen.analysis.parts import Capacity
from sitemapgen.core.sitemap_files.schema import SITEMAP
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish import other_formats
from sitemapgen.publish.existing import Published, has_our_format, url_of
from sitemapgen.publish.file_names import (
    ENTRY,
    NAMED,
    WHOLE,
    is_bridging,
    is_ours,
    part_of,
    stem,
)
from sitemapgen.publish.files import BRIDGE, CHUNK, Staging, listed_in
from sitemapgen.publish.formats import (
    DECLARATION,
    FORMATS,
    Format,
    escaped,
    processing,
    xml_format,
)
from sitemapgen.publish.layouts import Sorter
from sitemapgen.publish.options import WEB_ADDRESS, Options

NEWS = re.compile(r"sitemap-google-news(-[1-9][0-9]*)?\.xml(\.gz)?")
"""Names of the parts for news; ``sitemap-news`` is the latest part of a layout."""
NEWS_URLS = 1_000
"""Maximum number of URLs in a part for news (Google, "News sitemaps")."""

PRIORITIES = ("1.0", "0.9", "0.8", "0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1")
"""Priority by depth, max(0.1, 1.0 - 0.1 * depth), or by tenth of the listed pages by PageRank."""

# xsd:date or xsd:dateTime, as the official XSD requires.
W3C_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)


class NothingListed(Exception):
    """No URL to list: an empty sitemap is invalid, and would cost the site its old one."""


class Listed(NamedTuple):
    """One URL that the sitemap lists."""

    url: str
    lastmod: str
    """W3C datetime; empty without evidence."""
    depth: int
    """Links from the start URL, which has depth 0."""
    pagerank: float = 0.0
    changefreq: str = ""
    """A word of sitemaps.org; empty without evidence."""
    extensions: str = ""
    """XML: ``formats.py``."""
    priority: str = ""
    """A priority of the page's own, which precedes all others; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """Limits of one file (sitemaps.org, "Using Sitemap index files")."""

    urls: int = 50_000
    bytes: int = 52_428_800
    """Bytes, uncompressed and with the closing tag; at least 16,384, so that any entry fits."""
    parts: int = 50_000
    """Maximum number of files that one index lists."""

    def __post_init__(self) -> None:
        if self.bytes < 16_384:
            raise ValueError(f"bytes: {self.bytes} may be less than one entry; use 16384 or more")


LIMITS = FileLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What :func:`write_files` staged.

    ``staging.commit(last=ENTRY, stale=written.stale)`` publishes it.
    """

    count: int
    """URLs listed."""
    names: tuple[str, ...]
    """The files of the new set, changed or not: parts first, ``sitemap.xml`` last."""
    stale: tuple[str, ...]
    """Files of the earlier set that the new one does not have."""


def write_files(
    listed: Iterable[Listed],
    staging: Staging,
    options: Options,
    limits: FileLimits = LIMITS,
    steps: Sequence[float] = (),
    before: Published | None = None,
    news: Iterable[Listed] = (),
) -> Written:
    """Stage the sitemap of ``listed``: distinct URLs in URL order, read once, not held in memory.

    ``before``: the published sitemap, whose URLs stay in their parts. ``news``: those that are in a
    part for news as well. ``steps``: PageRanks between the tenths of the pages, for priorities by
    PageRank (``decile_bounds``). Files that are staged already belong to the same set.
    Raises NothingListed for no URL, CrawlError for more than an index can hold, and ValueError for
    a URL or a lastmod that no sitemap may contain.
    """
    pages, beside = iter(listed), staging.names
    first = next(pages, None)
    if first is None:
        raise NothingListed("no URL to list; the published sitemap stays as it is")
    sorter = Sorter(options.layout, before, staging.now)
    with_news = "news" in options.extensions
    xml = _Draft(xml_format(options.extensions - {"news"}, stylesheet=options.stylesheet), staging)
    names = sorted(options.formats & FORMATS.keys() - {"xml"})
    others = [_Draft(FORMATS[name], staging) for name in names]
    _fill_drafts([xml, *others], sorter, _rate_pages(chain([first], pages), options, steps))
    frame = len(xml.format.head) + len(xml.format.foot)
    capacity = Capacity(limits.urls, limits.bytes - frame)
    parts, at = sorter.sort(xml.sizes(), capacity, xml.urls())
    if len(parts) > limits.parts:
        is_full = options.layout == "size"
        remedy = "leave some out with -a exclude=" if is_full else "use -a layout=size"
        raise CrawlError(
            Exit.ARGUMENTS,
            f"layout={options.layout}: the URLs need {len(parts):,} files, and a sitemap index may "
            f"list {limits.parts:,}; {remedy}",
        )
    stems = [WHOLE] if options.layout == "size" and len(parts) == 1 else list(map(stem, parts))
    has_index = options.gzip or with_news  # of this name, also with one part
    mtimes = xml.stage(list(map(stem, parts)) if has_index else stems, at, gzip=options.gzip)
    mtimes |= _stage_news(news, staging, options)
    names = list(mtimes)
    for draft in others:
        names += draft.stage(stems, at)
    published = listed_in(staging.directory / ENTRY)
    if ENTRY in mtimes:
        names.remove(ENTRY)
        staging.declare(ENTRY)
    else:
        _stage_index(mtimes, staging, options, published)
    names += [*beside, ENTRY]
    return Written(count=len(at), names=tuple(names), stale=_stale_files(staging, names, published))


def _stage_news(news: Iterable[Listed], staging: Staging, options: Options) -> dict[str, int]:
    """Write the parts for news, if any; return name -> time of last change."""
    news_format = xml_format(["news"], stylesheet=options.stylesheet)
    articles = iter(news)
    mtimes: dict[str, int] = {}
    while some := list(islice(articles, NEWS_URLS)):
        number = f"-{len(mtimes) + 1}" if mtimes else ""
        name = f"sitemap-google-news{number}.xml" + (".gz" if options.gzip else "")
        entries = [
            news_format.entry(page.url, "", "", "", page.extensions).encode() for page in some
        ]
        with staging.open(name) as file:
            _write_part(file, [news_format.head, *entries, news_format.foot], gzip=options.gzip)
        mtimes[name] = staging.settle(name)
    return mtimes


def _priority_of(options: Options, steps: Sequence[float]) -> Callable[[int, float], str]:
    """Return the function (depth, PageRank) -> priority, as text."""
    if options.priority == "depth":
        return lambda depth, _: PRIORITIES[min(depth, 9)]
    if options.priority == "pagerank":
        return lambda depth, rank: PRIORITIES[9 - bisect_right(steps, rank) if depth else 0]
    return lambda _, __: ""


def _rate_pages(
    pages: Iterable[Listed], options: Options, steps: Sequence[float]
) -> Iterator[tuple[Listed, str, str]]:
    """Yield each page with its priority and changefreq; those of a pattern precede all others."""
    priority = _priority_of(options, steps)
    priorities, changefreqs = options.settings.priorities, options.settings.changefreqs
    if not (priorities or changefreqs):
        for page in pages:
            weight = page.priority or priority(page.depth, page.pagerank)
            yield page, weight, page.changefreq
        return
    for page in pages:
        weight = page.priority or priorities.of(page.url) or priority(page.depth, page.pagerank)
        yield page, weight, changefreqs.of(page.url) or page.changefreq


def _fill_drafts(
    drafts: list[_Draft], sorter: Sorter, pages: Iterable[tuple[Listed, str, str]]
) -> None:
    writers = [(draft.format.entry, draft.add) for draft in drafts]
    for (url, lastmod, _, _, _, extensions, _), weight, changefreq in pages:
        _check_entry(url, lastmod)
        sorter.note(url, lastmod)
        for entry, add in writers:
            add(entry(url, lastmod, weight, changefreq, extensions).encode())


def _check_entry(url: str, lastmod: str) -> None:
    """Raise ValueError for what would make the file invalid; the limits of a loc are the XSD's."""
    if not (12 <= len(url) <= 2048 and WEB_ADDRESS.fullmatch(url)):
        raise ValueError(f"{url!r} cannot stand in a sitemap")
    if lastmod and not W3C_DATE.fullmatch(lastmod):
        raise ValueError(f"{lastmod!r}, the lastmod of {url!r}, is not a W3C datetime")


def _stale_files(staging: Staging, names: list[str], published: set[str]) -> tuple[str, ...]:
    """Return files of earlier runs that are left over; ``published``: those that the index lists.

    A file of a common name counts only if the index lists it, and one with the name of a section
    only if its XML has our format as well: other programs use such names too.
    """
    listed = {part_of(name) for name in published if _is_written_by_us(staging.directory / name)}
    found = {path.name: path for path in staging.directory.iterdir() if path.is_file()}
    return tuple(
        sorted(
            name
            for name in found.keys() - set(names)
            if (is_ours(name) and (is_ours(name, for_sure=True) or part_of(name) in listed))
            or (NEWS.fullmatch(name) and name in published)
            or (is_bridging(name) and _is_written_by_us(found[name]))
            or other_formats.is_ours(found[name])
        )
    )


def _is_written_by_us(path: Path) -> bool:
    """Return whether a part with the name of a section has our format; true of all other parts."""
    part = part_of(path.name)
    return part is None or part.kind != NAMED or has_our_format(path)


# --- the files of one format


class _Draft:
    """All entries in URL order, in a scratch file until each of them has its part."""

    def __init__(self, format_: Format, staging: Staging) -> None:
        self.format = format_
        self._staging = staging
        self._file = staging.scratch()
        self._sizes = array("I")

    def add(self, entry: bytes) -> None:
        if self._sizes:
            entry = self.format.between + entry
        self._file.write(entry)
        self._sizes.append(len(entry))

    def sizes(self) -> Ints:
        """Return the number of bytes of each entry."""
        return np.array(self._sizes, np.int64)

    def urls(self) -> Callable[[int], str]:
        """Return the function index -> URL, of the entries of an XML format."""
        self._file.flush()
        ends = np.cumsum(self._sizes, dtype=np.int64)

        def url_at(place: int) -> str:
            size = self._sizes[place]
            return url_of(os.pread(self._file.fileno(), size, int(ends[place]) - size))

        return url_at

    def stage(self, stems: Sequence[str], at: Ints, *, gzip: bool = False) -> dict[str, int]:
        """Write the parts; return name -> time of last change. ``at``: part of each entry."""
        if self.format.is_whole:
            stems, at = [WHOLE], np.zeros_like(at)
        self._file.flush()
        ends = np.cumsum(self._sizes, dtype=np.int64)
        order = np.argsort(at, kind="stable")
        borders = np.cumsum(np.bincount(at, minlength=len(stems)))[:-1]
        mtimes = {}
        for stem_, members in zip(stems, np.split(order, borders), strict=True):
            name = stem_ + self.format.suffix + (".gz" if gzip else "")
            with self._staging.open(name) as file:
                _write_part(file, self._read_pieces(members, ends), gzip=gzip)
            mtimes[name] = self._staging.settle(name)
        self._file.close()
        return mtimes

    def _read_pieces(self, members: Ints, ends: Ints) -> Iterator[bytes]:
        """Yield the bytes of a part; neighbouring entries are read together."""
        yield self.format.head
        is_last = np.diff(members, append=-1) != 1
        lasts = members[is_last]
        firsts = members[np.concatenate(([True], is_last[:-1]))]
        stops = ends[lasts]
        starts = ends[firsts] - np.frombuffer(self._sizes, np.uint32)[firsts]
        source = self._file.fileno()
        for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
            for offset in range(start, stop, CHUNK):
                yield os.pread(source, min(CHUNK, stop - offset), offset)
        yield self.format.foot


def _write_part(file: BinaryIO, pieces: Iterable[bytes], *, gzip: bool) -> None:
    if not gzip:
        file.writelines(pieces)
        return
    # 31: a gzip header without a name or a time, so that equal URLs make equal bytes.
    deflate = zlib.compressobj(wbits=31)
    for piece in pieces:
        file.write(deflate.compress(piece))
    file.write(deflate.flush())


def _stage_index(
    parts: dict[str, int], staging: Staging, options: Options, published: set[str]
) -> None:
    """Stage sitemap.xml as the sitemapindex of ``parts``: name -> time of last change.

    ``published``: the parts that it lists now. If one of these changes, a bridging index is staged
    as well, for the time in which it is replaced.
    """
    bridged = staging.declare(ENTRY, parts, published)
    _write_index(parts, staging.open(ENTRY), options, staging.now)
    if bridged:
        others = {bridged.get(name, name): changed for name, changed in parts.items()}
        _write_index(others, staging.open(f"{ENTRY}{BRIDGE}"), options, staging.now)


def _write_index(parts: dict[str, int], file: BinaryIO, options: Options, now: int) -> None:
    style = processing(options.stylesheet)
    file.write(f'{DECLARATION}{style}<sitemapindex xmlns="{SITEMAP}">\n'.encode())
    for name, changed in parts.items():
        moment = time.gmtime(min(changed, now))  # the future is no evidence
        lastmod = time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)
        file.write(
            f"  <sitemap>\n    <loc>{escaped(options.base_url + name)}</loc>\n"
            f"    <lastmod>{lastmod}</lastmod>\n  </sitemap>\n".encode()
        )
    file.write(b"</sitemapindex>\n")
