"""Distinguishes an outage of the site from broken pages, by its start page, which did answer.

When to ask it: here. Asking, and waiting until it answers: ``middlewares/outage.py``.
"""

from __future__ import annotations

SERVER_ERROR = 500
"""A status from here on says that it was not the request's fault: RFC 9110 section 15.6."""
SUSPICIOUS = 3
"""Failures in a row: as often as Scrapy asks for a page that fails."""


class Failures:
    """The failures in a row on one site: answers that never came, and server errors."""

    __slots__ = ("_in_a_row", "_suspicious")

    def __init__(self) -> None:
        self._in_a_row = 0
        self._suspicious = SUSPICIOUS

    def failed(self) -> bool:
        """Count a failure; return whether there are so many now that the site may be down."""
        self._in_a_row += 1
        return self._in_a_row >= self._suspicious

    def answered(self) -> None:
        """Note an answer that was none."""
        self._in_a_row = 0
        self._suspicious = SUSPICIOUS

    def site_is_up(self) -> None:
        """Note that the site is up: the next failures are its pages' own for twice as long."""
        self._in_a_row = 0
        self._suspicious *= 2
