"""Growth of a site: new URLs by run, and whether links or sitemaps had them first.

The paper "Sitemaps: Above and Beyond the Crawl of Duty", section 5.2. Times are seconds since 1970,
NaN for never.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sitemapgen.analysis.freshness.rates import Floats


class SeenDelta(NamedTuple):
    """The paper's equation 6, and what it is the sum of."""

    seconds: float
    """Sum of first seen by links minus first seen by sitemaps: above 0, sitemaps are ahead."""
    urls: int
    """URLs that both saw first in the period."""
    sitemap_first: int
    links_first: int
    together: int
    """URLs that both saw in the same run."""


class Point(NamedTuple):
    """One dot of the scatter plot (the paper's Figure 6): URLs with the same two times."""

    sitemap: float
    links: float
    urls: int


class NewUrls(NamedTuple):
    """The URLs that a run saw first."""

    run: float
    """When it began."""
    both: int
    """Links and sitemaps had them in this run."""
    links: int
    """Only links had them."""
    sitemap: int
    """Only sitemaps had them."""


def at_runs(times: Floats, starts: Floats) -> Floats:
    """Put each time back to the start of its run; ``starts`` are in order.

    When within a run a URL was seen depends on the order of answers, and says nothing of the site.
    """
    which = np.maximum(np.searchsorted(starts, times, "right") - 1, 0)
    return np.where(np.isnan(times), np.nan, starts[which])


def seen_delta(
    links: Floats, sitemap: Floats, start: float = -np.inf, end: float = np.inf
) -> SeenDelta:
    """Compute SeenDelta of the URLs that both saw first from ``start`` until before ``end``."""
    links, sitemap = _both(links, sitemap, start, end)
    delta = links - sitemap
    return SeenDelta(
        seconds=float(delta.sum()),
        urls=len(delta),
        sitemap_first=int(np.count_nonzero(delta > 0)),
        links_first=int(np.count_nonzero(delta < 0)),
        together=int(np.count_nonzero(delta == 0)),
    )


def scatter(
    links: Floats, sitemap: Floats, start: float = -np.inf, end: float = np.inf
) -> list[Point]:
    """Group the same URLs by the two times, in the order of these."""
    links, sitemap = _both(links, sitemap, start, end)
    if not len(links):
        return []
    points, urls = np.unique(np.column_stack((sitemap, links)), axis=0, return_counts=True)
    return [Point(float(x), float(y), int(count)) for (x, y), count in zip(points, urls)]


def new_urls(links: Floats, sitemap: Floats, starts: Floats) -> list[NewUrls]:
    """Count for each run, by its start, the URLs that neither had seen before.

    ``links`` and ``sitemap`` are times ``at_runs``.
    """
    first = np.fmin(links, sitemap)
    run = np.searchsorted(starts, first)
    kind = np.where(links == sitemap, 0, np.where(links == first, 1, 2))
    is_seen = ~np.isnan(first)
    counts = np.bincount(3 * run[is_seen] + kind[is_seen], minlength=3 * len(starts))
    rows = counts.reshape(-1, 3).tolist()
    return [NewUrls(start, *row) for start, row in zip(starts.tolist(), rows)]


def _both(links: Floats, sitemap: Floats, start: float, end: float) -> tuple[Floats, Floats]:
    is_in = (links >= start) & (links < end) & (sitemap >= start) & (sitemap < end)
    return links[is_in], sitemap[is_in]
