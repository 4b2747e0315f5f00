"""report.html: the audit as one page that opens offline, for the person who decides what to fix.

Its only sources are report.json and the rows of urls.csv: same data, same bytes. Template, style
and scripts: ``page/``.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core.urls import split
from sitemapgen.report.filters import DAY, clip, number
from sitemapgen.report.templates import render
from sitemapgen.report.urls_csv import CONTROL, FORMULA
from sitemapgen.verdicts import Content, DateFault, Stage, Verdict, verdicts_where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import BinaryIO

    from sitemapgen.store.results import UrlRow

ROWS = "@@rows@@"
"""Placeholder in the template for the rows, which are too large to pass through it."""

MAX_ROWS = 100_000
"""Maximum number of URLs in the page's table, which a browser sorts in a second."""
MAX_BYTES = 64 << 20
"""Maximum bytes of the table's JSON, unpacked: long titles lead to fewer rows."""
MAX_CELL = 400
"""Maximum characters of a cell, except URLs; of text in the sections: ``clip``."""
CHUNK = 2_000
"""Number of rows that are packed together by column, a third smaller than by row."""
LEVEL = 4
"""Compression level of zlib; 6 takes twice the time to save 4 % of the page."""

SECTIONS = {
    "priorities": "What to fix first",
    "changes": "What has changed",
    "not_looked_at": "What was not looked at",
    "coverage": "Coverage",
    "missing": "What the sitemaps lack",
    "wasted": "What they should not list",
    "indexed": "What is indexed",
    "funnel": "From seen to listed",
    "depth": "Clicks from the start",
    "links": "Links and PageRank",
    "kinds": "Kinds of pages",
    "duplicates": "Duplicates",
    "redirects": "Redirects",
    "orphans": "Orphans",
    "broken_links": "Broken links",
    "other_addresses": "Other addresses of this site",
    "external": "Links to other sites",
    "rendering": "Rendering",
    "growth": "New URLs",
    "titles": "Titles and descriptions",
    "speed": "Speed and size",
    "lastmod": "Dates of last change",
    "sitemaps": "Sitemap files",
    "urls": "All URLs",
}
"""The sections of the page, in their order; most are named after a field of report.json.

Each is a template of its name in ``page/sections/``.
"""
ELSEWHERE = {
    "blank": "rendering",
    "logins": "redirects",
    "shared_canonical": "duplicates",
    "dead_ends": "dead_ends",
    "distrusted_lastmods": "lastmod",
    "lastmod_trust": "lastmod",
    "hreflang": "hreflang",
    "traps": "kinds",
    "views": "kinds",
    "table_1": "sitemaps",
    "sources": "sitemaps",
}
"""Other fields of report.json -> anchor of the section that shows them."""

MISSING = {
    "missing_content": "other pages that should be listed",
    "errors": "errors",
    "redirects": "redirects",
    "duplicates_extra_parameter": "duplicates by an extra parameter",
    "duplicates_other": "other duplicates",
    "traps": "traps",
    "noindex": "pages that forbid indexing",
    "not_pages": "no HTML pages",
    "view": "lists, which show only what other pages show",
    "table_of_contents": "list pages (categories, archives)",
    "image_dominated": "pages that show an image and hardly a word",
    "subset": "parts of longer pages",
    "other": "other reasons",
}


class Step(NamedTuple):
    """A step on the way into the sitemap, as the funnel describes it."""

    name: str
    meaning: str
    lost: tuple[Verdict, ...]
    """Verdicts of the URLs that are left out on the way here."""


UNEXAMINED = (*verdicts_where(lambda row: row.stage is Stage.SEEN), Verdict.TRAP)
REPEATED = (Verdict.NOINDEX, *verdicts_where(lambda row: row.content is Content.COPY))
FUNNEL = (
    Step("Seen", "every URL that a link or a sitemap names", ()),
    Step("Examined", "those that no rule, limit or endless pattern keeps out", UNEXAMINED),
    Step(
        "Pages",
        "those that answer with a page",
        tuple(
            verdict
            for verdict in Verdict
            if verdict not in (*UNEXAMINED, *REPEATED, Verdict.LISTED)
        ),
    ),
    Step("Listed", "of these, one of each content that may be indexed", REPEATED),
)
"""Each verdict but ``listed`` is a loss of one step, so that the steps add up."""
SCRIPTS = ("vendor/charts.min.js", "vendor/table.min.js", "charts.js", "tables.js", "report.js")
UNITS = (("days", DAY), ("hours", 3_600), ("minutes", 60))
"""Units of the plot of sightings, with their seconds."""


class Table:
    """The first rows of urls.csv, packed for the page while urls.csv is written."""

    def __init__(self, start: str) -> None:
        """``start``: the start URL, whose origin is cut off from URLs."""
        self.count = 0
        self._origin = split(start).origin
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, wbits=31)  # gzip; its time stays 0
        self._packed, self._size = bytearray(), 0

    def watch(self, rows: Iterable[UrlRow]) -> Iterator[UrlRow]:
        """Yield all ``rows``, and keep the first of them."""
        rest = iter(rows)
        while chunk := list(islice(rest, min(CHUNK, MAX_ROWS - self.count))):
            has_room = self._keep(chunk)
            yield from chunk
            if not has_room:
                break
        yield from rest

    def finish(self) -> bytes:
        """Return gzipped lines of JSON: the column names, then chunks, each a list of columns."""
        self._packed += self._packer.flush()
        return bytes(self._packed)

    def _keep(self, chunk: list[UrlRow]) -> bool:
        """Pack rows, unless they exceed MAX_BYTES; return whether they were packed."""
        names = chunk[0]._fields
        line = _line(
            _column(name, column, self._origin) for name, column in zip(names, zip(*chunk))
        )
        self._size += len(line)
        if self._size > MAX_BYTES:
            return False
        if not self.count:
            self._packed += self._packer.compress(_line(names))
        self._packed += self._packer.compress(line)
        self.count += len(chunk)
        return True


def write(summary: Mapping[str, Any], table: Table, file: BinaryIO) -> None:
    """Write the report of ``summary``, the data of report.json, with the rows of ``table``.

    All text of the site is escaped.
    """
    origin = split(summary["start"]).origin
    values = {
        "r": summary,
        "host": origin.partition("://")[2],
        "origin": origin,
        "sections": [
            item for item in SECTIONS.items() if item[0] != "indexed" or summary["indexed"]
        ],
        "anchors": {field: ELSEWHERE.get(field, field) for field in (*SECTIONS, *ELSEWHERE)},
        "verdict_rows": {verdict.value: verdict.row for verdict in Verdict},
        "meanings": {verdict.value: verdict.row.meaning for verdict in Verdict},
        "labels": {verdict.value: verdict.row.label for verdict in Verdict},
        "tones": {verdict.value: verdict.row.tone for verdict in Verdict},
        "types": MISSING,
        "faults_of_dates": {fault.value: fault.row for fault in DateFault},
        "funnel": _funnel(summary),
        "sightings": _sightings(summary["growth"]),
        "embedded": table.count,
        "patterns": {"formula": _for_scripts(FORMULA), "control": _for_scripts(CONTROL)},
    }
    page = render("report.html.jinja", SCRIPTS, values)
    before, _, after = page.rpartition(ROWS)
    file.write(before.encode("utf-8", "replace"))
    file.write(base64.b64encode(table.finish()))
    file.write(after.encode("utf-8", "replace"))


def _funnel(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps from all URLs to the listed ones, with the verdicts left out at each."""
    counts, seen = summary["verdicts"], summary["seen"]
    steps, left = [], seen
    for step in FUNNEL:
        lost = [(each.value, counts[each.value]) for each in step.lost if counts[each.value]]
        left -= sum(count for _, count in lost)
        steps.append(
            {
                "name": step.name,
                "meaning": step.meaning,
                "count": left,
                "share": left / seen if seen else None,
                "words": f"{number(left)} {step.name.lower()}",
                "lost": lost,
            }
        )
    return steps


def _sightings(growth: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the paper's Figure 6: when sitemaps and links first had the URLs that both have.

    Times are in the largest unit that the last of them fills twice.
    """
    if not growth["scatter"]:
        return None
    since = datetime.fromisoformat(growth["since"])
    points = [
        {name: _seconds(since, point[name]) for name in ("sitemap", "links")} | {"point": point}
        for point in growth["scatter"]
    ]
    last = max(max(point["sitemap"], point["links"]) for point in points)
    unit, size = next((each for each in UNITS if last >= 2 * each[1]), UNITS[-1])
    return {"unit": unit, "size": size, "points": points}


def _seconds(since: datetime, moment: str) -> float:
    return (datetime.fromisoformat(moment) - since).total_seconds()


def _for_scripts(pattern: re.Pattern[str]) -> str:
    """Return a regular expression in the notation of JavaScript, flag ``u``."""
    return re.sub(r"\\U0*([0-9a-f]+)", r"\\u{\1}", pattern.pattern)


def _line(values: Iterable[object]) -> bytes:
    return json.dumps(list(values), separators=(",", ":")).encode() + b"\n"


def _column(name: str, cells: tuple[object, ...], origin: str) -> list[object]:
    if name in ("url", "parent", "canonical"):
        prefix, length = f"{origin}/", len(origin)
        return [
            cell[length:] if isinstance(cell, str) and cell.startswith(prefix) else cell
            for cell in cells
        ]
    return [
        cell if type(cell) is not str or len(cell) <= MAX_CELL else clip(cell, MAX_CELL)
        for cell in cells
    ]
