"""Going along steps: how far, and over what."""

import numpy as np

from sitemapgen.analysis.graph import chain_nodes, count_steps

#                0  1  2   3  4  5  6   7
STEP = np.array([1, 2, -1, 4, 5, 3, 6, 0])


def test_how_many_steps_lead_to_an_end() -> None:
    assert count_steps(STEP, np.arange(8)).tolist() == [2, 1, 0, -1, -1, -1, -1, 3]
    assert count_steps(STEP, np.empty(0, np.int64)).tolist() == []


def test_the_way_to_an_end() -> None:
    assert chain_nodes(STEP, 7, 20) == [7, 0, 1, 2]
    assert chain_nodes(STEP, 3, 20) == [3, 4, 5, 3]
    assert chain_nodes(STEP, 6, 20) == [6, 6]
    assert chain_nodes(STEP, 7, 2) == [7, 0]
    assert chain_nodes(STEP, 2, 20) == [2]
