"""CPU of a reader against the size of what it reads: linear, or too slow."""

import gc
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MAX_GROWTH = 2.5
"""CPU of a document over that of one half as long; a linear reader is at 2."""
FLOOR = 0.1
"""Seconds of CPU below which nothing is measured: no document can hurt by so little, and of a
document that takes less, twice as much memory alone may take three times as long."""
ATTEMPTS = 5


def cpu(read: Callable[[T], object], document: T) -> float:
    """Seconds of this thread's CPU, without the garbage collector's."""
    gc.disable()
    try:
        began = time.thread_time()
        read(document)
        return time.thread_time() - began
    finally:
        gc.enable()


def growth(read: Callable[[T], object], make: Callable[[int], T], size: int) -> float:
    """How much longer a document takes than one half as long: the least of two doublings.

    A limit of what is read, or of a cache, is a step that is met at one size only; what is not
    linear is slow at each.
    """
    least = float("inf")
    for half in (size, 2 * size):
        least = min(least, _doubled(read, make(half), make(2 * half)))
        if least <= MAX_GROWTH:
            break
    return least


def _doubled(read: Callable[[T], object], half: T, whole: T) -> float:
    """How much longer a document takes than another one: the least of some attempts."""
    least = float("inf")
    for _ in range(ATTEMPTS):
        long = cpu(read, whole)
        if long < FLOOR:
            return 1.0
        least = min(least, long / max(cpu(read, half), 1e-6))
        if least <= MAX_GROWTH:
            break
    return least


def assert_linear(read: Callable[[T], object], make: Callable[[int], T], size: int) -> None:
    found = growth(read, make, size)
    assert found <= MAX_GROWTH, f"{found:.1f} times the CPU for twice the size: {make(60)!r}"


def repeated(token: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Texts of a given length that repeat a token."""
    return lambda size: before + (token * (size // len(token) + 1))[:size] + after
