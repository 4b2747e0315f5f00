"""Listed pages that a test names, as a store has them, and the page for people of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from sitemapgen.publish import html_pages
from sitemapgen.publish.files import Staging
from sitemapgen.store.results import DescribedRow, TitledRow


class Listed:
    """Listed pages as a store has them."""

    def __init__(self, *rows: TitledRow) -> None:
        self.rows = rows
        self.asked = 0

    def titles(self, rank: Callable[[str], str] | None = None) -> Iterator[TitledRow]:
        self.asked += 1
        return iter(sorted(self.rows, key=lambda row: (rank(row.url) if rank else "", row.url)))

    def count_languages(self) -> dict[str, int]:
        return Counter(row.language for row in self.rows)


class Described(Listed):
    """Listed pages with descriptions."""

    def __init__(self, *rows: DescribedRow) -> None:
        super().__init__(*(TitledRow(row.url, row.title, "") for row in rows))
        self.described = rows

    def descriptions(self, rank: Callable[[str], str] | None = None) -> Iterator[DescribedRow]:
        return iter(
            sorted(self.described, key=lambda row: (rank(row.url) if rank else "", row.url))
        )


def write(
    directory: Path, *listed: TitledRow, template: Path | None = None
) -> dict[str, LexborHTMLParser]:
    with Staging(directory, 1) as staging:
        html_pages.write_pages(Listed(*listed), staging, "Example", template)
        names = staging.names
        staging.commit(last=names[0])
    return {name: LexborHTMLParser((directory / name).read_bytes()) for name in names}
