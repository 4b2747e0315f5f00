"""Link graph of a site: depth, parent and in-degree of each URL, orphans and dead ends.

``ranking.py`` computes ranks over it. No result depends on the order in which pages were fetched,
so that an interrupted crawl ends with the same files as an undisturbed one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.key_index import Places, distinct
from sitemapgen.verdicts import Content, Verdict, verdicts_where

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

UNREACHED = -1
NOWHERE = -1
CHUNK = 1 << 19
"""Links processed at a time, which bounds the memory for any number of links."""
CACHED = 1 << 16
"""Links summed up at a time, so few that their data stays in the processor's cache."""

NO_PAGE = verdicts_where(lambda row: row.content is Content.NONE)
"""Verdicts of URLs that are not pages of the site: without a page as response, without new content,
or forbidden to fetch. URLs that were only not fetched because of a limit count as pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nodes:
    """URLs of a store, in URL order; all arrays have one element a URL."""

    keys: Ints
    is_start: Mask
    in_sitemap: Mask
    is_named: Mask
    """Whether a sitemap or a system of the site names the URL."""
    is_fetched: Mask
    is_redirect: Mask
    verdict: NDArray[np.int8]
    """``Verdict.code``; -1 without a verdict."""
    length: NDArray[np.int32]
    """Characters of the URL."""
    is_endless: Mask
    """Whether the URL is in an endless space."""
    parameters: NDArray[np.int16]
    """Number of parameters in the URL."""

    @property
    def is_page(self) -> Mask:
        """Whether the URL is, or may be, a page of the site: not one of NO_PAGE."""
        return np.isin(self.verdict, [each.code for each in NO_PAGE], invert=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """Measures of the graph; one element a URL, in the order of the nodes."""

    depth: Ints
    """Links from the start URL; -1 without a path of followed links."""
    parent: Ints
    """The node one level up that links here, the first by URL; -1 for none."""
    in_degree: Ints
    """Number of distinct other URLs with a followed link to this one."""
    hops: Ints
    """Minimum number of consecutive redirects that lead here; 0 if a page links here."""
    is_reached: Mask
    """Whether followed links lead here from the start URL, however many."""
    is_orphan: Mask
    """Whether a sitemap or a system names the URL, and it is not reached."""


class LinkGraph:
    """Followed links of a site: rows of targets, one row for each page with links."""

    def __init__(self, nodes: Nodes, rows: Iterable[tuple[int, bytes]]) -> None:
        """Read (source key, packed 64-bit target keys) rows, in any order."""
        self.nodes = nodes
        self._places = Places(nodes.keys)
        self._row_of = np.full(len(nodes.keys), -1, np.int64)
        sources, ends = array("q"), array("q", [0])
        packed, targets = bytearray(), bytearray()
        for key, row in rows:
            sources.append(key)
            ends.append(ends[-1] + len(row) // 8)
            packed += row
            if len(packed) >= CHUNK * 8:
                targets += self._translate_keys(packed)
                packed.clear()
        targets += self._translate_keys(packed)
        self.targets = np.frombuffer(targets, np.int32)
        self.offsets = np.frombuffer(ends, np.int64)
        self.sources = self.find_nodes(np.frombuffer(sources, np.int64))
        self._row_of[self.sources] = np.arange(len(sources))

    def _translate_keys(self, packed: bytearray) -> bytes:
        return self.find_nodes(np.frombuffer(packed, np.int64)).astype(np.int32).tobytes()

    def find_nodes(self, keys: Ints) -> Ints:
        """Return the nodes of keys; -1 for unknown keys."""
        return self._places.find_positions(keys)

    def first_targets(self, nodes: Ints) -> Ints:
        """Return the target of the first followed link of each of these nodes; -1 without one."""
        if not len(self.targets):
            return np.full(len(nodes), -1, np.int64)
        rows = self._row_of[nodes]
        starts, ends = self.offsets[rows], self.offsets[rows + 1]
        has_any = (rows >= 0) & (ends > starts)
        first = self.targets[np.minimum(starts, len(self.targets) - 1)]
        return np.where(has_any, first, -1).astype(np.int64)

    def targets_of(self, node: int) -> Ints:
        """Return the targets of the followed links of a node; -1 for those without a node."""
        row = self._row_of[node]
        first, end = (self.offsets[row], self.offsets[row + 1]) if row >= 0 else (0, 0)
        return self.targets[first:end].astype(np.int64)

    def redirect_ends(self) -> Ints:
        """Return the node at the end of each URL's redirects; itself if it does not redirect."""
        return chain_ends(self.redirect_steps())

    def redirect_steps(self) -> Ints:
        """Return the node to which each URL redirects; NOWHERE for no redirect."""
        step = np.full(len(self.nodes.keys), NOWHERE, np.int64)
        redirects = np.flatnonzero(self.nodes.is_redirect)
        step[redirects] = self.first_targets(redirects)
        return step

    def count_outward(self, ends: Ints, is_page: Mask | None = None) -> tuple[Ints, Ints]:
        """Count each page's followed links: (those that end at other pages, those at itself).

        ``is_page``: nodes that count as pages, by default ``nodes.is_page``.
        """
        if is_page is None:
            is_page = self.nodes.is_page
        counts = is_page[ends]
        is_moved = ends != np.arange(len(ends))
        links = np.zeros(len(ends), np.int64)
        loops = np.zeros(len(ends), np.int64)
        for rows in _cut_spans(self.offsets[1:], CACHED):
            sources, targets = self._edges_of(rows)
            moved = np.flatnonzero(is_moved[targets])
            is_loop = targets == sources
            is_loop[moved] = ends[targets[moved]] == sources[moved]
            np.add.at(loops, sources[is_loop], 1)
            upto = np.append(0, np.cumsum(counts[targets]))
            bounds = self.offsets[rows.start : rows.stop + 1]
            links[self.sources[rows]] = np.diff(upto[bounds - bounds[0]])
        return np.where(is_page, links - loops, 0), np.where(is_page, loops, 0)

    def dead_ends(self) -> Mask:
        """Return the fetched pages without a followed link to another page.

        A URL of a trap that was never fetched counts as a page here.
        """
        nodes = self.nodes
        is_unseen = ~nodes.is_fetched & (nodes.verdict == Verdict.TRAP.code)
        others, _ = self.count_outward(self.redirect_ends(), nodes.is_page | is_unseen)
        is_dead_end: Mask = nodes.is_page & nodes.is_fetched & (others == 0)
        return is_dead_end

    def pass_on(self, shares: Floats) -> Floats:
        """Return the sum that each URL receives if all send their share along each link."""
        received = np.zeros(len(shares), np.float64)
        for rows in _cut_spans(self.offsets[1:], CACHED):
            ends = self.offsets[rows.start : rows.stop + 1]
            sent = np.repeat(shares[self.sources[rows]], np.diff(ends))
            np.add.at(received, self.targets[ends[0] : ends[-1]], sent)
        return received

    def measure(self, max_depth: int = 0) -> Measures:
        """Compute depth, parent, in-degree and redirect hops of every URL, and the orphans.

        URLs that only the site's own sitemaps or systems name get the level below the deepest
        fetched page, at most ``max_depth`` (0: no limit), and no parent; URLs that only they lead
        to are below them.
        """
        nodes = self.nodes
        depth = np.full(len(nodes.keys), UNREACHED, np.int64)
        self._spread_depths(depth, np.flatnonzero(nodes.is_start), 0, len(depth))
        is_reached: Mask = depth != UNREACHED
        orphans = np.flatnonzero(nodes.is_named & ~is_reached)
        deepest = int(depth[nodes.is_fetched].max(initial=UNREACHED))
        level = min(deepest + 1, max_depth or len(depth))
        self._spread_depths(depth, orphans, level, len(depth) + level)
        is_parentless = np.zeros(len(depth), np.bool_)
        is_parentless[orphans] = True
        parent = np.full(len(depth), len(depth), np.int64)
        in_degree = np.zeros(len(depth), np.int64)
        for sources, targets in self.edges():
            others = sources != targets
            in_degree += np.bincount(targets[others], minlength=len(depth))
            above = depth[sources]
            tree = others & (above != UNREACHED) & (depth[targets] == above + 1)
            tree &= ~is_parentless[targets]
            np.minimum.at(parent, targets[tree], sources[tree])
        parent[parent == len(depth)] = UNREACHED
        return Measures(
            depth=depth,
            parent=parent,
            in_degree=in_degree,
            hops=self._redirect_hops(),
            is_reached=is_reached,
            is_orphan=nodes.is_named & ~is_reached,
        )

    def distances(self) -> Ints:
        """Count the links from the start URL to each URL; without a path, the number of URLs.

        URLs that only the site's own sitemaps list have distance 1, as if the start page linked to
        them. Source: Schonfeld and Shivakumar 2009, section 6.3.1, PriorityRank.
        """
        nodes = self.nodes
        distance = np.full(len(nodes.keys), UNREACHED, np.int64)
        start = np.flatnonzero(nodes.is_start)
        self._spread_depths(distance, start, 0, len(distance))
        orphans = np.flatnonzero(nodes.is_named & (distance == UNREACHED))
        distance[:] = UNREACHED
        self._spread_depths(distance, start, 0, 0)
        nearest = distinct(np.append(self._unreached_targets(start, distance), orphans))
        self._spread_depths(distance, nearest, 1, len(distance))
        distance[distance == UNREACHED] = len(distance)
        return distance

    def reached_without(self, left_out: Iterable[tuple[int, bytes]]) -> Mask:
        """Return the URLs to which links lead from the start URL, without some of the links.

        ``left_out``: (source key, packed 64-bit target keys) rows.
        """
        graph = copy(self)
        graph.targets = self.targets.copy()
        for source, packed in left_out:
            (node,) = self.find_nodes(np.array([source]))
            row = self._row_of[node] if node != NOWHERE else NOWHERE
            if row != NOWHERE:
                links = graph.targets[self.offsets[row] : self.offsets[row + 1]]
                links[np.isin(links, self.find_nodes(np.frombuffer(packed, np.int64)))] = node
        depth = np.full(len(self.nodes.keys), UNREACHED, np.int64)
        graph._spread_depths(depth, np.flatnonzero(self.nodes.is_start), 0, len(depth))
        is_reached: Mask = depth != UNREACHED
        return is_reached

    def links_to(self, targets: Mask) -> tuple[Ints, Ints]:
        """Return the (source, target) nodes of all links to these URLs from other ones."""
        found = [(np.empty(0, np.int64), np.empty(0, np.int32))]
        for sources, ends in self.edges():
            is_found = targets[ends] & (sources != ends)
            found.append((sources[is_found], ends[is_found]))
        sources, ends = (np.concatenate(column) for column in zip(*found))
        return sources, ends.astype(np.int64)

    def edges(self) -> Iterator[tuple[Ints, NDArray[np.int32]]]:
        """Yield all links as (sources, targets), in chunks."""
        return map(self._edges_of, _cut_spans(self.offsets[1:]))

    def _edges_of(self, rows: slice) -> tuple[Ints, NDArray[np.int32]]:
        ends = self.offsets[rows.start : rows.stop + 1]
        return np.repeat(self.sources[rows], np.diff(ends)), self.targets[ends[0] : ends[-1]]

    def _spread_depths(self, depth: Ints, frontier: Ints, level: int, limit: int) -> None:
        """Set depths breadth first from the frontier, for URLs without a depth, up to the limit."""
        while len(frontier) and level <= limit:
            depth[frontier] = level
            level += 1
            frontier = self._unreached_targets(frontier, depth)

    def _unreached_targets(self, frontier: Ints, depth: Ints) -> Ints:
        """Return the URLs without a depth to which the links of the frontier lead."""
        found = [np.empty(0, np.int64)]
        for targets in self._targets_of(frontier):
            found.append(distinct(targets[depth[targets] == UNREACHED]))
        return distinct(np.concatenate(found))

    def _targets_of(self, frontier: Ints) -> Iterator[Ints]:
        """Yield the targets of the links of these nodes, in chunks."""
        rows = self._row_of[frontier]
        rows = rows[rows >= 0]
        starts, lengths = self.offsets[rows], self.offsets[rows + 1] - self.offsets[rows]
        ends = np.cumsum(lengths)
        for span in _cut_spans(ends):
            before = ends[span] - lengths[span]
            positions = np.arange(before[0], ends[span][-1])
            positions += np.repeat(starts[span] - before, lengths[span])
            yield self.targets[positions].astype(np.int64)

    def _redirect_hops(self) -> Ints:
        far = len(self.nodes.keys) + 1
        hops = np.full(len(self.nodes.keys), far, np.int64)
        hops[self.nodes.is_start | self.nodes.is_named] = 0
        redirects = [(np.empty(0, np.int64), np.empty(0, np.int32))]
        for sources, targets in self.edges():
            redirecting = self.nodes.is_redirect[sources]
            hops[targets[~redirecting]] = 0
            redirects.append((sources[redirecting], targets[redirecting]))
        sources, targets = (np.concatenate(column) for column in zip(*redirects))
        while len(sources):
            before = hops[targets]
            np.minimum.at(hops, targets, hops[sources] + 1)
            if np.array_equal(before, hops[targets]):
                break
        hops[hops >= far] = 0
        return hops


def chain_ends(step: Ints) -> Ints:
    """Return the end of each node's chain of steps; for a cycle some node within it.

    >>> chain_ends(np.array([1, 2, NOWHERE])).tolist()
    [2, 2, 2]
    """
    at = np.where(step == NOWHERE, np.arange(len(step)), step)
    for _ in range(len(step).bit_length()):
        further = at[at]
        if np.array_equal(further, at):
            break
        at = further
    return at


def count_steps(step: Ints, nodes: Ints) -> Ints:
    """Return the number of steps from each of these nodes to an end; -1 in or before a cycle."""
    ends = step[chain_ends(step)[nodes]] == NOWHERE
    at, steps = nodes.copy(), np.zeros(len(nodes), np.int64)
    going = ends & (step[at] != NOWHERE)
    while going.any():
        at[going] = step[at[going]]
        steps[going] += 1
        going[going] = step[at[going]] != NOWHERE
    steps[~ends] = NOWHERE
    return steps


def chain_nodes(step: Ints, node: int, limit: int) -> list[int]:
    """Return the nodes from one to the end, or until one is repeated; at most ``limit``."""
    met = [node]
    while len(met) < limit and step[met[-1]] != NOWHERE:
        met.append(int(step[met[-1]]))
        if met[-1] in met[:-1]:
            break
    return met


def _cut_spans(ends: Ints, links: int = 0) -> Iterator[slice]:
    """Cut rows, given by their cumulative ends, into spans of some ``links`` (0: CHUNK) links."""
    total = int(ends[-1]) if len(ends) else 0
    cuts = np.searchsorted(ends, np.arange(0, total, links or CHUNK)).tolist()
    for start, stop in zip(cuts, [*cuts[1:], len(ends)]):
        if start < stop:
            yield slice(start, stop)


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
