"""Worker's side of a cluster: takes jobs, fetches, renders and reads, and returns the outcomes.

Redis' clock decides which worker is dead, and by which time a page is read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from redis.exceptions import OutOfMemoryError, RedisError
from scrapy import Request
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from sitemapgen.cluster.connection import (
    COORDINATOR,
    CRAWL,
    ENDED,
    GROUP,
    LEASES,
    RESULTS,
    WORKERS,
    cancel_tasks,
    first_result,
    is_deadly,
)
from sitemapgen.cluster.description import Membership, check_access, given_access, read_description
from sitemapgen.cluster.messages import (
    FIELD,
    JobOutcome,
    MalformedMessage,
    TooLarge,
    WorkerJob,
    exception_to_values,
    findings_to_values,
    pack,
    read_as,
    restored,
    unpack,
)
from sitemapgen.context import CrawlContext, Host
from sitemapgen.core.rendering.detect import read_policy
from sitemapgen.core.rendering.learn import ComparedReading
from sitemapgen.core.robots import Robots
from sitemapgen.core.soft404 import needs_probe
from sitemapgen.core.urls import split
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.egress import Egress
from sitemapgen.download.examining import (
    Examiner,
    ResponseFindings,
    is_html,
    read_words,
    with_body_of,
)
from sitemapgen.download.failures import TOO_LARGE, LeaseLost, RemoteFailure, is_bug
from sitemapgen.download.responses import conditional_headers
from sitemapgen.download.terms import NOT_RENDERED, OUTCOME, PATIENT, RENDERING, SENT, TRANSFER
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Link
from sitemapgen.params import Params, sentences

if TYPE_CHECKING:
    import redis.asyncio
    from scrapy.crawler import Crawler

    from sitemapgen.store.frontier import Lease

logger = logging.getLogger(__name__)

AT_ONCE = 16
"""Maximum jobs of a worker at a time; the coordinator limits the requests of all together."""
TAKEN = 4
"""Maximum jobs taken at a time, so that others get some."""
BLOCK = 1.0
"""Seconds that Redis waits for a job before it answers without one."""
LONGEST = 900.0
"""Seconds after which a job is given up, whatever it waits for."""
PAUSE = 0.5
"""Seconds before Redis is tried again."""
STEADY = 15.0
"""Seconds after which a connection counts as one that had been made again."""
NEEDED = (
    *(b"Retry-After", b"Date", b"Last-Modified", b"Etag", b"Location"),
    *(b"Content-Type", b"Link", b"Refresh", b"X-Robots-Tag"),  # of a 304: pages.is_confirmed
)
"""Headers that the coordinator needs of responses other than 200."""
COUNTED = (
    *("downloader/response_bytes", "httpcompression/", "sitemapgen/file_hints/"),
    *("sitemapgen/egress/", "sitemapgen/rendering/"),
)
"""Beginnings of the stats that are counted by workers alone."""


class Worker(Host):
    """One worker of a crawl."""

    def __init__(self, crawler: Crawler, membership: Membership, args: Params) -> None:
        self.crawler = crawler
        self.args = args
        self.egress = Egress([args.start_url()])
        self.context = CrawlContext(crawler, self)
        self.server, self.clock, self.description, self.name = membership
        self.give_up = crawler.settings.getfloat("SITEMAPGEN_BACKOFF_GIVE_UP")
        self.done = 0
        self.examiner = Examiner(
            read_policy(crawler.settings),
            self.context.sources,
            is_always=args.render == "always",
            now=self.clock.now,
        )
        self.is_leaving = False
        self._jobs: dict[bytes, asyncio.Task[None]] = {}
        """The jobs under way, by their ids in the stream."""
        self._outbox: list[tuple[bytes, bytes]] = []
        self._has_outcomes = asyncio.Event()
        self._has_room = asyncio.Event()
        self._sent: dict[str, Any] = {}
        self._enter_crawl()

    @classmethod
    def begin(cls, crawler: Crawler, membership: Membership, given: Mapping[str, Any]) -> Worker:
        """Prepare a crawler by the description; ``given``: credentials. Raises CrawlError."""
        description = membership.description
        try:
            params = Params.model_validate({**description.arguments, **given})
        except ValidationError as error:
            raise CrawlError(Exit.ARGUMENTS, "; ".join(sentences(error))) from error
        check_access(description.access, given_access(params))
        for name, value in description.settings.items():
            crawler.settings.set(name, value, priority="spider")
        return cls(crawler, membership, params)

    def _enter_crawl(self) -> None:
        """Read pages by the rules of the description from now on."""
        url = self.description.url
        self.home = split(url).origin
        self.egress.adopt_findings(*self.description.egress)
        self.context.enter(url, Robots(self.description.robots), self.clock.now)

    def end(self, error: CrawlError) -> None:
        """Leave the crawl because of an error, which is the outcome of the process."""
        logger.error("%(sentence)s", {"sentence": error.sentence})
        self.crawler.stats.set_value("sitemapgen/exit_code", int(error.exit_code))
        self.is_leaving = True

    # The exchange with Redis

    async def run(self) -> None:
        """Take part until the crawl ends. Raises CrawlError."""
        lost_at: float | None = None
        while not self.is_leaving:
            client = self.server.connect_async()
            began = monotonic()
            try:
                works = (self._take_jobs, self._return_outcomes, self._keep_leases)
                await first_result(work(client) for work in works)
            except (RedisError, OSError) as error:
                if is_deadly(error) and not isinstance(error, OutOfMemoryError):
                    raise self.server.as_crawl_error(error) from error
                now = monotonic()
                if lost_at is None or now - began > STEADY:
                    lost_at = now
                    logger.warning(
                        "%(redis)s is lost: %(why)s",
                        {"redis": self.server.name, "why": type(error).__name__},
                    )
                if now - lost_at > self.give_up:
                    raise self.server.as_crawl_error(error) from error
                await asyncio.sleep(PAUSE)
            finally:
                with suppress(RedisError, OSError):
                    await client.aclose()

    async def _take_jobs(self, client: redis.asyncio.Redis) -> None:
        """Take jobs while there is room for them, until the worker leaves."""
        while not self.is_leaving:
            room = AT_ONCE - len(self._jobs)
            if room <= 0:
                self._has_room.clear()
                await self._has_room.wait()
                continue
            try:
                found: Any = await client.xreadgroup(
                    GROUP, self.name, {LEASES: ">"}, count=min(room, TAKEN), block=int(BLOCK * 1000)
                )
            except RedisError as error:
                if not str(error).startswith(("NOGROUP", "UNBLOCKED")):
                    raise
                await asyncio.sleep(PAUSE)  # no coordinator at present
                continue
            for _, entries in found or ():
                for entry, fields in entries:
                    await self._begin_job(client, entry, fields.get(FIELD))

    async def _begin_job(self, client: redis.asyncio.Redis, entry: bytes, message: Any) -> None:
        try:
            job = read_as(WorkerJob, message)
        except MalformedMessage as error:
            logger.warning("A job is not one of sitemapgen: %(why)s", {"why": error})
            return
        if (job.session, job.rules) != (self.description.session, self.description.rules):
            await self._renew_description(client)
        task = asyncio.ensure_future(self._work_on(entry, job))
        self._jobs[entry] = task
        task.add_done_callback(lambda _: self._end_job(entry))

    def _end_job(self, entry: bytes) -> None:
        self._jobs.pop(entry, None)
        self._has_room.set()

    async def _return_outcomes(self, client: redis.asyncio.Redis) -> None:
        """Send outcomes. One that is sent twice is dropped by the coordinator."""
        while True:
            await self._has_outcomes.wait()
            outbox = self._outbox[:]
            pipe = client.pipeline(transaction=False)
            for entry, outcome in outbox:
                pipe.xadd(RESULTS, {FIELD: outcome})
                pipe.xack(LEASES, GROUP, entry)
                pipe.xdel(LEASES, entry)
            for error in await pipe.execute(raise_on_error=False):
                if isinstance(error, RedisError) and not str(error).startswith("NOGROUP"):
                    raise error
            del self._outbox[: len(outbox)]
            if not self._outbox:
                self._has_outcomes.clear()

    async def _keep_leases(self, client: redis.asyncio.Redis) -> None:
        """Keep the leases of the jobs under way, and notice the end of the crawl."""
        pause = self.description.seconds / 5
        gone_since: float | None = None
        while True:
            pipe = client.pipeline(transaction=False)
            pipe.get(ENDED)
            pipe.exists(COORDINATOR)
            pipe.execute_command("TIME")
            pipe.zadd(WORKERS, {self.name: self.clock.seconds()})
            if self._jobs:
                entries: Any = tuple(self._jobs)
                pipe.xclaim(LEASES, GROUP, self.name, 0, entries, justid=True)
            ended, has_coordinator, time, _, *kept = await pipe.execute(raise_on_error=False)
            for answer in (ended, has_coordinator, time, *kept):
                if isinstance(answer, RedisError) and not str(answer).startswith("NOGROUP"):
                    raise answer
            self.clock.set(time)
            if ended is not None and ended.decode("ascii", "replace") == self.description.session:
                self.is_leaving = True
                return
            gone_since = None if has_coordinator else gone_since or monotonic()
            if gone_since is not None and monotonic() - gone_since > self.give_up:
                sentence = f"the coordinator of {self.server.name} is gone for {self.give_up:.0f} s"
                raise CrawlError(Exit.UNREACHABLE, sentence)
            await asyncio.sleep(pause)

    async def leave_crawl(self, running: asyncio.Future[None]) -> None:
        """End the task that runs ``run``; send what is done, and return what is not."""
        for task in list(self._jobs.values()):
            with suppress(asyncio.CancelledError):
                await task
        await cancel_tasks([running])
        client = self.server.connect_async()
        sending = asyncio.ensure_future(self._return_outcomes(client))
        with suppress(RedisError, OSError, asyncio.TimeoutError):
            while self._outbox and not sending.done():
                await asyncio.sleep(0.01)
        await cancel_tasks([sending])
        with suppress(RedisError, OSError):
            await client.zrem(WORKERS, self.name)
            await client.aclose()

    async def _renew_description(self, client: redis.asyncio.Redis) -> None:
        """Read the description again; leave if it is one of another crawl."""
        description = read_description(await client.get(CRAWL), self.server)
        if description is None:
            return
        if description.frame != self.description.frame:
            logger.info("Another crawl has begun at %(redis)s", {"redis": self.server.name})
            self.is_leaving = True
            return
        self.description = description
        self._enter_crawl()

    # Jobs

    async def _work_on(self, entry: bytes, job: WorkerJob) -> None:
        outcome = await self._job_outcome(job)
        try:
            packed = pack(outcome)
        except TooLarge:
            failure = exception_to_values(RemoteFailure(TOO_LARGE))
            packed = pack(outcome._replace(kind="failed", content=failure))
        self.done += 1
        self._outbox.append((entry, packed))
        self._has_outcomes.set()

    async def _job_outcome(self, job: WorkerJob) -> JobOutcome:
        request = _make_request(job)
        nothing = JobOutcome(job.session, job.number, "returned", {}, None)
        if self.is_leaving:
            return nothing
        try:
            outcome = await asyncio.wait_for(self._fetch_page(job, request, nothing), LONGEST)
        except (RequestCancelled, LeaseLost, asyncio.TimeoutError):
            return nothing
        except Exception as error:
            if self.is_leaving:
                return nothing
            if is_bug(error):
                logger.exception("%(url)s", {"url": job.url})
            outcome = nothing._replace(kind="failed", content=exception_to_values(error))
        meta = request.meta
        return outcome._replace(
            stats=self._stats_growth(),
            latency=meta.get("download_latency"),
            transfer=meta.get(TRANSFER),
            rendered=meta.get(OUTCOME, NOT_RENDERED),
        )

    async def _fetch_page(
        self, job: WorkerJob, request: Request, nothing: JobOutcome
    ) -> JobOutcome:
        assert self.crawler.engine is not None
        response = await self.crawler.engine.download_async(request)
        nothing = nothing._replace(flags=tuple(response.flags))
        if job.lease is None:
            return nothing._replace(
                kind="document",
                status=response.status,
                headers=dict(response.headers),
                content=response.body,
            )
        read = self._rendered_findings if job.rendering else self._raw_findings
        found = read(job, job.lease, response)
        headers = response.headers
        needed = {name: tuple(headers.getlist(name)) for name in NEEDED if name in headers}
        return nothing._replace(
            kind="read",
            status=200 if job.rendering else response.status,
            headers={} if response.status == 200 else needed,
            content=findings_to_values(found),
        )

    def _raw_findings(self, _: WorkerJob, lease: Lease, response: Response) -> ResponseFindings:
        """Read a response, and what is compared should its page be rendered."""
        outline = None if self.args.render == "never" else self.examiner.outline(response)
        before = b""
        if outline is not None:
            reading = self.examiner.read_parts(response, self.context.rules.site)
            before = pack((dict(response.headers), response.flags, reading))
        findings = self._read_page(lease, response, response.request)
        return findings._replace(outline=outline, before=before)

    def _rendered_findings(
        self, job: WorkerJob, lease: Lease, rendered: Response
    ) -> ResponseFindings:
        """Read a rendered document, and compare it with the raw one."""
        headers, flags, values = unpack(job.before)
        before = restored(ComparedReading, values)
        static = Response(job.url, headers=headers, flags=list(flags), request=rendered.request)
        response = with_body_of(static, rendered)
        after = self.examiner.read_parts(response, self.context.rules.site)
        comparison = self.examiner.compare_readings(before, after, response.url, job.rendering)
        if rendered.request is not None:
            rendered.request.meta[SENT] = comparison.sent
        findings = self._read_page(lease, response, rendered.request)
        return findings._replace(comparison=comparison)

    def _read_page(
        self, lease: Lease, response: Response, request: Request | None
    ) -> ResponseFindings:
        link = Link(url=lease.url, key=lease.key)
        page = self.context.pages.read(link, response, request, is_suspect=lease.is_suspect)
        has_words = needs_probe(page) and is_html(response)
        return ResponseFindings(page, words=read_words(response) if has_words else None)

    def _stats_growth(self) -> dict[str, float]:
        """Return what the stats have grown by since the last outcome."""
        grown: dict[str, Any] = {}
        for name, value in self.crawler.stats.get_stats().items():
            if name.startswith(COUNTED) and value != self._sent.get(name):
                last = self._sent.get(name, 0)
                grown[name] = value if isinstance(value, str) else value - last
                self._sent[name] = value
        return grown


def _make_request(job: WorkerJob) -> Request:
    request = Request(job.url, callback=NO_CALLBACK, dont_filter=True)
    if job.rendering:
        request.meta.update({RENDERING: job.rendering, PATIENT: job.is_patient})
    elif (lease := job.lease) is not None:
        request.cb_kwargs["lease"] = lease
        request.headers.update(conditional_headers(lease.etag, lease.last_modified))
    return request
