"""Versions of pages in other languages that name each other (hreflang return links).

Google, "Tell Google about localized versions of your page": each version names itself and the
others, and a link between two pages counts only if both name each other.
``core/document/extensions.py`` reads single pages; ``core/document/languages.py`` has the codes.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sitemapgen.core.document.languages import X_DEFAULT, canonical_hreflang
from sitemapgen.core.urls import key

Named = Sequence[tuple[str, str]]
"""(code as written, URL) of each version that a page names."""

REASONS = ("bad_code", "contradicting", "no_self", "not_listed", "no_return")
"""Reasons to leave out the link to a version: its code is invalid; the page names several URLs for
the code; the page does not name itself; the target is not in the sitemap; the target does not name
the page."""


class Versions:
    """Links between versions that a sitemap may have: reciprocal, among listed pages.

    The kept links are symmetric: each target of a link has the link back.
    """

    def __init__(self, pages: Iterable[tuple[int, Named]], listed: NDArray[np.int64]) -> None:
        """Take (key, named versions) of each listed page that names any.

        ``listed``: the keys of all listed pages, in any order.
        """
        self._listed = np.sort(listed)
        sources, targets = array("q"), array("q")
        for page, named in pages:
            links = _valid_links(named)[0]
            found = {target for _, _, target in links}
            if page in found:
                sources.extend([page] * len(found))
                targets.extend(found)
        one, other = np.frombuffer(sources, np.int64), np.frombuffer(targets, np.int64)
        self._pages = np.unique(one)  # those that name themselves
        is_known = np.isin(other, self._pages)
        count = len(self._pages)
        places = [np.searchsorted(self._pages, each[is_known]) for each in (one, other)]
        there, back = places[0] * count + places[1], places[1] * count + places[0]
        self._links = np.unique(there[np.isin(there, back)])

    def of(self, page: int, named: Named) -> tuple[list[tuple[str, str]], Counter[str]]:
        """Return the versions for the entry of a page, and the number of those left out.

        The former are (code, URL), itself included, sorted by code with x-default last; the latter
        are counted by REASONS.
        """
        links, left_out = _valid_links(named)
        kept, returning = [], self._returning_pages(page)
        for code, url, target in links:
            if not returning:
                left_out["no_self"] += 1
            elif target in returning:
                kept.append((code, url))
            else:
                left_out["no_return" if self._is_listed(target) else "not_listed"] += 1
        if len({url for _, url in kept}) < 2:  # only itself
            kept = []
        kept.sort(key=lambda link: (link[0] == X_DEFAULT, *link))
        return kept, left_out

    def _returning_pages(self, page: int) -> set[int]:
        """Return the keys of the pages that the page names and that name it, itself included."""
        count, place = len(self._pages), int(np.searchsorted(self._pages, page))
        if place == count or self._pages[place] != page:
            return set()
        first, last = np.searchsorted(self._links, [place * count, (place + 1) * count])
        return set(self._pages[self._links[first:last] - place * count].tolist())

    def _is_listed(self, target: int) -> bool:
        place = int(np.searchsorted(self._listed, target))
        return place < len(self._listed) and self._listed[place] == target


def _valid_links(named: Named) -> tuple[list[tuple[str, str, int]], Counter[str]]:
    """Return (code, URL, key) of the valid links, each once, and the counts of the others."""
    left_out: Counter[str] = Counter()
    by_code: dict[str, dict[str, None]] = {}
    for written, url in named:
        if code := canonical_hreflang(written):
            by_code.setdefault(code, {})[url] = None
        else:
            left_out["bad_code"] += 1
    links = []
    for code, urls in by_code.items():
        if len(urls) == 1:
            (url,) = urls
            links.append((code, url, key(url)))
        else:
            left_out["contradicting"] += len(urls)
    return links, left_out
