"""sitemap.html, the sitemap for visitors: by section, with titles, in natural order.

Links beyond the first ``LINKS`` are in sitemap-2.html and so on, so that browsers show each page at
once. No scripts; sections: ``sections.py``; template and style: ``page/``; words:
``html_words.py``.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from importlib import resources
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core.document.languages import (
    RIGHT_TO_LEFT,
    canonical_language,
    of_site,
    primary_language,
)
from sitemapgen.core.document.texts import line
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.files import Staging
from sitemapgen.publish.html_words import words_of
from sitemapgen.publish.sections import MAX_TITLE, Sections
from sitemapgen.report.templates import make_environment, source_hash
from sitemapgen.store.results import Results, TitledRow

if TYPE_CHECKING:
    from jinja2 import Environment, Template

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
    render = _page_renderer(template)
    anchors = {name: f"section-{number}" for number, name in enumerate(sections.order, 1)}
    rows = results.listed(TitledRow, sections.rank)  # in natural order, pages in no section first
    entries = ((sections.of(row.url), _page_entry(row, language)) for row in rows)
    begun = ""
    for name in names:
        shown: list[Section] = []
        for section, group in groupby(islice(entries, LINKS), key=lambda entry: entry[0]):
            is_continued = not shown and begun == section and name != names[0]
            some = [entry for _, entry in group]
            shown.append(Section(sections.names[section], anchors[section], is_continued, some))
            begun = section
        text = render({**common, "sections": shown, "own": name})
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


SETTING = "SITEMAPGEN_HTML_TEMPLATE"
OURS = "sitemap.html.jinja"
GROUP = "\N{NARROW NO-BREAK SPACE}"
"""Separates groups of three digits in all languages (ISO 80000-1 section 7.3)."""


def read_asset(name: str) -> str:
    """Return the text of a file in ``page/``."""
    return (resources.files("sitemapgen.publish") / "page" / name).read_text("utf-8")


def check_template(path: Path | None) -> None:
    """Raise CrawlError if the user's template is missing, unreadable or no Jinja template."""
    if path is not None:
        _load_template(path)


def format_number(value: int) -> str:
    """Return a number in groups of three digits: the filter ``number`` of templates.

    >>> format_number(1234567).split(GROUP)
    ['1', '234', '567']
    """
    return f"{value:,}".replace(",", GROUP)


def _page_renderer(path: Path | None) -> Callable[[Mapping[str, Any]], str]:
    """Return the function variables -> page; ``path``: the user's template, None for ours.

    Both raise CrawlError if the user's template fails, the function with its line.
    """
    if path is None:
        return _make_environment().from_string(read_asset(OURS)).render
    whole, template = path.resolve(), _load_template(path)

    def render(variables: Mapping[str, Any]) -> str:
        try:
            return template.render(variables)
        except Exception as error:  # whatever a template calls
            raise _template_error(whole, _error_location(error, whole.parent), error) from error

    return render


def _load_template(path: Path) -> Template:
    from jinja2 import FileSystemLoader, TemplateSyntaxError  # noqa: PLC0415

    try:
        path.read_bytes().decode()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise CrawlError(Exit.ARGUMENTS, f"{SETTING}: {path}: cannot be read: {why}") from error
    except UnicodeDecodeError as error:
        raise CrawlError(Exit.ARGUMENTS, f"{SETTING}: {path}: is not UTF-8; save it so") from error
    environment = _make_environment()
    environment.loader = FileSystemLoader(path.resolve().parent)
    try:
        return environment.get_template(path.resolve().name)
    except TemplateSyntaxError as error:
        raise _template_error(path, f"{path}, line {error.lineno}", error) from error


def _make_environment() -> Environment:
    environment = make_environment()
    environment.filters["number"] = format_number
    return environment


def _error_location(error: Exception, directory: Path) -> str:
    """Return the file and the line of the innermost template that was being rendered."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [frame for frame in frames if frame.filename.startswith(str(directory))]
    if lineno := getattr(error, "lineno", None):  # the syntax of an included template
        return f"{getattr(error, 'filename', None) or directory}, line {lineno}"
    return f"{places[-1].filename}, line {places[-1].lineno}" if places else str(directory)


def _template_error(path: Path, place: str, error: Exception) -> CrawlError:
    words = " ".join(str(error).split()) or type(error).__name__
    remedy = f"correct it, or leave {SETTING} empty"
    return CrawlError(Exit.ARGUMENTS, f"{SETTING}: {place}: {words}; {remedy}")
