"""The rows of verdicts and of faults of dates are complete, and agree with each other."""

import json
import re

from sitemapgen import verdicts
from sitemapgen.analysis.coverage import MISSING_TYPES
from sitemapgen.extensions.dashboard.server import crawl_page
from sitemapgen.verdicts import FAULT_ROWS, ROWS, Content, DateFault, Stage, Verdict
from tests.helpers.tables import for_each


def test_every_verdict_and_every_fault_has_a_row() -> None:
    assert list(ROWS) == list(Verdict)
    assert list(FAULT_ROWS) == list(DateFault)


@for_each(*ROWS.values(), *FAULT_ROWS.values())
def test_words_are_clauses(words: verdicts.Row | verdicts.FaultRow) -> None:
    for clause in (words.meaning, words.remedy):
        assert clause
        assert clause == clause.strip(" .;")
        assert clause[0].islower() or clause[0] == "-", "it continues a sentence"
    assert words.meaning != words.remedy


@for_each(*Verdict)
def test_a_row_agrees_with_itself(verdict: Verdict) -> None:
    row = verdict.row
    assert row.detail
    assert row.missing_type in MISSING_TYPES
    is_listed = verdict is Verdict.LISTED
    assert (row.stage is Stage.LISTED) is is_listed
    assert (row.missing_type == "missing_content") is is_listed
    assert (row.tone == "good") is is_listed
    assert (row.stage is Stage.ELIGIBLE) is (row.content is Content.COPY)
    assert not (is_listed and row.waste)
    if row.stage is Stage.SEEN:
        assert not row.may_recover, "it was not asked for"
        assert row.content in (Content.NONE, Content.UNREAD)
        assert row.missing_type == "other", "what was not crawled is missing from no sitemap"


def test_the_dashboard_marks_the_bad_ones() -> None:
    (words,) = re.findall(rb"const TROUBLE = new Set\((.*?)\);", crawl_page())
    assert json.loads(words) == [each.value for each in Verdict if each.row.tone == "bad"]


def test_codes() -> None:
    assert [Verdict.of(verdict.code) for verdict in Verdict] == list(Verdict)
    assert [DateFault.of(fault.code) for fault in DateFault] == list(DateFault)
    assert max(fault.code for fault in DateFault) < 0
