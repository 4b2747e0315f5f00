"""Pages that a run leaves out with ``refresh=due``: see ``analysis/freshness/due.py``."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.freshness import due, rates
from sitemapgen.analysis.freshness.trust import SMALL_SECTIONS
from sitemapgen.analysis.freshness.visits import past_visits
from sitemapgen.analysis.lastmod import distrusted, section
from sitemapgen.core.urls import first_segment
from sitemapgen.core.words import counted
from sitemapgen.items import Revisit
from sitemapgen.store.due import SectionRow
from sitemapgen.store.visits import horizon_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapgen.analysis.freshness.due import ListedPages, Plan, SectionTest
    from sitemapgen.analysis.freshness.visits import PastVisits
    from sitemapgen.analysis.graph import Floats, Mask
    from sitemapgen.store import Store
    from sitemapgen.store.due import KnownPages
    from sitemapgen.store.frontier import Lease

logger = logging.getLogger(__name__)


class DuePages:
    """Decides which leases are carried over, and tests the sections of the site.

    The decision rests on the runs before this one and on the site's sitemaps alone, so that a crawl
    that is continued decides alike.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._plan: Plan | None = None
        self._left: set[int] = set()
        self._names: dict[int, str] = {}
        self._has_recalled = False

    def decided(self, leases: Sequence[Lease]) -> list[Lease]:
        """Mark the leases of pages whose turn has not come; the start page is always requested."""
        if self._plan is None and self._has_started():
            self._begin()
        return [
            lease._replace(revisit=Revisit.NOT_DUE)
            if lease.key in self._left
            and lease.revisit is Revisit.FETCHED
            and not lease.is_suspect
            and not lease.is_late
            else lease
            for lease in leases
        ]

    def recall(self) -> int:
        """Have the rest of the sections visited whose visited pages changed more often."""
        if self._plan is None or not self._left:
            return 0
        recalled = 0
        for tested in self._tested(self._plan):
            is_theirs = self._plan.sections == tested.section
            keys = self._left.intersection(self._plan.keys[is_theirs].tolist())
            if tested.ended == self._store.history.run and keys:
                self._log(tested)
                self._left -= keys
                recalled += self._store.due.recall(sorted(keys))
        self._has_recalled |= recalled > 0
        return recalled

    def conclude(self) -> bool:
        """Keep the results of this run; return whether pages were visited after all."""
        if self._plan is not None:
            is_left = np.isin(self._plan.keys, self._store.due.left_out())
            self._store.due.keep(
                SectionRow(tested, self._names[tested.section])
                for tested in self._tested(self._plan._replace(is_left=is_left))
            )
        return self._has_recalled

    def _tested(self, plan: Plan) -> list[SectionTest]:
        keys, changed = self._store.due.visited()
        before = self._store.due.standings()
        return due.examine(plan, keys, changed, before, self._store.history.run)

    def _log(self, tested: SectionTest) -> None:
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

    def _has_started(self) -> bool:
        """Return whether the start page has answered; the site's sitemaps are then read as well."""
        run = self._store.last_run()
        return run is not None and bool(run.start)

    def _begin(self) -> None:
        """Plan the run; it leaves out nothing if it follows no other run of the same arguments."""
        store = self._store
        known = store.due.known()
        if not len(known.keys):
            self._plan = _NOTHING
            return
        starts = np.array(store.history.starts())
        pages = _pages(known, _is_moved(store, known))
        own = (section(url) for url in known.urls)
        names = {here: first_segment(url) for here, url in zip(own, known.urls)}
        self._names = {here: names.get(here, "") for here in np.unique(pages.sections).tolist()}
        self._plan = due.plan(pages, _past(store, pages, starts), starts, store.history.run)
        self._left = set(self._plan.keys[self._plan.is_left].tolist())
        if recalled := self._left.intersection(store.due.recalled()):
            self._left -= recalled
            self._has_recalled = True


_NOTHING = due.Plan(
    keys=np.zeros(0, np.int64),
    sections=np.zeros(0, np.int64),
    chance=np.zeros(0),
    is_settled=np.zeros(0, np.bool_),
    is_left=np.zeros(0, np.bool_),
)


def _pages(known: KnownPages, is_moved: Mask) -> ListedPages:
    own = np.array([section(url) for url in known.urls], np.int64)
    names = [rates.template(url) for url in known.urls]
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
    records = store.history.records()
    wrong = [distrusted(records, source) for source in ("sitemap", "api")]
    is_doubted = np.fromiter(
        (section(url) in wrong[by] for url, by in zip(known.urls, known.has_system_date.tolist())),
        np.bool_,
    )
    return known.has_other_date & ~is_doubted


def _past(store: Store, pages: ListedPages, starts: Floats) -> PastVisits:
    """Return the visits of the pages that count: those since their section was visited whole."""
    table = store.due.visits(due.MEMORY_RUNS)
    table = table[np.isin(table["key"], pages.keys)]
    standings = store.due.standings()
    ended = np.array(
        [standings.get(each, due.SectionStanding()).ended for each in pages.sections.tolist()]
    )
    since = np.where(ended > 0, np.floor(starts[np.maximum(ended, 1) - 1]), -np.inf)
    place = np.searchsorted(pages.keys, table["key"])
    table = table[table["visited"] >= since[place]]
    return past_visits(table, (), {}, horizon_of(store.history))
