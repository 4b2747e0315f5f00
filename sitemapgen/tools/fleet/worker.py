"""Thread of one Scrapyd server: looks at its jobs, again and again, and patience with the server.

Its sites and their jobs: ``under_way.py``.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from sitemapgen.analysis.fleet import pause
from sitemapgen.core.words import duration
from sitemapgen.tools.fleet.scrapyd import Scrapyd, ServerError, Unavailable
from sitemapgen.tools.fleet.under_way import UnderWay

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterable

    from sitemapgen.tools.fleet.journal import Journal
    from sitemapgen.tools.fleet.servers import ScrapydServer
    from sitemapgen.tools.fleet.sites import FleetSite
    from sitemapgen.tools.fleet.under_way import FleetOptions

logger = logging.getLogger(__name__)

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
        self._options = options
        self._stop = stop
        self._jobs = UnderWay(self.scrapyd, sites, journal, options)
        self._since = 0.0

    @property
    def unfinished(self) -> int:
        """The number of its sites without an outcome."""
        return self._jobs.unfinished

    @property
    def under_way(self) -> int:
        """The number of its jobs that may be pending or running."""
        return len(self._jobs)

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
        seconds = pause(least, error.retry_after)
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
            self._jobs.follow(self.scrapyd.jobs())
            self._jobs.fill(self._stop)
        except Unavailable as error:
            return self._failed(error)
        if self._since:
            logger.info("%(server)s: answers again", {"server": self.server.url})
        self._since = 0.0
        return self._options.poll if self.unfinished else 0.0

    def _failed(self, error: Unavailable) -> float:
        """Return the seconds to wait; raises the error of a server that has failed for long."""
        now = time.monotonic()
        self._jobs.forgive()
        if not self._since:
            self._since = now
            patience = duration(self._options.limits.patience)
            facts = {"server": self.server.url, "why": error, "patience": patience}
            logger.warning("%(server)s: %(why)s; it is tried again for %(patience)s", facts)
        elif now - self._since > self._options.limits.patience:
            raise error
        return pause(self._options.poll, error.retry_after)
