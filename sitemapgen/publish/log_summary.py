"""Summary of a publication in the log, and its sentences."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from typing import Any

from sitemapgen.core.words import agree, clauses, counted, inflect, largest_first
from sitemapgen.publish.other_formats import describe_cuts, missing_feeds
from sitemapgen.publish.replacing import Publication
from sitemapgen.report.sections import not_looked_at
from sitemapgen.report.sections.coverage import doubts
from sitemapgen.report.sections.growth import changes_in_words
from sitemapgen.report.sections.kinds import kinds_in_words
from sitemapgen.report.sections.pages import MANY_BLANK, blank_in_words
from sitemapgen.store.results import Lost
from sitemapgen.verdicts import DateFault

logger = logging.getLogger(__name__)

DOUBTS = ("wall", "shared_canonical", "offsite_canonicals", "shared_parameter", "repeated")
"""Things to fix that are warnings, by their ids."""


def log_summary(
    publication: Publication,
    *,
    fetched: int,
    fetched_before: int,
    seconds: float,
    max_pages: int,
    formats: Collection[str],
) -> None:
    """Log what a crawl found and published, and what needs attention.

    ``fetched``: number of pages that this process requested in ``seconds``; ``fetched_before``:
    those that others did, before an interruption. ``formats``: those that were asked for.
    """
    seen, verdicts = publication.summary["seen"], largest_first(publication.summary["verdicts"])
    pages, urls = counted(fetched, "page"), counted(seen, "URL")
    before = f", {fetched_before:,} before an interruption" if fetched_before else ""
    lines = [
        (logging.INFO, f"{pages} fetched in {seconds:.1f} s{before}; of {urls} seen: {verdicts}"),
        *_findings_lines(publication, max_pages),
        *_files_lines(publication, formats),
    ]
    for level, line in lines:
        if line:
            logger.log(level, "%(line)s", {"line": line})


def _findings_lines(publication: Publication, max_pages: int) -> Iterator[tuple[int, str]]:
    """Yield (level, line) of what was found; empty lines for nothing."""
    facts = publication.summary
    yield logging.INFO, facts["headline"]["sentence"]
    yield logging.INFO, kinds_in_words(facts["kinds"])
    yield logging.INFO, changes_in_words(facts["changes"])
    for words in traps_in_words(facts):
        yield logging.WARNING, words
    for route in facts["traps"]:
        if route["kind"] == "hash_route":
            links = counted(route["urls"], "link leads", "links lead")
            words = f"{links} to views of {route['pattern']} behind #: search engines see one page"
            yield logging.WARNING, words
    yield logging.WARNING, lone_start_in_words(facts)
    for warning in (*warnings_in_words(publication), views_in_words(facts)):
        yield logging.WARNING, warning
    for doubt in doubts(facts["indexed"]):
        yield logging.WARNING, f"indexed: {doubt}"
    yield logging.INFO, dates_in_words(facts["distrusted_lastmods"])
    if postponed := facts["postponed"]:
        words = (
            "{count:,} page[ was|s were] carried over: max_pages={cap} left no visit for [it|them]"
        )
        yield logging.INFO, inflect(words, postponed, cap=max_pages)
    yield logging.INFO, fix_in_words(facts, "logins")
    yield logging.INFO, facts["due"]["sentence"] if facts["due"] else ""
    for line in (*not_looked_at.in_words(facts["not_looked_at"]), failing_in_words(facts)):
        yield logging.WARNING, line


def _files_lines(publication: Publication, formats: Collection[str]) -> Iterator[tuple[int, str]]:
    facts = publication.summary
    for path, state in publication.states():
        yield logging.INFO, f"{path}: {state}"
    for name in missing_feeds(formats, publication.files):
        yield logging.WARNING, f"{name}: not written, no page has a date"
    for sentence in describe_cuts(publication.files, facts["listed"]):
        yield logging.WARNING, sentence
    yield logging.INFO, hreflang_in_words(facts)
    yield logging.INFO, robots_txt_in_words(facts)
    if publication.objection and not facts["refused"]:
        yield logging.WARNING, f"force=true: published, though {publication.objection}"
    elif publication.loss.lost and not facts["refused"]:
        yield logging.INFO, publication.loss.in_words()


def warnings_in_words(publication: Publication) -> list[str]:
    """Return the warnings of a publication, also for result.json."""
    facts = publication.summary
    return [
        *publication.unread,
        *rendering_in_words(facts),
        *filter(None, (fix_in_words(facts, name) for name in DOUBTS)),
    ]


def fix_in_words(facts: dict[str, Any], name: str) -> str:
    """Describe one of the things to fix of a summary, by its id; empty if there is none.

    >>> rows = [{"id": "logins", "sentence": "1 URL needs a login."}]
    >>> fix_in_words({"priorities": rows}, "logins")
    '1 URL needs a login'
    """
    sentences = (row["sentence"] for row in facts["priorities"] if row["id"] == name)
    return next(sentences, "").removesuffix(".")


def hreflang_in_words(facts: dict[str, Any]) -> str:
    """Describe the versions in other languages of a summary; empty without the extension.

    >>> section = {"pages": 2, "count": 4, "left_out": {"no_return": 1}}
    >>> hreflang_in_words({"extensions": {"hreflang": section}})
    'hreflang: 4 links on 2 pages; left out: no_return 1'
    """
    section = facts["extensions"].get("hreflang")
    if section is None:
        return ""
    left_out = ", ".join(f"{why} {count:,}" for why, count in section["left_out"].items() if count)
    more = f"; left out: {left_out}" if left_out else ""
    found = f"{counted(section['count'], 'link')} on {counted(section['pages'], 'page')}"
    return f"hreflang: {found if section['count'] else 'no links'}{more}"


def dates_in_words(distrusted: dict[str, dict[str, int]]) -> str:
    """Describe the dates of listed pages that are not published; empty if there are none.

    >>> dates_in_words({"sitemap": {"ancient": 1}})
    '1 date of a listed page is not published: 1 of sitemap (ancient: is before 1990)'
    """
    counts = [
        (-count, source, fault)
        for source, faults in distrusted.items()
        for fault, count in faults.items()
    ]
    parts = (
        f"{-count:,} of {source} ({fault}: {DateFault(fault).row.meaning})"
        for count, source, fault in sorted(counts)
    )
    words = "{count:,} date[ of a listed page is|s of listed pages are] not published: {parts}"
    total = -sum(count for count, *_ in counts)
    return inflect(words, total, parts=", ".join(parts)) if counts else ""


def failing_in_words(facts: dict[str, Any]) -> str:
    """Describe the pages of a summary that still fail; empty if there are none.

    >>> failing_in_words({"failing": 1})
    '1 page still fails (server error, no answer, or not rendered); the next crawl asks again'
    """
    words = (
        "{count:,} page[ still fails|s still fail] (server error, no answer, or not rendered); the "
        "next crawl asks again"
    )
    return inflect(words, facts["failing"]) if facts["failing"] else ""


def lone_start_in_words(facts: dict[str, Any]) -> str:
    """Describe a start page without any link, unless the browser found it empty.

    >>> facts = {"seen": 1, "listed": 1, "rendering": {"empty_start": None}}
    >>> lone_start_in_words(facts).partition(":")[0]
    'The start page links to no other page of the site'
    """
    if facts["seen"] != 1 or not facts["listed"] or facts["rendering"]["empty_start"]:
        return ""
    return (
        "The start page links to no other page of the site: if there are more, give the URL behind "
        "an entry page (-a url=), a sitemap that names them (-a sitemaps=), or the cookie of a "
        "visitor who was let in (-a cookies=name=value)"
    )


def views_in_words(facts: dict[str, Any]) -> str:
    """Describe the pages that ``views=exclude`` leaves out; empty if there are none.

    >>> views_in_words({"views": {"left_out": 2}})
    'views=exclude: 2 pages that show only what other listed pages show are left out'
    """
    words = (
        "views=exclude: {count:,} page[ that shows|s that show] only what other listed pages show "
        "[is|are] left out"
    )
    count = facts["views"]["left_out"]
    return inflect(words, count) if count else ""


def lost_in_words(lost: Lost) -> str:
    """Describe what errors in the crawler cost; empty if there were none.

    >>> from sitemapgen.store.results import Lost
    >>> lost_in_words(Lost(pages=1, files=0)).partition(";")[0]
    '1 page could not be read because of an error in the crawler'
    """
    what = clauses(
        (lost.pages, counted(lost.pages, "page")),
        (lost.files, counted(lost.files, "sitemap file")),
        (lost.parts, counted(lost.parts, "part of its systems", "parts of its systems")),
        joint=" and ",
    )
    if not what:
        return ""
    because = agree(sum(lost), "an error", "errors")
    return (
        f"{what} could not be read because of {because} in the crawler; the log has the traceback, "
        "and what was listed before stays listed for now"
    )


def robots_txt_in_words(facts: dict[str, Any]) -> str:
    """Return whether robots.txt names the sitemap, or the line that it should have.

    >>> robots_txt_in_words({"robots_txt": {"url": "/robots.txt", "line": "L", "is_there": True}})
    '/robots.txt has the line that names the sitemap: L'
    """
    advice = facts["robots_txt"]
    has = "has the line that names the sitemap" if advice["is_there"] else "should have the line"
    return f"{advice['url']} {has}: {advice['line']}"


def traps_in_words(facts: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence on each kind of endless space, and on each reason to leave other kinds."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for trap in facts["traps"]:
        if trap["fetched"] and trap["urls"] and trap["kind"] != "soft_404":
            kind, reason = trap["kind"].replace("_", " "), trap["reason"]
            name = f"Trap, {kind}" if trap["is_endless"] else reason[:1].upper() + reason[1:]
            groups.setdefault(name, []).append(trap)
    for name, traps in groups.items():
        worst = max(traps, key=lambda trap: (trap["urls"], trap["pattern"]))["pattern"]
        others = len(traps) - 1
        more = f" and {counted(others, 'more pattern')}" if others else ""
        count = sum(trap["urls"] for trap in traps)
        yield f"{name}: {counted(count, 'URL')} left out; {worst}{more}"


def rendering_in_words(facts: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence, with its remedy, on pages that may be read incompletely."""
    if facts["blank"]["count"] >= MANY_BLANK:
        yield blank_in_words(facts["blank"])
    rendering = facts["rendering"]
    if rendering["empty_start"]:
        yield rendering["empty_start"]
    if unfinished := rendering["unfinished"]:
        words = (
            "{count:,} page[ was|s were] read while something on [it|them] was still loading, "
            "first {first}: if content is missing, -s SITEMAPGEN_RENDERING_SELECTOR_WAIT=30 "
            "-s SITEMAPGEN_RENDERING_DEADLINE=60 waits longer"
        )
        yield inflect(words, unfinished, first=rendering["unfinished_examples"][0])
