"""What is fetched once links lead nowhere new: the order of a crawl's phases.

Ordinary links, breadth first; pages that are read again with the browser; release by release, URLs
whose form is suspicious; then what only sitemaps name, and what is found from there. Each step is
taken when nothing is in flight, so that what it finds does not depend on the order of answers.
"""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING

from sitemapgen.analysis.traps import balance, useful

if TYPE_CHECKING:
    from sitemapgen.analysis.traps import Ledger
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)


def next_phase(store: Store, max_depth: int) -> int:
    """Let further URLs into the frontier; how many.

    Source of the phases: the seed "Crawl Engine".
    """
    return (
        _readmit(store, max_depth)
        or _recall_unrendered(store)
        or _recall_doubted(store)
        or _release_suspects(store)
        or _release_sitemaps(store, max_depth)
    )


def admit_known(store: Store, max_depth: int) -> int:
    """Let in what may have been read by the run before, whatever else still waits; how many."""
    released = _release_sitemaps(store, max_depth)
    if not released and not store.suspects.are_pending():
        released = _release_suspects(store)
    return released


def _readmit(store: Store, max_depth: int) -> int:
    """Let in what depth or hops kept out wrongly, when a longer path was found first."""
    if not store.frontier.is_anything_held_back():
        return 0
    _measure(store, max_depth)
    return store.frontier.readmit()


def _recall_unrendered(store: Store) -> int:
    """Read pages again with the browser: samples, and kinds that turned out to need it."""
    recalled = store.frontier.recall_unrendered()
    if recalled:
        logger.debug("%(count)d pages are read again, with the browser", {"count": recalled})
    return recalled


def _recall_doubted(store: Store) -> int:
    """Read pages of which the server and its sitemap say different things."""
    recalled = store.frontier.recall_doubted()
    if recalled:
        logger.debug("%(count)d pages are read to see whether they changed", {"count": recalled})
    return recalled


def _release_sitemaps(store: Store, max_depth: int) -> int:
    if not store.frontier.do_sitemaps_wait():
        return 0
    _measure(store, max_depth)  # their depth depends on the deepest page
    released = store.frontier.release_sitemaps()
    logger.info("Links lead nowhere new; %(count)d URLs only sitemaps name", {"count": released})
    return released


def _measure(store: Store, max_depth: int) -> None:
    graph = store.graph()
    store.conclusions.apply(graph.measure(max_depth), graph)


def _release_suspects(store: Store) -> int:
    """Release as much of each suspicious pattern as the pages before were worth."""
    fruitless = store.suspects.fruitless()
    waiting: dict[str, list[Ledger]] = {}
    for ledger in store.suspects.waiting():
        waiting.setdefault(ledger.family, []).append(ledger)
    balanced = []
    for family, ledgers in waiting.items():
        pages = store.suspects.pages(family)
        news = Counter(page.pattern for page, is_new in zip(pages, useful(pages)) if is_new)
        balanced += [balance(ledger, news[ledger.pattern], fruitless[family]) for ledger in ledgers]
    return store.suspects.release(balanced)
