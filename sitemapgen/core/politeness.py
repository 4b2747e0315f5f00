"""Decides when a host may be asked again: Retry-After, and the pace that its answers allow.

Acting on it: ``download/downloader.py`` and ``middlewares/backoff.py``. What robots.txt asks for:
``robots.py``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sitemapgen.core.lastmod import http_date

if TYPE_CHECKING:
    from datetime import datetime

REFUSALS = frozenset({429, 503})
"""The statuses that say "not now": RFC 6585 section 4, RFC 9110 section 15.6.4."""

GOOD_ANSWERS = 10
"""So many in a row, and a host that had refused is asked twice as often."""


def retry_after(value: str, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks to wait, None if it says nothing.

    Both forms of RFC 9110 section 10.2.3. A moment in the past is 0. ``now`` is an aware time,
    best the server's own (its Date header): clocks differ.

    >>> retry_after("120", ...), retry_after("soon", ...)
    (120.0, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value)
    moment = http_date(value)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


class Pace:
    """How often one host may be asked, from what it answered.

    A refusal pauses everything: as long as it asks, at least ``start`` seconds, and twice as long
    with every further refusal in a row. Then the host is asked one request at a time, ``gap``
    seconds apart. Each new bout of refusals doubles the gap, ``GOOD_ANSWERS`` in a row halve it.

    All times are seconds on one clock, which only the caller reads.
    """

    __slots__ = ("_good", "_in_a_row", "_refused_at", "_since", "gap", "limits", "resume_at")

    gap: float
    """Seconds between two requests, which are then made one at a time; 0: as usual."""
    resume_at: float
    """Nothing may be asked before."""

    def __init__(self, *, start: float, longest: float, longest_asked: float) -> None:
        """Seconds, each: the first pause, the longest of ours, the longest that a host may ask."""
        self.limits = (start, longest, longest_asked)
        self.gap = 0.0
        self.resume_at = 0.0
        self._in_a_row = 0
        self._since = 0.0
        self._refused_at = -math.inf
        self._good = 0

    def refused(
        self, now: float, began: float, asked: float | None = None, *, again: bool = False
    ) -> float:
        """Note a refusal; return the seconds from ``now`` before which nothing may be asked.

        ``began`` is when the request was sent: several that were under way together are refused
        once. ``asked`` are the seconds of Retry-After. ``again``: the same page was refused before;
        if others were answered in between, that is its own trouble and slows nobody else down.
        """
        start, longest, _ = self.limits
        if began >= self._refused_at:
            if not self._in_a_row:
                self._since = now
                if not again:
                    self.gap = min(longest, max(start, 2 * self.gap))
            pause = min(longest, start * 2 ** min(self._in_a_row, 60))
            self.resume_at = max(self.resume_at, now + pause)
            self._in_a_row += 1
            self._refused_at = now
            self._good = 0
        if asked is not None:
            self.postpone(now, asked)
        return max(0.0, self.resume_at - now)

    def postpone(self, now: float, asked: float) -> None:
        """Ask nothing for so many seconds, or for the longest time that a host may ask."""
        self.resume_at = max(self.resume_at, now + min(asked, self.limits[2]))

    def answered(self, began: float) -> None:
        """Note an answer that was no refusal, to a request that was sent at ``began``."""
        if began < self._refused_at:
            return  # it was under way when the host began to refuse: no sign of recovery
        self._in_a_row = 0
        if not self.gap:
            return
        self._good += 1
        if self._good >= GOOD_ANSWERS:
            self._good = 0
            self.gap /= 2
            if self.gap < self.limits[0] / 10:
                self.gap = 0.0

    @property
    def is_calm(self) -> bool:
        """Whether a good answer changes nothing."""
        return not (self.gap or self._in_a_row)

    @property
    def outage(self) -> float:
        """Seconds from the first refusal of the current row to the end of its pause; 0 if none."""
        return self.resume_at - self._since if self._in_a_row else 0.0
