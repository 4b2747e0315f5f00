"""Events of the dashboard: their encoding, and their history for clients that reconnect.

Pure functions of the figures. Sending: ``server.py``. The fields of each event:
``docs/guides/dashboard.md``.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from sitemapgen.errors import Exit

if TYPE_CHECKING:
    from sitemapgen.analysis.progress import Sample
    from sitemapgen.extensions.figures import Status
    from sitemapgen.items import Page

SNAPSHOT, PROGRESS, PAGES, FINISHED = "snapshot", "progress", "pages", "finished"
EVENTS = (SNAPSHOT, PROGRESS, PAGES, FINISHED)
"""The types of events."""

RETRY = b"retry: 2000\n\n"
"""Field with the milliseconds after which a client reconnects."""
HEARTBEAT = b": still there\n\n"
"""Comment that keeps a connection alive; clients ignore it."""

LONGEST = 300
"""Maximum number of characters of titles and evidence; URLs have up to 2,048."""

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


class EventLog:
    """The latest events, encoded and numbered from 1; a snapshot replaces older ones."""

    def __init__(self, size: int) -> None:
        self._events: deque[bytes] = deque(maxlen=size)
        self.last_id = 0
        self.is_closed = False

    def append(self, type_: str, data: Mapping[str, Any]) -> None:
        """Keep an event; ``finished`` is the last one."""
        self.last_id += 1
        self._events.append(encode_event(type_, data, self.last_id))
        self.is_closed = type_ == FINISHED

    def events_since(self, last_id: int | None) -> list[bytes] | None:
        """Return the events after a number; None if some are gone, or if the number is invalid."""
        if last_id is None or last_id > self.last_id:
            return None
        missing = self.last_id - last_id
        if missing > len(self._events):
            return None
        return list(islice(self._events, len(self._events) - missing, None))

    def before_the_end(self) -> int:
        """Return the number of the last event that a snapshot covers: all but ``finished``."""
        return self.last_id - self.is_closed


def encode_event(type_: str, data: Mapping[str, Any], id_: int) -> bytes:
    """Encode a Server-Sent Event (HTML Living Standard, section 9.2).

    In ASCII-only JSON, texts cannot add line breaks.
    """
    return f"id: {id_}\nevent: {type_}\ndata: {json.dumps(data)}\n\n".encode("ascii")


def progress_data(status: Status) -> dict[str, Any]:
    """Return the data of ``progress``: the status of the crawl."""
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
        "left": left
        and {"seconds": round(left.seconds), "until": left.until, "sentence": left.sentence},
        "verdicts": dict(status.verdicts),
        "frontier": {str(depth): urls for depth, urls in status.frontier.items()},
    }


def page_data(page: Page) -> dict[str, Any]:
    """Return one page of ``pages``, with the verdict by its response alone."""
    return {
        "url": page.url,
        "status": page.status,
        "verdict": page.judgement.verdict.value,
        "reason": page.judgement.evidence[:LONGEST],
        "title": page.title[:LONGEST],
    }


def curve_points(samples: Iterable[Sample]) -> list[tuple[float, int]]:
    """Return (seconds since the first sample, pages fetched) of each sample, for the curve."""
    samples = list(samples)
    return [(round(sample.at - samples[0].at, 1), sample.fetched) for sample in samples]


def finished_data(
    last: Mapping[str, Any],
    exit_code: int,
    detail: str,
    report: Mapping[str, Any],
    files: Sequence[Mapping[str, str]],
) -> dict[str, Any]:
    """Return the data of ``finished``: the last figures, the outcome of the crawl, and its files.

    ``last``: the data of ``progress``; ``detail``: the sentence of result.json; ``report``:
    report.json, with the final counts, or empty if none was written; ``files``: name, path and
    relative address.
    """
    outcome, sentence = OUTCOMES.get(exit_code, ERROR)
    verdicts = report.get("verdicts") or last["verdicts"]
    return {
        **last,
        "state": "finished",
        "rate": None,
        "outcome": outcome,
        "exit_code": exit_code,
        "sentence": sentence,
        "detail": detail,
        "listed": verdicts.get("listed", 0) if report else last["listed"],
        "verdicts": {verdict: count for verdict, count in verdicts.items() if count},
        "files": list(files),
    }
