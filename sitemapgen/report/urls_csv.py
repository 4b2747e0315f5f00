"""Writer of urls.csv: one line for every URL ever seen, with its verdict and evidence.

The verdicts: ``core/eligibility.py``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import TextIOWrapper
from typing import BinaryIO

from sitemapgen.store.results import COLUMNS

INVISIBLE = (
    r"\s\x00-\x1f\x7f-\x9f"
    # Unicode, PropList: Default_Ignorable_Code_Point
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    # the other format characters (category Cf), and the Braille pattern without a dot
    r"\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\ufff9-\ufffb\U000110bd\U000110cd"
    r"\U00013430-\U0001345f\u2800"
)
"""Character class of invisible characters, which a spreadsheet may trim."""
SIGNS = (
    r"=+\-@"
    # what Unicode's compatibility forms (NFKC) make of one of these
    r"\u207a\u207c\u208a\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20"
)

# OWASP, "CSV Injection": beginnings that make a spreadsheet evaluate a cell.
FORMULA = re.compile(rf"[\t\r]|[{INVISIBLE}]*[{SIGNS}]")

LETTERS_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0")
"""Invisible characters that ``str.isalnum`` takes for letters."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def write_csv(
    rows: Iterable[tuple[object, ...]], file: BinaryIO, columns: tuple[str, ...] = COLUMNS
) -> None:
    r"""Write ``rows``, each in the order of the columns, as RFC 4180 in UTF-8, ``\n`` line ends.

    None becomes an empty cell. Text cannot break a line, and is never a formula.
    """
    text = TextIOWrapper(file, "utf-8", errors="replace", newline="", write_through=False)
    try:
        table = csv.writer(text, lineterminator="\n")
        table.writerow(columns)
        table.writerows(map(_harmless_row, rows))
    finally:
        text.detach()  # flushes, and leaves the file open for the caller


def _harmless_row(row: tuple[object, ...]) -> list[object]:
    # A test that nearly every cell passes, without a call: saves a third of the time.
    return [
        cell
        if type(cell) is not str
        or not cell
        or (cell[0].isalnum() and cell.isprintable() and cell[0] not in LETTERS_UNSEEN)
        else escape_cell(cell)
        for cell in row
    ]


def escape_cell(cell: str) -> str:
    """Return a cell that neither breaks its line nor is a formula."""
    guard = "'" if FORMULA.match(cell) else ""
    return guard + CONTROL.sub(" ", cell)
