"""Rules for links to other sites: what the response for such a URL means.

The requests: ``download/external.py``.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from sitemapgen.core.eligibility import GONE


class LinkStatus(str, Enum):
    """What a check of a URL has found."""

    WORKS = "works"
    """It answers with a page, also after redirects."""
    DEAD = "dead"
    """It answers 404 or 410."""
    UNREACHABLE = "unreachable"
    """There is no answer, or an error of the server."""
    REFUSED = "refused"
    """It answers that this client may not have it, which does not hold for visitors."""
    NOT_ASKED = "not_asked"
    """It was not requested: robots.txt forbids that, or its address is private."""


BROKEN = (LinkStatus.DEAD, LinkStatus.UNREACHABLE)


class LinkCheck(NamedTuple):
    """The result of the check of one URL."""

    outcome: LinkStatus
    evidence: str = ""
    """Why it does not work, in a few words; empty if it does."""


def finding_of(status: int) -> LinkCheck:
    """Return what the status of a response means.

    >>> [finding_of(status).outcome.value for status in (204, 304, 410, 503, 403, 999)]
    ['works', 'works', 'dead', 'unreachable', 'refused', 'refused']
    """
    if 200 <= status < 400:
        return LinkCheck(LinkStatus.WORKS)
    evidence = f"HTTP {status}"
    if status in GONE:
        return LinkCheck(LinkStatus.DEAD, evidence)
    is_of_server = 500 <= status < 600
    return LinkCheck(LinkStatus.UNREACHABLE if is_of_server else LinkStatus.REFUSED, evidence)
