"""Keys are found where they are, however they are spread."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.analysis.key_index import NOWHERE, STEPS, Places, distinct
from tests.helpers.tables import for_each

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
KEYS = st.integers(LOWEST, HIGHEST) | st.integers(-40, 40)


def find(keys: list[int], wanted: list[int]) -> list[int]:
    return Places(np.array(keys, np.int64)).find_positions(np.array(wanted, np.int64)).tolist()


@given(st.lists(KEYS, unique=True), st.lists(KEYS))
def test_every_key_is_found_and_no_other(keys: list[int], others: list[int]) -> None:
    wanted = [*others, *keys]
    places = {key: place for place, key in enumerate(keys)}
    assert find(keys, wanted) == [places.get(key, NOWHERE) for key in wanted]


@for_each(LOWEST, -500, 0, HIGHEST - 1_000)
def test_keys_that_begin_alike(start: int) -> None:
    keys = list(range(start, start + 1_000, 2))
    assert len(keys) > STEPS
    assert find(keys, keys) == list(range(500))
    assert set(find(keys, [key + 1 for key in keys])) == {NOWHERE}


def test_distinct() -> None:
    assert distinct(np.array([3, -1, 3, 2, -1])).tolist() == [-1, 2, 3]
    assert distinct(np.array([], np.int64)).tolist() == []
