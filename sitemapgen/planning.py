"""Which URLs are fetched next, when that is not for the order of discovery to say?

Epoch by epoch, each planned when nothing is in flight, so that what is chosen depends on what was
visited and not on the order of answers. The rules: ``analysis/scheduling.py``. What becomes a
candidate once links lead nowhere new: ``phases.py``.
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.analysis import scheduling
from sitemapgen.analysis.ranking import pagerank, priorityrank
from sitemapgen.analysis.scheduling import Balance, Epoch, Queue
from sitemapgen.phases import next_phase

if TYPE_CHECKING:
    from sitemapgen.analysis.graph import Floats, Ints, LinkGraph
    from sitemapgen.store import Claim, Store

logger = logging.getLogger(__name__)

GROWTH = 0.1
"""Ranks hold until so many pages more were recorded, as a share. What all computations take is then
some ten times what the last one does, however large the site is."""
USUAL_PRIORITY = 0.5
"""sitemaps.org, of URLs without one."""
SCORES = ("priorityrank", "priority", "pagerank")
"""What the queue of the sitemaps may be sorted by: the paper, section 6.3.1."""


class Choice(NamedTuple):
    """By what a crawl chooses."""

    max_pages: int
    """0: no limit."""
    score: str = SCORES[0]
    """One of ``SCORES``."""
    with_copies: bool = False
    """Whether a page that says the same as another one is listed beside it."""


class Planner:
    """Hands out the URLs of an epoch, and plans the next one when all of them have answered.

    What it decided is kept in the store: an interrupted epoch is continued, and the balance is that
    of the last run.
    """

    def __init__(self, store: Store, choice: Choice, max_depth: int) -> None:
        self._store = store
        self._max_depth = max_depth
        self._choice = choice
        self._ranked = _Ranked(store, choice.score)
        plan, is_current = store.plan()
        self._balance = Balance(*plan["balance"]) if plan else None
        self._epoch: Epoch | None = None
        if self._balance and is_current and plan["epoch"]:
            self._epoch = Epoch(self._balance, *plan["epoch"])
        self._waiting: list[int] = _keys(self._epoch)

    def claim(self, count: int) -> list[Claim]:
        """Take up to so many URLs into flight; none while an epoch has yet to be answered."""
        if not self._waiting:
            if self._store.in_flight():
                return []
            self._begin_epoch()
        claims: list[Claim] = []
        while self._waiting and not claims:  # those of a continued epoch may be done
            some, self._waiting = self._waiting[:count], self._waiting[count:]
            claims = self._store.claim_these(some)
        return claims

    def claim_start(self, count: int) -> list[Claim]:
        """Take the start URL into flight, and nothing that is found from there."""
        found = self._store.candidates()
        return self._store.claim_these(found.keys[found.is_start][:count].tolist())

    def learn(self) -> None:
        """Take into account what the URLs of the last epoch turned out to be worth."""
        if self._epoch is None:
            return
        worth = self._store.outcomes(
            [*self._epoch.sitemaps, *self._epoch.discovery], with_copies=self._choice.with_copies
        )
        done = self._epoch._replace(
            sitemaps=[key for key in self._epoch.sitemaps if key in worth],
            discovery=[key for key in self._epoch.discovery if key in worth],
        )
        if done.sitemaps or done.discovery:
            listed = {key for key, is_listed in worth.items() if is_listed}
            self._balance = scheduling.learn(done, listed)
            logger.debug("Learned: %(balance)s", {"balance": self._balance})
        self._epoch = None
        self._keep()

    def _begin_epoch(self) -> None:
        self.learn()
        quota = self._quota()
        sitemaps, discovery = self._ranked.queues(quota)
        while len(discovery.keys) < quota and next_phase(self._store, self._max_depth):
            self._ranked.forget()
            sitemaps, discovery = self._ranked.queues(quota)
        if not len(sitemaps.keys) and not len(discovery.keys):
            return
        balance = self._balance
        if balance is None:
            balance = scheduling.begin(quota)
        elif balance.quota != quota:
            balance = scheduling.resume(balance, quota)
        epoch = scheduling.plan(balance, sitemaps, discovery)
        if not len(sitemaps.keys) or not len(discovery.keys):  # nothing to balance
            still = epoch.balance._replace(sitemaps=balance.sitemaps, due=balance.due)
            epoch = epoch._replace(balance=still)
        self._epoch, self._waiting = epoch, _keys(epoch)
        self._ranked.take(self._waiting)
        self._keep()

    def _quota(self) -> int:
        """The pages of the next epoch; without a limit, of those that are known."""
        limit = self._choice.max_pages
        if not limit:
            return scheduling.epoch_quota(self._store.known())
        return min(scheduling.epoch_quota(limit), limit - self._store.fetched())

    def _keep(self) -> None:
        balance = self._epoch.balance if self._epoch else self._balance
        if balance is not None:
            self._store.keep_plan({"balance": balance, "epoch": self._epoch and self._epoch[1:]})


class _Ranked:
    """The candidates with their scores, as they were when these were last computed."""

    def __init__(self, store: Store, score: str) -> None:
        self._store = store
        self._score = score
        self._at = self._until = -1
        self._sitemaps = self._discovery = Queue(np.zeros(0, np.int64), np.zeros(0))
        self._priorities: tuple[Ints, Floats] | None = None

    def queues(self, quota: int) -> tuple[Queue, Queue]:
        """The queues of the sitemaps and of Discovery."""
        recorded = self._store.recorded()
        is_short = len(self._discovery.keys) < quota  # all of the sitemaps' are known
        if recorded >= self._until or (is_short and recorded > self._at):
            self._compute()
        return self._sitemaps, self._discovery

    def forget(self) -> None:
        """There are other candidates than before."""
        self._until = 0

    def take(self, keys: list[int]) -> None:
        """Take these out of the queues."""
        self._sitemaps = _without(self._sitemaps, keys)
        self._discovery = _without(self._discovery, keys)

    def _compute(self) -> None:
        found, graph = self._store.candidates(), self._store.graph()
        places = graph.find(found.keys)
        ranks = pagerank(graph)[places]
        if self._score == "pagerank":
            scores = np.where(found.is_linked, ranks, 0.0)
        elif self._score == "priority":
            scores = self._priority(graph)[places]
        else:
            scores = priorityrank(graph, self._priority(graph))[places]
        in_sitemap, is_linked = found.in_sitemap, found.is_linked
        self._sitemaps = Queue(found.keys[in_sitemap], scores[in_sitemap])
        self._discovery = Queue(found.keys[is_linked], ranks[is_linked])
        self._at = self._store.recorded()
        fetched = int(np.count_nonzero(graph.nodes.is_fetched))
        self._until = self._at + math.ceil(fetched * GROWTH)

    def _priority(self, graph: LinkGraph) -> Floats:
        """Of each node; where several entries say something, the highest."""
        if self._priorities is None:  # the sitemaps are read before anything is planned
            rows = [(key, _number(text)) for key, text in self._store.sitemap_priorities()]
            table = np.array(rows, dtype=[("key", np.int64), ("priority", np.float64)])
            self._priorities = table["key"], table["priority"]
        keys, said = self._priorities
        places = graph.find(keys)
        priority = np.full(len(graph.nodes.keys), -1.0)
        np.maximum.at(priority, places[places >= 0], said[places >= 0])
        priority[priority < 0] = USUAL_PRIORITY
        return priority


def _without(queue: Queue, keys: list[int]) -> Queue:
    is_left = np.isin(queue.keys, keys, invert=True)
    return Queue(queue.keys[is_left], queue.scores[is_left])


def _number(priority: str) -> float:
    """What a sitemap says, if it is between 0 and 1 as it should be."""
    try:
        number = float(priority)
    except ValueError:
        return USUAL_PRIORITY
    return number if 0 <= number <= 1 else USUAL_PRIORITY


def _keys(epoch: Epoch | None) -> list[int]:
    return list(dict.fromkeys(key for part in epoch[1:] for key in part)) if epoch else []
