"""What the metrics of the link graph cost: time and memory by the number of pages.

    python -m tests.benchmarks metrics.metrics 1000000

Measured: ``links``, ``seconds`` (CPU, in all
and by step), ``peak_mb`` (of the whole process, in all and by step) and ``iterations`` of PageRank.
The site has 20 links a page: ten that all pages share, neighbours, children, and some anywhere; of
25 pages one is a redirect and one an error. Its links come in the order of their keys, as a store
has them.
"""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np

from sitemapgen.analysis import ranking
from sitemapgen.analysis.graph import Ints, LinkGraph, Nodes
from sitemapgen.verdicts import Verdict
from tests.benchmarks.concluding import Meter

BATCH = 10_000


def keys_of(numbers: Ints) -> Ints:
    """Keys like those of URLs: distinct, and in no order (the mixing of SplitMix64)."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    keys: Ints = (mixed ^ (mixed >> np.uint64(31))).view(np.int64)
    return keys


def nodes(pages: int) -> Nodes:
    numbers = np.arange(pages)
    verdict = np.full(pages, Verdict.LISTED.code, np.int8)
    verdict[numbers % 25 == 7] = Verdict.REDIRECT.code
    verdict[numbers % 25 == 11] = Verdict.HTTP_ERROR.code
    return Nodes(
        keys=keys_of(numbers),
        is_start=numbers == 0,
        in_sitemap=numbers % 2 == 0,
        is_named=numbers % 2 == 0,
        is_fetched=np.ones(pages, np.bool_),
        is_redirect=verdict == Verdict.REDIRECT.code,
        verdict=verdict,
        length=np.full(pages, 60, np.int32),
        is_endless=np.zeros(pages, np.bool_),
        parameters=np.zeros(pages, np.int16),
    )


def rows(site: Nodes) -> Iterator[tuple[int, bytes]]:
    """The links of each page that has any, as a store has them."""
    pages = len(site.keys)
    order = np.argsort(site.keys)
    order = order[site.verdict[order] != Verdict.HTTP_ERROR.code]
    for first in range(0, len(order), BATCH):
        numbers = order[first : first + BATCH]
        shared = np.broadcast_to(np.arange(10), (len(numbers), 10))
        steps = np.array([1, 2, 3, 4])
        children, anywhere = numbers[:, None] * 3 + steps[:3], numbers[:, None] * 7919 + 104_729
        near = numbers[:, None] + steps
        targets = np.hstack([near, children, shared, anywhere * steps[:3]]) % pages
        packed = site.keys[targets]
        for number, row in zip(numbers.tolist(), packed):
            yield int(site.keys[number]), (row[:1] if site.is_redirect[number] else row).tobytes()


def metrics(pages: int) -> dict[str, Any]:
    """Compute them all, once, in this process."""
    meter, sent = Meter(), []
    site = nodes(pages)
    with meter.step("graph"):
        graph = LinkGraph(site, rows(site))
    with meter.step("measure"):
        measures = graph.measure(20)
    with meter.step("dead_ends"):
        graph.dead_ends()
    send = ranking._Pages.send_ranks

    def counted(*args: Any) -> Any:
        sent.append(1)
        return send(*args)

    with patch.object(ranking._Pages, "send_ranks", counted), meter.step("pagerank"):
        ranks = ranking.pagerank(graph)
    with meter.step("priorityrank"):
        ranking.priorityrank(graph, np.full(pages, 0.5))
    with meter.step("tenths"):
        ranking.decile_bounds(ranking.round_ranks(ranks))
    if not 0.999 < ranks.sum() < 1.001 or not (measures.depth >= 0).all():
        raise RuntimeError("the site is not what it should be")
    return {
        "pages": pages,
        "links": len(graph.targets),
        "seconds": round(sum(meter.seconds.values()), 2),
        "peak_mb": max(meter.peak_mb.values()),
        "iterations": len(sent),
        "step_seconds": meter.seconds,
        "step_peak_mb": meter.peak_mb,
    }
