"""Ends of chains in which URL leads to URL: redirects, canonicals, copies.

A step is an array with the node that each node leads to, NOWHERE where it leads to none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.graph import NOWHERE, last

if TYPE_CHECKING:
    from sitemapgen.analysis.graph import Ints, LinkGraph


def redirects(graph: LinkGraph) -> Ints:
    """Where each redirect leads next."""
    step = np.full(len(graph.nodes.keys), NOWHERE, np.int64)
    sources = np.flatnonzero(graph.nodes.is_redirect)
    step[sources] = graph.first_targets(sources)
    return step


def count(step: Ints, nodes: Ints) -> Ints:
    """How many steps lead from each of these nodes to an end; -1 where they never end."""
    ends = step[last(step)[nodes]] == NOWHERE
    at, steps = nodes.copy(), np.zeros(len(nodes), np.int64)
    going = ends & (step[at] != NOWHERE)
    while going.any():
        at[going] = step[at[going]]
        steps[going] += 1
        going[going] = step[at[going]] != NOWHERE
    steps[~ends] = NOWHERE
    return steps


def path(step: Ints, node: int, limit: int) -> list[int]:
    """The nodes from one to the end, or until one comes back; so many at most."""
    met = [node]
    while len(met) < limit and step[met[-1]] != NOWHERE:
        met.append(int(step[met[-1]]))
        if met[-1] in met[:-1]:
            break
    return met
