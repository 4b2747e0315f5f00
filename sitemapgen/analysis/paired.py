"""Views of one page each: archives of a day with one post, pages of a picture.

That all of a page is on a single other page proves nothing: it may be a chapter of a manual, an
answer in a list of questions, a product in its category. A whole group of such pages, by the form
of their URLs, is one of views if each shows another page, which has more content and more links
than it has: parts of a whole are shown by the same page, and a page of its own has more links than
a second one with more about it. ``shown.py`` finds the views of several pages.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.analysis.graph import NOWHERE
from sitemapgen.analysis.shown import (
    GROUP_SHARE,
    MAX_LINKS,
    MIN_SHARE,
    OWN_SHARE,
    View,
    are_many,
    in_runs,
    longest_run,
    parts_of,
    runs_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeVar

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Measures
    from sitemapgen.analysis.shown import Run, Text

    T = TypeVar("T")

MIN_PAGES = 10
"""Minimum pages of a group: what they have in common is no accident."""
TRIAL = 8
"""Pages of a group that are compared first; at most one of them may be none of its views. What more
than half of them have, words and images, is the layout of the group."""
MIN_WORDS = 20
"""Minimum words, those of the layout left out, of a view without an image, and minimum of those
that it does not show of another page."""
MOST = 0.8
"""Maximum share of these words of another page that a view shows. Of the archive of a day that
shows its post as a whole, the post shows 0.95: all but the date."""
DISTINCT = 0.8
"""Minimum share of the views of a group that show a page which no other one of them shows most of.
Of the days of a journal it is 1.0, of 12 products in a category 0.08."""
KEPT = 2_000
"""Pages whose words are kept while a group is compared: menus and lists are linked by all."""


class _Words(NamedTuple):
    """Words of a page, as far as they are known."""

    words: tuple[str, ...]
    known: frozenset[str]
    runs: frozenset[Run]
    media: frozenset[int]


class _Layout(NamedTuple):
    """What more than half of the pages of a group have."""

    runs: frozenset[Run]
    media: frozenset[int]


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
        self._words: dict[int, _Words] = {}
        nodes = list(views)
        sizes = np.bincount(groups[groups >= 0], minlength=1)
        of_views = np.bincount(groups[nodes], minlength=len(sizes))
        self.sizes = np.where(of_views >= MIN_SHARE * sizes, 0, sizes)
        """Pages of each group; 0 for groups of views of several pages."""
        self._is_evidence = (groups >= 0) & (self.sizes[groups] > 0)
        self._is_evidence[nodes] = False

    def others(self, node: int) -> list[tuple[int, _Words]]:
        """Return the pages that a page links to, and its parent, with more links than it has.

        Those of its own group are left out.
        """
        linked = self._links_of(node)
        if len(linked) > MAX_LINKS:
            return []
        in_degree, parent = self._measures.in_degree, int(self._measures.parent[node])
        return [
            (other, self._of(other))
            for other in sorted({*linked, parent} - {NOWHERE})
            if self._is_evidence[other]
            and self.groups[other] != self.groups[node]
            and in_degree[other] > in_degree[node]
        ]

    def _of(self, node: int) -> _Words:
        if len(self._words) > KEPT:
            self._words.clear()
        if node not in self._words:
            text = self.text_of(node)
            words = words_of(text.excerpt)
            runs = frozenset(runs_of(words))
            self._words[node] = _Words(words, frozenset(words), runs, _set(text.media))
        return self._words[node]


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
    order = np.argsort(groups, kind="stable")
    bounds = np.searchsorted(groups[order], np.arange(len(site.sizes) + 1))
    found = {
        group: pairs
        for group in np.flatnonzero(site.sizes >= MIN_PAGES).tolist()
        if (pairs := _views_of(site, order[bounds[group] : bounds[group + 1]].tolist()))
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
    trial = nodes[:: -(-len(nodes) // TRIAL)]
    texts = [site.text_of(node) for node in trial]
    if sum(text.is_whole for text in texts) < len(trial) - 1:
        return []
    layout = _Layout(
        _common((set(runs_of(words_of(text.excerpt))) for text in texts), len(trial)),
        _common((_set(text.media) for text in texts), len(trial)),
    )
    if len(_found(site, trial, layout, 1)) < len(trial) - 1:
        return []
    others = int((1 - GROUP_SHARE) * len(nodes))
    found = _found(site, nodes, layout, others)
    if len(found) < len(nodes) - others:
        return []
    shown = Counter(view.example for view in found)
    alone = sum(1 for count in shown.values() if count == 1)
    return found if alone >= DISTINCT * len(found) else []


def _found(site: _Site, nodes: list[int], layout: _Layout, others: int) -> list[View]:
    """Return the views among some pages, up to the first page that is one too many without."""
    found: list[View] = []
    for number, node in enumerate(nodes, 1):
        if view := _view(site, node, layout):
            found.append(view)
        elif number - len(found) > others:
            break
    return found


def _view(site: _Site, node: int, layout: _Layout) -> View | None:
    """Return a page as a view, if all of it but the layout is on the pages of ``others``."""
    text = site.text_of(node)
    words = words_of(text.excerpt)
    if not text.is_whole or not words:
        return None
    is_content = ~in_runs(words, layout.runs)
    compared = [
        (number, other, in_runs(words, other.runs) & is_content)
        for number, other in site.others(node)
    ]
    compared = [each for each in compared if _is_part(each[2], each[1], layout)]
    if not compared:
        return None
    others = [(number, other) for number, other, _ in compared]
    has = np.array([flags for _, _, flags in compared])
    media = _set(text.media) - layout.media
    if not _is_shown(words, is_content, has, others, media):
        return None
    likeness = [
        (len(media & other.media), int(np.count_nonzero(row)), -number)
        for row, (number, other) in zip(has, others)
    ]
    most = max(likeness)
    return View(node, max(1, len(parts_of(has))), -most[2]) if most[:2] > (0, 0) else None


def _is_part(is_shown: NDArray[np.bool_], other: _Words, layout: _Layout) -> bool:
    """Return whether the words that another page shows as well are only a part of its content."""
    shown = int(np.count_nonzero(is_shown))
    least = max(shown / MOST, shown + MIN_WORDS)
    if len(other.words) < least:
        return False
    return int(np.count_nonzero(~in_runs(other.words, layout.runs))) >= least


def _is_shown(
    words: tuple[str, ...],
    is_content: NDArray[np.bool_],
    has: NDArray[np.bool_],
    others: list[tuple[int, _Words]],
    media: frozenset[int],
) -> bool:
    """Return whether other pages show the content and the images of a page."""
    if not media <= frozenset().union(*(other.media for _, other in others)):
        return False
    is_own: NDArray[np.bool_] = is_content & ~has.any(axis=0)
    own = {word for word, flag in zip(words, is_own.tolist()) if flag}
    unknown = sum(not any(word in other.known for _, other in others) for word in own)
    if are_many(unknown, longest_run(is_own), len(parts_of(has))):
        return False
    count = int(np.count_nonzero(is_content))
    is_text = count >= MIN_WORDS and int(np.count_nonzero(is_own)) <= OWN_SHARE * count
    return is_text or bool(media)


def _common(sets: Iterable[Iterable[T]], count: int) -> frozenset[T]:
    """Return what more than half of some sets have."""
    counts = Counter(each for some in sets for each in some)
    return frozenset(each for each, number in counts.items() if 2 * number > count)


def _set(hashes: NDArray[np.uint32]) -> frozenset[int]:
    return frozenset(hashes.tolist())
