"""Sections of the listed pages, in natural order: those of sitemap.html and llms.txt.

A section is the first directory of the path, if more than its index page is listed. Its name is the
title of its index page, else that of the directory in words. Directories with identifiers in place
of words, ``/product-579/``, are one section for their kind, ``product-#``, if they are many and
have no such title. All other pages are in the section of the root, which has no name, also those of
directories that are a letter or an identifier alone, ``/p/`` and ``/a7e4b2/``.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import NamedTuple
from unicodedata import combining, normalize
from urllib.parse import unquote

from sitemapgen.core.document.texts import line
from sitemapgen.core.urls import first_segment, split
from sitemapgen.store.results import Results, TitledRow

MAX_TITLE = 300
"""Maximum number of characters of a title."""
MANY = 10
"""Minimum number of directories of one kind that are records, and no parts of a work."""

_INDEX = re.compile(r"/[^/]+/?(?:(?<=/)index\.[a-z0-9]+)?", re.ASCII)
_DIGITS = re.compile(r"0*([0-9]+)", re.ASCII)
_DASHES = re.compile(r"[-_+. ]+")
_WORD = re.compile(r"([^0-9]{3,})[0-9]*", re.ASCII)
"""A word beside an identifier, or with a number at its end."""
_LETTER = re.compile(r"[a-z]", re.IGNORECASE | re.ASCII)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}(?![0-9])")


class _Found(NamedTuple):
    size: int
    title: str
    """That of its index page; empty where none is listed."""
    indexes: int
    """Number of its index pages among them."""


class Sections:
    """The sections of a concluded store, by their directories; that of the root is empty."""

    def __init__(self, results: Results) -> None:
        """Read the listed pages twice at most, without holding them in memory."""
        self._found = _find_sections(results)
        self.order = sorted(self._found, key=_rank_of_section)
        """The directories in the order of their sections, pages in no section first."""
        self.total = sum(section.size for section in self._found.values())
        """Number of the listed pages."""
        self.names = {name: self._found[name].title or _heading_of(name) for name in self.order}
        """The name of each section; empty for the root."""

    def size(self, directory: str) -> int:
        """Return the number of pages of a section."""
        return self._found[directory].size

    def of(self, url: str) -> str:
        """Return the directory of the section that a listed page is in, or the kind of it."""
        directory = first_segment(url)
        if directory not in self._found and not _is_index(url):
            directory = _kind_of_directory(directory)
        return directory if directory in self._found else ""

    def rank(self, url: str) -> str:
        """Return a key that sorts pages by section, and by natural order within it."""
        is_named, words, directory = _rank_of_section(self.of(url))
        _, path, query = split(url)
        where = natural_key(unquote(path)), natural_key(unquote(query))
        return "\x01".join((str(int(is_named)), words, directory, *where))


def natural_key(text: str) -> str:
    """Return a key by which texts sort without regard to case and accents, numbers by their value.

    >>> sorted(["b10", "B2", "\u00e92", "e10", "b02"], key=natural_key)
    ['B2', 'b02', 'b10', '\u00e92', 'e10']
    """
    plain = "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
    return _DIGITS.sub(lambda match: f"{min(len(match[1]), 999):03d}{match[1]}", plain)


def _find_sections(results: Results) -> dict[str, _Found]:
    """Return the sections by their directory: those with more than an index page, and the root."""
    found: dict[str, _Found] = {}
    alone = 0
    for directory, rows in groupby(
        results.listed(TitledRow), key=lambda row: first_segment(row.url)
    ):
        size, title, indexes = 0, "", 0
        for row in rows:
            size += 1
            if _is_index(row.url):
                indexes += 1
                title = title or line(row.title, MAX_TITLE)
        if directory and (size > 1 or not indexes):
            found[directory] = _Found(size, title, indexes)
        else:
            alone += size
    _add_titles(found, results)
    found, others = _by_kind(found)
    alone += others
    return {**({"": _Found(alone, "", 0)} if alone else {}), **found}


def _by_kind(found: dict[str, _Found]) -> tuple[dict[str, _Found], int]:
    """Merge directories with identifiers by kind; return them, and the number of further pages."""
    kinds = {
        name: name if section.title else _kind_of_directory(name) for name, section in found.items()
    }
    sizes = Counter(kinds.values())
    kept: dict[str, _Found] = {}
    alone = 0
    for directory, section in found.items():
        kind = kinds[directory]
        if kind == directory or (kind and sizes[kind] < MANY):
            kept[directory] = section
            continue
        pages = section.size - section.indexes
        alone += section.indexes if kind else section.size
        if kind and pages:
            before = kept[kind].size if kind in kept else 0
            kept[kind] = _Found(before + pages, "", 0)
    return kept, alone


def _kind_of_directory(directory: str) -> str:
    """Return a directory with ``#`` for its identifiers; empty if it has no words besides.

    >>> [_kind_of_directory(name) for name in ("products", "product-579", "part2", "2024")]
    ['products', 'product-#', 'part-#', '2024']
    >>> [_kind_of_directory(name) for name in ("p-579", "a7eee4", "7", "p")]
    ['', '', '', '']
    """
    name = unquote(directory)
    if _YEAR.match(name) or not (_DIGITS.search(name) or _LETTER.fullmatch(name)):
        return directory
    words = [found[1] for token in _DASHES.split(name) if (found := _WORD.fullmatch(token))]
    return "-".join([*words, "#"]) if words else ""


def _add_titles(found: dict[str, _Found], results: Results) -> None:
    """Give sections the title of an index page that has no slash at its end."""
    lacking = {f"/{name}": name for name, section in found.items() if not section.title}
    for row in results.listed(TitledRow) if lacking else ():
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
    return bool(directory), natural_key(unquote(directory)), directory


def _heading_of(directory: str) -> str:
    """Return the name of a directory as a heading.

    >>> _heading_of("my_first-posts"), _heading_of("%D0%BD%D0%BE%D0%B2%D0%BE")
    ('My first posts', 'Ново')
    """
    words = line(_DASHES.sub(" ", unquote(directory).removesuffix("#")), MAX_TITLE)
    return words[:1].upper() + words[1:]
