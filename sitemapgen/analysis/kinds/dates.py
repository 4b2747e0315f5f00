"""Calendars: URLs with a date, of which the empty ones have no end.

The pages of a calendar follow one another in time. They are fetched outwards from dates with
content, until ``EMPTY`` dates in a row have none and, where a longer gap was seen, one of them on
each side until twice that gap has none. A date that is far from all that were fetched is no part
of such a row, nor is one that a date with content links to: the days of a list. Of a calendar that
has ended, dates that are like those of such a row are no pages; others that recur, as menus do,
are.

Other numbers count as dates where only the next one leads to each; ``PATIENCE`` are a row then, if
their name is none of a date.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import chain, pairwise
from typing import NamedTuple

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.analysis.kinds.laws import SHARED, Layout, Signature, layout_of
from sitemapgen.analysis.kinds.slots import parts_of, without
from sitemapgen.analysis.kinds.usefulness import PATIENCE
from sitemapgen.core.document.novelty import ENOUGH_NUMBERS
from sitemapgen.core.shapes import DATE_NAMES
from sitemapgen.core.urls import key, split

EMPTY = 24
"""Dates in a row without content that end a calendar: two years of months. Sites with longer gaps
between two dates with content show them before their end is reached."""
ENDED = f"{EMPTY} dates in a row have nothing new"
"""Why a calendar has ended."""
GAPS = 2
"""Times the longest gap between two dates with content, or the longest step between two dates of a
row, as from a month to the next."""

_MONTH, _DAY = "(0?[1-9]|1[0-2])", "(0?[1-9]|[12][0-9]|3[01])"
_DIGITS = _MONTH.replace("?", "", 1), _DAY.replace("?", "", 1)
_DATE = re.compile(
    r"(?<=[/=])((?:1[89]|20|21)[0-9]{2})"
    rf"(?:[/._-]{_MONTH}(?:[/._-]{_DAY})?|{_DIGITS[0]}{_DIGITS[1]}?)?(?=[/?&;]|$)"
)
_NUMBER = re.compile(r"-?[0-9]{1,15}")
_NAME = re.compile(r"\?[^?&;=]*=$")
_NAMED = re.compile(
    r"(?<=[?&;])(?P<name>y|yr|year|jahr|m|mo|mon|month|monat|d|day|tag)=(?P<value>[0-9]{1,4})(?=[&;]|$)",
    re.IGNORECASE,
)


class DatedUrl(NamedTuple):
    """A URL of a calendar."""

    key: int
    url: str
    space: str
    """That of its ``analysis.kinds.patterns.Pattern``."""
    is_fetched: bool
    is_ended: bool
    """Whether it waits, and is called beyond the end of its calendar already."""
    depth: int = 0
    """Links from the start URL."""


class Ending(NamedTuple):
    """How a series of dates ends; its members are keys."""

    beyond: frozenset[int]
    """Those that wait beyond the end."""
    within: frozenset[int]
    """Those that were called so, and are not."""
    empty: frozenset[int]
    """Those that were fetched and are like the dates of its row; none if it has not ended."""
    lists: frozenset[int]
    """Those that were fetched and have nothing of their own but links to other pages."""


class Dated(NamedTuple):
    """The date in a URL."""

    series: str
    """The URL with a placeholder for the date; other parameters are a part of it."""
    at: int
    """The number of the day, month or year."""
    row: int = EMPTY
    """Number of members in a row without content that end the series."""
    is_number: bool = False
    """Whether it is a number, of which nothing but a chain shows that it is a series."""


_Series = defaultdict[Dated, dict[int, DatedUrl]]
"""The URLs of a space, by series and date."""


def dated(url: str) -> Dated | None:
    """Return the date of a URL; None if it has none.

    >>> dated("https://example.com/events/2026/7/")
    Dated(series='https://example.com/events/{month}/', at=24318, row=24, is_number=False)
    >>> dated("https://example.com/cal?month=7&year=2026")
    Dated(series='https://example.com/cal?{month}&{year}', at=24318, row=24, is_number=False)
    """
    named = {match["name"][0].lower(): int(match["value"]) for match in _NAMED.finditer(url)}
    named = {{"j": "y", "t": "d"}.get(name, name): value for name, value in named.items()}
    if "y" in named:
        series = _NAMED.sub(lambda match: f"{{{match['name'].lower()}}}", url)
        parts = [named.get(name) for name in "ymd"]
    elif found := _DATE.search(url):
        parts = [int(part) for part in found.groups() if part]
        unit = ("year", "month", "day")[len(parts) - 1]
        series = _NAME.sub("?", url[: found.start()]) + f"{{{unit}}}{url[found.end() :]}"
    else:
        return None
    year, month, day = [*parts, None, None][:3]
    try:
        if not year or not month:
            return Dated(series, year) if year else None
        return Dated(series, date(year, month, day).toordinal() if day else 12 * year + month - 1)
    except ValueError:  # the 30th of February
        return None


def numbered(url: str) -> Dated | None:
    """Return the only number with a name of dates or, without one, the only number; or None.

    That is the value of a parameter, or else the last segment of the path.

    >>> numbered("https://example.com/cal?week=2948&view=list").series
    'https://example.com/cal?week={number}&view=list'
    """
    parts = (part.partition("=") for part in parts_of(url))
    values = [(f"{name}=", value) for name, _, value in parts if _NUMBER.fullmatch(value)]
    named = [each for each in values if each[0][:-1].lower() in DATE_NAMES]
    last = split(url).path.rpartition("/")[2]
    if not values and _NUMBER.fullmatch(last):
        values = [("/", last)]
    is_named = len(named) == 1
    if not is_named and len(values) != 1:
        return None
    before, value = (named if is_named else values)[0]
    series = url.replace(before + value, before + "{number}", 1)
    return Dated(series, int(value), EMPTY if is_named else PATIENCE, is_number=True)


def is_date(url: str, name: str) -> bool:
    """Return whether a slot of a URL is its date, or a part of it.

    >>> is_date("https://example.com/cal?month=7&year=2026&view=list", "month&year")
    True
    >>> is_date("https://example.com/cal?month=7&year=2026&view=list", "view")
    False
    """
    found = dated(url)
    other = found and dated(without(url, [name]))
    return found is not None and (other is None or other.at != found.at)


def endings(urls: Iterable[DatedUrl], signature: Callable[[int], Signature]) -> Iterator[Ending]:
    """Yield the ends of calendars with waiting dates. ``signature``: of a fetched page, by key."""
    for series in _series_of(urls):
        if not all(each.is_fetched for dates in series.values() for each in dates.values()):
            keys = frozenset(_depths_of(series))
            pages = {of: _pages_of(dates, signature) for of, dates in series.items()}
            own = {of: _with_own(some, keys) for of, some in pages.items()}
            for of, dates in series.items():
                others = frozenset[int]().union(*(own[other] for other in own if other != of))
                yield _ending(of, dates, pages[of], keys - others)


def full_dates(urls: Iterable[DatedUrl], signature: Callable[[int], Signature]) -> Iterator[int]:
    """Yield the keys of the dates of endless spaces that have content which is no other date's.

    Each part of a table of measurements may be known from other dates. Where dates at the ends have
    none, and ``WITHOUT_EXCEPTION`` or more in all, those of all series of a space together, as of
    the stations of a network, what has content is finite. Else only dates, no numbers, count to
    which no page of these spaces leads that is nearer to the start: pages outside of them do.
    """
    spaces = [*_series_of(urls)]
    depths = dict(chain.from_iterable(_depths_of(series).items() for series in spaces))
    led = {
        target
        for series in spaces
        for dates in series.values()
        for page in _pages_of(dates, signature).values()
        for target in page.targets & depths.keys()
        if depths[target] > depths[key(page.url)]
    }
    for series in spaces:
        keys = frozenset(_depths_of(series))
        contents: dict[int, frozenset[int]] = {}
        ends, named = set[int](), set[int]()
        for of, dates in series.items():
            pages = _pages_of(dates, signature)
            waiting = {each.key for each in dates.values() if not each.is_fetched}
            ends |= {dates[at].key for at, page in pages.items() if page.targets & waiting}
            named |= set() if of.is_number else {each.key for each in dates.values()}
            contents |= {dates[at].key: own for at, own in _contents(pages, keys).items()}
        counts = Counter(contents.values())
        full = {each for each, own in contents.items() if own and counts[own] == 1}
        is_finite = len(contents) - len(full) >= WITHOUT_EXCEPTION and ends.isdisjoint(full)
        yield from full if is_finite else full & named - led


def _series_of(urls: Iterable[DatedUrl]) -> Iterable[_Series]:
    """Return the series of dates of each space, by their dates."""
    spaces: defaultdict[str, _Series] = defaultdict(lambda: defaultdict(dict))
    for each in urls:
        if found := dated(each.url) or numbered(each.url):
            spaces[each.space][found._replace(at=0)][found.at] = each
    return spaces.values()


def _depths_of(series: _Series) -> dict[int, int]:
    """Return the depth of each URL of a space, by its key."""
    return {each.key: each.depth for dates in series.values() for each in dates.values()}


def _pages_of(
    dates: Mapping[int, DatedUrl], signature: Callable[[int], Signature]
) -> dict[int, Signature]:
    return {at: signature(each.key) for at, each in dates.items() if each.is_fetched}


def _with_own(pages: Mapping[int, Signature], keys: frozenset[int]) -> frozenset[int]:
    """Return the keys of the dates of a series that have content of their own."""
    contents = _contents(pages, keys)
    full = with_content(contents)
    return frozenset(key(page.url) for at, page in pages.items() if contents[at] and full[at])


def _contents(pages: Mapping[int, Signature], keys: frozenset[int]) -> dict[int, frozenset[int]]:
    """Return what the dates of a series do not share. ``keys``: links that are no content."""
    frame = layout_of([*pages.values()], is_choice=False)
    return {
        at: page.content - frame.content | page.items - keys | _order_of(page, frame)
        for at, page in pages.items()
    }


def _ending(
    series: Dated,
    dates: Mapping[int, DatedUrl],
    pages: Mapping[int, Signature],
    keys: frozenset[int],
) -> Ending:
    """Return the end of a series.

    ``pages``: its fetched dates; ``keys``: those of all dates, which are no content of each other,
    but for those of other series with content, as the documents of an archive.
    """
    contents = _contents(pages, keys)
    layout = layout_of([*pages.values()], is_choice=True)
    full = with_content(contents)
    linked = frozenset[int]().union(*(pages[at].targets for at in pages if full[at]))
    waiting = (at for at, each in dates.items() if not each.is_fetched and each.key not in linked)
    ended = beyond(full, waiting, series.row)
    if series.is_number:
        ended = {at: near for at, near in ended.items() if _is_chain(dates, at, near)}
    ends = {contents[other] for near in ended.values() for other in near}
    empty = (at for at, text in contents.items() if not full[at] and text in ends)
    return Ending(
        frozenset(dates[at].key for at in ended),
        frozenset(each.key for at, each in dates.items() if each.is_ended and at not in ended),
        frozenset(dates[at].key for at in empty),
        frozenset(
            dates[at].key
            for at, page in pages.items()
            if page.items - keys - layout.items and not page.content - layout.content
        ),
    )


def _order_of(page: Signature, frame: Layout) -> frozenset[int]:
    """Return a hash of the order of the numbers of a page, as of a puzzle; none if it has words.

    The order of words may be that of the name of a month.
    """
    sketch = page.sketch
    is_order = sketch.words <= frame.content and len(sketch.numbers) >= ENOUGH_NUMBERS
    return frozenset({sketch.wording} if is_order else ())


def with_content(contents: Mapping[int, frozenset[int]]) -> dict[int, bool]:
    """Return which dates have content: what is not the same on ``SHARED`` dates."""
    counts = Counter(contents.values())
    return {at: counts[content] < SHARED for at, content in contents.items()}


def _is_chain(dates: Mapping[int, DatedUrl], at: int, near: Iterable[int]) -> bool:
    """Return whether only the next one leads to each of a row, so that each is further away."""
    row = sorted((*near, at), key=lambda other: abs(other - at), reverse=True)
    return all(dates[one].depth < dates[next_].depth for one, next_ in pairwise(row))


def beyond(
    dates: Mapping[int, bool], waiting: Iterable[int], empty: int = EMPTY
) -> dict[int, list[int]]:
    """Return by waiting date beyond the end of a calendar the empty dates nearest to it.

    ``dates``: whether those that were fetched have content; ``empty``: number of a row. On each
    side the outermost date goes on alone until ``GAPS`` times the longest gap has none.
    """
    order = sorted(dates)
    full = [at for at in order if dates[at]]
    gap = GAPS * max((after - before for before, after in pairwise(full)), default=0)
    rows = {at: _nearest(at, order, empty) for at in waiting}
    ended = {at: near for at, near in rows.items() if near and not any(map(dates.get, near))}
    if full and ended:
        first, last = min(ended), max(ended)
        if 0 < full[0] - first <= gap:
            del ended[first]
        if 0 < last - full[-1] <= gap:
            del ended[last]
    return ended


def _nearest(at: int, order: Sequence[int], empty: int) -> list[int]:
    """Return the nearest dates in their order; none if these are fewer than a row, or far."""
    place = bisect(order, at)
    near = order[max(0, place - empty) : place + empty]
    near = sorted(sorted(near, key=lambda other: abs(other - at))[:empty])
    step = max((after - before for before, after in pairwise(near)), default=0)
    is_near = min((abs(other - at) for other in near), default=0) <= max(empty, GAPS * step)
    return near if len(near) == empty and is_near else []
