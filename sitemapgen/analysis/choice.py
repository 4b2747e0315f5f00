"""Choice of the preferred URL among several of the same page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sitemapgen.analysis.graph import Ints, Mask, Measures, Nodes


def sort_by_preference(
    candidates: Ints, nodes: Nodes, measures: Measures, is_original: Mask
) -> Ints:
    """Sort nodes by preference for listing, the preferred one first.

    The criteria in their order: in the site's own sitemaps; named as canonical by other pages
    (``is_original``); the start page (links to it are on other sites); not in an endless space;
    the fewest parameters; the most links; the shallowest, the shortest, the first by URL. None of
    them depends on the order in which pages were fetched. Source: Schonfeld and Shivakumar 2009,
    section 6.2.
    """
    depth = measures.depth[candidates]
    order = np.lexsort(
        (
            candidates,
            nodes.length[candidates],
            np.where(depth < 0, len(nodes.keys), depth),
            -measures.in_degree[candidates],
            nodes.parameters[candidates],
            nodes.is_endless[candidates],
            ~nodes.is_start[candidates],
            ~is_original[candidates],
            ~nodes.in_sitemap[candidates],
        )
    )
    return candidates[order]
