"""Bounds of CPU time that also hold on slow machines: in seconds of a reference machine."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

ROUNDS = 200_000
USUAL = 0.006
"""CPU seconds of ``ROUNDS`` rounds of a loop on the reference machine."""


def usual_seconds(seconds: float) -> float:
    """Convert CPU seconds of the reference machine into those of this one; never into fewer."""
    return seconds * max(1.0, _loop() / USUAL)


@contextmanager
def at_most(seconds: float, what: object = "") -> Iterator[None]:
    """Assert that a block takes at most this CPU time, in seconds of the reference machine."""
    began = time.process_time()
    yield
    took = time.process_time() - began
    assert took < seconds or took < usual_seconds(seconds), what


def _loop() -> float:
    began, total = time.process_time(), 0
    for number in range(ROUNDS):
        total += number
    return time.process_time() - began


if __name__ == "__main__":
    print(round(usual_seconds(float(sys.argv[1]))))
