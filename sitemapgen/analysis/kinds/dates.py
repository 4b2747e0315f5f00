"""Calendars: URLs with a date, of which the empty ones have no end.

The pages of a calendar follow one another in time. They are fetched outwards from dates with
content, until ``EMPTY`` dates in a row have none, or more where a longer gap was seen. A date that
others link to, far from all that were fetched, is no part of such a row.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.analysis.kinds.laws import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

EMPTY = 24
"""Dates in a row without content that end a calendar: two years of months. Sites with longer gaps
between two dates with content show them before their end is reached."""
GAPS = 2
"""Times the longest gap between two dates with content."""
SPREAD = 4
"""Share of the dates that have to be fetched to be in a row: one in four, as days are sampled."""

_YEAR = "((?:1[89]|20|21)[0-9]{2})"
_MONTH = "(0?[1-9]|1[0-2])"
_DAY = "(0?[1-9]|[12][0-9]|3[01])"
_DATE = re.compile(rf"(?<=[/=]){_YEAR}(?:[/._-]?{_MONTH}(?:[/._-]?{_DAY})?)?(?=[/?&;]|$)")
_NAME = re.compile(r"\?[^?&;=]*=$")
_NAMED = re.compile(
    r"(?<=[?&;])(?P<name>y|yr|year|jahr|m|mo|mon|month|monat|d|day|tag)=(?P<value>[0-9]{1,4})(?=[&;]|$)",
    re.IGNORECASE,
)


class Dated(NamedTuple):
    """The date in a URL."""

    series: str
    """The URL with a placeholder for the date."""
    at: int
    """The number of the day, month or year."""


def dated(url: str) -> Dated | None:
    """Return the date of a URL; None if it has none, or other parameters.

    >>> dated("https://example.com/events/2026/7/")
    Dated(series='https://example.com/events/{month}/', at=24318)
    >>> dated("https://example.com/cal?month=7&year=2026")
    Dated(series='https://example.com/cal?{month}&{year}', at=24318)
    """
    named = {match["name"][0].lower(): int(match["value"]) for match in _NAMED.finditer(url)}
    named = {{"j": "y", "t": "d"}.get(name, name): value for name, value in named.items()}
    if "y" in named:
        series = _NAMED.sub(lambda match: f"{{{match['name'].lower()}}}", url)
        parts = [named.get(name) for name in "ymd"]
    elif found := _DATE.search(url):
        parts = [int(part) if part else None for part in found.groups()]
        unit = ("year", "month", "day")[sum(part is not None for part in parts) - 1]
        series = _NAME.sub("?", url[: found.start()]) + f"{{{unit}}}{url[found.end() :]}"
    else:
        return None
    if "=" in series:
        return None
    year, month, day = parts
    try:
        if not year or not month:
            return Dated(series, year) if year else None
        return Dated(series, date(year, month, day).toordinal() if day else 12 * year + month - 1)
    except ValueError:  # the 30th of February
        return None


def with_content(contents: Mapping[int, frozenset[int]]) -> dict[int, bool]:
    """Return which dates have content: what is not the same on ``SHARED`` dates."""
    counts = Counter(contents.values())
    return {at: counts[content] < SHARED for at, content in contents.items()}


def beyond(dates: Mapping[int, bool], waiting: Iterable[int]) -> tuple[int, set[int]]:
    """Return the dates in a row that end a calendar, and the waiting dates beyond its end.

    ``dates``: whether those that were fetched have content.
    """
    order = sorted(dates)
    full = [at for at in order if dates[at]]
    gap = max((after - before for before, after in pairwise(full)), default=0)
    row = max(EMPTY, GAPS * gap)
    ended = {at for at in waiting if _is_beyond(at, order, dates, row)}
    return row, ended


def _is_beyond(at: int, order: Sequence[int], dates: Mapping[int, bool], row: int) -> bool:
    """Return whether the nearest dates are near, and none of them has content."""
    place = bisect(order, at)
    near = sorted(order[max(0, place - row) : place + row], key=lambda other: abs(other - at))[:row]
    return (
        len(near) == row
        and abs(near[-1] - at) <= SPREAD * row
        and not any(dates[other] for other in near)
    )
