"""Metrics of a report by name: for conditions such as ``orphans>5%`` (``conditions.py``), and for
``result.json``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.report.sections.not_looked_at import count
from sitemapgen.report.severity import GROUNDS
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    Measured = tuple[float | None, float, str]
    Report = dict[str, Any]


class Metric(NamedTuple):
    """A number of a report, and how to find it."""

    measure: Callable[[Report], Measured]
    """Report -> (value or None, the whole that it is a part of, reason for None)."""
    whole: str
    """What a count is a part of, for the documentation; for ratios and flags, their values."""
    is_ratio: bool = False
    """Whether the value is between 0 and 1; else it is a count."""


SITEMAP_URLS = "the URLs that the site's sitemaps list"
SITEMAP_ENTRIES = "the entries of the site's sitemaps"
SITEMAP_FILES = "the site's sitemap files"
EXTERNAL = "the URLs on other sites that were checked"
LISTED = "the URLs that are listed"
FETCHED = "the URLs fetched"
SEEN = "the URLs seen"
RATIO = "none: from 0 to 1, or in %"
FLAG = "none: 1 where the crawl is not finished, or was cut short; else 0"


def _count(part: Callable[[Report], float], whole: Callable[[Report], float], words: str) -> Metric:
    return Metric(lambda report: (part(report), whole(report), ""), words)


def _ratio(figure: Callable[[Report], dict[str, Any]]) -> Metric:
    def measure(report: Report) -> Measured:
        found = figure(report)
        return found["value"], 1.0, found["why"] or ""

    return Metric(measure, RATIO, is_ratio=True)


def _seen(report: Report) -> float:
    return float(report["seen"])


def _fetched(report: Report) -> float:
    return float(report["fetched"])


def _listed(report: Report) -> float:
    return float(report["listed"])


def _in_sitemap(report: Report) -> float:
    return float(report["wasted"]["urls"])


def _entries(report: Report) -> float:
    return float(report["table_1"]["urls"])


def _verdict(name: str) -> Metric:
    return _count(lambda report: report["verdicts"][name], _seen, SEEN)


def _wasted(name: str) -> Metric:
    """Return the metric of a verdict that no URL of a sitemap should have."""

    def part(report: Report) -> float:
        rows = report["wasted"]["verdicts"]
        return sum(float(row["count"]) for row in rows if row["verdict"] == name)

    return _count(part, _in_sitemap, SITEMAP_URLS)


def _to_fix(name: str) -> Metric:
    """Return the metric of a row of ``priorities``; 0 where the report has no such row."""

    def part(report: Report) -> float:
        return sum(float(row["count"]) for row in report["priorities"] if row["id"] == name)

    return _count(part, _seen, SEEN)


def _broken_external(report: Report) -> Measured:
    external = report["external"]
    if external["urls"] and not external["checked"]:
        return None, 0.0, "links to other sites were not checked; use -a check_external=true"
    return external["broken"]["count"], external["checked"], ""


METRICS: dict[str, Metric] = {
    "coverage": _ratio(lambda report: report["coverage"]["coverage"]),
    "unique_coverage": _ratio(lambda report: report["coverage"]["unique_coverage"]),
    "index_coverage": _ratio(lambda report: report["coverage"]["index_coverage"]),
    "pagerank_coverage": _ratio(lambda report: report["coverage"]["pagerank_coverage"]),
    "signal_to_noise": _ratio(lambda report: report["coverage"]["signal_to_noise"]["all"]),
    "discovery_efficiency": _ratio(lambda report: report["coverage"]["efficiency"]["discovery"]),
    "sitemaps_efficiency": _ratio(lambda report: report["coverage"]["efficiency"]["sitemaps"]),
    "orphans": _count(lambda report: report["orphans"]["count"], _in_sitemap, SITEMAP_URLS),
    "non_indexable_in_sitemap": _count(
        lambda report: report["wasted"]["count"], _in_sitemap, SITEMAP_URLS
    ),
    **{
        f"{verdict.value}_in_sitemap": _wasted(verdict.value)
        for verdict in Verdict
        if verdict.row.waste
    },
    "repeated_in_sitemap": _count(
        lambda report: report["wasted"]["repeated"]["count"], _in_sitemap, SITEMAP_URLS
    ),
    "offsite_in_sitemap": _count(
        lambda report: report["wasted"]["offsite"]["entries"], _entries, SITEMAP_ENTRIES
    ),
    "sitemap_errors": _count(
        lambda report: sum(bool(file["error"]) for file in report["sitemaps"]),
        lambda report: len(report["sitemaps"]),
        SITEMAP_FILES,
    ),
    "missing_from_sitemap": _count(
        lambda report: report["missing"]["pages"]["count"], _listed, LISTED
    ),
    "without_lastmod": _count(
        lambda report: report["listed_by_lastmod_source"].get("none", 0), _listed, LISTED
    ),
    "broken_links": _count(lambda report: report["broken_links"]["count"], _fetched, FETCHED),
    "broken_external_links": Metric(_broken_external, EXTERNAL),
    "redirects": _count(lambda report: report["redirects"]["count"], _fetched, FETCHED),
    "linked_redirects": _count(lambda report: report["redirects"]["linked"], _fetched, FETCHED),
    "dead_ends": _count(lambda report: report["dead_ends"]["count"], _fetched, FETCHED),
    "duplicates": _count(lambda report: report["duplicates"]["exact"]["count"], _fetched, FETCHED),
    "near_duplicates": _count(
        lambda report: report["duplicates"]["near"]["count"], _fetched, FETCHED
    ),
    "not_looked_at": _count(lambda report: count(report["not_looked_at"]), _seen, SEEN),
    "unfinished": _count(lambda report: bool(report["unfinished"]), lambda _: 1.0, FLAG),
    "seen": _count(_seen, _seen, SEEN),
    "fetched": _count(_fetched, _seen, SEEN),
    **{verdict.value: _verdict(verdict.value) for verdict in Verdict},
}
"""Metrics by their names, also each verdict as a part of all URLs seen."""
METRICS |= {name: _to_fix(name) for name in GROUNDS if name not in METRICS}


def figures(report: Report) -> dict[str, float | None]:
    """Return the value of every metric but the verdicts; None where it is undefined."""
    verdicts = set(Verdict)
    return {name: _figure(row, report) for name, row in METRICS.items() if name not in verdicts}


def _figure(metric: Metric, report: Report) -> float | None:
    value, _, _ = metric.measure(report)
    return value if value is None or metric.is_ratio else int(value)
