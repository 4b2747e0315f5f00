"""Batches of URLs to request: pending ones, those of the next phase, then failed pages again.

The order within a phase: ``planner.py``. The phases: ``phases.py``. Pages that are carried over
instead: ``revisits.py``.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.frontier.due import DuePages
from sitemapgen.frontier.late_retry import LateRetry
from sitemapgen.frontier.phases import next_phase
from sitemapgen.frontier.planner import forget_unreached, planner, take_over
from sitemapgen.frontier.revisits import Revisits
from sitemapgen.frontier.trap_candidates import examine_crowds
from sitemapgen.items import Link, Revisit
from sitemapgen.store.frontier import Lease

if TYPE_CHECKING:
    from sitemapgen.analysis.scheduling import Choice
    from sitemapgen.context import CrawlContext


class Batch(NamedTuple):
    """URLs to request."""

    leases: list[Lease]
    pause: float = 0.0
    """Seconds to wait before the first request."""


class Batches:
    """Leases the URLs of one crawl, and records those of them that are carried over."""

    def __init__(self, context: CrawlContext, choice: Choice) -> None:
        self._context = context
        self._store = store = context.crawl.store
        self._max_depth = choice.max_depth
        self._revisits = Revisits(
            store, DuePages(store) if context.host.args.refresh == "due" else None
        )
        self._planner = planner(store, choice, context.crawl.budget, self._revisits)
        self._lease = self._planner.lease if self._planner else self._revisits.lease
        seconds = context.crawler.settings.getfloat("SITEMAPGEN_LATE_RETRY_SECONDS")
        self._late_retry = LateRetry(store, seconds)
        self._settled_at = -1

    @property
    def has_more(self) -> bool:
        """Whether URLs wait, apart from those of later phases."""
        is_planned = self._planner is not None and self._planner.has_more
        return is_planned or self._store.frontier.has_pending()

    @property
    def needs_sitemaps(self) -> bool:
        """Whether the next batch depends on the site's sitemaps."""
        has_started = bool(self._context.start_url)
        return has_started and (self._planner is not None or self._revisits.is_sparing)

    @property
    def needs_plan(self) -> bool:
        """Whether the next batch takes more than leases of pending URLs."""
        if self._settled_at == self._store.recorded():
            return False
        return self._planner is not None or not self._store.frontier.has_pending()

    def next(self, count: int) -> Batch:
        """Lease up to ``count`` URLs; none, as long as a page in flight may bring some.

        A phase whose pages are all carried over ends at once, and the next one begins. After the
        last one, and if ``count`` is 0, pages that failed are leased again.
        """
        store, leases = self._store, list[Lease]()
        if count and self._planner and not self._context.start_url:
            return Batch(self._planner.lease_start(count))
        if count:
            examine_crowds(store)
            leases = self._take(count)
        has_ended = False
        while not leases and not store.frontier.in_flight():
            if self._settled_at == store.recorded():
                break
            self._settled_at = store.recorded()
            has_ended = True
            if count and next_phase(store, self._revisits, self._max_depth):
                leases = self._take(count)
        if has_ended and not leases and self._context.start_url:
            return self._failed()
        return Batch(leases)

    def _take(self, count: int) -> list[Lease]:
        """Lease URLs until some have to be requested."""
        while leases := self._lease(count):
            if requested := self._requested(leases):
                return requested
        return []

    def _failed(self) -> Batch:
        """Lease failed pages again, to be requested after a pause."""
        keys, pause = self._late_retry.next()
        if not keys:
            return Batch([])
        leases = self._requested(self._revisits.lease_again(keys))
        self._store.commit()
        return Batch(leases, pause)

    def _requested(self, leases: list[Lease]) -> list[Lease]:
        """Return the leases that have to be requested; record the others as carried over."""
        requested = []
        for lease in leases:
            page = None
            if self._context.start_url and not lease.revisit.is_request:
                page = self._context.carried(Link(url=lease.url, key=lease.key))
            if page is not None:
                self._store.record(replace(page, revisit=lease.revisit), time.time())
            elif lease.revisit.is_request:
                requested.append(lease)
            else:
                requested.append(lease._replace(revisit=Revisit.FETCHED))
        return requested

    def conclude(self) -> None:
        """Carry over pages that were not visited, if anything still links to them."""
        store, revisits = self._store, self._revisits
        if self._planner:
            self._planner.learn()
        if not store.previous_run.known():
            return
        while self._context.crawl.budget.is_spent and (
            leases := take_over(store, revisits, self._max_depth)
        ):
            self._requested(leases)
        is_refresh = self._planner is not None and self._planner.is_refresh
        has_recalled = revisits.conclude_due()
        if is_refresh or has_recalled or store.previous_run.count_postponed():
            forget_unreached(store, self._max_depth)
