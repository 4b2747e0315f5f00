"""Turning of numbered pages of an API, and times that readers accept."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.sources.reading import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

_ZONED = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)")


class Turn(NamedTuple):
    """A page of an API, as the state of a request."""

    number: int
    before: str = ""
    """Digest of the rows of the page before; empty for the first page."""

    @classmethod
    def of(cls, state: str) -> Turn:
        """Read what :meth:`state` wrote.

        >>> Turn.of(Turn(2, "ab").state())
        Turn(number=2, before='ab')
        """
        number, _, before = state.partition(" ")
        return cls(int(number), before)

    def state(self) -> str:
        """Return the state of a request."""
        return f"{self.number} {self.before}"

    def next(self, rows: Iterable[str]) -> Turn:
        """Return the turn after a page with these rows.

        Raises Unreadable if they are those of the page before: then the API ignores the number,
        and its pages have no end.
        """
        digest = blake2b("\n".join(rows).encode("utf-8", "replace"), digest_size=8).hexdigest()
        if digest == self.before:
            raise Unreadable(f"page {self.number:,} has the rows of the page before")
        return Turn(self.number + 1, digest)


def zoned(said: object) -> str:
    """Return a time of ISO 8601 that has a zone; empty for everything else.

    >>> zoned("2026-03-01T12:00:00-05:00"), zoned("2026-03-01T12:00:00"), zoned(1772366400)
    ('2026-03-01T12:00:00-05:00', '', '')
    """
    return said if isinstance(said, str) and _ZONED.fullmatch(said) else ""
