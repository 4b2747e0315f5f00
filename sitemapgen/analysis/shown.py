"""Views: pages that show nothing but what other listed pages show, which they link to.

Archives with excerpts, pages of lists, a manual on one page. The text of a view is composed of
parts of at least ``MIN_PARTS`` pages, and of no others; what it does not share with them are words
that are too short for a shingle: a date, "Continue reading". A page whose text is within a single
other page is none: the chapters of that manual, a product in its category, a second version.

Other pages prove nothing about a page that is a view itself, so that of two lists with the same
entries neither is evidence for the other. A text on most of the pages that a page shares any text
with is part of their layout. ``core/document/shingles.py`` samples the texts;
``analysis/views.py`` finds pages with the same content in another order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.analysis.near_duplicates import Signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Ints

    Hashes = NDArray[np.uint32]
    Flags = NDArray[np.bool_]

MIN_SHINGLES = 32
"""Minimum shingles of a view, with those of the layout left out: fewer prove nothing."""
SHOWN = 0.97
"""Minimum share of a view's shingles that other pages have. Archives of WordPress have 1.0, its
posts up to 0.72 (docs/explanation/listed.md#views)."""
MIN_PARTS = 3
"""Minimum pages of which a view shows parts. Of two, pages are composed that are no views: of an
artist and a place, an event; of a service and a town, an offer."""
MIN_PART = 2
"""Minimum shingles of a view that only this one of its parts, or one with fewer of them, has."""
MANY = 3
"""A shingle on more pages than this, and on more than half of all that have any of a page's, is
part of the layout."""
PROBES = 8
"""Shingles of a page that are searched for in all others: half of them have to be found."""
MAX_LINKS = 1_000
"""Maximum listed pages that a view links to; of a page with more, nothing is examined."""
MIN_GROUP = 5
"""Minimum views in a group of URLs whose smaller pages may be views by less evidence."""
GROUP_SHARE = 0.9
"""Minimum share of views in such a group."""
RUN = 3
"""Words in a row that a small view has in common with another page."""
OWN_WORDS = 0.2
"""Maximum share of the words of a small view that are in no such run: "Posts tagged", a date."""

_WORD = re.compile(r"\w+")
_NO_HASHES: Hashes = np.empty(0, np.uint32)


class View(NamedTuple):
    """A page that shows nothing but what others show."""

    node: int
    pages: int
    """Number of pages of which it shows parts."""
    example: int
    """The node of the page that it shows most of."""


class Text(NamedTuple):
    """Content of a listed page."""

    own: Hashes
    """``within_parts`` of its signature, ascending; empty for a page without one."""
    shown: Hashes
    """All its known shingles, ascending, by which others are compared with it."""
    excerpt: str
    """The beginning of its main text."""
    is_whole: bool
    """Whether that is all of it."""


def within_parts(signature: bytes, unbroken: bytes) -> Hashes:
    """Return the ascending shingles of a signature that lie within one text node.

    ``unbroken``: the second value of ``shingles.signature_of_parts``.
    """
    if not unbroken:
        return _NO_HASHES
    shingles = Signature.of(signature).shingles
    bits = np.unpackbits(np.frombuffer(unbroken, np.uint8), count=len(shingles))
    return shingles[bits.astype(np.bool_)]


class Elsewhere:
    """Finds the pages with text that may be on other pages as well, by their smallest shingles."""

    def __init__(self) -> None:
        self._nodes: list[int] = []
        self._probes: list[Hashes] = []
        self._hashes = _NO_HASHES
        self._counts = np.empty(0, np.int64)

    def add(self, node: int, own: Hashes) -> None:
        """Add a page, by its ``within_parts``; those with few are never views."""
        if len(own) >= MIN_SHINGLES:
            self._nodes.append(node)
            self._probes.append(own[:PROBES].copy())

    def look(self, shingles: Hashes) -> None:
        """Count the shingles of some pages, each once a page; to be called for all pages."""
        if not len(self._counts):
            ascending = np.sort(np.concatenate([_NO_HASHES, *self._probes]))
            self._hashes = ascending[
                np.append(True, ascending[1:] != ascending[:-1])[: len(ascending)]
            ]
            self._counts = np.zeros(len(self._hashes), np.int64)
        self._counts += np.bincount(_places(self._hashes, shingles), minlength=len(self._counts))

    def nodes(self) -> list[int]:
        """Return the pages half of whose probes are on other pages, too."""
        return [
            node
            for node, probes in zip(self._nodes, self._probes)
            if 2 * np.count_nonzero(self._counts[_places(self._hashes, probes)] > 1) >= len(probes)
        ]


class Shares(NamedTuple):
    """What a page has in common with the pages that it links to."""

    node: int
    others: Ints
    """The nodes that have any of its shingles, the one with the longest text first."""
    has: Flags
    """Which of its shingles each of them has, a row each, without those of the layout."""

    def cover(self, is_evidence: Callable[[int], bool]) -> tuple[float, list[tuple[int, int]]]:
        """Return the share of the page's shingles that evidence has, and its parts.

        The parts are (node, shingles that none of the parts before has), the largest first.
        """
        some = [row for row, other in enumerate(self.others.tolist()) if is_evidence(other)]
        has, others = self.has[some], self.others[some]
        if not len(has):
            return 0.0, []
        parts: list[tuple[int, int]] = []
        left = has.any(axis=0)
        share = float(left.mean())
        while True:
            counts = np.count_nonzero(has & left, axis=1)
            most = int(counts.argmax())
            if counts[most] < MIN_PART:
                return share, parts
            parts.append((int(others[most]), int(counts[most])))
            left = left & ~has[most]


def compare(node: int, own: Hashes, others: Iterable[tuple[int, Hashes]]) -> Shares | None:
    """Compare a page with those that it links to: (node, ``Text.shown``).

    None if too little is left to compare without the layout.
    """
    ordered = sorted(others, key=lambda each: (-len(each[1]), each[0]))
    found = [(other, _contains(shown, own)) for other, shown in ordered]
    found = [(other, has) for other, has in found if has.any()]
    if len(found) < MIN_PARTS or len(own) < MIN_SHINGLES:
        return None
    has = np.array([flags for _, flags in found])
    counts = np.count_nonzero(has, axis=0)
    is_content = counts <= max(MANY, len(found) // 2)
    if np.count_nonzero(is_content) < MIN_SHINGLES:
        return None
    return Shares(node, np.array([other for other, _ in found]), has[:, is_content])


def find_views(
    shares: Iterable[Shares | None],
    groups: Mapping[str, list[int]],
    group_of: Callable[[int], str],
    text_of: Callable[[int], Text],
    links_of: Callable[[int], list[int]],
) -> list[View]:
    """Return the views, by node.

    ``shares``: those of the pages with text that may be elsewhere. ``groups``: all listed pages by
    the form of their URL, ``group_of`` a page. ``links_of``: the listed pages that a page links to.
    """
    composed = {
        each.node: each for each in shares if each and _is_composed(*each.cover(lambda node: True))
    }

    def is_original(node: int) -> bool:
        return node not in composed

    sure = _views(composed.values(), is_original)
    sizes: dict[str, int] = defaultdict(int)
    for view in sure:
        sizes[group_of(view.node)] += 1
    kin = {node for group, size in sizes.items() if size >= MIN_GROUP for node in groups[group]}

    def is_evidence(node: int) -> bool:
        return node not in composed and node not in kin

    found = {view.node: view for view in _views(composed.values(), is_evidence)}
    for group, size in sorted(sizes.items()):
        if size >= MIN_GROUP:
            rest = [node for node in groups[group] if node not in found]
            small = [
                each for node in rest if (each := _small(node, text_of, links_of, is_evidence))
            ]
            if len(groups[group]) - len(rest) + len(small) >= GROUP_SHARE * len(groups[group]):
                found.update((each.node, each) for each in small)
    return [found[node] for node in sorted(found)]


def _views(composed: Iterable[Shares], is_evidence: Callable[[int], bool]) -> Iterator[View]:
    for each in composed:
        share, parts = each.cover(is_evidence)
        if _is_composed(share, parts):
            yield View(each.node, len(parts), parts[0][0])


def _is_composed(share: float, parts: list[tuple[int, int]]) -> bool:
    return share >= SHOWN and len(parts) >= MIN_PARTS


def _small(
    node: int,
    text_of: Callable[[int], Text],
    links_of: Callable[[int], list[int]],
    is_evidence: Callable[[int], bool],
) -> View | None:
    """Return a page of a group of views as one if it shows parts of one page or two: by words."""
    text = text_of(node)
    if not text.is_whole:
        return None
    others = [other for other in links_of(node) if is_evidence(other)]
    words = _words_of(text.excerpt)
    if not others or not words:
        return None
    has = [_has_runs(words, _words_of(text_of(other).excerpt)) for other in others]
    share, parts = Shares(node, np.array(others), np.array(has)).cover(is_evidence)
    return View(node, len(parts), parts[0][0]) if share >= 1 - OWN_WORDS and parts else None


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _has_runs(words: tuple[str, ...], others: tuple[str, ...]) -> Flags:
    """Return which words of a page are in a run of words that another page has as well."""
    runs = {others[at : at + RUN] for at in range(len(others) - RUN + 1)}
    has = np.zeros(len(words), np.bool_)
    for at in range(len(words) - RUN + 1):
        if words[at : at + RUN] in runs:
            has[at : at + RUN] = True
    return has


def _contains(ascending: Hashes, hashes: Hashes) -> Flags:
    """Return which of some hashes occur in an ascending array."""
    if not len(ascending):
        return np.zeros(len(hashes), np.bool_)
    place = np.minimum(np.searchsorted(ascending, hashes), len(ascending) - 1)
    flags: Flags = ascending[place] == hashes
    return flags


def _places(ascending: Hashes, hashes: Hashes) -> Ints:
    """Return the positions of those hashes that occur in an ascending array."""
    if not len(ascending):
        return np.empty(0, np.int64)
    place = np.minimum(np.searchsorted(ascending, hashes), len(ascending) - 1)
    found: Ints = place[ascending[place] == hashes]
    return found
