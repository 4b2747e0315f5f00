"""Coordinator's side of a cluster: hands jobs out to workers, and returns their responses.

It stands where Scrapy's downloader calls a download handler, so that scheduler, delays, robots.txt,
AutoThrottle, retries and back-off are those of any crawl, for all workers together. A job without
an outcome is repeated: ``middlewares/cluster.py``.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from itertools import count
from secrets import token_hex
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from redis.exceptions import RedisError
from scrapy import signals
from scrapy.http import HtmlResponse

from sitemapgen.cluster.connection import (
    COORDINATOR,
    CRAWL,
    ENDED,
    GROUP,
    LEASES,
    RESULTS,
    SETTING,
    WORKERS,
    Server,
    cancelled,
    first_result,
    holder_of,
    is_deadly,
)
from sitemapgen.cluster.description import describe
from sitemapgen.cluster.errors import exception_from_values
from sitemapgen.cluster.messages import (
    FIELD,
    Job,
    Malformed,
    Outcome,
    findings_from_values,
    pack,
    unpack,
)
from sitemapgen.context import context_of
from sitemapgen.core.words import counted
from sitemapgen.download.downloader import RequestCancelled, polite_downloader
from sitemapgen.download.examining import ReadResponse
from sitemapgen.download.failures import LeaseLost
from sitemapgen.download.terms import HINDRANCE, PATIENT, RAW, RENDERING, SECONDS, WAITING
from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from collections.abc import Iterable

    import redis
    import redis.asyncio
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

HOLD = 6.0
"""Seconds after which a coordinator without a sign of life counts as dead."""
LOOK = 1.0
"""Seconds between two looks at workers and leases; also the sign of life."""
GLANCE = 0.1
"""Seconds between two looks while requests wait for a worker."""
BATCH = 64
"""Maximum outcomes that are taken at a time."""
GATHER = 0.004
"""Seconds in which further outcomes gather before they are taken, so that calls are fewer."""
UNSEEN = 30.0
"""Seconds after which it is checked whether Redis still has a job."""
PAUSES = (0.2, 0.5, 1.0, 2.0)
"""Seconds before a connection is tried again; the last one is repeated."""
LONELY = 10.0
"""Seconds without a worker after which that is logged."""
CONSUMER = "coordinator"
END_SECONDS = 3_600
"""Seconds for which Redis keeps that a crawl has ended."""
NOTHING_LOST = "nothing is lost, the same command continues"


class _Restart(Exception):
    """Redis has lost its data, or all workers are gone: jobs are handed out anew."""


class _Pending(NamedTuple):
    """A job without an outcome."""

    outcome: asyncio.Future[Outcome]
    since: float


class Coordinator:
    """The workers of one crawl, as the download handler calls them."""

    def __init__(self, crawler: Crawler, url: str) -> None:
        """Take a database of Redis for this crawl. Raises CrawlError."""
        self.crawler = crawler
        self.context = context_of(crawler)
        self.server = Server.of(url)
        settings = crawler.settings
        self.lease_seconds = settings.getfloat("SITEMAPGEN_CLUSTER_LEASE")
        self.give_up = settings.getfloat("SITEMAPGEN_BACKOFF_GIVE_UP")
        self._numbers = count(1)
        self._pending: dict[int, _Pending] = {}
        self._entries: dict[int, bytes] = {}
        """Ids in the stream of the pending jobs, by their numbers."""
        self._missing: set[int] = set()
        self._outbox: list[tuple[int, bytes]] = []
        self._has_jobs = asyncio.Event()
        self._workers = 0
        self._has_workers = asyncio.Event()
        self._turn = asyncio.Lock()
        self._alone_since = monotonic()
        self._has_logged_loneliness = False
        self._session = ""
        self._rules = 0
        self._described: object = None
        self._description = b""
        self._is_over = False
        self._running: asyncio.Task[None] | None = None
        with self.server.in_words():
            self._claim()
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    # Possession of the database

    def _claim(self) -> None:
        """Begin a session with empty streams. Raises CrawlError, RedisError."""
        with self.server.connect() as client:
            self.server.check_types(client)
            session = token_hex(8)
            self._wait_for_hold(client, session)
            self._session, self._described = session, None
            with client.pipeline() as pipe:
                pipe.delete(LEASES, RESULTS, CRAWL, ENDED, WORKERS)
                pipe.xgroup_create(LEASES, GROUP, "$", mkstream=True)
                pipe.execute()

    def _wait_for_hold(self, client: redis.Redis, session: str) -> None:
        """Take possession; of a dead coordinator when its time is over. Raises CrawlError."""
        milliseconds = int(HOLD * 1000)
        last = -1
        while not client.set(COORDINATOR, session, nx=True, px=milliseconds):
            if holder_of(client) == self._session:
                client.set(COORDINATOR, session, px=milliseconds)
                return
            left = client.pttl(COORDINATOR)
            if left == -1:
                raise self.server.foreign(COORDINATOR)
            if left > last >= 0:  # renewed
                raise CrawlError(
                    Exit.REFUSED,
                    f"{SETTING}: another crawl uses {self.server.name}; wait for its end, or use "
                    f"another database, such as {self.server.other_database}",
                )
            last = left
            sleep(GLANCE)
            if self._is_over:
                raise CrawlError(Exit.INTERRUPTED, "interrupted")

    def release(self) -> None:
        """End the session, as far as Redis can be reached."""
        self._is_over = True
        with suppress(CrawlError, RedisError), self.server.connect() as client:
            if holder_of(client) == self._session:
                client.set(ENDED, self._session, ex=END_SECONDS)
                client.delete(LEASES, RESULTS, CRAWL, COORDINATOR, WORKERS)

    # Jobs

    async def download(self, request: Request) -> Response:
        """Have a worker fetch, or render, and read a page.

        Raises LeaseLost, RequestCancelled, and what a request that fails here raises.
        """
        if not self._workers:
            await self._wait_for_turn(request)
        if self._is_over:
            raise RequestCancelled("the crawl ends")
        self._describe()
        number = next(self._numbers)
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._pending[number] = _Pending(outcome, monotonic())
        self._outbox.append((number, pack(tuple(self._job(number, request)))))
        self._has_jobs.set()
        try:
            found = await outcome
        finally:
            self._pending.pop(number, None)
            self._entries.pop(number, None)
        return self._response(request, found)

    async def _wait_for_turn(self, request: Request) -> None:
        """Wait for a worker. Requests that have waited together are sent one delay apart."""
        async with self._turn:
            while not self._workers and not self._is_over:
                await self._has_workers.wait()
            delay = polite_downloader(self.crawler).polite_slot(request).delay
            await asyncio.sleep(delay)

    def _describe(self) -> None:
        """Have the rules of the origin sent before the next job, if they are new."""
        reader = getattr(self.context, "reader", None)
        if reader is None or self._described is reader:
            return
        self._described = reader
        self._rules += 1
        settings = self.crawler.settings
        description = describe(
            self.context, settings, self._session, self._rules, self.lease_seconds
        )
        self._description = description.pack()
        self._has_jobs.set()

    def _job(self, number: int, request: Request) -> Job:
        raw: ReadResponse | None = request.meta.get(RAW)
        lease = request.cb_kwargs.get("lease")
        if lease is None and raw is not None and raw.request is not None:
            lease = raw.request.cb_kwargs["lease"]
        return Job(
            session=self._session,
            rules=self._rules,
            number=number,
            lease=lease and tuple(lease),
            url=request.url,
            rendering=request.meta.get(RENDERING, ""),
            is_patient=request.meta.get(PATIENT, True),
            before=raw.findings.before if raw else b"",
        )

    def _response(self, request: Request, outcome: Outcome) -> Response:
        """Turn an outcome into what a handler returns or raises."""
        meta = request.meta
        self._count(outcome)
        if outcome.latency is not None:
            meta["download_latency"] = outcome.latency
        if meta.get(RENDERING):
            meta[SECONDS], meta[WAITING] = outcome.seconds, outcome.waiting
            if outcome.hindrance:
                meta[HINDRANCE] = outcome.hindrance
        if outcome.kind == "failed":
            raise exception_from_values(outcome.content)
        if outcome.kind == "returned":
            raise LeaseLost
        common: dict[str, Any] = {
            "status": outcome.status,
            "headers": outcome.headers,
            "flags": list(outcome.flags),
            "request": request,
        }
        if outcome.kind == "document":
            return HtmlResponse(request.url, body=outcome.content, **common)
        raw: ReadResponse | None = meta.get(RAW)
        asked = raw.request if raw else request
        assert asked is not None
        lease = asked.cb_kwargs["lease"]
        findings = findings_from_values(outcome.content, self.context.reader, lease.url, lease.key)
        return ReadResponse(request.url, findings=findings, **common)

    def _count(self, outcome: Outcome) -> None:
        stats = self.crawler.stats
        for name, value in outcome.stats.items():
            if isinstance(value, str):
                stats.set_value(name, value)
            else:
                stats.inc_value(name, value)  # type: ignore[arg-type]  # seconds are added, too

    # The exchange with Redis

    def _opened(self) -> None:
        self._running = asyncio.ensure_future(self._run())

    async def _closed(self) -> None:
        if self._running is not None:
            await cancelled([self._running])
        await asyncio.to_thread(self.release)

    async def _run(self) -> None:
        """Exchange jobs and outcomes until the crawl ends."""
        try:
            while True:
                try:
                    await self._exchange()
                except (RedisError, OSError, _Restart) as error:
                    self._drop(LeaseLost())
                    if not isinstance(error, _Restart):
                        self._set_workers(0)
                        logger.warning(
                            "%(redis)s is lost (%(why)s): what was under way is repeated",
                            {"redis": self.server.name, "why": type(error).__name__},
                        )
                    await self._reclaim(error)
                    self._drop(LeaseLost())  # what was added to the last session meanwhile
        except CrawlError as error:
            self._end(error)
        except asyncio.CancelledError:
            self._is_over = True
            self._drop(RequestCancelled("the crawl ends"))
            raise
        except Exception:
            logger.exception("The exchange with the workers has failed")
            self._end(CrawlError(Exit.ERROR, "a bug; the log has the traceback"))

    def _end(self, error: CrawlError) -> None:
        """End the crawl for an error of the cluster."""
        self._is_over = True
        self._has_workers.set()
        self._drop(RequestCancelled("the crawl ends"))
        sentence = f"{error.sentence}; {NOTHING_LOST}"
        self.context.abort(CrawlError(error.exit_code, sentence))

    async def _reclaim(self, error: Exception) -> None:
        """Begin another session as soon as Redis can be reached. Raises CrawlError."""
        if is_deadly(error):
            raise self.server.as_crawl_error(error)
        began, tries = monotonic(), 0
        while True:
            try:
                await asyncio.to_thread(self._claim)
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
            self._cancel_if_closing()
            await asyncio.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    async def _exchange(self) -> None:
        """Send jobs, receive outcomes, and look at the workers, until one of these fails."""
        client = self.server.connect_async()
        works = (self._send(client), self._receive(client), self._watch(client))
        try:
            await first_result(works)
        finally:
            with suppress(RedisError, OSError):
                await client.aclose()

    async def _send(self, client: redis.asyncio.Redis) -> None:
        while True:
            await self._has_jobs.wait()
            self._has_jobs.clear()
            jobs, self._outbox = self._outbox, []
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
            self._entries.update(
                (number, entry) for (number, _), entry in zip(jobs, ids) if number in self._pending
            )

    async def _receive(self, client: redis.asyncio.Redis) -> None:
        last = b"0-0"
        while True:
            pipe = client.pipeline(transaction=False)
            if last != b"0-0":
                pipe.xtrim(RESULTS, minid=_after(last), approximate=False)
            pipe.xread({RESULTS: last}, count=BATCH, block=int(LOOK * 1000))
            found = (await pipe.execute())[-1]
            for _, entries in found or ():
                for entry, fields in entries:
                    last = entry
                    self._take(fields.get(FIELD))
            if found:
                await asyncio.sleep(GATHER)

    def _take(self, message: Any) -> None:
        """Hand an outcome to the request that waits for it; others are dropped."""
        try:
            outcome = Outcome._make(unpack(message))
        except (Malformed, TypeError) as error:
            logger.warning("A result is not one of sitemapgen: %(why)s", {"why": error})
            return
        pending = self._pending.get(outcome.number)
        if outcome.session == self._session and pending and not pending.outcome.done():
            pending.outcome.set_result(outcome)

    async def _watch(self, client: redis.asyncio.Redis) -> None:
        """Keep possession, count the workers, and take the jobs of dead ones back."""
        while True:
            self._cancel_if_closing()
            self._describe()
            idle = int(self.lease_seconds * 1000)
            unseen = self._unseen()
            pipe = client.pipeline(transaction=False)
            pipe.get(COORDINATOR)
            pipe.pexpire(COORDINATOR, int(HOLD * 1000))
            pipe.execute_command("TIME")
            pipe.zrange(WORKERS, 0, -1, withscores=True)
            pipe.xautoclaim(LEASES, GROUP, CONSUMER, idle, "0-0", count=1_000)
            for number in unseen:
                pipe.xrange(LEASES, self._entries[number], self._entries[number])
            holder, _, now, workers, claimed, *entries = await self._look(pipe)
            if holder is None:
                raise _Restart
            if holder.decode("ascii", "replace") != self._session:
                sentence = f"{SETTING}: another crawl has taken {self.server.name} over"
                raise CrawlError(Exit.REFUSED, sentence)
            await self._take_back(client, claimed[1])
            self._note_missing({number for number, entry in zip(unseen, entries) if not entry})
            oldest = now[0] - self.lease_seconds
            self._set_workers(sum(seen > oldest for _, seen in workers))
            if not self._workers and self._entries:
                raise _Restart
            await self._wait_for_next_look()

    async def _look(self, pipe: Any) -> list[Any]:
        try:
            found: list[Any] = await pipe.execute()
        except RedisError as error:
            if str(error).startswith(("NOGROUP", "no such key")):
                raise _Restart from error
            raise
        return found

    async def _wait_for_next_look(self) -> None:
        if self._workers:
            await asyncio.sleep(LOOK)
            return
        alone = monotonic() - self._alone_since
        if alone > self.give_up:
            sentence = f"{SETTING}: no worker at {self.server.name} for {alone:.0f} s"
            raise CrawlError(Exit.INTERRUPTED, sentence)
        if alone > LONELY and not self._has_logged_loneliness and self._turn.locked():
            self._has_logged_loneliness = True
            logger.warning(
                "No worker takes part: scrapy crawl worker -s %(setting)s=%(redis)s",
                {"setting": SETTING, "redis": self.server.name},
            )
        await asyncio.sleep(GLANCE)

    def _unseen(self) -> list[int]:
        """Return the numbers of jobs that have been under way for long."""
        long_ago = monotonic() - UNSEEN
        return [
            number
            for number in self._entries
            if number in self._pending and self._pending[number].since < long_ago
        ]

    def _note_missing(self, missing: set[int]) -> None:
        """Repeat jobs that Redis has lost, unless their outcomes arrive meanwhile."""
        for number in missing & self._missing:
            self._fail(number, LeaseLost())
        self._missing = missing

    async def _take_back(self, client: redis.asyncio.Redis, entries: Iterable[Any]) -> None:
        """Repeat the jobs of dead workers."""
        pipe = client.pipeline(transaction=False)
        for entry, fields in entries:
            pipe.xack(LEASES, GROUP, entry)
            pipe.xdel(LEASES, entry)
            with suppress(Malformed, TypeError):
                self._fail(Job._make(unpack(fields[FIELD])).number, LeaseLost(is_death=True))
        if len(pipe):
            await pipe.execute()

    def _set_workers(self, number: int) -> None:
        if number == self._workers:
            return
        logger.info("%(workers)s", {"workers": f"{counted(number, 'worker')} at present"})
        self._workers = number
        if number:
            self._has_workers.set()
            self._has_logged_loneliness = False
        else:
            self._has_workers.clear()
            self._alone_since = monotonic()

    def _cancel_if_closing(self) -> None:
        """Cancel what no worker will do if the crawl ends."""
        slot = self.crawler.engine._slot if self.crawler.engine else None
        if slot is not None and slot.closing is not None and not self._workers:
            self._is_over = True
            self._has_workers.set()
            self._drop(RequestCancelled("the crawl ends"))

    def _drop(self, error: Exception) -> None:
        """End all jobs under way."""
        self._outbox.clear()
        self._missing.clear()
        for number in list(self._pending):
            self._fail(number, error)

    def _fail(self, number: int, error: Exception) -> None:
        pending = self._pending.get(number)
        if pending and not pending.outcome.done():
            pending.outcome.set_exception(error)


def _after(entry: bytes) -> str:
    """Return the id after that of an entry.

    >>> _after(b"1700000000000-4")
    '1700000000000-5'
    """
    start, _, number = entry.decode("ascii").partition("-")
    return f"{start}-{int(number) + 1}"
