"""The coordinator's exchange with Redis: sends jobs, receives outcomes, watches the workers.

It locks a database for a session, and for another one after an interruption; what was under way is
then repeated.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from secrets import token_hex
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from redis.exceptions import RedisError

from sitemapgen.cluster.connection import (
    COORDINATOR,
    CRAWL,
    ENDED,
    GROUP,
    LEASES,
    RESULTS,
    SETTING,
    WORKERS,
    RedisServer,
    cancel_tasks,
    first_result,
    is_deadly,
    lock_owner,
)
from sitemapgen.cluster.messages import FIELD, JobOutcome, MalformedMessage, WorkerJob, read_as
from sitemapgen.core.words import counted
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.engine import is_ending
from sitemapgen.download.failures import LeaseLost
from sitemapgen.errors import A_BUG, CrawlError, Exit

if TYPE_CHECKING:
    import redis
    import redis.asyncio

    from sitemapgen.context import CrawlContext

logger = logging.getLogger(__name__)

NOTHING_LOST = "nothing is lost, the same command continues"

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

        Raises the exception that ``end_job`` was called with.
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

    def end_job(self, number: int, outcome: JobOutcome | Exception) -> None:
        """Hand an outcome or an exception to the request that waits for it, if there is one."""
        job = self._jobs.get(number)
        if job and not job.outcome.done():
            if isinstance(outcome, Exception):
                job.outcome.set_exception(outcome)
            else:
                job.outcome.set_result(outcome)

    def drop_jobs(self, error: Exception) -> None:
        """End all jobs with an exception."""
        self.outbox.clear()
        for number in list(self._jobs):
            self.end_job(number, error)

    def unseen_entries(self) -> dict[int, bytes]:
        """Return the ids in the stream of jobs that have been under way for long."""
        long_ago = monotonic() - UNSEEN
        jobs = self._jobs.items()
        return {number: job.entry for number, job in jobs if job.entry and job.since < long_ago}

    def note_missing(self, missing: set[int]) -> None:
        """Repeat jobs that Redis has lost, unless their outcomes arrive before the next call."""
        for number, job in self._jobs.items():
            if job.is_missing and number in missing:
                self.end_job(number, LeaseLost())
            job.is_missing = number in missing


LOCK_SECONDS = 6.0
"""Seconds after which a coordinator without a sign of life counts as dead."""
LOOK = 1.0
"""Seconds between two looks at workers and leases; also the sign of life."""
LOOK_ALONE = 0.1
"""Seconds between two looks while there is no worker, or another coordinator has the database."""
BATCH = 64
"""Maximum outcomes that are taken at a time."""
GATHER = 0.004
"""Seconds in which further outcomes gather before they are taken, so that calls are fewer."""
PAUSES = (0.2, 0.5, 1.0, 2.0)
"""Seconds before a connection is tried again; the last one is repeated."""
LONELY = 10.0
"""Seconds without a worker after which that is logged."""
CONSUMER = "coordinator"
END_SECONDS = 3_600
"""Seconds for which Redis keeps that a crawl has ended."""


class _Restart(Exception):
    """Redis has lost its data, or all workers are gone: jobs are handed out anew."""


class Exchange:
    """One database of Redis, locked by one crawl."""

    def __init__(
        self,
        server: RedisServer,
        context: CrawlContext,
        describe: Callable[[], None],
        is_waiting: Callable[[], bool],
    ) -> None:
        """Lock the database. Raises CrawlError.

        ``describe`` calls the method of this name if there is a new description; ``is_waiting``
        returns whether requests wait for a worker.
        """
        settings = context.crawler.settings
        self.server = server
        self.lease_seconds = settings.getfloat("SITEMAPGEN_CLUSTER_LEASE")
        self.give_up = settings.getfloat("SITEMAPGEN_BACKOFF_GIVE_UP")
        """Seconds without Redis or workers after which the crawl ends."""
        self.session = ""
        self.workers = 0
        """Number of those that have given a sign of life."""
        self.has_workers = asyncio.Event()
        """Also set when the crawl ends."""
        self.is_over = False
        self.jobs = PendingJobs()
        self._context = context
        self._describe = describe
        self._is_waiting = is_waiting
        self._description = b""
        self._alone_since = monotonic()
        self._has_logged_loneliness = False
        self._running: asyncio.Task[None] | None = None
        with server.in_words():
            self._claim_session()

    def begin(self) -> None:
        """Exchange jobs and outcomes until ``end``."""
        self._running = asyncio.ensure_future(self._run_exchange())

    async def end(self) -> None:
        """End the exchange and the session."""
        if self._running is not None:
            await cancel_tasks([self._running])
        await asyncio.to_thread(self.release_session)

    def describe(self, description: bytes) -> None:
        """Send a description before the next job."""
        self._description = description
        self.jobs.are_waiting.set()

    # The lock of the database

    def _claim_session(self) -> None:
        """Begin a session with empty streams. Raises CrawlError, RedisError."""
        with self.server.connect() as client:
            self.server.check_types(client)
            session = token_hex(8)
            self._acquire_lock(client, session)
            self.session = session
            with client.pipeline() as pipe:
                pipe.delete(LEASES, RESULTS, CRAWL, ENDED, WORKERS)
                pipe.xgroup_create(LEASES, GROUP, "$", mkstream=True)
                pipe.execute()

    def _acquire_lock(self, client: redis.Redis, session: str) -> None:
        """Lock the database, after a dead coordinator when its time is over. Raises CrawlError."""
        milliseconds = int(LOCK_SECONDS * 1000)
        last = -1
        while not client.set(COORDINATOR, session, nx=True, px=milliseconds):
            if lock_owner(client) == self.session:
                client.set(COORDINATOR, session, px=milliseconds)
                return
            left = client.pttl(COORDINATOR)
            if left == -1:
                raise self.server.foreign_data_error(COORDINATOR)
            if left > last >= 0:  # renewed
                raise CrawlError(
                    Exit.REFUSED,
                    f"{SETTING}: another crawl uses {self.server.name}; wait for its end, or use "
                    f"another database, such as {self.server.other_database}",
                )
            last = left
            sleep(LOOK_ALONE)
            if self.is_over:
                raise CrawlError(Exit.INTERRUPTED, "interrupted")

    def release_session(self) -> None:
        """End the session, as far as Redis can be reached."""
        self.is_over = True
        with suppress(CrawlError, RedisError), self.server.connect() as client:
            if lock_owner(client) == self.session:
                client.set(ENDED, self.session, ex=END_SECONDS)
                client.delete(LEASES, RESULTS, CRAWL, COORDINATOR, WORKERS)

    # Sessions

    async def _run_exchange(self) -> None:
        try:
            while True:
                try:
                    await self._exchange_messages()
                except (RedisError, OSError, _Restart) as error:
                    self.jobs.drop_jobs(LeaseLost())
                    if not isinstance(error, _Restart):
                        self._set_workers(0)
                        logger.warning(
                            "%(redis)s is lost (%(why)s): what was under way is repeated",
                            {"redis": self.server.name, "why": type(error).__name__},
                        )
                    await self._reclaim_session(error)
                    self.jobs.drop_jobs(LeaseLost())  # added to the last session meanwhile
        except CrawlError as error:
            self._abort_crawl(error)
        except asyncio.CancelledError:
            self.is_over = True
            self.jobs.drop_jobs(RequestCancelled("the crawl ends"))
            raise
        except Exception:
            logger.exception("The exchange with the workers has failed")
            self._abort_crawl(CrawlError(Exit.ERROR, A_BUG))

    def _finish_jobs(self) -> None:
        self.is_over = True
        self.has_workers.set()
        self.jobs.drop_jobs(RequestCancelled("the crawl ends"))

    def _abort_crawl(self, error: CrawlError) -> None:
        self._finish_jobs()
        self._context.abort(CrawlError(error.exit_code, f"{error.sentence}; {NOTHING_LOST}"))

    async def _reclaim_session(self, error: Exception) -> None:
        """Begin another session as soon as Redis can be reached. Raises CrawlError."""
        if is_deadly(error):
            raise self.server.as_crawl_error(error)
        began, tries = monotonic(), 0
        while True:
            try:
                await asyncio.to_thread(self._claim_session)
            except RedisError as again:
                if is_deadly(again):
                    raise self.server.as_crawl_error(again) from again
                if monotonic() - began > self.give_up:
                    sentence = self.server.as_crawl_error(again).sentence
                    raise CrawlError(Exit.INTERRUPTED, sentence) from again
            else:
                if not isinstance(error, _Restart):
                    logger.info("%(redis)s is there again", {"redis": self.server.name})
                return
            self._finish_if_closing()
            await asyncio.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    def _finish_if_closing(self) -> None:
        """Cancel what no worker will do if the crawl ends."""
        if not self.workers and is_ending(self._context.crawler):
            self._finish_jobs()

    # The exchange

    async def _exchange_messages(self) -> None:
        """Send jobs, receive outcomes, and look at the workers, until one of these fails."""
        client = self.server.connect_async()
        works = (self._send_jobs, self._receive_outcomes, self._watch_workers)
        try:
            await first_result(work(client) for work in works)
        finally:
            with suppress(RedisError, OSError):
                await client.aclose()

    async def _send_jobs(self, client: redis.asyncio.Redis) -> None:
        while True:
            await self.jobs.are_waiting.wait()
            jobs = self.jobs.take_outbox()
            pipe = client.pipeline(transaction=False)
            if description := self._description:
                pipe.set(CRAWL, description)
            for _, job in jobs:
                pipe.xadd(LEASES, {FIELD: job})
            ids = await pipe.execute()
            if description:
                ids = ids[1:]
                if description is self._description:
                    self._description = b""
            self.jobs.note_sent((number, entry) for (number, _), entry in zip(jobs, ids))

    async def _receive_outcomes(self, client: redis.asyncio.Redis) -> None:
        last = b"0-0"
        while True:
            pipe = client.pipeline(transaction=False)
            if last != b"0-0":
                pipe.xtrim(RESULTS, minid=_next_id(last), approximate=False)
            pipe.xread({RESULTS: last}, count=BATCH, block=int(LOOK * 1000))
            found = (await pipe.execute())[-1]
            for _, entries in found or ():
                for entry, fields in entries:
                    last = entry
                    self._take_outcome(fields.get(FIELD))
            if found:
                await asyncio.sleep(GATHER)

    def _take_outcome(self, message: Any) -> None:
        try:
            outcome = read_as(JobOutcome, message)
        except MalformedMessage as error:
            logger.warning("A result is not one of sitemapgen: %(why)s", {"why": error})
            return
        if outcome.session == self.session:
            self.jobs.end_job(outcome.number, outcome)

    # The workers

    async def _watch_workers(self, client: redis.asyncio.Redis) -> None:
        """Renew the lock, count the workers, and take the jobs of dead ones back."""
        while True:
            self._finish_if_closing()
            self._describe()
            idle = int(self.lease_seconds * 1000)
            unseen = self.jobs.unseen_entries()
            pipe = client.pipeline(transaction=False)
            pipe.get(COORDINATOR)
            pipe.pexpire(COORDINATOR, int(LOCK_SECONDS * 1000))
            pipe.execute_command("TIME")
            pipe.zrange(WORKERS, 0, -1, withscores=True)
            pipe.xautoclaim(LEASES, GROUP, CONSUMER, idle, "0-0", count=1_000)
            for entry in unseen.values():
                pipe.xrange(LEASES, entry, entry)
            owner, _, now, workers, claimed, *entries = await self._execute_pipe(pipe)
            if owner is None:
                raise _Restart
            if owner.decode("ascii", "replace") != self.session:
                sentence = f"{SETTING}: another crawl has taken {self.server.name} over"
                raise CrawlError(Exit.REFUSED, sentence)
            await self._take_back(client, claimed[1])
            self.jobs.note_missing({number for number, entry in zip(unseen, entries) if not entry})
            oldest = now[0] - self.lease_seconds
            self._set_workers(sum(seen > oldest for _, seen in workers))
            if not self.workers and self.jobs.are_sent:
                claimed = await client.xautoclaim(LEASES, GROUP, CONSUMER, 0, "0-0", count=1_000)
                await self._take_back(client, claimed[1])
                raise _Restart
            await self._wait_for_next_look()

    async def _execute_pipe(self, pipe: Any) -> list[Any]:
        try:
            found: list[Any] = await pipe.execute()
        except RedisError as error:
            if str(error).startswith(("NOGROUP", "no such key")):
                raise _Restart from error
            raise
        return found

    async def _wait_for_next_look(self) -> None:
        if self.workers:
            await asyncio.sleep(LOOK)
            return
        alone = monotonic() - self._alone_since
        if alone > self.give_up:
            sentence = f"{SETTING}: no worker at {self.server.name} for {alone:.0f} s"
            raise CrawlError(Exit.INTERRUPTED, sentence)
        if alone > LONELY and not self._has_logged_loneliness and self._is_waiting():
            self._has_logged_loneliness = True
            logger.warning(
                "No worker takes part: scrapy crawl worker -s %(setting)s=%(redis)s",
                {"setting": SETTING, "redis": self.server.name},
            )
        await asyncio.sleep(LOOK_ALONE)

    async def _take_back(self, client: redis.asyncio.Redis, entries: Iterable[Any]) -> None:
        """Repeat the jobs of dead workers."""
        pipe = client.pipeline(transaction=False)
        for entry, fields in entries:
            pipe.xack(LEASES, GROUP, entry)
            pipe.xdel(LEASES, entry)
            with suppress(MalformedMessage):
                number = read_as(WorkerJob, fields.get(FIELD)).number
                self.jobs.end_job(number, LeaseLost(is_death=True))
        if len(pipe):
            await pipe.execute()

    def _set_workers(self, number: int) -> None:
        if number == self.workers:
            return
        logger.info("%(workers)s", {"workers": f"{counted(number, 'worker')} at present"})
        self.workers = number
        if number:
            self.has_workers.set()
            self._has_logged_loneliness = False
        else:
            self.has_workers.clear()
            self._alone_since = monotonic()


def _next_id(entry: bytes) -> str:
    """Return the id after that of an entry.

    >>> _next_id(b"1700000000000-4")
    '1700000000000-5'
    """
    start, _, number = entry.decode("ascii").partition("-")
    return f"{start}-{int(number) + 1}"
