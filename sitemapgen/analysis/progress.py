"""How fast is a crawl, and how long will it take? Said only where it can be known.

Who shows it: ``extensions/progress.py``, ``extensions/dashboard/``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

RATE_SECONDS = 10.0
"""The rate is that of the last so many seconds."""
OUTLOOK_SECONDS = 60.0
"""What is expected rests on the last so many."""
LEAST_SECONDS, LEAST_PAGES = 5.0, 5
"""Less than that says nothing about what is to come."""
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
    first, last = _span(samples, RATE_SECONDS)
    seconds = last.at - first.at
    return max(0.0, (last.fetched - first.fetched) / seconds) if seconds >= 1 else None


def time_left(samples: Sequence[Sample], max_pages: int) -> TimeLeft | None:
    """Say when the crawl reaches its cap or the end of its queue; None when nobody can know.

    A cap is known to be reached once enough URLs wait. A queue is known to end once pages hardly
    bring new URLs.
    """
    first, last = _span(samples, OUTLOOK_SECONDS)
    seconds, pages = last.at - first.at, last.fetched - first.fetched
    if seconds < LEAST_SECONDS or pages < LEAST_PAGES or not last.queued:
        return None
    left = max_pages - last.fetched
    if max_pages and left <= last.queued:
        return TimeLeft(max(0, left) * seconds / pages, "cap")
    new = max(0.0, (pages + last.queued - first.queued) / pages)
    if new > MOST_NEW:
        return None
    return TimeLeft(last.queued / (1 - new) * seconds / pages, "queue")


def _span(samples: Sequence[Sample], seconds: float) -> tuple[Sample, Sample]:
    """The last sample and the one so many seconds before it, as far as there are any."""
    if not samples:
        return Sample(0.0, 0, 0), Sample(0.0, 0, 0)
    last = samples[-1]
    first = next(
        (sample for sample in reversed(samples) if last.at - sample.at >= seconds), samples[0]
    )
    return first, last
