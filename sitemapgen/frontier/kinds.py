"""Leaves out waiting URLs by the kinds of pages that were fetched: ``analysis/kinds``."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from sitemapgen.analysis.kinds.dates import beyond, dated, with_content

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.analysis.kinds.roles import Variant
    from sitemapgen.store import Store
    from sitemapgen.store.kinds import DateRow, Kinds


AT_ONCE = 20_000
"""URLs that get a verdict in one step; they take some 10 MB."""


def leave_out_variants(store: Store) -> None:
    """Give the waiting URLs that are variants their verdict, and let those that are none wait."""
    kinds = store.kinds
    if not kinds.learn():
        return
    kinds.roles.decide()
    while changes := list(islice(_changes(kinds), AT_ONCE)):
        kinds.set_variants(changes)


def _changes(kinds: Kinds) -> Iterator[tuple[int, Variant | None]]:
    """Yield the waiting URLs that are variants and not called so, or the other way round."""
    for each in kinds.waiting():
        variant = kinds.roles.variant(each.url, each.pattern)
        if each.is_variant != (variant is not None):
            yield each.key, variant


def end_calendars(store: Store) -> None:
    """Give the waiting dates beyond the end of a calendar their verdict.

    A space with more dates that wait than two in each series is no chain, and bounded by its
    growth: ``analysis/traps.py``.
    """
    spaces: defaultdict[str, defaultdict[str, list[tuple[int, DateRow]]]]
    spaces = defaultdict(lambda: defaultdict(list))
    for each in store.kinds.dates():
        if found := dated(each.url):
            spaces[each.space][found.series].append((found.at, each))
    for series in spaces.values():
        waiting = sum(not each.is_fetched for dates in series.values() for _, each in dates)
        if 0 < waiting <= 2 * len(series):
            numbers = {each.number for dates in series.values() for _, each in dates}
            store.kinds.end_calendars(
                each for dates in series.values() for each in _ended(store, dates, numbers)
            )


def _ended(
    store: Store, dates: Iterable[tuple[int, DateRow]], numbers: set[int]
) -> Iterator[tuple[int, int]]:
    """Yield the changes of a series: key, and dates in a row without content, or 0.

    ``numbers``: those of all dates, which are no content of each other.
    """
    contents = {}
    for at, each in dates:
        if each.is_fetched:
            page = store.kinds.signature(each.key)
            contents[at] = page.content | (page.items - numbers)
    waiting = {at: each for at, each in dates if not each.is_fetched}
    row, beyond_end = beyond(with_content(contents), waiting)
    for at, each in waiting.items():
        if each.is_ended or at in beyond_end:
            yield each.key, row if at in beyond_end else 0
