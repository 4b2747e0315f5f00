"""Coverage of a site by its own sitemaps, and the share of their URLs that is worth a visit.

Terms and formulas: Schonfeld and Shivakumar, "Sitemaps: Above and Beyond the Crawl of Duty", 2009
("the paper"), section 5.1.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.graph import NOWHERE, Ints, Mask, chain_ends
from sitemapgen.verdicts import Content, Verdict, verdicts_where

PAGES = verdicts_where(lambda row: row.content is Content.OWN)
COPIES = verdicts_where(lambda row: row.content is Content.COPY)
WASTED = verdicts_where(lambda row: row.waste is not None)
"""Verdicts of URLs that no sitemap should list."""


class NotSeen(NamedTuple):
    """Numbers of distinct URLs in a search engine that the crawl never saw, by state."""

    indexed: int = 0
    results: int = 0
    clicked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """States of the URLs of a site; all arrays have one element a URL, in URL order."""

    is_reached: Mask
    """Discovery: whether followed links lead here from the start URL."""
    in_sitemap: Mask
    """Sitemaps: whether the site's own sitemaps list it."""
    is_crawled: Mask
    """Whether it was fetched, whatever the response."""
    verdict: NDArray[np.int8]
    """``Verdict.code``; -1 without a verdict."""
    original: Ints
    """The node whose content a copy or near-duplicate has; -1 for none, or none of the site."""
    pagerank: NDArray[np.float64]
    is_indexed: Mask | None = None
    """Whether a search engine has it; None without data."""
    has_impressions: Mask | None = None
    has_clicks: Mask | None = None
    not_seen: NotSeen = NotSeen()  # noqa: RUF009 - it is immutable
    """Counts of URLs without a node: neither links nor the site's sitemaps lead to them."""

    @property
    def is_listed(self) -> Mask:
        """Whether its verdict is ``listed``."""
        return self.has(Verdict.LISTED)

    def has(self, *verdicts: Verdict) -> Mask:
        """Return which URLs have one of these verdicts."""
        return np.isin(self.verdict, [verdict.code for verdict in verdicts])


class Sets(NamedTuple):
    """Numbers of URLs in a state, by how they were discovered."""

    all: int
    discovery: int
    sitemaps: int
    both: int
    either: int


class Figure(NamedTuple):
    """A quotient, or the reason why there is none."""

    value: float | None
    part: float | None
    whole: float | None
    why: str | None = None


def figure(part: float, whole: float, nothing: str) -> Figure:
    """Divide, to four decimals; if ``whole`` is 0, ``nothing`` is the reason for no value.

    >>> figure(1, 3, "")
    Figure(value=0.3333, part=1, whole=3, why=None)
    """
    if not whole:
        return Figure(None, part, whole, nothing)
    return Figure(round(part / whole, 4), part, whole)


def share(part: float, whole: float) -> float | None:
    """Divide, to four decimals; None if ``whole`` is 0."""
    return round(part / whole, 4) if whole else None


def cluster_nodes(census: Census) -> Ints:
    """Return the node that represents each crawled page and its copies; -1 for other URLs."""
    is_page = census.is_crawled & census.has(*PAGES)
    step = np.where(census.original == np.arange(len(census.original)), NOWHERE, census.original)
    step[~(is_page | (census.is_crawled & census.has(*COPIES)))] = NOWHERE
    end = chain_ends(step)
    return np.where(is_page[end] & (step[end] == NOWHERE), end, NOWHERE)


def count_sets(mask: Mask, census: Census) -> Sets:
    """Count the URLs in a state."""
    links, sitemaps = mask & census.is_reached, mask & census.in_sitemap
    return _count_masks(mask, links, sitemaps)


def unique_sets(cluster: Ints, census: Census) -> Sets:
    """Count the clusters; one is in Discovery, or in Sitemaps, if any of its members is."""

    def met(members: Mask) -> Mask:
        flags = np.zeros(len(cluster), np.bool_)
        flags[cluster[members & (cluster != NOWHERE)]] = True
        return flags

    everywhere = np.ones(len(cluster), np.bool_)
    return _count_masks(met(everywhere), met(census.is_reached), met(census.in_sitemap))


def _count_masks(everywhere: Mask, links: Mask, sitemaps: Mask) -> Sets:
    masks = (everywhere, links, sitemaps, links & sitemaps, links | sitemaps)
    return Sets(*(int(np.count_nonzero(mask)) for mask in masks))


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """States of section 5.1.1, and the metrics computed from them."""

    seen: Sets
    crawled: Sets
    unique: Sets
    listed: Sets
    indexed: Sets
    results: Sets | None
    clicked: Sets | None
    coverage: Figure
    unique_coverage: Figure
    index_coverage: Figure
    pagerank_coverage: Figure
    signal_to_noise: dict[str, Figure]
    efficiency: dict[str, Figure]


def measure_coverage(census: Census, cluster: Ints, no_sitemap: str = "") -> Coverage:
    """Compute the metrics; ``no_sitemap`` is the reason if there are none for Sitemaps."""
    everything = np.ones(len(cluster), np.bool_)
    seen, crawled = count_sets(everything, census), count_sets(census.is_crawled, census)
    unique, listed = unique_sets(cluster, census), count_sets(census.is_listed, census)
    indexed = _count_known(census.is_indexed, census.not_seen.indexed, census) or listed

    def of_sitemaps(part: float, whole: float, nothing: str) -> Figure:
        if no_sitemap:
            return Figure(None, None, None, no_sitemap)
        return figure(part, whole, nothing)

    ranked = float(census.pagerank[census.in_sitemap].sum())
    unlisted = "the site's sitemaps list no URL of the site"
    uncrawled = "none of the URLs that the site's sitemaps list was fetched"
    return Coverage(
        seen=seen,
        crawled=crawled,
        unique=unique,
        listed=listed,
        indexed=indexed,
        results=_count_known(census.has_impressions, census.not_seen.results, census),
        clicked=_count_known(census.has_clicks, census.not_seen.clicked, census),
        coverage=of_sitemaps(crawled.sitemaps, crawled.all, "nothing was fetched"),
        unique_coverage=of_sitemaps(unique.sitemaps, unique.all, "no page was read"),
        index_coverage=of_sitemaps(indexed.sitemaps, indexed.all, "no URL is indexed"),
        pagerank_coverage=of_sitemaps(
            round(ranked, 6), round(float(census.pagerank.sum()), 6), "no URL was seen"
        ),
        signal_to_noise={
            "all": figure(unique.all, seen.all, "no URL was seen"),
            "discovery": figure(unique.discovery, seen.discovery, "links lead to no URL"),
            "sitemaps": of_sitemaps(unique.sitemaps, seen.sitemaps, unlisted),
        },
        efficiency={
            "discovery": figure(unique.discovery, crawled.discovery, "nothing was fetched"),
            "sitemaps": of_sitemaps(unique.sitemaps, crawled.sitemaps, uncrawled),
        },
    )


def measure_sections(
    census: Census, cluster: Ints, section: Ints, no_sitemap: str = ""
) -> Iterator[tuple[int, Coverage]]:
    """Yield the metrics of each section, the one with most URLs first; ``section`` is by node.

    A cluster counts in every section that has one of its members.
    """
    order = np.argsort(section, kind="stable")
    found, starts = np.unique(section[order], return_index=True)
    parts = zip(found.tolist(), np.split(order, starts[1:]))
    for number, nodes in sorted(parts, key=lambda part: -len(part[1])):
        columns = ((column.name, getattr(census, column.name)) for column in fields(census))
        here = {name: of[nodes] for name, of in columns if isinstance(of, np.ndarray)}
        own = replace(census, not_seen=NotSeen(), **here)
        _, local = np.unique(np.append(NOWHERE, cluster[nodes]), return_inverse=True)
        yield number, measure_coverage(own, local[1:] - 1, no_sitemap)


def _count_known(mask: Mask | None, not_seen: int, census: Census) -> Sets | None:
    """Count the URLs in a search engine; those that were not seen count only in ``all``."""
    if mask is None:
        return None
    seen = count_sets(mask, census)
    return seen._replace(all=seen.all + not_seen)


MISSING_TYPES = (
    *("errors", "redirects", "duplicates_extra_parameter", "duplicates_other"),
    *("traps", "noindex", "not_pages", "view", "missing_content", "other"),
)
"""Types in the paper's Table 2 that a crawl can determine, and further ones."""


def missing_types(census: Census, differs_in_query: Mask) -> NDArray[np.int8]:
    """Return the index in MISSING_TYPES of each crawled URL in no sitemap; -1 for others.

    ``differs_in_query``: whether a URL differs from that of its original only in the query.
    Source: the paper's Table 2.
    """
    is_copy = census.has(*COPIES) | (census.is_listed & (census.original != NOWHERE))
    names = [verdict.row.missing_type for verdict in Verdict]
    names.append("other")  # of -1: a verdict that is still open
    types = np.array([MISSING_TYPES.index(name) for name in names], np.int8)[census.verdict]
    is_copy &= ~census.has(Verdict.VIEW)
    types[is_copy] = MISSING_TYPES.index("duplicates_other")
    types[is_copy & differs_in_query] = MISSING_TYPES.index("duplicates_extra_parameter")
    types[~census.is_crawled | census.in_sitemap] = NOWHERE
    return types


def binary_exponents(values: NDArray[Any]) -> Ints:
    """Return the binary exponent of each number: 0 for 0, 1 for 1, 2 for 2 and 3.

    Below 1 it falls: 0 for 0.5, -1 for 0.3. It is exact, unlike logarithms.
    """
    powers: Ints = np.frexp(values)[1].astype(np.int64)
    return powers
