"""Speed of a crawl and the time that is left, where an estimate is possible.

Who shows it: ``extensions/progress.py``, ``extensions/dashboard/``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

RATE_SECONDS = 10.0
"""The rate is that of the last so many seconds."""
LEAST_SECONDS, LEAST_PAGES = 10.0, 10
"""Less than that, in the latest samples, says nothing about what is to come."""
MOST_NEW = 0.1
"""New URLs for each page fetched; with more of them the queue still grows, or may again."""


class Sample(NamedTuple):
    """How far a crawl was at one moment."""

    at: float
    """Seconds on any clock."""
    fetched: int
    queued: int
    """URLs that wait or are under way."""


class TimeLeft(NamedTuple):
    """What can be said about the end of a crawl."""

    seconds: float
    until: str
    """``cap``: max_pages is reached; ``queue``: what waits now, and the little that it will bring,
    is fetched. Whether URLs of another phase follow is not known before."""


def rate(samples: Sequence[Sample]) -> float | None:
    """Pages a second over the last samples; None when there is nothing to tell it by."""
    if not samples:
        return None
    last = samples[-1]
    first = next((one for one in reversed(samples) if last.at - one.at >= RATE_SECONDS), samples[0])
    seconds = last.at - first.at
    return max(0.0, (last.fetched - first.fetched) / seconds) if seconds >= 1 else None


def time_left(samples: Sequence[Sample], max_pages: int) -> TimeLeft | None:
    """Estimate when the crawl reaches its cap or the end of its queue; None if impossible.

    A cap is known to be reached once enough URLs wait. A queue is known to end once pages hardly
    bring new URLs.
    """
    last = samples[-1] if samples else Sample(0.0, 0, 0)
    for first in reversed(samples):
        seconds, pages = last.at - first.at, last.fetched - first.fetched
        if seconds >= LEAST_SECONDS and pages >= LEAST_PAGES:
            break
    else:
        return None
    left = max_pages - last.fetched
    if max_pages and 0 <= left <= last.queued:
        return TimeLeft(left * seconds / pages, "cap")
    new = max(0.0, (pages + last.queued - first.queued) / pages)
    if new > MOST_NEW:
        return None
    return TimeLeft(last.queued / (1 - new) * seconds / pages, "queue")
