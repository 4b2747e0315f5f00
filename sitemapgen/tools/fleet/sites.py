"""sites.csv: one site a line, a column for each argument of the spider; read as a whole.

The arguments are those of ``params.py``, which validates them here as it does in a crawl.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from sitemapgen.core.urls import hostname
from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import Params, argument_fault, sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSite:
    """A line of sites.csv."""

    line: int
    """Number of its line, from 1."""
    url: str
    """The start URL, complete, without user and password."""
    host: str
    """Sites of one host have their state on the same server, and are crawled one after another."""
    key: str
    """Name of the output directory, by which a site is recognised after a restart."""
    arguments: dict[str, str] = field(repr=False)
    """What is given to the spider; secrets among them."""


class BadLine(NamedTuple):
    """A line that is no site."""

    line: int
    reason: str


class Sites(NamedTuple):
    """What is in a sites.csv."""

    good: list[FleetSite]
    bad: list[BadLine]


def read_sites(path: Path) -> Sites:
    """Read and validate all lines. Raises CrawlError for a file or a header that is unusable."""
    try:
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise CrawlError(Exit.ARGUMENTS, f"{path}: cannot be read: {error.strerror}") from error
    try:
        sites = _parse_sites(text)
    except CrawlError as error:
        raise CrawlError(error.exit_code, f"{path}: {error.sentence}") from error
    if not (sites.good or sites.bad):
        raise CrawlError(Exit.ARGUMENTS, f"{path}: no sites below its header; write one a line")
    return sites


def _parse_sites(text: str) -> Sites:
    rows = _csv_rows(text)
    line, _, header = next(rows, (1, 1, []))
    names = [name.strip() for name in header]
    if fault := _header_fault(names):
        raise CrawlError(Exit.ARGUMENTS, f"line {line}: {fault}")
    sites = Sites([], [])
    known: dict[str, int] = {}
    for line, last, cells in rows:
        try:
            site = _parse_site(line, names, cells)
            if site.key in known:
                words = f"output: {site.key} is also that of line {known[site.key]}"
                raise ValueError(f"{words}; give one of them another output")
        except ValueError as error:
            upto = f"(up to line {last}) " if last > line else ""
            sites.bad.append(BadLine(line, f"{upto}{error}"))
        else:
            known[site.key] = line
            sites.good.append(site)
    return sites


def _csv_rows(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the rows that are not blank, each with the numbers of its first and last line.

    Raises CrawlError for a quotation mark that is never closed.
    """
    reader = csv.reader(io.StringIO(text.replace("\0", "\udc80"), newline=""), strict=True)
    first = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield first, reader.line_num, cells
            first = reader.line_num + 1
    except csv.Error as error:
        words = f"line {first}: a quotation mark is not closed, or stands within a cell ({error})"
        raise CrawlError(Exit.ARGUMENTS, words) from error


def _header_fault(names: list[str]) -> str:
    if "url" not in names:
        return "no header with the column url; write url,output,max_pages or any other arguments"
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        return f"the column {doubled or 'without a name'} is there twice; keep one"
    return next(filter(None, map(argument_fault, names)), "")


def _parse_site(line: int, names: list[str], cells: list[str]) -> FleetSite:
    """Return the site of a row; raises ValueError with what is wrong."""
    if len(cells) != len(names):
        words = f"{counted(len(cells), 'cell')} for {counted(len(names), 'column')}"
        raise ValueError(f"{words}; put quotes around cells with commas")
    if any(
        "\udc80" <= character <= "\udcff" for character in "".join(cells)
    ):  # or NUL: ``_csv_rows``
        raise ValueError("not UTF-8; save the file in that encoding")
    pairs = zip(names, map(str.strip, cells))
    arguments = {name: value for name, value in pairs if value}
    if "url" not in arguments:
        raise ValueError("url: missing")
    try:
        params = Params.model_validate(arguments)
    except ValidationError as error:
        raise ValueError("; ".join(sentences(error))) from None
    key = str(params.output or params.output_directory().name)
    host = hostname(params.url)
    return FleetSite(line=line, url=params.url, host=host, key=key, arguments=arguments)
