"""The section ``speed``: times to the last byte by kind of page, and slow and large pages.

Only what one crawl would find as another does: kinds by their median, single pages from ``SLOW``.
Times below ``NOTICED`` are not known. Kinds: ``core.url_forms.template``.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from heapq import nlargest
from typing import Any

from sitemapgen.core.url_forms import template
from sitemapgen.report.dataset import EXAMPLES, count_part
from sitemapgen.store.results import LARGE, NOTICED, SLOW, Transfer

MANY = 5
"""Minimum number of pages of a kind that is judged."""


def measure_speed(transfers: Iterable[Transfer]) -> dict[str, Any]:
    """Return the kinds by their median time, the slowest first, and the slow and large pages."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    slow, large, pages = [], [], 0
    for row in transfers:
        pages += 1
        times[template(row.url)].append(row.seconds)
        if row.seconds >= SLOW:
            slow.append(row)
        if row.size >= LARGE:
            large.append(row)
    kinds = [_kind_row(name, sorted(seconds)) for name, seconds in times.items()]
    kinds = [kind for kind in kinds if kind["pages"] >= MANY and kind["median"]]
    kinds.sort(key=lambda kind: (-kind["median"], -kind["p95"], -kind["slowest"], kind["kind"]))
    return {
        "limits": {"seconds": NOTICED, "slow": SLOW, "bytes": LARGE},
        "pages": pages,
        "kinds": kinds,
        "slow_kinds": {"count": len(kinds), "pages": sum(kind["pages"] for kind in kinds)},
        "slow": _count_pages(slow, pages, "seconds"),
        "large": _count_pages(large, pages, "size"),
    }


def _kind_row(name: str, seconds: list[float]) -> dict[str, Any]:
    return {
        "kind": name,
        "pages": len(seconds),
        "median": _quantile(seconds, 0.5),
        "p95": _quantile(seconds, 0.95),
        "slowest": seconds[-1],
    }


def _quantile(ascending: list[float], part: float) -> float | None:
    """Return the value that this part of the numbers does not exceed; None below ``NOTICED``.

    >>> _quantile([0.0, 1.2, 3.0], 0.5), _quantile([0.0, 1.2, 3.0], 0.95), _quantile([0.0], 0.5)
    (1.2, 3.0, None)
    """
    return ascending[math.ceil(part * len(ascending)) - 1] or None


def _count_pages(rows: list[Transfer], pages: int, field: str) -> dict[str, Any]:
    """Count pages; those with the largest values are examples."""
    first = nlargest(EXAMPLES, rows, key=lambda row: getattr(row, field))
    examples = [
        {
            "url": row.url,
            "seconds": row.seconds if row.seconds >= SLOW else None,
            "bytes": row.size,
        }
        for row in first
    ]
    return count_part(len(rows), pages, examples=examples)
