"""The sections about the site's own sitemaps: what they list, lack and have wrong.

The rules of values: ``core/sitemap_files/validate.py``. ``scrapy validate`` checks whole files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import datetime, timezone
from heapq import nsmallest
from typing import Any

from sitemapgen.analysis.coverage import MISSING_TYPES, WASTED, missing_types, share
from sitemapgen.analysis.graph import Mask
from sitemapgen.core.sitemap_files.findings import Rule
from sitemapgen.core.sitemap_files.validate import FIELDS, Field, faults_of_value
from sitemapgen.core.urls import owner_in_words
from sitemapgen.core.words import by_count
from sitemapgen.report.dataset import EXAMPLES, Dataset, count_part, count_share, number_of
from sitemapgen.report.sections.kinds import largest_kinds
from sitemapgen.store import Store
from sitemapgen.store.sitemaps import Sitemaps
from sitemapgen.verdicts import Stage, Verdict, verdicts_where

NOT_JUDGED = verdicts_where(lambda row: row.waste is None and row.stage is not Stage.LISTED)
CONTENT, VIEW = map(MISSING_TYPES.index, ("missing_content", "view"))
UNREADABLE = "unknown"
"""The paper's name for the format of malformed files."""
DATES = 3
"""Maximum number of dates that are named."""


def table_1(sitemaps: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the paper's Table 1, URLs by format; and section 3.1, entries by optional field."""
    files, urls = Counter[str](), Counter[str]()
    for file in sitemaps:
        name = file["format"] or UNREADABLE
        files[name] += 1
        urls[name] += file["entries"]
    total = urls.total()
    formats = [
        {"format": name, "files": files[name], "urls": count, "share": share(count, total)}
        for name, count in by_count(urls)
    ]
    with_field = {name: sum(file[f"with_{name}"] for file in sitemaps) for name in FIELDS}
    return {
        "files": len(sitemaps),
        "failed": files[UNREADABLE],
        "urls": total,
        "formats": formats,
        **{name: count_part(count, total) for name, count in with_field.items()},
    }


def count_missing(dataset: Dataset) -> tuple[dict[str, Any], Mask]:
    """Return the paper's Table 2, crawled URLs in no sitemap by reason; and the pages that belong
    in one.
    """
    census = dataset.census
    types = missing_types(census, dataset.differs_in_query)
    views = dataset.views
    types[views[types[views] == CONTENT]] = VIEW
    is_missing = types >= 0
    fields = ("url", "verdict", "evidence")
    lines = []
    for place, name in enumerate(MISSING_TYPES):
        mask = types == place
        lines.append({"type": name, **dataset.part(mask, is_missing, *fields)})
    views = (types == VIEW) & census.is_listed
    pages = types == CONTENT
    table = {
        "crawled": count_share(is_missing, census.is_crawled),
        "types": lines,
        "verdicts": dataset.by_verdict(is_missing),
        "pages": {
            **dataset.part(pages, census.is_listed, "url", "in_degree", "depth"),
            "kinds": largest_kinds(dataset, pages, EXAMPLES),
            "views": number_of(views),
        },
    }
    return table, pages


def count_wasted(dataset: Dataset) -> dict[str, Any]:
    """Return the URLs that the site's sitemaps list and should not."""
    census, store = dataset.census, dataset.store
    urls = number_of(census.in_sitemap)
    verdicts = dataset.by_verdict(census.in_sitemap, WASTED, urls)
    for row in verdicts:
        mask = census.in_sitemap & census.has(Verdict(row["verdict"]))
        row["examples"] = dataset.examples(mask, "url", "evidence")
    count = sum(row["count"] for row in verdicts)
    repeated = store.sitemaps.repeated_entries(EXAMPLES)
    offsite = sorted({url for file in dataset.sitemaps for url in file["offsite_examples"]})
    return {
        "urls": urls,
        **count_part(count, urls),
        "verdicts": verdicts,
        "not_judged": dataset.by_verdict(census.in_sitemap, NOT_JUDGED, urls),
        "repeated": {
            **count_part(repeated.urls, urls),
            "entries": repeated.entries,
            "examples": [{"url": url, "times": times} for url, times in repeated.examples],
        },
        "offsite": {
            "entries": sum(file["offsite"] for file in dataset.sitemaps),
            "of": owner_in_words(offsite, dataset.origin),
            "examples": offsite[:EXAMPLES],
        },
        "malformed": sum(file["malformed"] for file in dataset.sitemaps),
        "outside_location": sum(file["outside_location"] for file in dataset.sitemaps),
    }


def describe_files(store: Store) -> dict[str, Any]:
    """Return the fields of report.json about the site's sitemap files and their values."""
    files = store.sitemaps.files()
    started = datetime.fromtimestamp(store.history.start_times()[-1], timezone.utc)
    entries: Counter[str] = Counter()
    for file in files:
        entries[file["format"]] += file["entries"]
    return {
        "sitemap_dates": sitemap_dates(store.sitemaps),
        "invalid_values": invalid_values(store.sitemaps, started),
        "sitemap_urls_by_format": {name: entries[name] for name in sorted(+entries)},
        "sitemaps": [
            {
                **file,
                "share": {name: share(file[f"with_{name}"], file["entries"]) for name in FIELDS}
                if file["entries"]
                else {},
            }
            for file in files
        ],
    }


def invalid_values(sitemaps: Sitemaps, now: datetime) -> list[dict[str, Any]]:
    """Count the entries whose lastmod, changefreq or priority breaks a rule, errors first.

    ``now`` is an aware time, by which dates are in the future.
    """
    counts: Counter[Rule] = Counter()
    sentences: defaultdict[Rule, dict[str, str]] = defaultdict(dict)
    fields: dict[Rule, Field] = {}
    for field in FIELDS:
        for value, entries in sitemaps.field_values(field):
            for rule, sentence in faults_of_value(field, value, now):
                counts[rule] += entries
                fields[rule] = field
                if len(sentences[rule]) < EXAMPLES:
                    sentences[rule][value] = sentence
    return [
        {
            **{"rule": rule.word, "severity": rule.severity, "wants": rule.wants},
            "count": counts[rule],
            "examples": [
                {"url": url, "file": file, "sentence": sentences[rule][value]}
                for value, url, file in sitemaps.entries_with(
                    fields[rule], list(sentences[rule]), EXAMPLES
                )
            ],
        }
        for rule in Rule
        if counts[rule]
    ]


def sitemap_dates(sitemaps: Sitemaps) -> list[dict[str, Any]]:
    """Return the most frequent dates of the site's own sitemaps, with their number of entries."""
    most = nsmallest(DATES, sitemaps.field_values("lastmod"), key=lambda row: (-row[1], row[0]))
    return [{"lastmod": value, "entries": entries} for value, entries in most if entries > 1]
