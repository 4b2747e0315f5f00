"""Interface between the crawl and the readers of systems: what a start page states about the system
behind it, requests, responses and records."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, ClassVar, NamedTuple, TypeVar

from sitemapgen.core.document.markup import read_source
from sitemapgen.core.headers import content_type_of, read_links
from sitemapgen.core.urls import base_of, parse

MAX_ROWS = 1_000
"""Rows that are read of one response; no system has more than 500."""
MAX_LINKS = 200
"""Links of the head that are read."""
MAX_METAS = 200
"""Elements ``<meta>`` that are read."""
MAX_SCRIPTS = 20
"""Addresses and beginnings of scripts that are read."""
_SCRIPT = 2_000

_T = TypeVar("_T")
_ZONED = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)")


class HeadLink(NamedTuple):
    """A <link> of the head, or a link of the ``Link`` headers."""

    rel: frozenset[str]
    """Lower-case words of its rel."""
    href: str
    """Absolute URL."""
    type: str
    """Lower-case media type; empty without one."""


class Statement(NamedTuple):
    """The start page, as far as it names its system."""

    url: str
    links: tuple[HeadLink, ...] = ()
    """Those of the document, then those of its ``Link`` headers."""
    generators: tuple[str, ...] = ()
    """Contents of <meta name="generator">, unmodified."""
    headers: Mapping[str, str] = {}
    """The values of each header, joined by commas, by lower-case name."""
    scripts: tuple[str, ...] = ()
    """Addresses of the first scripts, and the beginnings of those within the page."""

    def link(self, rel: str) -> str:
        """Return the href of the first link with a rel; empty without one."""
        return next((link.href for link in self.links if rel in link.rel), "")

    def is_made_by(self, name: str) -> bool:
        """Return whether a generator begins with a name, in any case."""
        return any(each.lower().startswith(name.lower()) for each in self.generators)


class Ask(NamedTuple):
    """A request to send to a system."""

    url: str
    part: str
    """Name of the part of the system that it belongs to, such as ``posts``; empty for a request
    that only leads to parts. Each part is one row in the report."""
    state: str = ""
    """What the reader needs to continue; opaque for others."""


class Response(NamedTuple):
    """A response with status 200."""

    url: str
    """The URL that was requested."""
    headers: Mapping[str, str]
    """The values of each header, joined by commas, by lower-case name."""
    body: bytes


class SourceRecord(NamedTuple):
    """A page as its system states it."""

    url: str
    """Absolute, or relative to the URL of the response."""
    changed: str = ""
    """Date of its last change in a form of ISO 8601 with a zone; empty if there is none. A date
    whose zone is unknown is none."""
    is_page: bool = True
    """Whether the system lists it for readers; otherwise its date counts if the URL is found
    elsewhere, and it adds no URL."""


MALFORMED = SourceRecord("http://")
"""A row that cannot be read: its URL is none, and counts as such."""


class Answer(NamedTuple):
    """What a response states."""

    records: tuple[SourceRecord, ...] = ()
    more: tuple[Ask, ...] = ()
    """Further requests, in the order in which they are to be sent."""
    error: str = ""
    """Why the response cannot be used, or not completely; empty if it can."""


class Unreadable(ValueError):
    """A response that is not what the system's documentation describes; the text is the error."""

    def __init__(self, sentence: str = "the answer has another form than documented") -> None:
        super().__init__(sentence)


class Reader:
    """The rules of one system. Readers have no state."""

    system: ClassVar[str]
    """Name of the system in reports, lower case."""
    is_whole: ClassVar[bool] = False
    """Whether it states when each page of its content was changed, so that while its statements
    stay the same, nothing is new."""

    def first(self, statement: Statement) -> Ask | None:
        """Return the first request, if the start page names this system; it names at most one."""
        raise NotImplementedError

    def read(self, ask: Ask, response: Response) -> Answer:
        """Read a response; nothing raises but a bug."""
        try:
            return self.answer(ask, response)
        except Unreadable as error:
            return Answer(error=str(error))

    def answer(self, ask: Ask, response: Response) -> Answer:
        """Read a response. Raises Unreadable."""
        raise NotImplementedError


def json_of(response: Response, kind: type = dict) -> Any:
    """Return a JSON document whose outermost value is of a type. Raises Unreadable."""
    try:
        value = json.loads(response.body)
    except (ValueError, RecursionError):
        what = "HTML" if response.body.lstrip()[:1] == b"<" else "no JSON"
        raise Unreadable(f"the answer is {what}") from None
    return _check_type(value, kind)


def json_member(value: dict[str, Any], name: str, kind: type = dict) -> Any:
    """Return a member of a JSON object that is of a type. Raises Unreadable."""
    return _check_type(value.get(name), kind)


def _check_type(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise Unreadable
    return value


def make_records(
    rows: Iterable[_T], read: Callable[[_T], SourceRecord | None]
) -> tuple[SourceRecord, ...]:
    """Return the record of each row for which there is one; that of a bad row is ``MALFORMED``.

    ``read`` raises ValueError for a text that is in no URL, such as half a surrogate pair.
    """
    found = []
    for row in islice(rows, MAX_ROWS):
        try:
            record = read(row)
        except ValueError:
            record = MALFORMED
        if record is not None:
            found.append(record)
    return tuple(found)


def rows_with_text(rows: Any, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Return (text, row) of each row, a mapping, in which ``name`` is a text that is not empty."""
    found = []
    for row in rows[:MAX_ROWS] if isinstance(rows, list) else ():
        value = row.get(name) if isinstance(row, dict) else None
        if isinstance(value, str) and value:
            found.append((value, row))
    return found


def zoned_time(said: object) -> str:
    """Return a time of ISO 8601 that has a zone; empty for everything else.

    >>> zoned_time("2026-03-01T12:00:00-05:00")
    '2026-03-01T12:00:00-05:00'
    >>> zoned_time("2026-03-01T12:00:00"), zoned_time(1772366400)
    ('', '')
    """
    return said if isinstance(said, str) and _ZONED.fullmatch(said) else ""


def read_statement(url: str, headers: Mapping[str, str], body: bytes) -> Statement:
    """Read a start page; ``headers``: the values of each, joined by commas, by lower-case name."""
    tree = read_source(body, content_type_of([headers.get("content-type", "")])).parse().tree
    named = tree.css_first("base[href]")
    base = base_of(url, (named.attributes.get("href") or "") if named else "")
    links = []
    for node in tree.css("link[rel][href]")[:MAX_LINKS]:
        values = {name: value or "" for name, value in node.attributes.items()}
        href = parse(values["href"], base)
        if href:
            links.append(
                HeadLink(
                    frozenset(values["rel"].lower().split()),
                    href,
                    values.get("type", "").strip().lower(),
                )
            )
    for found in read_links([headers.get("link", "")]):
        if href := parse(found.href, url):
            links.append(HeadLink(found.rel, href, ""))
    generators = [
        node.attributes.get("content") or ""
        for node in tree.css("meta[name][content]")[:MAX_METAS]
        if (node.attributes.get("name") or "").lower() == "generator"
    ]
    scripts = [
        node.attributes.get("src") or (node.text() or "")[:_SCRIPT]
        for node in tree.css("script")[:MAX_SCRIPTS]
    ]
    return Statement(url, tuple(links), tuple(generators), headers, tuple(scripts))
