"""Views that are numbered pages of lists: the names, prices and dates of the pages they link to.

Such texts are too short for ``shown.py``, and one by one their words are on every site. So a whole
form of URL is judged: its pages have numbers (``core/pagination.py``), and consist of runs of words
that are at the beginnings of three pages or more. What most pages of a group link to is its
navigation and no evidence: another list of the same entries among it. The first page of a list is
none of these: it is what a category is found by.

Numbers are content here, as runs of words are: in a list of results the names of the clubs are on
their pages, and the goals are nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.shown import LARGEST, MAX_LINKS, MIN_PARTS, OWN_WORDS, View, parts_of
from sitemapgen.analysis.view_groups import (
    Content,
    WordsOf,
    common,
    groups_of,
    layout_of,
    trial,
    views_of_group,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Ints, Mask
    from sitemapgen.analysis.shown import Text


def numbered_views(
    groups: NDArray[np.int32],
    is_numbered: Mask,
    text_of: Callable[[int], Text],
    links_of: Callable[[int], list[int]],
    views: Iterable[int],
) -> list[View]:
    """Return the views among the numbered pages of lists, by node.

    ``groups``: number of the form of its URL by node, from 0; -1 for URLs that are not listed.
    ``is_numbered``: the pages of lists, without the first of each. ``links_of``: the listed pages
    that a page links to. ``views``: nodes of other views, which are no evidence.
    """
    is_view = np.zeros_like(is_numbered)
    is_view[list(views)] = True
    is_evidence = ~(is_numbered | is_view)
    words_of = WordsOf(text_of)

    def views_of(nodes: list[int]) -> list[View]:
        first = trial(nodes)
        layout = layout_of([text_of(node) for node in first])
        navigation = common(map(links_of, first), len(first))

        def view_of(node: int) -> View | None:
            links = links_of(node)
            others = [each for each in links if is_evidence[each] and each not in navigation]
            if not MIN_PARTS <= len(others) <= MAX_LINKS:
                return None
            return _view(node, Content.of(text_of(node), layout), others, words_of)

        return views_of_group(nodes, view_of)

    is_open = is_numbered & ~is_view
    return sorted(view for nodes in groups_of(groups, is_open) for view in views_of(nodes))


def lowest_numbers(nodes: Ints, lengths: Ints, lists: Ints) -> Ints:
    """Return the index of the page with the lowest number of each list.

    It is the first page of a list whose URL without a number is not listed. ``nodes``: numbered
    pages; nodes ascend by URL. ``lengths``: of their URLs. ``lists``: a number of their list.
    """
    order = np.lexsort((nodes, lengths, lists))
    found: Ints = order[np.append(True, np.diff(lists[order]) != 0)[: len(order)]]
    return found


def _view(node: int, content: Content, links: list[int], words_of: WordsOf) -> View | None:
    """Return a page as a view, if all of it but the layout is on some of the pages it links to."""
    compared = [(other, words_of(other)) for other in links]
    shown = [(other, words, content.shown_by(words)) for other, words in compared]
    most = LARGEST * np.count_nonzero(content.is_content)
    parts = [each for each in shown if 0 < np.count_nonzero(each[2]) <= most]
    if not parts:
        return None
    has = np.array([flags for _, _, flags in parts])
    if not content.is_text(has) or not content.is_shown([words for _, words, _ in parts], has):
        return None
    if content.own_numbers(has) > OWN_WORDS:
        return None
    rows = parts_of(has)
    return View(node, len(rows), parts[rows[0]][0]) if len(rows) >= MIN_PARTS else None
