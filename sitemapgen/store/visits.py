"""Past visits out of the history of a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.analysis.freshness import visits
from sitemapgen.analysis.lastmod import NEVER, latest_moment

if TYPE_CHECKING:
    from sitemapgen.analysis.freshness.visits import PastVisits
    from sitemapgen.store.history import History


def past_visits(history: History) -> PastVisits:
    """Return the visits of all runs."""
    records = history.source_records(with_this_run=True)
    return visits.past_visits(
        history.visits(), history.change_claims(), records, horizon_of(history)
    )


def horizon_of(history: History) -> int:
    """Return the time after which no date and no visit can be: ``lastmod.latest_moment``."""
    starts = history.start_times()
    if not starts:
        return NEVER
    *earlier, now = starts
    return latest_moment(earlier, max(now, history.last_request()))
