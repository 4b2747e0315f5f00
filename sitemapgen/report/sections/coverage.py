"""The sections ``coverage``, with the paper's states and metrics, and ``indexed``, a source."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from sitemapgen.analysis.coverage import Figure, Sets, by_section, measure, share
from sitemapgen.core.words import agree, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.report.dataset import Dataset
    from sitemapgen.report.sections.indexed import Index

MAX_SECTIONS = 100
"""Maximum sections of the site with figures of their own, those with most URLs."""
STATES = ("seen", "crawled", "unique", "listed", "indexed", "results", "clicked")


def coverage(dataset: Dataset) -> dict[str, Any]:
    """Return the paper's formulas 1 to 5 and the efficiency, with their sets."""
    found = measure(dataset.census, dataset.cluster, dataset.no_sitemap)
    has_file = dataset.census.is_indexed is not None
    metrics = {name: _plain(value) for name, value in asdict(found).items()}
    return {
        "sets": {state: metrics.pop(state) for state in STATES},
        "indexed_from": "file" if has_file else "eligible",
        **metrics,
        "sections": _sections(dataset),
    }


def _sections(dataset: Dataset) -> dict[str, Any]:
    found = by_section(dataset.census, dataset.cluster, dataset.section, dataset.no_sitemap)
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


def _plain(value: Any) -> Any:
    """Turn named tuples into JSON objects."""
    if isinstance(value, (Sets, Figure)):
        return value._asdict()
    return (
        {name: _plain(each) for name, each in value.items()} if isinstance(value, dict) else value
    )


def indexed(dataset: Dataset, index: Index | None, name: str, error: str) -> dict[str, Any] | None:
    """Return the counts of the file of indexed URLs; None without one."""
    if index is None:
        if not error:
            return None
        empty: dict[str, Any] = {"count": 0, "share": None, "examples": []}
        facts: dict[str, Any] = dict.fromkeys(("rows", "urls", "foreign", "malformed"), 0)
        more: dict[str, Any] = {"foreign_examples": [], "not_seen": empty, "verdicts": {}}
        return {"file": name, "error": error, **facts, **more}
    return {
        "file": index.file,
        "error": None,
        "rows": index.rows,
        "urls": index.urls,
        "foreign": index.foreign,
        "malformed": index.malformed,
        "foreign_examples": index.foreign_examples,
        "not_seen": {
            "count": index.not_seen.indexed,
            "share": share(index.not_seen.indexed, index.urls),
            "examples": index.not_seen_examples,
        },
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
