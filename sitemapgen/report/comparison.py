"""Comparison of many sites: data of the paper's figures 3 to 5, as a table and scatter plots.

Source: Schonfeld and Shivakumar, "Sitemaps: Above and Beyond the Crawl of Duty", section 5.1.3. The
plots: ``scatter.py``.
"""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core.words import counted
from sitemapgen.report import urls_csv
from sitemapgen.report.scatter import Axis, Dot, scatter
from sitemapgen.report.sections.not_looked_at import count
from sitemapgen.report.summary import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from typing import BinaryIO

NAMES = ("comparison.csv", "comparison.json", "comparison.html")


class NoReport(ValueError):
    """A directory cannot be compared; the message is a sentence with the reason."""


class Site(NamedTuple):
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


def read(directory: Path) -> Site:
    """Read the figures of an output directory; raises NoReport."""
    path = directory / "report.json"
    remedy = f"scrapy report {directory} writes it"
    try:
        report = json.loads(path.read_bytes())
        if report["schema"] != SCHEMA:
            raise NoReport(f"{path}: schema {report['schema']}, not {SCHEMA}; {remedy}")
        return _site(str(directory), report)
    except OSError as error:
        raise NoReport(f"{path}: {error.strerror}; {remedy}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, NoReport):
            raise
        raise NoReport(f"{path}: no report; {remedy}") from error


def _site(output: str, report: dict[str, Any]) -> Site:
    found = report["coverage"]
    sets = found["sets"]
    return Site(
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
        not_looked_at=count(report["not_looked_at"]),
    )


SIZE = Axis("URLs crawled", is_log=True)
FIGURES: tuple[tuple[str, Axis, str, Axis, str, bool], ...] = (
    (
        "Figure 3: UniqueCoverage and size",
        SIZE,
        "crawled",
        Axis("UniqueCoverage"),
        "unique_coverage",
        False,
    ),
    (
        "Figure 4: UniqueCoverage and Coverage",
        Axis("Coverage"),
        "coverage",
        Axis("UniqueCoverage"),
        "unique_coverage",
        True,
    ),
    (
        "Figure 5a: PageRankCoverage and size",
        SIZE,
        "crawled",
        Axis("PageRankCoverage"),
        "pagerank_coverage",
        False,
    ),
    (
        "Figure 5b: IndexCoverage and UniqueCoverage",
        Axis("UniqueCoverage"),
        "unique_coverage",
        Axis("IndexCoverage"),
        "index_coverage",
        True,
    ),
)
"""Title, horizontal axis and field, vertical axis and field, whether the diagonal is drawn."""


def write(sites: Sequence[Site], open_: Callable[[str], BinaryIO]) -> None:
    """Write every file of a comparison; ``open_`` opens a file by its name."""
    urls_csv.write(sites, open_("comparison.csv"), Site._fields)
    rows = json.dumps([site._asdict() for site in sites], indent=2, ensure_ascii=False)
    open_("comparison.json").write(rows.encode() + b"\n")
    open_("comparison.html").write(_page(sites).encode())


def _page(sites: Sequence[Site]) -> str:
    figures = "".join(_figure(sites, *figure) for figure in FIGURES)
    head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in Site._fields)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in site)}</tr>\n"
        for site in sites
    )
    title = counted(len(sites), "site and its sitemaps", "sites and their sitemaps")
    return PAGE.format(title=title, figures=figures, head=head, rows=rows)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _figure(
    sites: Sequence[Site], title: str, x: Axis, x_field: str, y: Axis, y_field: str, diagonal: bool
) -> str:
    dots, left_out = [], 0
    for site in sites:
        place = (getattr(site, x_field), getattr(site, y_field))
        if None in place or (x.is_log and not place[0]):
            left_out += 1
        else:
            dots.append(Dot(*place, size=site.crawled, name=site.site))
    note = f"<p>{left_out} without such a figure.</p>" if left_out else ""
    drawn = scatter(title, dots, x, y, has_diagonal=diagonal)
    return f"<figure><figcaption>{escape(title)}</figcaption>{drawn}{note}</figure>\n"


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; }}
body {{ padding: 0 1rem; }}
.figures {{ display: grid; gap: 2rem; }}
.figures {{ grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }}
figure {{ margin: 0; }} figcaption {{ font-weight: 600; }}
svg {{ width: 100%; height: auto; }}
svg text {{ fill: currentColor; font-size: 12px; }}
svg .line {{ stroke: currentColor; stroke-opacity: .25; }}
svg circle {{ fill: #2a78d6; fill-opacity: .55; stroke: #2a78d6; }}
.table {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .3rem .6rem; text-align: left; border-bottom: 1px solid #8884; }}
</style></head><body>
<h1>{title}</h1>
<p>Terms and figures of Schonfeld and Shivakumar, &#8220;Sitemaps: Above and Beyond the Crawl of
Duty&#8221; (2009). A dot is a site, its area grows with the URLs crawled.</p>
<div class="figures">
{figures}</div>
<div class="table"><table><thead><tr>{head}</tr></thead><tbody>
{rows}</tbody></table></div>
</body></html>
"""
