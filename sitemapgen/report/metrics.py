"""Metrics of a report by name, also for ``result.json``, and conditions that fail a build.

A condition, such as ``orphans>5%``, is a metric, a comparison and a number. For CI systems,
``write_junit`` writes the results as JUnit XML.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import reduce
from typing import Any, BinaryIO, NamedTuple
from xml.etree import ElementTree

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.report.priorities import GROUNDS
from sitemapgen.report.sections.not_looked_at import count_urls
from sitemapgen.verdicts import Verdict

Report = Mapping[str, Any]
Source = str | Callable[[Report], Any]
"""The path of a value in the report, joined by dots; or the function report -> value."""

SITEMAP_URLS = "the URLs that the site's sitemaps list"
SITEMAP_ENTRIES = "the entries of the site's sitemaps"
SITEMAP_FILES = "the site's sitemap files"
EXTERNAL = "the URLs on other sites that were checked"
LISTED = "the URLs that are listed"
FETCHED = "the URLs fetched"
SEEN = "the URLs seen"
RATIO = "none: from 0 to 1, or in %"
FLAG = "none: 1 where the crawl is not finished, or was cut short; else 0"

WHOLES: dict[str, Source] = {
    SITEMAP_URLS: "wasted.urls",
    SITEMAP_ENTRIES: "table_1.urls",
    SITEMAP_FILES: lambda report: len(report["sitemaps"]),
    EXTERNAL: "external.checked",
    LISTED: "listed",
    FETCHED: "fetched",
    SEEN: "seen",
    RATIO: lambda _: 1.0,
    FLAG: lambda _: 1.0,
}


class Metric(NamedTuple):
    """A number of a report, and how to find it."""

    part: Source
    """The number, or a figure: its ``value``, None where it is undefined, and ``why``."""
    whole: str
    """Key of WHOLES: what a count is a part of, for the documentation."""

    @property
    def is_ratio(self) -> bool:
        """Whether the value is between 0 and 1; else it is a count."""
        return self.whole == RATIO

    def measure(self, report: Report) -> tuple[float | None, float, str]:
        """Return (value or None, the whole that it is a part of, reason for None)."""
        part = value_at(report, self.part)
        value, why = (part["value"], part["why"]) if isinstance(part, dict) else (part, None)
        return value, value_at(report, WHOLES[self.whole]), why or ""


def value_at(report: Report, source: Source) -> Any:
    """Return a value of a report.

    >>> value_at({"wasted": {"repeated": {"count": 2}}}, "wasted.repeated.count")
    2
    """
    if not isinstance(source, str):
        return source(report)
    return reduce(lambda section, name: section[name], source.split("."), report)


def _sum_of(rows: str, field: str, name: str) -> Source:
    """Return the source of the count of the rows that have this name in a field; 0 for none."""
    return lambda report: sum(row["count"] for row in value_at(report, rows) if row[field] == name)


def _broken_external(report: Report) -> Any:
    external = report["external"]
    if external["urls"] and not external["checked"]:
        why = "links to other sites were not checked; use -a check_external=true"
        return {"value": None, "why": why}
    return external["broken"]["count"]


METRICS = {
    "coverage": Metric("coverage.coverage", RATIO),
    "unique_coverage": Metric("coverage.unique_coverage", RATIO),
    "index_coverage": Metric("coverage.index_coverage", RATIO),
    "pagerank_coverage": Metric("coverage.pagerank_coverage", RATIO),
    "signal_to_noise": Metric("coverage.signal_to_noise.all", RATIO),
    "discovery_efficiency": Metric("coverage.efficiency.discovery", RATIO),
    "sitemaps_efficiency": Metric("coverage.efficiency.sitemaps", RATIO),
    "orphans": Metric("orphans.count", SITEMAP_URLS),
    "non_indexable_in_sitemap": Metric("wasted.count", SITEMAP_URLS),
    **{
        f"{each.value}_in_sitemap": Metric(
            _sum_of("wasted.verdicts", "verdict", each.value), SITEMAP_URLS
        )
        for each in Verdict
        if each.row.waste
    },
    "repeated_in_sitemap": Metric("wasted.repeated.count", SITEMAP_URLS),
    "offsite_in_sitemap": Metric("wasted.offsite.entries", SITEMAP_ENTRIES),
    "sitemap_errors": Metric(
        lambda report: sum(bool(file["error"]) for file in report["sitemaps"]), SITEMAP_FILES
    ),
    "missing_from_sitemap": Metric("missing.pages.count", LISTED),
    "without_lastmod": Metric(
        lambda report: report["listed_by_lastmod_source"].get("none", 0), LISTED
    ),
    "broken_links": Metric("broken_links.count", FETCHED),
    "broken_external_links": Metric(_broken_external, EXTERNAL),
    "redirects": Metric("redirects.count", FETCHED),
    "linked_redirects": Metric("redirects.linked", FETCHED),
    "dead_ends": Metric("dead_ends.count", FETCHED),
    "duplicates": Metric("duplicates.exact.count", FETCHED),
    "near_duplicates": Metric("duplicates.near.count", FETCHED),
    "not_looked_at": Metric(lambda report: count_urls(report["not_looked_at"]), SEEN),
    "unfinished": Metric(lambda report: bool(report["unfinished"]), FLAG),
    "seen": Metric("seen", SEEN),
    "fetched": Metric("fetched", SEEN),
    **{each.value: Metric(f"verdicts.{each.value}", SEEN) for each in Verdict},
}
"""Metrics by their names, also each verdict as a part of all URLs seen."""
METRICS |= {
    name: Metric(_sum_of("priorities", "id", name), SEEN) for name in GROUNDS if name not in METRICS
}


def metric_values(report: Report) -> dict[str, float | None]:
    """Return the value of every metric but the verdicts; None where it is undefined."""
    verdicts = set(Verdict)
    found = {}
    for name, metric in METRICS.items():
        if name not in verdicts:
            value, _, _ = metric.measure(report)
            found[name] = value if value is None or metric.is_ratio else int(value)
    return found


COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
_CONDITION = re.compile(r"\s*(\w+)\s*([<>]=?|[=!]=|=)\s*([0-9]+(?:\.[0-9]+)?)\s*(%?)\s*")


class Condition(NamedTuple):
    """A condition under which a report fails."""

    text: str
    metric: str
    comparison: str
    limit: float
    is_share: bool
    """Whether the limit is a share in percent: of ``Metric.whole`` for counts."""


class ConditionResult(NamedTuple):
    """The result of a condition."""

    condition: Condition
    failed: bool
    sentence: str
    is_undefined: bool = False
    """Whether the metric has no value, which counts as failed."""


def parse_conditions(text: str) -> list[Condition]:
    """Parse comma-separated conditions. Raises CrawlError, with the nearest known metric."""
    conditions = [_parse_condition(part) for part in text.split(",") if part.strip()]
    if not conditions:
        words = "--fail-on: no condition; write one such as orphans>5%"
        raise CrawlError(Exit.ARGUMENTS, words)
    return conditions


def _parse_condition(text: str) -> Condition:
    match = _CONDITION.fullmatch(text)
    if not match:
        words = f"--fail-on: {text.strip()!r} is no condition; write one such as orphans>5%"
        raise CrawlError(Exit.ARGUMENTS, words)
    metric, comparison, number, percent = match.groups()
    if metric not in METRICS:
        nearest = get_close_matches(metric, METRICS, 1)
        hint = f"did you mean {nearest[0]}?" if nearest else f"there are {', '.join(METRICS)}"
        raise CrawlError(Exit.ARGUMENTS, f"--fail-on: {metric}: no such metric; {hint}")
    return Condition(text.strip(), metric, comparison, float(number), bool(percent))


def judge_condition(condition: Condition, report: dict[str, Any]) -> ConditionResult:
    """Compare a metric of a report with its limit.

    Ratios are compared with numbers from 0 to 1, or with percent. Counts are compared with
    numbers, or as percentages of ``Metric.whole``; a percentage of 0 is 0 %.
    """
    metric = METRICS[condition.metric]
    part, whole, why = metric.measure(report)
    if part is None:
        sentence = f"{condition.metric} is undefined: {why}"
        return ConditionResult(condition, True, sentence, is_undefined=True)
    value = part
    if condition.is_share:
        value = 100 * (part if metric.is_ratio else part / whole if whole else 0.0)
    failed = COMPARISONS[condition.comparison](value, condition.limit)
    shown = f"{value:.4g} %" if condition.is_share else f"{value:,.6g}"
    if condition.is_share and not metric.is_ratio:
        shown += f" ({part:,.0f} of {whole:,.0f})"
    return ConditionResult(condition, failed, f"{condition.metric} is {shown}")


def write_junit(start: str, outcomes: Sequence[ConditionResult], file: BinaryIO) -> None:
    """Write a JUnit test suite, a case for each condition; undefined metrics are errors."""
    undefined = sum(outcome.is_undefined for outcome in outcomes)
    counts = {
        "tests": str(len(outcomes)),
        "failures": str(sum(outcome.failed for outcome in outcomes) - undefined),
        "errors": str(undefined),
    }
    suites = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(suites, "testsuite", {"name": f"sitemapgen {start}", **counts})
    for outcome in outcomes:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            {"classname": "sitemapgen.report", "name": outcome.condition.text},
        )
        if outcome.failed:
            kind = "error" if outcome.is_undefined else "failure"
            element = ElementTree.SubElement(case, kind, {"message": outcome.sentence})
            element.text = f"{outcome.sentence}; it fails when {outcome.condition.text}"
    ElementTree.indent(suites)
    ElementTree.ElementTree(suites).write(file, "utf-8", xml_declaration=True)
    file.write(b"\n")
