"""Chains in which one URL leads to another: redirects, canonicals, copies.

A step is an array with the node to which each node leads, NOWHERE for none.
"""

from __future__ import annotations

import numpy as np

from sitemapgen.analysis.graph import NOWHERE, Ints, LinkGraph, chain_ends


def redirect_steps(graph: LinkGraph) -> Ints:
    """Return the next node of each redirect."""
    step = np.full(len(graph.nodes.keys), NOWHERE, np.int64)
    sources = np.flatnonzero(graph.nodes.is_redirect)
    step[sources] = graph.first_targets(sources)
    return step


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


def path(step: Ints, node: int, limit: int) -> list[int]:
    """Return the nodes from one to the end, or until one is repeated; at most ``limit``."""
    met = [node]
    while len(met) < limit and step[met[-1]] != NOWHERE:
        met.append(int(step[met[-1]]))
        if met[-1] in met[:-1]:
            break
    return met
