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

from sitemapgen.report import urls_csv
from sitemapgen.report.sections.not_looked_at import count_urls
from sitemapgen.report.summary import SCHEMA
from sitemapgen.report.templates import render_page

NAMES = ("comparison.csv", "comparison.json", "comparison.html")


class NoReport(ValueError):
    """A directory cannot be compared; the message is a sentence with the reason."""


class ComparedSite(NamedTuple):
    """One site of a comparison; shares are 0 to 1, or None where a figure is undefined."""

    output: str
    site: str
    """Its start URL."""
    seen: int
    crawled: int
    """The paper's DomainSize."""
    unique: int
    in_sitemap: int
    coverage: float | None
    unique_coverage: float | None
    index_coverage: float | None
    pagerank_coverage: float | None
    signal_to_noise: float | None
    indexed_from: str
    """``file`` or ``eligible``."""
    unfinished: bool
    not_looked_at: int
    """Known URLs that limits of the crawl left unfetched."""
    listed: int
    """Indexable pages."""
    listed_in_sitemap: int


def read_site(directory: Path) -> ComparedSite:
    """Read the figures of an output directory; raises NoReport."""
    path = directory / "report.json"
    remedy = f"scrapy report {directory} writes it"
    try:
        report = json.loads(path.read_bytes())
        if report["schema"] != SCHEMA:
            raise NoReport(f"{path}: schema {report['schema']}, not {SCHEMA}; {remedy}")
        return _site_of_report(str(directory), report)
    except OSError as error:
        raise NoReport(f"{path}: {error.strerror}; {remedy}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, NoReport):
            raise
        raise NoReport(f"{path}: no report; {remedy}") from error


def _site_of_report(output: str, report: dict[str, Any]) -> ComparedSite:
    found = report["coverage"]
    sets = found["sets"]
    return ComparedSite(
        output=output,
        site=report["start"],
        seen=sets["seen"]["all"],
        crawled=sets["crawled"]["all"],
        unique=sets["unique"]["all"],
        in_sitemap=sets["seen"]["sitemaps"],
        coverage=found["coverage"]["value"],
        unique_coverage=found["unique_coverage"]["value"],
        index_coverage=found["index_coverage"]["value"],
        pagerank_coverage=found["pagerank_coverage"]["value"],
        signal_to_noise=found["signal_to_noise"]["all"]["value"],
        indexed_from=found["indexed_from"],
        unfinished=bool(report["unfinished"]),
        not_looked_at=count_urls(report["not_looked_at"]),
        listed=sets["listed"]["all"],
        listed_in_sitemap=sets["listed"]["sitemaps"],
    )


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
    sites: Sequence[ComparedSite], open_: Callable[[str], BinaryIO], into: Path
) -> None:
    """Write every file of a comparison; ``open_`` opens a file of the directory ``into``."""
    urls_csv.write_csv(sites, open_("comparison.csv"), ComparedSite._fields)
    rows = json.dumps([site._asdict() for site in sites], indent=2, ensure_ascii=False)
    open_("comparison.json").write(rows.encode() + b"\n")
    values = {"sites": [_shown_figures(site, into) for site in sites], "plots": _make_plots(sites)}
    page = render_page("comparison.html.jinja", SCRIPTS, values)
    open_("comparison.html").write(page.encode("utf-8", "replace"))


def _shown_figures(site: ComparedSite, into: Path) -> dict[str, Any]:
    """Return a site's figures as the page has them: index figures only with index data."""
    is_measured = site.indexed_from == "file"
    return site._asdict() | {
        "name": site.site.partition("://")[2].rstrip("/") or site.site,
        "report": _relative_reference(Path(site.output) / "report.html", into),
        "index_coverage": site.index_coverage if is_measured else None,
        "share": site.listed_in_sitemap / site.listed if site.listed else None,
    }


def _relative_reference(path: Path, into: Path) -> str:
    """Return the relative reference to a file from a page in ``into``.

    >>> _relative_reference(Path("output/a b/report.html"), Path("comparison"))
    '../output/a%20b/report.html'
    """
    return quote(Path(os.path.relpath(path, into)).as_posix())


def _make_plots(sites: Sequence[ComparedSite]) -> list[dict[str, Any]]:
    """Return the plots that have a dot, each with the number of sites that are left out."""
    shown = [_shown_figures(site, Path()) for site in sites]
    plots = []
    for plot in PLOTS:
        dots = sum(_has_place(site, plot) for site in shown)
        plots.append(plot._asdict() | {"dots": dots, "left_out": len(shown) - dots})
    return plots


def _has_place(site: dict[str, Any], plot: Plot) -> bool:
    x, y = site[plot.x], site[plot.y]
    return x is not None and y is not None and (plot.x_kind != "log" or x > 0)
