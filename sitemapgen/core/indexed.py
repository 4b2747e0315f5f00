"""URLs in a search engine's index: rows of an exported table, or of a plain list of URLs.

Headers come in every language, so the columns are recognised by their content.
``report/sections/indexed.py`` opens the file.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

SAMPLE = 200
"""Rows from which the columns of a table are recognised."""
DELIMITERS = ("\t", ";", ",")
EVEN = 0.9
"""Minimum share of rows of the same width in a table."""

_URL = re.compile(r"\s*https?://\S", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(?:[0-9]+|[0-9]{1,3}(?:[.,'\s\u00a0\u2009\u202f][0-9]{3})+)\s*")
_NOT_DIGITS = re.compile(r"[^0-9]")


class Unusable(ValueError):
    """Unusable file; the message is a clause that states what is wrong with it."""


class IndexedUrl(NamedTuple):
    """One URL of the file, as written, with its figures."""

    url: str
    clicks: int
    impressions: int


class TableFormat(NamedTuple):
    """Delimiter and columns of a table."""

    delimiter: str
    """Empty for a plain list, one URL a line."""
    url: int = 0
    clicks: int | None = None
    impressions: int | None = None

    @property
    def has_clicks(self) -> bool:
        """Whether the table has columns of clicks and impressions."""
        return self.clicks is not None


def recognise_format(sample: Sequence[str]) -> TableFormat:
    """Determine the format of a file by its first lines.

    In Search Console's table of pages, the first two columns of whole numbers after the URL are
    clicks and impressions; the smaller ones are the clicks. Raises Unusable without any URL.
    """
    lines = [line for line in sample if line.strip()]
    if not lines:
        raise Unusable("is empty")
    best, most = None, 0
    for delimiter in DELIMITERS:
        table = _even_rows(lines, delimiter)
        counts = [sum(_is_url(row, column) for row in table) for column in range(len(table[0]))]
        if max(counts, default=0) > most:
            most, column = max(counts), counts.index(max(counts))
            found = [row for row in table if _is_url(row, column)]
            best = TableFormat(delimiter, column, *_performance_columns(found, column))
    if best is None and not any(_URL.match(_unquote_line(line)) for line in lines):
        raise Unusable("has no column of http or https URLs")
    return best or TableFormat("")


def _even_rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the rows of the most frequent width; one empty row if fewer than ``EVEN`` have it.

    So a plain list with a comma in some URLs is not mistaken for a table.
    """
    try:
        rows = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return [[]]
    width, count = Counter(map(len, rows)).most_common(1)[0]
    if width < 2 or count < EVEN * len(rows):
        return [[]]
    return [row for row in rows if len(row) == width]


def _is_url(row: Sequence[str], column: int) -> bool:
    return column < len(row) and _URL.match(row[column]) is not None


def _performance_columns(rows: Sequence[Sequence[str]], url: int) -> tuple[int | None, int | None]:
    """Return the columns of clicks and impressions; None, None without two such columns."""
    width = min(map(len, rows))
    columns = [
        column
        for column in range(url + 1, width)
        if all(_NUMBER.fullmatch(row[column]) for row in rows)
    ][:2]
    if len(columns) < 2:
        return None, None
    one, other = columns
    if all(_parse_number(row[one]) <= _parse_number(row[other]) for row in rows):
        return one, other
    if all(_parse_number(row[one]) >= _parse_number(row[other]) for row in rows):
        return other, one
    return None, None


def read_rows(lines: Iterable[str], table_format: TableFormat) -> Iterator[IndexedUrl | None]:
    """Yield every row; None for one without an http(s) URL, except the header and blank rows.

    Raises Unusable for a table that breaks off within a cell.
    """
    table: Iterable[list[str]]
    if table_format.delimiter:
        table = csv.reader(lines, delimiter=table_format.delimiter)
    else:
        table = ([_unquote_line(line)] for line in lines)
    is_first = True
    try:
        for cells in table:
            if not any(cells):
                continue
            if _is_url(cells, table_format.url):
                yield IndexedUrl(
                    cells[table_format.url].strip(),
                    _number_in_column(cells, table_format.clicks),
                    _number_in_column(cells, table_format.impressions),
                )
            elif not is_first:
                yield None
            is_first = False
    except csv.Error as error:
        raise Unusable(f"is not a readable table: {error}") from error


def _unquote_line(line: str) -> str:
    return line.strip().strip('"').strip()


def _number_in_column(cells: Sequence[str], column: int | None) -> int:
    return _parse_number(cells[column]) if column is not None and column < len(cells) else 0


def _parse_number(cell: str) -> int:
    return int(_NOT_DIGITS.sub("", cell)[:15] or 0)
