"""The lines of Table 2 that depend on content, from the samples of pages in a store.

The rules: ``analysis/missing.py``.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.coverage import MISSING_TYPES
from sitemapgen.analysis.missing import (
    MAX_PROBED,
    PROBES,
    THIN,
    OwnImages,
    Subsets,
    tables_of_contents,
)
from sitemapgen.analysis.near_duplicates import TextSignature

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Ints
    from sitemapgen.analysis.missing import Hashes
    from sitemapgen.report.dataset import Dataset

BATCH = 500
"""Number of pages whose samples are in memory at a time, about 2 kB each."""


def judge_types(dataset: Dataset, types: NDArray[np.int8]) -> None:
    """Set the type of missing pages that are tables of contents, images or parts of other pages."""
    is_missing = types == MISSING_TYPES.index("missing_content")
    if not is_missing.any():
        return
    text_length = _text_length(dataset)
    pictures, texts = _samples_of(dataset, np.flatnonzero(is_missing), text_length)
    images, subsets = OwnImages(pictures), Subsets(texts, text_length)
    if pictures or texts:
        for nodes, media, counts, shingles in _read_batches(dataset):
            images.count_images(media)
            subsets.search_nodes(nodes, counts, shingles)
    types[subsets.nodes()] = MISSING_TYPES.index("subset")
    types[images.nodes()] = MISSING_TYPES.index("image_dominated")
    in_degree = dataset.measures.in_degree
    contents = tables_of_contents(dataset.graph, in_degree, text_length, is_missing)
    types[contents] = MISSING_TYPES.index("table_of_contents")


def _text_length(dataset: Dataset) -> Ints:
    """Return the characters of the main text, by node."""
    table = np.fromiter(
        dataset.store.results.text_lengths(), [("key", np.int64), ("length", np.int64)]
    )
    lengths = np.zeros(len(dataset.graph.nodes.keys), np.int64)
    lengths[dataset.graph.find_nodes(table["key"])] = table["length"]
    return lengths


def _samples_of(
    dataset: Dataset, nodes: Ints, text_length: Ints
) -> tuple[dict[int, Hashes], dict[int, Hashes]]:
    """Return the images of pages with little text, and the shingles of the first others."""
    pictures: dict[int, Hashes] = {}
    texts: dict[int, Hashes] = {}
    keys = dataset.graph.nodes.keys[nodes]
    node_of = dict(zip(keys.tolist(), nodes.tolist()))
    for row in dataset.store.results.samples(np.sort(keys).tolist()):
        node, shown = node_of[row.key], TextSignature.of(row.sample)
        if text_length[node] < THIN:
            pictures[node] = shown.media
        elif len(shown.shingles) and len(texts) < MAX_PROBED:
            texts[node] = shown.shingles[:PROBES].copy()
    return pictures, texts


def _read_batches(dataset: Dataset) -> Iterator[tuple[Ints, Hashes, Ints, Hashes]]:
    """Yield (nodes, images, number of shingles of each page, shingles) of some pages at a time."""
    rows = dataset.store.results.samples()
    while batch := list(islice(rows, BATCH)):
        # a count in four bytes, then at most 16 hashes of four
        ends = [4 + 4 * row.sample[0] for row in batch]
        shingles = [row.sample[end:] for row, end in zip(batch, ends)]
        yield (
            dataset.graph.find_nodes(np.array([row.key for row in batch])),
            np.frombuffer(b"".join(row.sample[4:end] for row, end in zip(batch, ends)), "<u4"),
            np.array([len(each) // 4 for each in shingles]),
            np.frombuffer(b"".join(shingles), "<u4"),
        )
