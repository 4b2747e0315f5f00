"""Views of one page each: archives of a day with one post, pages of a picture.

That all of a page is on a single other page proves nothing: it may be a chapter of a manual, an
answer in a list of questions, a product in its category. A whole group of such pages, by the form
of their URLs, is one of views if each shows another page, which has more content and more links
than it has: parts of a whole are shown by the same page, and a page of its own has more links than
a second one with more about it. ``shown.py`` finds the views of several pages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.graph import NOWHERE
from sitemapgen.analysis.shown import (
    MAX_LINKS,
    MIN_SHARE,
    View,
    in_runs,
    parts_of,
)
from sitemapgen.analysis.view_groups import (
    MIN_WORDS,
    Content,
    WordsOf,
    groups_of,
    layout_of,
    trial,
    views_of_group,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Measures
    from sitemapgen.analysis.shown import Text
    from sitemapgen.analysis.view_groups import Layout, Words

MOST = 0.8
"""Maximum share of the words of another page, those of the layout left out, that a view shows, and
all but ``MIN_WORDS``. Of the archive of a day that shows its post as a whole, the post shows 0.95:
all but the date."""
DISTINCT = 0.8
"""Minimum share of the views of a group that show a page which no other one of them shows most of.
Of the days of a journal it is 1.0, of 12 products in a category 0.08."""


class _Site:
    """Listed pages, as far as the groups are compared."""

    def __init__(
        self,
        groups: NDArray[np.int32],
        measures: Measures,
        text_of: Callable[[int], Text],
        links_of: Callable[[int], list[int]],
        views: Iterable[int],
    ) -> None:
        self.groups = groups
        self.text_of = text_of
        self._measures = measures
        self._links_of = links_of
        self._words_of = WordsOf(text_of)
        nodes = list(views)
        sizes = np.bincount(groups[groups >= 0], minlength=1)
        of_views = np.bincount(groups[nodes], minlength=len(sizes))
        self.is_other = (groups >= 0) & (of_views < MIN_SHARE * sizes)[groups]
        """The pages of the groups that are none of views of several pages."""
        self._is_evidence = self.is_other.copy()
        self._is_evidence[nodes] = False

    def others(self, node: int) -> list[tuple[int, Words]]:
        """Return the pages that a page links to, and its parent, with more links than it has.

        Those of its own group are left out.
        """
        linked = self._links_of(node)
        if len(linked) > MAX_LINKS:
            return []
        in_degree, parent = self._measures.in_degree, int(self._measures.parent[node])
        return [
            (other, self._words_of(other))
            for other in sorted({*linked, parent} - {NOWHERE})
            if self._is_evidence[other]
            and self.groups[other] != self.groups[node]
            and in_degree[other] > in_degree[node]
        ]


def paired_views(
    groups: NDArray[np.int32],
    measures: Measures,
    text_of: Callable[[int], Text],
    links_of: Callable[[int], list[int]],
    views: Iterable[int],
) -> list[View]:
    """Return the views of one page each, by node.

    ``groups``: number of the form of its URL by node, from 0; -1 for URLs that are not listed.
    ``links_of``: the listed pages that a page links to. ``views``: nodes of the views of several
    pages, which are no evidence.
    """
    site = _Site(groups, measures, text_of, links_of, views)
    found = {
        int(groups[nodes[0]]): pairs
        for nodes in groups_of(groups, site.is_other)
        if (pairs := _views_of(site, nodes))
    }
    # Pages that show each other prove nothing about which of them are the views.
    kept = [
        pairs
        for pairs in found.values()
        if not any(int(groups[each.example]) in found for each in pairs)
    ]
    return sorted(each for pairs in kept for each in pairs)


def _views_of(site: _Site, nodes: list[int]) -> list[View]:
    """Return the views in a group; none if it is no group of views."""
    texts = [site.text_of(node) for node in trial(nodes)]
    if sum(text.is_whole for text in texts) < len(texts) - 1:
        return []
    layout = layout_of(texts)
    found = views_of_group(nodes, lambda node: _view(site, node, layout))
    shown = Counter(view.example for view in found)
    alone = sum(1 for count in shown.values() if count == 1)
    return found if alone >= DISTINCT * len(found) else []


def _view(site: _Site, node: int, layout: Layout) -> View | None:
    """Return a page as a view, if all of it but the layout is on the pages of ``others``."""
    text = site.text_of(node)
    if not text.is_whole:
        return None
    content = Content.of(text, layout)
    compared = [(number, other, content.shown_by(other)) for number, other in site.others(node)]
    compared = [each for each in compared if _is_part(each[2], each[1], layout)]
    if not compared or not content.words:
        return None
    has = np.array([flags for _, _, flags in compared])
    is_enough = content.is_text(has) or content.media
    parts = len(parts_of(has))
    if not is_enough or not content.is_shown([other for _, other, _ in compared], has, parts):
        return None
    likeness = [
        (len(content.media & other.media), int(np.count_nonzero(flags)), -number)
        for number, other, flags in compared
    ]
    most = max(likeness)
    return View(node, max(1, parts), -most[2]) if most[:2] > (0, 0) else None


def _is_part(is_shown: NDArray[np.bool_], other: Words, layout: Layout) -> bool:
    """Return whether the words that another page shows as well are only a part of its content."""
    shown = int(np.count_nonzero(is_shown))
    least = max(shown / MOST, shown + MIN_WORDS)
    if len(other.words) < least:
        return False
    return int(np.count_nonzero(~in_runs(other.words, layout.runs))) >= least
