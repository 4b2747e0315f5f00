"""Matching of a file of indexed URLs, of any length, with the URLs of a store.

The form of the file: ``core/indexed.py``.
"""

from __future__ import annotations

import codecs
import heapq
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.analysis.coverage import NotSeen
from sitemapgen.analysis.key_index import NOWHERE, Places, distinct
from sitemapgen.core.indexed import SAMPLE, Unusable, recognise, rows
from sitemapgen.core.urls import key, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import TextIO

    from sitemapgen.analysis.graph import Ints, Mask
    from sitemapgen.core.indexed import IndexedUrl, TableFormat
    from sitemapgen.core.urls import Site

LINE = 1 << 16
"""Maximum characters of a line, so that a file without line ends takes little memory."""
BATCH = 50_000
"""Number of rows that are matched at a time."""
EXAMPLES = 20
EXAMPLE_LENGTH = 2_048
"""Maximum characters of an example."""

ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Index(NamedTuple):
    """Counts of a file about a site; arrays have one element for each node."""

    file: str
    """Name of the file, without directories."""
    rows: int
    """Number of rows with a URL."""
    urls: int
    """Number of distinct URLs of the site."""
    foreign: int
    """Number of rows with a URL of another origin, or outside the directory of the crawl."""
    foreign_examples: list[str]
    malformed: int
    not_seen: NotSeen
    not_seen_examples: list[str]
    is_indexed: Mask
    has_impressions: Mask | None
    """None if the file has no such column; so is ``has_clicks``."""
    has_clicks: Mask | None


def check(path: Path) -> None:
    """Raise Unusable, with a sentence, if a file is no table of URLs for ``indexed``."""
    with _opened(path):
        pass


def match(path: Path, site: Site, keys: Ints) -> Index:
    """Read a file, and find its URLs among the nodes with these keys.

    URLs are normalised as those of the crawl are. Several rows of one URL, such as those with
    fragments, count once. Memory: 20 bytes a node, 8 a URL of the file. Raises Unusable, with a
    sentence, when the file cannot be read or has no URL of the site.
    """
    with _opened(path) as (lines, form):
        matcher = _Matcher(site, keys)
        found = rows(lines, form)
        while batch := list(islice(found, BATCH)):
            matcher.add(batch)
    if matcher.foreign and not matcher.known:
        first = matcher.foreign_examples[0]
        raise Unusable(f"{path} has no URL of {site.origin}; the first one is {first}")
    if not matcher.known:
        raise Unusable(f"{path} has no http or https URL")
    return matcher.index(path.name, has_clicks=form.has_clicks)


class _Matcher:
    """Adds up the rows of a file by node."""

    def __init__(self, site: Site, keys: Ints) -> None:
        self.site, self.places = site, Places(keys)
        self.foreign, self.malformed, self.known = 0, 0, 0
        self.foreign_examples: list[str] = []
        self._is_indexed = np.zeros(len(keys), np.bool_)
        self._is_clicked = np.zeros(len(keys), np.bool_)
        self._is_shown = np.zeros(len(keys), np.bool_)
        self._not_seen = [np.empty(0, np.int64)]
        self._not_seen_shown = [np.empty(0, np.int64)]
        self._not_seen_clicked = [np.empty(0, np.int64)]
        self._not_seen_examples: list[str] = []

    def add(self, batch: list[IndexedUrl | None]) -> None:
        urls: list[str] = []
        numbers: list[tuple[int, int]] = []
        for row in batch:
            url = row and self.site.resolve(row.url)
            if row is None or url is None:
                self.malformed += 1
            elif self._is_of_site(url):
                urls.append(url)
                numbers.append((row.clicks, row.impressions))
            else:
                self.foreign += 1
                if len(self.foreign_examples) < EXAMPLES:
                    self.foreign_examples.append(url[:EXAMPLE_LENGTH])
        self.known += len(urls)
        keys = np.fromiter(map(key, urls), np.int64, len(urls))
        nodes = self.places.find(keys)
        is_seen = nodes != NOWHERE
        self._is_indexed[nodes[is_seen]] = True
        clicks, impressions = np.array(numbers, np.int64).reshape(-1, 2).T
        self._is_clicked[nodes[is_seen & (clicks > 0)]] = True
        self._is_shown[nodes[is_seen & (impressions > 0)]] = True
        self._not_seen.append(distinct(keys[~is_seen]))
        self._not_seen_shown.append(distinct(keys[~is_seen & (impressions > 0)]))
        self._not_seen_clicked.append(distinct(keys[~is_seen & (clicks > 0)]))
        others = {urls[place][:EXAMPLE_LENGTH] for place in np.flatnonzero(~is_seen).tolist()}
        self._not_seen_examples = heapq.nsmallest(EXAMPLES, others.union(self._not_seen_examples))

    def _is_of_site(self, url: str) -> bool:
        return self.site.owns(url) and split(url).path.startswith(self.site.directory)

    def index(self, name: str, *, has_clicks: bool) -> Index:
        kept = (self._not_seen, self._not_seen_shown, self._not_seen_clicked)
        not_seen = NotSeen(*(len(distinct(np.concatenate(keys))) for keys in kept))
        return Index(
            file=name,
            rows=self.known + self.foreign,
            urls=not_seen.indexed + int(np.count_nonzero(self._is_indexed)),
            foreign=self.foreign,
            foreign_examples=sorted(self.foreign_examples),
            malformed=self.malformed,
            not_seen=not_seen,
            not_seen_examples=self._not_seen_examples,
            is_indexed=self._is_indexed,
            has_impressions=self._is_shown if has_clicks else None,
            has_clicks=self._is_clicked if has_clicks else None,
        )


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Iterable[str], TableFormat]]:
    """Open a file; return its lines and its form. Raises Unusable, with its name."""
    try:
        with path.open("rb") as raw:
            encoding = _encoding(raw.read(4))
        with path.open(encoding=encoding, newline="") as file:
            lines = _lines(file)
            sample = list(islice(lines, SAMPLE))
            yield chain(sample, lines), recognise(sample)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeError as error:
        raise Unusable(f"{path} is neither UTF-8 nor UTF-16; save it as UTF-8") from error
    except Unusable as error:
        raise Unusable(f"{path} {error}") from error


def _encoding(start: bytes) -> str:
    if start.startswith(b"PK"):
        raise Unusable("is an archive or a workbook; name the table of pages that is in it, as CSV")
    return next((name for mark, name in ENCODINGS if start.startswith(mark)), "utf-8")


def _lines(file: TextIO) -> Iterator[str]:
    while line := file.readline(LINE):
        yield line.replace("\0", "")
