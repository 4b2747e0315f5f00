"""Which failures may pass by themselves: server errors, time-outs, resets, failed renders.

When they are asked for again: ``analysis/late_retry.py``.
"""

from __future__ import annotations

from sitemapgen.verdicts import Reason, Verdict

CLIENT_STATUSES = frozenset({408, 425, 429})
"""Time-out, too early, too many requests: RFC 9110 section 15.5.9, RFC 8470, RFC 6585."""
PERMANENT_STATUSES = frozenset({501, 505, 506, 508, 510, 511})
"""Server errors about the request or the server's configuration: RFC 9110 section 15.6."""
CRASHED = "the crawler crashed twice while reading it"
"""Evidence of a page at which the process ended."""
LOST = "lost inside the crawler; its log says why"
"""Evidence of a page, and error of a sitemap file, that an error in the crawler kept from being
read."""
PERMANENT = frozenset({Reason.PERMANENT, Reason.CRASHED, Reason.LOST})


def may_pass(verdict: Verdict, status: int | None, reason: Reason) -> bool:
    """Report whether a page with this verdict may answer later.

    >>> [may_pass(Verdict.HTTP_ERROR, status, Reason.NONE) for status in (502, 404)]
    [True, False]
    """
    if verdict is Verdict.HTTP_ERROR:
        return status in CLIENT_STATUSES or (
            status is not None and status >= 500 and status not in PERMANENT_STATUSES
        )
    # A listed one is a page of an earlier run that could not be read now: it stands as it was.
    return reason not in PERMANENT
