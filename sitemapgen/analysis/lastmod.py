"""Which dates of a site are worth nothing, seen beside each other, and which remain?

What a date is worth by itself: ``core/lastmod.py``. Which sources have been right from run to run:
``freshness/trust.py``.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np

from sitemapgen.analysis.freshness.trust import (
    CHECKED_EVERY,
    Pairs,
    Record,
    claims_change,
    judge,
    remember,
    tally,
)
from sitemapgen.core.lastmod import (
    DISPROVED,
    DISTRUSTED,
    FAULTS,
    OBSERVED,
    SHARED,
    SOURCES,
    Claim,
    best,
    code,
    explain,
    latest,
    number,
    numbers,
    unpack,
    weigh,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TypeAlias

    from numpy.typing import NDArray

    from sitemapgen.analysis.freshness.trust import Trust
    from sitemapgen.analysis.graph import Ints, Mask

MIN_PAGES = 10
"""Of fewer pages nothing can be called most: three pages may well have changed together."""

WINDOW = 600
"""Seconds that count as one moment: a build, an import or a warm-up takes minutes."""

DAY = 86_400
NO_MOMENTS = (0,) * len(SOURCES)
NONE = 0
"""Instead of a moment, where there is no claim; faults are below it."""


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
    """What the page alone says."""
    visited: int = 0
    """When it was last asked for, in seconds since 1970 UTC."""
    before: int = 0
    """When it was before that; 0 if it is new."""
    is_other: bool = False
    """Whether the main text has changed in between."""
    packed_before: str = ""
    sitemap_before: str = ""
    """The claims of then."""
    settled: tuple[str, str, str] = ("", "", "")
    """The lastmod of then, its source and its evidence."""
    is_turn: bool = False
    """Whether it was asked for though its sitemap's date has not moved."""


Records: TypeAlias = "Mapping[tuple[str, int], Record]"
"""How often each source was right about each section, by the CRC-32 of its name."""


class Conclusion(NamedTuple):
    """The date of one page, and what it rests on."""

    key: int
    lastmod: str
    source: str
    evidence: str


def sparing(records: Records) -> frozenset[int]:
    """The sections in which the date of a sitemap, if it has not moved, spares a request."""
    judged = trusts(records)
    return frozenset(
        section
        for (source, section), trust in judged.items()
        if source == "sitemap" and trust.is_sparing
    )


def trusts(records: Records) -> dict[tuple[str, int], Trust]:
    """What is thought of each source in each section, by the records of both."""
    judged: dict[tuple[str, int], Trust] = {}
    for source in SOURCES:
        keys = [key for key in records if key[0] == source]
        judged.update(zip(keys, judge([records[key] for key in keys])))
    return judged


def section(url: str) -> int:
    """The section of a URL, the first segment of its path, as a number; 0 in the root."""
    segments = url.split("/", 4)
    return crc32(segments[3].encode()) if len(segments) > 4 else 0


class Dates:
    """All claims of a site, and which of them are believed."""

    records: dict[tuple[str, int], Record]
    """How often each source has been right, this run included."""

    def __init__(self, pages: Iterable[Dated], records: Records | None = None) -> None:
        """Read the pages; some 100 bytes of each are kept. ``records`` are those of before.

        What most pages share is not when each of them changed: one moment (a build, an import), or
        one distance from the time of the request (a server that answers with its clock, or with
        the age of its cache). Both are looked for in the whole site and in each section, the first
        segment of the path; the dates outside that moment keep their worth.
        """
        table = np.fromiter(
            map(_row, pages),
            dtype=[
                ("key", np.int64),
                ("section", np.uint32),
                ("is_listed", np.bool_),
                ("is_open", np.bool_),
                ("answered", np.int64),
                ("before", np.int64),
                ("is_other", np.bool_),
                ("is_turn", np.bool_),
                ("moments", np.int64, (len(SOURCES),)),
                ("moments_before", np.int64, (len(SOURCES),)),
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
            column[dated[is_shared]] = code(SHARED)
        self.records = self._compare(table, records or {})
        is_open = table["is_open"] | (self._moments <= code(SHARED)).any(axis=1)
        self._open = np.flatnonzero(is_open)
        self.keys: list[int] = table["key"][self._open].tolist()
        """The pages that more is to be said about than they say themselves, by key."""

    def _compare(self, table: NDArray[Any], records: Records) -> dict[tuple[str, int], Record]:
        """Hold the dates against what was seen from visit to visit; those of then first."""
        again, is_turn = np.flatnonzero(table["before"]), table["is_turn"]
        sections, place = np.unique(table["section"], return_inverse=True)
        remembered: dict[tuple[str, int], Record] = dict(records)
        for source, column, earlier in zip(SOURCES, self._moments.T, table["moments_before"].T):
            dated = again[(column[again] > NONE) & (earlier[again] > NONE)]
            pairs = Pairs(
                section=place[dated],
                before=table["before"][dated],
                said_before=earlier[dated],
                says=column[dated],
                changed=table["is_other"][dated],
                weight=np.where(is_turn[dated] & (source == "sitemap"), CHECKED_EVERY, 1.0),
            )
            known = [records.get((source, section), Record()) for section in sections.tolist()]
            found = list(map(remember, known, tally(pairs, len(sections))))
            remembered.update(
                ((source, section), record)
                for section, record in zip(sections.tolist(), found)
                if any(record)
            )
            is_wrong = claims_change(pairs.before, pairs.said_before, pairs.says) != pairs.changed
            column[dated[is_wrong]] = code(DISPROVED)
            is_trusted = np.array([trust.is_trusted for trust in judge(found)], np.bool_)
            column[(column > NONE) & ~is_trusted[place]] = code(DISTRUSTED)
        return remembered

    def conclude(self, pages: Iterable[Dated]) -> Iterator[Conclusion]:
        """Yield what is concluded of the pages of ``keys``, in their order, where that is news."""
        for page, row in zip(pages, self._open):
            claims = _claims(page)
            moments = self._moments[row].tolist()
            for place, moment in enumerate(filter(None, moments)):
                if moment < NONE:
                    claims[place] = Claim(claims[place].source, "", "", FAULTS[~moment])
            if conclusion := self._kept(page, moments):
                yield conclusion
                continue
            chosen = best(claims)
            if chosen is None and page.is_other:
                seen = datetime.fromtimestamp(page.visited, timezone.utc)
                chosen = Claim(OBSERVED, seen.isoformat(), "the main text has changed")
            conclusion = Conclusion(
                page.key,
                chosen.lastmod if chosen else "",
                chosen.source if chosen else "",
                explain(claims, chosen),
            )
            if conclusion[1:] != (page.lastmod, page.source, page.evidence):
                yield conclusion

    def _kept(self, page: Dated, moments: list[int]) -> Conclusion | None:
        """The date of before, of a page that is as it was, if its source is still believed."""
        lastmod, source, evidence = page.settled
        if not lastmod or page.is_other:
            return None
        if source != OBSERVED and moments[SOURCES.index(source)] < NONE:
            return None
        return Conclusion(page.key, lastmod, source, evidence)

    def distrusted(self) -> dict[str, dict[str, int]]:
        """How many listed pages have a claim that is not believed, by its source and fault."""
        counts: dict[str, dict[str, int]] = {}
        for source, column in zip(SOURCES, self._moments[self._is_listed].T):
            for fault in FAULTS:
                if count := int(np.count_nonzero(column == code(fault))):
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
        group = np.cumsum(is_first) - 1
        sizes = np.diff(np.append(firsts, len(order)))
        # On one line, the groups so far apart that no window reaches from one into the next.
        low = int(sorted_values.min())
        line = (int(sorted_values.max()) - low + 2 * WINDOW) * group + (sorted_values - low)
        within = np.searchsorted(line, line + WINDOW, "right") - np.arange(len(line))
        most = np.maximum.reduceat(within, firsts)
        is_group_crowded = (sizes >= MIN_PAGES) & (2 * most > sizes)
        if not is_group_crowded.any():
            break
        fullest = np.flatnonzero((within == most[group]) & is_group_crowded[group])
        starts = _first_of_each(group[fullest], fullest)
        ends = starts + within[starts]
        steps = np.zeros(len(order) + 1, np.int64)
        steps[starts], steps[ends] = 1, steps[ends] - 1
        marked = np.cumsum(steps[:-1]) > 0
        is_crowded[order[marked]] = True
        order = order[~marked & is_group_crowded[group]]
    return is_crowded


def _first_of_each(groups: Ints, values: Ints) -> Ints:
    """The first value of each group, of groups in order."""
    is_first = np.ones(len(groups), np.bool_)
    is_first[1:] = groups[1:] != groups[:-1]
    return values[is_first]


def _row(page: Dated) -> tuple[Any, ...]:
    worths = numbers(page.packed)
    if page.sitemap:
        worths["sitemap"] = number(_sitemap_claim(page.sitemap, page.visited or page.answered))
    return (
        page.key,
        section(page.url),
        page.is_listed,
        bool(page.sitemap or page.before),
        page.answered,
        page.before,
        page.is_other,
        page.is_turn,
        tuple([worths.get(source, NONE) for source in SOURCES]),
        _moments_before(page) if page.before else NO_MOMENTS,
    )


def _moments_before(page: Dated) -> tuple[int, ...]:
    worths = numbers(page.packed_before)
    if page.sitemap_before:
        worths["sitemap"] = number(_sitemap_claim(page.sitemap_before, page.before))
    return tuple([worths.get(source, NONE) for source in SOURCES])


def _claims(page: Dated) -> list[Claim]:
    """The claims of a page and of the sitemaps about it, the most trusted source first."""
    claims = unpack(page.packed)
    if page.sitemap:
        claims.append(_sitemap_claim(page.sitemap, page.visited or page.answered))
        claims.sort(key=lambda claim: SOURCES.index(claim.source))
    return claims


def _sitemap_claim(said: str, when: int) -> Claim:
    now = datetime.fromtimestamp(when, timezone.utc)
    return latest([weigh([("sitemap", value)], now=now)[0] for value in said.split("\n")])
