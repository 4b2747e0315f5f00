"""Canonicals of a whole site: the end of each chain, and whether it is followed.

A canonical is a hint that search engines ignore if its target does not exist; so do we, and the
page that names it is listed. No page is left out of the sitemap in favour of a missing one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import IntEnum

import numpy as np

from sitemapgen.analysis.graph import (
    NOWHERE,
    Ints,
    LinkGraph,
    Mask,
    Measures,
    chain_ends,
    sort_by_preference,
)
from sitemapgen.core.urls import key as url_key
from sitemapgen.core.urls import split
from sitemapgen.core.words import by_count
from sitemapgen.items import Ruling
from sitemapgen.verdicts import Reason, Verdict, verdicts_where

MAY_BE_ORIGINAL = verdicts_where(lambda row: row.may_be_original)
"""Verdicts of valid targets of a canonical: a listed page, one of another site, or one that was not
fetched because of a limit of the crawl."""

MANY_SHARE = 10
"""Minimum number of pages with the same canonical URL, or parameter, for a suspicion."""

_IDENTIFIER = re.compile(r"=(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[0-9A-Za-z]{8,}$")
"""A parameter whose value has letters and digits, eight or more, as a word, a date or a page number
has not."""


def is_template_error(pages: int, titles: int, all_pages: int, *, is_start: bool) -> bool:
    """Return whether a canonical URL that pages share is probably an error of their template.

    ``pages`` of ``all_pages`` name it, under ``titles`` different titles. It is suspicious from
    half of all pages on, if most of them have a title of their own; the start page also if fewer
    name it, as it is the original of nothing but itself. No verdict depends on it.
    """
    is_many = pages >= MANY_SHARE and (is_start or 2 * pages >= all_pages)
    return is_many and 2 * titles >= pages


def shared_identifier(urls: Iterable[str]) -> tuple[str, int] | None:
    """Return the parameter with one value in nine of ten URLs with a query, and their number.

    Only values that look like an identifier count: all pages may have ``lang=en``.

    >>> shared_identifier(f"https://e.example/{number}?u=eccbc87e4b" for number in range(12))
    ('u=eccbc87e4b', 12)
    """
    total, found = 0, Counter[str]()
    for url in urls:
        total += 1
        found.update({part for part in split(url).query.split("&") if _IDENTIFIER.search(part)})
    for part, count in by_count(found)[:1]:
        if count >= MANY_SHARE and count * 10 >= total * 9:
            return part, count
    return None


class Fate(IntEnum):
    """Result for a page that names another URL as its canonical."""

    FOLLOWED = 0
    """The canonical leads to a page of this site, or to one whose original is elsewhere."""
    ELSEWHERE = 1
    """The canonical leads to another site (Google follows those, too), or beyond our limits."""
    BROKEN = 2
    """The canonical leads to an error, a URL that may not be indexed or fetched, or no page."""
    RETURNS = 3
    """The canonical redirects to the page itself: another spelling of its URL."""
    CIRCLE = 4
    """The canonicals form a cycle, of which this page is the listed one."""
    DISAGREES = 5
    """The page names several canonicals."""


class Canonicals:
    """Pages that name another URL as their canonical, with the result for each."""

    def __init__(
        self, rows: Iterable[tuple[int, str]], graph: LinkGraph, measures: Measures
    ) -> None:
        """Read (key, canonical URLs) rows of listed pages, as ``Page.canonical`` has them."""
        self._graph = graph
        named = np.fromiter(
            ((key, 0 if " " in urls else url_key(urls), " " in urls) for key, urls in rows),
            dtype=[("page", np.int64), ("target", np.int64), ("disagrees", np.bool_)],
        )
        pages = graph.find_nodes(named["page"])
        targets = graph.find_nodes(named["target"])
        fates = np.full(len(pages), Fate.ELSEWHERE, np.int8)
        ends = np.full(len(pages), NOWHERE, np.int64)

        is_known = targets != NOWHERE
        ends[is_known] = graph.redirect_ends()[targets[is_known]]
        verdict = graph.nodes.verdict[ends]
        is_page = is_known & (verdict == Verdict.LISTED.code)
        is_broken = ~np.isin(verdict, [each.code for each in MAY_BE_ORIGINAL])
        fates[is_known & is_broken] = Fate.BROKEN
        fates[is_page] = Fate.FOLLOWED
        fates[is_page & (ends == pages)] = Fate.RETURNS
        fates[named["disagrees"]] = Fate.DISAGREES

        step = np.full(len(graph.nodes.keys), NOWHERE, np.int64)
        step[pages[fates == Fate.FOLLOWED]] = ends[fates == Fate.FOLLOWED]
        kept = self._break_circles(step, measures)
        fates[kept[pages] & (fates == Fate.FOLLOWED)] = Fate.CIRCLE
        step[kept] = NOWHERE
        self._targets = targets
        self._ends = np.where(fates == Fate.FOLLOWED, chain_ends(step)[pages], ends)
        self._fates = fates
        leads_elsewhere = np.zeros(len(step), np.bool_)
        leads_elsewhere[pages[fates == Fate.ELSEWHERE]] = True
        self._is_listed = ~leads_elsewhere

        self.is_original: Mask = np.zeros(len(step), np.bool_)
        """Whether a node is the end of canonicals of this site; one element a node."""
        self.is_original[self._ends[fates == Fate.FOLLOWED]] = True

    def _break_circles(self, step: Ints, measures: Measures) -> Mask:
        """Choose the page of each cycle that is listed."""
        count = len(step)
        is_kept: Mask = np.zeros(count, np.bool_)
        at = chain_ends(step)
        circling = np.flatnonzero((step != NOWHERE) & (step[at] != NOWHERE))
        if not len(circling):
            return is_kept
        # After that many steps, the pages of a cycle are a permutation of themselves.
        in_circle = np.zeros(count, np.bool_)
        in_circle[at[circling]] = True
        members = np.flatnonzero(in_circle)
        rank = np.full(count, count, np.int64)
        everywhere = np.ones(count, np.bool_)
        rank[sort_by_preference(members, self._graph.nodes, measures, everywhere)] = np.arange(
            len(members)
        )
        best, ahead = rank.copy(), np.where(step == NOWHERE, np.arange(count), step)
        for _ in range(count.bit_length()):
            best = np.minimum(best, best[ahead])
            ahead = ahead[ahead]
        is_kept[members] = best[members] == rank[members]
        return is_kept

    def rulings(self, rows: Iterable[tuple[int, str]]) -> Iterator[Ruling]:
        """Yield the ruling for each page, for the same rows in the same order."""
        nodes = self._graph.nodes
        for row, (key, urls) in enumerate(rows):
            fate, end = Fate(self._fates[row]), int(self._ends[row])
            if fate is Fate.FOLLOWED or fate is Fate.ELSEWHERE:
                evidence, other = f"canonical is {urls}", 0
                if fate is Fate.FOLLOWED and end != self._targets[row] and self._is_listed[end]:
                    evidence, other = f"{evidence}, which leads to ", int(nodes.keys[end])
                yield Ruling(key, Verdict.CANONICALISED, evidence, other, urls)
            else:
                why = {
                    Fate.RETURNS: "it leads back here",
                    Fate.CIRCLE: "they lead in a circle, and this one is listed",
                    Fate.DISAGREES: "they disagree",
                }.get(fate)
                why = why or Verdict.of(int(nodes.verdict[end])).value
                reason = Reason(f"canonical_{fate.name.lower()}")
                evidence = f"canonical {urls} ignored: {why}"
                yield Ruling(key, Verdict.LISTED, evidence, reason=reason)
