"""Sites of which a quota reaches only a part, crawled in several orders, page by page in memory."""

from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.scheduling import (
    Balance,
    Queue,
    discovery_scores,
    equal_balance,
    learn_balance,
    plan_epoch,
    resume_balance,
)

Listed = list[bool]
"""Of each page fetched, in order, whether it became ``listed``."""


class Site(NamedTuple):
    """Pages are numbers in URL order; 0 is the start page."""

    is_good: np.ndarray
    links: list[list[int]]
    in_sitemap: np.ndarray
    priority: np.ndarray


def mixed(
    rng: np.random.Generator,
    *,
    pages: int = 3000,
    good_by_links: float,
    good_in_sitemap: float,
    linked: float = 0.5,
) -> Site:
    """A site with ``linked`` of its pages reached by links, the others by the sitemap alone.

    ``good_...`` are the shares of good ones among both: the nearer to the start page, and the
    higher the priority, the better, as on real sites.
    """
    by_links = int(pages * linked)
    depth = np.floor(np.log(np.arange(by_links) * 7 + 1) / np.log(8) + 1e-9)
    entries = rng.permutation(pages - by_links) / max(pages - by_links - 1, 1)
    worse = np.concatenate([depth / depth.max(), entries])  # 0: the best of its kind
    mean = np.where(np.arange(pages) < by_links, good_by_links, good_in_sitemap)
    slope = np.minimum(mean, 1 - mean)
    is_good = rng.random(pages) < mean + slope * (1 - 2 * worse)
    is_good[0] = True
    links: list[list[int]] = [[] for _ in range(pages)]
    for page in range(1, by_links):
        # Every page has its parent, and some links from anywhere above it: good ones have more.
        links[(page - 1) // 8].append(page)
        for _ in range(3 if is_good[page] else 1):
            links[int(rng.integers(0, page))].append(page)
    in_sitemap = np.arange(pages) >= by_links
    priority = np.where(in_sitemap, np.round(1 - worse, 1), 0.0)
    return Site(is_good, links, in_sitemap, priority)


def breadth_first(site: Site, quota: int) -> Listed:
    """Links first; what only the sitemap names after them."""
    return _first_come(site, [0], np.flatnonzero(site.in_sitemap).tolist(), quota)


def seeded(site: Site, quota: int) -> Listed:
    """The sitemap with the start page, in its own order; then links."""
    return _first_come(site, [0, *np.flatnonzero(site.in_sitemap).tolist()], [], quota)


def _first_come(site: Site, first: list[int], later: list[int], quota: int) -> Listed:
    queue = list(dict.fromkeys(first))
    known = set(queue)
    fetched: Listed = []
    for page in queue:
        if len(fetched) == quota:
            break
        fetched.append(bool(site.is_good[page]))
        new = [target for target in site.links[page] if target not in known]
        queue += dict.fromkeys(new)
        known.update(new)
        if len(fetched) == len(queue):
            queue += [entry for entry in later if entry not in known]
            known.update(later)
    return fetched


def best_possible(site: Site, quota: int) -> Listed:
    """An order that knows the site fetches what is good and nothing else."""
    good = int(np.count_nonzero(site.is_good))
    return [True] * min(good, quota) + [False] * max(quota - good, 0)


def balanced(
    site: Site, quota: int, *, epoch: int, phi: float, balance: Balance | None = None
) -> tuple[Listed, Balance]:
    """Algorithm 6.1 in epochs of so many pages, after the start page."""
    balance = resume_balance(balance, epoch) if balance else equal_balance(epoch, phi)
    crawled = {0}
    fetched: Listed = [True]
    edges = [(0, target) for target in site.links[0]]
    while len(fetched) < quota:
        sources, targets = np.array(edges, np.int64).reshape(-1, 2).T
        seen = {int(target) for target in targets} - crawled
        linked = np.array(sorted(seen), np.int64)
        entries = np.array([n for n in np.flatnonzero(site.in_sitemap) if n not in crawled])
        entries = entries.astype(np.int64)
        if not len(linked) and not len(entries):
            break
        now = plan_epoch(
            balance,
            Queue(entries, site.priority[entries]),
            Queue(linked, _discovery_scores(sources, targets, len(site.links))[linked]),
        )
        pages = list(dict.fromkeys([*now.sitemaps, *now.discovery, *now.additional]))
        pages = pages[: quota - len(fetched)]
        for page in pages:
            fetched.append(bool(site.is_good[page]))
            edges += [(page, target) for target in site.links[page]]
        crawled.update(pages)
        balance = learn_balance(now, {page for page in pages if site.is_good[page]}, phi)
    return fetched, balance


def _discovery_scores(sources: np.ndarray, targets: np.ndarray, size: int) -> np.ndarray:
    """Of all pages; what no link leads to is far away."""
    distance = np.full(size, size)
    distance[0] = 0
    while (nearer := distance[sources] + 1 < distance[targets]).any():
        np.minimum.at(distance, targets[nearer], distance[sources[nearer]] + 1)
    return discovery_scores(distance, np.bincount(targets, minlength=size))
