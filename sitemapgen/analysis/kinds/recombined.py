"""Paths that are put together from the names of pages: /roses/tulips/lilies/ beside /lilies/.

They arise without end from links that are relative to a page below which the server answers
anything by the last name. That this name decides what is shown is a law of a place, tested like
those of slots (``evidence.py``), with a sample of names, so that no number of pages of one name
proves anything of the others. A directory that was not seen at the end of a longer path, as that
of a version or a language, is not known to change nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
from zlib import crc32

from sitemapgen.analysis.kinds.evidence import MOST, Evidence
from sitemapgen.analysis.kinds.laws import NO_LAYOUT, Law, Shown, own_of
from sitemapgen.analysis.kinds.roles import Variant
from sitemapgen.core.urls import key, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.analysis.kinds.laws import Signature


class Texts(Protocol):
    """The fetched pages of a site whose text was kept."""

    def is_known(self, key: int) -> bool:
        """Return whether there is such a page, and it may be listed."""

    def content(self, key: int) -> int | None:
        """Return the content hash of such a page; None without one."""

    def text(self, key: int) -> Signature:
        """Return such a page without its links."""


def splits(url: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the directories above a page but for its own, and the names that follow each.

    >>> [*splits("https://a.test/b/c/d/")]
    [('https://a.test/', ['b', 'c', 'd']), ('https://a.test/b/', ['c', 'd'])]
    """
    origin, path, query = split(url)
    names = [] if query else path.strip("/").split("/")
    above = f"{origin}/"
    while len(names) > 1:
        yield above, names
        above += f"{names[0]}/"
        names = names[1:]


class Recombined:
    """The places below which the last name decides; they follow from the set of fetched pages."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._names: dict[str, dict[str, bool]] = {}
        """By place and last name: whether all pages are the same as that of the place."""
        self._lawful: dict[str, Evidence] = {}
        """The places where the last name decides."""

    def learn(self, urls: Iterable[str]) -> None:
        """Add fetched pages, listed or not, and test the places above them."""
        changed = set()
        for url in urls:
            for above, names in splits(url):
                if page := self._page(above + names[-1], url):
                    known = self._names.setdefault(above, {})
                    known[names[-1]] = known.get(names[-1], True) and self._is_same(url, page)
                    changed.add(above)
        for above in changed:
            self._test(above)

    def _page(self, url: str, like: str) -> str | None:
        """Return the known page at a URL, with or without a slash at its end, as another has it."""
        urls = (url, f"{url}/")
        for each in reversed(urls) if like.endswith("/") else urls:
            if self._texts.is_known(key(each)):
                return each
        return None

    def _test(self, above: str) -> None:
        self._lawful.pop(above, None)
        obey = 0
        sample = sorted((crc32(name.encode()), same) for name, same in self._names[above].items())
        for total, (_, is_same) in enumerate(sample[:MOST], 1):
            obey += is_same
            evidence = Evidence(obey, total)
            if evidence.is_accepted:
                self._lawful[above] = evidence
            if evidence.is_accepted or evidence.is_refuted:
                break

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

    # Out

    def has_any(self) -> bool:
        """Whether there are places below which the last name decides."""
        return bool(self._lawful)

    def variant(self, url: str) -> Variant | None:
        """Return the page that stands for a URL whose names are known to change nothing."""
        for known, (*directories, last), found in self._decided(url):
            if known.get(last, True) and any(map(known.get, directories)):
                return found
        return None

    def variant_read(self, url: str) -> Variant | None:
        """Return the page that stands for a fetched one that shows nothing of its own."""
        every = (found for _, _, found in self._decided(url))
        return next((found for found in every if self._is_same(url, found.url)), None)

    def _decided(self, url: str) -> Iterator[tuple[dict[str, bool], list[str], Variant]]:
        """Yield the pages that the last name of a URL decides for, from the root on.

        With each, the names of its place and those of the URL below it.
        """
        for above, names in splits(url) if self._lawful else ():
            evidence = self._lawful.get(above)
            if evidence and (page := self._page(above + names[-1], url)):
                found = Variant(page, f"{split(above).path}*/", evidence)
                yield self._names[above], names, found
