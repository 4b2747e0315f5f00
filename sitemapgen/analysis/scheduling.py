"""Balance between the next pages from sitemaps and from links (Algorithm 6.1).

Algorithm 6.1 of Schonfeld and Shivakumar, "Sitemaps: Above and Beyond the Crawl of Duty", 2009
("the paper"), section 6.3.1, line by line: two queues, each in the order of its own score; the
utility of the lowest-ranked pages of each moves the balance between them. Additions to the paper:
``LEAST`` and ``SAMPLE``.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.freshness.rates import Floats
from sitemapgen.analysis.graph import Ints

EPOCHS = 100
"""Epochs of a run: with a phi of 0.4, less than 2 % of its pages are wasted, if it has 200 or
more."""
LEAST = 0.25
"""Minimum delta, as a share of phi times the quota. With line 21 alone, delta would shrink with
the smaller share, and a queue that was the better one for half of a run would not be left within
the other half, however bad its remaining pages."""
SAMPLE = 20
"""Minimum pages over which the share that became ``listed`` is measured: if delta is smaller, pages
before it in rank and in previous epochs count as well, so that single pages decide nothing."""


PHI = 0.4
"""Speed of the balance of ``strategy=balanced``, above 0 and up to 1."""


class Choice(NamedTuple):
    """Criteria by which a crawl chooses its pages."""

    strategy: str
    max_depth: int
    with_copies: bool = False
    """Whether duplicates of a page are listed beside it."""


class Balance(NamedTuple):
    """State that one epoch leaves to the next, and one run to the next."""

    quota: int
    """N_crawl: pages of an epoch."""
    sitemaps: float
    """k_S: the share of these pages for the queue of the sitemaps."""
    delta: float
    sitemaps_utility: float = 0.0
    discovery_utility: float = 0.0
    sitemaps_recent: str = ""
    """Results of the last ``SAMPLE`` pages of this queue, lowest rank last: ``1`` listed, ``0``
    not."""
    discovery_recent: str = ""
    due: float = 0.0
    """Pages that the sitemaps have lost so far because k_S is rounded down; less than 1."""

    @property
    def discovery(self) -> float:
        """k_D: the share for the queue of discovery."""
        return self.quota - self.sitemaps


class Queue(NamedTuple):
    """URLs that were seen and not crawled; one element a URL. Of equal scores the first counts."""

    keys: Ints
    scores: Floats
    """SitemapScore (PriorityRank) or DiscoveryScore (``discovery_scores``)."""


class Epoch(NamedTuple):
    """Next pages to crawl; each list is in order of score. A URL may be in the first two lists."""

    balance: Balance
    sitemaps: list[int]
    """Keys of topK_S."""
    discovery: list[int]
    """Keys of topK_D."""
    additional: list[int]
    """Keys of further pages within the quota, in neither of the other lists."""


def discovery_scores(distances: Ints, in_degrees: Ints) -> Floats:
    """Return DiscoveryScore: by distance to the start page, then by the number of linking pages.

    PageRank over the known part of a site would favour the targets of deep pages with few links.
    """
    scores: Floats = in_degrees / (in_degrees.max(initial=0) + 1) - distances
    return scores


def visits_again(again: int, new: int, quota: int) -> int:
    """Return how many of the next ``quota`` pages are visited again, so that half of all are.

    ``again`` and ``new`` are the pages planned so far: visited again, and never fetched.
    """
    return min(max((again + new + quota) // 2 - again, 0), quota)


def epoch_quota(pages: int) -> int:
    """Return the pages of one epoch in a run of at most ``pages`` pages."""
    return max(pages // EPOCHS, 2)


def equal_balance(quota: int, phi: float) -> Balance:
    """Start with equal shares (lines 1 to 4)."""
    return Balance(quota=quota, sitemaps=quota / 2, delta=phi * quota / 2)


def resume_balance(balance: Balance, quota: int) -> Balance:
    """Carry a balance over to epochs of another size."""
    scale = quota / balance.quota
    return balance._replace(
        quota=quota, sitemaps=balance.sitemaps * scale, delta=balance.delta * scale
    )


def plan_epoch(balance: Balance, sitemaps: Queue, discovery: Queue) -> Epoch:
    """Move the balance by the results of the last epoch, and take the best of both queues.

    Lines 6 to 18. The shares are whole pages whose sum over the epochs is that of k_S and k_D.
    Places that are free because both queues have the same page, or a queue is too short, go to the
    next best pages, first of the queue with the higher utility; of equal ones the sitemaps have it.
    The balance stays while a queue is empty.
    """
    is_one_empty = not len(sitemaps.keys) or not len(discovery.keys)
    moved = 0.0 if is_one_empty else balance.delta
    is_discovery_better = balance.sitemaps_utility < balance.discovery_utility
    k_sitemaps = balance.sitemaps + (-moved if is_discovery_better else moved)
    k_sitemaps = min(max(k_sitemaps, 0.0), float(balance.quota))
    exact = k_sitemaps + balance.due
    count = min(max(int(exact), 0), balance.quota)
    due = balance.due if is_one_empty else exact - count
    balance = balance._replace(sitemaps=k_sitemaps, due=due)

    of_sitemaps = _best_keys(sitemaps, balance.quota)
    of_discovery = _best_keys(discovery, balance.quota)
    top_sitemaps = of_sitemaps[:count]
    top_discovery = of_discovery[: balance.quota - count]
    chosen = {*top_sitemaps, *top_discovery}
    rest = (of_discovery, of_sitemaps) if is_discovery_better else (of_sitemaps, of_discovery)
    more = dict.fromkeys(key for queue in rest for key in queue if key not in chosen)
    additional = list(more)[: balance.quota - len(chosen)]
    return Epoch(balance, top_sitemaps, top_discovery, additional)


def learn_balance(epoch: Epoch, listed: AbstractSet[int], phi: float) -> Balance:
    """Measure the utility of both queues and set the next delta (lines 19 to 21).

    ``listed`` are the keys of the epoch's URLs that became ``listed``. The order of responses does
    not matter: the sample is taken by rank.
    """
    balance = epoch.balance
    sitemaps = balance.sitemaps_recent + _outcomes(epoch.sitemaps, listed)
    discovery = balance.discovery_recent + _outcomes(epoch.discovery, listed)
    return balance._replace(
        delta=phi * max(min(balance.sitemaps, balance.discovery), LEAST * balance.quota),
        sitemaps_utility=_utility(sitemaps, balance.delta),
        discovery_utility=_utility(discovery, balance.delta),
        sitemaps_recent=sitemaps[-SAMPLE:],
        discovery_recent=discovery[-SAMPLE:],
    )


def _best_keys(queue: Queue, count: int) -> list[int]:
    """Return the keys with the highest scores; of equal ones the first."""
    order = np.argsort(-queue.scores, kind="stable")[:count]
    best: list[int] = queue.keys[order].tolist()
    return best


def _outcomes(keys: list[int], listed: AbstractSet[int]) -> str:
    return "".join("1" if key in listed else "0" for key in keys)


def _utility(outcomes: str, delta: float) -> float:
    """Return the share of the lowest-ranked pages, delta or ``SAMPLE``, that became listed."""
    sample = outcomes[-max(round(delta), SAMPLE) :]
    return sample.count("1") / len(sample) if sample else 0.0
