"""The preferred URL among several that stand for one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sitemapgen.analysis.graph import Ints, Mask, Measures, Nodes


def preferred(candidates: Ints, nodes: Nodes, measures: Measures, is_original: Mask) -> Ints:
    """Sort nodes, the one to be listed first.

    One that the site's own sitemaps list, else one that others name as canonical
    (``is_original``), else the start page (its links are in the world, not on the site), else one
    that is not in an endless space, else one without a query, else the one with the most links, the
    shallowest, the shortest, the first by URL: none of it depends on the order in which pages were
    fetched. Source: the seed "Crawl Engine", canonical URL of a cluster; Schonfeld and Shivakumar
    2009, section 6.2.
    """
    depth = measures.depth[candidates]
    order = np.lexsort(
        (
            candidates,
            nodes.length[candidates],
            np.where(depth < 0, len(nodes.keys), depth),
            -measures.in_degree[candidates],
            nodes.has_query[candidates],
            nodes.is_endless[candidates],
            ~nodes.is_start[candidates],
            ~is_original[candidates],
            ~nodes.in_sitemap[candidates],
        )
    )
    return candidates[order]
