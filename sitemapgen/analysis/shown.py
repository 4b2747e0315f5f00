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
from array import array
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.analysis.near_duplicates import Signature
from sitemapgen.core.document.languages import stated
from sitemapgen.core.document.main_text import without_space
from sitemapgen.core.document.shingles import shingles
from sitemapgen.core.urls import split

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Ints

    Hashes = NDArray[np.uint32]
    Flags = NDArray[np.bool_]
    Run: TypeAlias = "tuple[str, ...]"

MIN_SHINGLES = 40
"""Minimum shingles of a view, with those of the layout left out: fewer prove nothing."""
SHOWN = 0.97
"""Minimum share of a view's shingles that other pages have. Archives of WordPress have 1.0, its
posts up to 0.72 (docs/explanation/listed.md#views)."""
MIN_PARTS = 3
"""Minimum pages of which a view shows parts. Of two, pages are composed that are no views: of an
artist and a place, an event; of a service and a town, an offer."""
LARGEST = 0.6
"""Maximum share of a view's shingles in one of its parts. Pages of a reference are composed, too,
of the phrases of their neighbours: of PostgreSQL's manual one has 0.94 of its shingles in three
others, but 0.82 in one of them."""
COLLECTED = 0.5
"""Minimum share of a page's shingles that at least ``MIN_PARTS`` others have, each a part, from
which it proves nothing about others: the posts of a member are no evidence against the topics."""
MIN_PART = 2
"""Minimum shingles of a view that only this one of its parts, or one with fewer of them, has."""
MANY = 3
"""A shingle on more pages than this, and on more than half of all that have any of a page's, is
part of the layout."""
PROBES = 8
"""Shingles of a page that are searched for in all others: half of them have to be found in pages
that it links to."""
SHARED = 64
"""Maximum pages with a shingle that is searched for; a more frequent one is part of the layout."""
MAX_LINKS = 1_000
"""Maximum listed pages that a view links to; of a page with more, nothing is examined."""
MIN_GROUP = 5
"""Minimum views in a group of URLs whose smaller pages may be views by less evidence."""
MIN_SHARE = 0.33
"""Minimum share of these views in the group."""
GROUP_SHARE = 0.9
"""Minimum share of all views in the group, with the smaller ones."""
RUN = 3
"""Words in a row that a page has in common with another one."""
OWN_SHARE = 0.2
"""Maximum share of the words at the beginning of a view that are in no such run: "Continue
reading", a date."""
OWN_WORDS = 6
"""Maximum different words at the beginning of a view that are on none of the other pages. A product
has a name, a number and a price, an event a date and a time, however much else both repeat."""
OWN_WORDS_A_PART = 3
"""The same for each part, where they stand between the parts: the date of each post of a list."""
SCATTERED = 4
"""Maximum words in a row of those."""
OWN_RUN = 8
"""Words in a row that are in no run of another page: a sentence of its own, as an introduction."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+")
"""A word; of Chinese and Japanese, which have no spaces between words, a character."""
_NO_HASHES: Hashes = np.empty(0, np.uint32)


class View(NamedTuple):
    """A page that shows nothing but what others show."""

    node: int
    pages: int
    """Number of pages of which it shows parts."""
    example: int
    """The node of the page that it shows most of."""


@dataclass(frozen=True, eq=False)
class Text:
    """Content of a listed page."""

    own: Hashes
    """``within_parts`` of its signature, ascending; empty for a page without one."""
    sampled: Hashes
    """The shingles of its signature, ascending; empty for a page without one."""
    excerpt: str
    """The beginning of its main text."""
    is_whole: bool
    """Whether that is all of it."""
    media: Hashes
    """Its images, frames and players, ascending."""

    @cached_property
    def shown(self) -> tuple[Hashes, Hashes]:
        """All its known shingles: those of its excerpt and of its signature, each ascending."""
        return shingles(without_space(self.excerpt)), self.sampled


def is_language_root(url: str) -> bool:
    """Return whether a URL is that of a directory named as a language: a start page, no view.

    >>> is_language_root("https://example.com/de-at/"), is_language_root("https://example.com/")
    (True, False)
    """
    return bool(stated(split(url).path.strip("/")))


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
    """Finds the pages with text that pages they link to have as well, by their smallest shingles.

    Takes some 170 bytes a page.
    """

    def __init__(self) -> None:
        self._nodes = array("i")
        self._probes = bytearray()
        self._hashes = _NO_HASHES
        self._counts = np.empty(0, np.uint32)
        self._found: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []

    def add(self, node: int, own: Hashes) -> None:
        """Add a page, by its ``within_parts``; those with few are never views."""
        if len(own) >= MIN_SHINGLES:
            self._nodes.append(node)
            self._probes += own[:PROBES].tobytes()

    def look(self, nodes: Ints, counts: Ints, shingles: Hashes) -> None:
        """Search some pages, given ``counts`` shingles of each, concatenated; after all are added.

        To be called for all pages.
        """
        if not len(self._counts):
            ascending = np.sort(np.frombuffer(self._probes, "<u4"))
            is_new = np.append(True, ascending[1:] != ascending[:-1])
            self._hashes = ascending[is_new[: len(ascending)]]
            self._counts = np.zeros(len(self._hashes), np.uint32)
        at = np.flatnonzero(_contains(self._hashes, shingles))
        places = np.searchsorted(self._hashes, shingles[at])
        np.add.at(self._counts, places, 1)
        page = np.repeat(nodes, counts)[at]
        is_rare = self._counts[places] <= SHARED
        self._found.append((places[is_rare].astype(np.int32), page[is_rare].astype(np.int32)))

    def nodes(self, links_of: Callable[[int], list[int]]) -> Iterator[int]:
        """Yield the pages half of whose probes are on pages that they link to, and not all on one.

        That one alone is not counted: a near-duplicate, a list with the same entries.
        """
        probes = np.frombuffer(self._probes, "<u4").reshape(-1, PROBES)
        nodes = np.array(self._nodes)
        if not len(nodes) or not self._found:
            return
        at = np.searchsorted(self._hashes, probes)
        is_elsewhere = 2 * np.count_nonzero(self._counts[at] > 1, axis=1) >= PROBES
        shared = [(each[0], each[1], self._counts[each[0]] > 1) for each in self._found]
        places = np.concatenate([place[some] for place, _, some in shared])
        pages = np.concatenate([page[some] for _, page, some in shared])
        order = np.argsort(places, kind="stable")
        places, pages = places[order], pages[order]
        for row in np.flatnonzero(is_elsewhere)[np.argsort(nodes[is_elsewhere])].tolist():
            node = int(nodes[row])
            starts, ends = (np.searchsorted(places, at[row], side) for side in ("left", "right"))
            links = set(links_of(node))
            linked = [
                links.intersection(pages[start:end].tolist())
                for start, end in zip(starts.tolist(), ends.tolist())
            ]
            counts = Counter(other for each in linked for other in each)
            wholes = {other for other, count in counts.items() if count == sum(map(bool, linked))}
            if 2 * sum(bool(each - wholes) for each in linked) >= len(linked):
                yield node


class Shares(NamedTuple):
    """What a page has in common with the pages that it links to."""

    node: int
    others: Ints
    """The nodes that have any of its shingles, the one with the longest text first."""
    has: Flags
    """Which of its shingles each of them has, a row each, without those of the layout."""

    def view(self, is_evidence: Callable[[int], bool], least: float = SHOWN) -> View | None:
        """Return the page as a view, if the evidence has parts of it, and a share of ``least``."""
        is_part = np.count_nonzero(self.has, axis=1) <= LARGEST * self.has.shape[1]
        some = [row for row in np.flatnonzero(is_part) if is_evidence(int(self.others[row]))]
        has, others = self.has[some], self.others[some]
        if np.count_nonzero(has.any(axis=0)) < least * self.has.shape[1]:
            return None
        parts = parts_of(has)
        return (
            View(self.node, len(parts), int(others[parts[0]])) if len(parts) >= MIN_PARTS else None
        )


def parts_of(has: Flags) -> list[int]:
    """Return rows of which each has most of what those before it lack, ``MIN_PART`` at least."""
    parts: list[int] = []
    left = has.any(axis=0)
    while len(has):
        counts = np.count_nonzero(has & left, axis=1)
        most = int(counts.argmax())
        if counts[most] < MIN_PART:
            break
        parts.append(most)
        left = left & ~has[most]
    return parts


def compare(node: int, own: Hashes, others: Iterable[tuple[int, Text]]) -> Shares | None:
    """Compare a page with those that it links to.

    None if too little is left to compare without the layout.
    """
    found = [
        (other, np.logical_or.reduce([_contains(each, own) for each in text.shown]))
        for other, text in sorted(others, key=lambda each: (-len(each[1].excerpt), each[0]))
    ]
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
    groups: NDArray[np.int32],
    text_of: Callable[[int], Text],
    links_of: Callable[[int], list[int]],
) -> list[View]:
    """Return the views, by node.

    ``shares``: those of the pages with text that may be elsewhere. ``groups``: number of the form
    of its URL by node, from 0; -1 for URLs that are not listed. ``links_of``: the listed pages that
    a page links to.
    """
    collected = {each.node: each for each in shares if each and each.view(_is_any, COLLECTED)}
    composed = {node: each for node, each in collected.items() if each.view(_is_any)}

    def is_original(node: int) -> bool:
        return node not in collected

    sure = [view.node for view in _views(composed, is_original, text_of)]
    whole = np.bincount(groups[groups >= 0], minlength=1)
    sizes = np.bincount(groups[sure], minlength=len(whole))
    kin = np.flatnonzero(sizes >= np.maximum(MIN_GROUP, whole * MIN_SHARE))
    is_related = np.isin(groups, kin)

    def is_evidence(node: int) -> bool:
        return is_original(node) and not is_related[node]

    found = {view.node: view for view in _views(composed, is_evidence, text_of)}
    for group in kin.tolist():
        nodes = np.flatnonzero(groups == group).tolist()
        rest = [node for node in nodes if node not in found]
        small = [each for node in rest if (each := _small(node, text_of, links_of, is_evidence))]
        if len(nodes) - len(rest) + len(small) >= GROUP_SHARE * len(nodes):
            found.update((each.node, each) for each in small)
    return [found[node] for node in sorted(found)]


def _is_any(_: int) -> bool:
    return True


def _views(
    composed: Mapping[int, Shares],
    is_evidence: Callable[[int], bool],
    text_of: Callable[[int], Text],
) -> Iterator[View]:
    for node, shares in composed.items():
        if view := shares.view(is_evidence):
            others = filter(is_evidence, shares.others.tolist())
            excerpts = (text_of(other).excerpt for other in others)
            if not has_own_words(text_of(node), excerpts, view.pages):
                yield view


def _small(
    node: int,
    text_of: Callable[[int], Text],
    links_of: Callable[[int], list[int]],
    is_evidence: Callable[[int], bool],
) -> View | None:
    """Return a page of a group of views as one if it shows parts of one page or two: by words."""
    text = text_of(node)
    others = [other for other in links_of(node) if is_evidence(other)]
    excerpts = [text_of(other).excerpt for other in others]
    if not text.is_whole or not others or has_own_words(text, excerpts):
        return None
    words = words_of(text.excerpt)
    has = np.array([in_runs(words, set(runs_of(words_of(each)))) for each in excerpts])
    parts = parts_of(has)
    return View(node, len(parts), others[parts[0]]) if parts else None


def has_own_words(text: Text, others: Iterable[str], parts: int = 0) -> bool:
    """Return whether the beginning of a page has words of its own, beside the excerpts of others.

    Also for a page without a word. ``parts``: number of the others of which it shows parts.
    """
    words = words_of(text.excerpt)
    if not text.is_whole:
        words = words[:-1]  # it may be cut
    is_shown = np.zeros(len(words), np.bool_)
    known: set[str] = set()
    for other in others:
        theirs = words_of(other)
        known.update(theirs)
        is_shown |= in_runs(words, set(runs_of(theirs)))
    return (
        int(np.count_nonzero(~is_shown)) > OWN_SHARE * len(words)
        or are_many(len(known.union(words)) - len(known), longest_run(~is_shown), parts)
        or not words
    )


def are_many(own: int, longest: int, parts: int) -> bool:
    """Return whether the different words of its own are too many for a view.

    ``longest``: the most words in a row that it shares with no page. ``parts``: as above.
    """
    most = max(OWN_WORDS, OWN_WORDS_A_PART * parts) if longest <= SCATTERED else OWN_WORDS
    return own > most or longest >= OWN_RUN


def longest_run(flags: Flags) -> int:
    """Return the largest number of flags in a row that are set."""
    ends = np.flatnonzero(np.append(~flags, True))
    return int(np.diff(ends, prepend=-1).max()) - 1


def words_of(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def runs_of(words: tuple[str, ...]) -> Iterator[Run]:
    """Yield all runs of ``RUN`` words."""
    return zip(words, words[1:], words[2:])


def in_runs(words: tuple[str, ...], runs: Container[Run]) -> Flags:
    """Return which words of a page are in one of the runs of other pages."""
    found = np.array([run in runs for run in runs_of(words)], np.bool_)
    has = np.zeros(len(words), np.bool_)
    for offset in range(RUN):
        has[offset : offset + len(found)] |= found
    return has


def _contains(ascending: Hashes, hashes: Hashes) -> Flags:
    """Return which of some hashes occur in an ascending array."""
    if not len(ascending):
        return np.zeros(len(hashes), np.bool_)
    place = np.minimum(np.searchsorted(ascending, hashes), len(ascending) - 1)
    flags: Flags = ascending[place] == hashes
    return flags
