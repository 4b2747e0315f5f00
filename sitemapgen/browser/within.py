"""Deadlines for calls that may never return, as not all calls of Playwright have one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")

GLANCE = 0.25
"""Seconds between two checks of whether the crawl ends."""


class TooLate(Exception):
    """A call was not done in time; it may continue, and its result is dropped."""


class CrawlEnding(Exception):
    """The crawl ends; work under way is not finished."""


async def within(
    seconds: float, work: Coroutine[Any, Any, Result], is_ending: Callable[[], bool] = lambda: False
) -> Result:
    """Wait up to ``seconds`` for work and return its result. Raises TooLate, CrawlEnding.

    Late work is not cancelled, as Playwright would then log a response that is not awaited. It ends
    with its browser.
    """
    task = asyncio.ensure_future(work)
    end = asyncio.get_running_loop().time() + seconds
    while True:
        left = end - asyncio.get_running_loop().time()
        done, _ = await asyncio.wait({task}, timeout=max(0.0, min(left, GLANCE)))
        if done:
            return task.result()
        if left <= 0 or is_ending():
            task.add_done_callback(retrieve_exception)
            raise TooLate if left <= 0 else CrawlEnding


def retrieve_exception(future: asyncio.Future[Any]) -> None:
    """Retrieve the exception of a task that nothing awaits, mostly of a closing tab."""
    if not future.cancelled():
        future.exception()
