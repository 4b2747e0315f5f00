"""PageRank and PriorityRank: the weight of each page by the links that lead to it.

Which links and pages there are: ``graph.py``. Not a bit of a result depends on the order in which
links were read: what pages send is cut to multiples of 2 ** -52, whose sums are exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapgen.analysis.graph import Floats, LinkGraph, Mask

DAMPING = 0.85
"""The share of its rank that a page sends along its links (Brin and Page 1998)."""
TOLERANCE = 1e-8
"""The rank that still moves in all, of 1, when the ranks are taken as settled."""
MAX_ITERATIONS = 100
"""After so many less than 1e-7 of the rank can still move, whatever the graph."""

QUANTA = 2.0**52
"""Parts that the rank of 1 is cut into: sums of whole numbers up to that are exact in floats."""
DIGITS = 6
"""Significant digits of a rank that is shown: less than what has not settled of it."""


def pagerank(graph: LinkGraph) -> Floats:
    """Compute the PageRank of every URL, in the order of the nodes; sum 1, 0 for what is no page.

    Pages are those of ``Nodes.is_page``. A redirect passes on to its end all that it is sent.
    Links that end at the page itself or at no page do not count, nor do nofollow links, which the
    graph does not have. What pages keep back, and all of those without links that count, is spread
    evenly over all pages. Source: the paper, section 5.1.1.
    """
    return _settled(_Pages(graph))


def priorityrank(graph: LinkGraph, priority: Floats) -> Floats:
    """Compute the PriorityRank of every URL: PageRank over the graph with the sitemap in it.

    The start page links to the sitemap, and that to all its URLs, weighted by ``priority``: one
    value a node, not negative, 0.5 where the sitemap does not say (sitemaps.org); of those outside
    the sitemap it is not looked at. The sum is 1 less the rank of the sitemap itself. Source: the
    paper, section 6.3.1.
    """
    return _settled(_PagesAndSitemap(graph, priority))[:-1]


class _Ranked(Protocol):
    """What has a rank, and where it sends it."""

    is_ranked: Mask

    def send(self, ranks: Floats) -> Floats:
        """What arrives where, in QUANTA, when all send so many of them along their links."""


class _Pages:
    """The pages of a site; some of them may have one link more than the graph knows."""

    def __init__(self, graph: LinkGraph, one_more: Sequence[int] = ()) -> None:
        self._graph = graph
        self.is_ranked = graph.nodes.is_page
        ends = graph.ends()
        others, loops = graph.outward(ends)
        self._looping = np.flatnonzero(loops)
        self._loops = loops[self._looping]
        self._redirects = np.flatnonzero(graph.nodes.is_redirect & self.is_ranked[ends])
        self._ends = ends[self._redirects]
        others[list(one_more)] += 1
        self._links = np.where(others > 0, others, np.inf)

    def send(self, ranks: Floats) -> Floats:
        return self.arrived(self.shares(ranks))

    def shares(self, ranks: Floats) -> Floats:
        """What goes along each of the links of a page."""
        share: Floats = ranks / self._links
        return np.floor(share, out=share)

    def arrived(self, shares: Floats) -> Floats:
        """What these shares come to at each page."""
        received = self._graph.pass_on(shares)
        np.add.at(received, self._ends, received[self._redirects])
        received[self._looping] -= self._loops * shares[self._looping]
        received[~self.is_ranked] = 0
        return received


class _PagesAndSitemap:
    """The pages of a site, and as the last one its sitemap."""

    def __init__(self, graph: LinkGraph, priority: Floats) -> None:
        is_page = graph.nodes.is_page
        self.is_ranked = np.append(is_page, np.True_)
        starts = graph.ends()[graph.nodes.is_start]
        self._starts = sorted(set(starts[is_page[starts]].tolist()))
        self._pages = _Pages(graph, one_more=self._starts)
        is_listed = graph.nodes.in_sitemap & is_page
        weight = np.where(is_listed, priority, 0.0)
        weight = weight if weight.any() else is_listed.astype(np.float64)
        self._weight = weight / (weight.sum() or 1.0)

    def send(self, ranks: Floats) -> Floats:
        shares = self._pages.shares(ranks[:-1])
        received = self._pages.arrived(shares)
        received += np.floor(ranks[-1] * self._weight)
        return np.append(received, shares[self._starts].sum())


def _settled(ranked: _Ranked) -> Floats:
    """Send ranks around until they stay as they are."""
    is_ranked = ranked.is_ranked
    evenly = is_ranked / max(int(is_ranked.sum()), 1)
    ranks = evenly
    for _ in range(MAX_ITERATIONS):
        received = ranked.send(ranks * (DAMPING * QUANTA))
        received /= QUANTA
        received += evenly * (1.0 - received.sum())
        moved = float(np.abs(received - ranks).sum())
        ranks = received
        if moved < TOLERANCE:
            break
    return ranks


# --- ranks as they are shown


def rounded(ranks: Floats) -> Floats:
    """Round to the digits that are shown.

    >>> rounded(np.array([0.123456789, 0.0, 1.0]))
    array([0.123457, 0.      , 1.      ])
    """
    powers = np.array([10.0**exponent for exponent in range(23)])  # as exact as floats are
    digits = DIGITS - 1 - np.floor(np.log10(np.where(ranks > 0, ranks, 1.0))).astype(np.int64)
    power = powers[np.clip(digits, 0, len(powers) - 1)]
    shown: Floats = np.rint(ranks * power) / power
    return shown


def tenths(ranks: Floats) -> list[float]:
    """The least rank of the second lowest tenth of some pages, of the third, ... of the highest.

    So many of them as a rank is not below are the place of its page among the tenths, 0 to 9. Pages
    with the same rank have the same place: the middle of those that they take up.

    >>> tenths(np.array([0.1, 0.2, 0.3, 0.4]))
    [0.1, 0.2, 0.2, 0.3, 0.3, 0.3, 0.4, 0.4, inf]
    """
    ordered = np.sort(ranks)
    lower = np.searchsorted(ordered, ordered, "left")
    upto = np.searchsorted(ordered, ordered, "right")
    place = -(-10 * (lower + upto) // (2 * max(len(ordered), 1))) - 1
    least = np.append(ordered, np.inf)
    steps: list[float] = least[np.searchsorted(place, np.arange(1, 10))].tolist()
    return steps
