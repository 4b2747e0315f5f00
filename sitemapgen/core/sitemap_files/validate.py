"""Check of one sitemap file against the protocol: bytes -> findings, and the file's URLs.

``schema.py`` checks the XML structure, ``values.py`` the values of extensions; ``findings.py`` has
the rules by name; ``analysis/validity.py`` checks all files of a set together.
"""

from __future__ import annotations

import codecs
import re
from array import array
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal, NamedTuple

from sitemapgen.core.document.extensions import SKEW, is_recent
from sitemapgen.core.eligibility import MIN_LENGTH
from sitemapgen.core.lastmod import iso_date
from sitemapgen.core.sitemap_files.findings import Findings, Rule, quote_text
from sitemapgen.core.sitemap_files.read import MAX_BYTES, MAX_ENTRIES, read_sitemap, unpack_body
from sitemapgen.core.sitemap_files.schema import NEWS_FIELD, Fields, SchemaReader
from sitemapgen.core.sitemap_files.values import (
    DATE,
    DECIMAL,
    HTTP,
    fault_of_date,
    faults_of_extension,
    forbidden_in_url,
)
from sitemapgen.core.urls import MAX_LENGTH, key, parse, split

READ_ENTRIES = 4 * MAX_ENTRIES
"""Entries of one file after which the rest is not read."""
MAX_FINDINGS = 100_000
"""Findings in one file after which the rest is not checked."""
Field = Literal["lastmod", "changefreq", "priority"]
FIELDS: tuple[Field, ...] = ("lastmod", "changefreq", "priority")
"""Optional fields of an entry in the protocol itself."""
CHANGEFREQS = ("always", "hourly", "daily", "weekly", "monthly", "yearly", "never")
_AHEAD = timedelta(hours=14)
"""Offset of the time zone where a day begins first (UTC+14)."""
_MAX_ORIGINS = 1_000
"""Origins counted per file; URLs of further ones are not counted by origin."""

_LATE_DECLARATION = re.compile(rb"\s+<\?xml[^>]*\?>")
_HTTP_LINE = re.compile(rb"^[ \t]*https?://[^/?#\s]", re.IGNORECASE | re.MULTILINE)
_LINE = re.compile(rb"[^\n]+")


class Place(NamedTuple):
    """Line of the first occurrence of a value, number of occurrences, and an example."""

    line: int
    times: int
    example: str


@dataclass
class Checked:
    """Content of one checked file."""

    name: str
    format: str = ""
    """``urlset``, ``index``, ``text``, ``rss``, ``atom``, ``rdf``; empty if it is not a sitemap."""
    entries: int = 0
    news: int = 0
    """Number of entries that are news."""
    children: list[tuple[str, int]] = field(default_factory=list)
    """(normalised URL, line) of each file in an index."""
    keys: array[int] = field(default_factory=lambda: array("q"))
    """``core.urls.key`` of each URL; empty for an index."""
    lines: array[int] = field(default_factory=lambda: array("q"))
    """Line of each URL in ``keys``, 0 if unknown."""
    origins: dict[str, Place] = field(default_factory=dict)
    """First place of each origin."""
    lastmods: dict[str, Place] = field(default_factory=dict)
    """First places of the first two distinct lastmod values."""

    @property
    def is_news(self) -> bool:
        """Whether all its entries are news."""
        return 0 < self.news == self.entries


def check_file(
    body: bytes,
    findings: Findings,
    *,
    name: str,
    now: datetime,
    location: str = "",
    is_cut: bool = False,
) -> Checked:
    """Check a file: XML urlset or index, text, feed; gzipped or not. Never raises.

    ``name`` stands for the file in the findings. ``now`` is an aware time. ``location`` is the
    required directory of its URLs; empty if it is unknown, or if robots.txt names the file.
    ``is_cut``: the end of the file never arrived.
    """
    return _Checker(findings, name=name, now=now, location=location).check(body, is_cut=is_cut)


class _Enough(Exception):
    """Ends the check of a file that has enough entries or findings."""


class _Checker:
    def __init__(self, findings: Findings, *, name: str, now: datetime, location: str) -> None:
        self.findings = findings
        self.now = now
        self.location = location
        self.origin = split(location).origin if location else ""
        self.file = Checked(name)
        self._added = 0

    def add(self, rule: Rule, line: int, sentence: str) -> None:
        self.findings.add(rule, self.file.name, line, sentence)
        self._added += 1
        if self._added == MAX_FINDINGS:
            raise _Enough

    def check(self, body: bytes, *, is_cut: bool) -> Checked:
        body, problem = unpack_body(body)
        if len(body) == MAX_BYTES and problem.startswith("larger"):
            self.add(Rule.TOO_LARGE, 0, problem)
            is_cut = True
        elif problem or is_cut:
            self.add(Rule.UNREADABLE, 0, problem or "the response was cut short")
            is_cut = True
        body = self._to_utf8(body)
        start = body.lstrip()
        if not start:
            self.add(Rule.NOT_A_SITEMAP, 0, "the file is empty")
        with suppress(_Enough):
            if start.startswith(b"<"):
                self._check_xml(body, is_cut=is_cut)
            elif start:
                self._check_text(body, is_cut=is_cut)
        if self._added >= MAX_FINDINGS:
            what = f"{self._added:,} findings; the rest was not checked"
            self.findings.add(Rule.UNREADABLE, self.file.name, 0, what)
        if self.file.entries > MAX_ENTRIES:
            what = "files" if self.file.format == "index" else "URLs"
            more = "at least " if self.file.entries == READ_ENTRIES else ""
            what = f"{more}{self.file.entries:,} {what}"
            self.findings.add(Rule.TOO_MANY_ENTRIES, self.file.name, 0, what)
        return self.file

    def _to_utf8(self, body: bytes) -> bytes:
        if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            self.add(Rule.ENCODING, 0, "the file is UTF-16; write it in UTF-8")
            text = body.decode("utf-16", "replace")
            return re.sub(r"^(<\?xml[^>]*?) encoding=(\"[^\"]*\"|'[^']*')", r"\1", text).encode()
        return body.removeprefix(codecs.BOM_UTF8)

    # XML

    def _check_xml(self, body: bytes, *, is_cut: bool) -> None:
        add = self._add_of_cut if is_cut else self.add
        late = _LATE_DECLARATION.match(body)
        if late:
            line = body.count(b"\n", 0, late.end()) + 1
            self.add(Rule.NOT_WELL_FORMED, line, "white space before the XML declaration")
            body = b"\n" * (line - 1) + body[late.end() :]
        self.file.format = SchemaReader(add, self._check_entry, self._check_extension).read(body)
        if self.file.format in ("rss", "atom", "rdf"):
            self.add(Rule.FEED, 1, f"the file is a feed ({self.file.format})")
            for entry in read_sitemap(body).entries:
                self._check_url(entry.url, 0)

    def _add_of_cut(self, rule: Rule, line: int, sentence: str) -> None:
        if rule is not Rule.NOT_WELL_FORMED:  # expected without the end of the file
            self.add(rule, line, sentence)

    def _check_entry(self, kind: str, line: int, fields: Fields) -> None:
        self.file.format = kind
        loc, loc_line = fields.get("loc", ("", line))
        if loc.strip():
            self._check_url(loc.strip(), loc_line)
        else:
            self._count_entry()
            self.add(Rule.NO_LOC, line, "without a <loc>, or with an empty one")
        self.file.news += NEWS_FIELD in fields
        for name in FIELDS:
            if name in fields:
                text, line = fields[name]
                for rule, sentence in faults_of_value(name, text, self.now):
                    self.add(rule, line, sentence)
        if "lastmod" in fields:
            text, line = fields["lastmod"]
            _count(self.file.lastmods, text.strip(), line, text.strip(), most=2)

    def _check_extension(
        self, parent: str, name: str, text: str, attributes: Mapping[str, str], line: int
    ) -> None:
        found = list(faults_of_extension(parent, name, text, attributes))
        for sentence in found:
            self.add(Rule.EXTENSION_VALUE, line, sentence)
        is_news_date = (parent, name) == ("news", "publication_date") and iso_date(text)
        if is_news_date and not found and not is_recent(text, self.now):
            what = f"{quote_text(text.strip())} is not of the last two days"
            self.add(Rule.NEWS_DATE, line, what)

    # Text

    def _check_text(self, body: bytes, *, is_cut: bool) -> None:
        body = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if is_cut:
            body = body[: body.rfind(b"\n") + 1]  # a truncated URL is a different URL
        if not _HTTP_LINE.search(body):
            self.add(Rule.NOT_A_SITEMAP, 0, "neither XML nor a list of URLs")
            return
        self.file.format = "text"
        number, before = 1, 0
        for line in _LINE.finditer(body):
            number += body.count(b"\n", before, line.start())
            before = line.start()
            try:
                text = line[0].decode().strip()
            except UnicodeDecodeError:
                text = line[0].decode("utf-8", "replace").strip()
                self.add(Rule.ENCODING, number, f"{quote_text(text)} is not UTF-8")
            if text:
                self._check_url(text, number)

    # URLs

    def _count_entry(self) -> None:
        self.file.entries += 1
        if self.file.entries == READ_ENTRIES:
            raise _Enough

    def _check_url(self, text: str, line: int) -> None:
        file = self.file
        self._count_entry()
        url = self._checked_url(text, line)
        if url is None:
            return
        if file.format == "index":
            file.children.append((url, line))
            return
        file.keys.append(key(url))
        file.lines.append(line)
        origin = split(url).origin
        _count(file.origins, origin, line, url, most=_MAX_ORIGINS)
        if self.location and origin == self.origin and not url.startswith(self.location):
            what = f"is not below {self.location}, and robots.txt does not name the file"
            self.add(Rule.LOCATION, line, f"{quote_text(url)} {what}")

    def _checked_url(self, text: str, line: int) -> str | None:
        if not MIN_LENGTH <= len(text) <= MAX_LENGTH:
            self.add(Rule.LOC_LENGTH, line, f"{quote_text(text)} has {len(text):,} characters")
        url = parse(text) if HTTP.match(text) else None
        if url is None:
            self.add(Rule.LOC_NOT_ABSOLUTE, line, f"{quote_text(text)} is no http or https URL")
            return None
        if url == text:
            return url
        if found := forbidden_in_url(text):
            what = f"{quote_text(text)} has {found}; write {quote_text(url)}"
            self.add(Rule.LOC_CHARACTERS, line, what)
        else:
            self.add(Rule.LOC_FORM, line, f"{quote_text(text)} is requested as {quote_text(url)}")
        return url


def _count(places: dict[str, Place], value: str, line: int, example: str, *, most: int) -> None:
    """Count a value; of those after ``most`` distinct ones only known ones are counted."""
    if value in places:
        places[value] = places[value]._replace(times=places[value].times + 1)
    elif len(places) < most:
        places[value] = Place(line, 1, example)


def faults_of_value(name: str, text: str, now: datetime) -> Iterator[tuple[Rule, str]]:
    """Yield (rule, sentence) of what is wrong with a value of one of the ``FIELDS`` of an entry.

    >>> [rule.word for rule, _ in faults_of_value("priority", "high", datetime.now())]
    ['priority_value']
    """
    if name == "lastmod":
        yield from _faults_of_date(text.strip(), now)
    elif name == "changefreq" and text not in CHANGEFREQS:
        words = ", ".join(CHANGEFREQS)
        yield Rule.CHANGEFREQ_VALUE, f"{quote_text(text)} is none of {words}"
    elif name == "priority" and not (DECIMAL.fullmatch(text.strip()) and 0 <= float(text) <= 1):
        yield Rule.PRIORITY_VALUE, f"{quote_text(text)} is no number from 0.0 to 1.0"


@lru_cache(maxsize=1_024)  # many entries share a date
def _faults_of_date(text: str, now: datetime) -> tuple[tuple[Rule, str], ...]:
    if fault := fault_of_date(text):
        return ((Rule.LASTMOD_FORMAT, fault),)
    match = DATE.fullmatch(text)
    assert match is not None
    faults = []
    day, time, _, zone = match.groups()
    if time and not zone:
        faults.append((Rule.LASTMOD_ZONE, f"{quote_text(text)} has no time zone; write it with Z"))
    if time:
        moment = iso_date(text)
        is_future = isinstance(moment, datetime) and moment > now + SKEW
    else:
        is_future = date.fromisoformat(day) > (now + _AHEAD).date()
    if is_future:
        faults.append((Rule.LASTMOD_FUTURE, f"{quote_text(text)} is in the future"))
    return tuple(faults)
