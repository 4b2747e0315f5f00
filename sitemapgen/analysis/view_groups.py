"""Groups of views, by the form of their URLs: a single page of them proves nothing.

``paired.py`` has the rule for views of one page each, ``numbered.py`` the one for numbered pages of
lists; both compare words and images, apart from those that most of a group have: its layout.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.analysis.shown import (
    GROUP_SHARE,
    OWN_SHARE,
    are_many,
    in_runs,
    longest_run,
    runs_of,
    words_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from typing import TypeVar

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Mask
    from sitemapgen.analysis.shown import Flags, Run, Text, View

    T = TypeVar("T", bound=Hashable)

MIN_PAGES = 10
"""Minimum pages of a group: what they have in common is no accident."""
MIN_WORDS = 20
"""Minimum words of a view, those of the layout left out; fewer prove nothing."""
TRIAL = 8
"""Pages of a group that are compared first; at most one of them may be none of its views. What more
than half of them have is the layout of the group."""
KEPT = 2_000
"""Pages whose words are kept while a group is compared: menus and lists are linked by all."""


class Words(NamedTuple):
    """Words of a page, as far as they are known."""

    words: tuple[str, ...]
    known: frozenset[str]
    runs: frozenset[Run]
    media: frozenset[int]


class Layout(NamedTuple):
    """What more than half of the pages of a group have."""

    runs: frozenset[Run]
    media: frozenset[int]


class Content(NamedTuple):
    """The words and images of a page, those of its layout known."""

    words: tuple[str, ...]
    is_content: Flags
    media: frozenset[int]

    @classmethod
    def of(cls, text: Text, layout: Layout) -> Content:
        """Return the content of a page; its last word may be cut where it is not whole."""
        words = words_of(text.excerpt)
        if not text.is_whole:
            words = words[:-1]
        is_content = ~in_runs(words, layout.runs)
        return cls(words, is_content, media_of(text) - layout.media)

    def shown_by(self, other: Words) -> Flags:
        """Return which of the words are content, and in runs of another page."""
        found: Flags = in_runs(self.words, other.runs) & self.is_content
        return found

    def is_shown(self, others: list[Words], has: Flags, parts: int = 0) -> bool:
        """Return whether others show the images, and all words but a few (``shown.are_many``).

        ``has``: ``shown_by`` of each of them, a row each. ``parts``: number of those of which it
        may have words of its own for each, such as a date.
        """
        if not self.media <= frozenset().union(*(other.media for other in others)):
            return False
        is_own: Flags = self.is_content & ~has.any(axis=0)
        own = {word for word, flag in zip(self.words, is_own.tolist()) if flag}
        unknown = sum(not any(word in other.known for other in others) for word in own)
        return not are_many(unknown, longest_run(is_own), parts)

    def is_text(self, has: Flags) -> bool:
        """Return whether these are enough words, and a large share of them is in ``has``."""
        count = int(np.count_nonzero(self.is_content))
        own = int(np.count_nonzero(self.is_content & ~has.any(axis=0)))
        return count >= MIN_WORDS and own <= OWN_SHARE * count

    def own_numbers(self, has: Flags) -> int:
        """Return how many numbers are not in ``has``, repeated ones included."""
        own = np.flatnonzero(self.is_content & ~has.any(axis=0)).tolist()
        return sum(self.words[at].isdecimal() for at in own)


class WordsOf:
    """The words of pages, by node; those of ``KEPT`` pages are kept."""

    def __init__(self, text_of: Callable[[int], Text]) -> None:
        self._text_of = text_of
        self._words: dict[int, Words] = {}

    def __call__(self, node: int) -> Words:
        if len(self._words) > KEPT:
            self._words.clear()
        if node not in self._words:
            text = self._text_of(node)
            words = words_of(text.excerpt)
            runs = frozenset(runs_of(words))
            self._words[node] = Words(words, frozenset(words), runs, media_of(text))
        return self._words[node]


def groups_of(groups: NDArray[np.int32], chosen: Mask) -> Iterator[list[int]]:
    """Yield the chosen nodes of each group that has enough of them, ascending."""
    nodes = np.flatnonzero(chosen & (groups >= 0))
    nodes = nodes[np.argsort(groups[nodes], kind="stable")]
    bounds = np.flatnonzero(np.diff(groups[nodes])) + 1
    yield from (each.tolist() for each in np.split(nodes, bounds) if len(each) >= MIN_PAGES)


def trial(nodes: list[int]) -> list[int]:
    """Return the pages of a group that are compared first."""
    return nodes[:: -(-len(nodes) // TRIAL)]


def layout_of(texts: list[Text]) -> Layout:
    """Return the layout of a group, from the pages of its trial."""
    runs = (set(runs_of(words_of(text.excerpt))) for text in texts)
    return Layout(common(runs, len(texts)), common(map(media_of, texts), len(texts)))


def views_of_group(nodes: list[int], view_of: Callable[[int], View | None]) -> list[View]:
    """Return the views in a group; none if it is no group of views."""
    first = trial(nodes)
    if len(_found(first, view_of, 1)) < len(first) - 1:
        return []
    others = int((1 - GROUP_SHARE) * len(nodes))
    found = _found(nodes, view_of, others)
    return found if len(found) >= len(nodes) - others else []


def _found(nodes: list[int], view_of: Callable[[int], View | None], others: int) -> list[View]:
    """Return the views among some pages, up to the first page that is one too many without."""
    found: list[View] = []
    for number, node in enumerate(nodes, 1):
        if view := view_of(node):
            found.append(view)
        elif number - len(found) > others:
            break
    return found


def common(sets: Iterable[Iterable[T]], count: int) -> frozenset[T]:
    """Return what more than half of some sets have."""
    counts = Counter(each for some in sets for each in some)
    return frozenset(each for each, number in counts.items() if 2 * number > count)


def media_of(text: Text) -> frozenset[int]:
    return frozenset(text.media.tolist())
