"""The section ``histograms``."""

from __future__ import annotations

from typing import Any

import numpy as np

from sitemapgen.analysis.coverage import binary_exponents
from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.report.dataset import Dataset

DEEP = 5
"""Clicks from the start page beyond which a page is deep."""


def count_distributions(dataset: Dataset) -> dict[str, Any]:
    """Count the crawled URLs by depth, in-degree, PageRank and status."""
    census, in_degree = dataset.census, dataset.measures.in_degree
    is_ranked = census.is_crawled & (census.pagerank > 0)
    of_the_mean = census.pagerank * np.count_nonzero(census.pagerank)
    return {
        "depth": _depth_rows(dataset),
        "in_degree": [
            {"from": (1 << power) >> 1, "to": (1 << power) - 1, **counts}
            for power, counts in _count_by_power(
                dataset, binary_exponents(in_degree), census.is_crawled
            )
        ],
        "pagerank": [
            {"from": 2.0 ** (power - 1), "to": 2.0**power, **counts}
            for power, counts in _count_by_power(dataset, binary_exponents(of_the_mean), is_ranked)
        ],
        "status": [
            {"status": status, "count": count}
            for status, count in dataset.store.results.count_statuses().items()
        ],
    }


def count_deep(dataset: Dataset) -> dict[str, Any]:
    """Count the listed pages that are more than ``DEEP`` clicks from the start page."""
    measures, listed = dataset.measures, dataset.census.is_listed
    mask = listed & measures.is_reached & (measures.depth > DEEP)
    return {"limit": DEEP, **dataset.part(mask, listed, "url", "depth")}


def _depth_rows(dataset: Dataset) -> list[dict[str, Any]]:
    census, measures = dataset.census, dataset.measures
    depth = measures.depth
    is_listed = census.is_listed
    columns = {"listed": is_listed, "left_out": ~is_listed, "in_sitemap": census.in_sitemap}
    here = census.is_crawled & measures.is_reached
    counts = {name: _count_numbers(depth, here & mask) for name, mask in columns.items()}
    return [
        {"depth": level, **{name: number.get(level, 0) for name, number in counts.items()}}
        for level in sorted(counts["listed"] | counts["left_out"])
    ]


def _count_by_power(dataset: Dataset, powers: Ints, mask: Mask) -> list[tuple[int, dict[str, int]]]:
    urls = _count_numbers(powers, mask)
    in_sitemap = _count_numbers(powers, mask & dataset.census.in_sitemap)
    return [
        (power, {"urls": urls[power], "in_sitemap": in_sitemap.get(power, 0)})
        for power in sorted(urls)
    ]


def _count_numbers(numbers: Ints, mask: Mask) -> dict[int, int]:
    """Return number -> how often it occurs."""
    found = numbers[mask]
    if not len(found):
        return {}
    least = int(found.min())
    counts = np.bincount(found - least).tolist()
    return {least + place: count for place, count in enumerate(counts) if count}
