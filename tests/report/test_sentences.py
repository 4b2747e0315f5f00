"""Sentences of reports and of the log with figures of 0, 1 and 2: plurals, and clauses of 0."""

import io
import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from sitemapgen.publish.existing import Published
from sitemapgen.publish.log_summary import (
    failing_in_words,
    hreflang_in_words,
    lost_in_words,
    rendering_in_words,
    traps_in_words,
)
from sitemapgen.publish.replacing import MOST_UNREAD, Loss, file_states, unread_in_words
from sitemapgen.report import html
from sitemapgen.report.priorities import list_fixes
from sitemapgen.report.sections import not_looked_at
from sitemapgen.report.sections.coverage import doubts, headline
from sitemapgen.report.sections.due import due_in_words
from sitemapgen.report.sections.growth import changes_in_words
from sitemapgen.report.sections.pages import blank_in_words
from sitemapgen.report.summary import unfinished_in_words
from sitemapgen.store.results import Lost
from tests.helpers.tables import for_each
from tests.report.sample import filled

FIGURES = (0, 1, 2, 3)
NOUNS = (
    "pages|URLs|files|links|rows|dates|entries|redirects|patterns|directories|times|sites|seconds|"
    "minutes|hours|days|parts|images|versions|are|were|have|do|they|lead|stand"
)
BEGIN = r"(?<![\w.,/=:-])"
ZERO = re.compile(rf"{BEGIN}0 \w")
ONE = re.compile(
    rf"{BEGIN}1 (?:(?:listed|published|known|more|other|sitemap) )?(?:{NOUNS})\b|\w\(s\)"
)
SEVERAL = re.compile(
    rf"{BEGIN}[023] (?:page|URL|file|link|row|entry|redirect|pattern|is|was|has)\b"
)


def check(text: str) -> None:
    for fault in (ZERO, ONE, SEVERAL):
        assert not fault.search(text), text


def sets(figure: int, other: int) -> dict[str, dict[str, int]]:
    """The counts of listed pages that the headline needs."""
    return {"listed": {"all": max(figure, other), "sitemaps": min(figure, other)}}


def sentences(figure: int, other: int) -> Iterator[str]:
    """The sentences that the log shows at the end of a crawl, and those of report.json."""
    facts = filled(figure, other)
    for fix in list_fixes(facts):
        yield fix["sentence"]
    yield from not_looked_at.in_words(facts["not_looked_at"])
    yield from doubts(facts["indexed"])
    yield from rendering_in_words(facts)
    yield from traps_in_words(facts)
    yield blank_in_words(facts["blank"])
    yield failing_in_words({"failing": figure})
    promise = {"days": 30.0, "runs": 10, "share": 0.05}
    yield due_in_words({"not_visited": figure, "days": other, "stale": 0.1, "promise": promise})
    yield changes_in_words(facts["changes"])
    measured = {"coverage": {"whole": 9, "why": None}, "sets": sets(figure, other)}
    yield headline(measured, 0)["sentence"]
    yield headline(measured, figure - other)["sentence"]
    yield headline({**facts["coverage"], "sets": sets(figure, other)}, 0)["sentence"]
    yield lost_in_words(Lost(figure, other))
    for cause in ("interrupted", "max_pages"):
        yield unfinished_in_words({"cause": cause, "reason": "Stopped by max_pages=9"}, figure)
    left_out = {"no_return": other, "not_listed": figure}
    hreflang = {"pages": figure, "count": figure, "left_out": left_out}
    yield hreflang_in_words({"extensions": {"hreflang": hreflang}})
    if figure:
        yield Loss(max(figure, other), {"noindex": figure}).in_words()
    parts = [f"sitemap-{number}.xml" for number in range(1, 41)]
    for changed in (parts[:figure], parts[figure:]):
        yield from (state for _, state in file_states(Path(), parts, changed))


@pytest.mark.parametrize("other", FIGURES)
@pytest.mark.parametrize("figure", FIGURES)
def test_sentences_agree_with_their_figures(figure: int, other: int) -> None:
    for sentence in filter(None, sentences(figure, other)):
        check(sentence)


def test_kinds_of_which_no_page_may_be_listed_are_no_traps() -> None:
    columns = ("kind", "pattern", "urls", "fetched", "is_endless", "reason")
    rows = [
        ("session_id", "/raw/{id}/*", 40, 23, False, "all 23 fetched URLs are files, and no pages"),
        ("numbers", "/ical/{n}", 55, 23, False, "all 23 fetched URLs are files, and no pages"),
        ("calendar", "/calendar/{month}", 10, 60, True, "24 dates in a row have nothing new"),
    ]
    assert [*traps_in_words({"traps": [dict(zip(columns, row)) for row in rows]})] == [
        "All 23 fetched URLs are files, and no pages: 95 URLs left out; "
        "/ical/{n} and 1 more pattern",
        "Trap, calendar: 10 URLs left out; /calendar/{month}",
    ]


@for_each(*FIGURES)
def test_published_files_that_cannot_be_read(count: int) -> None:
    none: Any = []
    unread = [f"sitemap-{number}.xml is broken" for number in range(MOST_UNREAD + count)]
    before = Published(none, none, none, none, unread=unread)
    for sentence in unread_in_words(before):
        check(sentence)


def paragraphs(facts: dict[str, Any]) -> Iterator[str]:
    """The paragraphs and list items of report.html as text."""
    table = html.Table(facts["start"])
    deque(table.watch([]), maxlen=0)
    file = io.BytesIO()
    html.write_page(facts, table, file)
    page = re.sub(r"<(style|script).*?</\1>", "", file.getvalue().decode(), flags=re.DOTALL)
    page = re.sub(r'<span class="hint".*?</span>', "", page)
    for block in re.findall(r"<(?:p|li)\b[^>]*>(.*?)</(?:p|li)>", page, re.DOTALL):
        yield " ".join(unescape(re.sub(r"<[^>]*>", "", block)).split())


@pytest.mark.parametrize("other", FIGURES)
@pytest.mark.parametrize("figure", FIGURES)
def test_the_page_agrees_with_its_figures(figure: int, other: int) -> None:
    facts = filled(figure, other)
    facts["priorities"] = list_fixes(facts)
    for text in filter(None, paragraphs(facts)):
        check(text)


def test_a_fault_of_one_kind_is_named_alone() -> None:
    (fix,) = (fix for fix in list_fixes(filled(1, 0)) if fix["id"] == "hreflang")
    assert fix["sentence"] == (
        "On 1 page with versions in other languages the return link is missing: add the links, or "
        "take the hreflang out."
    )
