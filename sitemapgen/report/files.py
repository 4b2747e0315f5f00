"""Writer of the files of a report: report.html, report.json and urls.csv."""

from __future__ import annotations

import hashlib
from io import BufferedIOBase
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from sitemapgen.report import html, summary, urls_csv

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitemapgen.store import Store

NAMES = ("report.html", "report.json", "urls.csv")


def write_report(
    facts: dict[str, Any],
    store: Store,
    open_: Callable[[str], BinaryIO],
    settle: Callable[[str], None],
    logo: str = "",
) -> None:
    """Write every file of a report; ``open_`` opens a file by its name.

    ``settle`` gets the digest of urls.csv, and completes ``facts`` before the others are written.
    ``logo``: a ``data:`` URL.
    """
    table = html.Table(facts["start"])
    rows = _Digested(open_("urls.csv"))
    urls_csv.write_csv(table.watch(store.results.urls()), cast("BinaryIO", rows))
    settle(rows.digest.hexdigest())
    html.write(facts, table, open_("report.html"), logo)
    summary.write_json(facts, open_("report.json"))


class _Digested(BufferedIOBase):
    """Passes what is written to a file on, and computes its digest."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.digest = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.digest.update(data)
        return self._file.write(data)
