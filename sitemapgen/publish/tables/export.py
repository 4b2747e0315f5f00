"""Export of a crawl as tables for other programs: from its store, without a request.

The tables and their rows: ``rows.py``; the directory: ``lake.py``; Parquet: ``parquet_files.py``; a
workbook: ``workbook.py``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime, timezone
from itertools import chain, count, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from sitemapgen.core.urls import authority
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import Params
from sitemapgen.publish.files import Staging, writing_errors
from sitemapgen.publish.publication import conclude_crawl
from sitemapgen.publish.republish import rules_of
from sitemapgen.publish.result import format_moment
from sitemapgen.publish.tables.lake import Lake
from sitemapgen.publish.tables.rows import TABLES, Batch, Column, TablePart, table_parts
from sitemapgen.report import urls_csv
from sitemapgen.store import Run, Store
from sitemapgen.store.opening import lend_store

TableWriter = Callable[[Iterable[Batch], BinaryIO, Sequence[Column]], None]
"""Writes all batches to a file, with the names of the columns."""

DIRECTORY = "tables"
"""Name of the directory for the tables of one crawl, in its output directory."""
FORMATS = ("parquet", "csv")
"""Formats of the tables."""
WORKBOOK = "urls.xlsx"
PART_BYTES = 1 << 28
"""Bytes after which a file is full; it ends with the next batch or row group."""


class WrittenTable(NamedTuple):
    """What was written of one table, all runs together."""

    path: Path
    rows: int
    files: int
    bytes: int


def export_tables(directory: Path, into: Path, format_name: str) -> tuple[list[WrittenTable], Run]:
    """Write the tables of the crawl in an output directory into a directory of tables.

    Also return the last run, which is not whole if it has not ended. Tables that are there already
    are kept, except for the runs of this crawl. Raises CrawlError, with the tables unchanged.
    """
    write = _table_writer(format_name)
    with _concluded(directory, into) as (store, run), Lake(into, site_of(run)) as lake:
        written = _write_tables(store, lake, write, format_name)
        lake.commit()
    return written, run


def export_workbook(directory: Path, into: Path) -> tuple[list[WrittenTable], Run]:
    """Write the rows of urls.csv of the crawl in an output directory as ``into/urls.xlsx``.

    Raises CrawlError, with the workbook of before unchanged.
    """
    try:
        from sitemapgen.publish.tables.workbook import write_workbook  # noqa: PLC0415 - optional
    except ImportError as error:
        words = "--to xlsx: XlsxWriter is not installed; pip install XlsxWriter, or use urls.csv"
        raise CrawlError(Exit.ARGUMENTS, words) from error
    path = into / WORKBOOK
    with _concluded(directory, into) as (store, run):
        moment = int(run.ended or time.time())
        with Staging(into, moment) as staging:
            cells = (row.cells() for row in store.results.urls())
            rows = write_workbook(cells, staging.open(WORKBOOK), moment)
            staging.commit()
        size = path.stat().st_size
    return [WrittenTable(path, rows, 1, size)], run


@contextmanager
def _concluded(directory: Path, into: Path) -> Iterator[tuple[Store, Run]]:
    """Lend the store of an output directory, with the conclusions of its last run."""
    store, run = lend_store(directory)
    with closing(store), writing_errors(into):
        if not run.ended:
            conclude_crawl(store, rules_of(run))
        yield store, run


def site_of(run: Run) -> str:
    """Return the name of a site in the tables: its host, with port and directory if need be.

    ``example.com``, ``example.com_8080``, ``example.com/docs/`` (of ``scope=path``).
    """
    directory = Params.model_construct(None, **run.arguments).site(run.start).directory
    return authority(run.start).replace(":", "_") + (directory if directory != "/" else "")


def run_label(started: float) -> str:
    """Return the name of a run in the tables, by the time of its start.

    >>> run_label(1_767_225_600.5)
    '20260101T000000Z'
    """
    return datetime.fromtimestamp(int(started), timezone.utc).strftime("%Y%m%dT%H%M%SZ")


def _table_writer(format_name: str) -> TableWriter:
    if format_name == "csv":
        return _write_csv
    try:
        from sitemapgen.publish.tables.parquet_files import write_parquet  # noqa: PLC0415 - optional
    except ImportError as error:
        raise CrawlError(
            Exit.ARGUMENTS,
            "--to parquet: pyarrow is not installed; pip install pyarrow, or give --to csv",
        ) from error
    return write_parquet


def _write_tables(store: Store, lake: Lake, write: TableWriter, suffix: str) -> list[WrittenTable]:
    labels = {run.run: run_label(run.started) for run in store.export.runs()}
    written = []
    for table, of_table in groupby(table_parts(store.export), attrgetter("table")):
        rows, files, size = 0, 0, 0
        for part in of_table:
            directory = lake.partition(table, labels[part.run])
            for path, more in _write_part(part, directory, write, suffix):
                rows, files, size = rows + more, files + 1, size + path.stat().st_size
        written.append(WrittenTable(lake.root / table, rows, files, size))
    return written


def _write_part(
    part: TablePart, directory: Path, write: TableWriter, suffix: str
) -> Iterator[tuple[Path, int]]:
    """Write the files of a part, at least one; yield the path and number of rows of each."""
    columns = TABLES[part.table]
    following = next(part.batches, None)  # read one ahead: no file after the first is empty
    rows = 0

    def until_full(file: BinaryIO) -> Iterator[Batch]:
        nonlocal following, rows
        while (batch := following) is not None:
            following = next(part.batches, None)
            rows += len(batch[0])
            yield batch
            if file.tell() >= PART_BYTES:
                return

    for number in count(len(list(directory.iterdir()))):
        path, rows = directory / f"part-{number}.{suffix}", 0
        with path.open("xb") as file:
            write(until_full(file), file, columns)
            file.flush()
            os.fsync(file.fileno())
        yield path, rows
        if following is None:
            return


# --- CSV, by the rules of urls.csv


def _write_csv(batches: Iterable[Batch], file: BinaryIO, columns: Sequence[Column]) -> None:
    """Write a table with a header; times as ``2026-01-31T12:00:00Z``, flags as 0 and 1."""
    rows = chain.from_iterable(zip(*_format_cells(batch, columns)) for batch in batches)
    urls_csv.write_csv(rows, file, tuple(column.name for column in columns))


def _format_cells(batch: Batch, columns: Sequence[Column]) -> Iterator[Iterable[Any]]:
    for cells, column in zip(batch, columns):
        if column.kind == "time":
            yield [None if cell is None else format_moment(int(cell)) for cell in cells]
        elif column.kind == "bool":
            yield [cell if cell is None else int(cell) for cell in cells]
        else:
            yield cells.tolist() if isinstance(cells, np.ndarray) else cells
