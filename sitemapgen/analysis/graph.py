"""What does the link graph say about each URL: depth, parent, in-degree, redirect hops?

Nothing here depends on the order in which pages were fetched: that is what makes an interrupted
crawl end with the same files as an undisturbed one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

UNREACHED = -1
CHUNK = 1 << 20
"""Links translated at a time: bounds the memory of reading them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nodes:
    """The URLs of a store, in URL order; all arrays have one element a URL."""

    keys: Ints
    is_start: Mask
    in_sitemap: Mask
    is_fetched: Mask
    is_redirect: Mask
    verdict: NDArray[np.int8]
    """``Verdict.code``; -1 while it is open."""
    length: NDArray[np.int32]
    """Characters of the URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """One element a URL, in the order of the nodes."""

    depth: Ints
    """Links from the start URL, -1 where no path of followed links leads."""
    parent: Ints
    """The node one level up that links here, the first by URL; -1 for none."""
    in_degree: Ints
    """Distinct other URLs with a followed link to this one."""
    hops: Ints
    """Redirects in a row that lead here at the least; 0 as soon as a page links here."""


class LinkGraph:
    """The followed links of a site: rows of targets, one row a page that has any."""

    def __init__(self, nodes: Nodes, rows: Iterable[tuple[int, bytes]]) -> None:
        """Read (source key, packed 64-bit target keys) rows, in any order."""
        self.nodes = nodes
        self._order = np.argsort(nodes.keys, kind="stable")
        self._sorted = nodes.keys[self._order]
        self._row_of = np.full(len(nodes.keys), -1, np.int64)
        sources: list[int] = []
        lengths: list[int] = []
        chunks: list[NDArray[np.int32]] = []
        packed, size = [], 0
        for key, targets in rows:
            sources.append(key)
            lengths.append(len(targets) // 8)
            packed.append(targets)
            size += len(targets)
            if size >= CHUNK * 8:
                chunks.append(self._translate(b"".join(packed)))
                packed, size = [], 0
        chunks.append(self._translate(b"".join(packed)))
        self.targets = np.concatenate(chunks)
        self.offsets = np.concatenate(([0], np.cumsum(np.array(lengths, np.int64)))).astype(
            np.int64
        )
        self.sources = self._index(np.array(sources, np.int64))
        self._row_of[self.sources] = np.arange(len(sources))

    def _translate(self, packed: bytes) -> NDArray[np.int32]:
        return self._index(np.frombuffer(packed, np.int64)).astype(np.int32)

    def _index(self, keys: Ints) -> Ints:
        return np.asarray(self._order[np.searchsorted(self._sorted, keys)], np.int64)

    def find(self, keys: Ints) -> Ints:
        """The nodes of keys; -1 for keys that are none's."""
        if not len(self._order):
            return np.full(len(keys), -1, np.int64)
        places = np.minimum(np.searchsorted(self._sorted, keys), len(self._order) - 1)
        return np.where(self._sorted[places] == keys, self._order[places], -1)

    def first_targets(self, nodes: Ints) -> Ints:
        """The first followed link of each of these nodes; -1 where there is none."""
        if not len(self.targets):
            return np.full(len(nodes), -1, np.int64)
        rows = self._row_of[nodes]
        starts, ends = self.offsets[rows], self.offsets[rows + 1]
        has_any = (rows >= 0) & (ends > starts)
        first = self.targets[np.minimum(starts, len(self.targets) - 1)]
        return np.where(has_any, first, -1).astype(np.int64)

    def measure(self, max_depth: int = 0) -> Measures:
        """Compute depth, parent, in-degree and redirect hops of every URL.

        URLs that links do not reach within ``max_depth`` (0: without a limit), but that the site's
        own sitemaps name, stand one level below the deepest page that was fetched, within the
        limit, without a parent; what only they lead to stands below them. Source: the seed "Crawl
        Engine", phases 1 to 3.
        """
        nodes = self.nodes
        depth = np.full(len(nodes.keys), UNREACHED, np.int64)
        limit = max_depth or len(depth)
        self._spread(depth, np.flatnonzero(nodes.is_start), 0, limit)
        orphans = np.flatnonzero(nodes.in_sitemap & (depth == UNREACHED))
        deepest = int(depth[nodes.is_fetched].max(initial=UNREACHED))
        self._spread(depth, orphans, min(deepest + 1, limit), len(depth))
        self._spread(depth, self._beyond(depth), limit + 1, len(depth))
        edges = np.repeat(self.sources, np.diff(self.offsets))
        others = edges != self.targets
        is_orphan = np.zeros(len(depth), np.bool_)
        is_orphan[orphans] = True
        tree = others & (depth[edges] != UNREACHED) & ~is_orphan[self.targets]
        tree &= depth[self.targets] == depth[edges] + 1
        parent = np.full(len(depth), len(depth), np.int64)
        np.minimum.at(parent, self.targets[tree], edges[tree])
        parent[parent == len(depth)] = UNREACHED
        return Measures(
            depth=depth,
            parent=parent,
            in_degree=np.bincount(self.targets[others], minlength=len(depth)),
            hops=self._hops(edges),
        )

    def _spread(self, depth: Ints, frontier: Ints, level: int, limit: int) -> None:
        """Breadth first from the frontier over all URLs without a depth, down to the limit."""
        while len(frontier) and level <= limit:
            depth[frontier] = level
            level += 1
            reached = self._targets_of(frontier)
            frontier = _distinct(reached[depth[reached] == UNREACHED])

    def _beyond(self, depth: Ints) -> Ints:
        """What links lead to, but no further than one step beyond the limit."""
        reached = self._targets_of(np.flatnonzero(depth != UNREACHED))
        return _distinct(reached[depth[reached] == UNREACHED])

    def _targets_of(self, frontier: Ints) -> Ints:
        rows = self._row_of[frontier]
        rows = rows[rows >= 0]
        starts, lengths = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        ends = np.cumsum(lengths)
        if not len(ends):
            return np.empty(0, np.int64)
        positions = np.arange(ends[-1]) + np.repeat(starts - (ends - lengths), lengths)
        reached: Ints = self.targets[positions].astype(np.int64)
        return reached

    def _hops(self, edges: Ints) -> Ints:
        redirecting = self.nodes.is_redirect[edges]
        far = len(self.nodes.keys) + 1
        hops = np.full(len(self.nodes.keys), far, np.int64)
        hops[self.nodes.is_start | self.nodes.in_sitemap] = 0
        hops[self.targets[~redirecting]] = 0
        sources, targets = edges[redirecting], self.targets[redirecting]
        while len(sources):
            before = hops[targets]
            np.minimum.at(hops, targets, hops[sources] + 1)
            if np.array_equal(before, hops[targets]):
                break
        hops[hops >= far] = 0
        return hops


def _distinct(numbers: Ints) -> Ints:
    """Sort and drop repetitions; np.unique would import the masked arrays for it."""
    numbers = np.sort(numbers)
    is_new = np.ones(len(numbers), np.bool_)
    is_new[1:] = numbers[1:] != numbers[:-1]
    return numbers[is_new]
