"""Sections of the listed pages, in natural order: those of sitemap.html and llms.txt.

A section is the first directory of the path, if more than its index page is listed. Its name is the
title of its index page, else that of the directory in words. All other pages are in the section of
the root, which has no name.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize
from urllib.parse import unquote

from sitemapgen.core.document.texts import line
from sitemapgen.core.urls import first_segment, split

if TYPE_CHECKING:
    from sitemapgen.store.results import Results

MAX_TITLE = 300
"""Maximum number of characters of a title."""

_INDEX = re.compile(r"/[^/]+/?(?:(?<=/)index\.[a-z0-9]+)?", re.ASCII)
_DIGITS = re.compile(r"0*([0-9]+)", re.ASCII)
_DASHES = re.compile(r"[-_+]+")


class _Found(NamedTuple):
    """A section of the site."""

    size: int
    title: str
    """That of its index page; empty where none is listed."""


class Sections:
    """The sections of a concluded store, by their directories; that of the root is empty."""

    def __init__(self, results: Results) -> None:
        """Read the listed pages twice at most, without holding them in memory."""
        self._found = _sections(results)
        self.order = sorted(self._found, key=_rank_of_section)
        """The directories in the order of their sections, pages in no section first."""
        self.total = sum(section.size for section in self._found.values())
        """Number of the listed pages."""
        self.names = {name: self._found[name].title or _in_words(name) for name in self.order}
        """The name of each section; empty for the root."""

    def size(self, directory: str) -> int:
        """Return the number of pages of a section."""
        return self._found[directory].size

    def of(self, url: str) -> str:
        """Return the directory of the section that a listed page is in."""
        directory = first_segment(url)
        return directory if directory in self._found else ""

    def rank(self, url: str) -> str:
        """Return a key that sorts pages by section, and by natural order within it."""
        is_named, words, directory = _rank_of_section(self.of(url))
        _, path, query = split(url)
        where = natural(unquote(path)), natural(unquote(query))
        return "\x01".join((str(int(is_named)), words, directory, *where))


def natural(text: str) -> str:
    """Return a key by which texts sort without regard to case and accents, numbers by their value.

    >>> sorted(["b10", "B2", "\u00e92", "e10", "b02"], key=natural)
    ['B2', 'b02', 'b10', '\u00e92', 'e10']
    """
    plain = "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
    return _DIGITS.sub(lambda match: f"{min(len(match[1]), 999):03d}{match[1]}", plain)


def _sections(results: Results) -> dict[str, _Found]:
    """Return the sections by their directory: those with more than an index page, and the root."""
    found: dict[str, _Found] = {}
    alone = 0
    for directory, rows in groupby(results.titles(), key=lambda row: first_segment(row.url)):
        size, title, is_index = 0, "", False
        for row in rows:
            size += 1
            is_index = _is_index(row.url)
            title = title or (line(row.title, MAX_TITLE) if is_index else "")
        if directory and (size > 1 or not is_index):
            found[directory] = _Found(size, title)
        else:
            alone += size
    _add_titles(found, results)
    return {**({"": _Found(alone, "")} if alone else {}), **found}


def _add_titles(found: dict[str, _Found], results: Results) -> None:
    """Give sections the title of an index page that has no slash at its end."""
    lacking = {f"/{name}": name for name, section in found.items() if not section.title}
    for row in results.titles() if lacking else ():
        if (name := lacking.get(split(row.url).path)) and _is_index(row.url):
            found[name] = found[name]._replace(title=line(row.title, MAX_TITLE))


def _is_index(url: str) -> bool:
    """Return whether a URL is ``/section/``, ``/section`` or an index file in it.

    >>> [_is_index(f"https://example.com/{path}") for path in ("a/", "a/index.php", "a/?b", "")]
    [True, True, False, False]
    """
    _, path, query = split(url)
    return not query and _INDEX.fullmatch(path) is not None


def _rank_of_section(directory: str) -> tuple[bool, str, str]:
    return bool(directory), natural(unquote(directory)), directory


def _in_words(directory: str) -> str:
    """Return the name of a directory as a heading.

    >>> _in_words("my_first-posts"), _in_words("%D0%BD%D0%BE%D0%B2%D0%BE")
    ('My first posts', 'Ново')
    """
    words = line(_DASHES.sub(" ", unquote(directory)), MAX_TITLE)
    return words[:1].upper() + words[1:]
