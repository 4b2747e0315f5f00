"""CPU of a reader against the size of what it reads: linear, or too slow."""

from __future__ import annotations

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
    """How much longer ``make(2 * size)`` takes than ``make(size)``: the least of some attempts."""
    half, whole = make(size), make(2 * size)
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
