"""The sections about pages: rendering, blank pages, dates, versions in other languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from sitemapgen.analysis.canonicals import is_template_error, shared_identifier
from sitemapgen.analysis.coverage import COPIES, share
from sitemapgen.analysis.freshness.trust import SMALL_SECTIONS
from sitemapgen.analysis.graph import NOWHERE, Ints
from sitemapgen.analysis.key_index import distinct
from sitemapgen.analysis.late_retry import LinklessPage, find_repeated
from sitemapgen.core.rendering.learn import LINKS, METADATA, RENDERED_FOR, TEXT
from sitemapgen.core.urls import key, split
from sitemapgen.core.words import by_count, counted
from sitemapgen.report.dataset import EXAMPLES, Dataset, count_part, number_of
from sitemapgen.store.history import TrustRow
from sitemapgen.verdicts import Verdict

MANY_BLANK = 10
"""Minimum number of blank pages for a warning."""


def count_rendered(dataset: Dataset, start: str) -> dict[str, Any]:
    """Count the rendered pages, and what rendering added."""
    store = dataset.store.rendering
    report = store.report()
    return {
        "scripted": store.site_tally().seen,
        **report._asdict(),
        "gained": report.pages - report.gained_nothing - report.failed,
        "unrenderable": number_of(dataset.census.has(Verdict.UNRENDERABLE)),
        "empty_start": _empty_start(dataset, start),
        "needed": _count_needed(dataset),
        "by_scripts_alone": _by_scripts_alone(dataset),
    }


def _by_scripts_alone(dataset: Dataset) -> dict[str, Any]:
    """Count the listed pages to which no links lead but those that scripts show."""
    listed = dataset.census.is_listed
    if not (added := list(dataset.store.rendering.added_links())):
        return count_part(0, number_of(listed), examples=[])
    reached = dataset.measures.is_reached & ~dataset.graph.reached_without(added)
    return dataset.part(reached & listed, listed, "url")


def _count_needed(dataset: Dataset) -> dict[str, Any]:
    """Count the listed pages that show more in a browser, and why they need one."""
    store = dataset.store.rendering
    gains = store.count_gains()
    reasons: Counter[str] = Counter()
    for (reason, _), pages in gains.items():
        reasons[RENDERED_FOR[reason]] += pages
    return {
        **count_part(sum(gains.values()), number_of(dataset.census.is_listed)),
        "without_text": sum(pages for (_, gained), pages in gains.items() if gained & TEXT),
        "reasons": [{"reason": reason, "count": pages} for reason, pages in by_count(reasons)],
        "examples": [
            {
                "url": page.url,
                "reason": RENDERED_FOR[page.reason],
                "lacks": _describe_lacks(page.gained),
            }
            for page in store.rendered_pages(EXAMPLES)
        ],
    }


def _describe_lacks(gained: int) -> list[str]:
    """Return what a page lacks without a browser.

    >>> _describe_lacks(TEXT + LINKS)
    ['text', 'links']
    """
    kinds = {"text": TEXT, "links": LINKS, "metadata": METADATA}
    return [name for name, bit in kinds.items() if gained & bit]


def _empty_start(dataset: Dataset, start: str) -> str | None:
    """Return a sentence if the start page has no links and hardly a word, even in a browser."""
    why = dataset.store.rendering.emptiness(key(start))
    (place,) = dataset.graph.find_nodes(np.array([key(start)]))
    if why is None or place == NOWHERE or not dataset.census.is_listed[place]:
        return None
    return (
        f"The start page {start} shows no link and hardly a word, even in a browser, so that "
        f"nothing was found from it: {why}"
    )


def count_blank(dataset: Dataset, start: str) -> dict[str, Any]:
    """Count the listed pages that have neither title nor text nor image."""
    found = dataset.store.results.count_blank(EXAMPLES)
    return {
        **count_part(found.pages, number_of(dataset.census.is_listed)),
        "is_start": start in found.examples,
        "examples": found.examples,
    }


def count_repeated(linkless: Iterable[LinklessPage]) -> dict[str, Any]:
    """Count the pages without links that share a short text with others."""
    repeated = find_repeated(linkless, set())
    return {"count": len(repeated), "examples": [page.url for page in repeated[:EXAMPLES]]}


def blank_in_words(blank: dict[str, Any]) -> str:
    """Describe the blank pages, with the likely cause; empty if there are only a few.

    >>> found = {"count": 40, "share": 1.0, "is_start": True, "examples": ["https://e.example/"]}
    >>> blank_in_words(found)[:68]
    '40 listed pages are blank (no title, text or image), first https://e'
    """
    count = blank["count"]
    if count < MANY_BLANK and not blank["is_start"]:
        return ""
    return (
        f"{counted(count, 'listed page is', 'listed pages are')} blank (no title, text or image), "
        f"first {blank['examples'][0]}: a theme, a template or a script may be missing on the "
        "server"
    )


def count_logins(dataset: Dataset) -> dict[str, Any]:
    """Count the URLs that redirect to a login form; those on the way to it do not count."""
    graph, nodes = dataset.graph, dataset.graph.nodes
    is_form = nodes.verdict == Verdict.LOGIN.code
    pages = np.flatnonzero(nodes.is_redirect & is_form[graph.redirect_ends()])
    pages = np.setdiff1d(pages, graph.first_targets(pages))
    return {
        "count": len(pages),
        "forms": number_of(is_form),
        "examples": dataset.urls(pages[:EXAMPLES]),
    }


def shared_canonical(dataset: Dataset, start: str) -> dict[str, Any] | None:
    """Describe the canonical URL that pages share by an error of their template, or return None."""
    found = dataset.store.results.shared_canonical(EXAMPLES)
    pages = number_of(dataset.census.has(Verdict.LISTED, *COPIES))
    if found is None:
        return None
    is_start = found.url == start
    if not is_template_error(found.pages, found.titles, pages, is_start=is_start):
        return None
    return {**found._asdict(), "share": share(found.pages, pages)}


def offsite_canonicals(dataset: Dataset) -> dict[str, Any]:
    """Count the pages that are left out for a canonical URL on the other site that most name."""
    pages: dict[str, list[str]] = {}
    for url, canonical in dataset.store.results.canonicalised():
        if (origin := split(canonical).origin) != dataset.origin:
            pages.setdefault(origin, []).append(url)
    origin = max(pages, key=lambda each: (len(pages[each]), each), default="")
    named = pages.get(origin, [])
    return {"count": len(named), "origin": origin, "examples": named[:EXAMPLES]}


def shared_parameter(dataset: Dataset) -> dict[str, Any] | None:
    """Describe the identifier that most listed URLs with a query have, or return None."""
    found = shared_identifier(dataset.store.results.listed_with_query())
    if found is None:
        return None
    parameter, count = found
    return {"parameter": parameter, **count_part(count, number_of(dataset.census.is_listed))}


def count_lastmods(counts: dict[str, int]) -> list[dict[str, Any]]:
    """Count the listed URLs by the source of their dates, most first."""
    total = sum(counts.values())
    return [{"source": source, **count_part(count, total)} for source, count in by_count(counts)]


def trust_changes(changes: list[TrustRow]) -> list[dict[str, Any]]:
    """Return the sources of dates that lost trust in a section, or regained it."""
    return [
        {
            "source": change.source,
            "section": place_of_trust(change),
            "is_trusted": change.is_trusted,
            "reason": change.reason,
            "evidence": change.evidence,
        }
        for change in changes
    ]


def place_of_trust(change: TrustRow) -> str:
    """Return where a source was tested: a path, or the small sections together."""
    if change.section == SMALL_SECTIONS:
        return "the small sections"
    return f"/{change.name}/" if change.name else "/"


def count_hreflang(dataset: Dataset) -> tuple[dict[str, Any], Ints]:
    """Count the pages whose versions in other languages do not name them, or are not listed.

    Also return the number of such versions by node.
    """
    sources, targets = _read_alternates(dataset)
    is_other = (sources != targets) & (targets != NOWHERE)
    sources, targets = sources[is_other], targets[is_other]
    size = len(dataset.census.verdict) + 1
    pairs = sources * size + targets
    back = targets * size + sources
    listed = dataset.census.is_listed
    is_left_out = ~listed[targets]
    answers = np.isin(back, pairs)
    is_one_way = ~is_left_out & ~answers
    faulty = np.flatnonzero(is_left_out | is_one_way)
    faults = np.bincount(sources[faulty], minlength=len(listed))
    faulty = faulty[:EXAMPLES]
    found = {
        "pages": len(distinct(sources)),
        "one_way": len(distinct(sources[is_one_way])),
        "left_out": len(distinct(sources[is_left_out])),
        "faulty": number_of(faults > 0),
        "examples": [
            {"url": url, "fault": "left_out" if is_left_out[place] else "one_way", "other": other}
            for place, url, other in zip(
                faulty.tolist(), dataset.urls(sources[faulty]), dataset.urls(targets[faulty])
            )
        ],
    }
    return found, faults


def _read_alternates(dataset: Dataset) -> tuple[Ints, Ints]:
    """Return the nodes of listed pages and of the versions that they name, sorted by page."""
    keys = np.sort(dataset.graph.nodes.keys[dataset.census.is_listed])
    sources: list[Ints] = [np.empty(0, np.int64)]
    targets: list[Ints] = [np.empty(0, np.int64)]
    for page, packed in dataset.store.conclusions.alternates(keys.tolist()):
        found = np.frombuffer(packed, np.int64)
        sources.append(np.full(len(found), page))
        targets.append(found)
    pages = dataset.graph.find_nodes(np.concatenate(sources))
    versions = dataset.graph.find_nodes(np.concatenate(targets))
    order = np.lexsort((versions, pages))
    return pages[order], versions[order]
