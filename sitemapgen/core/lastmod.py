"""When did a page last change? From the dates that it and its site claim, one to stand by, or none.

Never the crawl time: a sitemap whose lastmod lies is worth less than one without.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Evidence(NamedTuple):
    """One claim about when a page last changed."""

    source: str
    """One of ``SOURCES``."""
    value: str
    """The date as it was written there."""


SOURCES = ("json_ld", "article:modified_time", "sitemap", "time", "last_modified")
"""Where claims come from, the most trusted first: JSON-LD ``dateModified``, the Open Graph
property, the site's own sitemap, a ``<time>`` element, the HTTP header."""

EARLIEST = date(1990, 1, 1)
"""No page is older than the web; such dates are zeroes of somebody's epoch."""

# ISO 8601 as sites write it: T, t or a space; seconds, fraction and zone may be missing.
_ISO = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:(?:[Tt]| +)([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?"
    r" *(?:(?:Z|z|UTC|GMT)|([+-])([0-9]{2})(?::?([0-5][0-9]))?)?)?"
)


def choose(candidates: Iterable[Evidence | tuple[str, str]], *, now: datetime) -> tuple[str, str]:
    """Return the most trusted defensible date as a W3C datetime, and its source; or two empty ones.

    Claims that are malformed, only a year or a month, in the future or before 1990 are passed
    over; among claims of one source the first counts. A date stays a date, a date-time becomes
    UTC to the second: what sitemap.xsd accepts (sitemaps.org, https://www.w3.org/TR/NOTE-datetime).

    >>> choose([("time", "2024-05-01 12:30+02:00")], now=datetime(2026, 1, 1, tzinfo=timezone.utc))
    ('2024-05-01T10:30:00+00:00', 'time')
    """
    claims = sorted(
        (claim for claim in candidates if claim[0] in SOURCES),
        key=lambda claim: SOURCES.index(claim[0]),
    )
    for source, value in claims:
        changed = _http_date(value) if source == "last_modified" else _iso_date(value)
        if changed is not None and _is_plausible(changed, _utc(now)):
            return changed.isoformat(), source
    return "", ""


def last_modified_evidence(last_modified: str, date: str) -> str:
    """Return a Last-Modified header that says something, else an empty string.

    One that equals the Date header is the time of the answer, and one that is later cannot be
    (RFC 9110 section 8.8.2.1).
    """
    changed, answered = _http_date(last_modified), _http_date(date)
    if changed is None or (answered is not None and changed >= answered):
        return ""
    return last_modified.strip()


def _is_plausible(changed: date, now: datetime) -> bool:
    if isinstance(changed, datetime):
        return changed <= now and changed.date() >= EARLIEST
    return EARLIEST <= changed <= now.date()


def _iso_date(value: str) -> date | None:
    """Read a date, or a date-time as UTC to the second; None for anything else."""
    match = _ISO.fullmatch(value.strip())
    if match is None:
        return None
    *numbers, sign, hours, minutes = match.groups()
    year, month, day, hour, minute, second = (int(number or 0) for number in numbers)
    try:
        if match[4] is None:
            return date(year, month, day)
        offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        zone = timezone(-offset if sign == "-" else offset)
        return _utc(datetime(year, month, day, hour, minute, second, tzinfo=zone))
    except (ValueError, OverflowError):  # a 30th of February; a zone that leaves the calendar
        return None


@lru_cache(maxsize=1_024)  # pages of the same second, or of the same build, share theirs
def _http_date(value: str) -> datetime | None:
    """Read an HTTP date in any of its three forms (RFC 9110 section 5.6.7) as UTC."""
    try:
        return _utc(parsedate_to_datetime(value))
    except (ValueError, TypeError, IndexError, OverflowError):  # it raises all of them on bad input
        return None


def _utc(moment: datetime) -> datetime:
    """Convert to UTC; a moment without a zone is taken to be in it."""
    if moment.tzinfo is None:
        return moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc)
