"""Columns and rows of the exported tables, from the store, in batches with bounded memory.

The table in docs/guides/tables.md is generated from the columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar
from urllib.parse import unquote

import numpy as np

from sitemapgen.analysis.parts import UNDATED, epoch_seconds
from sitemapgen.core.document.texts import line
from sitemapgen.core.urls import first_segment
from sitemapgen.store.export import ChangeRow, Export, LinksRow, RunRow
from sitemapgen.verdicts import Verdict

Row: TypeAlias = tuple[Any, ...]
Batch: TypeAlias = Sequence[Any]
"""One list or array for each column, all of one length."""

Kind: TypeAlias = Literal["int64", "int32", "int16", "double", "bool", "string", "word", "time"]
"""``word``: a string of few different values; ``time``: seconds since 1970 UTC in the rows, a
timestamp in the files. All may be None."""


class Column(NamedTuple):
    """One column of a table."""

    name: str
    kind: Kind
    meaning: str


PAGES = (
    Column("key", "int64", "the URL's hash, the same in each crawl and table"),
    Column("url", "string", "the URL"),
    Column("section", "word", "the first directory of its path, decoded; empty for the root"),
    Column("verdict", "word", "its verdict (docs/reference/verdicts.md); empty: none yet"),
    Column("reason", "word", "why, as a word, where the verdict has several causes"),
    Column("evidence", "string", "why, for people"),
    Column(
        "other_url",
        "string",
        "the URL that the verdict is about: the redirect's target, the canonical, the page with "
        "the same content",
    ),
    Column("status", "int16", "HTTP status; empty: not fetched, or no answer"),
    Column("depth", "int32", "links from the start URL; empty: none lead to it"),
    Column("parent_key", "int64", "the page one link nearer to the start URL"),
    Column("in_degree", "int32", "number of pages that link to it"),
    Column("pagerank", "double", "its PageRank within the site"),
    Column("reached", "bool", "followed links lead to it from the start URL"),
    Column("in_sitemap", "bool", "the site's own sitemaps list it"),
    Column("canonical", "string", "the canonical URL that it names"),
    Column("language", "word", "its language"),
    Column("title", "string", "its title"),
    Column("text_length", "int32", "characters of its main text, without white space"),
    Column("lastmod", "time", "its date of change; a day without a time is midnight UTC"),
    Column("lastmod_source", "word", "where that date is from"),
    Column("lastmod_evidence", "string", "that date as it is given, or why there is none"),
    Column("visited", "time", "when it was last visited"),
    Column("first_linked", "time", "when a link to it was first seen, in all runs"),
    Column("first_in_sitemap", "time", "when a sitemap first listed it, in all runs"),
    Column("render_seconds", "double", "time in the browser; empty: not rendered"),
)
LINKS = (
    Column("source", "int64", "key of the page with the link, or of the redirect"),
    Column("target", "int64", "key of the URL it leads to"),
    Column("nofollow", "bool", "it is not followed"),
)
VISITS = (
    Column("key", "int64", "the page"),
    Column("visited", "time", "when it answered, or a 304 confirmed it"),
    Column("text_changed", "bool", "its main text had changed; empty: the first visit"),
    Column("links_changed", "bool", "its links had changed"),
    Column("directives_changed", "bool", "its canonical or its robots directives had changed"),
)
HISTORY = (
    Column("key", "int64", "a URL whose verdict or date the run changed"),
    Column("url", "string", "the URL"),
    Column("verdict", "word", "its verdict; empty: nothing names it any more"),
    Column("verdict_before", "word", "that of the run before; empty: it was not seen then"),
    Column("lastmod", "time", "its date of change, if listed"),
)
RUNS = (
    Column("number", "int32", "number of the run in its state, as in `scrapy diff OUTPUT@3`"),
    Column("start", "string", "the start URL, after redirects"),
    Column("started", "time", "when it began; the partition `run` is this"),
    Column("ended", "time", "when it ended; empty: interrupted"),
    Column("reason", "word", "why it ended: `finished`, `refused` ..."),
    Column("is_complete", "bool", "no cap left URLs unfetched; empty: it came to no end"),
    Column("seen", "int64", "number of URLs seen; empty: it came to no end"),
    Column("listed", "int64", "number of URLs listed"),
    Column("version", "word", "the version of sitemapgen"),
)

TABLES = {"pages": PAGES, "links": LINKS, "visits": VISITS, "history": HISTORY, "runs": RUNS}
"""The tables in the order in which they are replaced: a run that is in ``runs`` is in all."""


AnyRow = TypeVar("AnyRow", bound="Row")

ROWS = 8_192
"""Maximum rows of a batch; twice as many links."""
CHARACTERS = 8_000_000
"""Characters of a batch after which it ends, whatever its rows: a URL may have 100 kB."""

MAX_SECTION = 300
"""Maximum number of characters of a section."""

LISTED = Verdict.LISTED.value
STORED = [column.name for column in PAGES if column.name != "section"]
DATE = STORED.index("lastmod")


class TablePart(NamedTuple):
    """The rows of one table that belong to one run."""

    table: str
    run: int
    batches: Iterator[Batch]
    """To be read before the next part is."""


def table_parts(export: Export) -> Iterator[TablePart]:
    """Yield the parts of all tables; ``runs`` follow ``history``, from which they are counted."""
    runs = export.runs()
    last = runs[-1].run
    yield TablePart("pages", last, _in_batches(map(_page_row, export.pages(STORED))))
    yield TablePart("links", last, _link_batches(export.links()))
    for run, visits in _by_run(export.visits(), last):
        yield TablePart("visits", run, _in_batches(visit[1:] for visit in visits))
    counts = Counts()
    for run, changes in _by_run(counts.watch(export.changes()), last):
        rows = ((*row[1:5], _lastmod_seconds(row.lastmod or "")) for row in changes)
        yield TablePart("history", run, _in_batches(rows))
    for each in runs:
        yield TablePart("runs", each.run, _in_batches([_run_row(each, counts)]))


def _by_run(rows: Iterable[AnyRow], last: int) -> Iterator[tuple[int, Iterable[AnyRow]]]:
    """Yield the rows of each run that has any, and of the last one."""
    run = 0
    for run, of_run in groupby(rows, itemgetter(0)):
        yield run, of_run
    if run != last:
        yield last, ()


class Counts:
    """Number of URLs seen and listed by run, counted from the changes of each run."""

    def __init__(self) -> None:
        self._more: Counter[tuple[str, int]] = Counter()

    def watch(self, changes: Iterable[ChangeRow]) -> Iterator[ChangeRow]:
        """Yield the changes, and count them."""
        for change in changes:
            seen = (change.verdict is not None) - (change.verdict_before is not None)
            listed = (change.verdict == LISTED) - (change.verdict_before == LISTED)
            self._more["seen", change.run] += seen
            self._more["listed", change.run] += listed
            yield change

    def of(self, what: str, run: int) -> int:
        """Return the number of URLs ``seen`` or ``listed`` in a run."""
        return sum(
            more for (each, number), more in self._more.items() if each == what and number <= run
        )


def section_of(url: str) -> str:
    """Return the first directory of a URL's path, decoded; empty for a URL in no directory.

    >>> section_of("https://example.com/a%20b/c"), section_of("https://example.com/c")
    ('a b', '')
    """
    return line(unquote(first_segment(url)), MAX_SECTION)


def _page_row(row: Row) -> Row:
    lastmod = row[DATE]
    return (
        *row[:2],
        section_of(row[1]),
        *row[2:DATE],
        lastmod and _lastmod_seconds(lastmod),
        *row[DATE + 1 :],
    )


def _run_row(row: RunRow, counts: Counts) -> Row:
    seen, listed = (
        None if row.is_complete is None else counts.of(what, row.run) for what in ("seen", "listed")
    )
    ends = (row.ended, row.reason, row.is_complete)
    return (row.run, row.start, row.started, *ends, seen, listed, row.version)


def _lastmod_seconds(lastmod: str) -> int | None:
    moment = epoch_seconds(lastmod)
    return None if moment == UNDATED else moment


def _in_batches(rows: Iterable[Row]) -> Iterator[Batch]:
    batch: list[Row] = []
    characters = 0
    for row in rows:
        batch.append(row)
        characters += sum([len(cell) for cell in row if type(cell) is str])
        if len(batch) == ROWS or characters > CHARACTERS:
            yield list(zip(*batch))
            batch.clear()
            characters = 0
    if batch:
        yield list(zip(*batch))


def _link_batches(rows: Iterable[LinksRow]) -> Iterator[Batch]:
    """Yield a row for each link, by source; the followed ones of a page first."""
    pages: list[LinksRow] = []
    size = 0
    for row in rows:
        pages.append(row)
        size += len(row.followed) + len(row.nofollow)
        if size > ROWS * 16:
            yield _unpack_links(pages)
            pages.clear()
            size = 0
    if pages:
        yield _unpack_links(pages)


def _unpack_links(pages: Sequence[LinksRow]) -> Batch:
    packed = [each for row in pages for each in (row.followed, row.nofollow)]
    counts = np.array([len(each) // 8 for each in packed])
    sources = np.repeat(np.array([row.source for row in pages]), 2)
    is_nofollow = np.tile([False, True], len(pages))
    targets = np.frombuffer(b"".join(packed), np.int64)
    return np.repeat(sources, counts), targets, np.repeat(is_nofollow, counts)
