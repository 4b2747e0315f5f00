"""Sitemap file reader: untrusted bytes -> entries.

The format is detected from the content, never from the content type (sitemaps.org/protocol.html).
``entries.py`` reads single elements; ``discover.py`` decides which files are read.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, NamedTuple
from xml.sax.saxutils import quoteattr

from lxml import etree

from sitemapgen.core.document.texts import line
from sitemapgen.core.inflate import GZIP, gunzip
from sitemapgen.core.sitemap_files.entries import MAX_URL, READERS, XML_BASE, Entry, split_name
from sitemapgen.core.urls import MAX_LENGTH
from sitemapgen.core.words import counted
from sitemapgen.items import SitemapEntry

MAX_BYTES = 52_428_800
"""Maximum uncompressed bytes of a file (sitemaps.org: "no larger than 50MB (52,428,800 bytes)")."""
MAX_ENTRIES = 50_000
"""Maximum entries of a file (sitemaps.org: "no more than 50,000 URLs", "... 50,000 Sitemaps")."""

TRUNCATED = "truncated gzip: only the received part was read"
"""The error of a file whose compressed end is missing."""
_GZIP_LAYERS = 2  # a .gz file served with gzip on top of it is a common mistake; three are not
_BLOCK = 65_536
_MAX_ENTRY_BYTES = 1_048_576  # 1,000 images with 1,000 bytes each; a larger entry is an attack
_MAX_SENTENCE = 200
_MAX_STRANGERS = 100_000  # lines of a text file that are not URLs
_MAX_TAG = 2_048
_LONG_TAG = f"a tag of more than {_MAX_TAG:,} characters, its namespace included"
# Bounds for the namespaces repeated around each entry of a malformed file.
_MAX_NAMESPACES, _MAX_NAMESPACE = 32, 200

# Only the file itself is read: no external DTD, no entities, no network.
_SAFE: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}


class _Kind(NamedTuple):
    format: str
    entry: str
    """Local name of the elements with an entry."""
    location: str = ""
    """Local name of an entry's element whose text is its URL; empty if an attribute has the URL."""


_KINDS = {
    "urlset": _Kind("urlset", "url", "loc"),
    "sitemapindex": _Kind("index", "sitemap", "loc"),
    "rss": _Kind("rss", "item", "link"),
    "feed": _Kind("atom", "entry"),
    "RDF": _Kind("rdf", "item", "link"),
}
"""Kinds of files by the local name of the document element; RDF is RSS 1.0."""

_DECLARATION = re.compile(rb"<\?xml[^>]{0,200}\?>")
_START_TAG = re.compile(rb"<[^/]")
_LINE = re.compile(rb"[^\r\n]+")
_URL = re.compile(r"https?://[^\s\x00-\x1f\x7f\ufffd]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """Content of one sitemap file, as far as it could be read."""

    format: str = ""
    """``urlset``, ``index``, ``text``, ``rss``, ``atom``, ``rdf``; empty if it is not a sitemap."""
    entries: tuple[SitemapEntry, ...] = ()
    """Entries in file order, fields stripped but otherwise as written; empty for an index."""
    children: tuple[str, ...] = ()
    """URLs of the files of an index, as written; else empty."""
    error: str = ""
    """What is wrong with the file, in one sentence; there may be entries nevertheless."""


def read_sitemap(
    body: bytes,
    *,
    is_cut: bool = False,
    max_bytes: int = MAX_BYTES,
    max_entries: int = MAX_ENTRIES,
) -> Sitemap:
    """Read a sitemap file: XML urlset or index, text, RSS, Atom; gzipped or not. Never raises.

    ``is_cut``: the end of the file never arrived. ``max_bytes`` bounds the uncompressed size,
    ``max_entries`` the number of entries; the error mentions it if one is exceeded.

    >>> read_sitemap(b"https://example.com/\\nhttps://example.com/about\\n").format
    'text'
    """
    body, error = unpack_body(body, max_bytes)
    if is_cut:
        error = "the response was cut short: only the received part was read"
    body = _to_utf8(body).lstrip()
    if not body:
        sitemap = Sitemap(error="the file is empty")
    elif body.startswith(b"<"):
        sitemap = _read_xml(body, max_entries, is_cut=is_cut or error == TRUNCATED)
    else:
        sitemap = _read_text(body, max_entries, is_cut=bool(error))
    return replace(sitemap, error=error or sitemap.error)


def unpack_body(body: bytes, max_bytes: int = MAX_BYTES) -> tuple[bytes, str]:
    """Undo gzip and cut at ``max_bytes``; return (bytes, error), the latter empty without one."""
    error = ""
    for _ in range(_GZIP_LAYERS):
        if body.startswith(GZIP):
            body, is_whole, fault = gunzip(body, max_bytes)
            if fault:
                error = error or f"damaged gzip, read as far as it went: {fault}"
            elif not is_whole:
                error = error or TRUNCATED
    if body.startswith(GZIP):
        return b"", f"gzip inside gzip, more than {_GZIP_LAYERS} layers of it"
    if len(body) > max_bytes:
        return body[:max_bytes], f"larger than {max_bytes:,} bytes: the rest was not read"
    return body, error


def _to_utf8(body: bytes) -> bytes:
    """Turn UTF-16 with a byte order mark into UTF-8, and drop the mark of UTF-8."""
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace").encode()
    return body.removeprefix(codecs.BOM_UTF8)


def _read_text(body: bytes, max_entries: int, *, is_cut: bool) -> Sitemap:
    """Read one URL a line (sitemaps.org/protocol.html, "Text file"); other lines are counted."""
    if is_cut:  # a truncated URL is a different URL
        body = body[: max(body.rfind(b"\n"), body.rfind(b"\r")) + 1]
    entries: list[SitemapEntry] = []
    strangers = 0
    error = ""
    for match in _LINE.finditer(body):
        text = match[0].decode("utf-8", "replace").strip()
        if len(text) > MAX_URL or not _URL.fullmatch(text):
            strangers += bool(text)
            if strangers == _MAX_STRANGERS:
                what = "lines that are no absolute http(s) URL"
                error = f"{strangers:,} {what}: the rest was not read"
                break
        elif len(entries) < max_entries:
            entries.append(SitemapEntry(text))
        else:
            error = f"more than {max_entries:,} URLs: the rest was not read"
            break
    if not entries:
        return Sitemap(error="neither XML nor a list of URLs")
    if strangers and not error:
        error = f"{strangers} of its lines are not an absolute http(s) URL"
    return Sitemap(format="text", entries=tuple(entries), error=error)


def _read_xml(body: bytes, max_entries: int, *, is_cut: bool) -> Sitemap:
    if body[:14].lower() == b"<!doctype html":  # not XML, where "doctype" must be upper case
        return Sitemap(error="an HTML page")
    encoding = encoding_of(body)
    root = _document_element(body, encoding)
    if root is None:
        return Sitemap(error="XML without a document element")
    dtd = root.getroottree().docinfo.internalDTD
    if dtd is not None and any(dtd.iterentities()):
        return Sitemap(error="its DTD declares entities: nothing was read")
    if len(str(root.tag)) > _MAX_TAG:
        return Sitemap(error=f"{_LONG_TAG}: nothing was read")
    name = split_name(root)[1]
    if name.lower() == "html":
        return Sitemap(error="an HTML page")
    kind = _KINDS.get(name)
    if kind is None:
        return Sitemap(error=line(f"<{name}> is no sitemap and no feed", _MAX_SENTENCE))
    try:
        found, error = _read_entries(body, kind, encoding, max_entries)
    except _MalformedError as malformed:
        found, broken = _salvage_entries(body, kind, root, encoding, max_entries, is_cut=is_cut)
        error = f"malformed or truncated XML ({malformed})"
        error += f"; broken entries left out: {broken:,}" if broken else ""
    entries = tuple([read.entry for read in found if read.entry])
    faults = Counter(read.fault for read in found if read.fault)
    clauses = [f"{counted(faults[each], 'entry', 'entries')} {each}" for each in sorted(faults)]
    error = "; ".join(filter(None, [error, *clauses]))
    if kind.format == "index":
        return Sitemap(format="index", children=tuple(entry.url for entry in entries), error=error)
    return Sitemap(format=kind.format, entries=entries, error=error)


def encoding_of(body: bytes) -> str | None:
    """Return "utf-8" for a file in UTF-8, whatever it declares; else None, to trust the file.

    By default .NET declares "utf-16" in files that are UTF-8.
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _document_element(body: bytes, encoding: str | None) -> etree._Element | None:
    """Parse up to the first start tag; its tree also holds what precedes it, such as a DTD."""
    events = etree.iterparse(
        BytesIO(body[:_BLOCK]), events=("start",), encoding=encoding, recover=True, **_SAFE
    )
    try:
        root: etree._Element = next(events)[1]
        return root
    except (StopIteration, etree.XMLSyntaxError):
        return None


class _MalformedError(Exception):
    """Not well-formed XML; the message names the place."""


def _read_entries(
    body: bytes, kind: _Kind, encoding: str | None, max_entries: int
) -> tuple[list[Entry], str]:
    """Stream the entries; the tree never holds more than one of them and one block."""
    tag, read_entry = f"{{*}}{kind.entry}", READERS[kind.format]
    parser = etree.XMLPullParser(events=("end",), tag=tag, encoding=encoding, **_SAFE)
    found: list[Entry] = []
    since_entry = 0
    try:
        for start in range(0, len(body), _BLOCK):
            parser.feed(body[start : start + _BLOCK])
            since_entry += _BLOCK
            for _, element in parser.read_events():
                if len(found) == max_entries:
                    return found, f"more than {max_entries:,} entries: the rest was not read"
                if len(str(element.tag)) > _MAX_TAG:
                    return found, f"{_LONG_TAG}: the rest was not read"
                since_entry = 0
                found.append(read_entry(element))
                _free_element(element)
            # libxml2 buffers until the current token ends, even for the ";" after a lone "&".
            if since_entry > _MAX_ENTRY_BYTES:
                break
        parser.close()
    except etree.XMLSyntaxError as error:
        fatal = parser.feed_error_log.filter_from_fatals()
        if fatal:
            where = f"line {fatal[0].line}: {fatal[0].message}"
            raise _MalformedError(line(where, _MAX_SENTENCE)) from None
        return found, line(error.msg, _MAX_SENTENCE)  # for example a prefix without a namespace
    return found, ""


def _salvage_entries(
    body: bytes,
    kind: _Kind,
    root: etree._Element,
    encoding: str | None,
    max_entries: int,
    *,
    is_cut: bool,
) -> tuple[list[Entry], int]:
    """Parse each entry of a malformed file alone; return the well-formed ones, count the others.

    lxml's recovery of the whole file is not reliable: it returns ``?a=1&b=2`` as ``?a=1=2``, and
    half a URL where the file breaks off. Of a last entry without its end, a complete URL counts if
    the response was cut short (``is_cut``), or if another element begins after it.
    """
    prefix = f"{root.prefix}:" if root.prefix else ""
    entry_prefix = "" if kind.format == "rdf" else prefix  # <rdf:RDF> holds plain <item>s
    start_tag = f"<{entry_prefix}{kind.entry}".encode()
    end_tag = f"</{entry_prefix}{kind.entry}>".encode()
    # Each entry is parsed in a copy of its surroundings: encoding, namespaces, root.
    declaration = _DECLARATION.match(body)
    name = f"{prefix}{split_name(root)[1]}"
    before = declaration[0] if declaration else b""
    before += _start_tag(name, root, is_utf8=encoding is not None)
    after = f"</{name}>".encode()
    read_entry = READERS[kind.format]
    parser = etree.XMLParser(encoding=encoding, recover=True, **_SAFE)
    found: list[Entry] = []
    broken = end = 0

    def read_alone(entry: bytes) -> bool:
        element = etree.fromstring(before + entry + after, parser)
        is_sound = element is not None and not parser.error_log.filter_from_fatals()
        if is_sound:
            found.append(read_entry(element[0]))
        return is_sound

    for _ in range(max_entries):
        previous, at = end, body.find(end_tag, end)
        if at < 0:
            start = body.rfind(start_tag, end)
            cut = body[start : start + _MAX_ENTRY_BYTES] if start >= 0 else b""
            location = f"</{entry_prefix}{kind.location}>".encode()
            whole, tag, rest = cut.partition(location)
            if kind.location and tag and (is_cut or _START_TAG.search(rest)):
                read_alone(whole + tag + end_tag)
            break
        end = at + len(end_tag)
        start = body.rfind(start_tag, previous, end)
        is_entry = start >= 0 and end - start <= _MAX_ENTRY_BYTES
        if not (is_entry and read_alone(body[start:end])):
            broken += 1
    return found, broken


def _start_tag(name: str, root: etree._Element, *, is_utf8: bool) -> bytes:
    """Write the start tag of a document element with its namespaces and base, whatever they are.

    It is written as text because lxml raises for namespaces that are not URIs. A long prefix, or
    one beyond ASCII in a file that is not UTF-8, is left undeclared, which loses no entry.
    """
    namespaces = [(root.prefix, root.nsmap.get(root.prefix, "")), *root.nsmap.items()]
    attributes = {
        f"xmlns:{prefix}" if prefix else "xmlns": uri[:_MAX_NAMESPACE]
        for prefix, uri in namespaces[:_MAX_NAMESPACES]
    }
    attributes["xml:base"] = root.get(XML_BASE, "")[: MAX_LENGTH + 1]
    written = (
        f" {key}={quoteattr(value)}"
        for key, value in attributes.items()
        if len(key) <= _MAX_NAMESPACE and (is_utf8 or key.isascii())
    )
    tag = f"<{name}{''.join(written)}>"
    return tag.encode() if is_utf8 else tag.encode("ascii", "xmlcharrefreplace")


def _free_element(element: etree._Element) -> None:
    """Free an element that has been read, and all its predecessors."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]
