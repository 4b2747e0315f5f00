"""Jobs of a coordinator that have no outcome yet, and the requests that wait for them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import count
from time import monotonic
from typing import TYPE_CHECKING

from sitemapgen.download.failures import LeaseLost

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sitemapgen.cluster.messages import JobOutcome

UNSEEN = 30.0
"""Seconds after which it is checked whether Redis still has a job."""


@dataclass(slots=True)
class _Job:
    """A job without an outcome."""

    outcome: asyncio.Future[JobOutcome]
    since: float
    entry: bytes = b""
    """Its id in the stream; empty until it is sent."""
    is_missing: bool = False
    """Whether Redis did not have it at the last check."""


class PendingJobs:
    """The jobs under way, by their numbers."""

    def __init__(self) -> None:
        self.outbox: list[tuple[int, bytes]] = []
        """The numbers and messages of those that are not sent yet."""
        self.are_waiting = asyncio.Event()
        """Set while there is something to send."""
        self._numbers = count(1)
        self._jobs: dict[int, _Job] = {}

    @property
    def are_sent(self) -> bool:
        """Whether Redis has a job."""
        return any(job.entry for job in self._jobs.values())

    async def wait_for_outcome(self, message: Callable[[int], bytes]) -> JobOutcome:
        """Add a job, whose message is made for its number, and wait for its outcome.

        Raises what ``fail_job`` was called with.
        """
        number = next(self._numbers)
        job = _Job(asyncio.get_running_loop().create_future(), monotonic())
        self._jobs[number] = job
        try:
            self.outbox.append((number, message(number)))
            self.are_waiting.set()
            return await job.outcome
        finally:
            self._jobs.pop(number, None)

    def take_outbox(self) -> list[tuple[int, bytes]]:
        """Return the jobs to be sent, and empty the outbox."""
        self.are_waiting.clear()
        jobs, self.outbox = self.outbox, []
        return jobs

    def note_sent(self, entries: Iterable[tuple[int, bytes]]) -> None:
        """Record the ids in the stream of jobs that were sent."""
        for number, entry in entries:
            if job := self._jobs.get(number):
                job.entry = entry

    def finish_job(self, outcome: JobOutcome) -> None:
        """Hand an outcome to the request that waits for it; others are dropped."""
        job = self._jobs.get(outcome.number)
        if job and not job.outcome.done():
            job.outcome.set_result(outcome)

    def fail_job(self, number: int, error: Exception) -> None:
        """End a job with an exception."""
        job = self._jobs.get(number)
        if job and not job.outcome.done():
            job.outcome.set_exception(error)

    def drop_jobs(self, error: Exception) -> None:
        """End all jobs with an exception."""
        self.outbox.clear()
        for number in list(self._jobs):
            self.fail_job(number, error)

    def unseen_entries(self) -> dict[int, bytes]:
        """Return the ids in the stream of jobs that have been under way for long."""
        long_ago = monotonic() - UNSEEN
        jobs = self._jobs.items()
        return {number: job.entry for number, job in jobs if job.entry and job.since < long_ago}

    def note_missing(self, missing: set[int]) -> None:
        """Repeat jobs that Redis has lost, unless their outcomes arrive before the next call."""
        for number, job in self._jobs.items():
            if job.is_missing and number in missing:
                self.fail_job(number, LeaseLost())
            job.is_missing = number in missing
