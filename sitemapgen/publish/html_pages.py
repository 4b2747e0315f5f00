"""sitemap.html, the sitemap for visitors: section by section, by title.

Section: the first directory of the path. A page holds so many links that a browser shows it at
once; further ones are sitemap-2.html and so on. No scripts; how it looks: ``page/``.
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
"""Links on one page."""
MAX_CONTENTS = 300
"""Sections that the table of contents names; a site with more of them has no sections."""
MAX_TITLE = 300
"""Characters."""


class Entry(NamedTuple):
    """One link."""

    url: str
    title: str


class Section(NamedTuple):
    """What a page shows of a section."""

    name: str
    """Empty for what is in no directory."""
    anchor: str
    is_continued: bool
    """Whether the page before shows its beginning."""
    entries: list[Entry]


class Heading(NamedTuple):
    """A section in the table of contents."""

    name: str
    size: int
    """Its links."""
    href: str


def write(rows: Callable[[], Iterable[TitledRow]], staging: Staging, title: str) -> list[str]:
    """Stage the pages; returns their names.

    ``rows``: what is listed, in URL order; read three times, never held.
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
    """The name of a page, from 1."""
    return "sitemap.html" if number == 1 else f"sitemap-{number}.html"


def section_of(url: str) -> str:
    """The first directory of a URL's path, as people read it; empty when it is in none.

    >>> section_of("https://example.com/a%20b/c"), section_of("https://example.com/c")
    ('a b', '')
    """
    first, slash, _ = split(url).path[1:].partition("/")
    return line(unquote(first), MAX_TITLE) if slash else ""


def _sections(rows: Iterable[TitledRow]) -> list[tuple[str, int]]:
    """(name, links) of each section in its order: first what is in none, then as the URLs are."""
    counts = {"": 0}
    for row in rows:
        section = section_of(row.url)
        counts[section] = counts.get(section, 0) + 1
    return [(name, count) for name, count in counts.items() if count]


def _in_order(rows: Callable[[], Iterable[TitledRow]]) -> Iterator[tuple[str, Entry]]:
    """(section, entry): what is in no section stands between the others in URL order."""
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
    """As a Content-Security-Policy names an inline style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
