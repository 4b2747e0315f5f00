"""How important is each URL by the links of the site?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import LinkGraph


def pagerank(graph: LinkGraph) -> NDArray[np.float64]:
    """PageRank of every node, summing up to 1; dead ends lead everywhere."""
    count = len(graph.nodes.keys)
    if not count:
        return np.empty(0)
    lengths = np.diff(graph.offsets)
    rank = np.full(count, 1 / count)
    for _ in range(100):
        given = np.zeros(count)
        given[graph.sources] = lengths
        each = rank[graph.sources] / np.maximum(lengths, 1)
        new: NDArray[np.float64] = np.bincount(
            graph.targets, weights=np.repeat(each, lengths), minlength=count
        ).astype(np.float64)
        new += rank[given == 0].sum() / count
        new = 0.15 / count + 0.85 * new
        if np.abs(new - rank).sum() < 1e-9:
            break
        rank = new
    total: NDArray[np.float64] = rank / rank.sum()
    return total
