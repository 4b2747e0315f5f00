"""Near duplicates: nearly the same page under several URLs, and which of them is listed.

Their text has to be nearly the same, and all that identifies them has to be equal: title, heading,
language, images, names in the URL. By the text alone half of the pairs would be two pages.
``core/document/shingles.py`` samples the texts; ``duplicates.py`` finds exact duplicates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash, RMinHashLSH

from sitemapgen.core.document.shingles import SAMPLE
from sitemapgen.core.shapes import suspect
from sitemapgen.core.urls import split

HASHES, BANDS, SEED = 64, 16, 1
"""Parameters of MinHash and of the index of candidates, which misses 1 % of the pairs with
similarity 0.7, and none with 0.8."""
MAX_LISTED = 5_000
"""Maximum pages of one title, heading and language with which others are compared, some 4 kB each:
a more frequent title identifies no page."""
MAX_COMPARED = 16
"""Maximum candidates with which a page is compared, the first to be listed. A page with that number
of them, none its near duplicate, is not indexed for later pages: each step stays short."""
FEW = 4
"""Maximum different words of two pages that are one form with different values."""
END = 30
"""Words at the end of a page that ``fills_a_form`` ignores."""

_WORD = re.compile(r"[^\W_]+")


class TextSignature(NamedTuple):
    """Unpacked signature; both arrays are in ascending order."""

    media: NDArray[np.uint32]
    shingles: NDArray[np.uint32]

    @classmethod
    def of(cls, packed: bytes) -> TextSignature:
        """Unpack what ``core.document.shingles.signature_of_parts`` or ``signed_media`` packed."""
        numbers = np.frombuffer(packed or bytes(4), "<u4")
        end = 1 + int(numbers[0])
        return cls(numbers[1:end], numbers[end:])


def estimate_similarity(one: TextSignature, other: TextSignature) -> float:
    """Estimate the Jaccard similarity of the shingles of two texts, from 0 to 1.

    It is the share of common hashes among the smallest of both. Exact for texts with fewer
    shingles than a sample has.
    """
    both = np.concatenate((one.shingles, other.shingles))
    both.sort()
    firsts = np.flatnonzero(np.append(True, both[1:] != both[:-1]))
    distinct = min(len(firsts), SAMPLE)
    end = int(firsts[distinct]) if len(firsts) > distinct else len(both)
    return (end - distinct) / distinct


def shows_the_same(one: TextSignature, other: TextSignature) -> bool:
    """Return whether the images, frames and players of one page are a subset of the other's.

    A print view has fewer; two photos of an album have different ones.
    """
    media, others = set(one.media.tolist()), set(other.media.tolist())
    return media <= others or others <= media


def is_numbered(url: str) -> bool:
    """Return whether a URL is a numbered page of a list."""
    found = suspect(url)
    return found is not None and found.kind == "pagination"


class PageExcerpt(NamedTuple):
    """URL of a page, and the beginning of its main text."""

    url: str
    excerpt: str


def names_itself(one: PageExcerpt, other: PageExcerpt) -> bool:
    """Return whether the text of a page has a word of its own URL that the other text lacks.

    An article number, a name, a version, the page of a list: these are two different pages.
    """
    if one.excerpt == other.excerpt:
        return False
    own, others = _different_words(one.excerpt), _different_words(other.excerpt)
    words, other_words = _words_of_url(one.url), _words_of_url(other.url)
    return not (
        others.issuperset((words - other_words) & own)
        and own.issuperset((other_words - words) & others)
    )


def fills_a_form(one: PageExcerpt, other: PageExcerpt) -> bool:
    """Return whether two pages differ only in a few words, and not only at their end.

    A name, a number, a colour: a form with different values. Counters and dates at the end of a
    page are ignored.
    """
    if one.excerpt == other.excerpt:
        return False
    words, others = _words(one.excerpt), _words(other.excerpt)
    return (
        0 < len(frozenset(words[:-END]).difference(others)) <= FEW
        and 0 < len(frozenset(others[:-END]).difference(words)) <= FEW
    )


def _words_of_url(url: str) -> frozenset[str]:
    return frozenset(_WORD.findall(unquote(url[len(split(url).origin) :]).casefold()))


@lru_cache(maxsize=64)  # similar pages follow each other
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


@lru_cache(maxsize=64)
def _different_words(text: str) -> frozenset[str]:
    return frozenset(_words(text))


class Candidate(NamedTuple):
    """A page that may be a near-duplicate."""

    node: int
    subject: int
    """``Page.subject``: pages with different ones are never near-duplicates."""
    text: PageExcerpt
    signature: TextSignature


class NearDuplicate(NamedTuple):
    """A page that is nearly the same as another one."""

    node: int
    listed: int
    """The node of the page that is listed instead."""
    similarity: float


def near_duplicates(
    pages: Iterable[Candidate],
    alternates: Mapping[int, frozenset[int]],
    threshold: float,
) -> Iterator[NearDuplicate]:
    """Yield every page that is a near duplicate of a listed one, with the nearest of those.

    ``pages`` are grouped by subject, and within one in order of preference for listing.
    ``alternates`` has the nodes that a page names as its versions in other languages. The relation
    is not transitive: a page is compared with the listed page itself.
    """
    for _, group in groupby(pages, attrgetter("subject")):
        listed = _Listed(alternates, threshold)
        for page in group:
            found = listed.find_nearest(page)
            if found:
                yield found


class _Listed:
    """Index of the pages of one subject that are not near duplicates of earlier ones."""

    def __init__(self, alternates: Mapping[int, frozenset[int]], threshold: float) -> None:
        self._alternates = alternates
        self._threshold = threshold
        self._pages: list[Candidate] = []
        self._index = RMinHashLSH(threshold, HASHES, BANDS)

    def find_nearest(self, page: Candidate) -> NearDuplicate | None:
        """Return the listed page nearest to a page, which itself is listed if there is none."""
        packed = page.signature.shingles.tobytes()
        minhash = RMinHash(HASHES, SEED)
        minhash.update([packed[at : at + 4] for at in range(0, len(packed), 4)])
        places = sorted(self._index.query(minhash))[:MAX_COMPARED]
        near = [
            (round(estimate_similarity(page.signature, self._pages[place].signature), 2), -place)
            for place in places
        ]
        near = [
            each
            for each in near
            if each[0] >= self._threshold and not self._are_different(page, self._pages[-each[1]])
        ]
        if near:
            similar, place = max(near)
            return NearDuplicate(page.node, self._pages[-place].node, similar)
        if len(places) < MAX_COMPARED and len(self._pages) < MAX_LISTED:
            self._index.insert(len(self._pages), minhash)
            self._pages.append(page)
        return None

    def _are_different(self, one: Candidate, other: Candidate) -> bool:
        """Return whether two pages with nearly the same text are different pages."""
        none: frozenset[int] = frozenset()
        return (
            other.node in self._alternates.get(one.node, none)
            or one.node in self._alternates.get(other.node, none)
            or not shows_the_same(one.signature, other.signature)
            or is_numbered(one.text.url)
            or is_numbered(other.text.url)
            or names_itself(one.text, other.text)
            or fills_a_form(one.text, other.text)
        )
