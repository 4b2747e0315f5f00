"""Leases with the conditions of their requests, and without those of pages that are left out.

The rules: ``analysis/freshness/revisits.py``; for ``refresh=due`` ``analysis/freshness/due.py``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.freshness import due, rates
from sitemapgen.analysis.freshness.revisits import RevisitRules
from sitemapgen.analysis.freshness.trust import SMALL_SECTIONS
from sitemapgen.analysis.freshness.visits import PastVisits, past_visits
from sitemapgen.analysis.lastmod import distrusted_sections, url_section
from sitemapgen.core.url_forms import template
from sitemapgen.core.urls import first_segment
from sitemapgen.core.words import counted
from sitemapgen.items import Revisit
from sitemapgen.store.due import KnownPages, SectionRow

if TYPE_CHECKING:
    from sitemapgen.analysis.freshness.due import ListedPages, Plan, SectionTest
    from sitemapgen.analysis.graph import Floats, Mask
    from sitemapgen.store import Store
    from sitemapgen.store.frontier import Lease


logger = logging.getLogger(__name__)

NEVER_FOUND = "never found"
"""What stands in place of a template for URLs that no run has found."""


class Revisits:
    """Leases URLs of a store; decides which of them are skipped, conditional or checked."""

    def __init__(self, store: Store, due_pages: DuePages | None = None) -> None:
        """Take up the current run of a store; ``due_pages``: None if all pages are visited."""
        self._store = store
        self.due = due_pages
        self._has_lasting = store.previous_run.lasting_run > 0
        """Whether pages of the previous run remain valid in this one."""
        records = store.history.source_records() if self._has_lasting else {}
        self._rules = RevisitRules(records, store.history.run)
        self._doubted = set(store.previous_run.doubted_keys())
        self._on_turn = set(store.previous_run.on_turn() if self._has_lasting else ())
        """Resting pages that are requested, and not looked at by ``recall_resting`` yet."""
        self._roused: set[str] = set()
        """Templates of which a resting page may be listed now, by other directives;
        ``NEVER_FOUND`` if one of the URLs that no run had found is a page."""
        store.frontier.compares_dates = self._rules.is_sparing

    @property
    def is_sparing(self) -> bool:
        """Whether statements of sitemaps or systems decide which pages are requested."""
        return self._rules.is_sparing or self.due is not None

    def lease(self, count: int) -> list[Lease]:
        """Lease the next URLs of the frontier, at most ``count``."""
        return self._decided_leases(self._store.frontier.lease(count))

    def lease_these(self, keys: Sequence[int]) -> list[Lease]:
        """Lease the pending URLs among these."""
        return self._decided_leases(self._store.frontier.lease_these(keys))

    def lease_again(self, keys: Sequence[int]) -> list[Lease]:
        """Lease pages that failed for a late retry."""
        self._store.frontier.read_again(keys)
        return [lease._replace(is_late=True) for lease in self.lease_these(keys)]

    def lease_earlier(self, count: int) -> list[Lease]:
        """Lease pages of the previous run that are carried over without a request."""
        return [
            lease._replace(revisit=Revisit.OVER_BUDGET) if lease.revisit.is_request else lease
            for lease in self._decided_leases(self._store.frontier.lease_earlier(count))
        ]

    def recall_doubted(self) -> int:
        """Have pages read again whose sitemap contradicts a 304; return their number."""
        if not self._has_lasting:
            return 0
        earlier = self._store.previous_run
        if not (pages := earlier.doubtful_pages()):
            return 0
        keys = self._rules.choose_doubted(pages, earlier.count_unchanged())
        self._doubted.update(keys)
        return self._store.frontier.read_again(keys)

    def recall_resting(self) -> int:
        """Have all pages of a kind requested of which one may be listed now."""
        earlier = self._store.previous_run
        some = earlier.roused_urls(self._on_turn)
        roused = {_kind_of(url, is_gone=was_gone) for url, was_gone in some} - self._roused
        self._on_turn.clear()
        if not roused:
            return 0
        self._roused |= roused
        return self._store.frontier.read_again(
            [
                key
                for key, url, is_gone in earlier.rested_pages()
                if _kind_of(url, is_gone=is_gone) in roused
            ]
        )

    def recall_contradicted(self) -> int:
        """Have variants that rested requested where they differ from what they repeated.

        That may have changed since they were read.
        """
        if not self._has_lasting:
            return 0
        every = self._store.previous_run.rested_variants()
        rested = {key for key, base in every.items() if base is None}
        own = rested.difference(self._store.kinds.read_variants(rested)) if rested else set()
        return self._store.frontier.read_again(sorted(own))

    def _decided_leases(self, leases: Sequence[Lease]) -> list[Lease]:
        rules = self._rules
        leases = [
            lease._replace(revisit=rules.decide_revisit(lease.key, lease.url, lease.same_dates))
            if lease.same_dates
            else lease
            for lease in leases
        ]
        if not self._has_lasting:
            return leases
        if self.due:
            leases = self.due.mark_not_due(leases)
        resting = self._store.previous_run.resting(
            lease.key for lease in leases if lease.revisit is Revisit.FETCHED and not lease.is_late
        )
        self._on_turn.update(key for key, (is_turn, _) in resting.items() if is_turn)
        leases = [
            lease._replace(revisit=Revisit.LEFT_OUT) if self._rests(lease, resting) else lease
            for lease in leases
        ]
        samples = rules.mark_samples(np.array([lease.key for lease in leases], np.int64)).tolist()
        is_any = rules.is_hiding or self._doubted
        return [
            self._conditional_lease(lease, is_one) if is_one or is_any else lease
            for lease, is_one in zip(leases, samples)
        ]

    def _rests(self, lease: Lease, resting: Mapping[int, tuple[bool, bool]]) -> bool:
        is_turn, is_gone = resting.get(lease.key, (True, False))
        return not is_turn and _kind_of(lease.url, is_gone=is_gone) not in self._roused

    def _conditional_lease(self, lease: Lease, is_sample: bool) -> Lease:
        is_doubted = lease.key in self._doubted
        if not (is_doubted or lease.etag or lease.last_modified):
            return lease
        is_conditional, is_check = self._rules.decide_condition(
            lease.url, is_sample=is_sample, is_doubted=is_doubted
        )
        if not is_conditional:
            lease = lease._replace(etag="", last_modified="")
        return lease._replace(is_check=is_check)


def _kind_of(url: str, *, is_gone: bool) -> str:
    return NEVER_FOUND if is_gone else template(url)


class DuePages:
    """Decides which leases ``refresh=due`` carries over, and tests the sections of the site.

    The decision rests on the runs before this one and on the site's sitemaps alone, so that a crawl
    that is continued decides alike.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._plan: Plan | None = None
        self._left: set[int] = set()
        self._names: dict[int, str] = {}
        self._has_recalled = False

    def mark_not_due(self, leases: Sequence[Lease]) -> list[Lease]:
        """Mark the leases of pages whose turn has not come; the start page is always requested."""
        if self._plan is None:
            run = self._store.last_run()
            if run is not None and run.start:  # the site's sitemaps are then read as well
                self._plan_run()
        return [
            lease._replace(revisit=Revisit.NOT_DUE)
            if lease.key in self._left
            and lease.revisit is Revisit.FETCHED
            and not lease.is_suspect
            and not lease.is_late
            else lease
            for lease in leases
        ]

    def recall_pages(self) -> int:
        """Have the rest of the sections visited whose visited pages changed more often."""
        if self._plan is None or not self._left:
            return 0
        recalled = 0
        for tested in self._test_sections(self._plan):
            is_theirs = self._plan.sections == tested.section
            keys = self._left.intersection(self._plan.keys[is_theirs].tolist())
            if tested.ended == self._store.history.run and keys:
                self._log_recall(tested)
                self._left -= keys
                recalled += self._store.due.recall_pages(sorted(keys))
        self._has_recalled |= recalled > 0
        return recalled

    def keep_results(self) -> bool:
        """Keep the results of this run; return whether pages were visited after all."""
        if self._plan is not None:
            is_left = np.isin(self._plan.keys, self._store.due.left_out())
            self._store.due.replace_rows(
                SectionRow(tested, self._names[tested.section])
                for tested in self._test_sections(self._plan._replace(is_left=is_left))
            )
        return self._has_recalled

    def _test_sections(self, plan: Plan) -> list[SectionTest]:
        keys, changed = self._store.due.visited_pages()
        before = self._store.due.section_standings()
        return due.examine_sections(plan, keys, changed, before, self._store.history.run)

    def _log_recall(self, tested: SectionTest) -> None:
        is_small = tested.section == SMALL_SECTIONS
        logger.warning(
            "refresh=due: %(changed)s of %(visited)s in %(section)s had changed "
            "(%(expected).1f expected): all pages there are visited",
            {
                "changed": tested.changed,
                "visited": counted(tested.visited, "page"),
                "section": "the small sections" if is_small else f"/{self._names[tested.section]}",
                "expected": tested.expected,
            },
        )

    def _plan_run(self) -> None:
        """Plan the run; it leaves out nothing if it follows no other run of the same arguments."""
        store = self._store
        known = store.due.known_pages()
        if not len(known.keys):
            self._plan = _NOTHING
            return
        starts = np.array(store.history.start_times())
        pages = _listed_pages(known, _is_moved(store, known))
        own = (url_section(url) for url in known.urls)
        names = {here: first_segment(url) for here, url in zip(own, known.urls)}
        self._names = {here: names.get(here, "") for here in np.unique(pages.sections).tolist()}
        self._plan = due.plan_run(
            pages, _past_visits(store, pages, starts), starts, store.history.run
        )
        self._left = set(self._plan.keys[self._plan.is_left].tolist())
        if recalled := self._left.intersection(store.due.recalled_keys()):
            self._left -= recalled
            self._has_recalled = True


_NOTHING = due.Plan(
    keys=np.zeros(0, np.int64),
    sections=np.zeros(0, np.int64),
    chance=np.zeros(0),
    is_settled=np.zeros(0, np.bool_),
    is_left=np.zeros(0, np.bool_),
)


def _listed_pages(known: KnownPages, is_moved: Mask) -> ListedPages:
    own = np.array([url_section(url) for url in known.urls], np.int64)
    names = [rates.url_template(url) for url in known.urls]
    _, templates = np.unique(names, return_inverse=True)
    return due.ListedPages(
        keys=known.keys,
        sections=due.tested_sections(own),
        templates=templates.ravel(),
        visited=known.visited,
        is_moved=is_moved,
    )


def _is_moved(store: Store, known: KnownPages) -> Mask:
    """Return where a date of a sitemap or a system has moved, unless it is not trusted there."""
    records = store.history.source_records()
    wrong = [distrusted_sections(records, source) for source in ("sitemap", "api")]
    is_doubted = np.fromiter(
        (
            url_section(url) in wrong[by]
            for url, by in zip(known.urls, known.has_system_date.tolist())
        ),
        np.bool_,
    )
    return known.has_other_date & ~is_doubted


def _past_visits(store: Store, pages: ListedPages, starts: Floats) -> PastVisits:
    """Return the visits of the pages that count: those since their section was visited whole."""
    table = store.due.recent_visits(due.MEMORY_RUNS)
    table = table[np.isin(table["key"], pages.keys)]
    standings = store.due.section_standings()
    ended = np.array(
        [standings.get(each, due.SectionStanding()).ended for each in pages.sections.tolist()]
    )
    since = np.where(ended > 0, np.floor(starts[np.maximum(ended, 1) - 1]), -np.inf)
    place = np.searchsorted(pages.keys, table["key"])
    table = table[table["visited"] >= since[place]]
    return past_visits(table, (), {}, store.history.horizon())
