"""Planner of the order of fetching, where it is not the order of discovery.

It plans in epochs, each when nothing is in flight, so that the choice does not depend on the order
of responses. The rules: ``analysis/scheduling.py``. New candidates: ``frontier/phases.py``. The
order of repeated visits: ``analysis/freshness/order.py``.
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis import scheduling
from sitemapgen.analysis.freshness import rates
from sitemapgen.analysis.freshness.order import VisitFacts, choose_visits, visit_values
from sitemapgen.analysis.graph import UNREACHED, Floats, Ints, LinkGraph
from sitemapgen.analysis.lastmod import assess_sources, url_section
from sitemapgen.analysis.ranking import priorityrank
from sitemapgen.analysis.scheduling import PHI, Balance, Choice, Epoch, Queue, discovery_scores
from sitemapgen.frontier.phases import admit_known, next_phase

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from sitemapgen.analysis.freshness.visits import PastVisits
    from sitemapgen.frontier.revisits import Revisits
    from sitemapgen.params import Params
    from sitemapgen.store import Store
    from sitemapgen.store.frontier import Budget, Lease

logger = logging.getLogger(__name__)

GROWTH = 0.1
"""Growth of the number of fetched pages, as a share, after which ranks are computed again. All
computations then take about ten times as long as the last one, for sites of any size."""
USUAL_PRIORITY = 0.5
"""Priority of URLs without one, by sitemaps.org."""
EARLIER = 2_000
"""Number of pages that are taken over from the previous run at a time."""
NOT_LISTED_WEIGHT = 0.1
"""Weight of the freshness of an unlisted page, which may recover, relative to a listed one."""


def choice_of(args: Params, settings: BaseSettings) -> Choice:
    """Return the arguments and settings that determine the choice of URLs."""
    return Choice(
        strategy=args.strategy,
        max_depth=settings.getint("DEPTH_LIMIT"),
        with_copies=args.duplicates == "off",
    )


def make_planner(
    store: Store, choice: Choice, budget: Budget, revisits: Revisits
) -> Planner | None:
    """Return the planner of a crawl; None if it follows the order of discovery.

    There is one if the strategy is ``balanced``, or if the previous run has at least ``max_pages``
    pages (a refresh): those that are not visited are then carried over.
    """
    plan, is_current = store.last_plan()
    is_refresh = 0 < budget.max_pages <= store.previous_run.count_known()
    is_refresh |= is_current and plan["is_refresh"]  # max_pages may have changed
    if choice.strategy != "balanced" and not is_refresh:
        return None
    return Planner(store, choice, budget, revisits, is_refresh=is_refresh)


class Planner:
    """Hands out the URLs of an epoch, and plans the next one when all of them are done.

    Its decisions are kept in the store: an interrupted epoch is continued, and the balance of the
    last run is used. In a refresh up to half of the pages are repeated visits, the others are new.
    """

    def __init__(
        self, store: Store, choice: Choice, budget: Budget, revisits: Revisits, *, is_refresh: bool
    ) -> None:
        self._store = store
        self._choice = choice
        self._budget = budget
        self._revisits = revisits
        self.is_refresh = is_refresh
        self._candidates = _Candidates(store)
        self._known: list[int] | None = None
        """Keys of the pages to visit again, the most urgent one first."""
        plan, is_current = store.last_plan()
        self._balance = Balance(*plan["balance"]) if plan.get("balance") else None
        self._epoch: Epoch | None = None
        self._again: list[int] = []
        self._spent = [0, 0]
        """Number of pages of this run planned so far: repeated visits, and new pages."""
        if is_current:
            self._again, self._spent = plan["again"], plan["spent"]
            if self._balance and plan["epoch"]:
                self._epoch = Epoch(self._balance, *plan["epoch"])
        self._waiting = [*self._again, *_epoch_keys(self._epoch)]

    @property
    def has_more(self) -> bool:
        """Whether the plan has URLs to fetch that are not pending."""
        return bool(self._waiting or self._known)

    def lease(self, count: int) -> list[Lease]:
        """Lease up to ``count`` URLs; none while the last URLs of an epoch are in flight.

        Before each epoch of a refresh it leases all pages to be carried over, whatever ``count``.
        """
        leases: list[Lease] = []
        while not leases:  # URLs of a resumed epoch may be done already
            if not self._waiting:
                if self._store.frontier.in_flight():
                    break
                if self.is_refresh and (leases := self._known_before()):
                    break
                self._begin_epoch()
                if not self._waiting:
                    break
            some, self._waiting = self._waiting[:count], self._waiting[count:]
            leases = self._revisits.lease_these(some)
        return leases

    def lease_start(self, count: int) -> list[Lease]:
        """Lease the start URL only."""
        found = self._store.frontier.candidates()
        return self._revisits.lease_these(found.keys[found.is_start][:count].tolist())

    def learn_outcomes(self) -> None:
        """Update the balance by the outcomes of the last epoch."""
        if self._epoch is None:
            return
        worth = self._store.conclusions.predict_listed(
            [*self._epoch.sitemaps, *self._epoch.discovery], with_copies=self._choice.with_copies
        )
        done = self._epoch._replace(
            sitemaps=[key for key in self._epoch.sitemaps if key in worth],
            discovery=[key for key in self._epoch.discovery if key in worth],
        )
        if done.sitemaps or done.discovery:
            listed = {key for key, is_listed in worth.items() if is_listed}
            self._balance = scheduling.learn_balance(done, listed, PHI)
            logger.debug("Learned: %(balance)s", {"balance": self._balance})
        self._epoch = None
        self._keep_plan()

    def _known_before(self) -> list[Lease]:
        """Lease the previous run's pages that were found again, before the epoch is planned."""
        leases = take_over(self._store, self._revisits, self._choice.max_depth)
        while not leases and len(self._store.frontier.candidates().keys) < self._epoch_quota():
            if not self._next_phase():
                break
            leases = take_over(self._store, self._revisits, self._choice.max_depth)
        if leases:
            self._known = None  # to be computed again, with these pages
        return leases

    def _begin_epoch(self) -> None:
        self.learn_outcomes()
        self._again = []
        quota = self._epoch_quota()
        if self.is_refresh:
            if self._known is None:
                self._known = _most_wanted(self._store)
            again, new = self._spent
            wanted = min(scheduling.visits_again(again, new, quota), len(self._known))
            found = self._plan_new(quota - wanted)
            wanted = min(quota - found, len(self._known))
            self._again, self._known = self._known[:wanted], self._known[wanted:]
            self._spent = [again + wanted, new + found]
        else:
            self._plan_new(quota)
        self._waiting = [*self._again, *self._waiting]
        self._keep_plan()

    def _plan_new(self, quota: int) -> int:
        """Choose the best of the URLs that were never fetched; return their number."""
        if quota and self._choice.strategy == "balanced":
            self._waiting = self._plan_balanced(quota)
        elif quota:
            found = self._store.frontier.candidates()
            while len(found.keys) < quota and self._next_phase():
                found = self._store.frontier.candidates()
            self._waiting = found.keys[np.argsort(found.depth, kind="stable")][:quota].tolist()
        return len(self._waiting)

    def _plan_balanced(self, quota: int) -> list[int]:
        """Plan an epoch by Algorithm 6.1 (``analysis/scheduling.py``); return its keys."""
        sitemaps, discovery = self._candidates.queues(quota)
        while len(discovery.keys) < quota and self._next_phase():
            self._candidates.forget_queues()
            sitemaps, discovery = self._candidates.queues(quota)
        if not len(sitemaps.keys) and not len(discovery.keys):
            return []
        balance = self._balance
        if balance is None:
            balance = scheduling.equal_balance(quota, PHI)
        elif balance.quota != quota:
            balance = scheduling.resume_balance(balance, quota)
        self._epoch = scheduling.plan_epoch(balance, sitemaps, discovery)
        keys = _epoch_keys(self._epoch)
        self._candidates.remove_keys(keys)
        return keys

    def _epoch_quota(self) -> int:
        """Return the size of the next epoch, by ``max_pages`` or else by the number of URLs."""
        if not self._budget.is_limited:
            return scheduling.epoch_quota(self._store.frontier.count_known())
        return self._budget.of(scheduling.epoch_quota(self._budget.max_pages))

    def _next_phase(self) -> int:
        return next_phase(self._store, self._revisits, self._choice.max_depth)

    def _keep_plan(self) -> None:
        self._store.keep_plan(
            {
                "is_refresh": self.is_refresh,
                "balance": self._epoch.balance if self._epoch else self._balance,
                "epoch": self._epoch and self._epoch[1:],
                "again": self._again,
                "spent": self._spent,
            }
        )


def take_over(store: Store, revisits: Revisits, max_depth: int) -> list[Lease]:
    """Lease the pages of the previous run that were found again, to be carried over."""
    while not (leases := revisits.lease_earlier(EARLIER)):
        if not admit_known(store, max_depth):
            break
    return leases


def forget_unreached(store: Store, max_depth: int) -> None:
    """Make URLs unseen to which nothing links any more since a page was visited again."""
    graph = store.graph()
    is_unreached = graph.measure(max_depth).depth == UNREACHED
    store.forget_urls(graph.nodes.keys[is_unreached].tolist())


def _most_wanted(store: Store) -> list[int]:
    """Return the keys of the postponed pages, in the order of ``analysis/freshness/order.py``."""
    pages = store.previous_run.count_postponed()
    if not pages.urls:
        return []
    _, templates = np.unique([rates.url_template(url) for url in pages.urls], return_inverse=True)
    recall, precision, is_due = np.zeros((3, len(pages.urls)))
    trusted = assess_sources(store.history.source_records())
    for place, url in enumerate(pages.urls):
        trust = trusted.get(("sitemap", url_section(url)))
        if trust is not None and trust.is_trusted:
            is_due[place] = trust.is_sparing and pages.is_silent[place]
            recall[place] = trust.recall * pages.is_silent[place]
            precision[place] = trust.precision * pages.is_moved[place]
    known = VisitFacts(
        rate=rates.estimate_rates(
            _visits_of(pages.keys, store.history.past_visits()), templates.ravel()
        ),
        age=pages.age,
        weight=np.where(pages.is_listed, 1.0, NOT_LISTED_WEIGHT),
        recall=recall,
        precision=precision,
    )
    ordered = choose_visits(visit_values(known, pages.step), is_due > 0, len(pages.urls))
    wanted: list[int] = pages.keys[ordered].tolist()
    return wanted


def _visits_of(keys: Ints, past: PastVisits) -> rates.Visits:
    """Return the visits of the pages ``keys``, with their indexes in it as ``page``."""
    by_key = np.argsort(keys)
    at = np.minimum(np.searchsorted(keys[by_key], past.keys), len(keys) - 1)
    place = np.where(keys[by_key][at] == past.keys, by_key[at], -1)[past.visits.page]
    is_theirs = place >= 0
    _, days, changed, since = past.visits
    return rates.Visits(place[is_theirs], days[is_theirs], changed[is_theirs], since[is_theirs])


class _Candidates:
    """The candidates with their scores, as of the last computation."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._at = self._until = -1
        self._sitemaps = self._discovery = Queue(np.zeros(0, np.int64), np.zeros(0))
        self._priorities: tuple[Ints, Floats] | None = None

    def queues(self, quota: int) -> tuple[Queue, Queue]:
        """Return the queues of Sitemaps and Discovery, computed again if they are outdated."""
        recorded = self._store.recorded
        is_short = len(self._discovery.keys) < quota  # the queue of Sitemaps is complete
        if recorded >= self._until or (is_short and recorded > self._at):
            self._compute_queues()
        return self._sitemaps, self._discovery

    def forget_queues(self) -> None:
        """Have the queues computed again, as there are new candidates."""
        self._until = 0

    def remove_keys(self, keys: list[int]) -> None:
        """Remove these keys from the queues."""
        self._sitemaps = _without_keys(self._sitemaps, keys)
        self._discovery = _without_keys(self._discovery, keys)

    def _compute_queues(self) -> None:
        found, graph = self._store.frontier.candidates(), self._store.graph()
        places = graph.find_nodes(found.keys)
        of_links = discovery_scores(graph.distances(), graph.measure().in_degree)[places]
        of_sitemaps = priorityrank(graph, self._node_priorities(graph))[places]
        # URLs with the same score are ordered by hash: in URL order, a single directory could
        # determine the value of the queue for many epochs.
        by_key = np.argsort(found.keys)
        in_sitemap = by_key[found.in_sitemap[by_key]]
        is_linked = by_key[found.is_linked[by_key]]
        self._sitemaps = Queue(found.keys[in_sitemap], of_sitemaps[in_sitemap])
        self._discovery = Queue(found.keys[is_linked], of_links[is_linked])
        self._at = self._store.recorded
        fetched = int(np.count_nonzero(graph.nodes.is_fetched))
        self._until = self._at + math.ceil(fetched * GROWTH)

    def _node_priorities(self, graph: LinkGraph) -> Floats:
        """Return the priority of each node; of several entries, the highest one."""
        if self._priorities is None:  # the sitemaps are read before anything is planned
            rows = [
                (key, _priority_number(text)) for key, text in self._store.sitemaps.priorities()
            ]
            table = np.array(rows, dtype=[("key", np.int64), ("priority", np.float64)])
            self._priorities = table["key"], table["priority"]
        keys, said = self._priorities
        places = graph.find_nodes(keys)
        priority = np.full(len(graph.nodes.keys), -1.0)
        np.maximum.at(priority, places[places >= 0], said[places >= 0])
        priority[priority < 0] = USUAL_PRIORITY
        return priority


def _without_keys(queue: Queue, keys: list[int]) -> Queue:
    is_left = np.isin(queue.keys, keys, invert=True)
    return Queue(queue.keys[is_left], queue.scores[is_left])


def _priority_number(priority: str) -> float:
    """Return a sitemap's priority as a number; the default unless it is between 0 and 1."""
    try:
        number = float(priority)
    except ValueError:
        return USUAL_PRIORITY
    return number if 0 <= number <= 1 else USUAL_PRIORITY


def _epoch_keys(epoch: Epoch | None) -> list[int]:
    return list(dict.fromkeys(key for part in epoch[1:] for key in part)) if epoch else []
