"""Comparison of the dates of a site: which ones are false, and which one of a page is published.

``core/lastmod.py`` assesses single dates; ``freshness/trust.py`` tests sources from run to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from typing import Any, NamedTuple, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.freshness.trust import (
    CHECKED_EVERY,
    DAY,
    FALSE_ALARMS,
    HONEST_PRECISION,
    PROVED,
    SMALL_SECTIONS,
    VALIDATED_EVERY,
    Pairs,
    Record,
    Trust,
    Validations,
    add_record,
    add_run,
    assess_sections,
    claims_change,
    describe_record,
    is_hiding,
    is_sample,
    tally_claims,
    tally_validations,
)
from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.core.lastmod import (
    BITS,
    OBSERVED,
    SOURCES,
    Claim,
    best_claim,
    claim_number,
    claim_numbers,
    explain_choice,
    latest_claim,
    make_claims,
    unpack_claims,
)
from sitemapgen.core.url_forms import template
from sitemapgen.core.urls import first_segment
from sitemapgen.verdicts import DateFault

MIN_PAGES = 10
"""Minimum pages of a group for a majority to count: three pages may well have changed together."""

RIGHT_CLAIMS = 12
"""Minimum number of changes that a system has stated rightly before its dates count without one."""

WINDOW = 600
"""Seconds that count as one moment: a build, an import or a warm-up takes minutes."""

CLOCK_TOLERANCE = 2 * DAY
"""Seconds by which the clocks of two runs may differ, or a time zone may be wrong."""
NEVER = 1 << 62
NO_MOMENTS = (0,) * len(SOURCES)
NONE = 0
"""Value in place of a moment without a claim; faults are below it."""


class DatedPage(NamedTuple):
    """Dates of one page, now and at the previous visit."""

    key: int
    url: str
    is_listed: bool
    answered: int
    """Time of the response in seconds since 1970 UTC."""
    packed: str
    """The page's own claims."""
    sitemap_dates: str
    """Dates of the page in the site's own sitemaps, one a line; empty for none."""
    system_dates: str
    """Its dates in the systems behind the site, likewise."""
    lastmod: str
    source: str
    evidence: str
    """Evidence for ``lastmod`` from the page alone."""
    visited: int = 0
    """Time of the last visit in seconds since 1970 UTC."""
    stated: int = 0
    """Time at which sitemaps and systems stated its dates: that of the last visit, or later."""
    before: int = 0
    """Time of the visit before that; 0 if the page is new."""
    is_other: bool = False
    """Whether the main text has changed between these visits."""
    packed_before: str = ""
    sitemap_dates_before: str = ""
    system_dates_before: str = ""
    """All three at the previous visit."""
    settled: tuple[str, str, str] = ("", "", "")
    """(lastmod, source, evidence) as published before."""
    is_turn: bool = False
    """Whether it was visited as a check, though its date has not moved."""
    disproved: int = 0
    """Sources that were disproved for this page before: ``BITS``."""


Records: TypeAlias = "Mapping[tuple[str, int], Record]"
"""Record by (source, section); a section is the CRC-32 of its name."""


SPARING = ("sitemap", "api")
"""Sources whose dates are seen without a visit of the page, and may spare it."""

VALIDATORS = "validators"
"""Source name for ETag and Last-Modified as validators of conditional requests."""


class Validated(NamedTuple):
    """A page that was requested conditionally, and read whatever the status."""

    key: int
    url: str
    says_same: bool
    """Whether the server answered 304 Not Modified."""
    changed: bool
    """Whether main text, links or directives had changed."""


class Conclusion(NamedTuple):
    """The published date of one page, with its evidence."""

    key: int
    lastmod: str
    source: str
    evidence: str
    disproved: int = 0
    """Sources that are disproved for this page, this run included; bits as in ``DatedPage``."""
    is_trusted: bool = True
    """Whether its source is trusted; False for a date published before the source lost trust."""


class TrustChange(NamedTuple):
    """A section that a source lost or regained in this run."""

    source: str
    section: int
    example: int
    """The key of a page in the section."""
    is_trusted: bool
    reason: str
    """One of ``trust.REASONS``."""
    evidence: str


def latest_moment(started: Iterable[float], now: float) -> int:
    """Return the latest possible moment of a date or visit, in seconds since 1970 UTC.

    ``started``: start times of previous runs by their clocks. If most of them are later than
    ``now``, the current clock is wrong, and no moment is ruled out.

    >>> latest_moment([100 * DAY, 465 * DAY], 101 * DAY) // DAY
    103
    >>> latest_moment([100 * DAY], DAY) == NEVER
    True
    """
    earlier = list(started)
    ahead = sum(each > now + CLOCK_TOLERANCE for each in earlier)
    behind = sum(each <= now for each in earlier)
    return NEVER if ahead > behind else int(now) + CLOCK_TOLERANCE


def distrusted_sections(records: Records, source: str) -> frozenset[int]:
    """Return the sections in which the dates of a source are not trusted."""
    return frozenset(
        section
        for (each, section), trust in assess_sources(records).items()
        if each == source and not trust.is_trusted
    )


def hiding_sections(records: Records) -> frozenset[int]:
    """Return the sections in which a server answers 304 Not Modified for changed pages."""
    return frozenset(
        section
        for (source, section), record in records.items()
        if source == VALIDATORS and is_hiding(record)
    )


def add_validations(
    pages: Iterable[Validated], records: Records, run: int
) -> dict[tuple[str, int], Record]:
    """Return the records of ETag and Last-Modified for each section, this run included."""
    table = np.fromiter(
        ((page.key, url_section(page.url), page.says_same, page.changed) for page in pages),
        dtype=[("key", np.int64), ("section", np.uint32), ("same", "?"), ("changed", "?")],
    )
    hidden = np.array(sorted(hiding_sections(records)), np.uint32)
    # Samples among hidden sections, where only samples are requested conditionally, and among 304s.
    is_one_of_many = np.isin(table["section"], hidden) | table["same"]
    is_one_of_many &= is_sample(table["key"], run)
    sections, place = np.unique(table["section"], return_inverse=True)
    found = tally_validations(
        Validations(
            section=place,
            says_same=table["same"],
            changed=table["changed"],
            weight=np.where(is_one_of_many, VALIDATED_EVERY, 1.0),
        ),
        len(sections),
    )
    return {
        (VALIDATORS, each): add_record(records.get((VALIDATORS, each), Record()), now)
        for each, now in zip(sections.tolist(), found)
    }


def assess_sources(records: Records) -> dict[tuple[str, int], Trust]:
    """Assess each source in each section, by the records of the section and of the small ones."""
    judged: dict[tuple[str, int], Trust] = {}
    for source in SOURCES:
        keys = [key for key in records if key[0] == source and key[1] != SMALL_SECTIONS]
        small = records.get((source, SMALL_SECTIONS), Record())
        judged.update(zip(keys, assess_sections([records[key] for key in keys], small)))
    return judged


def url_section(url: str) -> int:
    """Return the section of a URL, the CRC-32 of its path's first segment; 0 in the root."""
    return crc32(first_segment(url).encode())


class Dates:
    """Assessment of all claims of a site."""

    records: dict[tuple[str, int], Record]
    """Records of the sources, this run included."""
    changes: list[TrustChange]
    """Sections that sources lost or regained in this run, sorted by source and section."""

    def __init__(
        self, pages: Iterable[DatedPage], records: Records | None = None, horizon: int = NEVER
    ) -> None:
        """Read the pages, keeping some 100 bytes of each. ``records`` are those of previous runs.

        ``horizon``: dates later than this moment come from a wrong clock (``latest_moment``).

        A date that most pages share is not when each of them changed: one moment (a build, an
        import), or one distance from the time of the request (a server that sends its clock, or
        the age of its cache). Both are searched for in each section, the first segment of the path;
        those with fewer than MIN_PAGES dates count as one, which alone follows the whole site if it
        is as small. Dates outside of that moment remain valid.
        """
        table = np.fromiter(
            map(_date_row, pages),
            dtype=[
                ("key", np.int64),
                ("section", np.uint32),
                ("kind", np.uint32),
                ("is_listed", np.bool_),
                ("is_open", np.bool_),
                ("answered", np.int64),
                ("before", np.int64),
                ("is_other", np.bool_),
                ("is_turn", np.bool_),
                ("disproved", np.int64),
                ("settled_source", np.int8),
                ("settled", np.int64),
                ("moments", np.int64, (len(SOURCES),)),
                ("moments_before", np.int64, (len(SOURCES),)),
            ],
        )
        self._keys = table["key"]
        self._is_listed = table["is_listed"]
        self._moments = table["moments"]
        self._moments[self._moments > horizon] = DateFault.FUTURE.code
        self._horizon = horizon
        self._is_future = table["settled"] > horizon
        self._is_common = _mark_common(table)
        self._disproved = np.zeros(len(table), np.int64)
        self._is_withdrawn, self._is_lost = np.zeros((2, len(table)), np.bool_)
        self.changes = []
        _, sections = np.unique(table["section"], return_inverse=True)
        for column in self._moments.T:
            dated = np.flatnonzero(column > NONE)
            moments, answered = column[dated], table["answered"][dated]
            # The distance of a date without a time is measured from the day of the response.
            distances = np.where(moments % DAY, answered, answered // DAY * DAY) - moments
            groups = _section_groups(sections[dated])
            is_shared = _mark_shared(moments, groups) | _mark_shared(distances, groups)
            column[dated[is_shared]] = DateFault.SHARED.code
        self.records = self._compare(table, records or {})
        is_open = table["is_open"] | (self._moments <= DateFault.SHARED.code).any(axis=1)
        self._open = np.flatnonzero(is_open)
        self.keys: list[int] = self._keys[self._open].tolist()
        """Keys of the pages whose date does not follow from the page alone."""

    def _compare(self, table: NDArray[Any], records: Records) -> dict[tuple[str, int], Record]:
        """Compare the dates with the changes seen between visits, and mark those not trusted.

        ``records`` are those of previous runs; the result includes this run.
        """
        sections, place = np.unique(table["section"], return_inverse=True)
        stated = self._moments[:, SOURCES.index("api")].copy()
        remembered: dict[tuple[str, int], Record] = dict(records)
        trusted: list[list[Trust]] = []
        for order, source in enumerate(SOURCES):
            found, small = self._tally_source(table, order, sections, place, records)
            remembered.update(
                ((source, section), record)
                for section, record in [*zip(sections.tolist(), found), (SMALL_SECTIONS, small)]
                if any(record)
            )
            trusted.append(assess_sections(found, small))
        self._believe_system(table, place, stated, remembered, trusted[SOURCES.index("api")])
        self._note_changes(table, records, remembered)
        self._mark_withdrawn(table, place, trusted)
        for column, trust in zip(self._moments.T, trusted):
            is_trusted = np.array([each.is_trusted for each in trust], np.bool_)
            column[(column > NONE) & ~is_trusted[place]] = DateFault.DISTRUSTED.code
        return remembered

    def _tally_source(
        self, table: NDArray[Any], order: int, sections: Ints, place: Ints, records: Records
    ) -> tuple[list[Record], Record]:
        """Compare the dates of one source; return (records by section, that of small sections)."""
        source, column = SOURCES[order], self._moments[:, order]
        bit = BITS[source]
        earlier = table["moments_before"][:, order]
        again = np.flatnonzero(table["before"])
        dated = again[(column[again] > NONE) & (earlier[again] > NONE)]
        is_claimed = claims_change(table["before"][dated], earlier[dated], column[dated])
        is_evidence = is_claimed | ~self._is_common[dated]
        dated, is_claimed = dated[is_evidence], is_claimed[is_evidence]
        pairs = Pairs(
            section=place[dated],
            before=table["before"][dated],
            said_before=earlier[dated],
            says=column[dated],
            changed=table["is_other"][dated],
            weight=np.where(table["is_turn"][dated] & (source in SPARING), CHECKED_EVERY, 1.0),
        )
        is_wrong = np.zeros(len(table), np.bool_)
        is_wrong[dated] = is_claimed != pairs.changed
        # A disproved date stays disproved as long as neither the page nor its date changes.
        is_same = ~table["is_other"] & ((column == earlier) | (table["before"] == 0))
        is_wrong |= is_same & (table["disproved"] >> bit & 1 == 1) & (column > NONE)
        column[is_wrong] = DateFault.DISPROVED.code
        self._disproved |= is_wrong.astype(np.int64) << bit
        known = [records.get((source, section), Record()) for section in sections.tolist()]
        small = records.get((source, SMALL_SECTIONS), Record())
        return add_run(known, tally_claims(pairs, len(sections)), small)

    def _believe_system(
        self,
        table: NDArray[Any],
        place: Ints,
        stated: Ints,
        remembered: Records,
        trusted: list[Trust],
    ) -> None:
        """Have the dates of a system that has been right count for unchanged pages as well.

        It also dates edits of what the main text does not show: another page of the same article,
        categories, an image. ``stated``: its dates before they were compared.
        """
        known = [record for (source, _), record in remembered.items() if source == "api"]
        hits, false_alarms = (
            sum(column) for column in zip(*(each[:2] for each in known or [Record()]))
        )
        is_right = hits >= RIGHT_CLAIMS and hits >= HONEST_PRECISION * (hits + false_alarms)
        is_believed = np.array([each.is_trusted and is_right for each in trusted], np.bool_)[place]
        is_believed &= stated > NONE
        column = self._moments[:, SOURCES.index("api")]
        column[is_believed] = stated[is_believed]
        self._disproved[is_believed] &= ~(1 << BITS["api"])
        self._is_redated = is_believed & (table["settled"] != stated)

    def _note_changes(self, table: NDArray[Any], records: Records, remembered: Records) -> None:
        """Record the sections that sources have lost or regained."""
        for (source, section), record in remembered.items():
            if not (record.is_own or section == SMALL_SECTIONS):
                continue
            before = records.get((source, section), Record())
            if not before.is_own:  # until now it was tested with the other small sections
                before = records.get((source, SMALL_SECTIONS), Record())
            if bool(record.lost) == bool(before.lost):
                continue
            theirs = table["key"][table["section"] == section]
            self.changes.append(
                TrustChange(
                    source,
                    section,
                    int(theirs[0]) if len(theirs) else 0,
                    not record.lost,
                    record.lost or PROVED,
                    describe_record(record),
                )
            )
        self.changes.sort(key=lambda change: (SOURCES.index(change.source), change.section))

    def _mark_withdrawn(self, table: NDArray[Any], place: Ints, trusted: list[list[Trust]]) -> None:
        """Mark published dates of unchanged pages that are withdrawn.

        It takes both a source that has lost the section and evidence about the page: the source
        claimed a change that was none, or a source that is proved in the section dates its last
        change later.
        """
        is_day = table["settled"] % DAY == 0
        settled_until = np.where(is_day, table["settled"] + DAY - 1, table["settled"])
        for order, trust in enumerate(trusted):
            is_lost = np.array([not each.is_trusted for each in trust], np.bool_)[place]
            is_lost &= table["settled_source"] == order
            if not is_lost.any():
                continue
            self._is_lost |= is_lost
            is_alarming = np.array([each.reason == FALSE_ALARMS for each in trust], np.bool_)
            is_moved = self._moments[:, order] == DateFault.DISPROVED.code
            self._is_withdrawn |= is_lost & is_alarming[place] & is_moved
            for column, other in zip(self._moments.T, trusted):
                is_proved = np.array([each.is_proved for each in other], np.bool_)[place]
                self._is_withdrawn |= is_lost & is_proved & (column > settled_until)

    def conclude_pages(self, pages: Iterable[DatedPage]) -> Iterator[Conclusion]:
        """Yield the conclusions that are new, for the pages of ``keys`` in their order."""
        for page, row in zip(pages, self._open):
            claims = _ordered_claims(page)
            moments = self._moments[row].tolist()
            for place, moment in enumerate(filter(None, moments)):
                if moment < NONE:
                    claims[place] = Claim(claims[place].source, "", "", DateFault.of(moment))
            disproved = int(self._disproved[row])
            is_stale = self._is_withdrawn[row] or self._is_future[row] or self._is_redated[row]
            if page.settled[0] and not page.is_other and not is_stale:
                is_trusted = not self._is_lost[row]
                yield Conclusion(page.key, *page.settled, disproved, is_trusted)
                continue
            chosen = best_claim(claims)
            if chosen is None and self._is_observed(page, int(row)):
                seen = datetime.fromtimestamp(page.visited, timezone.utc)
                chosen = Claim(OBSERVED, seen.isoformat(), "the main text has changed")
            conclusion = Conclusion(
                page.key,
                chosen.lastmod if chosen else "",
                chosen.source if chosen else "",
                explain_choice(claims, chosen),
                disproved,
            )
            if conclusion[1:4] != (page.lastmod, page.source, page.evidence):
                yield conclusion

    def _is_observed(self, page: DatedPage, row: int) -> bool:
        """Return whether the time of the last visit dates the last change of a page.

        It does not if the clock ran backwards since the previous visit, or if most pages of its
        kind have changed as well. A change that was seen by a clock too far ahead is dated by the
        next visit, as it had happened by then.
        """
        if self._is_common[row]:
            return False
        is_late = bool(self._is_future[row]) and page.settled[1] == OBSERVED
        is_plausible = is_late or page.before <= page.visited + CLOCK_TOLERANCE
        return (page.is_other or is_late) and is_plausible and page.visited <= self._horizon

    def date_faults(self) -> Iterator[tuple[int, str, int]]:
        """Yield (key, fault, others) of the listed pages with rejected dates.

        ``fault`` is that of the date in the site's sitemaps, empty if it is not rejected;
        ``others`` is the number of the other rejected dates.
        """
        codes = self._moments[:, SOURCES.index("sitemap")]
        rejected = (self._moments < NONE).sum(axis=1)
        rows = np.flatnonzero(self._is_listed & (rejected > 0))
        columns = self._keys[rows], codes[rows], rejected[rows]
        for key, code, count in zip(*(column.tolist() for column in columns)):
            is_wrong = code < NONE
            yield key, DateFault.of(code).value if is_wrong else "", count - is_wrong

    def count_distrusted(self) -> dict[str, dict[str, int]]:
        """Return the number of listed pages with a rejected claim, by its source and fault."""
        counts: dict[str, dict[str, int]] = {}
        for source, column in zip(SOURCES, self._moments[self._is_listed].T):
            for fault in DateFault:
                if count := int(np.count_nonzero(column == fault.code)):
                    counts.setdefault(source, {})[fault.value] = count
        return counts


def _mark_common(table: NDArray[Any]) -> Mask:
    """Mark the changed pages where more than half of a kind, a template of URLs, have changed.

    They have times such as "2 hours ago", items drawn by lot or a new template. The pages of
    smaller kinds are judged together.
    """
    again = np.flatnonzero(table["before"])
    _, kinds = np.unique(table["kind"][again], return_inverse=True)
    groups = _section_groups(kinds)
    sizes = np.bincount(groups)
    changed = np.bincount(groups, table["is_other"][again])
    is_common: Mask = np.zeros(len(table), np.bool_)
    is_common[again] = ((sizes >= MIN_PAGES) & (2 * changed > sizes))[groups]
    is_common &= table["is_other"]
    return is_common


def _section_groups(sections: Ints) -> NDArray[np.uint32]:
    """Return the group of each date by its section; the small sections are group 0 together."""
    sizes = np.bincount(sections)
    return np.where(sizes[sections] < MIN_PAGES, 0, sections + 1).astype(np.uint32)


def _mark_shared(values: Ints, groups: NDArray[np.uint32]) -> Mask:
    """Mark the values that most of their group share; ``groups``: those of ``_section_groups``.

    Where the small sections together are too few to be judged, what most of the site shares counts
    for them if most of theirs are of it.
    """
    is_shared = mark_crowded(values, groups)
    is_small = groups == 0
    few = np.count_nonzero(is_small)
    if 0 < few < MIN_PAGES:
        is_common = is_small & mark_crowded(values, np.zeros_like(groups))
        if 2 * np.count_nonzero(is_common) > few:
            is_shared |= is_common
    return is_shared


def mark_crowded(values: Ints, groups: NDArray[np.uint32]) -> Mask:
    """Mark the values within a WINDOW that more than half of a group of MIN_PAGES or more share.

    Then the rest of the group is searched again: a site may have been built in two parts.
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
        # All on one axis, the groups so far apart that no window reaches from one into the next.
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
    """Return the first value of each group; ``groups`` is sorted."""
    is_first = np.ones(len(groups), np.bool_)
    is_first[1:] = groups[1:] != groups[:-1]
    return values[is_first]


def _date_row(page: DatedPage) -> tuple[Any, ...]:
    worths = claim_numbers(page.packed)
    for claim in _stated_claims(page):
        worths[claim.source] = claim_number(claim)
    lastmod, source, _ = page.settled
    is_claim = lastmod and source != OBSERVED
    # Nothing can be learned if the clock ran backwards.
    before = page.before if page.before <= page.visited else 0
    return (
        page.key,
        url_section(page.url),
        crc32(template(page.url).encode()) if before else 0,
        page.is_listed,
        bool(page.sitemap_dates or page.system_dates or page.before or lastmod),
        page.answered,
        before,
        page.is_other,
        page.is_turn,
        page.disproved,
        SOURCES.index(source) if is_claim else -1,
        claim_number(Claim(source, lastmod, lastmod)) if lastmod else NONE,
        tuple([worths.get(source, NONE) for source in SOURCES]),
        _moments_before(page) if before else NO_MOMENTS,
    )


def _moments_before(page: DatedPage) -> tuple[int, ...]:
    worths = claim_numbers(page.packed_before)
    for claim in _latest_claims(page.sitemap_dates_before, page.system_dates_before, page.before):
        worths[claim.source] = claim_number(claim)
    return tuple([worths.get(source, NONE) for source in SOURCES])


def _ordered_claims(page: DatedPage) -> list[Claim]:
    """Return the claims of a page, and of others for it, the most trusted source first."""
    claims = unpack_claims(page.packed)
    if stated := _stated_claims(page):
        claims += stated
        claims.sort(key=lambda claim: SOURCES.index(claim.source))
    return claims


def _stated_claims(page: DatedPage) -> list[Claim]:
    """Return the claims of sitemaps and systems for a page in this run."""
    when = page.stated or page.visited or page.answered
    return _latest_claims(page.sitemap_dates, page.system_dates, when)


def _latest_claims(sitemap_dates: str, system_dates: str, when: int) -> list[Claim]:
    """Return the latest claim of sitemaps, and that of systems, at a time."""
    return [
        latest_claim(
            [
                make_claims([(source, date)], now=datetime.fromtimestamp(when, timezone.utc))[0]
                for date in dates.split("\n")
            ]
        )
        for source, dates in (("sitemap", sitemap_dates), ("api", system_dates))
        if dates
    ]
