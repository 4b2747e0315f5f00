"""Conditions under which a report fails a build: ``orphans>5%,non_indexable_in_sitemap>0``.

Each is a metric (``metrics.py``), a comparison and a number. For CI systems, ``write_junit`` writes
the results as JUnit XML.
"""

from __future__ import annotations

import operator
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

from sitemapgen.report.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

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


class NoCondition(ValueError):
    """A condition is invalid; the message is a sentence with the reason."""


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
    """Parse comma-separated conditions. Raises NoCondition, with the nearest known metric."""
    conditions = [_parse_condition(part) for part in text.split(",") if part.strip()]
    if not conditions:
        raise NoCondition("no condition; write one such as orphans>5%")
    return conditions


def _parse_condition(text: str) -> Condition:
    match = _CONDITION.fullmatch(text)
    if not match:
        raise NoCondition(f"{text.strip()!r} is no condition; write one such as orphans>5%")
    metric, comparison, number, percent = match.groups()
    if metric not in METRICS:
        nearest = get_close_matches(metric, METRICS, 1)
        hint = f"did you mean {nearest[0]}?" if nearest else f"there are {', '.join(METRICS)}"
        raise NoCondition(f"{metric}: no such metric; {hint}")
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
