"""report.json: how many URLs were seen, listed and left out for which reason.

It says what is true of the site, nothing about the clock: when nothing changed, neither does the
file. Only ``rendering`` is about the crawl: which pages a browser saw first decides what it learned
from them. The numbers come from the store.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, BinaryIO

from sitemapgen.core.robots import advice
from sitemapgen.core.seeding import ROBOTS
from sitemapgen.core.urls import split
from sitemapgen.items import Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sitemapgen.store import Store

SCHEMA = 1


def summarise(
    store: Store,
    start: str,
    remarks: Mapping[str, int],
    distrusted: Mapping[str, Mapping[str, int]],
) -> dict[str, Any]:
    """Count what the store holds; ``seen`` is the sum of all verdicts.

    ``remarks``: listed pages with something to be said about them. ``distrusted``: listed pages
    with a date that is not believed, by its source and what is wrong with it. ``refused`` is
    for whoever publishes: why these files do not replace the published ones.
    """
    counts = store.counts()
    sitemaps = store.sitemaps()
    verdicts = counts["verdict"]
    over_cap = verdicts.get(Verdict.OVER_CAP.value, 0)
    return {
        "schema": SCHEMA,
        "start": start,
        "complete": not over_cap,
        "stopped_by": "max_pages" if over_cap else None,
        "refused": None,
        "seen": sum(verdicts.values()),
        "fetched": store.fetched(),
        "listed": verdicts.get(Verdict.LISTED.value, 0),
        "verdicts": {verdict.value: verdicts.get(verdict.value, 0) for verdict in Verdict},
        "listed_by_depth": counts["depth"],
        "listed_by_lastmod_source": counts["lastmod_source"],
        "distrusted_lastmods": distrusted,
        "remarks": dict(sorted(remarks.items())),
        "traps": [row._asdict() for row in store.suspects.report()],
        "rendering": store.rendering.report()._asdict(),
        "sitemap_urls_by_format": _urls_by_format(sitemaps),
        "sitemaps": [{**file, "share": _shares(file)} for file in sitemaps],
    }


def robots_txt(store: Store, start: str, sitemap: str) -> dict[str, Any]:
    """Say whether robots.txt names the sitemap at this URL, and by which line it does."""
    named = {file["url"] for file in store.sitemaps() if file["found"] == ROBOTS}
    return {"url": f"{split(start).origin}/robots.txt", **advice(named, sitemap)._asdict()}


def _urls_by_format(sitemaps: list[dict[str, Any]]) -> dict[str, int]:
    """How many URLs the site publishes in each format (the paper's Table 1)."""
    counts: Counter[str] = Counter()
    for file in sitemaps:
        counts[file["format"]] += file["entries"]
    return {name: counts[name] for name in sorted(counts) if counts[name]}


def _shares(file: dict[str, Any]) -> dict[str, float]:
    """The share of a file's entries that say so; empty for one without entries."""
    if not file["entries"]:
        return {}
    names = ("lastmod", "changefreq", "priority")
    return {name: round(file[f"with_{name}"] / file["entries"], 4) for name in names}


def write(summary: dict[str, Any], file: BinaryIO) -> None:
    """Write a summary as UTF-8 JSON, one value a line."""
    file.write(json.dumps(summary, indent=2, ensure_ascii=False).encode() + b"\n")
