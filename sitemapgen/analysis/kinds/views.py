"""Views: pages that show nothing but what other listed pages show, which they link to.

Archives with excerpts, pages of lists, a manual on one page. All words of a view but a few, and all
its images, are on such pages, apart from the layout of its form of URL. That proves nothing: so is
a chapter in its manual, and an offer on the pages of a service and a town. A view is also either

- *composed*: it takes three pages to show it, and none of them shows nearly all of it; or
- a *part*: the page that shows it has more content and more links, and other views of its form are
  on other pages. The parts of a whole are on the same one.

Wald's test (``kinds/evidence.py``) has to accept it: over a sample of the text, of a page that has
enough of it (``core/document/shingles.py``); otherwise over the pages of the form, each of which is
one observation for a part, three if it is composed, and none if it shows two pages. Those that are
composed are no evidence for others.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.graph import NOWHERE, Ints, Mask, Measures
from sitemapgen.analysis.key_index import distinct
from sitemapgen.analysis.kinds.evidence import LAWLESS, MOST, WITHOUT_EXCEPTION, Evidence
from sitemapgen.analysis.near_duplicates import TextSignature
from sitemapgen.core.document.main_text import without_space
from sitemapgen.core.document.shingles import hash_shingles

Hashes = NDArray[np.uint32]

RUN = 3
"""Words in a row, or shingles, that make a part of a page: fewer words are on every site."""
OWN = 6
"""Maximum words of its own of a view, in a row and in all: "Continue reading", a heading with a
date. A sentence has more."""
DATE = 3
"""Words of its own for each part of a page with enough text: a day, a month and a year."""
COMPOSED = 3
"""Minimum pages that it takes to show a composed view."""
DRAWN = 8
"""Pages of a form of which the layout is what more than half have: what four fifths of a form have
is found with a probability of 0.94. And shingles of a page, of which half have to be elsewhere."""
MIN_PIECES = 2 * WITHOUT_EXCEPTION
"""Minimum shingles of a page that is judged alone, as all pages of a site are: one in 500 of those
with a fifth of their own passes by chance, which is a third of what the test alone allows."""
MAX_LINKS = 1_000
"""Maximum listed pages that a view links to; of a page with more, nothing is examined."""

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\w+")
"""A word; of Chinese and Japanese, which have no spaces between words, a character."""
_FACTORS = np.array([0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D], np.uint32)


class View(NamedTuple):
    """A page that shows nothing but what others show."""

    node: int
    pages: int
    """Number of pages of which it shows parts."""
    example: int
    """The node of the page that it shows most of."""


@dataclass(frozen=True, eq=False)
class ShownText:
    """Content of a page; all hashes but ``words`` and ``runs`` are ascending."""

    title: str
    excerpt: str
    """The beginning of its main text."""
    is_whole: bool
    """Whether that is all of it."""
    pieces: Hashes
    """Its sampled shingles that lie within one text node."""
    sampled: Hashes
    """All its sampled shingles."""
    media: Hashes
    """Its images, frames and players."""

    @cached_property
    def title_words(self) -> Hashes:
        """The different words of the title, ascending; hashes of numbers are odd."""
        return distinct(_hash_words(_WORD.findall(self.title.casefold())))

    @cached_property
    def words(self) -> Hashes:
        """The words of the excerpt; hashes of numbers are odd."""
        words = _WORD.findall(self.excerpt.casefold())
        if not self.is_whole:
            del words[-1:]  # it may be cut
        return _hash_words(words)

    @cached_property
    def runs(self) -> Hashes:
        """The ``RUN`` words in a row that begin at each word."""
        count = max(0, len(self.words) - RUN + 1)
        words = [self.words[at : at + count] * _FACTORS[at] for at in range(RUN)]
        return np.array(np.bitwise_xor.reduce(words), np.uint32)

    @cached_property
    def known(self) -> tuple[Hashes, Hashes, Hashes]:
        """Its different words, runs of words, and media."""
        return distinct(self.words), distinct(self.runs), self.media

    @cached_property
    def shingles(self) -> Hashes:
        """All its known shingles: those of the excerpt, and the sampled ones."""
        return distinct(np.concatenate((hash_shingles(without_space(self.excerpt)), self.sampled)))

    def within(self, runs: Hashes) -> Mask:
        """Return which words of the excerpt are in one of some runs (ascending)."""
        found = contains(runs, self.runs)
        is_within = np.zeros(len(self.words), np.bool_)
        for offset in range(RUN if len(found) else 0):
            is_within[offset : offset + len(found)] |= found
        return is_within


def _hash_words(words: Iterable[str]) -> Hashes:
    hashes = [crc32(word.encode("utf-8", "replace")) & ~1 | word.isdecimal() for word in words]
    return np.array(hashes, np.uint32)


class ListedSite(Protocol):
    """The listed pages; arrays have one element a node."""

    forms: NDArray[np.int32]
    """Number of the form of its URL, from 0; -1 for URLs that are not listed."""
    draw: Ints
    """Hashes of the URLs, by which pages are drawn."""
    is_later: Mask
    """Whether it is a numbered page of a list, but not the first, by which the list is found."""
    measures: Measures

    def texts_of(self, nodes: Sequence[int]) -> list[ShownText]:
        """Return the content of pages."""

    def links_of(self, node: int) -> list[int]:
        """Return the other listed pages that a page links to, ascending."""


def further_pages(site: ListedSite, views: Sequence[int]) -> Iterator[View]:
    """Yield the further pages of lists that are no views, where most of their form are."""
    later = np.flatnonzero(site.is_later & (site.forms >= 0))
    is_view, forms = np.isin(later, views), site.forms[later]
    pages = np.bincount(forms)
    shown = np.bincount(forms[is_view], minlength=len(pages))
    others = {*later[(2 * shown > pages)[forms] & ~is_view].tolist()}
    for node in sorted(others):
        yield from view_of_links(site, node, others)


def view_of_links(site: ListedSite, node: int, lists: Container[int]) -> Iterator[View]:
    """Yield the view that a page is of those that it links to, but for ``lists``."""
    links = [link for link in site.links_of(node) if link not in lists]
    if links:
        yield View(node, len(links), min(links, key=site.measures.in_degree.__getitem__))


def elsewhere(pages: Iterable[tuple[int, Hashes]], every: Iterable[Hashes]) -> Ints:
    """Return the pages half of whose smallest shingles are on others, but not on many: a layout.

    ``pages``: (key, ``ShownText.pieces``); ``every``: the known shingles of all pages, of many at a
    time. Takes 40 bytes a page.
    """
    keys, probes = array("q"), bytearray()
    for key, pieces in pages:
        if len(pieces) >= MIN_PIECES:
            keys.append(key)
            probes += pieces[:DRAWN].tobytes()
    drawn = np.frombuffer(probes, np.uint32)
    hashes = distinct(drawn)
    counts = np.zeros(len(hashes), np.uint32)
    for some in every:
        np.add.at(counts, np.searchsorted(hashes, some[contains(hashes, some)]), 1)
    found = counts[np.searchsorted(hashes, drawn.reshape(-1, DRAWN))]
    is_elsewhere = 2 * np.count_nonzero((found > 1) & (found <= MOST), axis=1) >= DRAWN
    candidates: Ints = np.array(keys)[is_elsewhere]
    return candidates


def within_parts(signature: bytes, unbroken: bytes) -> Hashes:
    """Return the ascending shingles of a signature that lie within one text node.

    ``unbroken``: the second value of ``shingles.signature_of_parts``.
    """
    sampled = TextSignature.of(signature).shingles if unbroken else np.empty(0, np.uint32)
    bits = np.unpackbits(np.frombuffer(unbroken, np.uint8), count=len(sampled))
    return sampled[bits.astype(np.bool_)]


def has_own(
    text: ShownText, is_content: Mask, media: Hashes, others: Sequence[ShownText], dates: int = 0
) -> bool:
    """Return whether others lack media of a page, or words at its beginning, in runs of them.

    It may have ``OWN`` words in a row, ``OWN`` numbers that stand alone, as votes and goals do, and
    ``OWN`` numbers and words that no other has, or ``DATE`` for each of its ``dates``; a fifth of
    its content in all.
    """
    known, runs, shown = (
        distinct(np.concatenate(each)) for each in zip(*(o.known for o in others))
    )
    is_own = is_content & ~text.within(runs)
    is_number = text.words & 1 == 1
    unknown = ~contains(known, distinct(text.words[is_own & ~is_number]))
    facts = np.count_nonzero(is_own & is_number) + np.count_nonzero(unknown)
    ends = np.flatnonzero(np.append(~is_own, True))
    lengths = np.diff(ends, prepend=-1) - 1
    alone = np.count_nonzero(is_number[ends[lengths == 1] - 1])
    most = max(OWN, (1 - LAWLESS) * np.count_nonzero(is_content))
    is_much = max(lengths.max(), alone) > OWN or facts > max(OWN, DATE * dates)
    return bool(is_much or np.count_nonzero(is_own) > most or not contains(shown, media).all())


def parts_of(has: Mask) -> list[int]:
    """Return rows of which each has most of what those before it lack, ``RUN`` pieces at least."""
    parts: list[int] = []
    left = has.any(axis=0)
    while len(has):
        counts = np.count_nonzero(has & left, axis=1)
        most = int(counts.argmax())
        if counts[most] < RUN:
            break
        parts.append(most)
        left = left & ~has[most]
    return parts


def is_composed(has: Mask) -> bool:
    """Return whether fewer than ``COMPOSED`` rows have four fifths at most of what all have."""
    parts = parts_of(has)
    few, every = has[parts[: COMPOSED - 1]].any(axis=0).sum(), has.any(axis=0).sum()
    return len(parts) >= COMPOSED and bool(few <= LAWLESS * every)


class Layouts:
    """The pages of each form, and what most of them share."""

    def __init__(self, site: ListedSite) -> None:
        self.site = site
        nodes = np.flatnonzero(site.forms >= 0)
        nodes = nodes[np.lexsort((site.draw[nodes], site.forms[nodes]))]
        bounds = np.flatnonzero(np.diff(site.forms[nodes])) + 1
        self.forms = np.split(nodes, bounds)
        """The pages of each form, in the order in which they are drawn."""
        self._layouts: dict[int, tuple[Hashes, ...]] = {}

    def text(self, node: int) -> ShownText:
        """Return the content of a page."""
        return self.site.texts_of([node])[0]

    def content(self, node: int) -> tuple[Mask, Hashes]:
        """Return which words of an excerpt are no layout, and the media that are none."""
        text, (runs, _, media) = self.text(node), self.layout(node)
        return ~text.within(runs), text.media[~contains(media, text.media)]

    def layout(self, node: int) -> tuple[Hashes, ...]:
        """Return the runs of words, shingles and media that more than half of its form have."""
        form = int(self.site.forms[node])
        if form not in self._layouts:
            some = self.site.texts_of(self.forms[form][:DRAWN].tolist())
            parts = zip(*((text.known[1], text.pieces, text.media) for text in some))
            self._layouts[form] = tuple(map(common, parts))
        return self._layouts[form]


class Views:
    """The views of a site."""

    def __init__(self, layouts: Layouts, lists: Iterable[int] = ()) -> None:
        """``lists``: pages that are known as parts of lists, and are no evidence."""
        self._site = site = layouts.site
        self._layouts = layouts
        self._is_evidence = site.forms >= 0
        self._is_evidence[[*lists]] = False

    def find(self, candidates: Iterable[int]) -> list[View]:
        """Return the views, by node. ``candidates``: the pages whose text may be ``elsewhere``."""
        sure = {view.node: view for view in self._by_text(candidates)}
        counts = np.bincount(self._site.forms[[*sure]], minlength=len(self._layouts.forms))
        sizes = np.array([*map(len, self._layouts.forms)])
        is_list = counts >= np.maximum(COMPOSED, (1 - LAWLESS) * sizes)
        self._is_evidence &= ~is_list[self._site.forms]
        enough = np.flatnonzero(COMPOSED * sizes >= WITHOUT_EXCEPTION).tolist()
        found = {form: list[View]() for form in enough}
        for _ in ("with all pages", "without those that are views themselves"):
            found = {form: self._by_form(form, sure, is_list=bool(is_list[form])) for form in found}
            found = {form: views for form, views in found.items() if views}
            self._is_evidence[np.isin(self._site.forms, [*found])] = False
        return sorted(chain(sure.values(), *found.values()))

    def _by_text(self, candidates: Iterable[int]) -> Iterator[View]:
        """Yield the composed views with enough text; what may be one is no evidence."""
        chosen = {*candidates}
        collections: dict[int, tuple[list[int], Mask]] = {}
        for nodes in self._layouts.forms:
            drawn = [node for node in nodes.tolist() if node in chosen]
            for some in (drawn[:WITHOUT_EXCEPTION], drawn[WITHOUT_EXCEPTION:]):
                found = {node: each for node in some if (each := self._collected(node))}
                collections.update(found)
                if not found:
                    break
        self._is_evidence[[*collections]] = False
        for node, (others, has) in collections.items():
            rows = np.flatnonzero(self._is_evidence[others]).tolist()
            parts, every = parts_of(has[rows]), [others[row] for row in rows]
            shown = Evidence(int(has[rows].any(axis=0).sum()), has.shape[1])
            is_all = shown.is_accepted and shown.total - shown.obey <= RUN
            if is_all and is_composed(has[rows]):
                text, texts = self._layouts.text(node), self._site.texts_of(every)
                if not has_own(text, *self._layouts.content(node), texts, dates=len(parts)):
                    yield View(node, len(parts), every[parts[0]])

    def _collected(self, node: int) -> tuple[list[int], Mask] | None:
        """Return pages that a page links to, with which of its shingles each of them has.

        None if most of it is not on three of them; one that has nearly all of it is left out.
        """
        links, pieces = self._site.links_of(node), self._layouts.text(node).pieces
        pieces = pieces[~contains(self._layouts.layout(node)[1], pieces)]
        if len(links) > MAX_LINKS or len(pieces) < MIN_PIECES:
            return None
        texts = self._site.texts_of(links)
        every = ((other, contains(text.shingles, pieces)) for other, text in zip(links, texts))
        some = [each for each in every if 0 < each[1].sum() <= LAWLESS * len(pieces)]
        has = np.array([flags for _, flags in some]).reshape(len(some), len(pieces))
        is_most = 2 * has.any(axis=0).sum() > len(pieces) and len(parts_of(has)) >= COMPOSED
        return ([other for other, _ in some], has) if is_most else None

    def _by_form(self, form: int, sure: Container[int], *, is_list: bool) -> list[View]:
        """Return the views of a form, apart from those that are sure."""
        nodes = self._layouts.forms[form].tolist()
        rest = [node for node in nodes if node not in sure]
        found: dict[int, list[int]] = {}
        obey = total = COMPOSED * (len(nodes) - len(rest)) if is_list else 0
        for node in rest:
            if parts := self._parts(node, form, is_list=is_list):
                found[node] = parts
            weight = 0 if len(parts) == 2 else min(COMPOSED, len(parts))
            obey, total = obey + weight, total + (weight if parts else 1)
            if Evidence(obey, total).is_refuted:
                return []
        shown = Counter(chain(*found.values()))
        apart = sum(any(shown[part] == 1 for part in parts) for parts in found.values())
        is_accepted = Evidence(obey, total).is_accepted and (
            is_list or apart >= LAWLESS * len(found)
        )
        return [View(node, len(parts), parts[0]) for node, parts in found.items() if is_accepted]

    def _parts(self, node: int, form: int, *, is_list: bool) -> list[int]:
        """Return the pages of which a page shows parts, most of the first; none if it is no view.

        ``is_list``: whether many of its form are composed, so that one with one part is no page.
        """
        site, text, is_later = self._site, self._layouts.text(node), bool(self._site.is_later[node])
        (is_content, media), degree = self._layouts.content(node), site.measures.in_degree
        size = np.count_nonzero(is_content)
        links = {*site.links_of(node), int(site.measures.parent[node])} - {NOWHERE}
        is_enough = size >= WITHOUT_EXCEPTION or len(media)
        if len(links) > MAX_LINKS or not is_enough or not (text.is_whole or is_later):
            return []
        least = -1 if is_list or is_later else degree[node]
        others = [
            other
            for other in sorted(links)
            if self._is_evidence[other] and site.forms[other] != form and degree[other] > least
        ]
        texts = site.texts_of(others)
        has = np.array([text.within(other.known[1]) & is_content for other in texts])
        pictures = [np.count_nonzero(contains(other.media, media)) for other in texts]
        rows = [row for row, flags in enumerate(has) if flags.any() or pictures[row]]
        if is_later and not is_list:
            rows = [row for row in rows if has[row].sum() <= LAWLESS * size]
            rows = rows if is_composed(has[rows]) else []
        elif not is_list:
            runs = text.known[1]
            own = {
                row: self._layouts.content(others[row])[0] & ~texts[row].within(runs)
                for row in rows
            }
            rows = [row for row in rows if own[row].sum() >= WITHOUT_EXCEPTION]
        if not rows or has_own(text, is_content, media, [texts[row] for row in rows]):
            return []
        parts = parts_of(has[rows]) or [int(np.argmax([pictures[row] for row in rows]))]
        return [others[rows[part]] for part in parts]


def common(arrays: Sequence[Hashes]) -> Hashes:
    """Return what more than half of some ascending arrays have; nothing of a single one."""
    every = np.sort(np.concatenate(arrays))
    starts = np.flatnonzero(np.append(True, every[1:] != every[:-1])[: len(every)])
    counts = np.diff(starts, append=len(every))
    return every[starts[(2 * counts > len(arrays)) & (counts > 1)]]


def contains(ascending: Hashes, hashes: Hashes) -> Mask:
    """Return which of some hashes occur in an ascending array."""
    if not len(ascending):
        return np.zeros(len(hashes), np.bool_)
    place = np.minimum(np.searchsorted(ascending, hashes), len(ascending) - 1)
    flags: Mask = ascending[place] == hashes
    return flags
