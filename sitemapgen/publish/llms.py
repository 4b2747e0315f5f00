"""llms.txt: the site for language models (llmstxt.org), a line a page with its description.

A Markdown file of the title of the site, its summary, and its sections, each a list of links. The
sections: ``sections.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest
from itertools import groupby

from sitemapgen.core.document.languages import of_site
from sitemapgen.core.document.markdown import escape_inline, escape_paragraph
from sitemapgen.core.document.texts import line
from sitemapgen.core.words import counted
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.files import Staging
from sitemapgen.publish.html_words import words_of
from sitemapgen.publish.sections import MAX_TITLE, Sections
from sitemapgen.store.results import DescribedRow, Results

FORMAT = "llms"
NAME = "llms.txt"
"""The name that llmstxt.org gives to the file, at the root of a site."""
PAGES = 2_000
"""Maximum number of pages: about 400 kB, which is 100,000 tokens."""
MAX_DESCRIPTION = 300
"""Maximum number of characters of a page's description."""
MAX_SUMMARY = 1_000
"""Maximum number of characters of the summary of the site."""

_CLOSING = re.compile(r"(?<= )#(?=#*$)")


def write_llms_txt(
    results: Results, staging: Staging, start: str, title: str, base_url: str
) -> None:
    """Stage the file.

    ``start``: the start page, whose description is the summary; ``title``: that of the site. Of a
    site with more than PAGES pages it has those nearest to the start page, and a link to the
    sitemap. The listed pages are read five times at most, and PAGES of them held in memory.
    """
    sections = Sections(results)
    shown = _nearest_urls(results)
    with staging.open(NAME) as file:
        head = _format_head(title, _start_description(results, start), sections.total)
        for text in (head, *_format_lists(results, sections, shown)):
            file.write(text.encode("utf-8", "replace"))
        if sections.total > len(shown):
            pages = f"all {counted(sections.total, 'page')}, without titles"
            text = f"\n## Optional\n\n- {_format_link('Sitemap', base_url + ENTRY)}: {pages}\n"
            file.write(text.encode())


def _nearest_urls(results: Results) -> set[str]:
    """Return the URLs with the fewest links from the start page, at most PAGES, ties by URL."""
    ranks = (
        (row.depth is None, row.depth or 0, row.url)  # without a depth: only a sitemap names it
        for row in results.listed(DescribedRow)
    )
    return {url for *_, url in nsmallest(PAGES, ranks)}


def _start_description(results: Results, start: str) -> str:
    """Return the description of the start page; the rows end here, as others need the database."""
    rows = (row.description for row in results.listed(DescribedRow) if row.url == start)
    return line(next(rows, ""), MAX_SUMMARY)


def _format_head(title: str, summary: str, total: int) -> str:
    """Return what stands before the first section; the last line is that of ``other_formats``."""
    quote = f"> {escape_paragraph(summary)}\n\n" if summary else ""
    pages = counted(total, "page")
    return f"# {_escape_heading(title)}\n\n{quote}{pages}, found by a crawl with sitemapgen.\n"


def _format_lists(results: Results, sections: Sections, shown: set[str]) -> Iterator[str]:
    headings = _section_headings(sections, of_site(results.count_languages()))
    rows = (row for row in results.listed(DescribedRow, sections.rank) if row.url in shown)
    for directory, group in groupby(rows, key=lambda row: sections.of(row.url)):
        yield f"\n## {headings[directory]}\n\n"
        yield from map(_format_item, group)


def _section_headings(sections: Sections, language: str) -> dict[str, str]:
    """Return the heading of each section; readers of the file have them as keys, so all differ."""
    words = words_of(language)
    headings: dict[str, str] = {}
    taken = {"Optional"}  # links that readers may leave out
    root = words.start if len(sections.names) > 1 else words.pages
    for directory, given in sections.names.items():
        name = given or root
        heading = _escape_heading(name)
        if heading in taken:
            heading = _escape_heading(f"{name} (/{directory}/)")
        taken.add(heading)
        headings[directory] = heading
    return headings


def _escape_heading(text: str) -> str:
    """Return a text as the content of a heading, the last ``#`` of which would be no text.

    >>> _escape_heading("C #"), _escape_heading("C#")
    ('C \\\\#', 'C#')
    """
    return _CLOSING.sub(r"\#", escape_inline(text))


def _format_item(row: DescribedRow) -> str:
    link = _format_link(line(row.title, MAX_TITLE) or row.url, row.url)
    description = line(row.description, MAX_DESCRIPTION)
    return f"- {link}: {escape_inline(description)}\n" if description else f"- {link}\n"


def _format_link(text: str, url: str) -> str:
    """Return a link for all readers of the format, some of which end it at the first bracket.

    >>> _format_link("[new] C", "https://example.com/c_(language)")
    '[&#91;new&#93; C](https://example.com/c_%28language%29)'
    """
    shown = escape_inline(text).replace("\\[", "&#91;").replace("\\]", "&#93;")
    return f"[{shown}]({url.replace('(', '%28').replace(')', '%29')})"
