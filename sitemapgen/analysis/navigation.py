"""Links of a site that lead to a subset of its URLs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.graph import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.analysis.graph import Ints, LinkGraph, Mask


def links_to(graph: LinkGraph, targets: Mask) -> tuple[Ints, Ints]:
    """The (source, target) nodes of all links that lead to these URLs from another one."""
    found: list[tuple[Ints, Ints]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for sources, ends in _links(graph):
        wanted = targets[ends] & (sources != ends)
        found.append((sources[wanted], ends[wanted]))
    sources, ends = (np.concatenate(column) for column in zip(*found))
    return sources, ends


def _links(graph: LinkGraph) -> Iterator[tuple[Ints, Ints]]:
    """All links as (sources, targets), some at a time."""
    for first in range(0, len(graph.targets), CHUNK):
        places = np.arange(first, min(first + CHUNK, len(graph.targets)))
        rows = np.searchsorted(graph.offsets, places, "right") - 1
        yield graph.sources[rows], graph.targets[places].astype(np.int64)
