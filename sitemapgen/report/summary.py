"""report.json: counts of URLs by their verdicts and other results, the audit, and their sections.

It describes the site: an unchanged site has an unchanged file, as the time in ``edition`` is that
of the first crawl with these results (``publish/editions.py``). Only ``rendering``, which depends
on the order in which pages were rendered, ``fetched`` and ``due`` are about the crawl. The schema:
``docs/reference/report.md``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from sitemapgen.analysis.freshness.rest import resting_pages
from sitemapgen.analysis.graph import NOWHERE
from sitemapgen.core.rendering.detect import has_views
from sitemapgen.core.sitemap_files.discover import ROBOTS
from sitemapgen.core.urls import key, split
from sitemapgen.core.words import agree, counted
from sitemapgen.items import Revisit
from sitemapgen.report.dataset import Dataset
from sitemapgen.report.metrics import Source
from sitemapgen.report.priorities import list_fixes
from sitemapgen.report.sections import distributions, duplicates, links, pages, site_sitemaps, walls
from sitemapgen.report.sections.coverage import count_indexed, coverage, headline
from sitemapgen.report.sections.due import due
from sitemapgen.report.sections.growth import changes_in_words, count_growth
from sitemapgen.report.sections.indexed import Index
from sitemapgen.report.sections.kinds import count_kinds
from sitemapgen.report.sections.not_looked_at import STOPPING, count_urls
from sitemapgen.report.sections.on_page import PAGE_FAULTS, on_page
from sitemapgen.report.sections.speed import measure_speed
from sitemapgen.report.sections.titles import count_titles
from sitemapgen.store import Store
from sitemapgen.store.kinds.suspects import TrapRow
from sitemapgen.verdicts import Verdict

SCHEMA = 2
SPARED = (Revisit.SKIPPED_UNCHANGED, Revisit.NOT_DUE, Revisit.LEFT_OUT)
"""Treatments of pages that were not requested, as nothing new was expected of them."""


class ReportSection(NamedTuple):
    """A section of the page; its template has its name in ``page/sections/``."""

    title: str
    topic: str
    """The fold that it is in; empty for none."""
    facts: tuple[Source, ...]
    """Values of the report: the section is shown where one of them is not 0 or empty."""


SITEMAP, LINKS, PAGES, CRAWL = "The sitemap", "Links", "Pages", "The crawl"
SECTIONS = {
    "priorities": ReportSection("What to fix first", "", ("start",)),
    "changes": ReportSection(
        "What has changed",
        SITEMAP,
        (lambda report: changes_in_words(report["changes"]) or len(report["trends"]) > 1,),
    ),
    "missing": ReportSection("What the sitemaps lack", SITEMAP, ("missing.crawled.count",)),
    "wasted": ReportSection("What they should not list", SITEMAP, ("wasted.urls",)),
    "lastmod": ReportSection(
        "Dates of last change", SITEMAP, ("lastmod", "lastmod_trust", "hreflang.pages")
    ),
    "sitemaps": ReportSection("Sitemap files", SITEMAP, ("sitemaps", "sources.parts")),
    "indexed": ReportSection("What is indexed", SITEMAP, ("indexed",)),
    "broken_links": ReportSection("Broken links", LINKS, ("broken_links.count",)),
    "redirects": ReportSection("Redirects", LINKS, ("redirects.count",)),
    "orphans": ReportSection("Orphans and dead ends", LINKS, ("orphans.count", "dead_ends.count")),
    "other_addresses": ReportSection(
        "Other addresses of this site", LINKS, ("other_addresses.count",)
    ),
    "external": ReportSection("Links to other sites", LINKS, ("external.links",)),
    "depth": ReportSection("Clicks from the start", LINKS, ("histograms.depth",)),
    "titles": ReportSection(
        "Titles, descriptions and h1",
        PAGES,
        (lambda report: any(each.get("count") for each in report["titles"].values()),),
    ),
    "on_page": ReportSection(
        "Headings, images, links and structured data",
        PAGES,
        ("on_page.structured_data", *(f"on_page.{fault.id}.count" for fault in PAGE_FAULTS)),
    ),
    "speed": ReportSection("Speed and size", PAGES, ("speed.slow.count", "speed.large.count")),
    "kinds": ReportSection("Kinds of pages", PAGES, ("kinds.count",)),
    "duplicates": ReportSection(
        "Duplicates", PAGES, ("duplicates.exact.count", "duplicates.near.count")
    ),
    "rendering": ReportSection(
        "Pages that scripts fill",
        PAGES,
        ("rendering.scripted", "rendering.needed.count", "blank.count"),
    ),
    "not_looked_at": ReportSection("What was not looked at", CRAWL, ("not_looked_at",)),
    "growth": ReportSection("New URLs", CRAWL, ("growth.new.count",)),
    "coverage": ReportSection("Coverage in detail", CRAWL, ("seen",)),
    "urls": ReportSection("All URLs", "", ("seen",)),
}
"""The sections of the page, in their order; most are named after a field of report.json."""
ELSEWHERE = {
    "blank": "rendering",
    "logins": "redirects",
    "wall": "redirects",
    "repeated": "kinds",
    "shared_canonical": "duplicates",
    "offsite_canonicals": "duplicates",
    "shared_parameter": "duplicates",
    "dead_ends": "orphans",
    "distrusted_lastmods": "lastmod",
    "lastmod_trust": "lastmod",
    "hreflang": "lastmod",
    "traps": "kinds",
    "views": "kinds",
    "table_1": "sitemaps",
    "sources": "sitemaps",
}
"""Other fields of report.json -> anchor of the section that shows them."""


def summarise_crawl(
    store: Store,
    start: str,
    sitemap: str,
    remarks: Mapping[str, int],
    distrusted: Mapping[str, Mapping[str, int]],
    audit: Mapping[str, Any],
) -> dict[str, Any]:
    """Return report.json from a concluded store; ``seen`` is the sum of all verdicts.

    ``sitemap``: URL of the published sitemap. ``remarks``: number of listed pages by
    ``verdicts.Reason``. ``distrusted``: number of listed pages with a distrusted date, by source
    and fault. ``audit``: its sections, and ``not_looked_at``. The publisher sets ``refused``, the
    reason why these files do not replace the published ones, and then ``published_complete``; and
    ``edition``, ``changes`` and ``trends``, which the store has kept.
    """
    counts = store.results.count_urls()
    verdicts, unseen, run = counts["verdict"], audit["not_looked_at"], store.last_run()
    stop = next((row for row in unseen if row["cause"] in STOPPING), None)
    stopped_by = stop["cause"] if stop else None
    facts: dict[str, Any] = {
        "unfinished": unfinished_in_words(stop, count_urls(unseen, *STOPPING)) if stop else None,
        "schema": SCHEMA,
        "start": start,
        "edition": None,
        "headline": headline(audit["coverage"], audit["missing"]["pages"]["views"]),
        "changes": None,
        "trends": [],
        "complete": not unseen,
        "stopped_by": stopped_by,
        "published_complete": not stopped_by,
        "refused": None,
        "seen": sum(verdicts.values()),
        "fetched": store.frontier.fetched() + store.previous_run.count_revisits(*SPARED),
        "failing": sum(page.may_pass for page in store.frontier.failed_pages()),
        "repeated": pages.count_repeated(store.frontier.linkless_pages()),
        "crawler_errors": sum(store.results.count_lost()),
        "postponed": store.previous_run.count_revisits(Revisit.OVER_BUDGET),
        "due": due(store),
        "listed": verdicts.get(Verdict.LISTED.value, 0),
        "verdicts": {verdict.value: verdicts.get(verdict.value, 0) for verdict in Verdict},
        "listed_by_depth": counts["depth"],
        "listed_by_lastmod_source": counts["lastmod_source"],
        "distrusted_lastmods": distrusted,
        "pages_with_wrong_dates": store.results.count_wrong_dates(),
        "lastmod_trust": pages.trust_changes(store.history.trust_changes()),
        "remarks": dict(sorted(remarks.items())),
        "priorities": [],
        **audit,
        "titles": count_titles(store.results, verdicts.get(Verdict.LISTED.value, 0)),
        "external": links.external_links(store.external, is_read=bool(run and run.is_read_alike)),
        "lastmod": pages.count_lastmods(counts["lastmod_source"]),
        "on_page": on_page(store.results.on_page()),
        "growth": count_growth(store),
        "robots_txt": robots_txt(store, start, sitemap),
        "traps": [row._asdict() for row in _traps(store)],
        **site_sitemaps.describe_files(store),
        "sources": {"parts": store.sources.parts(), "named_alone": store.sources.named_alone()},
    }
    return {**facts, "priorities": list_fixes(facts)}


def audit_sitemaps(
    dataset: Dataset, index: Index | None, start: str, *, is_whole: bool
) -> dict[str, Any]:
    """Measure the site's own sitemaps against the results of the crawl.

    The faults of links, redirects, and pages that rest are stored. ``index``: the file of indexed
    URLs; None if there is none. ``is_whole``: no part of the site that may link to others was left
    out.
    """
    store, nodes = dataset.store, dataset.graph.nodes
    lacked, is_lacked = site_sitemaps.count_missing(dataset)
    dead_ends, is_dead_end = links.find_dead_ends(dataset)
    hreflang, faults = pages.count_hreflang(dataset)
    redirects, hops, linking = links.redirect_chains(dataset)
    faulty = np.flatnonzero(is_dead_end | (faults > 0) | (hops != NOWHERE))
    columns = (nodes.keys, is_dead_end, faults, hops, linking)
    store.conclusions.set_link_faults(zip(*(column[faulty].tolist() for column in columns)))
    groups, parents = (dataset.kind, dataset.pattern), dataset.measures.parent
    is_gone = np.isin(nodes.keys, store.previous_run.never_found())
    resting, is_turn = resting_pages(
        dataset.census, groups, parents, nodes.is_fetched, is_gone, store.history.run
    )
    store.conclusions.set_resting(sorted(zip(nodes.keys[resting].tolist(), is_turn.tolist())))
    times = measure_speed(store.results.transfers())
    medians = {each["kind"]: each["median"] for each in times["kinds"]}
    return {
        "coverage": coverage(dataset),
        "indexed": count_indexed(dataset, index) if index else None,
        "table_1": site_sitemaps.table_1(dataset.sitemaps),
        "missing": lacked,
        "wasted": site_sitemaps.count_wasted(dataset),
        "orphans": links.find_orphans(dataset, is_whole=is_whole),
        "dead_ends": dead_ends,
        "broken_links": links.broken_links(dataset),
        "other_addresses": links.other_addresses(dataset),
        "redirects": redirects,
        "histograms": distributions.count_distributions(dataset),
        "kinds": count_kinds(dataset, is_lacked, medians),
        "speed": times,
        "duplicates": duplicates.group_duplicates(dataset),
        "views": duplicates.count_views(dataset),
        "rendering": pages.count_rendered(dataset, start),
        "blank": pages.count_blank(dataset, start),
        "logins": pages.count_logins(dataset),
        "wall": walls.describe_wall(dataset, start),
        "shared_canonical": pages.shared_canonical(dataset, start),
        "shared_parameter": pages.shared_parameter(dataset),
        "offsite_canonicals": pages.offsite_canonicals(dataset),
        "hreflang": hreflang,
        "deep": distributions.count_deep(dataset),
    }


def unfinished_in_words(stop: Mapping[str, Any], left: int) -> str:
    """Return why a report is about a part of the site only, and how many URLs are left.

    ``stop``: the row of ``not_looked_at``.

    >>> unfinished_in_words({"cause": "max_pages", "reason": "Stopped by max_pages=9"}, 1)
    'Stopped by max_pages=9: 1 URL was not fetched, and what it links to is not known.'
    """
    unknown = f", and what {agree(left, 'it links', 'they link')} to is not known"
    if stop["cause"] == "interrupted":
        urls = counted(left, "URL is", "URLs are")
        more = f": {urls} still to be fetched{unknown}" if left else ""
        return f"The crawl is not finished{more}. The same command continues it."
    urls = counted(left, "URL was", "URLs were")
    more = f": {urls} not fetched{unknown}" if left else ""
    return f"{stop['reason']}{more}."


def robots_txt(store: Store, start: str, sitemap: str) -> dict[str, Any]:
    """Return whether robots.txt names the sitemap at this URL, in any spelling, and by which line.

    Search engines find a sitemap by that line: sitemaps.org/protocol.html.
    """
    named = {file["url"] for file in store.sitemaps.files() if file["found"] == ROBOTS}
    return {
        "url": f"{split(start).origin}/robots.txt",
        "line": f"Sitemap: {sitemap}",
        "is_there": sitemap in named,
    }


def _traps(store: Store) -> list[TrapRow]:
    """Return the rows of the traps; of links to ``#/part`` those to views.

    A part that pages with a text of their own link to as well opens a form on each of them.
    """
    rows = store.suspects.report()
    routes = {row: _has_views(store, row.pattern) for row in rows if row.kind == "hash_route"}
    forms = {_fragment(row) for row, is_view in routes.items() if is_view is False}
    return [row for row in rows if routes.get(row, True) and _fragment(row) not in forms]


def _fragment(row: TrapRow) -> str:
    return row.examples[0].partition("#")[2] if row.kind == "hash_route" else ""


def _has_views(store: Store, url: str) -> bool | None:
    page = store.rendering.showing(key(url))
    if page is None:
        return None
    needs_browser = page.is_rendered or page.verdict == Verdict.UNRENDERABLE.value
    return has_views(page.text_length, needs_browser=needs_browser)


def write_json(summary: dict[str, Any], file: BinaryIO) -> None:
    """Write a summary as UTF-8 JSON, one value a line."""
    file.write(json.dumps(summary, indent=2, ensure_ascii=False).encode() + b"\n")
