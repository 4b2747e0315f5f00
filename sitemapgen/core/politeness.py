"""Back-off rules for a host: Retry-After, a pace that follows from its responses, outages.

``download/downloader.py``, ``middlewares/backoff.py`` and ``middlewares/outage.py`` apply them;
``robots.py`` parses the delays of robots.txt.
"""

from __future__ import annotations

import math
from datetime import datetime

from sitemapgen.core.lastmod import http_date

REFUSALS = frozenset({429, 503})
"""Statuses that mean "not now": RFC 6585 section 4, RFC 9110 section 15.6.4."""

FORBIDDEN = 403
"""Status of a page that is closed for good, and of all pages while a firewall keeps a crawler out.
"""
SERVER_ERROR = 500
"""Lowest status of a server error (RFC 9110 section 15.6)."""
SUSPICIOUS = 3
"""Failures in a row that trigger the first check: as many as Scrapy's requests for one page."""

GOOD_ANSWERS = 10
"""Responses in a row that are not refusals, after which the gap between requests is halved."""


def retry_after(value: str, now: datetime) -> float | None:
    """Return the seconds to wait by a Retry-After header, None if it is malformed.

    Both forms of RFC 9110 section 10.2.3. A moment in the past is 0. ``now`` is an aware time,
    best the server's own (its Date header), as clocks differ.

    >>> retry_after("120", ...), retry_after("soon", ...)
    (120.0, None)
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value)
    moment = http_date(value)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


class Pace:
    """Rate of requests to one host, adapted to its responses.

    A refusal pauses all requests: for the time of its Retry-After, at least ``start`` seconds, and
    twice as long with every further refusal in a row. Then requests are sent one at a time, ``gap``
    seconds apart. Each new series of refusals doubles the gap, ``GOOD_ANSWERS`` in a row halve it.

    All times are seconds on one clock, which only the caller reads.
    """

    def __init__(self, *, start: float, longest: float, longest_asked: float) -> None:
        """Set, in seconds, the first pause, the longest one, and the longest by Retry-After."""
        self.limits = (start, longest, longest_asked)
        self.gap = 0.0
        """Seconds between two requests, which are then sent one at a time; 0 for no restriction."""
        self.resume_at = 0.0
        """Time before which no request may be sent."""
        self._in_a_row = 0
        self._since = 0.0
        self._refused_at = -math.inf
        self._good = 0

    def refused(
        self, now: float, began: float, asked: float | None = None, *, again: bool = False
    ) -> float:
        """Record a refusal; return the seconds from ``now`` in which no request may be sent.

        ``began`` is when the request was sent: several in flight at the same time count as one
        refusal. ``asked`` are the seconds of Retry-After. ``again``: the same page was refused
        before; if others were answered in between, the gap for the host does not grow.
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
        """Pause for ``asked`` seconds, at most the longest pause by Retry-After."""
        self.resume_at = max(self.resume_at, now + min(asked, self.limits[2]))

    def answered(self, began: float) -> None:
        """Record a response that is not a refusal, to a request that was sent at ``began``."""
        if began < self._refused_at:
            return  # in flight when the host began to refuse: no sign of recovery
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
        """Whether there is neither a gap nor a current row of refusals."""
        return not (self.gap or self._in_a_row)

    @property
    def outage(self) -> float:
        """Seconds from the first refusal of the current row to the end of its pause; 0 if none."""
        return self.resume_at - self._since if self._in_a_row else 0.0


class Failures:
    """Missing responses, server errors and 403 in a row on one site: an outage, or single pages.

    After some of them the start page is requested: ``middlewares/outage.py``.
    """

    def __init__(self) -> None:
        self._in_a_row = 0
        self._suspicious = SUSPICIOUS

    def failed(self) -> bool:
        """Count a failure; return whether there are enough of them to check the site."""
        self._in_a_row += 1
        return self._in_a_row >= self._suspicious

    def answered(self) -> None:
        """Record a response that is not a failure."""
        self._in_a_row = 0
        self._suspicious = SUSPICIOUS

    def site_is_up(self) -> None:
        """Record that the site is up: the next check takes twice as many failures in a row."""
        self._in_a_row = 0
        self._suspicious *= 2
