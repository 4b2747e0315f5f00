"""Which failures may pass by themselves: server errors, time-outs, resets, failed renders.

When they are asked for again: ``analysis/late_retry.py``.
"""

from __future__ import annotations

from sitemapgen.verdicts import Verdict

CLIENT_STATUSES = frozenset({408, 425, 429})
"""Time-out, too early, too many requests: RFC 9110 section 15.5.9, RFC 8470, RFC 6585."""
PERMANENT_STATUSES = frozenset({501, 505, 506, 508, 510, 511})
"""Server errors about the request or the server's configuration: RFC 9110 section 15.6."""
CRASHED = "the crawler crashed twice while reading it"
"""Evidence of a page that the process died on."""
LOST = "lost inside the crawler; its log says why"
"""Evidence of a page, and error of a sitemap file, that an error in the crawler kept from being
read."""
PERMANENT_WORDS = (
    CRASHED,
    LOST,
    *("the answer is too large", "the answer is not in the encoding", "TLS failed"),
    *("needs a browser", "a private address", "DOWNLOAD_HANDLERS has no"),
)
"""How the evidence begins of what fails for its own sake."""


def may_pass(verdict: str, status: int | None, evidence: str) -> bool:
    """Report whether a page with this verdict may answer later.

    >>> may_pass("http_error", 502, "HTTP 502"), may_pass("http_error", 404, "HTTP 404")
    (True, False)
    """
    if verdict == Verdict.HTTP_ERROR.value:
        return status in CLIENT_STATUSES or (
            status is not None and status >= 500 and status not in PERMANENT_STATUSES
        )
    # A listed one is a page of an earlier run that could not be read now: it stands as it was.
    return not evidence.startswith(PERMANENT_WORDS)
