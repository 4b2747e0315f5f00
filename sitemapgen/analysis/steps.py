"""Where does one end that goes from URL to URL: along redirects, canonicals, copies?

A step is an array with the node that each node leads to, NOWHERE where it leads to none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sitemapgen.analysis.graph import Ints, LinkGraph

NOWHERE = -1


def redirects(graph: LinkGraph) -> Ints:
    """Where each redirect leads next."""
    step = np.full(len(graph.nodes.keys), NOWHERE, np.int64)
    sources = np.flatnonzero(graph.nodes.is_redirect)
    step[sources] = graph.first_targets(sources)
    return step


def last(step: Ints) -> Ints:
    """Where each node is after as many steps as there are nodes; a circle is still in itself."""
    at = np.where(step == NOWHERE, np.arange(len(step)), step)
    for _ in range(len(step).bit_length()):
        further = at[at]
        if np.array_equal(further, at):
            break
        at = further
    return at


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
