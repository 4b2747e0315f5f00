"""What does an output directory, a store, a urls.csv or a sitemap say of each URL?

What changed between two of them: ``analysis/difference.py``.
"""

from __future__ import annotations

import csv
import logging
from collections import deque
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.analysis.difference import State
from sitemapgen.core.seeding import MAX_LEVELS
from sitemapgen.core.sitemaps import read
from sitemapgen.core.urls import parse
from sitemapgen.errands.documents import Documents, Forbidden, Unreadable, is_url, read_with
from sitemapgen.exits import CrawlError, Exit
from sitemapgen.items import Verdict
from sitemapgen.publish.sitemaps import ENTRY
from sitemapgen.store import Limits
from sitemapgen.store.opening import NAME
from sitemapgen.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from scrapy.settings import Settings

logger = logging.getLogger(__name__)

OUTPUTS = ("urls.csv", NAME, ENTRY)
"""What is looked for in an output directory: what was published, before what is under way."""
PENDING = "pending"
"""Stands for the verdict of a URL that a crawl has not come to."""

_SQLITE, _CSV = b"SQLite format 3\0", b"url,verdict,"
LISTED = Verdict.LISTED.value


class Source(NamedTuple):
    """Where a state comes from."""

    name: str
    """Its path or URL."""
    kind: str
    """``csv``, ``store`` or ``sitemap``: this one knows listed URLs only."""


def find(target: str) -> Source:
    """Say what an argument means: a URL, a file by its content, or what is in a directory."""
    if is_url(target):
        return Source(target, "sitemap")
    path = Path(target)
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
    return Source(str(path), kind)


@contextmanager
def states(sources: Sequence[Source], settings: Settings) -> Iterator[list[Iterable[State]]]:
    """The states of all URLs of each source, in URL order. Raises CrawlError.

    Where one is a sitemap, what the others list is all that can be compared with it.
    """
    sitemaps = _of_sitemaps([each.name for each in sources if each.kind == "sitemap"], settings)
    with ExitStack() as stack:
        found: list[Iterable[State]] = []
        for source in sources:
            if source.name in sitemaps:
                found.append(sitemaps[source.name])
                continue
            rows = _of_csv if source.kind == "csv" else _of_store
            read = stack.enter_context(rows(Path(source.name)))
            found.append(filter(_is_listed, read) if sitemaps else read)
        yield found


def _is_listed(state: State) -> bool:
    return state.verdict == LISTED


@contextmanager
def _of_csv(path: Path) -> Iterator[Iterable[State]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield _rows(csv.DictReader(file), path)


def _rows(table: csv.DictReader[str], path: Path) -> Iterator[State]:
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


@contextmanager
def _of_store(path: Path) -> Iterator[Iterable[State]]:
    store = SqliteStore(path, Limits())
    try:
        yield (State(row.url, row.verdict or PENDING, row.lastmod or "") for row in store.urls())
    finally:
        store.close()


def sitemap_states(path: Path, settings: Settings) -> list[State]:
    """What a sitemap on the disk lists, in URL order; nothing else counts as its whole content.

    Raises CrawlError when it cannot be read to its end.
    """
    name = str(path)
    return _of_sitemaps([name], settings, is_strict=True)[name]


def _of_sitemaps(
    names: Sequence[str], settings: Settings, *, is_strict: bool = False
) -> dict[str, list[State]]:
    """Read sitemaps with all their files, by their names.

    Of a URL that is listed twice, the first entry counts.
    """
    max_files = settings.getint("SITEMAPGEN_MAX_SITEMAPS")

    async def work(documents: list[Documents]) -> list[dict[str, str]]:
        return [await _read_set(each, max_files, is_strict=is_strict) for each in documents]

    found = read_with(names, settings, work) if names else []
    return {
        name: [State(url, LISTED, lastmods[url]) for url in sorted(lastmods)]
        for name, lastmods in zip(names, found)
    }


async def _read_set(documents: Documents, max_files: int, *, is_strict: bool) -> dict[str, str]:
    """The lastmod of each URL. A file that is missing is an error: what it lists is not removed."""
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
            document = await (documents.child(url) if url else documents.entry())
        except Forbidden as error:
            logger.warning("%(url)s: not read: %(error)s", {"url": url, "error": error})
            continue
        except Unreadable as error:
            raise CrawlError(
                documents.exit_code, f"{url or documents.name}: cannot be read: {error}"
            ) from error
        sitemap = read(document.body, is_cut=document.is_cut)
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
