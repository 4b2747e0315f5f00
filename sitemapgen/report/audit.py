"""Audit of the sitemap that the site has: the sections of report.json on its quality.

What is counted in any case: ``summary.py``. The schema: ``docs/reference/report.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemapgen.core.indexed import Unusable
from sitemapgen.report.dataset import take
from sitemapgen.report.sections import distributions, links
from sitemapgen.report.sections import duplicates as copies
from sitemapgen.report.sections import pages as sayings
from sitemapgen.report.sections import site_sitemaps as listings
from sitemapgen.report.sections.coverage import coverage, indexed
from sitemapgen.report.sections.indexed import match

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
    """Measure the site's own sitemaps against what the crawl has found.

    A file of indexed URLs that cannot be used is an error of its section, and of nothing else.
    ``is_whole``: no part of the site was left out that may link to others.
    """
    index, error = None, ""
    if index_file:
        try:
            index = match(index_file, site, graph.nodes.keys)
        except Unusable as unusable:
            error = str(unusable)
    survey = take(store, graph, measures, ranks, start, index)
    tree = distributions.directories(survey)
    return {
        "coverage": coverage(survey),
        "indexed": indexed(survey, index, index_file.name if index_file else "", error),
        "table_1": listings.table_1(survey.sitemaps),
        "missing": listings.missing(survey, tree),
        "wasted": listings.wasted(survey),
        "orphans": links.orphans(survey, is_whole=is_whole),
        "dead_ends": links.dead_ends(survey),
        "broken_links": links.broken_links(survey),
        "redirects": links.redirect_chains(survey),
        "histograms": distributions.histograms(survey),
        "tree": distributions.plain(tree.root),
        "tree_elsewhere": tree.elsewhere,
        "duplicates": copies.duplicates(survey),
        "rendering": sayings.rendering(survey, start),
        "blank": sayings.blank(survey, start),
        "hreflang": sayings.hreflang(survey),
    }
