"""Evidence of a page's last change: an assessment of each date that it states.

``analysis/lastmod.py`` compares the dates across the site, and chooses the one to publish. The
crawl time is never used: a sitemap with a false lastmod is worth less than one without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import NamedTuple

from sitemapgen.verdicts import DateFault

SOURCES = (
    *("api", "json_ld", "article:modified_time", "dcterms.modified"),
    *("sitemap", "time", "last_modified"),
)
"""Sources of claims, the most trusted first: the system behind the site (``core/sources``),
JSON-LD ``dateModified``, the Open Graph property, the Dublin Core term, the site's own sitemap, a
``<time>`` element, the HTTP header."""

_BY_BIT = (
    *("json_ld", "article:modified_time", "sitemap", "time", "last_modified", "api"),
    "dcterms.modified",
)
BITS = {source: bit for bit, source in enumerate(_BY_BIT)}
"""Bit of each source where the state keeps a set of them; unlike ``SOURCES`` in no order, and a new
source takes the next one."""

OBSERVED = "observed"
"""Source of dates that the crawler found itself: the visit that saw another main text."""

CLOCK_SECONDS = 60
"""Seconds from the time of the response within which a claim counts as the clock, not as a change:
some servers round, cache or run late. By RFC 9110 section 8.8.2.1 a Last-Modified later than Date
is replaced by Date."""

EARLIEST = date(1990, 1, 1)
"""Earliest plausible date; older ones are the zero of some epoch, as no page predates the web."""

MAX_LENGTH = 64
"""Maximum characters of a date."""

# ISO 8601 as found on sites: T, t or a space; seconds, fraction and zone may be missing.
_ISO = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:(?:[Tt]| +)((?:[01][0-9]|2[0-3]):[0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?"
    r" *(?:(?:Z|z|UTC|GMT)|([+-])([01][0-9]|2[0-3])(?::?([0-5][0-9]))?)?)?"
)


class Claim(NamedTuple):
    """Date of a page's last change as one source states it."""

    source: str
    """One of ``SOURCES``."""
    lastmod: str
    """The W3C datetime to publish; empty if the claim has a fault."""
    written: str
    """The date as written by the site; empty if the claim has a fault."""
    fault: DateFault | None = None
    """None if there is no objection to the claim."""


def make_claims(
    candidates: Iterable[tuple[str, str]], *, now: datetime, served: datetime | None = None
) -> tuple[Claim, ...]:
    """Make one claim per source from (source, date as written) pairs, the most trusted first.

    Of each source the first date without a fault counts; if all have one, its first fault.
    ``now`` is the time of the response, ``served`` the same by the server's clock (its Date
    header). A date stays a date, a date-time becomes UTC to the second, as sitemap.xsd accepts
    (sitemaps.org, https://www.w3.org/TR/NOTE-datetime).

    >>> make_claims([("time", "2024-05-01 12:30+02:00")], now=datetime(2026, 1, 1))[0].lastmod
    '2024-05-01T10:30:00+00:00'
    """
    now = _to_utc(now)
    served = served or now
    claims: dict[str, Claim] = {}
    for source, value in candidates:
        before = claims.get(source)
        if before is None or before.fault:
            claim = _make_claim(source, value, now, served)
            if before is None or not claim.fault:
                claims[source] = claim
    if len(claims) <= 1:
        return tuple(claims.values())
    return tuple([claims[source] for source in SOURCES if source in claims])


def latest_claim(claims: Sequence[Claim]) -> Claim:
    """Return the latest of claims of one source, so that the order of reading does not matter."""
    if len(claims) == 1:
        return claims[0]
    return max(claims, key=lambda claim: (not claim.fault, claim_number(claim), claim.written))


def best_claim(claims: Iterable[Claim]) -> Claim | None:
    """Return the first claim without a fault."""
    return next((claim for claim in claims if not claim.fault), None)


def explain_choice(claims: Iterable[Claim], chosen: Claim | None) -> str:
    """Return the evidence for a lastmod: the date as written, and the rejected claims.

    >>> future = Claim("json_ld", "", "", DateFault.FUTURE)
    >>> explain_choice([future], Claim("time", "2024-05-01", "2024-05-01"))
    '2024-05-01; not json_ld (future)'
    """
    parts = [chosen.written] if chosen else []
    parts += [f"not {claim.source} ({claim.fault.value})" for claim in claims if claim.fault]
    return "; ".join(parts)


def claim_number(claim: Claim) -> int:
    """Return a claim as one number: seconds since 1970 UTC, or the negative code of its fault."""
    if claim.fault:
        return claim.fault.code
    moment = datetime.fromisoformat(claim.lastmod)
    return int(_to_utc(moment).timestamp())


def pack_claims(claims: Iterable[Claim]) -> str:
    """Write claims as lines: source, number, lastmod, date as written, with spaces between."""
    return "\n".join(
        f"{claim.source} {claim_number(claim)} {claim.lastmod} {claim.written}" for claim in claims
    )


def unpack_claims(packed: str) -> list[Claim]:
    """Read the claims that ``pack_claims`` wrote."""
    claims = []
    for line in packed.split("\n") if packed else ():
        source, worth, lastmod, written = line.split(" ", 3)
        fault = None if lastmod else DateFault.of(int(worth))
        claims.append(Claim(source, lastmod, written, fault))
    return claims


def claim_numbers(packed: str) -> dict[str, int]:
    """Read only the number of each source from packed claims."""
    rows = (line.split(" ", 2) for line in packed.split("\n")) if packed else ()
    return {row[0]: int(row[1]) for row in rows}


def _make_claim(source: str, value: str, now: datetime, served: datetime) -> Claim:
    value = value[: MAX_LENGTH + 1].strip()
    changed = http_date(value) if source == "last_modified" else iso_date(value)
    fault = _find_fault(changed, now, served)
    if fault is DateFault.CLOCK and source == "api":  # no clock: an edit shortly before the visit
        fault = None
    if fault or changed is None:
        return Claim(source, "", "", fault)
    return Claim(source, changed.isoformat(), " ".join(value.split()))


def _find_fault(changed: date | None, now: datetime, served: datetime) -> DateFault | None:
    if changed is None:
        return DateFault.UNREADABLE
    if isinstance(changed, datetime):
        if abs((changed - served).total_seconds()) <= CLOCK_SECONDS:
            return DateFault.CLOCK
        is_future, day = changed > now, changed.date()
    else:
        is_future, day = changed > now.date(), changed
    if is_future:
        return DateFault.FUTURE
    return DateFault.ANCIENT if day < EARLIEST else None


def iso_date(value: str) -> date | None:
    """Read a date, or a date-time as UTC to the second; None for anything else."""
    value = value.strip()
    read = _iso_date if len(value) <= MAX_LENGTH else _iso_date.__wrapped__
    return read(value)


@lru_cache(maxsize=4_096)  # many pages share a date, above all those of the site's sitemaps
def _iso_date(value: str) -> date | None:
    match = _ISO.fullmatch(value)
    if match is None:
        return None
    day, clock, second, sign, hours, minutes = match.groups()
    try:
        if clock is None:
            return date.fromisoformat(day)
        moment = datetime.fromisoformat(f"{day}T{clock}:{second or '00'}+00:00")
        if sign is None:
            return moment
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        return moment + offset if sign == "-" else moment - offset
    except (ValueError, OverflowError):  # a 30th of February; a zone that leaves the calendar
        return None


def http_date(value: str) -> datetime | None:
    """Read an HTTP date in any of its three forms (RFC 9110 section 5.6.7) as UTC."""
    value = value.strip()
    return _http_date(value) if len(value) <= MAX_LENGTH else None


@lru_cache(maxsize=1_024)  # pages of the same second, or of the same build, share a date
def _http_date(value: str) -> datetime | None:
    try:
        return _to_utc(parsedate_to_datetime(value))
    except (ValueError, TypeError, IndexError, OverflowError):  # it raises all of them on bad input
        return None


def _to_utc(moment: datetime) -> datetime:
    """Convert to UTC; a moment without a zone counts as UTC."""
    if moment.tzinfo is timezone.utc:
        return moment
    if moment.tzinfo is None:
        return moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc)
