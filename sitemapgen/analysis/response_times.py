"""Times and sizes of responses by the template of their URLs, as quantiles in bounded memory.

They change from crawl to crawl, so the report of an unchanged site cannot have them.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

from sitemapgen.core.url_forms import template
from sitemapgen.core.words import by_count

STEP = 1.05
"""Ratio of the limits of a bin: quantiles are exact to 5 %."""
MAX_TEMPLATES = 500
"""Templates that are kept apart; further ones are counted together as ``OTHERS``."""
OTHERS = "other"
SHOWN = 20
"""Maximum number of templates in the result, those with the most responses."""


class Quantiles:
    """Quantiles of positive numbers, from counts of bins that grow by ``STEP``."""

    def __init__(self) -> None:
        self._bins: Counter[int] = Counter()

    def add(self, value: float) -> None:
        self._bins[round(math.log(max(value, 1e-6), STEP))] += 1

    def quantile(self, share: float) -> float:
        """Return the value that this share of the numbers does not exceed; 0 without any."""
        left = math.ceil(share * self._bins.total())
        for bin_ in sorted(self._bins):
            left -= self._bins[bin_]
            if left <= 0:
                return STEP**bin_
        return 0.0


class ResponseTimes:
    """Times and sizes of the responses of one process."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._seconds: defaultdict[str, Quantiles] = defaultdict(Quantiles)
        self._bytes: defaultdict[str, Quantiles] = defaultdict(Quantiles)

    def add_response(self, url: str, seconds: float, size: int) -> None:
        """Add the response for a URL: seconds until it began, bytes of its body as sent."""
        name = template(url)
        if name not in self._counts and len(self._counts) >= MAX_TEMPLATES:
            name = OTHERS
        self._counts[name] += 1
        self._seconds[name].add(seconds)
        self._bytes[name].add(size)

    def rows(self) -> list[dict[str, Any]]:
        """Return the templates with the most responses, each with median and 95th percentile."""
        return [
            {
                "template": name,
                "responses": count,
                "seconds": _rounded_quantiles(self._seconds[name], digits=3),
                "bytes": _rounded_quantiles(self._bytes[name], digits=None),
            }
            for name, count in by_count(self._counts)[:SHOWN]
        ]


def _rounded_quantiles(found: Quantiles, *, digits: int | None) -> dict[str, float]:
    return {
        "median": round(found.quantile(0.5), digits),
        "p95": round(found.quantile(0.95), digits),
    }
