"""Sentences of reports and of the log with figures of 0, 1 and 2: plurals, and clauses of 0."""

from __future__ import annotations

import doctest
import io
import re
from collections import deque
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from sitemapgen.core import words
from sitemapgen.publish.existing import Published
from sitemapgen.publish.log_summary import (
    failing_in_words,
    hreflang_in_words,
    lost_in_words,
    rendering_in_words,
    traps_in_words,
)
from sitemapgen.publish.replacing import states
from sitemapgen.publish.safety import MOST_NAMED, Loss, unread_in_words
from sitemapgen.report import html
from sitemapgen.report.priorities import priorities
from sitemapgen.report.sections import not_looked_at
from sitemapgen.report.sections.coverage import doubts
from sitemapgen.report.sections.pages import blank_in_words
from sitemapgen.report.summary import unfinished_in_words
from sitemapgen.store.results import Lost
from sitemapgen.verdicts import Verdict
from tests.report.sample import SITE, empty, summary

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


def example(number: int) -> dict[str, Any]:
    """An example of any section."""
    url = f"{SITE}/{number}"
    row = {"url": url, "verdict": "listed", "evidence": "HTTP 404", "in_degree": 4, "depth": 4}
    return {
        **row,
        "count": 4,
        "members": [],
        "links": 4,
        "pages": [url],
        "times": 2,
        "chain": [url, SITE],
        "in_sitemap": 0,
        "similarity": 0.9,
    }


def filled(figure: int, other: int) -> dict[str, Any]:
    """A report in which each fault is found ``figure`` or ``other`` times, by turns."""
    examples = [f"{SITE}/{number}" for number in range(max(figure, other))]
    found = {"count": figure, "share": 0.5, "examples": list(map(example, range(figure)))}
    others = {"count": other, "share": 0.5, "examples": list(map(example, range(other)))}
    numbers = {"sitemap": figure, "links": other, "both": figure}
    group = {"groups": figure, **found}
    row = {"examples": examples, "urls": figure, "remedy": "-a max_depth=0 helps"}
    return {
        **empty(),
        "unfinished": unfinished_in_words("max_pages", figure),
        "listed": max(figure, other),
        "seen": figure + other,
        "fetched": figure + other,
        "coverage": {
            **empty()["coverage"],
            "coverage": {"value": None, "why": "the site has no sitemap"},
        },
        "verdicts": {verdict.value: figure for verdict in Verdict},
        "not_looked_at": [{"cause": "max_depth", "reason": "Deeper than max_depth=9", **row}],
        "sitemaps": [
            {**file, "url": f"{SITE}/sitemap.xml", "error": "is empty"}
            for file in summary(60)["sitemaps"][:figure]
        ],
        "table_1": {**empty()["table_1"], "files": 3, "failed": figure, "urls": max(figure, other)},
        "wasted": {
            **empty()["wasted"],
            "urls": max(figure, other, 1),
            **{"count": figure, "share": 0.5, "malformed": figure, "outside_location": figure},
            "verdicts": [{"verdict": verdict.value, **found} for verdict in Verdict],
            "repeated": {**found, "entries": 2 * figure},
            "offsite": {"entries": figure, "examples": examples},
        },
        "missing": {
            **empty()["missing"],
            "crawled": {"count": figure, "share": 0.5},
            "pages": {**others, "directories": []},
        },
        "orphans": {**found, "listed": other, "at_most": False},
        "indexed": {
            "file": "indexed.csv",
            "error": None,
            "rows": max(figure, other),
            "urls": max(figure, other),
            "foreign": figure,
            "foreign_examples": examples,
            "malformed": other,
            "not_seen": {"count": other, "share": 0.5, "examples": examples[:other]},
            "verdicts": {"listed": figure, "redirect": other},
        },
        "broken_links": {**found, "links": figure and max(figure, other), "verdicts": {}},
        "redirects": {
            **{**found, "linked": other and min(figure, other), "links": other},
            "in_sitemap": other,
            "hops": [{"hops": hops, "count": figure} for hops in (0, 1, 3) if figure],
        },
        "dead_ends": found,
        "duplicates": {"exact": group, "near": group},
        "tree_elsewhere": figure,
        "traps": [
            {
                **{"kind": "calendar", "pattern": f"/{number}", "urls": other, "fetched": 1},
                **{"useful": 0, "examples": [], "reason": "", "is_endless": True},
            }
            for number in range(figure)
        ],
        "distrusted_lastmods": {"header": {"clock": figure}} if figure else {},
        "lastmod": [{"source": "header", "count": figure, "share": 0.5}],
        "hreflang": {"pages": 3, "one_way": figure, "left_out": other, "examples": []},
        "blank": {**found, "is_start": figure > 0, "examples": examples},
        "rendering": {
            **empty()["rendering"],
            **{"scripted": figure, "pages": figure + other, "seconds": float(figure)},
            **{"gained": figure, "gained_nothing": other, "unrenderable": figure},
            **{"unfinished": figure, "unfinished_examples": examples},
        },
        "growth": {
            **empty()["growth"],
            "since": "2024-01-01T00:00:00Z",
            "new": {"count": figure, **numbers},
            "seen_delta": {
                **{"seconds": 86_400.0 * (figure - 1), "urls": figure},
                **{"sitemap_first": figure, "links_first": other, "together": 0},
            },
        },
    }


def sentences(figure: int, other: int) -> Iterator[str]:
    """The sentences that the log shows at the end of a crawl, and those of report.json."""
    facts = filled(figure, other)
    for fix in priorities(facts):
        yield fix["sentence"]
    yield from not_looked_at.in_words(facts["not_looked_at"])
    yield from doubts(facts["indexed"])
    yield from rendering_in_words(facts)
    yield from (words for _, _, words in traps_in_words(facts))
    yield blank_in_words(facts["blank"])
    yield failing_in_words({"failing": figure})
    yield lost_in_words(Lost(figure, other))
    for cause in ("interrupted", "max_pages"):
        yield unfinished_in_words(cause, figure)
    left_out = {"no_return": other, "not_listed": figure}
    hreflang = {"pages": figure, "count": figure, "left_out": left_out}
    yield hreflang_in_words({"extensions": {"hreflang": hreflang}})
    if figure:
        yield Loss(max(figure, other), {"noindex": figure}).in_words()
    parts = [f"sitemap-{number}.xml" for number in range(1, 41)]
    for changed in (parts[:figure], parts[figure:]):
        yield from (state for _, state in states(Path(), parts, changed))


@pytest.mark.parametrize("other", FIGURES)
@pytest.mark.parametrize("figure", FIGURES)
def test_sentences_agree_with_their_figures(figure: int, other: int) -> None:
    for sentence in filter(None, sentences(figure, other)):
        check(sentence)


@pytest.mark.parametrize("count", FIGURES)
def test_published_files_that_cannot_be_read(count: int) -> None:
    none: Any = []
    unread = [f"sitemap-{number}.xml is broken" for number in range(MOST_NAMED + count)]
    before = Published(none, none, none, none, none, unread=unread)
    for sentence in unread_in_words(before):
        check(sentence)


def paragraphs(facts: dict[str, Any]) -> Iterator[str]:
    """The paragraphs and list items of report.html as text."""
    table = html.Table(facts["start"])
    deque(table.watch([]), maxlen=0)
    file = io.BytesIO()
    html.write(facts, table, file)
    page = re.sub(r"<(style|script).*?</\1>", "", file.getvalue().decode(), flags=re.DOTALL)
    for block in re.findall(r"<(?:p|li)\b[^>]*>(.*?)</(?:p|li)>", page, re.DOTALL):
        yield " ".join(unescape(re.sub(r"<[^>]*>", "", block)).split())


@pytest.mark.parametrize("other", FIGURES)
@pytest.mark.parametrize("figure", FIGURES)
def test_the_page_agrees_with_its_figures(figure: int, other: int) -> None:
    facts = filled(figure, other)
    facts["priorities"] = priorities(facts)
    for text in filter(None, paragraphs(facts)):
        check(text)


def test_a_fault_of_one_kind_is_named_alone() -> None:
    (fix,) = (fix for fix in priorities(filled(1, 0)) if fix["id"] == "hreflang")
    assert fix["sentence"] == (
        "1 page names versions in other languages that do not name it: search engines ignore such "
        "hreflang."
    )


def test_documented_examples() -> None:
    assert doctest.testmod(words).failed == 0
    assert doctest.testmod(words).attempted
