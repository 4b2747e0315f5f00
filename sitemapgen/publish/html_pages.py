"""sitemap.html, the sitemap for visitors: by section, with titles, in natural order.

A section is the first directory of the path, if more than its index page is listed. Links beyond
the first ``LINKS`` are in sitemap-2.html and so on, so that browsers show each page at once. No
scripts; template and style: ``page/``; words: ``html_words.py``.
"""

from __future__ import annotations

import base64
import hashlib
import re
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize
from urllib.parse import unquote

from sitemapgen.core.document.languages import RIGHT_TO_LEFT, of_site, primary, stated
from sitemapgen.core.document.texts import line
from sitemapgen.core.urls import first_segment, split
from sitemapgen.publish.html_template import PageTemplate, read
from sitemapgen.publish.html_words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sitemapgen.publish.files import Staging
    from sitemapgen.store.results import Results, TitledRow

LINKS = 5_000
"""Maximum number of links on one page."""
MAX_CONTENTS = 300
"""Maximum number of sections in the table of contents; a site with more has no contents."""
MAX_TITLE = 300
"""Maximum number of characters of a title."""
MARK = "\n<!-- sitemapgen -->\n"
"""The end of each page, by which a later publication recognises it, whatever its template."""

_INDEX = re.compile(r"/[^/]+/?(?:(?<=/)index\.[a-z0-9]+)?", re.ASCII)
_DIGITS = re.compile(r"0*([0-9]+)", re.ASCII)
_DASHES = re.compile(r"[-_+]+")


class Entry(NamedTuple):
    """A link of the page."""

    url: str
    title: str
    language: str
    """Its language if it is another one than that of the site; else empty."""


class Section(NamedTuple):
    """The part of a section that one page has."""

    name: str
    """Its title; empty for pages in no directory."""
    anchor: str
    is_continued: bool
    """Whether it begins on the page before."""
    entries: list[Entry]


class Heading(NamedTuple):
    """A section in the table of contents."""

    name: str
    size: int
    """Number of its links."""
    href: str


class _Found(NamedTuple):
    """A section of the site."""

    size: int
    title: str
    """That of its index page; empty where none is listed."""


def write(results: Results, staging: Staging, title: str, template: Path | None) -> list[str]:
    """Stage the pages; return their names.

    ``title``: that of the site. ``template``: the user's, instead of ours. The listed pages are
    read three times, never held in memory. Raises CrawlError if the template fails.
    """
    sections = _sections(results)
    order = sorted(sections, key=_rank_of_section)
    total = sum(section.size for section in sections.values())
    names = [page_name(number) for number in range(1, max(1, -(-total // LINKS)) + 1)]
    titles = {name: sections[name].title or _in_words(name) for name in order}
    language = of_site(results.languages())
    css = read("sitemap.html.css")
    common = {
        "title": title,
        "language": language,
        "direction": _direction(language),
        "words": words_of(language),
        "total": total,
        "contents": _contents(order, sections, titles, names),
        "names": names,
        "css": css,
        "csp": _sha256(css),
    }
    page = PageTemplate(template)
    anchors = {name: f"section-{number}" for number, name in enumerate(order, 1)}
    entries = _entries(results, sections, language)
    begun = ""
    for name in names:
        shown: list[Section] = []
        for section, group in groupby(islice(entries, LINKS), key=lambda entry: entry[0]):
            is_continued = not shown and begun == section and name != names[0]
            some = [entry for _, entry in group]
            shown.append(Section(titles[section], anchors[section], is_continued, some))
            begun = section
        text = page.render({**common, "sections": shown, "own": name})
        with staging.open(name) as file:  # a large site has more pages than files may be open
            file.write(f"{text.rstrip()}{MARK}".encode("utf-8", "replace"))
    return names


def page_name(number: int) -> str:
    """Return the file name of a page, counted from 1."""
    return "sitemap.html" if number == 1 else f"sitemap-{number}.html"


def natural(text: str) -> str:
    """Return a key by which texts sort without regard to case and accents, numbers by their value.

    >>> sorted(["b10", "B2", "\u00e92", "e10", "b02"], key=natural)
    ['B2', 'b02', 'b10', '\u00e92', 'e10']
    """
    plain = "".join(c for c in normalize("NFKD", text.casefold()) if not combining(c))
    return _DIGITS.sub(lambda match: f"{min(len(match[1]), 999):03d}{match[1]}", plain)


def _sections(results: Results) -> dict[str, _Found]:
    """Return the sections by their directory: those with more than an index page, and the root.

    The root, named by an empty text, has all other pages.
    """
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


def _entries(
    results: Results, sections: dict[str, _Found], language: str
) -> Iterator[tuple[str, Entry]]:
    """Yield (section, entry) in natural order, pages in no section first."""

    def section_of(url: str) -> str:
        directory = first_segment(url)
        return directory if directory in sections else ""

    def rank(url: str) -> str:
        is_named, words, directory = _rank_of_section(section_of(url))
        _, path, query = split(url)
        where = natural(unquote(path)), natural(unquote(query))
        return "\x01".join((str(int(is_named)), words, directory, *where))

    for row in results.titles(rank):
        yield section_of(row.url), _entry(row, language)


def _entry(row: TitledRow, language: str) -> Entry:
    own = stated(row.language)
    is_other = primary(own) != primary(language)
    return Entry(row.url, line(row.title, MAX_TITLE) or row.url, own if is_other else "")


def _in_words(directory: str) -> str:
    """Return the name of a directory as a heading.

    >>> _in_words("my_first-posts"), _in_words("%D0%BD%D0%BE%D0%B2%D0%BE")
    ('My first posts', 'Ново')
    """
    words = line(_DASHES.sub(" ", unquote(directory)), MAX_TITLE)
    return words[:1].upper() + words[1:]


def _contents(
    order: list[str], sections: dict[str, _Found], titles: dict[str, str], names: list[str]
) -> list[Heading]:
    if not 1 < len(order) <= MAX_CONTENTS:
        return []
    contents, before = [], 0
    for number, name in enumerate(order, 1):
        size = sections[name].size
        contents.append(Heading(titles[name], size, f"{names[before // LINKS]}#section-{number}"))
        before += size
    return contents


def _direction(language: str) -> str:
    return "rtl" if primary(language) in RIGHT_TO_LEFT else "ltr"


def _sha256(text: str) -> str:
    """Return the source expression of an inline style for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
