"""Views of the same page: equal words, numbers, images and links in a different order.

A list sorted by price and one sorted by name have the same content. Pages that differ in a single
number, image or item are different pages: a list of item 17 and one of item 18, a table for
another month. So are pages whose title or heading has another order: the way from A to B, and the
one from B to A. Only pages of one suspicious space are compared.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.document.novelty import Sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WHOLE = 1_990
"""Characters of title and excerpt from which the text may be cut, and the page is not compared."""
LEAST = 100
"""Minimum characters without white space; shorter pages may be equal by chance."""


class SuspectView(NamedTuple):
    """A listed page of a suspicious pattern."""

    key: int
    url: str
    space: str
    title: str
    subject: int | None
    """``core.document.shingles.subject`` of title, heading and language, if there is one."""
    text: str
    """The excerpt."""
    sketch: bytes
    items: bytes
    """Hashes of its links to listed pages outside of its space, packed and sorted."""


def same_views(views: Iterable[SuspectView]) -> Iterator[list[int]]:
    """Group the keys of pages with the same content, each group sorted and of two or more."""
    groups: dict[bytes, list[int]] = {}
    for view in views:
        words = f"{view.title} {view.text}".casefold().split()
        if len(view.title) + len(view.text) >= WHOLE or sum(map(len, words)) < LEAST:
            continue
        images = sorted(Sketch.of(view.sketch).images)
        shown = repr((view.space, view.title, view.subject, sorted(words), images, view.items))
        digest = blake2b(shown.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        groups.setdefault(digest, []).append(view.key)
    return (sorted(keys) for keys in groups.values() if len(keys) > 1)
