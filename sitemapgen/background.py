"""Thread for work that would block the event loop: conclusions, publication, plans.

One piece of work runs at a time, with the store bound to the thread (``Store.bind_to_thread``).
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Lock
from typing import TypeVar

from sitemapgen.errors import CrawlError, Exit

T = TypeVar("T")

M_ARENA_MAX = -8
"""Parameter of mallopt(3): number of heaps."""
INTERRUPTED = (
    "interrupted before the files were replaced; nothing is lost, the same command continues"
)


class Background:
    """One thread, and the flag by which a signal ends its work.

    The event loop calls ``run`` and ``interrupt``, the thread the other methods.
    """

    def __init__(self) -> None:
        _share_heap()
        self._executor = ThreadPoolExecutor(1, "background")
        self._lock = Lock()
        self._is_final = False
        self.is_busy = False
        """Whether it does some work: the event loop must not use the store meanwhile."""
        self.has_ended = asyncio.Event()
        """Set when a piece of work ends, until the next one begins."""
        self.is_interrupted = False
        """Whether the work has to end: a signal came in time."""

    async def run(self, work: Callable[[], T]) -> T:
        """Do ``work`` in the thread; return its result, or raise its exception."""
        self.is_busy = True
        self.has_ended.clear()
        gc.freeze()  # a full collection of what the crawl has kept would stop the event loop
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, work)
        finally:
            gc.unfreeze()
            self.is_busy = False
            self.has_ended.set()

    def interrupt(self) -> None:
        """Have the work end at its next check, unless it is final."""
        with self._lock:
            self.is_interrupted = not self._is_final

    def check(self) -> None:
        """Raise CrawlError after ``interrupt``."""
        if self.is_interrupted:
            raise CrawlError(Exit.INTERRUPTED, INTERRUPTED)

    def finalize(self) -> None:
        """Refuse interrupts from now on. Raises CrawlError if there was one."""
        with self._lock:
            self.check()
            self._is_final = True

    def join(self) -> None:
        """Wait for the end of the work, also after the event loop was stopped."""
        self._executor.shutdown(wait=True)


def _share_heap() -> None:
    """Have the thread use memory that the event loop has freed: 6 MB of 125 in a small crawl.

    By default glibc gives each thread a heap of its own, as threads may work at the same time.
    """
    with suppress(AttributeError, OSError, TypeError):  # another C library, with one heap
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)
