"""Assignment of URLs to the parts of a sitemap, so that few parts change from run to run.

The layouts are those that Schonfeld and Shivakumar found at amazon.com, cnn.com and PubMed Central
("Sitemaps: Above and Beyond the Crawl of Duty", 2009, section 4). ``publish/layouts.py`` writes the
files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, time, timezone
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.key_index import NOWHERE
from sitemapgen.core.lastmod import iso_date

Ints: TypeAlias = NDArray[np.int64]
Series: TypeAlias = tuple[str, str]

KINDS = {
    "size": ("",),
    "section": ("named", "mixed"),
    "recency": ("news", "week", "month", "rest"),
    "log": ("log",),
}
"""Kinds of parts of each layout, in the order in which the index lists them."""

UNDATED = np.iinfo(np.int64).min
"""Date of a URL without one: older than all others."""

OUR_LENGTH = len("2026-03-01T12:00:00+00:00")
"""Characters of a date-time in the form that ``core.lastmod`` writes."""

AGES = [day * 86_400 for day in (2, 7, 30)]
"""Maximum ages of the pages in the first three kinds of ``recency``, in seconds."""

OWN_PART = 100
"""Minimum URLs of a section with parts of its own."""
MOST_SECTIONS = 1_000
"""Maximum sections with parts of their own, the largest first."""
MOST_ENTRIES = 1_000
"""Maximum parts of a log; beyond it the oldest are merged."""


class Part(NamedTuple):
    """One file of a sitemap, whatever its format."""

    kind: str
    number: int
    """Counted from 1 within its kind and label."""
    label: str = ""
    """Of a ``named`` part: the name of its section, as ``file_names.label`` writes it."""


class Capacity(NamedTuple):
    """Maximum URLs and bytes of one part."""

    urls: int
    bytes: int


class Before(NamedTuple):
    """Published parts of the same layout, and the listed URLs in them."""

    parts: Sequence[Part]
    counts: Ints
    """Number of URLs in each part."""
    at: Ints
    """Index in ``parts`` of each listed URL, or NOWHERE."""


class Assigned(NamedTuple):
    """New parts, none of them empty, in the order of the sitemap index."""

    parts: list[Part]
    at: Ints
    """Index in ``parts`` of each listed URL."""


def by_size(sizes: Ints, before: Before, capacity: Capacity) -> Assigned:
    """Fill one part after the other; ``sizes`` are the bytes of the listed URLs, in URL order."""
    filling = _Filling(sizes, capacity, before, [("", "")] * len(before.parts))
    filling.add_urls(("", ""), filling.without_part())
    return filling.assigned_parts("size")


def by_section(
    sizes: Ints,
    before: Before,
    capacity: Capacity,
    sections: Ints,
    published: Sequence[int],
    label_at: Callable[[int], str],
) -> Assigned:
    """Give each section with enough URLs parts of its own; the others share parts.

    ``sections`` has the number of each listed URL's section, ``published`` that of each published
    part, which counts for named parts only. ``label_at`` returns the label of the section of a
    listed URL, by its index. A URL stays in its part even if its section grows or shrinks, but in
    no named part of another section.
    """
    series = [(part.kind, part.label) for part in before.parts]
    is_named = np.array([*(part.kind == "named" for part in before.parts), False])
    own_sections = np.array([*published, 0], np.int64)
    strays = is_named[before.at] & (own_sections[before.at] != sections)
    before = before._replace(at=np.where(strays, NOWHERE, before.at))
    filling = _Filling(sizes, capacity, before, series)
    order = np.argsort(sections, kind="stable")
    starts = np.flatnonzero(np.diff(sections[order], prepend=sections[order[:1]] - 1))
    counts = np.diff(starts, append=len(order))
    names, first = sections[order[starts]], order[starts]
    is_own = np.isin(names, own_sections[is_named])
    enough = np.flatnonzero((counts >= OWN_PART) & ~is_own)
    largest = enough[np.lexsort((first[enough], -counts[enough]))]
    is_own[largest[: max(0, MOST_SECTIONS - int(is_own.sum()))]] = True
    shares = np.ones(len(sizes), np.bool_)
    own = np.flatnonzero(is_own)
    for place in own[np.argsort(first[own])].tolist():
        members = order[starts[place] : starts[place] + counts[place]]
        shares[members] = False
        filling.add_urls(("named", label_at(int(first[place]))), filling.without_part(members))
    filling.add_urls(("mixed", ""), filling.without_part(np.flatnonzero(shares)))
    return filling.assigned_parts("section")


def by_recency(sizes: Ints, before: Before, capacity: Capacity, dates: Ints, now: int) -> Assigned:
    """Sort by age: two days, a week, a month, and the rest; dates in seconds, or UNDATED."""
    kinds = KINDS["recency"]
    ages = np.where(dates == UNDATED, AGES[-1] + 1, now - dates)
    current = np.searchsorted(AGES, ages)
    published = np.array([*(kinds.index(part.kind) for part in before.parts), NOWHERE])
    at = np.where(published[before.at] == current, before.at, NOWHERE)
    series = [(part.kind, "") for part in before.parts]
    filling = _Filling(sizes, capacity, before._replace(at=at), series)
    for place, kind in enumerate(kinds):
        filling.add_urls((kind, ""), filling.without_part(np.flatnonzero(current == place)))
    return filling.assigned_parts("recency")


def as_log(
    sizes: Ints, before: Before, capacity: Capacity, dates: Ints, published: Ints
) -> Assigned:
    """Append new URLs, and URLs with a later date than the published one.

    A URL is in one part only: with its old entry, the log would list two dates of a page, one of
    them wrong, and grow without limit. Pages that change often soon are in the newest parts, and
    the old parts no longer change.
    """
    at = np.where(dates > published, NOWHERE, before.at)
    series = [("log", "")] * len(before.parts)
    filling = _Filling(sizes, capacity, before._replace(at=at), series)
    filling.append_urls(("log", ""), filling.without_part())
    filling.merge_parts(("log", ""))
    return filling.assigned_parts("log")


class _Filling:
    """Parts that are being filled; those of one series have the same kind and label."""

    def __init__(
        self, sizes: Ints, capacity: Capacity, before: Before, series: Sequence[Series]
    ) -> None:
        self._sizes = sizes
        self._capacity = capacity
        self._at = before.at.copy()
        self._parts = list(before.parts)
        self._of: dict[Series, list[int]] = {}
        for place in sorted(range(len(series)), key=self._parts.__getitem__):
            self._of.setdefault(series[place], []).append(place)
        self._used = set(self._parts)
        self._count_members()
        for place, count in enumerate(self._urls):
            if count > capacity.urls or self._bytes[place] > capacity.bytes:
                members = np.flatnonzero(self._at == place)
                self._at[members[self._fitting(members, capacity.urls, capacity.bytes) :]] = NOWHERE
        self._count_members()
        lost = before.counts > self._urls
        self._has_lost = set(np.flatnonzero(lost).tolist())

    def without_part(self, members: Ints | None = None) -> Ints:
        """Return the URLs without a part, among ``members`` or all."""
        if members is None:
            members = np.arange(len(self._at))
        new: Ints = members[self._at[members] == NOWHERE]
        return new

    def add_urls(self, series: Series, members: Ints) -> None:
        """Put URLs into parts that have lost some, which change in any case, then the emptiest one.

        The rest goes into new parts, under the lowest free numbers. A series that fills at most
        half of all its parts but one is laid out anew.
        """
        parts = self._of.get(series, [])
        lost = [place for place in parts if place in self._has_lost]
        others = sorted((place for place in parts if place not in lost), key=self._fill_level)
        self._fill_parts(series, members, [*lost, *others[:1]])
        parts = [place for place in self._of.get(series, []) if self._urls[place]]
        half = len(parts) - 1
        if (
            half > 0
            and 2 * sum(self._urls[place] for place in parts) <= half * self._capacity.urls
            and 2 * sum(self._bytes[place] for place in parts) <= half * self._capacity.bytes
        ):
            members = np.flatnonzero(np.isin(self._at, parts))
            for place in parts:
                self._urls[place] = self._bytes[place] = 0
            self._fill_parts(series, members, parts)

    def append_urls(self, series: Series, members: Ints) -> None:
        """Put URLs into new parts, after all others."""
        numbers = (part.number for part in self._parts)
        self._fill_parts(series, members, [], 1 + max(numbers, default=0))

    def merge_parts(self, series: Series) -> None:
        """Merge the oldest parts if there are more than MOST_ENTRIES, until half of it is left."""
        parts = [place for place in self._of.get(series, []) if self._urls[place]]
        surplus = len(parts) - MOST_ENTRIES // 2 if len(parts) > MOST_ENTRIES else 0
        target = np.arange(len(self._parts))
        into = -1
        for place in parts:
            if surplus <= 0:
                break
            if into >= 0 and self._fits(into, place):
                self._urls[into] += self._urls[place]
                self._bytes[into] += self._bytes[place]
                self._urls[place] = self._bytes[place] = 0
                target[place] = into
                surplus -= 1
            else:
                into = place
        self._at = target[self._at]

    def assigned_parts(self, layout: str) -> Assigned:
        """Return the parts that are not empty; each URL must have a part."""
        kinds = KINDS[layout]
        order = sorted(
            (place for place, count in enumerate(self._urls) if count),
            key=lambda place: self._rank(place, kinds),
        )
        new = np.zeros(len(self._parts), np.int64)
        new[order] = np.arange(len(order))
        return Assigned([self._parts[place] for place in order], new[self._at])

    def _rank(self, place: int, kinds: Sequence[str]) -> tuple[int, str, int]:
        kind, number, label = self._parts[place]
        return kinds.index(kind), label, number

    def _count_members(self) -> None:
        kept = np.flatnonzero(self._at != NOWHERE)
        at = self._at[kept]
        self._urls: list[int] = np.bincount(at, minlength=len(self._parts)).tolist()
        weights = np.bincount(at, self._sizes[kept], minlength=len(self._parts))
        self._bytes: list[int] = weights.astype(np.int64).tolist()  # exact up to 2 ** 53

    def _fits(self, into: int, place: int) -> bool:
        return (
            self._urls[into] + self._urls[place] <= self._capacity.urls
            and self._bytes[into] + self._bytes[place] <= self._capacity.bytes
        )

    def _fill_level(self, place: int) -> float:
        """Return how full a part is, from 0 to 1."""
        return max(
            self._urls[place] / self._capacity.urls, self._bytes[place] / self._capacity.bytes
        )

    def _fill_parts(
        self, series: Series, members: Ints, into: Iterable[int], number: int = 1
    ) -> None:
        for place in into:
            members = self._put(place, members)
        while len(members):
            while Part(series[0], number, series[1]) in self._used:
                number += 1
            members = self._put(self._open_part(series, number), members)

    def _open_part(self, series: Series, number: int) -> int:
        part = Part(series[0], number, series[1])
        self._of.setdefault(series, []).append(len(self._parts))
        self._used.add(part)
        self._parts.append(part)
        self._urls.append(0)
        self._bytes.append(0)
        return len(self._parts) - 1

    def _put(self, place: int, members: Ints) -> Ints:
        """Put as many of these URLs into a part as fit; return the others."""
        urls = self._capacity.urls - self._urls[place]
        count = self._fitting(members, urls, self._capacity.bytes - self._bytes[place])
        if not self._urls[place]:
            count = max(count, 1)  # a URL too large for any part gets one of its own
        some = members[:count]
        self._at[some] = place
        self._urls[place] += len(some)
        self._bytes[place] += int(self._sizes[some].sum())
        return members[count:]

    def _fitting(self, members: Ints, urls: int, size: int) -> int:
        """Return how many of these URLs fit, from the first on."""
        ends = np.cumsum(self._sizes[members[:urls]])
        return int(np.searchsorted(ends, size, side="right"))


def epoch_seconds(lastmod: str) -> int:
    """Return a W3C datetime in seconds since 1970 UTC; UNDATED without a valid one."""
    if len(lastmod) == OUR_LENGTH:
        with suppress(ValueError):  # ten times faster than the general form
            moment = datetime.fromisoformat(lastmod)
            if moment.tzinfo is timezone.utc:
                return int(moment.timestamp())
    day = iso_date(lastmod)
    if day is None:
        return UNDATED
    if not isinstance(day, datetime):
        day = datetime.combine(day, time(), timezone.utc)
    return int(day.timestamp())
