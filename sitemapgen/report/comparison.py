"""Comparison of many sites: data of the paper's figures 3 to 5, as a table and scatter plots.

Source: Schonfeld and Shivakumar, "Sitemaps: Above and Beyond the Crawl of Duty", section 5.1.3. The
page: ``page/comparison.html.jinja``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import quote

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.report import urls_csv
from sitemapgen.report.metrics import Source, value_at
from sitemapgen.report.sections.not_looked_at import count_urls
from sitemapgen.report.summary import SCHEMA
from sitemapgen.report.templates import fill_template

NAMES = ("comparison.csv", "comparison.json", "comparison.html")


FIGURES: dict[str, Source] = {
    "site": "start",
    "seen": "coverage.sets.seen.all",
    "crawled": "coverage.sets.crawled.all",
    "unique": "coverage.sets.unique.all",
    "in_sitemap": "coverage.sets.seen.sitemaps",
    "coverage": "coverage.coverage.value",
    "unique_coverage": "coverage.unique_coverage.value",
    "index_coverage": "coverage.index_coverage.value",
    "pagerank_coverage": "coverage.pagerank_coverage.value",
    "signal_to_noise": "coverage.signal_to_noise.all.value",
    "indexed_from": "coverage.indexed_from",
    "unfinished": lambda report: bool(report["unfinished"]),
    "not_looked_at": lambda report: count_urls(report["not_looked_at"]),
    "listed": "coverage.sets.listed.all",
    "listed_in_sitemap": "coverage.sets.listed.sitemaps",
}
"""Columns of a comparison, after ``output``, the directory: their values in report.json. Shares are
0 to 1, or None where a figure is undefined; ``crawled`` is the paper's DomainSize; ``listed`` are
the indexable pages, ``not_looked_at`` the known URLs that limits of the crawl left unfetched."""


def read_site(directory: Path) -> dict[str, Any]:
    """Return the columns of an output directory by name. Raises CrawlError."""
    path = directory / "report.json"
    remedy = f"scrapy report {directory} writes it"
    try:
        report = json.loads(path.read_bytes())
        if report["schema"] != SCHEMA:
            words = f"{path}: schema {report['schema']}, not {SCHEMA}; {remedy}"
            raise CrawlError(Exit.ARGUMENTS, words)
        figures = {name: value_at(report, source) for name, source in FIGURES.items()}
        return {"output": str(directory), **figures}
    except OSError as error:
        raise CrawlError(Exit.ARGUMENTS, f"{path}: {error.strerror}; {remedy}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CrawlError(Exit.ARGUMENTS, f"{path}: no report; {remedy}") from error


class Plot(NamedTuple):
    """A scatter plot of two columns of the table; a dot is a site."""

    title: str
    x: str
    x_kind: str
    """``share``, or ``log`` for counts on a logarithmic scale."""
    y: str
    has_diagonal: bool


PLOTS = (
    Plot("Figure 3: unique coverage and size", "crawled", "log", "unique_coverage", False),
    Plot("Figure 4: unique coverage and coverage", "coverage", "share", "unique_coverage", True),
    Plot("Figure 5a: PageRank coverage and size", "crawled", "log", "pagerank_coverage", False),
    Plot(
        "Figure 5b: index coverage and unique coverage",
        "unique_coverage",
        "share",
        "index_coverage",
        True,
    ),
)
SCRIPTS = ("vendor/charts.min.js", "charts.js", "tables.js")


def write_comparison(
    sites: Sequence[dict[str, Any]], open_: Callable[[str], BinaryIO], into: Path
) -> None:
    """Write every file of a comparison; ``open_`` opens a file of the directory ``into``."""
    rows = (tuple(site.values()) for site in sites)
    urls_csv.write_csv(rows, open_("comparison.csv"), ("output", *FIGURES))
    text = json.dumps(sites, indent=2, ensure_ascii=False)
    open_("comparison.json").write(text.encode() + b"\n")
    shown = [_shown_figures(site, into) for site in sites]
    values = {"sites": shown, "plots": _make_plots(shown)}
    fill_template("comparison.html.jinja", SCRIPTS, values, open_("comparison.html"))


def _shown_figures(site: dict[str, Any], into: Path) -> dict[str, Any]:
    """Return a site's figures as the page has them: index figures only with index data."""
    return site | {
        "name": site["site"].partition("://")[2].rstrip("/") or site["site"],
        "report": _relative_reference(Path(site["output"]) / "report.html", into),
        "index_coverage": site["index_coverage"] if site["indexed_from"] == "file" else None,
        "share": site["listed_in_sitemap"] / site["listed"] if site["listed"] else None,
    }


def _relative_reference(path: Path, into: Path) -> str:
    """Return the relative reference to a file from a page in ``into``.

    >>> _relative_reference(Path("output/a b/report.html"), Path("comparison"))
    '../output/a%20b/report.html'
    """
    return quote(Path(os.path.relpath(path, into)).as_posix())


def _make_plots(shown: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the plots, each with the numbers of its dots and of the sites that it leaves out."""
    plots = []
    for plot in PLOTS:
        dots = sum(_has_place(site, plot) for site in shown)
        plots.append(plot._asdict() | {"dots": dots, "left_out": len(shown) - dots})
    return plots


def _has_place(site: dict[str, Any], plot: Plot) -> bool:
    x, y = site[plot.x], site[plot.y]
    return x is not None and y is not None and (plot.x_kind != "log" or x > 0)
