"""The sections ``coverage``, with the paper's states and metrics, ``headline`` and ``indexed``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

from sitemapgen.analysis.coverage import Figure, Sets, measure_coverage, measure_sections, share
from sitemapgen.core.words import agree, counted, percent
from sitemapgen.report.dataset import Dataset, count_part
from sitemapgen.report.sections.indexed import Index

MAX_SECTIONS = 100
"""Maximum sections of the site with figures of their own, those with most URLs."""
STATES = ("seen", "crawled", "unique", "listed", "indexed", "results", "clicked")


def coverage(dataset: Dataset) -> dict[str, Any]:
    """Return the paper's formulas 1 to 5 and the efficiency, with their sets."""
    found = measure_coverage(dataset.census, dataset.cluster, dataset.no_sitemap)
    has_file = dataset.census.is_indexed is not None
    metrics = {name: _to_json(value) for name, value in asdict(found).items()}
    return {
        "sets": {state: metrics.pop(state) for state in STATES},
        "indexed_from": "file" if has_file else "eligible",
        **metrics,
        "sections": _section_rows(dataset),
    }


def _section_rows(dataset: Dataset) -> dict[str, Any]:
    found = measure_sections(dataset.census, dataset.cluster, dataset.section, dataset.no_sitemap)
    rows = [
        {
            "section": f"/{name}/" if (name := dataset.sections[number]) else "/",
            "seen": own.seen.all,
            "coverage": own.coverage._asdict(),
            "unique_coverage": own.unique_coverage._asdict(),
            "pagerank_coverage": own.pagerank_coverage._asdict(),
            "signal_to_noise": own.signal_to_noise["all"]._asdict(),
        }
        for number, own in islice(found, MAX_SECTIONS)
    ]
    return {"count": len({*dataset.section.tolist()}), "rows": rows}


def _to_json(value: Any) -> Any:
    if isinstance(value, (Sets, Figure)):
        return value._asdict()
    return (
        {name: _to_json(each) for name, each in value.items()} if isinstance(value, dict) else value
    )


def count_indexed(dataset: Dataset, index: Index) -> dict[str, Any]:
    """Return the counts of the file of indexed URLs."""
    return {
        "file": index.file,
        "error": index.error or None,
        "rows": index.rows,
        "urls": index.urls,
        "foreign": index.foreign,
        "malformed": index.malformed,
        "foreign_examples": index.foreign_examples,
        "not_seen": count_part(
            index.not_seen.indexed, index.urls, examples=index.not_seen_examples
        ),
        "verdicts": {row["verdict"]: row["count"] for row in dataset.by_verdict(index.is_indexed)},
    }


def doubts(section: dict[str, Any] | None) -> Iterator[str]:
    """Yield warnings about the section ``indexed``, as clauses."""
    if section is None:
        return
    if section["error"]:
        yield section["error"]
    if section["foreign"]:
        yield (
            f"{section['foreign']:,} of {counted(section['rows'], 'row')} "
            f"{agree(section['foreign'], 'is a URL of another site', 'are URLs of other sites')}, "
            "such as "
            f"{section['foreign_examples'][0]}"
        )
    if section["malformed"]:
        yield f"{counted(section['malformed'], 'row has', 'rows have')} no http or https URL"


def headline(coverage: Mapping[str, Any], views: int) -> dict[str, Any]:
    """Return the headline, as a sentence with its numbers, from the section ``coverage``.

    ``views``: number of listed pages in no sitemap of the site that show only what others show.
    """
    listed, figure = coverage["sets"]["listed"], coverage["coverage"]
    no_sitemap = (figure["why"] or "") if figure["whole"] is None else ""
    whole, part = listed["all"], None if no_sitemap else listed["sitemaps"]
    if not whole:
        sentence = "No indexable page was found."
    elif part is None:
        sentence = _describe_unmeasured(no_sitemap, whole)
    else:
        sentence = _describe_measured(part, whole, views)
    return {
        "sentence": sentence,
        "part": part,
        "whole": whole,
        "share": None if part is None else share(part, whole),
    }


def _describe_measured(part: int, whole: int, views: int) -> str:
    """Describe the part that the site's own sitemaps list.

    >>> _describe_measured(165, 241, 7)
    '165 of 241 indexable pages (68.5 %) are in your sitemap.'
    >>> _describe_measured(165, 241, 76)
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


def _describe_unmeasured(no_sitemap: str, whole: int) -> str:
    """Describe a site whose sitemaps cannot be measured.

    >>> _describe_unmeasured("the site has no sitemap", 241)
    'The site has no sitemap: the one made by this crawl has 241 indexable pages.'
    """
    pages = counted(whole, "indexable page")
    return f"{no_sitemap[:1].upper()}{no_sitemap[1:]}: the one made by this crawl has {pages}."
