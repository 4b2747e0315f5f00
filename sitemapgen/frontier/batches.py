"""Batches of URLs to request: pending ones, those of the next phase, then failed pages again.

The order within a phase: ``planner.py``. The phases: ``phases.py``. Pages that are carried over
instead: ``revisits.py``.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.analysis.late_retry import (
    FailedPage,
    find_repeated,
    first_batch,
    next_batch,
    round_pauses,
    without_lasting,
)
from sitemapgen.core.words import clauses, counted
from sitemapgen.frontier.phases import next_phase
from sitemapgen.frontier.planner import forget_unreached, make_planner, take_over
from sitemapgen.frontier.revisits import DuePages, Revisits
from sitemapgen.frontier.suspects import examine_crowds
from sitemapgen.items import Link, Revisit
from sitemapgen.store.frontier import Lease
from sitemapgen.verdicts import Reason

if TYPE_CHECKING:
    from sitemapgen.analysis.scheduling import Choice
    from sitemapgen.context import CrawlContext
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)


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
        self._planner = make_planner(store, choice, context.crawl.budget, self._revisits)
        self._lease = self._planner.lease if self._planner else self._revisits.lease
        seconds = context.crawler.settings.getfloat("SITEMAPGEN_LATE_RETRY_SECONDS")
        self._late_retry = LateRetry(store, seconds)
        self._exhausted_at = -1
        """``Store.recorded`` when the last phase was looked for."""

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
        if self._exhausted_at == self._store.recorded:
            return False
        return self._planner is not None or not self._store.frontier.has_pending()

    def lease_batch(self, count: int) -> Batch:
        """Lease up to ``count`` URLs; none, as long as a page in flight may bring some.

        A phase whose pages are all carried over ends at once, and the next one begins. After the
        last one, and if ``count`` is 0, pages that failed are leased again.
        """
        store, leases = self._store, list[Lease]()
        if count and self._planner and not self._context.start_url:
            return Batch(self._planner.lease_start(count))
        if count:
            examine_crowds(store)
            leases = self._take_leases(count)
        has_ended = False
        while not leases and not store.frontier.in_flight():
            if self._exhausted_at == store.recorded:
                break
            self._exhausted_at = store.recorded
            has_ended = True
            if count and next_phase(store, self._revisits, self._max_depth):
                leases = self._take_leases(count)
        if has_ended and not leases and self._context.start_url:
            return self._failed_batch()
        return Batch(leases)

    def _take_leases(self, count: int) -> list[Lease]:
        """Lease URLs until some have to be requested."""
        while leases := self._lease(count):
            if requested := self._requested_leases(leases):
                return requested
        return []

    def _failed_batch(self) -> Batch:
        """Lease failed pages again, to be requested after a pause."""
        keys, pause = self._late_retry.begin_next()
        if not keys:
            return Batch([])
        leases = self._requested_leases(self._revisits.lease_again(keys))
        self._store.commit()
        return Batch(leases, pause)

    def _requested_leases(self, leases: list[Lease]) -> list[Lease]:
        """Return the leases that have to be requested; record the others as carried over."""
        requested = []
        for lease in leases:
            page = None
            if self._context.start_url and not lease.revisit.is_request:
                page = self._context.carried(Link(url=lease.url, key=lease.key))
            if page is not None:
                self._store.record_page(replace(page, revisit=lease.revisit), time.time())
            elif lease.revisit.is_request:
                requested.append(lease)
            else:
                requested.append(lease._replace(revisit=Revisit.FETCHED))
        return requested

    def carry_over_rest(self) -> None:
        """Carry over pages that were not visited, if anything still links to them."""
        store, revisits = self._store, self._revisits
        if self._planner:
            self._planner.learn_outcomes()
        if not store.previous_run.count_known():
            return
        while self._context.crawl.budget.is_spent and (
            leases := take_over(store, revisits, self._max_depth)
        ):
            self._requested_leases(leases)
        is_refresh = self._planner is not None and self._planner.is_refresh
        has_recalled = revisits.due is not None and revisits.due.keep_results()
        if is_refresh or has_recalled or store.previous_run.count_revisits(Revisit.OVER_BUDGET):
            forget_unreached(store, self._max_depth)


NOTHING: tuple[list[int], float] = ([], 0.0)


class LateRetry:
    """Late retry of failed pages when all others are done: ``analysis/late_retry.py``.

    A round begins with a pause, in which its pages wait in the downloader; a signal cancels them at
    once. The requested pages are kept in the store: a killed crawl continues with the round.
    """

    def __init__(self, store: Store, seconds: float) -> None:
        """``seconds``: maximum of waiting time; 0 disables it."""
        self._store = store
        self._seconds = seconds
        self._pauses = round_pauses(seconds)
        self._spent = 0.0
        self._begun: float | None = None
        self._pause = 0.0
        self._repeated: set[int] = set()
        """Contents that several pages had: ``find_repeated``."""

    def begin_next(self) -> tuple[list[int], float]:
        """Begin the next batch, when no page is in flight; return its keys and the pause before."""
        if self._seconds <= 0:
            return NOTHING
        number = self._store.frontier.last_round()
        failed = self._failed_pages()
        still = {page.key for page in failed}
        retried = self._store.frontier.retried_pages(number) if number else []
        batch = max((page.batch for page in retried), default=0)
        recovered = [page.url for page in retried if page.batch == batch and page.key not in still]
        self._account_wait(has_recovered=bool(recovered))
        if recovered and (keys := next_batch(failed, number, recovered)):
            return self._begin_batch(keys, number, batch + 1, 0.0)
        return self._next_round(failed, number)

    def _failed_pages(self) -> list[FailedPage]:
        """Return the pages that may be another time; doubtful ones that were not so before."""
        failed = self._store.frontier.failed_pages()
        failed += find_repeated(self._store.frontier.linkless_pages(), self._repeated)
        return [page for page in failed if (not page.is_old if page.is_doubtful else page.may_pass)]

    def _next_round(self, failed: list[FailedPage], number: int) -> tuple[list[int], float]:
        if number:
            failed = without_lasting(failed)
        if not failed or number >= len(self._pauses) or self._spent >= self._seconds:
            return NOTHING
        pause = self._pauses[number]
        keys = first_batch(failed)
        repeated = sum(page.cause is Reason.REPEATED_TEXT for page in failed)
        pages = counted(len(failed) - repeated, "page")
        have = counted(repeated, "page has", "pages have")
        logger.info(
            "%(pages)s; %(asked)s requested again in "
            "%(pause).0f s (round %(number)d of %(rounds)d)",
            {
                "pages": clauses(
                    (len(failed) - repeated, f"{pages} failed for reasons that may be temporary"),
                    (repeated, f"{have} no link, and the short text of others, as errors have"),
                ),
                "asked": counted(len(keys), "is", "are"),
                "pause": pause,
                "number": number + 1,
                "rounds": len(self._pauses),
            },
        )
        return self._begin_batch(keys, number + 1, 0, pause)

    def _begin_batch(
        self, keys: list[int], number: int, batch: int, pause: float
    ) -> tuple[list[int], float]:
        self._begun, self._pause = time.monotonic(), pause
        self._store.frontier.begin_retries(keys, number, batch)
        return keys, pause

    def _account_wait(self, *, has_recovered: bool) -> None:
        """Add the waiting time: the whole batch if no page recovered, else only its pause."""
        if self._begun is not None:
            self._spent += self._pause if has_recovered else time.monotonic() - self._begun
            self._begun = None
