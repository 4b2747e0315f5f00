"""The sections ``invalid_values``, fields of sitemap entries that break the protocol, and dates.

The rules: ``core/sitemap_files/validate.py``. ``scrapy validate`` checks the files as a whole.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from sitemapgen.core.sitemap_files.findings import Rule
from sitemapgen.core.sitemap_files.validate import FIELDS, faults_of_value
from sitemapgen.report.dataset import EXAMPLES

if TYPE_CHECKING:
    from datetime import datetime

    from sitemapgen.core.sitemap_files.validate import Field
    from sitemapgen.store.sitemaps import Sitemaps


DATES = 3
"""Maximum number of dates that are named."""


def invalid_values(sitemaps: Sitemaps, now: datetime) -> list[dict[str, Any]]:
    """Count the entries whose lastmod, changefreq or priority breaks a rule, errors first.

    ``now`` is an aware time, by which dates are in the future.
    """
    counts: Counter[Rule] = Counter()
    sentences: defaultdict[Rule, dict[str, str]] = defaultdict(dict)
    fields: dict[Rule, Field] = {}
    for field in FIELDS:
        for value, entries in sitemaps.values(field):
            for rule, sentence in faults_of_value(field, value, now):
                counts[rule] += entries
                fields[rule] = field
                if len(sentences[rule]) < EXAMPLES:
                    sentences[rule][value] = sentence
    return [
        {
            **{"rule": rule.word, "severity": rule.severity, "wants": rule.wants},
            "count": counts[rule],
            "examples": _examples(sitemaps, fields[rule], sentences[rule]),
        }
        for rule in Rule
        if counts[rule]
    ]


def sitemap_dates(sitemaps: Sitemaps) -> list[dict[str, Any]]:
    """Return the most frequent dates of the site's own sitemaps, with their number of entries."""
    most = nsmallest(DATES, sitemaps.values("lastmod"), key=lambda row: (-row[1], row[0]))
    return [{"lastmod": value, "entries": entries} for value, entries in most if entries > 1]


def _examples(sitemaps: Sitemaps, field: Field, sentences: dict[str, str]) -> list[dict[str, str]]:
    return [
        {"url": url, "file": file, "sentence": sentences[value]}
        for value, url, file in sitemaps.entries_with(field, list(sentences), EXAMPLES)
    ]
