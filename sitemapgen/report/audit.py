"""Audit of the site's own sitemaps: the sections of report.json about their quality.

The other fields of report.json: ``summary.py``. The schema: ``docs/reference/report.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemapgen.core.indexed import Unusable
from sitemapgen.report.dataset import take
from sitemapgen.report.sections import distributions, duplicates, links, pages, site_sitemaps, views
from sitemapgen.report.sections.coverage import coverage, indexed
from sitemapgen.report.sections.indexed import match
from sitemapgen.report.sections.kinds import kinds
from sitemapgen.report.sections.speed import speed

if TYPE_CHECKING:
    from pathlib import Path

    from sitemapgen.analysis.graph import Floats, LinkGraph, Measures
    from sitemapgen.core.urls import Site
    from sitemapgen.store import Store


def audit(
    store: Store,
    graph: LinkGraph,
    measures: Measures,
    ranks: Floats,
    *,
    start: str,
    site: Site,
    index_file: Path | None,
    is_whole: bool,
) -> dict[str, Any]:
    """Measure the site's own sitemaps against the results of the crawl.

    An unusable file of indexed URLs is an error of its section only. ``is_whole``: no part of the
    site that may link to others was left out.
    """
    index, error = None, ""
    if index_file:
        try:
            index = match(index_file, site, graph.nodes.keys)
        except Unusable as unusable:
            error = str(unusable)
    dataset = take(store, graph, measures, ranks, start, index)
    lacked, is_lacked = site_sitemaps.missing(dataset)
    times = speed(store.results.transfers())
    medians = {each["kind"]: each["median"] for each in times["kinds"]}
    return {
        "coverage": coverage(dataset),
        "indexed": indexed(dataset, index, index_file.name if index_file else "", error),
        "table_1": site_sitemaps.table_1(dataset.sitemaps),
        "missing": lacked,
        "wasted": site_sitemaps.wasted(dataset),
        "orphans": links.orphans(dataset, is_whole=is_whole),
        "dead_ends": links.dead_ends(dataset),
        "broken_links": links.broken_links(dataset),
        "other_addresses": links.other_addresses(dataset),
        "redirects": links.redirect_chains(dataset),
        "histograms": distributions.histograms(dataset),
        "kinds": kinds(dataset, is_lacked, medians),
        "speed": times,
        "duplicates": duplicates.duplicates(dataset),
        "views": views.views(dataset),
        "rendering": pages.rendering(dataset, start),
        "blank": pages.blank(dataset, start),
        "logins": pages.logins(dataset),
        "shared_canonical": pages.shared_canonical(dataset),
        "hreflang": pages.hreflang(dataset),
        "deep": distributions.deep(dataset),
    }
