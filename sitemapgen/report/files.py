"""Writer of the files of a report: report.html, report.json and urls.csv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

from sitemapgen.report import html, summary, urls_csv

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitemapgen.store import Store

NAMES = ("report.html", "report.json", "urls.csv")


def write(facts: dict[str, Any], store: Store, open_: Callable[[str], BinaryIO]) -> None:
    """Write every file of a report; ``open_`` opens a file by its name."""
    table = html.Table(facts["start"])
    urls_csv.write(table.watch(store.results.urls()), open_("urls.csv"))
    html.write(facts, table, open_("report.html"))
    summary.write(facts, open_("report.json"))
