"""Detection of pages of doubtful use: tables of contents, images, subsets of other pages.

They are half of the URLs that a site's sitemaps lack in Table 2 of Schonfeld and Shivakumar 2009
("the paper", section 5.1.2). They are only counted, and excluded from nothing. ``coverage.py``
determines the other types.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from sitemapgen.analysis.key_index import distinct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Ints, LinkGraph, Mask

    Hashes = NDArray[np.uint32]

MIN_LINKS = 10
"""Minimum own links of a table of contents."""
MAX_CHARACTERS = 60
"""Maximum characters of main text for each own link of a table of contents: a title and a date. A
list of articles with their first sentences has more, and content of its own."""
ROWS = 4_096
"""Pages whose links are processed at a time."""

THIN = 200
"""Characters of main text, a caption, below which a page may consist of an image."""
FEW = 3
"""Maximum pages with an image that still counts as one page's own: with its gallery and its larger
view."""

PROBES = 32
"""Shingles of a page that are searched for in others."""
MIN_PROBES = 8
"""Minimum shingles found in another page; fewer prove nothing."""
SHARED = 16
"""Maximum pages with a shingle that is searched for; a more frequent one is part of the layout."""
FOUND = 0.9
"""Minimum share of a page's probes in a larger page; a page number and a link back may differ."""
LARGER = 1.25
"""Minimum ratio of the larger page's length; pages of one template that differ in a few words have
nearly the same length."""
MAX_PROBED = 5_000
"""Maximum pages searched for in others, chosen by the hash of their URLs; the paper took 3,000."""
SLOTS = 21
"""Bits of a hash that index a table of possible matches, 2 MB."""
NONE = np.empty(0, np.uint32)


def tables_of_contents(graph: LinkGraph, in_degree: Ints, text_length: Ints, some: Mask) -> Mask:
    """Return which of ``some`` nodes are lists of links with hardly any other text.

    A link is a page's own if the number of pages with it is at most half the number of the page's
    links: a menu of forty entries is on forty pages at least, whereas the articles of an issue are
    linked only from the issue and from their neighbours. ``text_length``: characters of main text
    by node.
    """
    found = np.zeros(len(some), np.bool_)
    rows = np.flatnonzero(some[graph.sources])
    for first in range(0, len(rows), ROWS):
        part = rows[first : first + ROWS]
        starts, sizes = graph.offsets[part], np.diff(graph.offsets)[part]
        row = np.repeat(np.arange(len(part)), sizes)
        place = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + starts[row]
        target, source = graph.targets[place], graph.sources[part][row]
        is_other = (target >= 0) & (target != source)
        links = np.bincount(row[is_other], minlength=len(part))
        is_own = is_other & (2 * in_degree[target] <= links[row])
        own = np.bincount(row[is_own], minlength=len(part))
        nodes = graph.sources[part]
        found[nodes] = (own >= MIN_LINKS) & (text_length[nodes] <= MAX_CHARACTERS * own)
    return found


class OwnImages:
    """Finds pages with little text and an image of their own."""

    def __init__(self, pages: Mapping[int, Hashes]) -> None:
        """Take the images of each node with hardly any text."""
        self._pages = pages
        self._images = distinct(np.concatenate([NONE, *pages.values()]).astype(np.int64))
        self._shown = np.zeros(len(self._images), np.int64)

    def count_images(self, images: Hashes) -> None:
        """Count the images of some pages, each once a page; to be called for all pages."""
        place = _find_positions(self._images, images)
        self._shown += np.bincount(place, minlength=len(self._images))

    def nodes(self) -> Ints:
        """Return the pages with an image that at most ``FEW`` pages have."""
        own = set(self._images[self._shown <= FEW].tolist())
        found = [
            node for node, images in self._pages.items() if not own.isdisjoint(images.tolist())
        ]
        return np.array(found, np.int64)


class Subsets:
    """Finds pages whose text is part of a longer page.

    Both texts have a sample, the shingles with the smallest hashes
    (``core/document/shingles.py``): a shingle of the shorter text whose hash is below the largest
    in the sample of the longer one is either in that sample, or not in that text.
    """

    def __init__(self, pages: Mapping[int, Hashes], text_length: Ints) -> None:
        """Take the ascending shingles of each node to search for, and the lengths of all texts."""
        probes = {node: shingles[:PROBES] for node, shingles in pages.items()}
        self._length = text_length
        hashes = np.concatenate([NONE, *probes.values()])
        nodes = np.repeat(np.array([*probes], np.int64), [len(each) for each in probes.values()])
        order = np.argsort(hashes, kind="stable")
        hashes, self._nodes = hashes[order], nodes[order]
        starts = np.flatnonzero(np.append(True, hashes[1:] != hashes[:-1])[: len(hashes)])
        sizes = np.diff(np.append(starts, len(hashes)))
        self._starts, self._sizes = starts[sizes <= SHARED], sizes[sizes <= SHARED]
        self._hashes = hashes[self._starts]
        self._may_be = np.zeros(1 << SLOTS, np.bool_)
        self._may_be[self._hashes >> (32 - SLOTS)] = True
        self._probes = {
            node: self._hashes[_find_positions(self._hashes, each)] for node, each in probes.items()
        }
        self._found: set[int] = set()

    def search_nodes(self, nodes: Ints, counts: Ints, shingles: Hashes) -> None:
        """Search for the pages in some others, given ``counts`` shingles of each, concatenated."""
        may_be = np.flatnonzero(self._may_be[shingles >> (32 - SLOTS)])
        page = np.repeat(np.arange(len(nodes)), counts)[may_be]
        hits = np.bincount(page, minlength=len(nodes))
        ends = np.cumsum(counts)
        for at in np.flatnonzero(hits >= MIN_PROBES).tolist():
            self._search_node(int(nodes[at]), shingles[ends[at] - counts[at] : ends[at]])

    def _search_node(self, node: int, shingles: Hashes) -> None:
        place = _find_positions(self._hashes, shingles)
        spans = zip(self._starts[place].tolist(), self._sizes[place].tolist())
        met = Counter(each for at, size in spans for each in self._nodes[at : at + size].tolist())
        for other, count in met.items():
            is_longer = self._length[node] >= LARGER * self._length[other]
            if other == node or count < MIN_PROBES or not is_longer:
                continue
            if count >= FOUND * np.count_nonzero(self._probes[other] <= shingles[-1]):
                self._found.add(other)

    def nodes(self) -> Ints:
        """Return the pages that were found in a longer one."""
        return np.array(sorted(self._found), np.int64)


def _find_positions(ascending: NDArray[Any], numbers: NDArray[Any]) -> Ints:
    """Return the positions of those numbers that occur in ``ascending``."""
    if not len(ascending):
        return np.empty(0, np.int64)
    place = np.minimum(np.searchsorted(ascending, numbers), len(ascending) - 1)
    found: Ints = place[ascending[place] == numbers]
    return found
