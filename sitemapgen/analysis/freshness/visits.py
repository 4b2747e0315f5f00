"""Past visits of pages: intervals, and whether the main text changed, for estimates of rates."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.freshness.rates import Visits
from sitemapgen.analysis.freshness.trust import DAY
from sitemapgen.analysis.graph import Floats, Ints
from sitemapgen.analysis.lastmod import Records, assess_sources, url_section
from sitemapgen.core.lastmod import SOURCES, claim_numbers

VISIT = [("key", np.int64), ("visited", np.int64), ("changed", np.int8), ("is_dated", np.bool_)]
"""Columns of a table of visits: page; time, in seconds since 1970 UTC; whether the main text had
changed (1, 0), -1 if the previous run did not have the page; whether the page gives dates for the
change."""


class PastVisits(NamedTuple):
    """The visits of all runs; those of this run are included once it has been concluded."""

    keys: Ints
    """The pages that were ever visited, by key; ``visits.page`` is an index into them."""
    last: Ints
    """The time of the last visit of each page, in seconds since 1970 UTC."""
    visits: Visits
    """The visits, sorted by page and time."""


def past_visits(
    table: NDArray[np.void], claims: Iterable[tuple[str, str]], records: Records, horizon: int
) -> PastVisits:
    """Compute intervals between visits, and between a change and the visit that found it.

    ``table``: of dtype ``VISIT``, sorted by page and time. ``claims``: (URL, dates) of the visits
    with ``is_dated``, in the same order. ``records``: which sources of dates were right. Visits
    after ``horizon`` were dated by a clock that was wrong.
    """
    is_first = np.ones(len(table), np.bool_)
    is_first[1:] = table["key"][1:] != table["key"][:-1]
    firsts = np.flatnonzero(is_first)
    is_new = table["changed"] < 0
    days = np.full(len(table), np.inf)
    days[1:] = np.diff(table["visited"]) / DAY
    is_impossible = table["visited"] > horizon
    is_impossible[1:] |= is_impossible[:-1] | (days[1:] < 0)
    days[is_first | is_new | is_impossible] = np.inf
    since = np.full(len(table), np.nan)
    is_dated = table["is_dated"]
    since[is_dated] = (table["visited"][is_dated] - _change_times(claims, records)) / DAY
    since[~(since <= days) | ~np.isfinite(days)] = np.nan
    visits = Visits(
        page=np.cumsum(is_first) - 1, days=days, changed=table["changed"] != 0, since=since
    )
    last = np.append(firsts[1:], len(table))[: len(firsts)] - 1
    return PastVisits(table["key"][firsts], table["visited"][last], visits)


def _change_times(claims: Iterable[tuple[str, str]], records: Records) -> Floats:
    """Return when pages changed by the first source that is trusted there; NaN for none."""
    trusted = {place for place, trust in assess_sources(records).items() if trust.is_trusted}
    times = array("d")
    for url, packed in claims:
        here, dates = url_section(url), claim_numbers(packed)
        found = (dates[each] for each in SOURCES if each in dates and (each, here) in trusted)
        times.append(next((moment for moment in found if moment >= 0), math.nan))
    return np.frombuffer(times, np.float64)
