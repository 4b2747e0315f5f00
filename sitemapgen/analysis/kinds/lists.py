"""Lists that take several pages, and what the fetched ones of them show together."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol

from sitemapgen.analysis.kinds.laws import Shown, Signature
from sitemapgen.analysis.kinds.slots import names_of, parts_of, values_of, without
from sitemapgen.core.pagination import strip_page_number
from sitemapgen.core.urls import key


class Pages(Protocol):
    """The fetched pages of a site."""

    def is_known(self, key: int) -> bool:
        """Return whether a page may be listed, and content of it was kept."""

    def is_listed(self, key: int) -> bool:
        """Return whether a fetched page may be listed, whether content of it was kept or not."""

    def is_expected(self, key: int) -> bool:
        """Return whether a URL is going to be fetched."""

    def signature(self, key: int) -> Signature:
        """Return what is compared of such a page."""

    def url(self, key: int) -> str:
        """Return a URL; empty for an unknown one."""

    def excerpt(self, key: int) -> str:
        """Return the beginning of the text of a fetched page."""

    def list_of(self, key: int, is_part: Callable[[str], bool]) -> list[int]:
        """Return the keys of a page and of those that its links lead to, one from another.

        ``is_part``: whether a URL is one of the list; only such links are followed.
        """


class Firsts:
    """Waiting URLs whose pages are going to show the same: the first one stands for the others."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._firsts: dict[Hashable, str] = {}

    def find(self, group: Hashable, url: str) -> str | None:
        """Return the first URL that was asked for of a group; None if it is the given one.

        One that was fetched and is not listed stands for no other.
        """
        first = self._firsts.setdefault(group, url)
        if first != url and is_ahead(self._pages, key(first)):
            return first
        self._firsts[group] = url
        return None


def is_ahead(pages: Pages, key: int) -> bool:
    """Return whether a page may be listed, or is going to be fetched."""
    return pages.is_listed(key) or pages.is_expected(key)


class Lists:
    """What the lists of a site show."""

    def __init__(
        self, pages: Pages, further: frozenset[tuple[tuple[str, ...], str]] = frozenset()
    ) -> None:
        self.further = further
        """(values of other parameters, parameter) of further pages of lists."""
        self._pages = pages
        self._lists: dict[str, dict[str, Shown]] = {}
        """By its first page: what a list shows; by parameter, what its pages without that show."""
        self._first_of_url: dict[str, str] = {}

    def shown(self, url: str, name: str) -> list[Shown]:
        """Return what the lists of a page show: its own, and that of all parameters left out.

        All of these pages have a parameter of this name as the page has it, or none.
        """
        return [self._list(start, name) for start in {url, without(url, names_of(url))}]

    def _list(self, start: str, name: str) -> Shown:
        """Return what the fetched pages show of the list that a page begins."""
        if start not in self._lists:
            of_list = self.first_of(start)
            keys = []
            if self._pages.is_known(key(start)):
                keys = self._pages.list_of(key(start), lambda other: self._is_of(other, of_list))
            self._lists[start] = {"": Shown.of(map(self._pages.signature, keys))}
        shown = self._lists[start]
        if name in shown:
            return shown[name]
        if shown[""].names.isdisjoint(name.split("&")):
            return shown[""]
        own = values_of(start, name)
        pages = (page for page in shown[""].pages if values_of(page.url, name) == own)
        shown[name] = Shown.of(pages)
        return shown[name]

    def _is_of(self, url: str, of_list: str) -> bool:
        """Return whether a page is one of a list, by the URL of its first page.

        That may have fewer parameters, if nothing leads to it with those that further pages carry.
        """
        first = self.first_of(url)
        if first == of_list or self._pages.is_known(key(first)):
            return first == of_list
        return without(first, {*names_of(first)}.difference(names_of(of_list))) == of_list

    def first_of(self, url: str) -> str:
        """Return the URL of the first page of the list of a page, as far as that is known."""
        found = self._first_of_url.get(url)
        if found is None:
            parts = {*parts_of(url)} if self.further else set()
            names = [name for others, name in self.further if parts.issuperset(others)]
            found = without(url, names) if names else url
            found = self._first_of_url[url] = strip_page_number(found) or found
        return found
