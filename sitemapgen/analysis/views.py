"""Views of one page: the same words, numbers, images and links as another, in another order.

A list sorted by price shows what the list sorted by name shows. Pages that differ in a single
number, image or item are pages of their own: a list of item 17 and one of item 18, a table for
another month. Only pages of one suspicious space are compared.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.document.novelty import Sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WHOLE = 1_990
"""Characters of an excerpt from where on it may be cut, and nothing is known of the rest."""
LEAST = 100
"""Characters, without white space; with fewer, two pages may well say the same and be two."""


class View(NamedTuple):
    """A listed page of a suspicious pattern."""

    key: int
    url: str
    space: str
    said: str
    """Title and excerpt."""
    sketch: bytes
    items: bytes
    """Hashes of its links to listed pages outside of its space, packed and sorted."""


def same_views(views: Iterable[View]) -> Iterator[list[int]]:
    """Groups of keys of pages that show the same, two at least, each sorted."""
    groups: dict[bytes, list[int]] = {}
    for view in views:
        words = view.said.casefold().split()
        if len(view.said) >= WHOLE or sum(map(len, words)) < LEAST:
            continue
        images = sorted(Sketch.of(view.sketch).images)
        shown = repr((view.space, sorted(words), images, view.items))
        digest = blake2b(shown.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        groups.setdefault(digest, []).append(view.key)
    return (sorted(keys) for keys in groups.values() if len(keys) > 1)
