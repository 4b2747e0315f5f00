"""The files of a report, and report.html: the audit as one page, for the person who decides.

It opens offline. Its only sources are report.json and the rows of urls.csv: same data, same bytes.
Template, style and scripts: ``page/``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BufferedIOBase
from itertools import groupby, islice
from typing import Any, BinaryIO, cast

from sitemapgen.core.urls import split
from sitemapgen.report.metrics import value_at
from sitemapgen.report.sections.on_page import PAGE_FAULTS
from sitemapgen.report.summary import ELSEWHERE, SECTIONS, write_json
from sitemapgen.report.templates import clip_text, fill_template
from sitemapgen.report.urls_csv import CONTROL, FORMULA, write_csv
from sitemapgen.store import Store
from sitemapgen.store.results import COLUMNS, UrlRow
from sitemapgen.verdicts import DateFault, Verdict

MAX_ROWS = 100_000
"""Maximum number of URLs in the page's table, which a browser sorts in a second."""
MAX_BYTES = 64 << 20
"""Maximum bytes of the table's JSON, unpacked: long titles lead to fewer rows."""
MAX_CELL = 400
"""Maximum characters of a cell, except URLs; of text in the sections: ``clip``."""
CHUNK = 250
"""Number of rows that are packed together by column, a third smaller than by row."""
LEVEL = 4
"""Compression level of zlib; 6 takes twice the time to save 4 % of the page."""


MISSING = {
    "missing_content": "pages that should be listed",
    "errors": "errors",
    "redirects": "redirects",
    "duplicates_extra_parameter": "duplicates by an extra parameter",
    "duplicates_other": "other duplicates",
    "traps": "traps",
    "noindex": "pages that forbid indexing",
    "not_pages": "no HTML pages",
    "view": "lists, which show only what other pages show",
    "other": "other reasons",
}
SCRIPTS = ("vendor/charts.min.js", "vendor/table.min.js", "charts.js", "tables.js", "report.js")


class Table:
    """The first rows of urls.csv, packed for the page while urls.csv is written."""

    def __init__(self, start: str) -> None:
        """``start``: the start URL, whose origin is cut off from URLs."""
        self.count = 0
        self._origin = split(start).origin
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, wbits=31)  # gzip; its time stays 0
        self._packed, self._size = bytearray(), 0

    def watch(self, rows: Iterable[UrlRow]) -> Iterator[tuple[object, ...]]:
        """Yield the cells of all ``rows``, and keep the first of them."""
        rest = (row.cells() for row in rows)
        while chunk := list(islice(rest, min(CHUNK, MAX_ROWS - self.count))):
            has_room = self._keep_chunk(chunk)
            yield from chunk
            if not has_room:
                break
        yield from rest

    def finish(self) -> bytes:
        """Return gzipped lines of JSON: the column names, then chunks, each a list of columns."""
        self._packed += self._packer.flush()
        return bytes(self._packed)

    def _keep_chunk(self, chunk: list[tuple[object, ...]]) -> bool:
        """Pack rows, unless they exceed MAX_BYTES; return whether they were packed."""
        line = _json_line(
            _column_cells(name, column, self._origin) for name, column in zip(COLUMNS, zip(*chunk))
        )
        self._size += len(line)
        if self._size > MAX_BYTES:
            return False
        if not self.count:
            self._packed += self._packer.compress(_json_line(COLUMNS))
        self._packed += self._packer.compress(line)
        self.count += len(chunk)
        return True


def write_page(summary: Mapping[str, Any], table: Table, file: BinaryIO, logo: str = "") -> None:
    """Write the report of ``summary``, the data of report.json, with the rows of ``table``.

    ``logo``: a ``data:`` URL; empty for none. All text of the site is escaped.
    """
    origin = split(summary["start"]).origin
    shown = {
        name: row
        for name, row in SECTIONS.items()
        if any(value_at(summary, source) for source in row.facts)
    }
    values = {
        "r": summary,
        "logo": logo,
        "host": origin.partition("://")[2],
        "origin": origin,
        "topics": [
            (topic, [(name, row.title) for name, row in rows])
            for topic, rows in groupby(shown.items(), key=lambda item: item[1].topic)
        ],
        "anchors": {
            field: place
            for field in (*SECTIONS, *ELSEWHERE)
            if (place := ELSEWHERE.get(field, field)) in shown
        },
        "page_faults": PAGE_FAULTS,
        "slowest": next(iter(summary["speed"]["kinds"]), None),
        "verdict_rows": {verdict.value: verdict.row for verdict in Verdict},
        "meanings": {verdict.value: verdict.row.meaning for verdict in Verdict},
        "labels": {verdict.value: verdict.row.label for verdict in Verdict},
        "tones": {verdict.value: verdict.row.tone for verdict in Verdict},
        "types": MISSING,
        "faults_of_dates": {fault.value: fault.row for fault in DateFault},
        "embedded": table.count,
        "rows": base64.b64encode(table.finish()).decode(),
        "patterns": {"formula": _for_scripts(FORMULA), "control": _for_scripts(CONTROL)},
    }
    fill_template("report.html.jinja", SCRIPTS, values, file)


def _for_scripts(pattern: re.Pattern[str]) -> str:
    """Return a regular expression in the notation of JavaScript, flag ``u``."""
    return re.sub(r"\\U0*([0-9a-f]+)", r"\\u{\1}", pattern.pattern)


def _json_line(values: Iterable[object]) -> bytes:
    return json.dumps(list(values), separators=(",", ":")).encode() + b"\n"


def _column_cells(name: str, cells: tuple[object, ...], origin: str) -> list[object]:
    if name in ("url", "parent", "canonical"):
        prefix, length = f"{origin}/", len(origin)
        return [
            cell[length:] if isinstance(cell, str) and cell.startswith(prefix) else cell
            for cell in cells
        ]
    return [
        cell if type(cell) is not str or len(cell) <= MAX_CELL else clip_text(cell, MAX_CELL)
        for cell in cells
    ]


REPORT_FILES = ("report.html", "report.json", "urls.csv")


def write_report(
    facts: dict[str, Any],
    store: Store,
    open_: Callable[[str], BinaryIO],
    complete: Callable[[str], None],
    logo: str = "",
) -> None:
    """Write every file of a report; ``open_`` opens a file by its name.

    ``complete`` gets the digest of urls.csv, and completes ``facts`` before the others are written.
    ``logo``: a ``data:`` URL.
    """
    table = Table(facts["start"])
    rows = _Digested(open_("urls.csv"))
    write_csv(table.watch(store.results.urls()), cast("BinaryIO", rows))
    complete(rows.digest.hexdigest())
    write_page(facts, table, open_("report.html"), logo)
    write_json(facts, open_("report.json"))


class _Digested(BufferedIOBase):
    """Passes what is written to a file on, and computes its digest."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.digest.update(data)
        return self._file.write(data)
