"""Conditions of --fail-on: what they mean, and how a wrong one is refused."""

from typing import Any

import pytest

from sitemapgen.errors import CrawlError
from sitemapgen.report.metrics import METRICS, judge_condition, parse_conditions
from sitemapgen.report.priorities import GROUNDS
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each

REPORT: dict[str, Any] = {
    "seen": 200,
    "wasted": {"urls": 40},
    "orphans": {"count": 4},
    "coverage": {
        "coverage": {"value": 0.525, "why": None},
        "unique_coverage": {"value": None, "why": "the site has no sitemap"},
    },
    "verdicts": {"soft_404": 3},
}


@for_each(
    ("orphans>4", False),
    ("orphans>=4", True),
    ("orphans<5", True),
    ("orphans<=3", False),
    ("orphans=4", True),
    ("orphans==4", True),
    ("orphans!=4", False),
    ("orphans>9.9%", True),
    ("orphans>10%", False),
    (" orphans > 9 % ", True),
    ("coverage<0.5", False),
    ("coverage<53%", True),
    ("coverage<0.6", True),
    ("soft_404>1.4%", True),
    ("soft_404>1.5%", False),
)
def test_comparisons(text: str, failed: bool) -> None:
    (condition,) = parse_conditions(text)
    assert judge_condition(condition, REPORT).failed is failed


def test_what_is_said() -> None:
    said = [
        judge_condition(each, REPORT).sentence
        for each in parse_conditions("orphans>5%,orphans>5,coverage<9%")
    ]
    assert said == ["orphans is 10 % (4 of 40)", "orphans is 4", "coverage is 52.5 %"]


def test_nothing_has_no_orphans() -> None:
    (condition,) = parse_conditions("orphans>0%")
    nothing = {"wasted": {"urls": 0}, "orphans": {"count": 0}}
    assert not judge_condition(condition, nothing).failed


@for_each("unique_coverage<50%", "unique_coverage>0")
def test_what_is_undefined_fails(text: str) -> None:
    (condition,) = parse_conditions(text)
    outcome = judge_condition(condition, REPORT)
    assert outcome.failed
    assert outcome.is_undefined
    assert outcome.sentence == "unique_coverage is undefined: the site has no sitemap"


@for_each(
    ("orphan>5", "orphan: no such metric; did you mean orphans?"),
    ("xyzzy>5", "xyzzy: no such metric; there are coverage, unique_coverage"),
    ("orphans", "'orphans' is no condition"),
    ("orphans>-1", "'orphans>-1' is no condition"),
    ("orphans>5%%", "is no condition"),
    ("orphans=>5", "is no condition"),
    (" , ", "no condition; write one such as orphans>5%"),
)
def test_wrong_conditions(text: str, sentence: str) -> None:
    with pytest.raises(CrawlError) as caught:
        parse_conditions(text)
    assert sentence in str(caught.value)


def test_every_verdict_is_a_metric() -> None:
    assert {verdict.value for verdict in Verdict} <= METRICS.keys()


def test_every_verdict_that_a_sitemap_should_not_list_is_a_metric() -> None:
    """Under the name that it has among the things to fix."""
    rows = [{"verdict": "http_error", "count": 3}, {"verdict": "noindex", "count": 1}]
    report = {"wasted": {"urls": 40, "verdicts": rows}}
    conditions = "http_error_in_sitemap>2,noindex_in_sitemap>=2.5%,redirect_in_sitemap>0"
    outcomes = [judge_condition(each, report) for each in parse_conditions(conditions)]
    assert [outcome.failed for outcome in outcomes] == [True, True, False]
    assert outcomes[0].sentence == "http_error_in_sitemap is 3"
    assert outcomes[1].sentence == "noindex_in_sitemap is 2.5 % (1 of 40)"
    for verdict in Verdict:
        assert (f"{verdict.value}_in_sitemap" in METRICS) is bool(verdict.row.waste)


def test_everything_to_fix_is_a_metric() -> None:
    """By its count among the priorities, where no section has one for it; none is 0."""
    report = {"seen": 50, "priorities": [{"id": "redirect_chains", "count": 3}]}
    conditions = "redirect_chains>2,redirect_chains>=6%,hreflang>0"
    outcomes = [judge_condition(each, report) for each in parse_conditions(conditions)]
    assert [outcome.failed for outcome in outcomes] == [True, True, False]
    assert outcomes[1].sentence == "redirect_chains is 6 % (3 of 50)"
    assert GROUNDS.keys() <= METRICS.keys()
