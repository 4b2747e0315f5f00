"""Write urls.csv: one line for every URL ever seen, with its verdict and the evidence for it.

Who decides the verdicts: ``core/eligibility.py``.
"""

from __future__ import annotations

import csv
import re
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

COLUMNS = (
    "url",
    "verdict",
    "evidence",
    "status",
    "depth",
    "parent",
    "in_degree",
    "canonical",
    "lastmod",
    "lastmod_source",
    "title",
    "lastmod_evidence",
    "pagerank",
    "in_sitemap",
    "reached",
)

# OWASP, "CSV Injection": what makes a spreadsheet run a cell, also behind white space that it
# trims, and in the full-width forms that some of them accept.
FORMULA = re.compile(r"[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def write(
    rows: Iterable[tuple[object, ...]], file: BinaryIO, columns: tuple[str, ...] = COLUMNS
) -> None:
    r"""Write ``rows``, each in the order of the columns, as RFC 4180 in UTF-8, ``\n`` line ends.

    None becomes an empty cell. Text cannot break a line, nor run as a formula.
    """
    text = TextIOWrapper(file, "utf-8", errors="replace", newline="", write_through=False)
    try:
        table = csv.writer(text, lineterminator="\n")
        table.writerow(columns)
        table.writerows(map(_harmless_row, rows))
    finally:
        text.detach()  # flushes, and leaves the file to whoever opened it


def _harmless_row(row: tuple[object, ...]) -> list[object]:
    # What nearly every cell is, is seen here: worth a third of the time.
    return [
        cell
        if type(cell) is not str or not cell or (cell[0].isalnum() and cell.isprintable())
        else harmless(cell)
        for cell in row
    ]


def harmless(cell: str) -> str:
    """A cell that neither breaks its line nor runs as a formula."""
    guard = "'" if FORMULA.match(cell) else ""
    return guard + CONTROL.sub(" ", cell)
