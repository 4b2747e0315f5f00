"""Jobs of a coordinator that have no outcome yet, and the requests that wait for them."""

from __future__ import annotations

import asyncio
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.download.failures import LeaseLost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitemapgen.cluster.messages import JobOutcome

UNSEEN = 30.0
"""Seconds after which it is checked whether Redis still has a job."""


class _Pending(NamedTuple):
    """A job without an outcome."""

    outcome: asyncio.Future[JobOutcome]
    since: float


class PendingJobs:
    """The jobs under way, by their numbers."""

    def __init__(self) -> None:
        self.outbox: list[tuple[int, bytes]] = []
        """The numbers and messages of those that are not sent yet."""
        self.are_waiting = asyncio.Event()
        """Set while there is something to send."""
        self._numbers = count(1)
        self._pending: dict[int, _Pending] = {}
        self._entries: dict[int, bytes] = {}
        """Ids in the stream of those that were sent."""
        self._missing: set[int] = set()

    @property
    def are_sent(self) -> bool:
        """Whether Redis has a job."""
        return bool(self._entries)

    async def outcome(self, message: Callable[[int], bytes]) -> JobOutcome:
        """Add a job, whose message is made for its number, and wait for its outcome.

        Raises what ``fail`` was called with.
        """
        number = next(self._numbers)
        outcome: asyncio.Future[JobOutcome] = asyncio.get_running_loop().create_future()
        self._pending[number] = _Pending(outcome, monotonic())
        try:
            self.outbox.append((number, message(number)))
            self.are_waiting.set()
            return await outcome
        finally:
            self._pending.pop(number, None)
            self._entries.pop(number, None)

    def take_outbox(self) -> list[tuple[int, bytes]]:
        """Return the jobs to be sent, and empty the outbox."""
        self.are_waiting.clear()
        jobs, self.outbox = self.outbox, []
        return jobs

    def note_sent(self, entries: Iterable[tuple[int, bytes]]) -> None:
        """Record the ids in the stream of jobs that were sent."""
        self._entries.update(
            (number, entry) for number, entry in entries if number in self._pending
        )

    def finish(self, outcome: JobOutcome) -> None:
        """Hand an outcome to the request that waits for it; others are dropped."""
        pending = self._pending.get(outcome.number)
        if pending and not pending.outcome.done():
            pending.outcome.set_result(outcome)

    def fail(self, number: int, error: Exception) -> None:
        """End a job with an exception."""
        pending = self._pending.get(number)
        if pending and not pending.outcome.done():
            pending.outcome.set_exception(error)

    def drop(self, error: Exception) -> None:
        """End all jobs with an exception."""
        self.outbox.clear()
        self._missing.clear()
        for number in list(self._pending):
            self.fail(number, error)

    def unseen(self) -> dict[int, bytes]:
        """Return the ids in the stream of jobs that have been under way for long."""
        long_ago = monotonic() - UNSEEN
        return {
            number: entry
            for number, entry in self._entries.items()
            if number in self._pending and self._pending[number].since < long_ago
        }

    def note_missing(self, missing: set[int]) -> None:
        """Repeat jobs that Redis has lost, unless their outcomes arrive before the next call."""
        for number in missing & self._missing:
            self.fail(number, LeaseLost())
        self._missing = missing
