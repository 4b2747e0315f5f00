"""Speed of a crawl and the time left, if an estimate is possible.

``extensions/progress.py`` and ``extensions/dashboard/`` display them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sitemapgen.core.words import duration

RATE_SECONDS = 10.0
"""Seconds over which the current rate is measured."""
LEAST_SECONDS, LEAST_PAGES = 10.0, 10
"""Minimum seconds and pages in the latest samples for an estimate."""
MOST_NEW = 0.1
"""Maximum new URLs for each fetched page for an estimate; with more the queue still grows, or may
grow again."""


AT_ONCE = 16
"""Requests at a time of the profile ``fast``."""
FAST_LATENCY = 0.25
"""Maximum mean seconds of the responses of a fast site."""
MOST_ERRORS = 0.01
"""Maximum share of server errors and refusals of a site that can take more requests."""
LONG_SECONDS, GAIN = 30.0, 0.5
"""Minimum seconds of a crawl for which another profile is advised, and the maximum share of them
that it would take."""


class Load(NamedTuple):
    """What a crawl demanded of the site and of this machine."""

    seconds: float
    """From the first request to the last response."""
    answers: int
    errors: int
    """Responses with a server error, or a refusal."""
    latency: float
    """Seconds of all responses together, without those in the browser."""
    cpu: float
    """Seconds of this process."""
    rendering: float
    """Seconds in the browser, divided by the pages that it loads at a time."""


class Sample(NamedTuple):
    """Progress of a crawl at one moment."""

    at: float
    """Seconds on any clock."""
    fetched: int
    left: int
    """Known URLs that are not fetched: waiting, in flight, or for a later phase."""


class TimeLeft(NamedTuple):
    """Estimated end of a crawl."""

    seconds: float
    until: str
    """``cap``: max_pages is reached; ``queue``: the known URLs, and the few that they reveal, are
    fetched."""
    urls: int
    """Number of URLs to go."""
    of: int
    """Number of known URLs, or max_pages."""
    rate: float
    """Pages per second."""

    @property
    def sentence(self) -> str:
        """The estimate with the figures that it is made from.

        >>> TimeLeft(112.5, "queue", 675, 756, 6.0).sentence
        'about 2 min: 675 of 756 known URLs to go at 6 a second'
        """
        until, what = (" until max_pages", "pages") if self.until == "cap" else ("", "known URLs")
        rate = f"{self.rate:,.0f}" if self.rate >= 10 else f"{self.rate:.2g}"
        return (
            f"about {duration(round(self.seconds))}{until}: "
            f"{self.urls:,} of {self.of:,} {what} to go at {rate} a second"
        )


def fast_seconds(load: Load) -> float | None:
    """Estimate the seconds of the same crawl in the profile ``fast``.

    None for a short crawl, a slow or failing site, and where it would save less than half.
    """
    if load.seconds < LONG_SECONDS or load.errors > MOST_ERRORS * load.answers:
        return None
    if load.latency > FAST_LATENCY * load.answers:
        return None
    seconds = max(load.cpu, load.latency / AT_ONCE, load.rendering)
    return seconds if seconds <= GAIN * load.seconds else None


def page_rate(samples: Sequence[Sample]) -> float | None:
    """Return the pages a second over the last samples; None without enough samples."""
    if not samples:
        return None
    last = samples[-1]
    first = next((one for one in reversed(samples) if last.at - one.at >= RATE_SECONDS), samples[0])
    seconds = last.at - first.at
    return max(0.0, (last.fetched - first.fetched) / seconds) if seconds >= 1 else None


def time_left(samples: Sequence[Sample], max_pages: int) -> TimeLeft | None:
    """Estimate when the crawl reaches its cap or has fetched all known URLs; None if impossible.

    The cap will be reached if enough URLs are known. The crawl will end if pages reveal hardly any
    new URLs.
    """
    last = samples[-1] if samples else Sample(0.0, 0, 0)
    for first in reversed(samples):
        seconds, pages = last.at - first.at, last.fetched - first.fetched
        if seconds >= LEAST_SECONDS and pages >= LEAST_PAGES:
            break
    else:
        return None
    rate, left = pages / seconds, max_pages - last.fetched
    if max_pages and 0 <= left <= last.left:
        return TimeLeft(left / rate, "cap", left, max_pages, rate)
    new = max(0.0, (pages + last.left - first.left) / pages)
    if new > MOST_NEW:
        return None
    known = last.fetched + last.left
    return TimeLeft(last.left / (1 - new) / rate, "queue", last.left, known, rate)
