"""urls.csv as a workbook for spreadsheets, in which texts stay texts.

By XlsxWriter, which is imported here alone: an optional package.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timezone
from typing import BinaryIO

from xlsxwriter import Workbook

from sitemapgen.report.urls_csv import CONTROL
from sitemapgen.store.results import COLUMNS

MAX_ROWS = 1_048_576
"""Rows of a sheet, its header included; further rows are on further sheets (Microsoft, "Excel
specifications and limits")."""
MAX_TEXT = 32_767
"""Characters of a cell, after the same; a longer text is cut."""
WRITER = {"constant_memory": True, "strings_to_urls": False}


def write_workbook(rows: Iterable[tuple[object, ...]], file: BinaryIO, moment: int) -> int:
    """Write ``rows``, each in the order of ``COLUMNS``: numbers as numbers, all else as text.

    Returns their number.
    ``moment``: the time that its properties name, in seconds since 1970 UTC.
    """
    with Workbook(file, WRITER) as book:
        book.set_properties({"created": datetime.fromtimestamp(moment, timezone.utc)})
        bold, place, count = book.add_format({"bold": True}), MAX_ROWS, 0
        for count, row in enumerate(rows, 1):  # noqa: B007 - it is returned
            if place == MAX_ROWS:
                sheet, place = book.add_worksheet(), 1
                sheet.freeze_panes(1, 1)
                sheet.autofilter(0, 0, MAX_ROWS - 1, len(COLUMNS) - 1)
                sheet.write_row(0, 0, COLUMNS, bold)
            for column, cell in enumerate(row):
                if isinstance(cell, str):
                    sheet.write_string(place, column, CONTROL.sub(" ", cell)[:MAX_TEXT])
                elif cell is not None:
                    sheet.write_number(place, column, cell)
            place += 1
    return count
