"""Deadlines for calls that may never end: Playwright has none over all that it does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

Result = TypeVar("Result")

GLANCE = 0.25
"""Seconds between two looks at whether the crawl ends."""


class TooLate(Exception):
    """It was not done in time; it may go on for ever, and its result is dropped."""


class Ending(Exception):
    """The crawl ends; what is under way need not be finished."""


async def within(
    seconds: float,
    work: Coroutine[Any, Any, Result],
    is_ending: Callable[[], bool] = lambda: False,
) -> Result:
    """Wait for work, but not longer. Raises TooLate, Ending.

    What is late is not cancelled: Playwright would then complain about an answer that nobody
    takes. It ends when its browser does.
    """
    task = asyncio.ensure_future(work)
    end = asyncio.get_running_loop().time() + seconds
    while True:
        left = end - asyncio.get_running_loop().time()
        done, _ = await asyncio.wait({task}, timeout=max(0.0, min(left, GLANCE)))
        if done:
            return task.result()
        if left <= 0 or is_ending():
            task.add_done_callback(_forget)
            raise TooLate if left <= 0 else Ending


def _forget(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()
