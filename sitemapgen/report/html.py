"""report.html: the audit as one page that opens offline, for the person who decides what to fix.

Its only sources are report.json and the rows of urls.csv: same data, same bytes. Template, style
and scripts: ``page/``.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core.urls import split
from sitemapgen.report.filters import clip
from sitemapgen.report.metrics import at
from sitemapgen.report.sections.growth import changes_in_words
from sitemapgen.report.sections.on_page import PAGE_FAULTS
from sitemapgen.report.templates import render
from sitemapgen.report.urls_csv import CONTROL, FORMULA
from sitemapgen.store.results import COLUMNS
from sitemapgen.verdicts import DateFault, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import BinaryIO

    from sitemapgen.report.metrics import Source
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


class ReportSection(NamedTuple):
    """A section of the page; its template has its name in ``page/sections/``."""

    title: str
    topic: str
    """The fold that it is in; empty for none."""
    facts: tuple[Source, ...]
    """Values of the report: the section is shown where one of them is not 0 or empty."""


SITEMAP, LINKS, PAGES, CRAWL = "The sitemap", "Links", "Pages", "The crawl"
SECTIONS = {
    "priorities": ReportSection("What to fix first", "", ("start",)),
    "changes": ReportSection(
        "What has changed",
        SITEMAP,
        (lambda report: changes_in_words(report["changes"]) or len(report["trends"]) > 1,),
    ),
    "missing": ReportSection("What the sitemaps lack", SITEMAP, ("missing.crawled.count",)),
    "wasted": ReportSection("What they should not list", SITEMAP, ("wasted.urls",)),
    "lastmod": ReportSection(
        "Dates of last change", SITEMAP, ("lastmod", "lastmod_trust", "hreflang.pages")
    ),
    "sitemaps": ReportSection("Sitemap files", SITEMAP, ("sitemaps", "sources.parts")),
    "indexed": ReportSection("What is indexed", SITEMAP, ("indexed",)),
    "broken_links": ReportSection("Broken links", LINKS, ("broken_links.count",)),
    "redirects": ReportSection("Redirects", LINKS, ("redirects.count",)),
    "orphans": ReportSection("Orphans and dead ends", LINKS, ("orphans.count", "dead_ends.count")),
    "other_addresses": ReportSection(
        "Other addresses of this site", LINKS, ("other_addresses.count",)
    ),
    "external": ReportSection("Links to other sites", LINKS, ("external.links",)),
    "depth": ReportSection("Clicks from the start", LINKS, ("histograms.depth",)),
    "titles": ReportSection(
        "Titles, descriptions and h1",
        PAGES,
        (lambda report: any(each.get("count") for each in report["titles"].values()),),
    ),
    "on_page": ReportSection(
        "Headings, images, links and structured data",
        PAGES,
        ("on_page.structured_data", *(f"on_page.{fault.id}.count" for fault in PAGE_FAULTS)),
    ),
    "speed": ReportSection("Speed and size", PAGES, ("speed.slow.count", "speed.large.count")),
    "kinds": ReportSection("Kinds of pages", PAGES, ("kinds.count",)),
    "duplicates": ReportSection(
        "Duplicates", PAGES, ("duplicates.exact.count", "duplicates.near.count")
    ),
    "rendering": ReportSection(
        "Pages that scripts fill",
        PAGES,
        ("rendering.scripted", "rendering.needed.count", "blank.count"),
    ),
    "not_looked_at": ReportSection("What was not looked at", CRAWL, ("not_looked_at",)),
    "growth": ReportSection("New URLs", CRAWL, ("growth.new.count",)),
    "coverage": ReportSection("Coverage in detail", CRAWL, ("seen",)),
    "urls": ReportSection("All URLs", "", ("seen",)),
}
"""The sections of the page, in their order; most are named after a field of report.json."""
ELSEWHERE = {
    "blank": "rendering",
    "logins": "redirects",
    "shared_canonical": "duplicates",
    "dead_ends": "orphans",
    "distrusted_lastmods": "lastmod",
    "lastmod_trust": "lastmod",
    "hreflang": "lastmod",
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
            has_room = self._keep(chunk)
            yield from chunk
            if not has_room:
                break
        yield from rest

    def finish(self) -> bytes:
        """Return gzipped lines of JSON: the column names, then chunks, each a list of columns."""
        self._packed += self._packer.flush()
        return bytes(self._packed)

    def _keep(self, chunk: list[tuple[object, ...]]) -> bool:
        """Pack rows, unless they exceed MAX_BYTES; return whether they were packed."""
        line = _line(
            _column(name, column, self._origin) for name, column in zip(COLUMNS, zip(*chunk))
        )
        self._size += len(line)
        if self._size > MAX_BYTES:
            return False
        if not self.count:
            self._packed += self._packer.compress(_line(COLUMNS))
        self._packed += self._packer.compress(line)
        self.count += len(chunk)
        return True


def write(summary: Mapping[str, Any], table: Table, file: BinaryIO) -> None:
    """Write the report of ``summary``, the data of report.json, with the rows of ``table``.

    All text of the site is escaped.
    """
    origin = split(summary["start"]).origin
    shown = {
        name: row
        for name, row in SECTIONS.items()
        if any(at(summary, source) for source in row.facts)
    }
    values = {
        "r": summary,
        "host": origin.partition("://")[2],
        "origin": origin,
        "topics": _topics(shown),
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
        "patterns": {"formula": _for_scripts(FORMULA), "control": _for_scripts(CONTROL)},
    }
    page = render("report.html.jinja", SCRIPTS, values)
    before, _, after = page.rpartition(ROWS)
    file.write(before.encode("utf-8", "replace"))
    file.write(base64.b64encode(table.finish()))
    file.write(after.encode("utf-8", "replace"))


def _topics(shown: Mapping[str, ReportSection]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the topics with the names and titles of their sections."""
    by_topic = groupby(shown.items(), key=lambda item: item[1].topic)
    return [(topic, [(name, row.title) for name, row in rows]) for topic, rows in by_topic]


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
