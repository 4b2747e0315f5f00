"""Matching of a file of indexed URLs, of any length, with the URLs of a store.

The format of the file: ``core/indexed.py``.
"""

from __future__ import annotations

import codecs
import heapq
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path

import numpy as np

from sitemapgen.analysis.coverage import NotSeen
from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.analysis.key_index import NOWHERE, Places, distinct
from sitemapgen.core.indexed import (
    SAMPLE,
    IndexedUrl,
    TableFormat,
    Unusable,
    read_rows,
    recognise_format,
)
from sitemapgen.core.urls import Site, key, split

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


def check_table(path: Path) -> None:
    """Raise Unusable, with a sentence, if a file is no table of URLs for ``indexed``."""
    with _open_table(path):
        pass


def match_urls(path: Path, site: Site, keys: Ints) -> Index:
    """Read a file, and find its URLs among the nodes with these keys.

    URLs are normalised as those of the crawl are. Several rows of one URL, such as those with
    fragments, count once. Memory: 20 bytes a node, 8 a URL of the file. A file that cannot be read
    or has no URL of the site has an ``Index.error``, and no counts.
    """
    try:
        with _open_table(path) as (lines, table_format):
            index = Index(path.name, site, keys, has_clicks=table_format.has_clicks)
            found = read_rows(lines, table_format)
            while batch := list(islice(found, BATCH)):
                index.add(batch)
        if index.foreign and index.rows == index.foreign:
            first = index.foreign_examples[0]
            raise Unusable(f"{path} has no URL of {site.origin}; the first one is {first}")
        if not index.rows:
            raise Unusable(f"{path} has no http or https URL")
    except Unusable as error:
        return Index(path.name, site, keys, error=str(error))
    index.foreign_examples.sort()
    return index


class Index:
    """Counts of a file about a site; arrays have one element for each node."""

    def __init__(
        self, file: str, site: Site, keys: Ints, *, has_clicks: bool = False, error: str = ""
    ) -> None:
        """``file``: its name, without directories. ``has_clicks``: whether it has such columns.

        ``error``: why it is of no use, as a sentence; empty for a usable file.
        """
        self.file, self.error = file, error
        self.rows, self.foreign, self.malformed = 0, 0, 0
        """Number of rows with a URL; of these, with one of another origin, or outside the directory
        of the crawl; and of rows without a URL."""
        self.foreign_examples: list[str] = []
        self.not_seen_examples: list[str] = []
        self.is_indexed, is_shown, is_clicked = np.zeros((3, len(keys)), np.bool_)
        self.has_impressions: Mask | None = is_shown if has_clicks else None
        self.has_clicks: Mask | None = is_clicked if has_clicks else None
        self._site, self._places = site, Places(keys)
        self._not_seen: tuple[list[Ints], ...] = tuple([np.empty(0, np.int64)] for _ in range(3))

    @cached_property
    def not_seen(self) -> NotSeen:
        """Number of distinct URLs of the site that the crawl never saw; read after the last row."""
        return NotSeen(*(len(distinct(np.concatenate(keys))) for keys in self._not_seen))

    @property
    def urls(self) -> int:
        """Number of distinct URLs of the site."""
        return self.not_seen.indexed + int(np.count_nonzero(self.is_indexed))

    def add(self, batch: list[IndexedUrl | None]) -> None:
        """Count rows; None stands for one without a URL."""
        urls: list[str] = []
        numbers: list[tuple[int, int]] = []
        for row in batch:
            url = row and self._site.resolve(row.url)
            if row is None or url is None:
                self.malformed += 1
                continue
            self.rows += 1
            if self._site.owns(url) and split(url).path.startswith(self._site.directory):
                urls.append(url)
                numbers.append((row.clicks, row.impressions))
                continue
            self.foreign += 1
            if len(self.foreign_examples) < EXAMPLES:
                self.foreign_examples.append(url[:EXAMPLE_LENGTH])
        keys = np.fromiter(map(key, urls), np.int64, len(urls))
        nodes = self._places.find_positions(keys)
        is_seen = nodes != NOWHERE
        clicks, impressions = np.array(numbers, np.int64).reshape(-1, 2).T
        masks = (self.is_indexed, self.has_impressions, self.has_clicks)
        is_any = np.ones(len(keys), np.bool_)
        states = (is_any, impressions > 0, clicks > 0)
        for mask, state, not_seen in zip(masks, states, self._not_seen):
            not_seen.append(distinct(keys[~is_seen & state]))
            if mask is not None:
                mask[nodes[is_seen & state]] = True
        others = {urls[place][:EXAMPLE_LENGTH] for place in np.flatnonzero(~is_seen).tolist()}
        self.not_seen_examples = heapq.nsmallest(EXAMPLES, others.union(self.not_seen_examples))


@contextmanager
def _open_table(path: Path) -> Iterator[tuple[Iterable[str], TableFormat]]:
    """Open a file; return its lines and its format. Raises Unusable, with its name."""
    try:
        with path.open("rb") as raw:
            start = raw.read(4)
        if start.startswith(b"PK"):
            words = "is an archive or a workbook; name the table of pages that is in it, as CSV"
            raise Unusable(words)
        encoding = next((name for mark, name in ENCODINGS if start.startswith(mark)), "utf-8")
        with path.open(encoding=encoding, newline="") as file:
            lines = (text.replace("\0", "") for text in iter(partial(file.readline, LINE), ""))
            sample = list(islice(lines, SAMPLE))
            yield chain(sample, lines), recognise_format(sample)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeError as error:
        raise Unusable(f"{path} is neither UTF-8 nor UTF-16; save it as UTF-8") from error
    except Unusable as error:
        raise Unusable(f"{path} {error}") from error
