"""Tables as CSV, by the rules of urls.csv: ``report/urls_csv.py``."""

from __future__ import annotations

from datetime import datetime, timezone
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from sitemapgen.report import urls_csv

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapgen.publish.tables.columns import Column
    from sitemapgen.publish.tables.rows import Batch


def write(batches: Iterable[Batch], file: BinaryIO, columns: Sequence[Column]) -> None:
    """Write a table with a header; times as ``2026-01-31T12:00:00Z``, flags as 0 and 1."""
    rows = chain.from_iterable(zip(*_cells(batch, columns)) for batch in batches)
    urls_csv.write(rows, file, tuple(column.name for column in columns))


def _cells(batch: Batch, columns: Sequence[Column]) -> Iterator[Iterable[Any]]:
    for cells, column in zip(batch, columns):
        if column.kind == "time":
            yield map(_iso, cells)
        elif column.kind == "bool":
            yield [cell if cell is None else int(cell) for cell in cells]
        else:
            yield cells.tolist() if isinstance(cells, np.ndarray) else cells


def _iso(moment: float | None) -> str | None:
    if moment is None:
        return None
    return datetime.fromtimestamp(int(moment), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
