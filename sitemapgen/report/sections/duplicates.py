"""The sections ``duplicates`` and ``views``, about pages that repeat the content of others."""

from __future__ import annotations

from itertools import groupby, islice
from typing import Any

import numpy as np

from sitemapgen.analysis.coverage import share
from sitemapgen.analysis.graph import NOWHERE, Mask
from sitemapgen.report.dataset import EXAMPLES, Dataset, number_of
from sitemapgen.verdicts import Verdict

MEMBERS = 10
"""Maximum number of pages that are named in a group."""


def group_duplicates(dataset: Dataset) -> dict[str, Any]:
    """Return the groups of pages with the same content, and with nearly the same."""
    census = dataset.census
    repeats = (census.original != NOWHERE) & census.is_crawled
    same = repeats & dataset.is_exact & census.has(Verdict.LISTED, Verdict.DUPLICATE)
    near = repeats & ~dataset.is_exact & census.is_listed
    similarity = (
        {row.url: row.similarity for row in dataset.store.results.clusters()} if near.any() else {}
    )
    exact_groups, near_groups = _group_pages(dataset, same), _group_pages(dataset, near)
    for group in near_groups["examples"]:
        group["members"] = [
            {"url": url, "similarity": similarity.get(url)} for url in group["members"]
        ]
    return {"exact": exact_groups, "near": near_groups}


def _group_pages(dataset: Dataset, members: Mask) -> dict[str, Any]:
    """Group pages by their original; the largest groups are examples."""
    original = dataset.census.original
    nodes = np.flatnonzero(members)
    counts = np.bincount(original[nodes], minlength=len(original))
    largest = np.flatnonzero(counts)
    largest = largest[np.lexsort((largest, -counts[largest]))][:EXAMPLES]
    is_largest = np.zeros(len(original), np.bool_)
    is_largest[largest] = True
    shown = nodes[is_largest[original[nodes]]]
    shown = shown[np.argsort(original[shown], kind="stable")]
    first = {
        group: dataset.urls(np.array(list(found)[:MEMBERS]))
        for group, found in groupby(shown.tolist(), key=lambda node: int(original[node]))
    }
    return {
        "groups": number_of(counts > 0),
        "count": len(nodes),
        "examples": [
            {"url": url, "count": int(counts[node]), "members": first[node]}
            for node, url in zip(largest.tolist(), dataset.urls(largest))
        ],
    }


def count_views(dataset: Dataset) -> dict[str, Any]:
    """Return the views: how many are listed and left out, and examples."""
    is_listed = dataset.census.is_listed
    listed = number_of(is_listed[dataset.views])
    return {
        "count": len(dataset.views),
        "listed": listed,
        "left_out": len(dataset.views) - listed,
        "share": share(listed, number_of(is_listed)),
        "in_sitemap": number_of(dataset.census.in_sitemap[dataset.views]),
        "examples": [
            {"url": row.url, "parts": row.pages, "example": row.example}
            for row in islice(dataset.store.results.views(), EXAMPLES)
        ],
    }
