"""The sites of one Scrapyd server: their jobs are scheduled, followed, cancelled and read.

A site is scheduled again only if its job is shown to be lost. Each step is in the journal first.
"""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import counted, duration
from sitemapgen.tools.fleet.scrapyd import Scrapyd, ServerError, Unavailable

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterable, Mapping

    from sitemapgen.tools.fleet.journal import Journal, Progress
    from sitemapgen.tools.fleet.scrapyd import Jobs
    from sitemapgen.tools.fleet.servers import Server
    from sitemapgen.tools.fleet.sites import Site

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
"""Jobs that a site gets in a round, if each is lost."""
SIGNALS = ("INT", "INT", "KILL")
"""Signals of the cancels of one job: the second ends a crawl at once, the last one a process that
does not react. The state is kept in any case."""
LOOKS = 2
"""Looks at a server, without a trace of a job that may have been scheduled, after which it was
not."""
TRIES = 3
"""Requests to a server at the start, before it counts as unreachable."""
LONGEST_WAIT = 300.0
"""Seconds of the longest Retry-After that is kept."""
WITHOUT_RESULT = "its job ended without a result: killed, or out of memory; its log has more"
WITHOUT_LOG = (
    "its job ended and has no log: jobs_to_keep of scrapyd.conf is too low, logs_dir is empty, or "
    "the crawl could not start, for which Scrapyd's own log has the reason"
)
TIME_LIMIT, NO_RESULT = "time_limit", "no_result"
"""Outcomes besides those of result.json."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a fleet works; times in seconds."""

    at_once: int
    """Jobs on a server at a time, pending ones included."""
    limit: float
    """Longest time that a job may run; 0 for any."""
    settings: tuple[str, ...]
    """``NAME=VALUE``, for all jobs."""
    poll: float
    grace: float
    silence: float
    give_up: float


class Worker:
    """One server with its sites; ``run`` is the body of a thread of its own."""

    def __init__(
        self,
        server: Server,
        sites: Iterable[Site],
        journal: Journal,
        options: Options,
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
        self._stop = stop
        self._active: dict[str, Site] = {}
        self._waiting: list[Site] = []
        for site in sites:
            progress = journal.sites.get(site.key)
            if progress and progress.job:
                self._active[site.key] = site
            else:
                self._waiting.append(site)
        self._missing: dict[str, int] = {}
        self._sizes: dict[str, tuple[int, float]] = {}
        self._since = 0.0

    @property
    def unfinished(self) -> int:
        """The number of its sites without an outcome."""
        return len(self._active) + len(self._waiting)

    @property
    def under_way(self) -> int:
        """The number of its jobs that may be pending or running."""
        return len(self._active)

    def check(self) -> ServerError | None:
        """Return why the server cannot be used; None if it can. Waits for one that is busy."""
        problem: ServerError | None = None
        for number in range(TRIES):
            try:
                self.scrapyd.check()
            except Unavailable as error:
                problem = error
                if number + 1 < TRIES:
                    self._pause(error, number + 1)
            except ServerError as error:
                return error
            else:
                return None
        return problem

    def _pause(self, error: Unavailable, least: float) -> None:
        seconds = _wait(error, least)
        facts = {"server": self.server.url, "why": error, "time": duration(seconds)}
        logger.warning("%(server)s: %(why)s; tried again in %(time)s", facts)
        self._stop.wait(seconds)

    def run(self) -> None:
        """Work until all sites have an outcome, the server is given up, or ``stop`` is set."""
        try:
            while self.unfinished and not self._stop.is_set():
                self._stop.wait(self._look())
        except ServerError as error:
            self.problem = f"{self.server.url}: {error}"
        except BaseException as error:  # noqa: BLE001 - raised by the thread that waits for this one
            self.error = error
            self._stop.set()

    def _look(self) -> float:
        """Follow the jobs, and schedule more; return the seconds to wait before the next look."""
        try:
            jobs = self.scrapyd.jobs()
            for site in list(self._active.values()):
                self._follow(site, jobs)
            self._fill()
        except Unavailable as error:
            return self._failed(error)
        if self._since:
            logger.info("%(server)s: answers again", {"server": self.server.url})
        self._since = 0.0
        return self._options.poll if self.unfinished else 0.0

    def _failed(self, error: Unavailable) -> float:
        """Return the seconds to wait; raises the error of a server that has failed for long."""
        now = time.monotonic()
        if not self._since:
            self._since = now
            patience = duration(self._options.give_up)
            facts = {"server": self.server.url, "why": error, "patience": patience}
            logger.warning("%(server)s: %(why)s; it is tried again for %(patience)s", facts)
        elif now - self._since > self._options.give_up:
            raise error
        return _wait(error, self._options.poll)

    # New jobs

    def _fill(self) -> None:
        """Schedule sites as long as there is room; of one host only one at a time."""
        busy = {site.host for site in self._active.values()}
        for site in list(self._waiting):
            if len(self._active) >= self._options.at_once or self._stop.is_set():
                return
            if site.host not in busy:
                busy.add(site.host)
                self._waiting.remove(site)
                self._begin(site)

    def _begin(self, site: Site) -> None:
        job = secrets.token_hex(16)  # as Scrapyd's own: the output is that of the host
        facts = {"host": site.host, "server": self.server.url, "job": job}
        self._journal.note("intended", site=site.key, **facts)
        self._active[site.key] = site
        self._schedule(site)

    def _schedule(self, site: Site) -> None:
        """Schedule the intended job; after an error the next looks decide if it was."""
        self._missing[site.key] = 0
        self.scrapyd.schedule(self._progress(site).job, site.arguments, self._options.settings)
        self._journal.note("scheduled", site=site.key)

    def _progress(self, site: Site) -> Progress:
        return self._journal.sites[site.key]

    # Jobs under way

    def _follow(self, site: Site, jobs: Jobs) -> None:
        """Take the next step for a site with a job."""
        progress = self._progress(site)
        is_known = any(progress.job in listed for listed in jobs)
        if is_known and not progress.scheduled:
            self._journal.note("scheduled", site=site.key)
        if progress.job in jobs.running:
            self._watch(site, progress)
        elif progress.job in jobs.finished:
            log = self.scrapyd.log(progress.job)
            self._conclude(site, log and log.result, WITHOUT_RESULT if log else WITHOUT_LOG)
        elif not is_known:
            self._look_for(site, progress)

    def _watch(self, site: Site, progress: Progress) -> None:
        """Cancel a running job that takes too long, more firmly each time."""
        now = time.time()
        if not progress.running:
            self._journal.note("running", site=site.key)
        elif self._options.limit and now - progress.running > self._options.limit:
            if now - progress.cancelled < self._options.grace:
                return
            if progress.cancels == len(SIGNALS):
                self._end(site, outcome=TIME_LIMIT, sentence=f"{self._limit()}; it does not end")
                return
            signal = SIGNALS[progress.cancels]
            facts = {"url": site.url, "why": self._limit(), "signal": signal}
            logger.warning("%(url)s: %(why)s; cancelled (%(signal)s)", facts)
            self._journal.note("cancelled", site=site.key)
            self.scrapyd.cancel(progress.job, signal)

    def _limit(self) -> str:
        return f"runs longer than {duration(self._options.limit)}"

    def _look_for(self, site: Site, progress: Progress) -> None:
        """Find a job that the server does not list: scheduled or not, and still running or not.

        Scrapyd lists no job of the time before its restart, but those in its queue; their
        processes may have outlived it.
        """
        log = self.scrapyd.log(progress.job)
        if log is not None and log.result:
            self._conclude(
                site, log.result, "its job was interrupted with its server", restarted=True
            )
        elif log is not None:
            self._watch_unlisted(site, progress, log.size)
        elif progress.scheduled:
            self._lose(site, "its server has no trace of its job")
        elif self._missing.get(site.key, 0) + 1 < LOOKS:
            self._missing[site.key] = self._missing.get(site.key, 0) + 1
        else:
            self._schedule(site)

    def _watch_unlisted(self, site: Site, progress: Progress, size: int) -> None:
        """Follow a job by the size of its log: one that logs nothing for some time is dead."""
        now = time.monotonic()
        before, since = self._sizes.get(progress.job, (-1, now))
        if not progress.running:
            self._journal.note("running", site=site.key)
        if size != before:
            self._sizes[progress.job] = (size, now)
        elif now - since > self._options.silence:
            self._conclude(site, None, "its job was killed with its server")
            return
        if self._options.limit and time.time() - progress.running > self._options.limit:
            sentence = f"{self._limit()}; its restarted server cannot cancel it: end its process"
            self._end(site, outcome=TIME_LIMIT, sentence=sentence)

    def _conclude(
        self, site: Site, result: Mapping[str, Any] | None, words: str, *, restarted: bool = False
    ) -> None:
        """Record the outcome of a job that is over, or schedule its site again.

        ``restarted``: the server was restarted since, so that an interruption was not intended.
        """
        progress = self._progress(site)
        is_cut = result is None or result["outcome"] == "interrupted"
        if is_cut and progress.cancels:
            sentence = f"{self._limit()}; its state is kept, and the next round continues it"
            self._end(site, result, outcome=TIME_LIMIT, sentence=sentence)
        elif is_cut and (restarted or result is None) and progress.attempts < MAX_ATTEMPTS:
            self._lose(site, words)
        elif result is None:
            times = counted(progress.attempts, "job")
            self._end(site, outcome=NO_RESULT, sentence=f"{words}, after {times}")
        else:
            self._end(site, result)

    def _lose(self, site: Site, why: str) -> None:
        """Give up a job, and put its site first in the queue."""
        if self._progress(site).attempts >= MAX_ATTEMPTS:
            self._end(site, outcome=NO_RESULT, sentence=f"{why}, after {MAX_ATTEMPTS} jobs")
            return
        logger.warning("%(url)s: %(why)s; scheduled again", {"url": site.url, "why": why})
        self._journal.note("lost", site=site.key, why=why)
        del self._active[site.key]
        self._waiting.insert(0, site)

    def _end(self, site: Site, result: Mapping[str, Any] | None = None, **changed: str) -> None:
        """Record what became of a site."""
        outcome = {**(result or {}), **changed}
        self._journal.note("ended", site=site.key, outcome=outcome)
        self._active.pop(site.key)
        facts = {
            **{"url": site.url, "outcome": outcome["outcome"]},
            "more": outcome.get("sentence") or listed(outcome),
        }
        logger.info("%(url)s: %(outcome)s: %(more)s", facts)


def listed(outcome: Mapping[str, Any]) -> str:
    """Return the number of listed URLs of an outcome in words."""
    return f"{counted(outcome.get('counts', {}).get('listed', 0), 'URL')} listed"


def _wait(error: Unavailable, least: float) -> float:
    """Return the seconds before the next request after an error."""
    return max(least, min(error.retry_after or 0.0, LONGEST_WAIT))
