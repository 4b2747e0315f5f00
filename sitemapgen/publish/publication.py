"""Publication of a crawl: conclusions about the whole site, then all files at once.

Files that ``replacing.py`` objects to are written beside the published ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sitemapgen.analysis.kinds.dates import full_dates
from sitemapgen.analysis.ranking import pagerank, round_ranks
from sitemapgen.core.urls import Site
from sitemapgen.items import Judgement
from sitemapgen.publish import conclusions, replacing
from sitemapgen.publish.editions import keep_effort, settle_edition
from sitemapgen.publish.entries import Entries
from sitemapgen.publish.existing import Published
from sitemapgen.publish.file_names import ENTRY, public_directory
from sitemapgen.publish.files import Staging
from sitemapgen.publish.options import Options
from sitemapgen.publish.sitemaps import Written
from sitemapgen.publish.views import mark_views
from sitemapgen.report.dataset import read_dataset
from sitemapgen.report.html import REPORT_FILES, write_report
from sitemapgen.report.sections.indexed import match_urls
from sitemapgen.report.sections.not_looked_at import not_looked_at
from sitemapgen.report.sections.walls import wall_in_words
from sitemapgen.report.summary import audit_sitemaps, summarise_crawl
from sitemapgen.store import Store
from sitemapgen.store.options import RunOptions
from sitemapgen.verdicts import Reason

STEPS = ("verdicts", "link graph", "duplicates", "audit", "dates", "sitemap", "report")
"""The steps of a publication in their order, as shown to the user."""


class ConclusionRules(NamedTuple):
    """The rules by which the store of a crawl is concluded."""

    start: str
    site: Site
    options: RunOptions
    extensions: frozenset[str] = frozenset()
    """Kinds of extensions of the entries: ``core/document/extensions.py``."""
    index_file: Path | None = None
    """A file of URLs that a search engine indexed, for the report."""
    logo: str = ""
    """An image for the report, as a ``data:`` URL."""
    left: Judgement | None = None
    """The verdict of URLs that still wait to be fetched; None if there are none."""
    crawled: float = 0.0
    """The time of the crawl for the report, in seconds since 1970 UTC."""


class Hooks(NamedTuple):
    """What the caller does in the course of a publication."""

    on_step: Callable[[str], None] = lambda _: None
    """Called with each of the STEPS before it begins."""
    prepare: Callable[[list[str]], None] = lambda _: None
    """Called with the paths of all files before the first is replaced; may raise CrawlError or
    OSError."""


NO_HOOKS = Hooks()


def conclude_crawl(store: Store, rules: ConclusionRules, hooks: Hooks = NO_HOOKS) -> dict[str, Any]:
    """Write the conclusions about the whole site into a store; return report.json."""
    hooks.on_step("verdicts")
    left = rules.left
    conclusions.leave_out_login_forms(store)
    if store.frontier.limits.stops_at_traps:
        kept = full_dates(store.kinds.endless_dates(), store.kinds.signature)
        store.suspects.mark_traps(kept)
        store.crowds.leave_out_made_up()
    files_left_out = conclusions.leave_out_files(store.file_hints)
    if left:
        store.frontier.close_urls(left)
    interrupted = left if left and left.reason is Reason.INTERRUPTED else None
    unseen = not_looked_at(store, interrupted, files_left_out, rules.options.overriding)
    store.conclusions.reset_site_verdicts()
    if store.frontier.limits.stops_at_traps:
        store.kinds.set_variants(store.kinds.read_variants().items())
        conclusions.leave_out_calendars(store)
    remarks = conclusions.Remarks(store)
    conclusions.mark_postponed(store, remarks)
    conclusions.mark_failing(store, remarks)
    sections = _follow_links(store, remarks, rules, hooks.on_step, is_whole=not unseen)
    hooks.on_step("dates")
    distrusted = conclusions.decide_lastmods(store)
    return summarise_crawl(
        store,
        rules.start,
        public_directory(rules.options.base_url, rules.start) + ENTRY,
        remarks.counts,
        distrusted,
        {
            "not_looked_at": unseen,
            **sections,
            "files": files_left_out,
            "extensions": Entries(store, rules.extensions).summary(),
        },
    )


def publish_crawl(
    store: Store,
    directory: Path,
    options: Options,
    rules: ConclusionRules,
    safety: replacing.Safety,
    now: datetime,
    hooks: Hooks = NO_HOOKS,
) -> replacing.Publication:
    """Conclude a crawl that has no more requests, and replace the published files.

    If too much would be lost, they stay, and the new ones are written beside them, unless
    ``safety.force`` is set. Raises CrawlError, with the published files unchanged, if nothing may
    be listed or the directory cannot take the files.
    """
    facts = conclude_crawl(store, rules, hooks)

    def complete(table: str) -> None:
        settle_edition(store, facts, table, rules.crawled)
        keep_effort(facts, directory / "report.json")

    def write(staging: Staging, before: Published, refused: str) -> Written:
        written = replacing.write_sitemap(store, rules.start, staging, options, before, now)
        facts["refused"] = refused or None
        hooks.on_step("report")
        write_report(facts, store, staging.open, complete, rules.logo)
        names = (*written.names, *REPORT_FILES)
        hooks.prepare([str(staging.directory.absolute() / name) for name in names])
        return replace(written, names=names)

    hooks.on_step("sitemap")
    cut_short = bool(facts["stopped_by"]) and not facts["postponed"]  # what is known stays
    wall = facts["wall"]
    doubt = wall_in_words(wall) if wall and wall["is_proved"] else ""
    safety = safety._replace(cut_short=cut_short, listed=facts["listed"], doubt=doubt)
    measure = partial(replacing.measure_loss, store)
    publication = replacing.replace_published(
        directory, safety, now, measure, write, options.layout
    )
    return publication._replace(summary=facts)


def _follow_links(
    store: Store,
    remarks: conclusions.Remarks,
    rules: ConclusionRules,
    on_step: Callable[[str], None],
    *,
    is_whole: bool,
) -> dict[str, Any]:
    """Conclude what needs the link graph, which takes 100 bytes a page and 4 a link meanwhile."""
    on_step("link graph")
    graph = store.graph()
    measures = graph.measure(rules.options.max_depth)
    ranks = pagerank(graph)
    store.conclusions.write_measures(measures, graph, round_ranks(ranks))
    is_original = conclusions.leave_out_canonicalised(store, graph, measures, remarks)
    site = conclusions.Linked(store, graph, measures, remarks, is_original)
    on_step("duplicates")
    conclusions.choose_duplicates(site, rules.options)
    mark_views(site, leave_out=rules.options.views == "exclude")
    conclusions.repeat_remarks(store, remarks)
    on_step("audit")
    file = rules.index_file
    index = match_urls(file, rules.site, graph.nodes.keys) if file else None
    dataset = read_dataset(store, graph, measures, ranks, rules.start, index)
    return audit_sitemaps(dataset, index, rules.start, is_whole=is_whole)
