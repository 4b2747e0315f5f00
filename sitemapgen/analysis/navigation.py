"""Links of a site that lead to a subset of its URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.graph import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.analysis.graph import Ints, LinkGraph, Mask


def links_to(graph: LinkGraph, targets: Mask) -> tuple[Ints, Ints]:
    """Return the (source, target) nodes of all links to these URLs from other ones."""
    found: list[tuple[Ints, Ints]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for sources, ends in _links(graph):
        is_to_target = targets[ends] & (sources != ends)
        found.append((sources[is_to_target], ends[is_to_target]))
    sources, ends = (np.concatenate(column) for column in zip(*found))
    return sources, ends


def _links(graph: LinkGraph) -> Iterator[tuple[Ints, Ints]]:
    """Yield all links as (sources, targets), in chunks."""
    for first in range(0, len(graph.targets), CHUNK):
        places = np.arange(first, min(first + CHUNK, len(graph.targets)))
        rows = np.searchsorted(graph.offsets, places, "right") - 1
        yield graph.sources[rows], graph.targets[places].astype(np.int64)
