"""Thread of one Scrapyd server: its jobs are followed, cancelled and read until all sites are done.

What is done with a job is decided in ``analysis/fleet.py``. Each step is in the journal first.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from sitemapgen.analysis import fleet as rules
from sitemapgen.core.words import counted, duration
from sitemapgen.tools.fleet.journal import Journal
from sitemapgen.tools.fleet.scrapyd import (
    Jobs,
    Log,
    Scrapyd,
    ServerError,
    Unavailable,
    UnusableServer,
)
from sitemapgen.tools.fleet.servers import ScrapydServer
from sitemapgen.tools.fleet.sites import FleetSite

logger = logging.getLogger(__name__)


class WaitingSites:
    """A queue of which each step takes logarithmic time, however many sites share a host."""

    def __init__(self, sites: Iterable[FleetSite], busy: Iterable[str]) -> None:
        """``busy``: the hosts of jobs under way."""
        self._busy = Counter(busy)
        self._sites: dict[str, deque[FleetSite]] = {}
        self._free: list[tuple[int, str]] = []
        """Heap of the hosts without a job that have sites, each with the line of its first one."""
        self._length = 0
        for site in sites:
            self._sites.setdefault(site.host, deque()).append(site)
            self._length += 1
        for host in self._sites:
            self._offer_host(host)

    def __len__(self) -> int:
        return self._length

    @property
    def jobs(self) -> int:
        """The number of jobs that occupy their hosts."""
        return self._busy.total()

    def take_next(self) -> FleetSite | None:
        """Take the first site whose host is free, and occupy that; None if there is none."""
        if not self._free:
            return None
        _, host = heappop(self._free)
        self._busy[host] += 1
        self._length -= 1
        return self._sites[host].popleft()

    def release_host(self, host: str) -> None:
        """Free a host, whose job is over."""
        self._busy[host] -= 1
        if not self._busy[host]:
            del self._busy[host]
            self._offer_host(host)

    def put_back(self, site: FleetSite) -> None:
        """Let a site wait again; it is the first one of its host."""
        sites = self._sites.setdefault(site.host, deque())
        sites.appendleft(site)
        self._length += 1
        if len(sites) == 1:
            self._offer_host(site.host)

    def _offer_host(self, host: str) -> None:
        if self._sites.get(host) and host not in self._busy:
            heappush(self._free, (self._sites[host][0].line, host))


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetOptions:
    """How a fleet works."""

    at_once: int
    """Jobs on a server at a time, pending ones included."""
    settings: tuple[str, ...]
    """``NAME=VALUE``, for all jobs."""
    poll: float
    """Seconds between two looks at a server."""
    limits: rules.JobTimeouts


@dataclass(slots=True)
class RunningJob:
    """What this process has seen of a job under way; times by the monotonic clock."""

    site: FleetSite
    occupies: bool = True
    """Whether it counts as one at a time of its host, and of its server."""
    looks: int = 0
    """Looks in a row without a trace of it."""
    size: int = -1
    """Bytes of its log, when it was not listed."""
    grown: float = 0.0
    """When it was first seen with that size."""
    refused: float = 0.0
    """When its log could first not be read; 0 if the last one could."""
    due: float = 0.0
    """When its log may be asked for again."""


TRIES = 3
"""Requests to a server at the start, before it counts as unreachable."""


class ServerWorker:
    """One server with its sites; ``run`` is the body of a thread of its own."""

    def __init__(
        self,
        server: ScrapydServer,
        sites: Iterable[FleetSite],
        journal: Journal,
        options: FleetOptions,
        stop: threading.Event,
    ) -> None:
        """``sites``: those without an outcome, in the order in which they are to be crawled."""
        self.server = server
        self.problem = ""
        """Why the server was given up, in a sentence; empty if it was not."""
        self.error: BaseException | None = None
        """What ended the thread, unless it came to its end."""
        self.scrapyd = Scrapyd(server)
        self._journal = journal
        self._options = options
        self._limits = options.limits
        self._stop = stop
        self._failing_since = 0.0
        self._jobs: dict[str, RunningJob] = {}
        self._given_up = 0
        """Logs given up since the last one that could be read."""
        waiting = []
        for site in sites:
            progress = journal.sites.get(site.key)
            if progress and progress.job:
                self._jobs[site.key] = RunningJob(site)
            else:
                waiting.append(site)
        self._waiting = WaitingSites(waiting, (job.site.host for job in self._jobs.values()))

    @property
    def under_way(self) -> int:
        """The number of its jobs that may be pending or running."""
        return len(self._jobs)

    @property
    def unfinished(self) -> int:
        """The number of its sites without an outcome."""
        return len(self._jobs) + len(self._waiting)

    def check_server(self) -> ServerError | None:
        """Return why the server cannot be used; None if it can. Waits for one that is busy."""
        problem: ServerError | None = None
        for number in range(TRIES):
            try:
                self.scrapyd.check_server()
            except Unavailable as error:
                problem = error
                if number + 1 < TRIES:
                    seconds = rules.retry_pause(number + 1, error.retry_after)
                    facts = {"server": self.server.url, "why": error, "time": duration(seconds)}
                    logger.warning("%(server)s: %(why)s; tried again in %(time)s", facts)
                    self._stop.wait(seconds)
            except ServerError as error:
                return error
            else:
                return None
        return problem

    def run(self) -> None:
        """Work until all sites have an outcome, the server is given up, or ``stop`` is set."""
        try:
            while self.unfinished and not self._stop.is_set():
                self._stop.wait(self._poll_server())
        except ServerError as error:
            self.problem = f"{self.server.url}: {error}"
        except BaseException as error:  # noqa: BLE001 - raised by the thread that waits for this one
            self.error = error
            self._stop.set()

    def _poll_server(self) -> float:
        """Follow the jobs, and schedule more; return the seconds to wait before the next look."""
        try:
            listed = self.scrapyd.list_jobs()
            for job in list(self._jobs.values()):
                self._follow_job(job, listed)
            self._schedule_sites()
        except Unavailable as error:
            return self._retry_seconds(error)
        if self._failing_since:
            logger.info("%(server)s: answers again", {"server": self.server.url})
        self._failing_since = 0.0
        return self._options.poll if self.unfinished else 0.0

    def _retry_seconds(self, error: Unavailable) -> float:
        """Return the seconds to wait; raises the error of a server that has failed for long."""
        now = time.monotonic()
        for job in self._jobs.values():  # which logs could not be read meanwhile does not count
            job.refused = job.due = 0.0
        if not self._failing_since:
            self._failing_since = now
            patience = duration(self._limits.patience)
            facts = {"server": self.server.url, "why": error, "patience": patience}
            logger.warning("%(server)s: %(why)s; it is tried again for %(patience)s", facts)
        elif now - self._failing_since > self._limits.patience:
            raise error
        return rules.retry_pause(self._options.poll, error.retry_after)

    # Jobs

    def _schedule_sites(self) -> None:
        """Schedule sites as long as there is room, unless ``stop`` is set. Raises ServerError."""
        while self._waiting.jobs < self._options.at_once and not self._stop.is_set():
            site = self._waiting.take_next()
            if site is None:
                return
            job = secrets.token_hex(16)  # as Scrapyd's own: the output is that of the host
            facts = {"host": site.host, "server": self.scrapyd.url, "job": job}
            self._journal.record_step("intended", site=site.key, **facts)
            self._jobs[site.key] = RunningJob(site)
            self._schedule_job(self._jobs[site.key])

    def _schedule_job(self, job: RunningJob) -> None:
        """Schedule the intended job; after an error the next looks decide if it was."""
        job.looks = 0
        site = job.site
        self.scrapyd.schedule_job(
            self._progress_of(job).job, site.arguments, self._options.settings
        )
        self._journal.record_step("scheduled", site=site.key)

    def _progress_of(self, job: RunningJob) -> rules.SiteProgress:
        return self._journal.sites[job.site.key]

    def _follow_job(self, job: RunningJob, listed: Jobs) -> None:
        """Take the next step for a site with a job. Raises ServerError."""
        progress = self._progress_of(job)
        is_running, is_over = progress.job in listed.running, progress.job in listed.finished
        is_known = is_running or is_over or progress.job in listed.pending
        if is_known and not progress.scheduled:
            self._journal.record_step("scheduled", site=job.site.key)
        if is_running:
            self._note_running(job)
            self._take_step(rules.while_running(progress, self._limits, time.time()), job)
        elif is_over or not is_known:
            self._read_log(job, is_over=is_over)

    def _note_running(self, job: RunningJob) -> None:
        if not self._progress_of(job).running:
            self._journal.record_step("running", site=job.site.key)

    def _read_log(self, job: RunningJob, *, is_over: bool) -> None:
        """Decide by the log of a job; one that cannot be read concerns this site alone."""
        now = time.monotonic()
        if now < job.due:
            return
        try:
            log = self.scrapyd.read_log(self._progress_of(job).job)
        except ServerError as error:
            self._retry_log(job, error, is_over=is_over)
            return
        job.refused, self._given_up = 0.0, 0
        if is_over:
            result, has_log = log and log.result, log is not None
            decision = rules.after_the_end(
                self._progress_of(job), self._limits, result, has_log=has_log
            )
        else:
            decision = self._decide_unlisted(job, log)
        self._take_step(decision, job)

    def _retry_log(self, job: RunningJob, error: ServerError, *, is_over: bool) -> None:
        """Ask for a log again, after twice the time with each error, until it is given up."""
        now = time.monotonic()
        if is_over and self._unread_logs < self._options.at_once:
            self._release_place(job)
        if not job.refused:
            job.refused = now
            patience = duration(self._limits.patience)
            facts = {"url": job.site.url, "why": error, "patience": patience}
            words = "%(url)s: its log cannot be read: %(why)s; it is tried again for %(patience)s"
            logger.warning(words, facts)
        elapsed = now - job.refused
        wanted = error.retry_after if isinstance(error, Unavailable) else None
        job.due = now + rules.retry_pause(self._options.poll, wanted or elapsed)
        decision = rules.with_unreadable_log(self._limits, str(error), elapsed)
        if decision.step is rules.JobStep.END:
            self._given_up += 1
            if self._given_up == rules.MOST_REFUSED:
                raise UnusableServer(f"the logs of its jobs cannot be read: {error}")
        self._take_step(decision, job)

    @property
    def _unread_logs(self) -> int:
        """The number of jobs that are over and in the way of no other, but without their logs."""
        return sum(not job.occupies for job in self._jobs.values())

    def _decide_unlisted(self, job: RunningJob, log: Log | None) -> rules.Decision:
        """Decide on a job that the server does not list: scheduled or not, running or not."""
        progress, now = self._progress_of(job), time.monotonic()
        if log is None:
            job.looks += 1
            return rules.without_trace(progress, job.looks)
        if not log.result:
            self._note_running(job)
        if log.size != job.size:
            job.size, job.grown = log.size, now
        silent = now - job.grown
        return rules.while_unlisted(progress, self._limits, time.time(), log.result, silent)

    def _take_step(self, decision: rules.Decision, job: RunningJob) -> None:
        match decision.step:
            case rules.JobStep.CANCEL:
                self._cancel_job(job, decision)
            case rules.JobStep.SCHEDULE:
                self._schedule_job(job)
            case rules.JobStep.REPLACE:
                self._replace_job(job, decision.reason)
            case rules.JobStep.END:
                self._record_outcome(job, decision.outcome)

    def _cancel_job(self, job: RunningJob, decision: rules.Decision) -> None:
        facts = {"url": job.site.url, "why": decision.reason, "signal": decision.signal}
        logger.warning("%(url)s: %(why)s; cancelled (%(signal)s)", facts)
        self._journal.record_step("cancelled", site=job.site.key)
        self.scrapyd.cancel_job(self._progress_of(job).job, decision.signal)

    def _replace_job(self, job: RunningJob, why: str) -> None:
        """Give up a job, and let its site wait for another one."""
        logger.warning("%(url)s: %(why)s; scheduled again", {"url": job.site.url, "why": why})
        self._journal.record_step("lost", site=job.site.key, why=why)
        self._remove_job(job)
        self._waiting.put_back(job.site)

    def _record_outcome(self, job: RunningJob, outcome: Mapping[str, Any]) -> None:
        self._journal.record_step("ended", site=job.site.key, outcome=outcome)
        self._remove_job(job)
        listed = outcome.get("counts", {}).get("listed", 0)
        facts = {
            **{"url": job.site.url, "outcome": outcome["outcome"]},
            "more": outcome.get("sentence") or f"{counted(listed, 'URL')} listed",
        }
        logger.info("%(url)s: %(outcome)s: %(more)s", facts)

    def _remove_job(self, job: RunningJob) -> None:
        del self._jobs[job.site.key]
        self._release_place(job)

    def _release_place(self, job: RunningJob) -> None:
        """Let the next job take the place of one that is over."""
        if job.occupies:
            job.occupies = False
            self._waiting.release_host(job.site.host)
