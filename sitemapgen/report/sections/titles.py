"""The section ``titles``: titles, descriptions and headings: missing, repeated or too long."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest
from typing import Any, get_args

from sitemapgen.core.title_width import MAX_PIXELS, pixels
from sitemapgen.report.dataset import EXAMPLES, count_part
from sitemapgen.store.results import Field, RepeatedText, Results

LIMITS: dict[Field, int] = {"title": MAX_PIXELS, "description": 160}
"""Most pixels of a title in Google's results, approximated; most characters of a description, by
the SEO reports of Bing Webmaster Tools. Google cuts both at the width of the device (Google Search
Central, "Influencing title links", "Control your snippets").
"""
MEMBERS = 5
"""Maximum number of pages that are named of those with one title."""


def count_titles(results: Results, listed: int) -> dict[str, Any]:
    """Count the listed pages, ``listed`` in all, by the faults of these texts."""
    facts: dict[str, Any] = {"limits": dict(LIMITS)}
    for field in get_args(Field):
        missing = results.count_without(field, EXAMPLES)
        facts[f"missing_{field}s"] = count_part(missing.pages, listed, examples=missing.examples)
        facts[f"repeated_{field}s"] = _count_repeated(results, field, listed)
    for field, limit in LIMITS.items():
        count, examples = (
            _find_long(results, limit)
            if field == "title"
            else results.long_descriptions(limit, EXAMPLES)
        )
        longest = [{"url": url, "length": length} for url, length in examples]
        facts[f"long_{field}s"] = count_part(count, listed, examples=longest)
    return facts


def _find_long(results: Results, limit: int) -> tuple[int, list[tuple[str, int]]]:
    """Return (number of titles wider than the limit, the widest as (URL, pixels))."""
    widths = ((url, pixels(title, length)) for url, title, length in results.whole_titles())
    long = [(url, width) for url, width in widths if width > limit]
    return len(long), nsmallest(EXAMPLES, long, key=lambda row: (-row[1], row[0]))


def _count_repeated(results: Results, field: Field, listed: int) -> dict[str, Any]:
    """Count the pages with a text of several pages; the most frequent ones are examples."""
    groups = pages = 0

    def counted_rows() -> Iterator[RepeatedText]:
        nonlocal groups, pages
        for row in results.repeated_texts(field):
            groups, pages = groups + 1, pages + row.pages
            yield row

    largest = nsmallest(EXAMPLES, counted_rows(), key=lambda row: (-row.pages, row.value))
    members = _member_urls(results, field, largest)
    return {
        "groups": groups,
        **count_part(pages, listed),
        "examples": [
            {
                "text": row.value if isinstance(row.value, str) else None,
                "count": row.pages,
                "members": members[row.value],
            }
            for row in largest
        ],
    }


def _member_urls(
    results: Results, field: Field, rows: list[RepeatedText]
) -> dict[str | int, list[str]]:
    members: dict[str | int, list[str]] = {row.value: [] for row in rows}
    if rows:
        for value, url in results.pages_with(field, list(members)):
            if len(members[value]) < MEMBERS:
                members[value].append(url)
    return members
