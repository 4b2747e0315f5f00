"""Algorithm 6.1: how many of the next pages come from sitemaps and how many from links.

Algorithm 6.1 of the paper "Sitemaps: Above and Beyond the Crawl of Duty", section 6.3.1, line by
line: two queues, each in the order of its own score; what the lowest-ranked pages of each were
worth moves the balance between them. What is not in the paper: ``LEAST``, ``SAMPLE``, and that
equal utilities move nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sitemapgen.analysis.freshness.rates import Floats
    from sitemapgen.analysis.graph import Ints

PHI = 0.4
"""How fast the balance moves. By the paper 0.1 is slow, and evaluation decides: where one queue is
worth nothing, some (quota of an epoch) / (2 phi) pages are lost on it before that is acted upon."""
EPOCHS = 100
"""Of a run: with ``PHI`` that loss is below 2 % of its pages, if it has 200 or more."""
LEAST = 0.25
"""Delta is that of line 21 or ``PHI`` times so much of the quota, whichever is more, and shares
stay between nothing and all. Without it delta shrinks with the smaller share, and a queue that was
the better one for half a run is not left within the other half, however bad what is left of it."""
SAMPLE = 20
"""The share that became ``listed`` is taken of no fewer pages than these: where delta is smaller,
those before it in rank and in earlier epochs count as well: a page or two decide nothing."""


SCORES = ("priorityrank", "priority", "pagerank")
"""What the queue of the sitemaps may be sorted by: the paper, section 6.3.1."""


class Choice(NamedTuple):
    """By what a crawl chooses."""

    strategy: str
    max_depth: int
    score: str = SCORES[0]
    """One of ``SCORES``."""
    with_copies: bool = False
    """Whether a page that says the same as another one is listed beside it."""


class Balance(NamedTuple):
    """What one epoch leaves to the next, and one run to the next."""

    quota: int
    """N_crawl: pages an epoch."""
    sitemaps: float
    """k_S: how many of them the queue of the sitemaps gets."""
    delta: float
    sitemaps_utility: float = 0.0
    discovery_utility: float = 0.0
    sitemaps_recent: str = ""
    """Of the last ``SAMPLE`` pages of this queue: ``1`` listed, ``0`` not; lowest rank last."""
    discovery_recent: str = ""
    due: float = 0.0
    """What rounding k_S down has kept from the sitemaps so far: less than a page."""

    @property
    def discovery(self) -> float:
        """k_D."""
        return self.quota - self.sitemaps


class Queue(NamedTuple):
    """URLs that were seen and not crawled; one element a URL. Of equal scores the first counts."""

    keys: Ints
    scores: Floats
    """SitemapScore (priority, PageRank or PriorityRank) or DiscoveryScore: ``discovery_scores``."""


class Epoch(NamedTuple):
    """What is crawled next; each list the best first. A URL may stand in two of them."""

    balance: Balance
    sitemaps: list[int]
    """Keys: topK_S."""
    discovery: list[int]
    """Keys: topK_D."""
    additional: list[int]
    """Keys: what else the quota permits, in neither of the other two."""


def discovery_scores(distances: Ints, in_degrees: Ints) -> Floats:
    """DiscoveryScore: the nearest to the start page first, of these what most pages link to.

    PageRank over the part of a site that is known favours what the few links of a page deep down
    lead to, whatever that is.
    """
    scores: Floats = in_degrees / (in_degrees.max(initial=0) + 1) - distances
    return scores


def visits_again(again: int, new: int, quota: int) -> int:
    """How many of the next pages of a refresh are visited again, so that half of all are.

    ``again`` and ``new`` were planned before: pages visited again, and pages never fetched.
    """
    return min(max((again + new + quota) // 2 - again, 0), quota)


def epoch_quota(pages: int) -> int:
    """Divide a run of so many pages at most into epochs: the pages of one."""
    return max(pages // EPOCHS, 2)


def begin(quota: int, phi: float = PHI) -> Balance:
    """Start with equal shares (lines 1 to 4)."""
    return Balance(quota=quota, sitemaps=quota / 2, delta=phi * quota / 2)


def resume(balance: Balance, quota: int) -> Balance:
    """Carry a balance over to epochs of another size."""
    scale = quota / balance.quota
    return balance._replace(
        quota=quota, sitemaps=balance.sitemaps * scale, delta=balance.delta * scale
    )


def plan(balance: Balance, sitemaps: Queue, discovery: Queue) -> Epoch:
    """Move the balance by what the last epoch has shown and take the best of both queues.

    Lines 6 to 18. The shares are whole pages whose sum over the epochs is that of k_S and k_D.
    What both queues put forward, and what a queue lacks, goes to the next best: of the queue with
    the higher utility first. While a queue is empty there is nothing to balance, and it rests.
    """
    is_one_empty = not len(sitemaps.keys) or not len(discovery.keys)
    is_equal = balance.sitemaps_utility == balance.discovery_utility  # as before the first epoch
    moved = 0.0 if is_one_empty or is_equal else balance.delta
    is_discovery_better = balance.sitemaps_utility < balance.discovery_utility
    k_sitemaps = balance.sitemaps + (-moved if is_discovery_better else moved)
    k_sitemaps = min(max(k_sitemaps, 0.0), float(balance.quota))
    wanted = k_sitemaps + balance.due
    count = min(max(int(wanted), 0), balance.quota)
    due = balance.due if is_one_empty else wanted - count
    balance = balance._replace(sitemaps=k_sitemaps, due=due)

    of_sitemaps = _best(sitemaps, balance.quota)
    of_discovery = _best(discovery, balance.quota)
    top_sitemaps = of_sitemaps[:count]
    top_discovery = of_discovery[: balance.quota - count]
    chosen = {*top_sitemaps, *top_discovery}
    rest = (of_discovery, of_sitemaps) if is_discovery_better else (of_sitemaps, of_discovery)
    more = dict.fromkeys(key for queue in rest for key in queue if key not in chosen)
    additional = list(more)[: balance.quota - len(chosen)]
    return Epoch(balance, top_sitemaps, top_discovery, additional)


def learn(epoch: Epoch, listed: AbstractSet[int], phi: float = PHI) -> Balance:
    """Measure the utility of both queues and set the next delta (lines 19 to 21).

    ``listed`` holds the keys of those of the epoch's URLs that became ``listed``. The order in
    which they were answered does not matter: the sample is taken by rank.
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


def _best(queue: Queue, count: int) -> list[int]:
    """The keys with the highest scores; of equal ones the first."""
    order = np.argsort(-queue.scores, kind="stable")[:count]
    best: list[int] = queue.keys[order].tolist()
    return best


def _outcomes(keys: list[int], listed: AbstractSet[int]) -> str:
    return "".join("1" if key in listed else "0" for key in keys)


def _utility(outcomes: str, delta: float) -> float:
    """The share that became listed of the lowest-ranked delta pages."""
    sample = outcomes[-max(round(delta), SAMPLE) :]
    return sample.count("1") / len(sample) if sample else 0.0
