"""Leaves out waiting URLs by the kinds of pages that were fetched: ``analysis/kinds``."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from sitemapgen.analysis.kinds.dates import endings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.analysis.kinds.roles import Variant
    from sitemapgen.store import Store
    from sitemapgen.store.kinds import Kinds


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
    """Give the waiting dates beyond the end of a calendar their verdict."""
    kinds = store.kinds
    for ending in endings(kinds.dates(), kinds.signature):
        kinds.end_calendar(ending.row, ending.beyond, ending.within)
