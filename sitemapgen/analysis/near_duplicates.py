"""Pages that are nearly the same page under another URL, and which of them is listed.

By the rule ``page`` their text has to be nearly the same, and nothing they say about themselves may
differ: title, heading, language, images, what their URL names. By the rule ``text`` their text
alone decides (Schonfeld and Shivakumar 2009, section 5.1): to measure with, not to leave out by.
What is compared of a text: ``core/document/shingles.py``; pages that are wholly the same:
``duplicates.py``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np
from rensa import RMinHash, RMinHashLSH

from sitemapgen.core.document.shingles import SAMPLE
from sitemapgen.core.traps import suspect
from sitemapgen.core.urls import split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

HASHES, BANDS, SEED = 64, 16, 1
"""Of MinHash and of the index that finds texts to compare: of a thousand pairs that are similar by
0.7 it misses ten, by 0.8 not one."""
MAX_LISTED = {"page": 5_000, "text": 50_000}
"""By rule, pages that others are compared with: of one title, heading and language, some 4 kB each
(a title that more different pages have names none of them); of the site, some 3 kB each."""
MAX_COMPARED = 16
"""Pages that one is compared with. A page that is like so many, and like none enough, is compared
with no later one: each step stays short, whatever the site."""
FEW = 4
"""Different words that are a form's."""
END = 30
"""Words that are the end of a page."""

_WORD = re.compile(r"[^\W_]+")


class Signature(NamedTuple):
    """A packed signature, read. Both arrays ascend."""

    media: NDArray[np.uint32]
    shingles: NDArray[np.uint32]

    @classmethod
    def of(cls, packed: bytes) -> Signature:
        """Read what ``core.shingles.signature`` packed."""
        numbers = np.frombuffer(packed, "<u4")
        end = 1 + int(numbers[0])
        return cls(numbers[1:end], numbers[end:])


def similarity(one: Signature, other: Signature) -> float:
    """Estimate the share of the shingles of two texts that both have, from 0 to 1.

    Of the smallest hashes of either text: how many are of both. Exact for texts with fewer
    shingles than a sample has.
    """
    both = np.concatenate((one.shingles, other.shingles))
    both.sort()
    firsts = np.flatnonzero(np.append(True, both[1:] != both[:-1]))
    distinct = min(len(firsts), SAMPLE)
    end = int(firsts[distinct]) if len(firsts) > distinct else len(both)
    return (end - distinct) / distinct


def shows_the_same(one: Signature, other: Signature) -> bool:
    """Return whether the one shows no image, frame or player besides those of the other.

    A print view has fewer; two photos of an album have one each.
    """
    media, others = set(one.media.tolist()), set(other.media.tolist())
    return media <= others or others <= media


def is_numbered(url: str) -> bool:
    """Return whether a URL is that of a numbered page of a list."""
    found = suspect(url)
    return found is not None and found.kind == "pagination"


class Said(NamedTuple):
    """What a page is called, and the beginning of what it says."""

    url: str
    excerpt: str


NOTHING_SAID = Said("", "")


def names_itself(one: Said, other: Said) -> bool:
    """Return whether one of two pages says a word of its own URL that the other does not say.

    The article number, the name, the version, the page of a list: two pages, not one.
    """
    if one.excerpt == other.excerpt:
        return False
    said, others = frozenset(_words(one.excerpt)), frozenset(_words(other.excerpt))
    words, other_words = _words_of_url(one.url), _words_of_url(other.url)
    return not (
        others.issuperset((words - other_words) & said)
        and said.issuperset((other_words - words) & others)
    )


def fills_a_form(one: Said, other: Said) -> bool:
    """Return whether two pages differ in a few words only, and not at their end.

    A name, a number, a colour: a form that was filled in twice. At the end of a page counters and
    dates differ too, and that says nothing.
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


@lru_cache(maxsize=64)  # pages that are alike come after each other
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


class Candidate(NamedTuple):
    """A page that may be a near-duplicate."""

    node: int
    subject: int
    """``Page.subject``: pages with another one are never near-duplicates."""
    said: Said
    signature: Signature


class NearDuplicate(NamedTuple):
    """A page that is nearly the same as another one."""

    node: int
    listed: int
    """The node of the one that is listed."""
    similarity: float


def near_duplicates(
    pages: Iterable[Candidate],
    alternates: Mapping[int, frozenset[int]],
    threshold: float,
    rule: str = "page",
) -> Iterator[NearDuplicate]:
    """Yield every page that is nearly the same as one that is listed, with the nearest of those.

    The pages come by subject, and of one subject in the order in which they are to be listed.
    ``alternates`` has the nodes that a page names as its versions in other languages. A page is
    near the listed one itself, not near another one that is. By the ``rule`` ``text`` all pages
    have one subject.
    """
    for _, group in groupby(pages, attrgetter("subject")):
        listed = _Listed(alternates, threshold, rule)
        for page in group:
            found = listed.nearest(page)
            if found:
                yield found


class _Listed:
    """The pages of one subject that are near no page before them, in an index."""

    def __init__(
        self, alternates: Mapping[int, frozenset[int]], threshold: float, rule: str
    ) -> None:
        self._alternates = alternates
        self._threshold = threshold
        self._by_text = rule == "text"
        self._max_listed = MAX_LISTED[rule]
        self._pages: list[Candidate] = []
        self._index = RMinHashLSH(threshold, HASHES, BANDS)

    def nearest(self, page: Candidate) -> NearDuplicate | None:
        """The listed page that a page is nearest to; one that is near none is listed."""
        packed = page.signature.shingles.tobytes()
        minhash = RMinHash(HASHES, SEED)
        minhash.update([packed[at : at + 4] for at in range(0, len(packed), 4)])
        places = sorted(self._index.query(minhash))
        near = [
            (round(similarity(page.signature, self._pages[place].signature), 2), -place)
            for place in places
        ]
        near = [
            each
            for each in near
            if each[0] >= self._threshold and not self._differ(page, self._pages[-each[1]])
        ]
        if near:
            similar, place = max(near)
            return NearDuplicate(page.node, self._pages[-place].node, similar)
        if len(places) < MAX_COMPARED and len(self._pages) < self._max_listed:
            self._index.insert(len(self._pages), minhash)
            self._pages.append(page._replace(said=NOTHING_SAID) if self._by_text else page)
        return None

    def _differ(self, one: Candidate, other: Candidate) -> bool:
        """Return whether two pages with nearly the same text are different pages."""
        none: frozenset[int] = frozenset()
        return not self._by_text and (
            other.node in self._alternates.get(one.node, none)
            or one.node in self._alternates.get(other.node, none)
            or not shows_the_same(one.signature, other.signature)
            or is_numbered(one.said.url)
            or is_numbered(other.said.url)
            or names_itself(one.said, other.said)
            or fills_a_form(one.said, other.said)
        )
