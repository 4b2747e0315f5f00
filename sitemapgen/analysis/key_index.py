"""Index of an array of keys, which are hashes: their first bits nearly give their positions."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
T = TypeVar("T", bound=np.generic)

NOWHERE = -1
STEPS = 8
"""Positions tried one by one before a binary search; hashes rarely need more than three."""
_SIGN = np.uint64(1 << 63)


class Places:
    """Finds 64-bit keys in an array, a million in 0.1 s, where a binary search takes 0.5 s.

    >>> Places(np.array([7, -3])).find_positions(np.array([-3, 8, 7])).tolist()
    [1, -1, 0]
    """

    def __init__(self, keys: Ints) -> None:
        """Take distinct keys, in any order."""
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]
        bits = len(keys).bit_length() + 1
        self._shift = np.uint64(64 - bits)
        counts = np.bincount(self._first_bits(self._sorted), minlength=1 << bits)
        np.cumsum(counts, out=counts)
        self._starts = np.zeros(1 << bits, np.int32)
        self._starts[1:] = counts[:-1]

    def _first_bits(self, keys: Ints) -> Ints:
        bits = keys.view(np.uint64) ^ _SIGN
        bits >>= self._shift
        signed: Ints = bits.view(np.int64)
        return signed

    def find_positions(self, keys: Ints) -> Ints:
        """Return the position of each of these keys; NOWHERE for unknown ones."""
        last = len(self._sorted) - 1
        if last < 0:
            return np.full(len(keys), NOWHERE, np.int64)
        at = np.minimum(self._starts[self._first_bits(keys)], last)
        behind = np.flatnonzero(self._sorted[at] < keys)
        for _ in range(STEPS):
            at[behind] = np.minimum(at[behind] + 1, last)
            behind = behind[self._sorted[at[behind]] < keys[behind]]
        at[behind] = np.minimum(np.searchsorted(self._sorted, keys[behind]), last)
        return np.where(self._sorted[at] == keys, self._order[at], NOWHERE)


def distinct(numbers: NDArray[T]) -> NDArray[T]:
    """Sort and remove duplicates; np.unique would import the masked arrays for it."""
    numbers = np.sort(numbers)
    is_new = np.ones(len(numbers), np.bool_)
    is_new[1:] = numbers[1:] != numbers[:-1]
    found: NDArray[T] = numbers[is_new]
    return found
