"""Renditions beside their pages: /print.php?id=7 beside /article.php?id=7, /lamp/reviews/add.

The *sibling* of a page is the page of another kind that leads to it, the one nearest to the start
URL. It may be a variant or a copy of a listed page, which is as near as that. The law: apart
from what most of its kind have, a page shows nothing but the text of its sibling again, most of it,
with its pictures and links, as a version for printing does; or nothing but the name of its sibling,
as a form does, if no page leads to several of its kind, as lists do. Its title has no words of its
own, either. An excerpt breaks the law, and so do the hotels of a town, a map, a video. The law is
tested like those of slots (``kinds/evidence.py``), beside the sibling, beside the sibling of that,
as the history of a page leads to its versions, and beside the nearest page above it in its path,
or without its query.
Where lists lead to all of a kind, it is tested beside the nearest page that leads to no other one.
The last sibling is a page that differs in the segment before the last alone, as /row/7 and
/delete/7 do, or whose path ends with the same name, or that has one of its parameters
alone: /view/lamp?version=3 is a version of /lamp, /print?id=7 of /thread?id=7; without a query, as
a product in another category, no word may be its own.
"""

from __future__ import annotations

import functools
import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.graph import NOWHERE, Ints, LinkGraph, Mask, Measures
from sitemapgen.analysis.key_index import Places, distinct
from sitemapgen.analysis.kinds.evidence import LAWLESS, MOST, WITHOUT_EXCEPTION, Evidence
from sitemapgen.analysis.kinds.views import (
    DRAWN,
    OWN,
    RUN,
    Hashes,
    Layouts,
    ShownText,
    common,
    contains,
)
from sitemapgen.core.document.main_text import without_space
from sitemapgen.core.document.novelty import ENOUGH_NUMBERS, ENOUGH_WORDS
from sitemapgen.core.document.shingles import hash_shingles
from sitemapgen.core.url_forms import template

_WORDS = re.compile(r"[^/?&;]+")
"""The parts of a path and a query."""
_DIGITS = re.compile(r"[0-9]+")

_NOTHING = np.empty(0, np.uint32)


class NumberedKinds(NamedTuple):
    """The kinds of pages; arrays have one element a node."""

    number: Ints
    """Number of the kind; -1 for a page that is not compared."""
    template: Ints
    """Hash of the template of its URL (``core/url_forms.py``), which several kinds may have."""


class Siblings(NamedTuple):
    """The siblings of pages; arrays have one element a node."""

    page: Ints
    """The node of the sibling; -1 for none."""
    directory: Ints
    """The node of the page without its query, or the nearest above it in its path that is nearer;
    -1 for none."""
    leader: Ints
    """The nearest node that leads to no other page of its kind; -1 for none."""
    namesake: Ints
    """The nearest node with the same name, of the narrowest kind of ``Paths.names`` for which there
    is one; -1 for none that is nearer."""
    has_query: Mask
    is_single: Mask
    """Whether no page leads to several pages of the kind."""


class Rendition(NamedTuple):
    """A page that shows nothing of its own beside another one."""

    node: int
    page: int
    """The node of its sibling."""
    evidence: Evidence


def number_kinds(urls: Iterable[tuple[int, str]], forms: NDArray[np.int32]) -> NumberedKinds:
    """Return the kinds of pages.

    Pages of a kind have the same form of URL, and the same of those words in it, numbers aside,
    that are in the URLs of ``WITHOUT_EXCEPTION`` pages of the form. Of smaller kinds those with the
    same last word are one, if they have as many pages together: /a/b/_source and /c/_source.

    ``urls``: (node, URL) of some pages; ``forms``: number of the form of each URL.
    """
    nodes, ends, words, templates = array("q"), array("q", [0]), array("q"), array("q")
    for node, url in urls:
        plain = _DIGITS.sub("#", url.split("/", 3)[3])
        words.extend(map(crc32, map(str.encode, _WORDS.findall(plain))))
        nodes.append(node)
        ends.append(len(words))
        templates.append(crc32(template(url).encode()))
    some, bounds = np.frombuffer(nodes, np.int64), np.frombuffer(ends, np.int64)
    of_form = np.repeat(forms[some].astype(np.int64) << 32, np.diff(bounds))
    of_form |= np.frombuffer(words, np.int64)
    _, places, counts = np.unique(of_form, return_inverse=True, return_counts=True)
    shared = np.where(counts[places] >= WITHOUT_EXCEPTION, of_form & 0xFFFFFFFF, 0)
    sums = np.append(0, np.cumsum(shared))[bounds]
    found = NumberedKinds(*np.full((2, len(forms)), -1, np.int64))
    hashes = np.stack((forms[some], np.diff(sums)), axis=1)
    number = np.unique(hashes, axis=0, return_inverse=True)[1].reshape(-1)
    of_template = np.frombuffer(templates, np.int64).copy()
    small = np.flatnonzero(
        (np.bincount(number)[number] < WITHOUT_EXCEPTION) & (np.diff(bounds) > 0)
    )
    last = np.frombuffer(words, np.int64)[bounds[1:][small] - 1]
    _, places, counts = np.unique(last, return_inverse=True, return_counts=True)
    is_one = counts[places] >= WITHOUT_EXCEPTION
    number[small[is_one]] = len(number) + places[is_one]
    of_template[small[is_one]] = last[is_one]
    found.number[some], found.template[some] = number, of_template
    return found


class Paths(NamedTuple):
    """What the paths of listed pages have in common; arrays have one element a node."""

    directory: Ints
    """The node of the nearest page above it, or without its query; -1 for none."""
    has_query: Mask
    names: Sequence[tuple[Ints, tuple[Ints, Ints]]]
    """Kinds of names, the narrowest first. Of each the hash of that of a node, 0 for none, and
    (node, hash of a name by which it has a namesake): its own, or those of its parameters."""


def find_siblings(
    graph: LinkGraph, measures: Measures, kinds: Ints, listed: Ints, paths: Paths
) -> Siblings:
    """Find the sibling of each page with a kind.

    ``listed``: the node that is listed in place of each, which may be itself; -1 for none.
    """
    depth = measures.depth.copy()
    np.minimum.at(depth, listed[listed >= 0], measures.depth[listed >= 0])
    order = np.lexsort((np.arange(len(kinds)), graph.nodes.length, depth))
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    nearest, leading = np.full((2, len(kinds)), len(order), np.int64)
    is_one_of_many = np.zeros(len(kinds), np.bool_)
    for sources, targets in graph.edges():
        is_other = (kinds[targets] >= 0) & (kinds[targets] != kinds[sources])
        pages, nodes = sources[is_other], targets[is_other]
        of_kind = pages * len(kinds) + kinds[nodes]
        _, places, counts = np.unique(of_kind, return_inverse=True, return_counts=True)
        is_many = counts[places] > 1
        is_one_of_many[nodes[is_many]] = True
        is_known = (listed[pages] >= 0) & (rank[listed[pages]] < rank[nodes])
        np.minimum.at(nearest, nodes[is_known], rank[pages[is_known]])
        is_known &= ~is_many
        np.minimum.at(leading, nodes[is_known], rank[pages[is_known]])
    page, leader = (
        np.where(found < rank, np.append(order, NOWHERE)[found], NOWHERE)
        for found in (nearest, leading)
    )
    directory = paths.directory
    is_above = (directory != NOWHERE) & (paths.has_query | (rank[directory] < rank))
    is_above &= kinds[directory] != kinds
    namesake = np.full(len(kinds), NOWHERE)
    for name, (nodes, asked) in paths.names:
        named = order[name[order] != 0]
        names, firsts = np.unique(name[named], return_index=True)
        nearest = np.append(named[firsts], NOWHERE)[Places(names).find_positions(asked)]
        is_nearer = (nearest != NOWHERE) & (rank[nearest] < rank[nodes])
        leading[:] = len(order)
        np.minimum.at(leading, nodes[is_nearer], rank[nearest[is_nearer]])
        found = np.append(order, NOWHERE)[leading]
        namesake = np.where(namesake == NOWHERE, found, namesake)
    directory = np.where(is_above, directory, NOWHERE)
    return Siblings(page, directory, leader, namesake, paths.has_query, ~is_one_of_many)


def find_renditions(
    layouts: Layouts, kinds: NumberedKinds, siblings: Siblings
) -> Iterator[Rendition]:
    """Yield the pages of each kind whose law is accepted, but for those that break it.

    Where the kinds of a template together accept it, it only has to be likely for one of them, of
    which ``DRAWN`` pages or more have siblings.
    """
    page = siblings.page
    above = np.where(page == NOWHERE, NOWHERE, page[page])
    directory = np.where(siblings.directory == NOWHERE, above, siblings.directory)
    steps = page, siblings.leader, above, directory, siblings.namesake
    has_sibling = functools.reduce(np.logical_or, (pages != NOWHERE for pages in steps))
    paired = np.flatnonzero((kinds.number >= 0) & has_sibling)
    paired = paired[np.bincount(kinds.number[paired])[kinds.number[paired]] >= DRAWN]
    paired = paired[np.lexsort((layouts.site.draw[paired], kinds.number[paired]))]
    ends = np.flatnonzero(np.diff(kinds.number[paired])) + 1
    every = np.split(paired, ends) if len(paired) else []
    together: defaultdict[tuple[int, int], Evidence] = defaultdict(lambda: Evidence(0, 0))
    for least in (WITHOUT_EXCEPTION, DRAWN):
        found = set[int]()
        for kind, nodes in enumerate(every):
            for step, pages in enumerate(steps):
                some, is_small = nodes[pages[nodes] != NOWHERE], least == DRAWN
                pool = int(kinds.template[nodes[0]]), step
                if len(some) < least or (is_small and not together[pool].is_accepted):
                    continue
                columns = some, pages[some], page[some]
                is_copy = step > 3 and not siblings.has_query[nodes[0]]
                law = _Law(layouts, columns, siblings, by_path=step > 2, is_copy=is_copy)
                if not is_small:
                    together[pool] = together[pool].joined(law.evidence)
                if law.evidence.is_accepted or (is_small and law.evidence.is_likely):
                    found.add(kind)
                    yield from law.renditions()
                    break
        every = [nodes for kind, nodes in enumerate(every) if kind not in found]


class _Law:
    """The law of the pages of a kind: what most of them have proves nothing."""

    def __init__(
        self,
        layouts: Layouts,
        columns: tuple[Ints, Ints, Ints],
        siblings: Siblings,
        *,
        by_path: bool,
        is_copy: bool,
    ) -> None:
        """``columns``: pages as they are drawn, their siblings, and the pages that lead to them.

        ``by_path``: whether their paths make them siblings, so that links to others of the kind are
        judged with these; ``is_copy``: whether no word or number may be a page's own.
        """
        self._columns = columns
        self._members = {*columns[0].tolist()}
        self._kind = self._members if by_path else frozenset()
        self._siblings = siblings
        self._is_copy = is_copy
        self._site = layouts.site
        self._text = layouts.text
        nodes, pages = (column[:DRAWN].tolist() for column in columns[:2])
        texts = [layouts.text(node) for node in nodes]
        self._words, self._runs, self._media = (
            common([*parts]) for parts in zip(*(text.known for text in texts))
        )
        self._pieces = common([text.sampled for text in texts])
        self._titles = common([text.title_words for text in texts])
        links = [np.array(self._site.links_of(node), np.uint32) for node in nodes]
        self._menu = {*common(links).tolist()}
        apart = pages if len({*pages}) == len(pages) else pages[:1]  # rows of a list are no layout
        others = [layouts.text(page) for page in apart]
        whole = [text for text in others if text.is_whole] or others
        runs = (common([text.known[1] for text in some]) for some in (others, whole))
        self._of_siblings = distinct(np.concatenate([*runs]))
        self.evidence = self._tested()
        """That of the drawn pages."""

    def _tested(self) -> Evidence:
        evidence = Evidence(0, 0)
        for pair in zip(*(column[:MOST].tolist() for column in self._columns)):
            if (is_obeyed := self.is_obeyed(*pair)) is not None:
                evidence = evidence.joined(Evidence(int(is_obeyed), 1))
            if evidence.is_accepted or evidence.is_refuted:
                break
        return evidence

    def renditions(self) -> Iterator[Rendition]:
        """Yield the pages that do not break it."""
        for node, page, lead in zip(*(column.tolist() for column in self._columns)):
            if self.is_obeyed(node, page, lead) is not False:
                yield Rendition(node, page, self.evidence)

    def is_obeyed(self, node: int, page: int, lead: int) -> bool | None:
        """Return whether a page shows only the name, or only the text, of its sibling.

        None for a few words of a longer text: they may be all of a short list, or a row of another.
        More of them are a print view without comments if nothing else leads to it, under the title.
        A number may be that of a version, but counts as a word in the title of a page without text,
        and beside links, which it may name.
        """
        text, sibling = self._text(node), self._text(page)
        context = _NOTHING if lead == NOWHERE else self._text(lead).title_words
        named = distinct(np.concatenate((self._titles, sibling.title_words, context)))
        own = text.title_words[~contains(named, text.title_words)]
        if not len(text.words) or (own & 1 == 0).any() or self._has_own(text, sibling, context):
            return False
        told = text.words[~contains(distinct(np.concatenate((named, self._words))), text.words)]
        media = text.media[~contains(self._media, text.media)]
        links = {*self._site.links_of(node)} - self._menu - self._kind - {page, lead}
        of_sibling = {*self._site.links_of(page)}
        if self._is_copy:
            links, of_sibling = map(self._without_copies, (links, of_sibling))
        is_shown = contains(sibling.media, media).all()
        if not is_shown or any(self._is_elsewhere(link, text) for link in links - of_sibling):
            return False
        if not (len(media) or (told & 1 == 0).any() or (links and len(told)) or len(own)):
            return bool(self._siblings.is_single[node]) and not self._is_copy
        is_shared = _beside(sibling, text, _NOTHING)
        is_content = ~sibling.within(self._of_siblings)[: len(is_shared)]
        if 2 * is_shared[is_content].sum() > is_content.sum():
            return True
        if len(distinct(told)) < WITHOUT_EXCEPTION:
            return None
        names = text.title_words[~contains(self._titles, text.title_words)]
        is_named = (names[contains(sibling.title_words, names)] & 1 == 0).any()
        return bool(is_named and self._siblings.is_single[node]) and not self._is_copy

    def _is_elsewhere(self, link: int, text: ShownText) -> bool:
        """Return whether a link leads neither on under the same title nor to a list of the kind."""
        words = self._text(link).title_words
        own = words[~contains(text.title_words, words)]
        is_list = len(self._members.intersection(self._site.links_of(link))) > 1
        return bool((own & 1 == 0).any()) and not is_list

    def _without_copies(self, nodes: set[int]) -> set[int]:
        found = self._siblings.namesake
        return {int(found[node]) if found[node] != NOWHERE else node for node in nodes}

    def _has_own(self, text: ShownText, sibling: ShownText, context: Hashes) -> bool:
        """Return whether a text has words of its own, or may have some beyond its sibling's end.

        ``context``: words that are none of its own.
        """
        words = distinct(np.concatenate((self._words, sibling.words, context)))
        if self._is_own(text, words, _beside(text, sibling, self._runs)):
            return True
        runs = distinct(np.concatenate((self._runs, sibling.runs)))
        if text.is_whole and not self._is_own(text, words, text.within(runs)):
            return False
        titled = hash_shingles(without_space(text.title))
        shared = distinct(np.concatenate((self._pieces, titled)))
        pieces = text.pieces[~contains(shared, text.pieces)]
        known = contains(sibling.shingles, pieces[pieces <= sibling.sampled.max(initial=0)])
        return len(known) < WITHOUT_EXCEPTION or int((~known).sum()) > RUN

    def _is_own(self, text: ShownText, words: Hashes, is_shown: Mask) -> bool:
        """Return whether some words of a text are no known ones, or ``OWN`` in a row are not shown.

        One word and two numbers in a text that is on both, or a fifth of its numbers, are the date,
        the size or the lines of a version.

        ``is_shown``: of its first words, whether they are in runs of the sibling or of the layout.
        """
        kept = text.words[: len(is_shown)]
        own = distinct(kept[~contains(words, kept)])
        of_numbers = np.count_nonzero(own & 1)
        is_text = np.count_nonzero(~text.within(self._runs)) >= WITHOUT_EXCEPTION
        most_words, most_numbers = 0, 0.0
        if is_text and not self._is_copy:
            numbers = np.count_nonzero(distinct(kept) & 1)
            most_words, most_numbers = (
                ENOUGH_WORDS - 1,
                max(ENOUGH_NUMBERS - 1, (1 - LAWLESS) * numbers),
            )
        if len(own) - of_numbers > most_words or of_numbers > most_numbers:
            return True
        rows = np.diff(np.flatnonzero(np.concatenate(([True], is_shown, [True]))))
        return bool(rows.max() - 1 > OWN)


def _beside(text: ShownText, other: ShownText, layout: Hashes) -> Mask:
    """Return which words of a text are in runs of another one, or of a layout.

    Of a text beside one that is cut, only the words up to where that ends.
    """
    is_shown = text.within(distinct(np.concatenate((layout, other.runs))))
    if other.is_whole:
        return is_shown
    runs, others = (each.runs[:-RUN] ^ each.runs[RUN:] for each in (text, other))
    last = others[contains(distinct(runs), others)][-1:]
    ends = np.flatnonzero(np.isin(runs, last)) + 2 * RUN
    return is_shown[: max(ends, default=0)]
