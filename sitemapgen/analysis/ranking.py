"""PageRank and PriorityRank: the weight of each page by the links that lead to it.

``graph.py`` holds pages and links. No bit of a result depends on the order in which links were
read: the shares that pages send are multiples of 2 ** -52, whose sums are exact. "The paper" is
Schonfeld and Shivakumar, "Sitemaps: Above and Beyond the Crawl of Duty", 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from sitemapgen.analysis.graph import Floats, LinkGraph, Mask

DAMPING = 0.85
"""Share of its rank that a page sends along its links (Brin and Page 1998)."""
TOLERANCE = 1e-8
"""Total change of ranks in one iteration, of 1, below which they have converged."""
MAX_ITERATIONS = 100
"""Maximum iterations, after which less than 1e-7 of the rank can still move in any graph."""

QUANTA = 2.0**52
"""Units of the total rank of 1: sums of whole numbers up to this are exact in floats."""
DIGITS = 6
"""Significant digits of a displayed rank, few enough to hide what has not converged."""


def pagerank(graph: LinkGraph) -> Floats:
    """Compute the PageRank of every URL, in the order of the nodes; the sum is 1, non-pages have 0.

    Pages are those of ``Nodes.is_page``. A redirect passes all that it receives on to its end.
    Links that end at the page itself or at no page do not count, nor do nofollow links, which the
    graph does not have. The rank that pages do not send, and all rank of pages without links that
    count, is spread evenly over all pages. Source: the paper, section 5.1.1.
    """
    return _iterate_ranks(_Pages(graph))


def priorityrank(graph: LinkGraph, priority: Floats) -> Floats:
    """Compute the PriorityRank of every URL: PageRank over the graph with the sitemap as a page.

    The start page links to the sitemap, and that to all its URLs, weighted by ``priority``: one
    value a node, not negative, 0.5 where the sitemap has none (sitemaps.org); values of nodes
    outside the sitemap are ignored. The sum is 1 minus the rank of the sitemap itself. Source: the
    paper, section 6.3.1.
    """
    return _iterate_ranks(_PagesAndSitemap(graph, priority))[:-1]


class _Ranked(Protocol):
    """Nodes with ranks that they send along their links."""

    is_ranked: Mask

    def send_ranks(self, ranks: Floats) -> Floats:
        """Return what each node receives if all send their ranks along their links, in QUANTA."""


class _Pages:
    """Pages of a site; some of them may have one more link than in the graph."""

    def __init__(self, graph: LinkGraph, one_more: Sequence[int] = ()) -> None:
        self._graph = graph
        self.is_ranked = graph.nodes.is_page
        ends = graph.redirect_ends()
        others, loops = graph.count_outward(ends)
        self._looping = np.flatnonzero(loops)
        self._loops = loops[self._looping]
        self._redirects = np.flatnonzero(graph.nodes.is_redirect & self.is_ranked[ends])
        self._ends = ends[self._redirects]
        others[list(one_more)] += 1
        self._links = np.where(others > 0, others, np.inf)

    def send_ranks(self, ranks: Floats) -> Floats:
        return self.sum_shares(self.link_shares(ranks))

    def link_shares(self, ranks: Floats) -> Floats:
        """Return the rank that each link of a page carries."""
        share: Floats = ranks / self._links
        return np.floor(share, out=share)

    def sum_shares(self, shares: Floats) -> Floats:
        """Return the sum of these shares that each page receives."""
        received = self._graph.pass_on(shares)
        np.add.at(received, self._ends, received[self._redirects])
        received[self._looping] -= self._loops * shares[self._looping]
        received[~self.is_ranked] = 0
        return received


class _PagesAndSitemap:
    """Pages of a site, with its sitemap as the last one."""

    def __init__(self, graph: LinkGraph, priority: Floats) -> None:
        is_page = graph.nodes.is_page
        self.is_ranked = np.append(is_page, np.True_)
        starts = graph.redirect_ends()[graph.nodes.is_start]
        self._starts = sorted(set(starts[is_page[starts]].tolist()))
        self._pages = _Pages(graph, one_more=self._starts)
        is_listed = graph.nodes.in_sitemap & is_page
        weight = np.where(is_listed, priority, 0.0)
        weight = weight if weight.any() else is_listed.astype(np.float64)
        self._weight = weight / (weight.sum() or 1.0)

    def send_ranks(self, ranks: Floats) -> Floats:
        shares = self._pages.link_shares(ranks[:-1])
        received = self._pages.sum_shares(shares)
        received += np.floor(ranks[-1] * self._weight)
        return np.append(received, shares[self._starts].sum())


def _iterate_ranks(ranked: _Ranked) -> Floats:
    """Iterate until the ranks converge."""
    is_ranked = ranked.is_ranked
    evenly = is_ranked / max(int(is_ranked.sum()), 1)
    ranks = evenly
    for _ in range(MAX_ITERATIONS):
        received = ranked.send_ranks(ranks * (DAMPING * QUANTA))
        received /= QUANTA
        received += evenly * (1.0 - received.sum())
        moved = float(np.abs(received - ranks).sum())
        ranks = received
        if moved < TOLERANCE:
            break
    return ranks


# --- displayed ranks


def round_ranks(ranks: Floats) -> Floats:
    """Round to ``DIGITS`` significant digits for display.

    >>> round_ranks(np.array([0.123456789, 0.0, 1.0]))
    array([0.123457, 0.      , 1.      ])
    """
    powers = np.array([10.0**exponent for exponent in range(23)])  # as exact as floats are
    digits = DIGITS - 1 - np.floor(np.log10(np.where(ranks > 0, ranks, 1.0))).astype(np.int64)
    power = powers[np.clip(digits, 0, len(powers) - 1)]
    shown: Floats = np.rint(ranks * power) / power
    return shown


def decile_bounds(ranks: Floats) -> list[float]:
    """Return the nine lower bounds of the second to the tenth decile of some ranks.

    The number of bounds that a rank reaches is the decile of its page, 0 to 9. Pages with the same
    rank are in the same decile: the middle of those that they span.

    >>> decile_bounds(np.array([0.1, 0.2, 0.3, 0.4]))
    [0.1, 0.2, 0.2, 0.3, 0.3, 0.3, 0.4, 0.4, inf]
    """
    ordered = np.sort(ranks)
    lower = np.searchsorted(ordered, ordered, "left")
    upto = np.searchsorted(ordered, ordered, "right")
    place = -(-10 * (lower + upto) // (2 * max(len(ordered), 1))) - 1
    least = np.append(ordered, np.inf)
    steps: list[float] = least[np.searchsorted(place, np.arange(1, 10))].tolist()
    return steps
