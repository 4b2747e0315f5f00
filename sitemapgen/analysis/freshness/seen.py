"""Growth of a site: new URLs by run, and whether links or sitemaps had them first.

Source: Schonfeld and Shivakumar, "Sitemaps: Above and Beyond the Crawl of Duty", 2009, section 5.2.
Times are seconds since 1970, NaN for never.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.freshness.rates import Floats


class SeenDelta(NamedTuple):
    """SeenDelta (the paper's equation 6), and the counts of its URLs."""

    seconds: float
    """Sum of (first seen by links - first seen by sitemaps); above 0 sitemaps are ahead."""
    urls: int
    """URLs that both links and sitemaps had first in the period."""
    sitemap_first: int
    links_first: int
    together: int
    """URLs that both had first in the same run."""


class Point(NamedTuple):
    """One point of the scatter plot (the paper's Figure 6): URLs with the same two times."""

    sitemap: float
    links: float
    urls: int


class NewUrls(NamedTuple):
    """Numbers of URLs that a run saw first."""

    run: float
    """Start of the run."""
    both: int
    """URLs that both links and sitemaps had in this run."""
    links: int
    """URLs that only links had."""
    sitemap: int
    """URLs that only sitemaps had."""


def at_runs(times: Floats, starts: Floats) -> Floats:
    """Replace each time by the start of its run; ``starts`` are in order.

    The time within a run depends on the order of responses, not on the site.
    """
    which = np.maximum(np.searchsorted(starts, times, "right") - 1, 0)
    return np.where(np.isnan(times), np.nan, starts[which])


def seen_delta(
    links: Floats, sitemap: Floats, start: float = -np.inf, end: float = np.inf
) -> SeenDelta:
    """Compute SeenDelta of the URLs that both had first from ``start`` until before ``end``."""
    links, sitemap = _both_times(links, sitemap, start, end)
    delta = links - sitemap
    return SeenDelta(
        seconds=float(delta.sum()),
        urls=len(delta),
        sitemap_first=int(np.count_nonzero(delta > 0)),
        links_first=int(np.count_nonzero(delta < 0)),
        together=int(np.count_nonzero(delta == 0)),
    )


def group_by_times(
    links: Floats, sitemap: Floats, start: float = -np.inf, end: float = np.inf
) -> list[Point]:
    """Group the URLs of ``seen_delta`` by their two times, in ascending order."""
    links, sitemap = _both_times(links, sitemap, start, end)
    if not len(links):
        return []
    points, urls = np.unique(np.column_stack((sitemap, links)), axis=0, return_counts=True)
    return [Point(float(x), float(y), int(count)) for (x, y), count in zip(points, urls)]


def new_urls(links: Floats, sitemap: Floats, starts: Floats) -> list[NewUrls]:
    """Count for each run, given by its start, the URLs that neither had before.

    ``links`` and ``sitemap`` are times ``at_runs``.
    """
    first = np.fmin(links, sitemap)
    run = np.searchsorted(starts, first)
    kind = np.where(links == sitemap, 0, np.where(links == first, 1, 2))
    is_seen = ~np.isnan(first)
    counts = np.bincount(3 * run[is_seen] + kind[is_seen], minlength=3 * len(starts))
    rows = counts.reshape(-1, 3).tolist()
    return [NewUrls(start, *row) for start, row in zip(starts.tolist(), rows)]


def _both_times(links: Floats, sitemap: Floats, start: float, end: float) -> tuple[Floats, Floats]:
    is_in = (links >= start) & (links < end) & (sitemap >= start) & (sitemap < end)
    return links[is_in], sitemap[is_in]
