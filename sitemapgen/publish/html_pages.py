"""sitemap.html, the sitemap for visitors: by section, then in URL order, with titles.

A section is the first directory of the path. Links beyond the first ``LINKS`` are in
sitemap-2.html and so on, so that browsers show each page at once. No scripts; template and style:
``page/``.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from sitemapgen.core.document.texts import line
from sitemapgen.core.urls import split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from jinja2 import Template

    from sitemapgen.publish.files import Staging
    from sitemapgen.store.results import TitledRow

LINKS = 5_000
"""Maximum number of links on one page."""
MAX_CONTENTS = 300
"""Maximum number of sections in the table of contents; a site with more has no contents."""
MAX_TITLE = 300
"""Maximum number of characters of a title."""


class Entry(NamedTuple):
    """A link of the page."""

    url: str
    title: str


class Section(NamedTuple):
    """The part of a section that one page has."""

    name: str
    """Empty for pages in no directory."""
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


def write(rows: Callable[[], Iterable[TitledRow]], staging: Staging, title: str) -> list[str]:
    """Stage the pages; return their names.

    ``rows``: returns the listed pages in URL order; called three times, never held in memory.
    """
    sections = _sections(rows())
    total = sum(count for _, count in sections)
    names = [page_name(number) for number in range(1, max(1, -(-total // LINKS)) + 1)]
    contents = list(_contents(sections, names)) if 1 < len(sections) <= MAX_CONTENTS else []
    css = _read("sitemap.html.css")
    template = _template()
    entries = _in_order(rows)
    begun = ""
    anchors = {name: f"section-{number}" for number, (name, _) in enumerate(sections, 1)}
    for name in names:
        shown: list[Section] = []
        for section, group in groupby(islice(entries, LINKS), key=lambda entry: entry[0]):
            is_continued = not shown and begun == section and name != names[0]
            some = [entry for _, entry in group]
            shown.append(Section(section, anchors[section], is_continued, some))
            begun = section
        page = template.render(
            title=title,
            total=total,
            contents=contents,
            sections=shown,
            css=css,
            csp=_sha256(css),
            names=names,
            own=name,
        )
        with staging.open(name) as file:  # a large site has more pages than files may be open
            file.write(page.encode())
    return names


def page_name(number: int) -> str:
    """Return the file name of a page, counted from 1."""
    return "sitemap.html" if number == 1 else f"sitemap-{number}.html"


def section_of(url: str) -> str:
    """Return the first directory of a URL's path, decoded; empty for a URL in no directory.

    >>> section_of("https://example.com/a%20b/c"), section_of("https://example.com/c")
    ('a b', '')
    """
    first, slash, _ = split(url).path[1:].partition("/")
    return line(unquote(first), MAX_TITLE) if slash else ""


def _sections(rows: Iterable[TitledRow]) -> list[tuple[str, int]]:
    """Return (name, links) of each section: pages in no section first, then in URL order."""
    counts = {"": 0}
    for row in rows:
        section = section_of(row.url)
        counts[section] = counts.get(section, 0) + 1
    return [(name, count) for name, count in counts.items() if count]


def _in_order(rows: Callable[[], Iterable[TitledRow]]) -> Iterator[tuple[str, Entry]]:
    """Yield (section, entry): first all pages in no section, which URL order scatters."""
    for is_first in (True, False):
        for row in rows():
            section = section_of(row.url)
            if (not section) == is_first:
                yield section, Entry(row.url, line(row.title, MAX_TITLE) or row.url)


def _contents(sections: list[tuple[str, int]], names: list[str]) -> Iterator[Heading]:
    before = 0
    for number, (name, count) in enumerate(sections, 1):
        yield Heading(name, count, f"{names[before // LINKS]}#section-{number}")
        before += count


def _template() -> Template:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        autoescape=True,
        loader=FunctionLoader(_read),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("sitemap.html.jinja")


def _read(name: str) -> str:
    return (resources.files("sitemapgen.publish") / "page" / name).read_text("utf-8")


def _sha256(text: str) -> str:
    """Return the source expression of an inline style for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
