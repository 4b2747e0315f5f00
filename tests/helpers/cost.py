"""Bounds of CPU that hold on slow machines too: in seconds of a usual one."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

ROUNDS = 200_000
USUAL = 0.006
"""Seconds of CPU that a usual machine takes for so many rounds of a loop."""


def usual_seconds(seconds: float) -> float:
    """The seconds of CPU that this machine, as it is now, takes for some of a usual one's."""
    return seconds * max(1.0, _loop() / USUAL)


@contextmanager
def at_most(seconds: float, what: object = "") -> Iterator[None]:
    """A block that takes at most so many seconds of CPU of a usual machine."""
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
