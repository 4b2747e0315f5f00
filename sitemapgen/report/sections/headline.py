"""The field ``headline``: how many of the pages that belong in a sitemap are in the site's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemapgen.analysis.coverage import share
from sitemapgen.core.words import agree, counted, percent

if TYPE_CHECKING:
    from collections.abc import Mapping


def headline(coverage: Mapping[str, Any], views: int) -> dict[str, Any]:
    """Return the headline, as a sentence with its numbers, from the section ``coverage``.

    ``views``: number of listed pages in no sitemap of the site that show only what others show.
    """
    listed, no_sitemap = coverage["sets"]["listed"], _no_sitemap(coverage["coverage"])
    whole, part = listed["all"], None if no_sitemap else listed["sitemaps"]
    if not whole:
        sentence = "No indexable page was found."
    elif part is None:
        sentence = _made(no_sitemap, whole)
    else:
        sentence = _measured(part, whole, views)
    return {
        "sentence": sentence,
        "part": part,
        "whole": whole,
        "share": None if part is None else share(part, whole),
    }


def _no_sitemap(figure: Mapping[str, Any]) -> str:
    """Return why there is no sitemap to be measured; empty if there is one."""
    return (figure["why"] or "") if figure["whole"] is None else ""


def _measured(part: int, whole: int, views: int) -> str:
    """Describe the part that the site's own sitemaps list.

    >>> _measured(165, 241, 7)
    '165 of 241 indexable pages (68.5 %) are in your sitemap.'
    >>> _measured(165, 241, 76)
    'All 165 pages with content of their own are in your sitemap, and 76 views of them are not.'
    """
    if whole == 1:
        return f"The only indexable page is {agree(part, 'in', 'not in')} your sitemap."
    if part == whole:
        return f"All {whole:,} indexable pages are in your sitemap."
    if part > 1 and part + views == whole:
        are = f"All {part:,} pages with content of their own are in your sitemap"
        return f"{are}, and {counted(views, 'view')} of them {agree(views, 'is', 'are')} not."
    if not part:
        return f"None of the {whole:,} indexable pages is in your sitemap."
    found = percent(part / whole, " %")
    are = agree(part, "is", "are")
    return f"{part:,} of {whole:,} indexable pages ({found}) {are} in your sitemap."


def _made(no_sitemap: str, whole: int) -> str:
    """Describe a site whose sitemaps cannot be measured.

    >>> _made("the site has no sitemap", 241)
    'The site has no sitemap: the one made by this crawl has 241 indexable pages.'
    """
    pages = counted(whole, "indexable page")
    return f"{no_sitemap[:1].upper()}{no_sitemap[1:]}: the one made by this crawl has {pages}."
