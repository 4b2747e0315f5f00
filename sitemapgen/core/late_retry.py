"""Classification of failures that may be temporary: server errors, time-outs, failed renders.

``analysis/late_retry.py`` plans the retries.
"""

from __future__ import annotations

from sitemapgen.items import Judgement
from sitemapgen.verdicts import Reason, Verdict

CLIENT_STATUSES = frozenset({408, 425, 429})
"""Temporary statuses: time-out (RFC 9110 section 15.5.9), too early (RFC 8470), too many requests
(RFC 6585)."""
PERMANENT_STATUSES = frozenset({501, 505, 506, 508, 510, 511})
"""Permanent server errors, about the request or the server's configuration (RFC 9110 section 15.6).
"""
CRASHED = Judgement(
    Verdict.FETCH_ERROR, "the crawler crashed twice while reading it", reason=Reason.CRASHED
)
MAX_WORKER_DEATHS = 4
"""Number of workers that may end while they have a page; it is left out then. The other pages that
they had are none of it: after the first time, one such page at a time is handed out."""
DEADLY = CRASHED._replace(evidence=f"{MAX_WORKER_DEATHS} workers ended while they had it")
LOST = Judgement(Verdict.FETCH_ERROR, "lost inside the crawler; see its log", reason=Reason.LOST)
"""A page, or a sitemap file, that was not read because of an error in the crawler."""
PERMANENT = frozenset({Reason.PERMANENT, Reason.CRASHED, Reason.LOST})
"""Reasons of failures that are not temporary."""


def may_pass(verdict: Verdict, status: int | None, reason: Reason) -> bool:
    """Return whether a page with this verdict may respond later.

    >>> [may_pass(Verdict.HTTP_ERROR, status, Reason.NONE) for status in (502, 404)]
    [True, False]
    """
    if verdict is Verdict.HTTP_ERROR:
        return status in CLIENT_STATUSES or (
            status is not None and status >= 500 and status not in PERMANENT_STATUSES
        )
    # A listed one is a page of a previous run that could not be read now, and was kept.
    return reason not in PERMANENT
