"""Tables as Apache Parquet, by pyarrow, which is imported here alone: an optional package.

https://parquet.apache.org/docs/file-format/
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, BinaryIO

import pyarrow as pa
from pyarrow import parquet

from sitemapgen.publish.republish import UNFIT
from sitemapgen.publish.tables.rows import Batch, Column

GROUP_ROWS = 122_880
"""Rows of a row group: as many as DuckDB reads in one thread at a time."""
GROUP_LINKS = 1_048_576
"""Rows of a row group of numbers only."""
GROUP_BYTES = 1 << 26
"""Bytes of a row group, in memory, after which it ends, whatever its rows."""

MICROSECONDS = pa.timestamp("us", tz="UTC")
"""The unit of DuckDB and Spark."""
TYPES = {
    "int64": pa.int64(),
    "int32": pa.int32(),
    "int16": pa.int16(),
    "double": pa.float64(),
    "bool": pa.bool_(),
    "string": pa.string(),
    "word": pa.dictionary(pa.int32(), pa.string()),
    "time": MICROSECONDS,
}


def write_parquet(batches: Iterable[Batch], file: BinaryIO, columns: Sequence[Column]) -> None:
    """Write a table, also without rows. Raises OSError."""
    schema = pa.schema([(column.name, TYPES[column.kind]) for column in columns])
    repeated = [each.name for each in columns if each.kind != "string" and each.name != "key"]
    is_narrow = not any(column.kind in ("string", "word") for column in columns)
    rows = GROUP_LINKS if is_narrow else GROUP_ROWS
    writer = parquet.ParquetWriter(file, schema, compression="zstd", use_dictionary=repeated)
    try:
        group: list[pa.RecordBatch] = []
        for batch in batches:
            arrays = [_make_array(cells, column) for cells, column in zip(batch, columns)]
            group.append(pa.record_batch(arrays, schema=schema))
            size = sum(batch.nbytes for batch in group)
            if size >= GROUP_BYTES or sum(batch.num_rows for batch in group) >= rows:
                _write_group(writer, group)
        if group:
            _write_group(writer, group)
    except BaseException:
        with suppress(OSError):  # flushing into a full disk fails once more
            writer.close()
        raise
    writer.close()


def _write_group(writer: parquet.ParquetWriter, group: list[pa.RecordBatch]) -> None:
    table = pa.Table.from_batches(group).unify_dictionaries()
    group.clear()
    writer.write_table(table, row_group_size=table.num_rows)


def _make_array(cells: Any, column: Column) -> pa.Array:
    if column.kind == "time":
        cells = [cell if cell is None else int(cell) * 1_000_000 for cell in cells]
    elif column.kind == "bool":
        cells = [cell if cell is None else bool(cell) for cell in cells]
    elif column.kind in ("string", "word"):
        array = pa.array(_clean_texts(cells), pa.string())
        return array.dictionary_encode() if column.kind == "word" else array
    return pa.array(cells, TYPES[column.kind])


def _clean_texts(cells: Sequence[str | None]) -> Sequence[str | None]:
    """Return texts as in feeds, which UTF-8 can encode; nearly all are returned unchanged."""
    if UNFIT.search("".join(filter(None, cells))):
        return [cell and UNFIT.sub(" ", cell) for cell in cells]
    return cells
