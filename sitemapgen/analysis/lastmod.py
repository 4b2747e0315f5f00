"""Which dates of a site are worth nothing, seen beside each other, and which remain?

What a date is worth by itself: ``core/lastmod.py``.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from sitemapgen.core.lastmod import FAULTS, SHARED, SOURCES, Claim, best, explain, unpack, weigh
from sitemapgen.core.urls import split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Ints, Mask

MIN_PAGES = 10
"""Of fewer pages nothing can be called most: three pages may well have changed together."""

WINDOW = 600
"""Seconds that count as one moment: a build, an import or a warm-up takes minutes."""

DAY = 86_400
NONE = 0
"""Instead of a moment, where there is no claim; below it, -1 - the place among FAULTS."""


class Dated(NamedTuple):
    """What is known about the date of one page."""

    key: int
    url: str
    is_listed: bool
    answered: int
    """Seconds since 1970 UTC."""
    packed: str
    """The page's own claims."""
    sitemap: str
    """What the site's own sitemaps say, one date a line."""
    lastmod: str
    source: str
    evidence: str
    """What is concluded so far."""


class Conclusion(NamedTuple):
    """The date of one page, and what it rests on."""

    key: int
    lastmod: str
    source: str
    evidence: str


class Dates:
    """All claims of a site, and which of them are believed."""

    def __init__(self, pages: Iterable[Dated]) -> None:
        """Read the pages; some 50 bytes of each are kept.

        What most pages share is not when each of them changed: one moment (a build, an import), or
        one distance from the time of the request (a server that answers with its clock, or with
        the age of its cache). Both are looked for in the whole site and in each section, the first
        segment of the path; the dates outside that moment keep their worth.
        """
        table = np.fromiter(
            map(_row, pages),
            dtype=[
                ("section", np.uint32),
                ("is_listed", np.bool_),
                ("answered", np.int64),
                ("moments", np.int64, (len(SOURCES),)),
            ],
        )
        self._is_listed = table["is_listed"]
        self._moments = table["moments"]
        sections, everywhere = table["section"], np.zeros(len(table), np.uint32)
        for column in self._moments.T:
            dated = np.flatnonzero(column > NONE)
            moments, answered = column[dated], table["answered"][dated]
            # A date without a time is as far from the day of the answer.
            distances = np.where(moments % DAY, answered, answered // DAY * DAY) - moments
            is_shared = np.zeros(len(dated), np.bool_)
            for values in (moments, distances):
                for group in (everywhere, sections):
                    is_shared |= crowded(values, group[dated])
            column[dated[is_shared]] = _code(SHARED)

    def conclude(self, pages: Iterable[Dated]) -> Iterator[Conclusion]:
        """Yield what is concluded of the same pages, in the same order, where it is new."""
        for page, moments in zip(pages, self._moments):
            claims = _claims(page)
            for place, moment in enumerate(filter(None, moments.tolist())):
                if moment < NONE:
                    claims[place] = Claim(claims[place].source, "", "", FAULTS[-1 - moment])
            chosen = best(claims)
            conclusion = Conclusion(
                page.key,
                chosen.lastmod if chosen else "",
                chosen.source if chosen else "",
                explain(claims, chosen),
            )
            if conclusion[1:] != (page.lastmod, page.source, page.evidence):
                yield conclusion

    def distrusted(self) -> dict[str, dict[str, int]]:
        """How many listed pages have a claim that is not believed, by its source and fault."""
        counts: dict[str, dict[str, int]] = {}
        for source, column in zip(SOURCES, self._moments[self._is_listed].T):
            for fault in FAULTS:
                if count := int(np.count_nonzero(column == _code(fault))):
                    counts.setdefault(source, {})[fault] = count
        return counts


def crowded(values: Ints, groups: NDArray[np.uint32]) -> Mask:
    """Mark the values of each group, at least MIN_PAGES, of which more than half share a WINDOW.

    When they are marked, the rest of the group is looked at again: a site may have been built in
    two parts.
    """
    is_crowded: Mask = np.zeros(len(values), np.bool_)
    order = np.lexsort((values, groups))
    while len(order) >= MIN_PAGES:
        sorted_groups, sorted_values = groups[order], values[order]
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = sorted_groups[1:] != sorted_groups[:-1]
        firsts = np.flatnonzero(is_first)
        number = np.cumsum(is_first) - 1
        sizes = np.diff(np.append(firsts, len(order)))
        # On one line, the groups so far apart that no window reaches from one into the next.
        low = int(sorted_values.min())
        line = (int(sorted_values.max()) - low + 2 * WINDOW) * number + (sorted_values - low)
        within = np.searchsorted(line, line + WINDOW, "right") - np.arange(len(line))
        most = np.maximum.reduceat(within, firsts)
        is_group_crowded = (sizes >= MIN_PAGES) & (2 * most > sizes)
        if not is_group_crowded.any():
            break
        fullest = np.flatnonzero((within == most[number]) & is_group_crowded[number])
        starts = _first_of_each(number[fullest], fullest)
        ends = starts + within[starts]
        steps = np.zeros(len(order) + 1, np.int64)
        steps[starts], steps[ends] = 1, steps[ends] - 1
        marked = np.cumsum(steps[:-1]) > 0
        is_crowded[order[marked]] = True
        order = order[~marked & is_group_crowded[number]]
    return is_crowded


def _first_of_each(groups: Ints, values: Ints) -> Ints:
    """The first value of each group, of groups in order."""
    is_first = np.ones(len(groups), np.bool_)
    is_first[1:] = groups[1:] != groups[:-1]
    return values[is_first]


def _row(page: Dated) -> tuple[int, bool, int, tuple[int, ...]]:
    worths = {claim.source: _worth(claim) for claim in _claims(page)}
    section = split(page.url).path.split("/", 2)[1] if page.url.count("/") > 3 else ""
    return (
        crc32(section.encode()),
        page.is_listed,
        page.answered,
        tuple(worths.get(source, NONE) for source in SOURCES),
    )


def _worth(claim: Claim) -> int:
    """A claim as a number: its moment in seconds since 1970 UTC, or its fault."""
    if claim.fault:
        return _code(claim.fault)
    moment = datetime.fromisoformat(claim.lastmod)
    return int(moment.replace(tzinfo=timezone.utc).timestamp())


def _code(fault: str) -> int:
    return -1 - FAULTS.index(fault)


def _claims(page: Dated) -> list[Claim]:
    """The claims of a page and of the sitemaps about it, the most trusted source first."""
    claims = unpack(page.packed)
    if page.sitemap:
        answered = datetime.fromtimestamp(page.answered, timezone.utc)
        said = [weigh([("sitemap", value)], now=answered)[0] for value in page.sitemap.split("\n")]
        # Sitemaps that disagree: the latest date, so that the order of reading does not matter.
        claims.append(max(said, key=lambda claim: (not claim.fault, *claim)))
        claims.sort(key=lambda claim: SOURCES.index(claim.source))
    return claims
