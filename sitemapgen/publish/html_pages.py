"""sitemap.html, the sitemap for visitors: by section, with titles, in natural order.

Links beyond the first ``LINKS`` are in sitemap-2.html and so on, so that browsers show each page at
once. No scripts; sections: ``sections.py``; template and style: ``page/``; words:
``html_words.py``.
"""

from __future__ import annotations

from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.document.languages import (
    RIGHT_TO_LEFT,
    canonical_language,
    of_site,
    primary_language,
)
from sitemapgen.core.document.texts import line
from sitemapgen.publish.html_template import PageTemplate, read_asset
from sitemapgen.publish.html_words import words_of
from sitemapgen.publish.sections import MAX_TITLE, Sections
from sitemapgen.report.templates import source_hash

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapgen.publish.files import Staging
    from sitemapgen.store.results import Results, TitledRow

LINKS = 5_000
"""Maximum number of links on one page."""
MAX_CONTENTS = 300
"""Maximum number of sections in the table of contents; a site with more has no contents."""
MARK = "\n<!-- sitemapgen -->\n"
"""The end of each page, by which a later publication recognises it, whatever its template."""


class PageEntry(NamedTuple):
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
    entries: list[PageEntry]


class Heading(NamedTuple):
    """A section in the table of contents."""

    name: str
    size: int
    """Number of its links."""
    href: str


def write_pages(results: Results, staging: Staging, title: str, template: Path | None) -> None:
    """Stage the pages.

    ``title``: that of the site. ``template``: the user's, instead of ours. The listed pages are
    read three times, never held in memory. Raises CrawlError if the template fails.
    """
    sections = Sections(results)
    pages = max(1, -(-sections.total // LINKS))
    names = ["sitemap.html", *(f"sitemap-{number}.html" for number in range(2, pages + 1))]
    language = of_site(results.count_languages())
    css = read_asset("sitemap.html.css")
    common = {
        "title": title,
        "language": language,
        "direction": "rtl" if primary_language(language) in RIGHT_TO_LEFT else "ltr",
        "words": words_of(language),
        "total": sections.total,
        "contents": _table_of_contents(sections, names),
        "names": names,
        "css": css,
        "csp": source_hash(css),
    }
    page = PageTemplate(template)
    anchors = {name: f"section-{number}" for number, name in enumerate(sections.order, 1)}
    rows = results.titles(sections.rank)  # in natural order, pages in no section first
    entries = ((sections.of(row.url), _page_entry(row, language)) for row in rows)
    begun = ""
    for name in names:
        shown: list[Section] = []
        for section, group in groupby(islice(entries, LINKS), key=lambda entry: entry[0]):
            is_continued = not shown and begun == section and name != names[0]
            some = [entry for _, entry in group]
            shown.append(Section(sections.names[section], anchors[section], is_continued, some))
            begun = section
        text = page.render({**common, "sections": shown, "own": name})
        with staging.open(name) as file:  # a large site has more pages than files may be open
            file.write(f"{text.rstrip()}{MARK}".encode("utf-8", "replace"))


def _page_entry(row: TitledRow, language: str) -> PageEntry:
    own = canonical_language(row.language)
    is_other = primary_language(own) != primary_language(language)
    return PageEntry(row.url, line(row.title, MAX_TITLE) or row.url, own if is_other else "")


def _table_of_contents(sections: Sections, names: list[str]) -> list[Heading]:
    if not 1 < len(sections.order) <= MAX_CONTENTS:
        return []
    contents, before = [], 0
    for number, directory in enumerate(sections.order, 1):
        size, title = sections.size(directory), sections.names[directory]
        contents.append(Heading(title, size, f"{names[before // LINKS]}#section-{number}"))
        before += size
    return contents
