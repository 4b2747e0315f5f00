"""The section ``growth``: new URLs by run, and which source had them first; ``changes`` in words.

The rules, the paper's section 5.2: ``analysis/freshness/seen.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

import numpy as np

from sitemapgen.analysis.freshness.seen import at_runs, group_by_times, new_urls, seen_delta
from sitemapgen.core.words import clauses, counted
from sitemapgen.store import Store

LATEST = 200
"""Maximum number of runs with new URLs, and of points of the scatter plot."""


def count_growth(store: Store) -> dict[str, Any]:
    """Count the URLs that were new in a run after the first complete one, by their first source.

    URLs of that run do not count, and without new ones no time is given: an unchanged site has an
    unchanged report.
    """
    links, sitemaps, starts, since = store.history.first_seen()
    links, sitemaps = at_runs(links, starts), at_runs(sitemaps, starts)
    later = np.inf if since is None else float(np.nextafter(since, np.inf))
    runs = [row for row in new_urls(links, sitemaps, starts) if row.run >= later]
    runs = [row for row in runs if any(row[1:])]
    sums = {name: sum(getattr(row, name) for row in runs) for name in ("both", "links", "sitemap")}
    points = group_by_times(links, sitemaps, later)
    delta = seen_delta(links, sitemaps, later)
    return {
        "since": iso_time(since) if runs and since is not None else None,
        "new": {"count": sum(sums.values()), **sums},
        "runs": [row._asdict() | {"run": iso_time(row.run)} for row in runs[-LATEST:]],
        "seen_delta": delta._asdict() | {"seconds": round(delta.seconds)},
        "scatter": [
            {"sitemap": iso_time(point.sitemap), "links": iso_time(point.links), "urls": point.urls}
            for point in points[-LATEST:]
        ],
    }


def iso_time(seconds: float) -> str:
    """Return a time, in seconds since 1970 UTC, as report.json has it."""
    return datetime.fromtimestamp(int(seconds), timezone.utc).isoformat()


def changes_in_words(changes: Mapping[str, Any] | None) -> str:
    """Describe what has changed; empty if there is nothing to compare with, or no change.

    >>> counts = {"new": {"count": 1}, "gone": {"count": 0}, "changed": {"count": 2}}
    >>> changes_in_words({"since": "2024-05-01T12:00:00+00:00", **counts})
    'Since 2024-05-01 1 page is new, the text of 2 pages has changed.'
    """
    if changes is None:
        return ""
    new, gone, changed = (changes[kind]["count"] for kind in ("new", "gone", "changed"))
    words = clauses(
        (new, counted(new, "page is new", "pages are new")),
        (gone, counted(gone, "page is gone", "pages are gone")),
        (changed, f"the text of {counted(changed, 'page')} has changed"),
    )
    return words and f"Since {changes['since'][:10]} {words}."
