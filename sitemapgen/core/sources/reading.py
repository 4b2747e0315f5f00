"""Interface between the crawl and the readers of systems: questions, responses and records."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sitemapgen.core.sources.statement import Statement

MAX_ROWS = 1_000
"""Rows that are read of one response; no system has more than 500."""

_T = TypeVar("_T")


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


class Reader(Protocol):
    """The rules of one system. Readers have no state."""

    @property
    def system(self) -> str:
        """Name of the system in reports, lower case."""

    @property
    def is_whole(self) -> bool:
        """Whether it states when each page of its content was changed, so that while its
        statements stay the same, nothing is new."""

    def first(self, statement: Statement) -> Ask | None:
        """Return the first request, if the start page names this system; it names at most one."""

    def read(self, ask: Ask, response: Response) -> Answer:
        """Read a response; nothing raises but a bug."""


class Unreadable(ValueError):
    """A response that is not what the system's documentation describes; the text is the error."""


def json_of(response: Response, kind: type) -> Any:
    """Return a JSON document whose outermost value is of a type. Raises Unreadable."""
    try:
        value = json.loads(response.body)
    except (ValueError, RecursionError):
        what = "HTML" if response.body.lstrip()[:1] == b"<" else "no JSON"
        raise Unreadable(f"the answer is {what}") from None
    if not isinstance(value, kind):
        raise Unreadable("the answer has another form than documented")
    return value


def records(
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


def texts(rows: Any, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Return (text, row) of each row, a mapping, in which ``name`` is a text that is not empty."""
    found = []
    for row in rows[:MAX_ROWS] if isinstance(rows, list) else ():
        value = row.get(name) if isinstance(row, dict) else None
        if isinstance(value, str) and value:
            found.append((value, row))
    return found
