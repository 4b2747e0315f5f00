"""Fleet: the sites of a sites.csv on their servers, a thread for each, until all have an outcome.

The same sites.csv again continues a round that was stopped, and begins the next one after a round
that is complete.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType

from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.interrupts import SIGNALS
from sitemapgen.tools.fleet.journal import Journal
from sitemapgen.tools.fleet.scrapyd import Unavailable
from sitemapgen.tools.fleet.servers import ScrapydServer, assign_hosts
from sitemapgen.tools.fleet.sites import FleetSite
from sitemapgen.tools.fleet.worker import FleetOptions, ServerWorker

LAST_REQUEST = 5.0
"""Seconds that the requests under way have when the fleet is stopped."""


class Fleet:
    """One round, or the rest of one."""

    def __init__(
        self,
        sites: Sequence[FleetSite],
        servers: Sequence[ScrapydServer],
        gone: Collection[str],
        journal: Journal,
        options: FleetOptions,
    ) -> None:
        """Begin or continue a round. ``gone``: URLs of servers that will never be back.

        Raises CrawlError.
        """
        names = [server.url for server in servers]
        hosts = dict.fromkeys(site.host for site in sites)
        assigned = assign_hosts(hosts, journal.hosts, names, gone)
        if not journal.round or journal.is_over:
            journal.begin_round()
        for site in sites:
            progress = journal.sites.get(site.key)
            if progress and progress.job and not progress.outcome and progress.server in gone:
                journal.record_step("lost", site=site.key, why=f"{progress.server} is gone")
        moved = {host: name for host, name in assigned.items() if journal.hosts.get(host) in gone}
        if moved:
            journal.record_step("moved", hosts=moved)
        self._journal = journal
        self.stop = threading.Event()
        unfinished: dict[str, list[FleetSite]] = {name: [] for name in names}
        for site in sites:
            progress = journal.sites.get(site.key)
            if not (progress and progress.outcome):
                unfinished[assigned[site.host]].append(site)
        self.workers = [
            ServerWorker(server, unfinished[server.url], journal, options, self.stop)
            for server in servers
        ]

    @contextmanager
    def stopped_by_signals(self) -> Iterator[None]:
        """End ``check_servers`` and ``run`` at a signal; a second one has its usual effect."""

        def received(number: int, frame: FrameType | None) -> None:
            self.stop.set()
            signal.signal(number, signal.SIG_DFL)

        before = {
            number: signal.signal(number, received)
            for number in SIGNALS
            if signal.getsignal(number) is not signal.SIG_IGN  # nohup
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    @property
    def unfinished(self) -> int:
        """The number of sites without an outcome."""
        return sum(worker.unfinished for worker in self.workers)

    def check_servers(self) -> None:
        """Check the servers that have something to do. Raises CrawlError, unless one of them is up.

        Servers that are merely unreachable are waited for as long as another one is not.
        """
        workers = [worker for worker in self.workers if worker.unfinished]
        if not workers:
            return
        with ThreadPoolExecutor(len(workers)) as pool:
            problems = list(pool.map(ServerWorker.check_server, workers))
        texts = [f"{worker.server.url}: {each}" for worker, each in zip(workers, problems) if each]
        if any(each and not isinstance(each, Unavailable) for each in problems):
            raise CrawlError(Exit.ARGUMENTS, f"{'; '.join(texts)}; nothing was scheduled")
        if all(problems):
            remedy = "start Scrapyd, or correct the address with --server"
            raise CrawlError(Exit.UNREACHABLE, f"{'; '.join(texts)}; {remedy}")

    def run(self) -> None:
        """Work until all sites have an outcome, no server is left, or a signal comes.

        Raises CrawlError if the state cannot be written.
        """
        threads = [threading.Thread(target=each.run, daemon=True) for each in self.workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            while thread.is_alive() and not self.stop.is_set():
                thread.join(0.2)
        deadline = time.monotonic() + LAST_REQUEST
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        for worker in self.workers:
            if worker.error is not None:
                raise worker.error

    def remainder(self) -> str:
        """Return why sites have no outcome yet, and what to run; empty if all have one."""
        if not self.unfinished:
            return ""
        count = counted(self.unfinished, "site has", "sites have")
        jobs = sum(worker.under_way for worker in self.workers)
        causes = [worker.problem for worker in self.workers if worker.problem]
        causes.append(f"{count} no outcome yet")
        if jobs:
            causes.append(f"{counted(jobs, 'job goes', 'jobs go')} on at the servers")
        return f"{'; '.join(causes)}; the same command continues"
