"""The numbers of a report that can be compared with a limit, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.report.sections.not_looked_at import count
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    Measured = tuple[float | None, float, str]
    Report = dict[str, Any]


class Metric(NamedTuple):
    """A number of a report."""

    measure: Callable[[Report], Measured]
    """Report -> (its value, what it is a part of, why there is none)."""
    is_ratio: bool = False
    """Between 0 and 1; else a count."""


def _count(part: Callable[[Report], float], whole: Callable[[Report], float]) -> Metric:
    return Metric(lambda report: (part(report), whole(report), ""))


def _ratio(figure: Callable[[Report], dict[str, Any]]) -> Metric:
    def measure(report: Report) -> Measured:
        found = figure(report)
        return found["value"], 1.0, found["why"] or ""

    return Metric(measure, is_ratio=True)


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
    return _count(lambda report: report["verdicts"][name], _seen)


METRICS: dict[str, Metric] = {
    "coverage": _ratio(lambda report: report["coverage"]["coverage"]),
    "unique_coverage": _ratio(lambda report: report["coverage"]["unique_coverage"]),
    "index_coverage": _ratio(lambda report: report["coverage"]["index_coverage"]),
    "pagerank_coverage": _ratio(lambda report: report["coverage"]["pagerank_coverage"]),
    "signal_to_noise": _ratio(lambda report: report["coverage"]["signal_to_noise"]["all"]),
    "discovery_efficiency": _ratio(lambda report: report["coverage"]["efficiency"]["discovery"]),
    "sitemaps_efficiency": _ratio(lambda report: report["coverage"]["efficiency"]["sitemaps"]),
    "orphans": _count(lambda report: report["orphans"]["count"], _in_sitemap),
    "non_indexable_in_sitemap": _count(lambda report: report["wasted"]["count"], _in_sitemap),
    "repeated_in_sitemap": _count(
        lambda report: report["wasted"]["repeated"]["count"], _in_sitemap
    ),
    "offsite_in_sitemap": _count(lambda report: report["wasted"]["offsite"]["entries"], _entries),
    "sitemap_errors": _count(
        lambda report: sum(bool(file["error"]) for file in report["sitemaps"]),
        lambda report: len(report["sitemaps"]),
    ),
    "missing_from_sitemap": _count(lambda report: report["missing"]["pages"]["count"], _listed),
    "broken_links": _count(lambda report: report["broken_links"]["count"], _fetched),
    "redirects": _count(lambda report: report["redirects"]["count"], _fetched),
    "linked_redirects": _count(lambda report: report["redirects"]["linked"], _fetched),
    "dead_ends": _count(lambda report: report["dead_ends"]["count"], _fetched),
    "duplicates": _count(lambda report: report["duplicates"]["exact"]["count"], _fetched),
    "near_duplicates": _count(lambda report: report["duplicates"]["near"]["count"], _fetched),
    "not_looked_at": _count(lambda report: count(report["not_looked_at"]), _seen),
    "unfinished": _count(lambda report: bool(report["unfinished"]), lambda _: 1.0),
    "seen": _count(_seen, _seen),
    "fetched": _count(_fetched, _seen),
    **{verdict.value: _verdict(verdict.value) for verdict in Verdict},
}
"""Besides: every verdict, a part of all URLs seen."""
