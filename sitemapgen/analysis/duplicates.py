"""Exact duplicates: pages with the same content, and which of their URLs is listed.

``Document.content_hash`` defines the content that has to be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.graph import Ints, Mask, Measures, Nodes, sort_by_preference

MIN_PAGES = 10
"""Minimum pages of a site in which a majority with equal content counts as a template."""
MAX_COMPARED = 1_000
"""Maximum pages of one content with which a further one is compared: half a millisecond of CPU."""


class Duplicate(NamedTuple):
    """A page with the same content as another one."""

    node: int
    listed: int
    """The node of the page that is listed instead."""


def is_template(hashes: Ints) -> Mask:
    """Return which pages have the content of more than half of all pages; one hash a page.

    That is the shell of an application that scripts fill, a login or a consent page: as duplicates,
    only one URL of such a site would be listed.
    """
    most, total = 0, len(hashes)
    ordered = np.sort(hashes)
    # A value of more than half of a sorted array is in its middle.
    if total >= MIN_PAGES:
        most = ordered[total // 2]
        if np.searchsorted(ordered, most, "right") - np.searchsorted(ordered, most) > total / 2:
            return np.asarray(hashes == most, np.bool_)
    return np.zeros(total, np.bool_)


def copies_beside(
    listed: Ints, listed_hashes: Ints, others: Ints, hashes: Ints
) -> Iterator[Duplicate]:
    """Yield each of ``others`` with the content of a listed page, else of another one of them.

    ``others`` are pages that may not be indexed; a listed page takes precedence over them, whatever
    their number and links. Both are in URL order.
    """
    pages, contents = np.concatenate((listed, others)), np.concatenate((listed_hashes, hashes))
    order = np.argsort(contents, kind="stable")
    pages, contents = pages[order], contents[order]
    is_first = np.ones(len(pages), np.bool_)
    is_first[1:] = contents[1:] != contents[:-1]
    first = pages[np.maximum.accumulate(np.where(is_first, np.arange(len(pages)), 0))]
    for place in np.flatnonzero(~is_first & (order >= len(listed))).tolist():
        yield Duplicate(int(pages[place]), int(first[place]))


def duplicate_groups(pages: Ints, hashes: Ints) -> tuple[Ints, Ints]:
    """Return the pages whose content another page has, too, with their hashes."""
    ordered = np.sort(hashes)
    again = ordered[1:][ordered[1:] == ordered[:-1]]
    place = np.minimum(np.searchsorted(again, hashes), max(len(again) - 1, 0))
    is_shared = again[place] == hashes if len(again) else np.zeros(len(hashes), np.bool_)
    return pages[is_shared], hashes[is_shared]


def find_duplicates(
    pages: Ints,
    hashes: Ints,
    alternates: Mapping[int, frozenset[int]],
    nodes: Nodes,
    measures: Measures,
    is_original: Mask,
    contents_linked: Callable[[int], frozenset[int]],
) -> Iterator[Duplicate]:
    """Yield every page that is not listed because a page with the same hash is.

    ``alternates`` has the nodes that a page names as its versions in other languages, if any. Two
    pages that name each other are versions, even with equal content: both are listed. So are two
    that lead to other pages each, as those of two countries: ``contents_linked`` has the hashes of
    the pages that a page links to.
    """
    order = np.argsort(pages)
    pages, hashes = pages[order], hashes[order]
    sequence = sort_by_preference(pages, nodes, measures, is_original)
    contents = hashes[np.searchsorted(pages, sequence)]
    by_content = np.argsort(contents, kind="stable")
    content: int | None = None
    chosen: list[tuple[int, frozenset[int]]] = []
    for node, hashed in zip(sequence[by_content].tolist(), contents[by_content].tolist()):
        linked = contents_linked(node) - {hashed}
        if hashed != content:
            content, chosen = hashed, [(node, linked)]
            continue
        for other, others in chosen[:MAX_COMPARED]:
            if not (_lead_elsewhere(linked, others) or are_versions(alternates, node, other)):
                yield Duplicate(node, other)
                break
        else:
            chosen.append((node, linked))


def are_versions(alternates: Mapping[int, frozenset[int]], one: int, other: int) -> bool:
    """Return whether two pages name each other as versions in other languages, or for countries."""
    return other in alternates.get(one, ()) and one in alternates.get(other, ())


def _lead_elsewhere(one: frozenset[int], other: frozenset[int]) -> bool:
    """Return whether most pages that each of two leads to are not among those of the other."""
    shared = len(one & other)
    return 2 * shared < min(len(one), len(other))
