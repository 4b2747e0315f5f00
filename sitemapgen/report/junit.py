"""The results of conditions as JUnit XML, for CI systems: one test case for each condition."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from sitemapgen.report.conditions import ConditionResult


def write(start: str, outcomes: Sequence[ConditionResult], file: BinaryIO) -> None:
    """Write a test suite named after the start URL; undefined metrics are errors."""
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
