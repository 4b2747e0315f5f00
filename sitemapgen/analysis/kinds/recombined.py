"""Paths that are put together from the names of pages: /roses/tulips/ beside /roses/ and /tulips/.

Two laws of a place, tested like those of slots (``evidence.py``):

- *The last name decides* what is shown. Such paths arise without end from links that are relative
  to a page below which the server answers anything by the last name. The sample is one of names, so
  that no number of pages of one name proves anything of the others. A directory that was not seen
  at the end of a longer path, as that of a version or a language, is not known to change nothing.
- *Names select* from a list: /lamps/red/large/ shows what /lamps/red/ and /lamps/large/ both show.
  The sample is one of paths all of whose names are pages of the place, and of which the last was
  seen at several positions of such paths, as filters are; a category of a category, or a town of a
  service, has its position. One name alone may be a page, such as a category.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol
from zlib import crc32

from sitemapgen.analysis.kinds.evidence import MOST, Evidence
from sitemapgen.analysis.kinds.laws import (
    NO_LAYOUT,
    Law,
    Layout,
    Shown,
    Signature,
    layout_of,
    own_of,
)
from sitemapgen.analysis.kinds.lists import Lists, Pages
from sitemapgen.analysis.kinds.roles import Variant
from sitemapgen.core.pagination import strip_page_number
from sitemapgen.core.urls import key, path_names, split


class Texts(Pages, Protocol):
    """The fetched pages of a site whose text was kept."""

    def url(self, key: int) -> str:
        """Return a known URL, fetched or not; empty for another, as a link without its token."""

    def sketched(self) -> Iterable[tuple[str, int, str]]:
        """Yield (URL, depth, pattern) of these pages, listed or not; empty for no pattern."""

    def urls(self) -> Iterable[str]:
        """Yield all known URLs, fetched or not."""

    def content(self, key: int) -> int | None:
        """Return the content hash of a page whose text was kept; None without one."""

    def text(self, key: int) -> Signature:
        """Return such a page without its links."""


def splits(url: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the directories above a page but for its own, and the names that follow each.

    >>> [*splits("https://a.test/b/c/d/")]
    [('https://a.test/', ['b', 'c', 'd']), ('https://a.test/b/', ['c', 'd'])]
    >>> [*splits("https://a.test/b+c")]
    [('https://a.test/', ['b', 'c'])]
    """
    origin, path, query = split(url)
    names = [] if query else path_names(path)
    above = f"{origin}/"
    while len(names) > 1:
        yield above, names
        above += f"{names[0]}/"
        names = names[1:]


@dataclass(slots=True)
class _Place:
    """What was fetched below a directory."""

    names: dict[str, bool] = field(default_factory=dict)
    """By last name of paths: whether all pages are the same as that of the place."""
    positions: dict[str, set[int]] = field(default_factory=dict)
    """By name: its positions in paths all of whose names are pages of the place."""
    sample: list[tuple[int, str]] = field(default_factory=list)
    """(hash, URL) of such paths: those with the smallest hashes."""
    decides: Evidence | None = None
    """That the last name decides; None unless that is accepted."""
    selects: Evidence | None = None
    """That names select; None unless that is accepted."""
    layout: Layout = NO_LAYOUT
    """Of the sample."""
    ways: dict[int, bool] = field(default_factory=dict)
    """By key of a link: whether its path is made of names that are pages of the place."""

    def proves(self, page: Signature) -> bool:
        """Whether a page of the sample has items, and a last name that was seen elsewhere, too."""
        return len(self.positions[_last_of(page.url)]) > 1 and page.has_items("", self.layout)


class Recombined:
    """The places whose names make up paths; they follow from the set of fetched pages."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._places: dict[str, _Place] = {}

    def learn(self, pages: Iterable[tuple[str, str]]) -> None:
        """Add fetched pages, listed or not, and test the places above them.

        ``pages``: (URL, pattern).
        """
        changed = set()
        for url, _ in pages:
            for above, names in splits(url):
                if page := self._page(above + names[-1], url):
                    known = self._place(above).names
                    known[names[-1]] = known.get(names[-1], True) and self._is_same(url, page)
                    changed.add(above)
                if self._is_combined(above, names, url):
                    self._combine(self._place(above), names, url)
                    changed.add(above)
        lists = Lists(self._texts)
        for above in changed:
            self._test(above, lists)

    def _place(self, above: str) -> _Place:
        return self._places.setdefault(above, _Place())

    def _combine(self, place: _Place, names: list[str], url: str) -> None:
        for at, name in enumerate(names):
            place.positions.setdefault(name, set()).add(at)
        if (drawn := (crc32(url.encode()), url)) not in place.sample:  # it may be read again
            insort(place.sample, drawn)
            del place.sample[MOST:]

    def _page(self, url: str, like: str) -> str | None:
        """Return the known page at a URL, with or without a slash at its end, as another has it."""
        return next((url for url in _written(url, like) if self._texts.is_known(key(url))), None)

    def _is_combined(self, above: str, names: list[str], url: str) -> bool:
        """Return whether all names of a path are pages of the place."""
        every = (_written(above + name, url) for name in names)
        return bool(names) and all(
            any(self._texts.is_listed(key(each)) for each in urls) for urls in every
        )

    def _test(self, above: str, lists: Lists) -> None:
        place = self._places[above]
        sample = sorted((crc32(name.encode()), same) for name, same in place.names.items())
        place.decides = _accepted(same for _, same in sample[:MOST])
        some = [self._selection(above, url) for _, url in place.sample]
        place.layout = layout_of(some, is_choice=True)
        place.selects = _accepted(
            self._is_selected(above, page, page.url, lists) for page in some if place.proves(page)
        )

    def _is_same(self, url: str, shorter: str) -> bool:
        """Compare two pages by their texts.

        The longer URL may show its own words, and what the pages above it show: their titles in a
        breadcrumb.
        """
        content = self._texts.content(key(url))
        if content is not None and content == self._texts.content(key(shorter)):
            return True
        one, sibling = self._texts.text(key(url)), self._texts.text(key(shorter))
        if not one.content:
            return False
        above = (self._page(above + names[0], url) for above, names in splits(url))
        others = (self._texts.text(key(each)) for each in above if each)
        return all(
            own_of("", page, other, [Shown.of(shown)], NO_LAYOUT).law is Law.SAME
            for page, other, shown in ((one, sibling, [sibling, *others]), (sibling, one, [one]))
        )

    def _selection(self, above: str, url: str) -> Signature:
        """Return a page without its links to itself and to what the names of its place select."""
        page, ways = self._texts.signature(key(url)), self._places[above].ways
        for each in page.items - ways.keys():
            other = self._texts.url(each)
            names = path_names(other.removeprefix(above)) if other.startswith(above) else []
            ways[each] = "?" not in other and self._is_combined(above, names, other)
        items = frozenset(each for each in page.items if not ways[each])
        return page._replace(items=items, relatives=())

    def _is_selected(self, above: str, page: Signature, url: str, lists: Lists) -> bool:
        """Return whether a page shows a part of what its directory and its last name both show.

        ``url``: that of the first page of its list.
        """
        layout = self._places[above].layout
        name = _last_of(url)
        directory = self._page(url[: url.rindex(name)].rstrip("/,+;"), url)
        last = next(u for u in _written(above + name, url) if self._texts.is_listed(key(u)))
        some = [*lists.shown(last, ""), Shown.of([self._texts.signature(key(last))])]
        if not directory or page.new_items("", some) - layout.items:
            return False
        sibling = self._texts.signature(key(directory))
        own = own_of("", page, sibling, lists.shown(directory, ""), layout)
        return own._replace(has_items=True).law in (Law.SAME, Law.PART)  # or it selects nothing

    # Out

    def has_any(self) -> bool:
        """Whether there are places whose names are known to make up paths."""
        return any(place.decides or place.selects for place in self._places.values())

    def variant(self, url: str) -> Variant | None:
        """Return the page that stands for a URL whose names are known to change nothing."""
        for found, known, (*directories, last) in self._decided(url):
            if known.get(last, True) and any(map(known.get, directories)):
                return found
        return next((found for found, _ in self._selected(url)), None)

    def variant_read(self, url: str) -> Variant | None:
        """Return the page that stands for a fetched one that shows nothing of its own."""
        for found, _, _ in self._decided(url):
            if self._texts.is_known(key(url)) and self._is_same(url, found.url):
                return found
        for found, above in self._selected(url):
            page, lists = self._selection(above, url), Lists(self._texts)
            if self._is_selected(above, page, _first_of(url), lists):
                return found
        return None

    def _decided(self, url: str) -> Iterator[tuple[Variant, dict[str, bool], list[str]]]:
        """Yield the pages that the last name of a URL decides for, from the root on.

        With each, the names of its place and those of the URL below it.
        """
        for above, names in splits(url) if self._places else ():
            place = self._places.get(above)
            if place and place.decides and (page := self._page(above + names[-1], url)):
                found = Variant(page, f"{split(above).path}*/", place.decides)
                yield found, place.names, names

    def _selected(self, url: str) -> Iterator[tuple[Variant, str]]:
        """Yield the pages from which the names of a URL select, each with its place.

        What selects names a list, which may have further pages.
        """
        url = _first_of(url)
        for above, names in splits(url) if self._places else ():
            place = self._places.get(above)
            if place and place.selects:
                page = self._page(above + names[0], url)
                if page and self._is_combined(above, names, url):
                    yield Variant(page, f"{split(above).path}*/", place.selects), above


def _last_of(url: str) -> str:
    """Return the last name of a URL."""
    return path_names(split(url).path)[-1]


def _first_of(url: str) -> str:
    """Return the URL of the first page of a list, as far as its number shows."""
    return strip_page_number(url) or url


def _written(url: str, like: str) -> tuple[str, str]:
    """Return a URL with and without a slash at its end, first as another has it."""
    urls = (f"{url}/", url)
    return urls if like.endswith("/") else urls[::-1]


def _accepted(pairs: Iterable[bool]) -> Evidence | None:
    """Return the evidence that accepts a law; None if the pairs do not."""
    obey = 0
    for total, is_lawful in enumerate(pairs, 1):
        obey += is_lawful
        evidence = Evidence(obey, total)
        if evidence.is_accepted:
            return evidence
        if evidence.is_refuted:
            break
    return None
