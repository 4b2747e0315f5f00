"""Events of the dashboard: their history for clients that missed some, and their bytes.

Pure: figures in, bytes out. They are sent by ``server.py``; the fields of each:
``docs/guides/dashboard.md``.
"""

from __future__ import annotations

import json
from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any

from sitemapgen.errors import Exit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sitemapgen.analysis.progress import Sample
    from sitemapgen.extensions.figures import Status
    from sitemapgen.items import Page

SNAPSHOT, PROGRESS, PAGES, FINISHED = "snapshot", "progress", "pages", "finished"
EVENTS = (SNAPSHOT, PROGRESS, PAGES, FINISHED)
"""The types of events."""

RETRY = b"retry: 2000\n\n"
"""Milliseconds after which a client connects again."""
HEARTBEAT = b": still there\n\n"
"""A comment, which clients ignore."""

LONGEST = 300
"""Characters of a text that a site made; URLs have 2,048 at the most."""

OUTCOMES: Mapping[int, tuple[str, str]] = {
    Exit.PUBLISHED: ("published", "The sitemap is published."),
    Exit.UNREACHABLE: ("unreachable", "The site could not be reached."),
    Exit.NOTHING: ("nothing", "There was nothing to list."),
    Exit.REFUSED: ("refused", "Refused: the published sitemap stays as it was."),
    Exit.INTERRUPTED: (
        "interrupted",
        "Interrupted: the same command continues.",
    ),
    Exit.NO_SPACE: ("no_space", "The output could not be written."),
}
ERROR = ("error", "The crawl ended with an error.")


class Event:
    """Something that happened, with its number; bytes only once a client needs them."""

    __slots__ = ("_bytes", "data", "id", "type")

    def __init__(self, id_: int, type_: str, data: Mapping[str, Any]) -> None:
        self.id, self.type, self.data = id_, type_, data
        self._bytes = b""

    def encode(self) -> bytes:
        """As Server-Sent Events has it (HTML Living Standard, section 9.2)."""
        if not self._bytes:
            self._bytes = encode(self.type, self.data, self.id)
        return self._bytes


class Journal:
    """The latest events, numbered from 1. What fell out of it is told by a snapshot."""

    def __init__(self, size: int) -> None:
        self._events: deque[Event] = deque(maxlen=size)
        self.last_id = 0
        self.is_closed = False

    def append(self, type_: str, data: Mapping[str, Any]) -> None:
        """Keep an event; ``finished`` is the last one."""
        self.last_id += 1
        self._events.append(Event(self.last_id, type_, data))
        self.is_closed = type_ == FINISHED

    def since(self, last_id: int | None) -> list[Event] | None:
        """The events after this one; None when some of them are gone, or there never was one."""
        if last_id is None or last_id > self.last_id:
            return None
        missing = self.last_id - last_id
        if missing > len(self._events):
            return None
        return list(islice(self._events, len(self._events) - missing, None))

    def before_the_end(self) -> int:
        """The number of the last event that a snapshot stands for."""
        return self.last_id - self.is_closed


def encode(type_: str, data: Mapping[str, Any], id_: int) -> bytes:
    """One event. JSON in ASCII has no line ends of its own, whatever the texts in it have."""
    return f"id: {id_}\nevent: {type_}\ndata: {json.dumps(data)}\n\n".encode("ascii")


def figures(status: Status) -> dict[str, Any]:
    """The data of ``progress``: how the crawl looks now."""
    wait, left = status.wait, status.left
    return {
        "state": status.state,
        "seconds": round(status.seconds, 1),
        "fetched": status.fetched,
        "listed": status.listed,
        "queued": status.queued,
        "later": status.later,
        "rendered": status.rendered,
        "max_pages": status.max_pages,
        "rate": None if status.rate is None else round(status.rate, 2),
        "wait": wait and {"reason": wait.reason, "seconds": round(wait.seconds, 1)},
        "left": left and {"seconds": round(left.seconds), "until": left.until},
        "verdicts": dict(status.verdicts),
        "frontier": {str(depth): urls for depth, urls in status.frontier.items()},
    }


def page_data(page: Page) -> dict[str, Any]:
    """One page of ``pages``, by its answer alone."""
    return {
        "url": page.url,
        "status": page.status,
        "verdict": page.judgement.verdict.value,
        "reason": page.judgement.evidence[:LONGEST],
        "title": page.title[:LONGEST],
    }


def rates(samples: Iterable[Sample]) -> list[tuple[float, int]]:
    """(seconds since the first, pages fetched), for the curve."""
    samples = list(samples)
    return [(round(sample.at - samples[0].at, 1), sample.fetched) for sample in samples]


def finished(
    status: Status, exit_code: int, report: Mapping[str, Any], files: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """The data of ``finished``: the last figures, what became of the crawl, and its files.

    ``report`` is report.json, empty where none was written: its counts are those of the whole site.
    """
    outcome, sentence = OUTCOMES.get(exit_code, ERROR)
    verdicts = report.get("verdicts") or status.verdicts
    return {
        **figures(status),
        "state": "finished",
        "outcome": outcome,
        "exit_code": exit_code,
        "sentence": sentence,
        "listed": verdicts.get("listed", 0),
        "verdicts": {verdict: count for verdict, count in verdicts.items() if count},
        "files": [{"name": name, "path": path} for name, path in files],
    }
