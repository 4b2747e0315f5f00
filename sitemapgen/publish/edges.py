"""links.csv: the link graph, one row for each edge, with the text and kind of the link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.report import urls_csv

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from sitemapgen.store import Store

FORMAT = "links"
NAME = "links.csv"
COLUMNS = ("source", "target", "text", "nofollow", "kind")
HEAD = (",".join(COLUMNS) + "\n").encode()


def write(store: Store, file: BinaryIO) -> None:
    """Write a row for each distinct source and target, sorted by both."""
    urls_csv.write(_rows(store), file, COLUMNS)


def _rows(store: Store) -> Iterator[tuple[object, ...]]:
    for source, labels in store.results.labels():
        for target, kind, text, nofollow in sorted(labels):
            yield source, target, text, int(nofollow), kind
