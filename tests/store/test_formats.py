"""Storage formats of links and excerpts: what is packed is unpacked, of any size."""

from array import array

import numpy as np
import pytest

from sitemapgen.store.packing import (
    Keys,
    pack_numbers,
    pack_text,
    unpack_all,
    unpack_numbers,
    unpack_text,
)
from tests.helpers.tables import for_each

ROWS = [[], [1], [255, 1], [256], [], [65_535, 3, 65_536], [1 << 24, 7], [(1 << 32) - 1], [5, 5]]


@for_each(*ROWS)
def test_a_row_of_numbers(numbers: list[int]) -> None:
    packed = pack_numbers(numbers)
    assert unpack_numbers(packed) == numbers
    width = (max(numbers).bit_length() + 7) // 8 if numbers else 0
    assert len(packed) == len(numbers) * width + bool(numbers)


def test_many_rows_of_different_widths() -> None:
    numbers, counts = unpack_all([pack_numbers(row) for row in ROWS])
    assert numbers.tolist() == [number for row in ROWS for number in row]
    assert counts.tolist() == [len(row) for row in ROWS]


@pytest.mark.full
def test_the_keys_of_links() -> None:
    numbers = np.arange(1, 70_001)
    keys = Keys(numbers, numbers * -3)
    targets = [[1, 70_000], [], [300, 2]] * 30_000  # more than one batch
    rows = [(at, pack_numbers(row)) for at, row in enumerate(targets)]
    expected = [(at, [number * -3 for number in row]) for at, row in enumerate(targets)]
    assert [(at, array("q", packed).tolist()) for at, packed in keys.rows(rows)] == expected
    both = list(keys.rows((at, packed, pack_numbers([9])) for at, packed in rows))
    assert [(at, array("q", packed).tolist()) for at, packed, _ in both] == expected
    assert {array("q", nofollow).tolist()[0] for *_, nofollow in both} == {-27}


def test_a_number_that_no_url_has() -> None:
    keys = Keys(np.array([1, 2]), np.array([10, 20]))
    ((_, packed),) = keys.rows([(5, pack_numbers([2, 9]))])
    assert array("q", packed).tolist() == [20, 0]


@for_each("", "a", "Grüße 🌍 " * 200)
def test_an_excerpt(text: str) -> None:
    assert unpack_text(pack_text(text)) == text


def test_no_excerpt() -> None:
    assert unpack_text(None) is None
