"""Distinction of an outage of the site from broken pages, by a check of its start page.

The failures in a row that trigger the check are counted here; ``middlewares/outage.py`` requests
the start page, and waits until it responds.
"""

from __future__ import annotations

SERVER_ERROR = 500
"""Lowest status of a server error (RFC 9110 section 15.6)."""
SUSPICIOUS = 3
"""Failures in a row that trigger the first check: as many as Scrapy's requests for one page."""


class Failures:
    """Failures in a row on one site: missing responses and server errors."""

    __slots__ = ("_in_a_row", "_suspicious")

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
