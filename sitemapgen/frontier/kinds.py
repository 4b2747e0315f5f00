"""Leaves out waiting URLs by the kinds of pages that were fetched: ``analysis/kinds``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from sitemapgen.analysis.kinds.dates import endings
from sitemapgen.analysis.kinds.lists import Firsts

if TYPE_CHECKING:
    from sitemapgen.analysis.kinds.roles import Variant
    from sitemapgen.store import Store
    from sitemapgen.store.kinds.pages import Asked, Kinds


AT_ONCE = 20_000
"""URLs that get a verdict in one step; they take some 10 MB."""


def leave_out_variants(store: Store, *, decides: bool) -> int:
    """Give the waiting URLs that are variants their verdict, and let those that are none wait.

    ``decides``: the roles are decided anew, for all of them; else this is done for the URLs of the
    last round. Return the number of pages that are read again first, to be compared.
    """
    kinds = store.kinds
    decides = decides and kinds.decide()
    since = 0 if decides else store.suspects.round
    _judge_waiting(kinds, since)
    return store.frontier.read_again(kinds.lacking()) if decides else 0


def take_back_variants(store: Store) -> int:
    """Let the URLs wait again that are beside no page, now that all of them were fetched.

    Return their number.
    """
    store.kinds.decide()
    return _judge_waiting(store.kinds)


def _judge_waiting(kinds: Kinds, since: int = 0) -> int:
    """Give the URLs found since a round their verdicts; return the number of those taken back."""
    return _set_variants(
        kinds,
        lambda: kinds.waiting(since),
        lambda each: (
            kinds.roles.variant(each.url, each.pattern)
            or kinds.versions.variant(each.url, each.pattern)
        ),
    )


def leave_out_by_path(store: Store) -> int:
    """Do the same with URLs whose paths are put together from the names of pages, or are versions.

    Return the number of those put back into the frontier.
    """
    kinds = store.kinds
    kinds.learn_paths()
    if not kinds.has_path_laws:
        return 0
    firsts = Firsts(kinds)
    return _set_variants(
        kinds,
        kinds.plain_waiting,
        lambda each: (
            kinds.path_variant(each.url) or kinds.versions.variant_unread(each.url, firsts)
        ),
    )


def _set_variants(
    kinds: Kinds, waiting: Callable[[], Iterator[Asked]], judge: Callable[[Asked], Variant | None]
) -> int:
    """Return the number of URLs that are variants no more."""
    back = 0
    while changes := list(islice(_changes(waiting(), judge), AT_ONCE)):
        kinds.set_variants(changes)
        back += sum(variant is None for _, variant in changes)
    return back


def _changes(
    waiting: Iterator[Asked], judge: Callable[[Asked], Variant | None]
) -> Iterator[tuple[int, Variant | None]]:
    """Yield the waiting URLs that are variants and not called so, or the other way round."""
    for each in waiting:
        variant = judge(each)
        if each.is_variant != (variant is not None):
            yield each.key, variant


def end_calendars(store: Store, patterns: Iterable[int]) -> None:
    """Give the waiting dates beyond the end of a calendar their verdict.

    ``patterns``: those whose latest pages showed nothing new.
    """
    kinds = store.kinds
    for ending in endings(kinds.dates(patterns), kinds.signature):
        kinds.end_calendar(ending.beyond, ending.within)
