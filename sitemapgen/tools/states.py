"""States of URLs, read from an output directory, a run of a store, a urls.csv or a sitemap.

Comparison of two of them: ``analysis/difference.py``.
"""

from __future__ import annotations

import csv
import logging
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sitemapgen.analysis.difference import State
from sitemapgen.core.sitemap_files.discover import MAX_LEVELS
from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.core.urls import parse
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from sitemapgen.store.opening import STORE_FILE
from sitemapgen.tools.command import is_url
from sitemapgen.tools.documents import Documents, Forbidden, UnreadableFile, read_with
from sitemapgen.verdicts import Verdict

logger = logging.getLogger(__name__)

OUTPUTS = ("urls.csv", STORE_FILE, ENTRY)
"""Files of an output directory, in order of preference: first what was published."""
OF_RUN = re.compile(r"(.+)@([0-9]{1,9})", re.DOTALL)
"""Name of one of the runs of a store: ``output@3``."""
PENDING = "pending"
"""Placeholder for the verdict of a URL that a crawl has not fetched yet."""

_SQLITE, _CSV = b"SQLite format 3\0", b"url,verdict,"
LISTED = Verdict.LISTED.value


class StateSource(NamedTuple):
    """The source of a state."""

    name: str
    """Its path or URL."""
    kind: str
    """``csv``, ``store`` or ``sitemap``; the last one has listed URLs only."""
    store: str = ""
    """The path of the store of a run; empty for other sources."""
    run: int = 0
    """The number of the run; 0 for the current content of a store."""


def find_source(target: str) -> StateSource:
    """Resolve an argument: a URL, a file (by its content), a directory or a run.

    Raises CrawlError for anything else.
    """
    if is_url(target):
        return StateSource(target, "sitemap")
    path = Path(target)
    if not path.exists() and (named := OF_RUN.fullmatch(target)):
        store, runs = _concluded_runs(named[1])
        if (number := int(named[2])) not in runs:
            there = f"there are {_describe_ranges(runs)}" if runs else "none has come to its end"
            raise CrawlError(Exit.ARGUMENTS, f"{named[1]}@{number}: no such run; {there}")
        return StateSource(f"{named[1]}@{number}", "store", store, number)
    if path.is_dir():
        found = next((path / name for name in OUTPUTS if (path / name).is_file()), None)
        if found is None:
            names = ", ".join(OUTPUTS)
            raise CrawlError(Exit.ARGUMENTS, f"{target}: none of {names} is in this directory")
        path = found
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CrawlError(Exit.ARGUMENTS, f"{target}: cannot be read: {why}") from error
    kind = "store" if head == _SQLITE else "csv" if head.startswith(_CSV) else "sitemap"
    return StateSource(str(path), kind)


def last_two(target: str) -> list[StateSource]:
    """Return the last two runs of a store or its directory, in order. Raises CrawlError."""
    path, runs = _concluded_runs(target)
    if len(runs) < 2:
        only = f"only run {runs[0]}" if runs else "no run"
        raise CrawlError(
            Exit.ARGUMENTS,
            f"{target}: {only} has come to its end, and it takes two; crawl again, or give OLD NEW",
        )
    return [StateSource(f"{target}@{run}", "store", path, run) for run in runs[-2:]]


def _concluded_runs(target: str) -> tuple[str, list[int]]:
    path = Path(target)
    path = path / STORE_FILE if path.is_dir() else path
    if not path.is_file():
        raise CrawlError(Exit.ARGUMENTS, f"{target}: not the output of a crawl; no {STORE_FILE}")
    with closing(Store(path, Limits(), lent=True)) as store:
        return str(path), store.history.concluded_runs()


def _describe_ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers in words.

    >>> _describe_ranges([1, 2, 3, 5, 8, 9])
    '1 to 3, 5, 8 and 9'
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    words = []
    for first, last in spans:
        link = " to " if last > first + 1 else " and "
        words.append(f"{first}{link}{last}" if last > first else str(first))
    return ", ".join(words)


@contextmanager
def read_states(
    sources: Sequence[StateSource], settings: Mapping[str, Any]
) -> Iterator[list[Iterable[State]]]:
    """Yield the states of all URLs of each source, in URL order. Raises CrawlError.

    If one source is a sitemap, only listed URLs of the others are included.
    """
    sitemaps = _of_sitemaps([each.name for each in sources if each.kind == "sitemap"], settings)
    with ExitStack() as stack:
        found: list[Iterable[State]] = []
        stores: dict[str, Store] = {}
        for source in sources:
            if source.name in sitemaps:
                found.append(sitemaps[source.name])
                continue
            if source.kind == "csv":
                path = Path(source.name)
                file = stack.enter_context(path.open(encoding="utf-8", newline=""))
                read = _read_rows(csv.DictReader(file), path)
            else:
                where = source.store or source.name
                if where not in stores:
                    store = Store(Path(where), Limits(), lent=True)
                    stores[where] = stack.enter_context(closing(store))
                read = _of_store(stores[where], source.run)
            found.append((each for each in read if each.verdict == LISTED) if sitemaps else read)
        yield found


def _read_rows(table: csv.DictReader[str], path: Path) -> Iterator[State]:
    before = ""
    try:
        for row in table:
            state = State(row["url"], row["verdict"], row["lastmod"])
            if state.url <= before:
                raise CrawlError(
                    Exit.ARGUMENTS,
                    f"{path}: line {table.line_num}: not in URL order, as it was written",
                )
            before = state.url
            yield state
    except (KeyError, TypeError, csv.Error, UnicodeDecodeError) as error:
        raise CrawlError(
            Exit.ARGUMENTS, f"{path}: line {table.line_num}: not as urls.csv is written"
        ) from error


def _of_store(store: Store, run: int) -> Iterator[State]:
    if run:
        return map(State._make, store.history.run_outcomes(run))
    return (
        State(row.url, row.verdict or PENDING, row.lastmod or "") for row in store.results.urls()
    )


def sitemap_states(path: Path, settings: Mapping[str, Any]) -> list[State]:
    """Return the URLs of a sitemap on disk, in URL order.

    Raises CrawlError if the sitemap cannot be read completely.
    """
    name = str(path)
    return _of_sitemaps([name], settings, is_strict=True)[name]


def _of_sitemaps(
    names: Sequence[str], settings: Mapping[str, Any], *, is_strict: bool = False
) -> dict[str, list[State]]:
    """Read sitemaps with all their files; return the states by name.

    If a URL is listed twice, the first entry counts.
    """
    max_files = int(settings["SITEMAPGEN_MAX_SITEMAPS"])

    async def work(documents: list[Documents]) -> list[dict[str, str]]:
        return [await _read_set(each, max_files, is_strict=is_strict) for each in documents]

    found = read_with(names, settings, work) if names else []
    return {
        name: [State(url, LISTED, lastmods[url]) for url in sorted(lastmods)]
        for name, lastmods in zip(names, found)
    }


async def _read_set(documents: Documents, max_files: int, *, is_strict: bool) -> dict[str, str]:
    """Return the lastmod of each URL. A missing file is an error, as its URLs are not removed."""
    lastmods: dict[str, str] = {}
    met: set[str] = set()
    waiting: deque[tuple[str, int]] = deque([("", 1)])
    while waiting:
        url, level = waiting.popleft()
        if 0 < max_files <= len(met):
            raise CrawlError(
                Exit.ARGUMENTS,
                f"{documents.name}: more files than SITEMAPGEN_MAX_SITEMAPS={max_files}",
            )
        try:
            document = await (documents.read_child(url) if url else documents.read_entry())
        except Forbidden as error:
            logger.warning("%(url)s: not read: %(error)s", {"url": url, "error": error})
            continue
        except UnreadableFile as error:
            raise CrawlError(
                documents.exit_code, f"{url or documents.name}: cannot be read: {error}"
            ) from error
        sitemap = read_sitemap(document.body, is_cut=document.is_cut)
        if not sitemap.format:
            raise CrawlError(Exit.ARGUMENTS, f"{document.name}: no sitemap: {sitemap.error}")
        if sitemap.error and is_strict:
            raise CrawlError(Exit.REFUSED, f"{document.name}: {sitemap.error}")
        if sitemap.error:
            logger.warning("%(name)s: %(error)s", {"name": document.name, "error": sitemap.error})
        for entry in sitemap.entries:
            lastmods.setdefault(parse(entry.url) or entry.url, entry.lastmod)
        for href in sitemap.children:
            child = parse(href)
            if child and child not in met and level < MAX_LEVELS:
                met.add(child)
                waiting.append((child, level + 1))
    return lastmods
