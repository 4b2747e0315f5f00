"""Write the URLs worth indexing as sitemap files: XML, plain text, JSON.

How they replace the published ones: ``files.py``. Which URLs: ``core/eligibility.py``.
"""

from __future__ import annotations

import re
import time
import zlib
from bisect import bisect_right
from dataclasses import dataclass
from itertools import chain
from json import JSONEncoder
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sitemapgen.publish.files import Staging

ENTRY = "sitemap.xml"
"""The name that robots.txt and search consoles know: the urlset, or the index of its parts."""

OURS = re.compile(r"sitemap(-[1-9][0-9]*)?\.(xml|xml\.gz|txt|json)")
"""The names that this module has ever written, and therefore may remove."""

PRIORITIES = ("1.0", "0.9", "0.8", "0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1")
"""By depth: max(0.1, 1.0 - 0.1 * depth). By PageRank: one for each tenth of the listed pages."""

# sitemaps.org, "Entity escaping"; the ampersand first.
ENTITIES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&apos;"), ('"', "&quot;"))

# Beyond what XML 1.0 section 2.2 forbids: white space and control characters, which XML readers
# fold and which break the lines of the text format.
WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")

# xsd:date or xsd:dateTime, as the official XSD wants it.
W3C_DATE = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII)

_json_string = JSONEncoder(ensure_ascii=False).encode


class NothingListed(Exception):
    """No URL to list: an empty sitemap is invalid, and would cost the site its old one."""


class TooManyUrls(Exception):
    """More parts are needed than one sitemap index may list."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What the user may choose about the files."""

    base_url: str
    """Where the files will be served from, for the index; ends with a slash."""
    formats: frozenset[str] = frozenset({"xml"})
    """Of ``xml``, ``txt``, ``json``; XML is always written."""
    gzip: bool = False
    """Compress the XML parts; ``sitemap.xml`` is then always the index and keeps its name."""
    priority: Literal["depth", "pagerank", "none"] = "depth"

    def __post_init__(self) -> None:
        if not (WEB_ADDRESS.fullmatch(self.base_url) and self.base_url.endswith("/")):
            raise ValueError(
                f"base_url: {self.base_url!r} is not a folder on the web; "
                "write it like https://example.com/ with a slash at the end"
            )
        if unknown := sorted(self.formats - FORMATS.keys()):
            raise ValueError(f"formats: {unknown[0]!r} is unknown; use {', '.join(FORMATS)}")
        if self.priority not in ("depth", "pagerank", "none"):
            raise ValueError(f"priority: {self.priority!r} is unknown; use depth, pagerank or none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one file may hold (sitemaps.org, "Using Sitemap index files")."""

    urls: int = 50_000
    bytes: int = 52_428_800
    """Uncompressed, closing tag included; never so few that one entry would not fit."""
    parts: int = 50_000
    """How many files one index may list."""

    def __post_init__(self) -> None:
        if self.bytes < 16_384:
            raise ValueError(f"bytes: {self.bytes} may be less than one entry; use 16384 or more")


LIMITS = Limits()
NO_LIMITS = Limits(urls=1 << 62, bytes=1 << 62)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What :func:`write` staged; ``staging.commit(last=ENTRY, stale=written.stale)`` publishes."""

    count: int
    """URLs listed."""
    names: tuple[str, ...]
    """The files of the new set, changed or not: parts first, ``sitemap.xml`` last."""
    stale: tuple[str, ...]
    """Files of the earlier set that the new one does not have."""


def write(
    listed: Iterable[Listed],
    staging: Staging,
    options: Options,
    limits: Limits = LIMITS,
    steps: Sequence[float] = (),
) -> Written:
    """Stage the sitemap of ``listed``: distinct URLs in their final order, read once, never held.

    For priorities by PageRank, ``steps`` part the tenths of the pages: ``ranking.tenths``.
    Raises NothingListed for none, TooManyUrls for more than an index can hold, and ValueError for
    a URL or a lastmod that no sitemap may contain.
    """
    pages = iter(listed)
    first = next(pages, None)
    if first is None:
        raise NothingListed("no URL to list; the published sitemap stays as it is")
    xml = _Series(staging, FORMATS["xml"], limits, gzip=options.gzip)
    others = [
        _Series(staging, FORMATS[name], NO_LIMITS if name == "json" else limits)
        for name in sorted(options.formats - {"xml"})
    ]
    _fill([xml, *others], chain([first], pages), _priority(options, steps))
    for series in (xml, *others):
        series.finish()
    if ENTRY not in xml.mtimes:
        _stage_index(xml.mtimes, staging, options.base_url)
    names = [name for series in (xml, *others) for name in series.mtimes if name != ENTRY]
    names.append(ENTRY)
    return Written(count=xml.total, names=tuple(names), stale=_stale(staging, names))


def _priority(options: Options, steps: Sequence[float]) -> Callable[[int, float], str]:
    """How depth and PageRank of a page become its priority."""
    if options.priority == "depth":
        return lambda depth, _: PRIORITIES[min(depth, 9)]
    if options.priority == "pagerank":
        return lambda depth, rank: PRIORITIES[9 - bisect_right(steps, rank) if depth else 0]
    return lambda _, __: ""


def _fill(
    series: list[_Series], pages: Iterable[Listed], priority: Callable[[int, float], str]
) -> None:
    writers = [(each.format.entry, each.add) for each in series]
    for url, lastmod, depth, rank, changefreq in pages:
        _check(url, lastmod)
        weight = priority(depth, rank)
        for entry, add in writers:
            add(entry(url, lastmod, weight, changefreq).encode())


def _check(url: str, lastmod: str) -> None:
    """Refuse what would make the file invalid; the limits of a loc are those of the XSD."""
    if not (12 <= len(url) <= 2048 and WEB_ADDRESS.fullmatch(url)):
        raise ValueError(f"{url!r} cannot stand in a sitemap")
    if lastmod and not W3C_DATE.fullmatch(lastmod):
        raise ValueError(f"{lastmod!r}, the lastmod of {url!r}, is not a W3C datetime")


def _stale(staging: Staging, names: list[str]) -> tuple[str, ...]:
    found = {path.name for path in staging.directory.iterdir() if path.is_file()}
    return tuple(sorted(name for name in found.difference(names) if OURS.fullmatch(name)))


# --- the formats


class _Format(NamedTuple):
    suffix: str
    head: bytes
    entry: Callable[[str, str, str, str], str]
    """URL, lastmod, priority and changefreq as text; all but the first may be empty."""
    between: bytes
    foot: bytes


def _escaped(text: str) -> str:
    for character, entity in ENTITIES:
        text = text.replace(character, entity)
    return text


def _xml_entry(url: str, lastmod: str, priority: str, changefreq: str) -> str:
    """A ``<url>``. Formatted by hand: a third of the time of an XML writer, a fifth of a tree's."""
    changed = f"    <lastmod>{lastmod}</lastmod>\n" if lastmod else ""
    often = f"    <changefreq>{changefreq}</changefreq>\n" if changefreq else ""
    weight = f"    <priority>{priority}</priority>\n" if priority else ""
    return f"  <url>\n    <loc>{_escaped(url)}</loc>\n{changed}{often}{weight}  </url>\n"


def _text_entry(url: str, _lastmod: str, _priority: str, _changefreq: str) -> str:
    return url + "\n"


def _json_entry(url: str, lastmod: str, priority: str, changefreq: str) -> str:
    changed = f', "lastmod": "{lastmod}"' if lastmod else ""
    often = f', "changefreq": "{changefreq}"' if changefreq else ""
    weight = f', "priority": {priority}' if priority else ""
    return f'{{"loc": {_json_string(url)}{changed}{often}{weight}}}'


DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"  # http: Search Console refuses https

FORMATS = {
    "xml": _Format(
        suffix=".xml",
        head=f'{DECLARATION}<urlset xmlns="{NAMESPACE}">\n'.encode(),
        entry=_xml_entry,
        between=b"",
        foot=b"</urlset>\n",
    ),
    "txt": _Format(suffix=".txt", head=b"", entry=_text_entry, between=b"", foot=b""),
    "json": _Format(suffix=".json", head=b"[\n", entry=_json_entry, between=b",\n", foot=b"\n]\n"),
}


# --- the files of one format


class _Series:
    """sitemap-1.xml, sitemap-2.xml ..., each as full as it may be; one alone is sitemap.xml."""

    def __init__(
        self, staging: Staging, form: _Format, limits: Limits, *, gzip: bool = False
    ) -> None:
        self.format = form
        self.mtimes: dict[str, int] = {}
        """The finished files in their order, with the time of their last change."""
        self.total = 0
        """Entries in the finished files."""
        self._staging = staging
        self._limits = limits
        self._room = limits.bytes - len(form.between) - len(form.foot)
        self._gzip = gzip
        self._suffix = form.suffix + (".gz" if gzip else "")
        self._open()

    def add(self, entry: bytes) -> None:
        """Append one entry, in a new part when it would break a limit of the current one."""
        if self._count == self._limits.urls or self._size + len(entry) > self._room:
            self._close(self._name)
            self._open()
        if self._count and self.format.between:
            self._write(self.format.between)
        self._write(entry)
        self._count += 1

    def finish(self) -> None:
        """Close the last part; a compressed one is always numbered, for there is an index."""
        alone = not self.mtimes and not self._gzip
        self._close("sitemap" + self._suffix if alone else self._name)

    def _open(self) -> None:
        number = len(self.mtimes) + 1
        if number > self._limits.parts:
            raise TooManyUrls(
                f"the URLs need more than {self._limits.parts} files, the most that "
                "a sitemap index may list; leave some out"
            )
        self._name = f"sitemap-{number}{self._suffix}"
        self._file = self._staging.open(self._name)
        # 31: a gzip header without a name or a time, so that equal URLs make equal bytes.
        self._deflate = zlib.compressobj(wbits=31) if self._gzip else None
        self._count = 0
        self._size = 0
        self._write(self.format.head)

    def _write(self, data: bytes) -> None:
        self._size += len(data)
        self._file.write(self._deflate.compress(data) if self._deflate else data)

    def _close(self, name: str) -> None:
        self._write(self.format.foot)
        if self._deflate:
            self._file.write(self._deflate.flush())
        if name != self._name:
            self._staging.rename(self._name, name)
        self.mtimes[name] = self._staging.settle(name)
        self.total += self._count


def _stage_index(parts: dict[str, int], staging: Staging, base_url: str) -> None:
    """Stage sitemap.xml as the sitemapindex of ``parts``: name -> time of last change."""
    with staging.open(ENTRY) as file:
        file.write(f'{DECLARATION}<sitemapindex xmlns="{NAMESPACE}">\n'.encode())
        for name, changed in parts.items():
            moment = time.gmtime(min(changed, staging.now))  # the future is no evidence
            lastmod = time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)
            file.write(
                f"  <sitemap>\n    <loc>{_escaped(base_url + name)}</loc>\n"
                f"    <lastmod>{lastmod}</lastmod>\n  </sitemap>\n".encode()
            )
        file.write(b"</sitemapindex>\n")
