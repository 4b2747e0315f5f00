"""The section ``growth``: new URLs by run, and whether links or sitemaps had them first.

The rules, the paper's section 5.2: ``analysis/freshness/seen.py``.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import numpy as np

from sitemapgen.analysis.freshness.seen import at_runs, new_urls, scatter, seen_delta

if TYPE_CHECKING:
    from sitemapgen.store import Store

LATEST = 200
"""Maximum number of runs with new URLs, and of points of the scatter plot."""


def growth(store: Store) -> dict[str, Any]:
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
    points = scatter(links, sitemaps, later)
    delta = seen_delta(links, sitemaps, later)
    return {
        "since": _time(since) if runs and since is not None else None,
        "new": {"count": sum(sums.values()), **sums},
        "runs": [row._asdict() | {"run": _time(row.run)} for row in runs[-LATEST:]],
        "seen_delta": delta._asdict() | {"seconds": round(delta.seconds)},
        "scatter": [
            {"sitemap": _time(point.sitemap), "links": _time(point.links), "urls": point.urls}
            for point in points[-LATEST:]
        ],
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), timezone.utc).isoformat()
