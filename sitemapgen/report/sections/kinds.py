"""The section ``kinds``: what became of the URLs of each form, the largest kinds first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.analysis.kinds.evidence import Evidence
from sitemapgen.analysis.kinds.roles import Roles
from sitemapgen.core.url_forms import leaves_out, pattern_of, template
from sitemapgen.core.words import by_count
from sitemapgen.report.dataset import Dataset
from sitemapgen.verdicts import Verdict

MOST_NAMED = 5
"""Maximum number of kinds in the log."""
MAX_KINDS = 50
"""Maximum number of rows; the kinds with fewer URLs are counted together."""


def count_kinds(dataset: Dataset, missing: Mask, medians: Mapping[str, float]) -> dict[str, Any]:
    """Count the URLs by kind.

    ``missing``: pages that the site's sitemaps lack. ``medians``: seconds to the last byte of the
    slow kinds.
    """
    census = dataset.census
    listed = census.is_listed
    is_view = np.zeros(len(listed), np.bool_)
    is_view[dataset.views] = True
    counted = {
        "fetched": census.is_crawled,
        "listed": listed,
        "in_sitemap": census.in_sitemap,
        "missing": missing,
        "views": is_view,
    }
    urls = np.bincount(dataset.kind, minlength=len(dataset.kinds))
    columns = {
        "urls": urls,
        **{
            name: np.bincount(dataset.kind[mask], minlength=len(urls))
            for name, mask in counted.items()
        },
    }
    order = sorted(range(len(urls)), key=lambda kind: (-urls[kind], dataset.kinds[kind]))
    order = [kind for kind in order if urls[kind]]
    shown, others = order[:MAX_KINDS], order[MAX_KINDS:]
    roles = _roles_by_kind(dataset.store.kinds.roles)
    examples = {kind: _example_url(dataset, kind, listed) for kind in shown}
    useful = [dataset.kinds[kind] for kind in order if columns["listed"][kind]]
    return {
        "count": len(order),
        "rows": [
            {
                "kind": dataset.kinds[kind],
                "example": example,
                "exclude": _exclusion(example, dataset.kinds[kind], useful),
                **{name: int(column[kind]) for name, column in columns.items()},
                "median": medians.get(dataset.kinds[kind]),
                "roles": roles[dataset.kinds[kind]],
                "left_out": _left_out(dataset, (dataset.kind == kind) & ~listed),
            }
            for kind, example in examples.items()
        ],
        "others": {name: int(column[others].sum()) for name, column in columns.items()},
    }


def kinds_in_words(kinds: dict[str, Any]) -> str:
    """Describe the kinds with the most listed pages; empty unless several have more than one.

    >>> rows = [{"kind": "/shop/*", "listed": 120}, {"kind": "/tag/*", "listed": 9}]
    >>> kinds_in_words({"count": 4, "rows": rows})
    'Listed by kind: /shop/* 120, /tag/* 9; the report has all 4 kinds'
    """
    several = [row for row in kinds["rows"] if row["listed"] > 1]
    if len(several) <= 1:
        return ""
    rows = sorted(several, key=lambda row: (-row["listed"], row["kind"]))[:MOST_NAMED]
    named = ", ".join(f"{row['kind']} {row['listed']:,}" for row in rows)
    return f"Listed by kind: {named}; the report has all {kinds['count']:,} kinds"


def largest_kinds(dataset: Dataset, mask: Mask, count: int) -> list[dict[str, Any]]:
    """Count these URLs by kind, most first, at most ``count`` kinds."""
    counts = np.bincount(dataset.kind[mask], minlength=len(dataset.kinds))
    found = {name: int(number) for number, name in zip(counts, dataset.kinds) if number}
    return [{"kind": name, "count": number} for name, number in by_count(found)[:count]]


def _roles_by_kind(roles: Roles) -> defaultdict[str, list[dict[str, Any]]]:
    """Return by kind what the parts of its URLs mean, each with the compared pairs of pages."""
    found: defaultdict[str, dict[tuple[str, str], set[Evidence]]]
    found = defaultdict(lambda: defaultdict(set))
    for url, name, role, evidence in roles.decided():
        found[template(url)][name, role.value].add(evidence)
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for kind, slots in found.items():
        rows[kind] = [
            {
                "part": name,
                "role": role,
                "without_content": sum(each.obey for each in evidence),
                "compared": sum(each.total for each in evidence),
            }
            for (name, role), evidence in sorted(slots.items())
        ]
    return rows


def _exclusion(url: str, kind: str, useful: Iterable[str]) -> str:
    """Return the pattern that leaves out a kind of URLs; empty if other kinds with pages match."""
    pattern = pattern_of(url)
    is_apart = not any(leaves_out(pattern, other) for other in useful if other != kind)
    return pattern if is_apart else ""


def _example_url(dataset: Dataset, kind: int, listed: Mask) -> str:
    """Return a URL of a kind: a listed one, else a fetched one, else any."""
    is_of = dataset.kind == kind
    for mask in (is_of & listed, is_of & dataset.census.is_crawled, is_of):
        (places,) = np.nonzero(mask)
        if len(places):
            break
    return dataset.urls(places[:1])[0]


def _left_out(dataset: Dataset, mask: Mask) -> list[dict[str, Any]]:
    """Count URLs by verdict, most first, each with the evidence of its first URL."""
    rows = dataset.by_verdict(mask)
    for row in rows:
        del row["share"]
        first: Ints = np.flatnonzero(mask & dataset.census.has(Verdict(row["verdict"])))[:1]
        row["evidence"] = dataset.details(first)[0].evidence
    return rows
