"""Summary of a publication in the log, and its sentences."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import agree, clauses, counted, largest_first
from sitemapgen.publish.other_formats import cut, missing
from sitemapgen.report.sections import not_looked_at
from sitemapgen.report.sections.changes import changes_in_words
from sitemapgen.report.sections.coverage import doubts
from sitemapgen.report.sections.kinds import kinds_in_words
from sitemapgen.report.sections.pages import (
    MANY_BLANK,
    blank_in_words,
    logins_in_words,
    shared_canonical_in_words,
)
from sitemapgen.verdicts import DateFault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sitemapgen.publish.replacing import Publication
    from sitemapgen.store.results import Lost

logger = logging.getLogger(__name__)


def log_summary(
    publication: Publication,
    *,
    fetched: int,
    seconds: float,
    max_pages: int,
    formats: Collection[str],
) -> None:
    """Log what a crawl of ``seconds`` found and published, and what needs attention.

    ``fetched``: number of pages that it requested. ``formats``: those that were asked for.
    """
    facts = publication.summary
    logger.info(
        "%(fetched)s fetched in %(seconds).1f s; of %(seen)s seen: %(verdicts)s",
        {
            "fetched": counted(fetched, "page"),
            "seconds": seconds,
            "seen": counted(facts["seen"], "URL"),
            "verdicts": largest_first(facts["verdicts"]),
        },
    )
    logger.info("%(headline)s", {"headline": facts["headline"]["sentence"]})
    if kinds := kinds_in_words(facts["kinds"]):
        logger.info("%(kinds)s", {"kinds": kinds})
    if changes := changes_in_words(facts["changes"]):
        logger.info("%(changes)s", {"changes": changes})
    for kind, count, patterns in traps_in_words(facts):
        logger.warning(
            "Trap, %(kind)s: %(urls)s%(patterns)s",
            {
                "kind": kind,
                "urls": f"{counted(count, 'URL')} left out; " if count else "",
                "patterns": patterns,
            },
        )
    for count, document in routes_in_words(facts):
        logger.warning(
            "%(links)s to views of %(url)s behind #: search engines see one page",
            {"links": counted(count, "link leads", "links lead"), "url": document},
        )
    for warning in warnings_in_words(publication):
        logger.warning("%(warning)s", {"warning": warning})
    if views := views_in_words(facts):
        logger.warning("%(views)s", {"views": views})
    for doubt in doubts(facts["indexed"]):
        logger.warning("indexed: %(doubt)s", {"doubt": doubt})
    if dates := dates_in_words(facts["distrusted_lastmods"]):
        logger.info("%(dates)s", {"dates": dates})
    if facts["postponed"]:
        logger.info(
            "%(pages)s carried over: max_pages=%(cap)d left no visit for %(them)s",
            {
                "pages": counted(facts["postponed"], "page was", "pages were"),
                "cap": max_pages,
                "them": agree(facts["postponed"], "it", "them"),
            },
        )
    if logins := logins_in_words(facts["logins"]):
        logger.info("%(logins)s", {"logins": logins})
    if facts["due"]:
        logger.info("%(sentence)s", {"sentence": facts["due"]["sentence"]})
    for line in not_looked_at.in_words(facts["not_looked_at"]):
        logger.warning("%(line)s", {"line": line})
    if remark := failing_in_words(facts):
        logger.warning("%(remark)s", {"remark": remark})
    for path, state in publication.states():
        logger.info("%(path)s: %(state)s", {"path": path, "state": state})
    for name in missing(formats, publication.files):
        logger.warning("%(name)s: not written, no page has a date", {"name": name})
    for sentence in cut(publication.files, facts["listed"]):
        logger.warning("%(sentence)s", {"sentence": sentence})
    if hreflang := hreflang_in_words(facts):
        logger.info("%(hreflang)s", {"hreflang": hreflang})
    logger.info("%(advice)s", {"advice": robots_txt_in_words(facts)})
    if publication.summary["refused"]:
        return
    if publication.objection:
        logger.warning("force=true: published, though %(why)s", {"why": publication.objection})
    elif publication.loss.lost:
        logger.info("%(loss)s", {"loss": publication.loss.in_words()})


def warnings_in_words(publication: Publication) -> list[str]:
    """Return the warnings of a publication, also for result.json."""
    shared = shared_canonical_in_words(publication.summary["shared_canonical"])
    return [
        *publication.unread,
        *rendering_in_words(publication.summary),
        *filter(None, [shared]),
    ]


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
    counts = {
        (source, fault): count
        for source, faults in distrusted.items()
        for fault, count in faults.items()
    }
    if not counts:
        return ""
    total = sum(counts.values())
    parts = (
        f"{count:,} of {source} ({fault}: {DateFault(fault).row.meaning})"
        for (source, fault), count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )
    dates = counted(total, "date of a listed page is", "dates of listed pages are")
    return f"{dates} not published: {', '.join(parts)}"


def failing_in_words(facts: dict[str, Any]) -> str:
    """Describe the pages of a summary that still fail; empty if there are none.

    >>> failing_in_words({"failing": 1})
    '1 page still fails (server error, no answer, or not rendered); the next crawl asks again'
    """
    count = facts["failing"]
    if not count:
        return ""
    pages = counted(count, "page still fails", "pages still fail")
    return f"{pages} (server error, no answer, or not rendered); the next crawl asks again"


def views_in_words(facts: dict[str, Any]) -> str:
    """Describe the pages that ``views=exclude`` leaves out; empty if there are none.

    >>> views_in_words({"views": {"left_out": 2}})
    'views=exclude: 2 pages that show only what other listed pages show are left out'
    """
    count = facts["views"]["left_out"]
    if not count:
        return ""
    pages = counted(count, "page that shows", "pages that show")
    return (
        f"views=exclude: {pages} only what other listed pages show {agree(count, 'is', 'are')} "
        "left out"
    )


def lost_in_words(lost: Lost) -> str:
    """Describe what errors in the crawler cost; empty if there were none.

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


def traps_in_words(facts: dict[str, Any]) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, number of URLs left out, patterns in words) of each kind of endless space."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for trap in facts["traps"]:
        if trap["fetched"] and trap["kind"] != "soft_404":
            kinds.setdefault(trap["kind"], []).append(trap)
    for kind, traps in kinds.items():
        worst = max(traps, key=lambda trap: (trap["urls"], trap["pattern"]))["pattern"]
        others = len(traps) - 1
        more = f" and {counted(others, 'more pattern')}" if others else ""
        yield kind, sum(trap["urls"] for trap in traps), worst + more


def rendering_in_words(facts: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence, with its remedy, on pages that may be read incompletely."""
    if facts["blank"]["count"] >= MANY_BLANK:
        yield blank_in_words(facts["blank"])
    rendering = facts["rendering"]
    if rendering["empty_start"]:
        yield rendering["empty_start"]
    if unfinished := rendering["unfinished"]:
        yield (
            f"{counted(unfinished, 'page was', 'pages were')} read while something on "
            f"{agree(unfinished, 'it', 'them')} was still loading, "
            f"first {rendering['unfinished_examples'][0]}: if content is missing, "
            "-s SITEMAPGEN_RENDERING_SELECTOR_WAIT=30 -s SITEMAPGEN_RENDERING_DEADLINE=60 waits "
            "longer"
        )


def routes_in_words(facts: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield (number of links, URL) of each document whose views have no URLs of their own."""
    for sighting in facts["traps"]:
        if sighting["kind"] == "hash_route":
            yield sighting["urls"], sighting["pattern"]
