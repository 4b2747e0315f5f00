"""Leases with the conditions of their requests: see ``analysis/freshness/revisits.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.freshness.revisits import RevisitRules
from sitemapgen.analysis.freshness.trust import is_turn
from sitemapgen.items import Revisit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapgen.frontier.due import DuePages
    from sitemapgen.store import Store
    from sitemapgen.store.frontier import Lease


class Revisits:
    """Leases URLs of a store; decides which of them are skipped, conditional or checked."""

    def __init__(self, store: Store, due: DuePages | None = None) -> None:
        """Take up the current run of a store; ``due``: None if all pages are visited."""
        self._store = store
        self.due = due
        self._holds = store.previous_run.lasting_run > 0
        records = store.history.records() if self._holds else {}
        self._rules = RevisitRules(records, store.history.run)
        self._doubted = set(store.previous_run.doubted())
        store.frontier.compares_dates = self._rules.is_sparing

    @property
    def is_sparing(self) -> bool:
        """Whether statements of sitemaps or systems decide which pages are requested."""
        return self._rules.is_sparing or self.due is not None

    def lease(self, count: int) -> list[Lease]:
        """Lease the next URLs of the frontier, at most ``count``."""
        return self._decided(self._store.frontier.lease(count))

    def lease_these(self, keys: Sequence[int]) -> list[Lease]:
        """Lease the pending URLs among these."""
        return self._decided(self._store.frontier.lease_these(keys))

    def lease_again(self, keys: Sequence[int]) -> list[Lease]:
        """Lease pages that failed for a late retry."""
        self._store.frontier.read_again(keys)
        return [lease._replace(is_late=True) for lease in self.lease_these(keys)]

    def lease_earlier(self, count: int) -> list[Lease]:
        """Lease pages of the previous run that are carried over without a request."""
        return [
            lease._replace(revisit=Revisit.OVER_BUDGET) if lease.revisit.is_request else lease
            for lease in self._decided(self._store.frontier.lease_earlier(count))
        ]

    def recall_doubted(self) -> int:
        """Have pages read again whose sitemap contradicts a 304; return their number."""
        if not self._holds:
            return 0
        earlier = self._store.previous_run
        if not (pages := earlier.doubtful()):
            return 0
        keys = self._rules.doubted(pages, earlier.unchanged())
        self._doubted.update(keys)
        return self._store.frontier.read_again(keys)

    def _decided(self, leases: Sequence[Lease]) -> list[Lease]:
        rules = self._rules
        leases = [
            lease._replace(revisit=rules.revisit(lease.key, lease.url, lease.same_dates))
            if lease.same_dates
            else lease
            for lease in leases
        ]
        if not self._holds:
            return leases
        if self.due:
            leases = self.due.decided(leases)
        left_out = self._left_out(leases)
        leases = [
            lease._replace(revisit=Revisit.LEFT_OUT) if lease.key in left_out else lease
            for lease in leases
        ]
        samples = rules.samples(np.array([lease.key for lease in leases], np.int64)).tolist()
        is_any = rules.is_hiding or self._doubted
        return [
            self._conditional(lease, is_one) if is_one or is_any else lease
            for lease, is_one in zip(leases, samples)
        ]

    def _left_out(self, leases: Sequence[Lease]) -> set[int]:
        """Return the pages that had nothing of their own, but for those whose turn it is."""
        asked = (
            lease for lease in leases if lease.revisit is Revisit.FETCHED and not lease.is_late
        )
        found = np.array(
            [*self._store.previous_run.left_out(lease.key for lease in asked)], np.int64
        )
        return {*found[~is_turn(found, self._store.history.run)].tolist()}

    def _conditional(self, lease: Lease, is_sample: bool) -> Lease:
        is_doubted = lease.key in self._doubted
        if not (is_doubted or lease.etag or lease.last_modified):
            return lease
        is_conditional, is_check = self._rules.condition(
            lease.url, is_sample=is_sample, is_doubted=is_doubted
        )
        if not is_conditional:
            lease = lease._replace(etag="", last_modified="")
        return lease._replace(is_check=is_check)
