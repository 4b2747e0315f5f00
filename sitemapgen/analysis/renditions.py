"""Renditions beside their pages: /lamp/print and /lamp/reviews/add, beside /lamp.

Pages whose paths end in the same words below other listed pages are of one kind; each has the page
above it as its sibling. The law is that of slots: apart from what most of its kind have, a page
shows nothing that its sibling does not show, and leads to no other page. A page of such a kind may
still be a list, as the hotels of a town are, a map, a video or a text of its own: these break the
law. It is tested like that of slots (``kinds/evidence.py``).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy as np

from sitemapgen.analysis.key_index import distinct
from sitemapgen.analysis.kinds.evidence import MOST, WITHOUT_EXCEPTION, Evidence
from sitemapgen.analysis.shown import DRAWN, Layouts, common, contains
from sitemapgen.core.urls import key, spellings, split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MAX_WORDS = 3
"""Maximum words at the end of a path that name a rendition, as reviews/add do."""
_DIGIT = re.compile(r"[0-9]")


class Rendition(NamedTuple):
    """A page that shows nothing of its own beside another one."""

    node: int
    page: int
    """The node of its sibling."""
    words: str
    """Those in which its path ends."""
    evidence: Evidence


def endings(url: str) -> list[str]:
    """Return the words in which a path may end, the fewest first; those with a digit are none.

    >>> endings("https://example.com/lamp-7/reviews/add/"), endings("https://example.com/?p=7")
    (['add', 'reviews/add'], [])
    """
    _, path, query = split(url)
    words = [] if query else path.strip("/").split("/")[1:][-MAX_WORDS:]
    found: list[str] = []
    for word in reversed(words):
        if _DIGIT.search(word):
            break
        found.append(f"{word}/{found[-1]}" if found else word)
    return found


def siblings(
    urls: Callable[[], Iterable[tuple[int, str]]], find: Callable[[Sequence[int]], Sequence[int]]
) -> dict[str, list[tuple[int, int]]]:
    """Return (node, node of the page above it) by the words in which paths end, if these are many.

    ``urls``: (node, URL) of the listed pages; ``find``: the nodes of keys, -1 for no listed page.
    """
    last = np.fromiter((_last_word(url) for _, url in urls()), np.uint32)
    values, counts = np.unique(last, return_counts=True)
    many = {*values[counts >= WITHOUT_EXCEPTION].tolist()} - {0}
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for node, url in urls() if many else ():
        for words in endings(url) if _last_word(url) in many else ():
            above = find([*map(key, spellings(url.rstrip("/").removesuffix(f"/{words}")))])
            if known := [each for each in above if each >= 0]:
                found[words].append((node, known[0]))
                break
    return {words: pairs for words, pairs in found.items() if len(pairs) >= WITHOUT_EXCEPTION}


def _last_word(url: str) -> int:
    """Return a hash of the last word of a path; 0 for one with a digit or a query."""
    word = url.rstrip("/").rpartition("/")[2]
    return 0 if "?" in word or _DIGIT.search(word) else crc32(word.encode())


def renditions(layouts: Layouts, pairs: dict[str, list[tuple[int, int]]]) -> Iterator[Rendition]:
    """Yield the pages of each kind whose law is accepted, but for those that break it."""
    for words, every in sorted(pairs.items()):
        kinds: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for node, page in every:
            kinds[int(layouts.site.forms[node])].append((node, page))
        for kind in kinds.values():
            kind.sort(key=lambda pair: int(layouts.site.draw[pair[0]]))
            yield from _of_kind(layouts, words, kind)


def _of_kind(layouts: Layouts, words: str, pairs: Sequence[tuple[int, int]]) -> Iterator[Rendition]:
    drawn = [node for node, _ in pairs[:DRAWN]]
    shared = common([distinct(layouts.text(node).words) for node in drawn])
    counts = Counter(link for node in drawn for link in layouts.site.links_of(node))
    menu = {link for link, count in counts.items() if 2 * count > len(drawn)}

    def obeys(node: int, page: int) -> bool:
        text, sibling = layouts.text(node), layouts.text(page)
        is_content, media = layouts.content(node)
        own = distinct(text.words[is_content])
        known = distinct(np.concatenate((shared, sibling.words)))
        return bool(
            len(text.words)
            and text.is_whole
            and contains(known, own).all()
            and contains(sibling.media, media).all()
            and menu.union((node, page)).issuperset(layouts.site.links_of(node))
        )

    obey = 0
    for total, pair in enumerate(pairs[:MOST], 1):
        obey += obeys(*pair)
        evidence = Evidence(obey, total)
        if evidence.is_refuted:
            return
        if evidence.is_accepted:
            yield from (Rendition(*each, words, evidence) for each in pairs if obeys(*each))
            return
