"""Listed pages that a test names, as a store has them, and the page for people of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from selectolax.lexbor import LexborHTMLParser

from sitemapgen.publish import html_pages
from sitemapgen.publish.files import Staging
from sitemapgen.store.results import DescribedRow, TitledRow

Row = TypeVar("Row", TitledRow, DescribedRow)


class Listed:
    """Listed pages as a store has them."""

    def __init__(self, *rows: TitledRow) -> None:
        self.rows: tuple[TitledRow | DescribedRow, ...] = rows
        self.asked = 0

    def listed(self, kind: type[Row], rank: Callable[[str], str] | None = None) -> Iterator[Row]:
        self.asked += 1
        rows = (row for row in self.rows if isinstance(row, kind))
        return iter(sorted(rows, key=lambda row: (rank(row.url) if rank else "", row.url)))

    def count_languages(self) -> dict[str, int]:
        return Counter(row.language for row in self.rows if isinstance(row, TitledRow))


class Described(Listed):
    """Listed pages with descriptions."""

    def __init__(self, *rows: DescribedRow) -> None:
        super().__init__(*(TitledRow(row.url, row.title, "") for row in rows))
        self.rows = (*self.rows, *rows)


def write(
    directory: Path, *listed: TitledRow, template: Path | None = None
) -> dict[str, LexborHTMLParser]:
    with Staging(directory, 1) as staging:
        html_pages.write_pages(Listed(*listed), staging, "Example", template)
        names = staging.names
        staging.commit(last=names[0])
    return {name: LexborHTMLParser((directory / name).read_bytes()) for name in names}
