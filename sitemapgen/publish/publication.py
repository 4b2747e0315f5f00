"""Publication of a crawl: conclusions about the whole site, then all files at once.

Files that ``safety.py`` objects to are written beside the published ones.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.analysis.ranking import pagerank, rounded
from sitemapgen.core.urls import split
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Judgement
from sitemapgen.publish import conclusions
from sitemapgen.publish import other_formats as companions
from sitemapgen.publish.entries import Entries
from sitemapgen.publish.existing import read_published
from sitemapgen.publish.file_names import ENTRY, is_bridging, is_ours
from sitemapgen.publish.files import Staging, complete
from sitemapgen.publish.options import Options
from sitemapgen.publish.safety import (
    Loss,
    measure_loss,
    objection,
    unread_in_words,
    was_complete,
)
from sitemapgen.publish.sitemaps import NEWS, NothingListed, Written, write
from sitemapgen.publish.switching import TEMPORARY, grace
from sitemapgen.report import files, summary
from sitemapgen.report.audit import audit
from sitemapgen.report.sections.not_looked_at import not_looked_at
from sitemapgen.report.sections.pages import MANY_BLANK, blank_in_words
from sitemapgen.report.words import agree, clauses, counted
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from datetime import datetime
    from pathlib import Path

    from sitemapgen.core.urls import Site
    from sitemapgen.params import Params
    from sitemapgen.publish.existing import Published
    from sitemapgen.store import Store
    from sitemapgen.store.options import RunOptions
    from sitemapgen.store.results import Lost

    Tell = Callable[[str], None]

BESIDE = "refused"
"""Subdirectory of the published files for those that may not replace them."""


STEPS = ("verdicts", "link graph", "duplicates", "audit", "dates", "sitemap", "report")
"""The steps of a publication in their order, as shown to the user."""

MOST_NAMED = 20
"""Maximum number of parts of a sitemap that are named one by one."""


class Publication(NamedTuple):
    """The written files, and the result of the safety check."""

    summary: dict[str, Any]
    """The fields of report.json; after ``republish.py`` only ``listed`` and ``refused``."""
    directory: Path
    """Directory of the files: that of the published ones, or ``refused`` in it."""
    loss: Loss
    """URLs that were published before and are no longer listed."""
    objection: str
    """Reason to keep the published files; empty if there is none."""
    files: tuple[str, ...]
    replaced: tuple[str, ...]
    """The files that differ from those before."""
    unread: tuple[str, ...] = ()
    """Sentences about published files that could not be compared."""

    def check(self, published: Path) -> None:
        """Raise CrawlError when the files in this directory were not replaced."""
        if self.summary["refused"]:
            raise CrawlError(
                Exit.REFUSED,
                f"{published}: not replaced, since {self.summary['refused']}; the new files are in "
                f"{self.directory}, and -a force=true would publish them",
            )

    def states(self) -> Iterator[tuple[Path, str]]:
        """Yield the state of each file: ``states``."""
        return states(self.directory, self.files, self.replaced)


def states(
    directory: Path, files: Collection[str], replaced: Collection[str]
) -> Iterator[tuple[Path, str]]:
    """Yield (path, state) of each file; many parts are summed up in one row."""
    changed = set(replaced)
    parts = {name for name in files if name != ENTRY and is_ours(name)}
    if len(parts) <= MOST_NAMED:
        parts = set()
    else:
        count = len(parts & changed)
        same = len(parts) - count
        what = clauses((count, f"{count:,} written"), (same, f"{same:,} unchanged"))
        yield directory, f"of {len(parts):,} parts {what}"
    for name in files:
        if name not in parts:
            yield directory / name, "written" if name in changed else "unchanged"


class Rules(NamedTuple):
    """The rules by which the store of a crawl is concluded."""

    start: str
    site: Site
    options: RunOptions
    extensions: frozenset[str] = frozenset()
    """Kinds of extensions of the entries: ``core/document/extensions.py``."""
    index_file: Path | None = None
    """A file of URLs that a search engine indexed, for the report."""


def _nobody(step: str) -> None:
    """Ignore the steps."""


def _nothing(paths: list[str]) -> None:
    """Prepare nothing."""


def conclude(
    store: Store,
    rules: Rules,
    left: Judgement | None,
    *,
    is_interrupted: bool = False,
    tell: Tell = _nobody,
) -> dict[str, Any]:
    """Write the conclusions about the whole site into a store; return report.json.

    ``left``: the verdict of URLs that still wait to be fetched; None if there are none. ``tell`` is
    called with each of the STEPS before it begins.
    """
    tell("verdicts")
    store.trap_candidates.mark_traps(leaves_out=store.frontier.limits.stops_at_traps)
    files_left_out = conclusions.files(store.file_hints)
    if left:
        store.frontier.close(left)
    unseen = not_looked_at(store, left if is_interrupted else None, files_left_out)
    store.conclusions.reset_site_verdicts()
    remarks = conclusions.Remarks(store)
    conclusions.postponed(store, remarks)
    conclusions.failing(store, remarks)
    sections = _follow_links(store, remarks, rules, tell, is_whole=not unseen)
    tell("dates")
    distrusted = conclusions.dates(store)
    return summary.summarise(
        store,
        rules.start,
        (rules.options.base_url or f"{split(rules.start).origin}/") + ENTRY,
        remarks.counts,
        distrusted,
        {
            "not_looked_at": unseen,
            **sections,
            "files": files_left_out,
            "extensions": Entries(store, rules.extensions).summary(),
        },
    )


def publish(
    store: Store,
    directory: Path,
    options: Options,
    rules: Rules,
    *,
    max_pages: int,
    max_loss: float,
    force: bool,
    now: datetime,
    tell: Tell = _nobody,
    prepare: Callable[[list[str]], None] = _nothing,
) -> Publication:
    """Conclude a crawl that has no more requests, and replace the published files.

    If too much would be lost, they stay, and the new ones are written beside them, unless
    ``force`` is given. Raises CrawlError, with the published files unchanged, if nothing may be
    listed or the directory cannot take the files. ``tell`` is called with each of the STEPS before
    it begins; ``prepare`` gets the paths of all files before the first is replaced, and may raise
    CrawlError or OSError.
    """
    left = Judgement(Verdict.OVER_CAP, f"max_pages={max_pages}")
    facts = conclude(store, rules, left, tell=tell)
    try:
        tell("sitemap")
        complete(directory)
        before = read_published(directory, with_dates=options.layout == "log")
        loss = measure_loss(store, before)
        doubt = objection(
            loss,
            cut_short=bool(facts["stopped_by"]) and not facts["postponed"],  # what is known stays
            was_complete=was_complete(directory),
            max_loss=max_loss,
        )
        is_refused = bool(doubt) and not force and facts["listed"] > 0
        facts["refused"] = doubt if is_refused else None
        target = directory / BESIDE if is_refused else directory
        with Staging(target, int(now.timestamp()), grace(len(before.names))) as staging:
            written = write_sitemap(store, rules.start, staging, options, before, now)
            tell("report")
            files.write(facts, store, staging.open)
            prepare([str(target.absolute() / name) for name in (*written.names, *files.NAMES)])
            replaced = staging.commit(last=ENTRY, stale=written.stale)
        if not is_refused:
            remove_refused(directory / BESIDE)
    except NothingListed:
        raise CrawlError(Exit.NOTHING, f"nothing to list: {in_words(facts)}") from None
    except OSError as error:
        raise CrawlError(
            Exit.NO_SPACE, f"{directory}: cannot be written: {error.strerror}"
        ) from error
    return Publication(
        facts,
        target,
        loss,
        doubt,
        (*written.names, *files.NAMES),
        replaced,
        tuple(unread_in_words(before)),
    )


def mend(directory: Path) -> None:
    """Complete the publication of a crawl that was killed. Raises CrawlError."""
    try:
        complete(directory)
    except OSError as error:
        raise CrawlError(
            Exit.NO_SPACE, f"{directory}: cannot be written: {error.strerror}"
        ) from error


def options_of(params: Params, start: str) -> Options:
    """Return the options of the files from the arguments of a crawl from ``start``."""
    return Options(
        base_url=params.base_url or f"{split(start).origin}/",
        layout=params.layout,
        formats=params.formats,
        extensions=params.extensions,
        stylesheet=params.stylesheet,
        gzip=params.gzip,
        priority=params.priority,
        changefreq=params.changefreq,
    )


def write_sitemap(
    store: Store,
    start: str,
    staging: Staging,
    options: Options,
    before: Published,
    now: datetime,
) -> Written:
    """Stage the sitemap of a concluded store, and the files beside it.

    ``before``: the published files, which these replace.
    """
    conclusions.changefreqs(store, are_published=options.changefreq == "observed")
    entries = Entries(store, options.extensions)
    return write(
        entries.listed(),
        staging,
        options,
        steps=conclusions.rank_steps(store) if options.priority == "pagerank" else (),
        before=before,
        news=entries.news(now),
        beside=companions.write(store, start, staging, options),
    )


def _follow_links(
    store: Store, remarks: conclusions.Remarks, rules: Rules, tell: Tell, *, is_whole: bool
) -> dict[str, Any]:
    """Conclude what needs the link graph, which takes 100 bytes a page and 4 a link meanwhile."""
    tell("link graph")
    graph = store.graph()
    measures = graph.measure(rules.options.max_depth)
    ranks = pagerank(graph)
    store.conclusions.apply(measures, graph, rounded(ranks))
    is_original = conclusions.canonicals(store, graph, measures, remarks)
    tell("duplicates")
    conclusions.duplicates(
        store,
        graph,
        measures,
        is_original,
        remarks,
        leave_out=rules.options.duplicates,
        threshold=rules.options.near_threshold,
        rule=rules.options.near_rule,
    )
    leaves_out = rules.options.duplicates != "off"
    conclusions.views(store, graph, measures, is_original, remarks, leave_out=leaves_out)
    tell("audit")
    return audit(
        store,
        graph,
        measures,
        ranks,
        start=rules.start,
        site=rules.site,
        index_file=rules.index_file,
        is_whole=is_whole,
    )


def remove_refused(directory: Path) -> None:
    """Remove a set of files that was refused before, and no other files."""
    if not directory.is_dir():
        return
    for path in list(directory.iterdir()):
        if (
            is_ours(path.name)
            or NEWS.fullmatch(path.name)
            or is_bridging(path.name)
            or companions.is_ours(path)
            or path.name in files.NAMES
            or path.name.endswith(TEMPORARY)
        ):
            path.unlink()
    with suppress(OSError):  # files of others are there
        directory.rmdir()


def in_words(facts: dict[str, Any]) -> str:
    """Return the verdicts of a summary with their counts, the largest first.

    >>> in_words({"seen": 3, "verdicts": {"listed": 2, "noindex": 1}})
    'listed 2, noindex 1'
    """
    counts = sorted(facts["verdicts"].items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count:,}" for name, count in counts if count) or "no URL was seen"


def hreflang_in_words(facts: dict[str, Any]) -> str:
    """Describe the versions in other languages of a summary; empty without the extension.

    >>> said = {"pages": 2, "count": 4, "left_out": {"no_return": 1}}
    >>> hreflang_in_words({"extensions": {"hreflang": said}})
    'hreflang: 4 links on 2 pages; left out: no_return 1'
    """
    said = facts["extensions"].get("hreflang")
    if said is None:
        return ""
    left_out = ", ".join(f"{why} {count:,}" for why, count in said["left_out"].items() if count)
    more = f"; left out: {left_out}" if left_out else ""
    found = f"{counted(said['count'], 'link')} on {counted(said['pages'], 'page')}"
    return f"hreflang: {found if said['count'] else 'no links'}{more}"


def failing_in_words(facts: dict[str, Any]) -> str:
    """Describe the pages of a summary that still fail; empty if there are none.

    >>> failing_in_words({"failing": 1})
    '1 page still fails (server error, no answer, or not rendered); the next crawl asks again'
    """
    count = facts["failing"]
    if not count:
        return ""
    pages = counted(count, "page still fails", "pages still fail")
    return f"{pages} (server error, no answer, or not rendered); the next crawl asks again"


def lost_in_words(lost: Lost) -> str:
    """Describe what errors in the crawler cost; empty if there were none.

    >>> lost_in_words(Lost(pages=1, files=0)).partition(";")[0]
    '1 page could not be read because of an error in the crawler'
    """
    counts = ((lost.pages, "page"), (lost.files, "sitemap file"))
    what = clauses(*((count, counted(count, noun)) for count, noun in counts), joint=" and ")
    if not what:
        return ""
    because = agree(sum(lost), "an error", "errors")
    return (
        f"{what} could not be read because of {because} in the crawler; the log has the traceback, "
        "and what was listed before stays listed for now"
    )


def robots_txt_in_words(facts: dict[str, Any]) -> str:
    """Return whether robots.txt names the sitemap, or the line that it should have.

    >>> robots_txt_in_words({"robots_txt": {"url": "/robots.txt", "line": "L", "is_there": True}})
    '/robots.txt has the line that names the sitemap: L'
    """
    advice = facts["robots_txt"]
    has = "has the line that names the sitemap" if advice["is_there"] else "should have the line"
    return f"{advice['url']} {has}: {advice['line']}"


def traps_in_words(facts: dict[str, Any]) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, number of URLs left out, patterns in words) of each kind of endless space."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for trap in facts["traps"]:
        if trap["fetched"] and trap["kind"] != "soft_404":
            kinds.setdefault(trap["kind"], []).append(trap)
    for kind, traps in kinds.items():
        worst = max(traps, key=lambda trap: (trap["urls"], trap["pattern"]))["pattern"]
        others = len(traps) - 1
        more = f" and {counted(others, 'more pattern')}" if others else ""
        yield kind, sum(trap["urls"] for trap in traps), worst + more


def rendering_in_words(facts: dict[str, Any]) -> Iterator[str]:
    """Yield a sentence, with its remedy, on pages that may be read incompletely."""
    if facts["blank"]["count"] >= MANY_BLANK:
        yield blank_in_words(facts["blank"])
    rendering = facts["rendering"]
    if rendering["empty_start"]:
        yield rendering["empty_start"]
    if unfinished := rendering["unfinished"]:
        yield (
            f"{counted(unfinished, 'page was', 'pages were')} read while something on "
            f"{agree(unfinished, 'it', 'them')} was still loading, "
            f"first {rendering['unfinished_examples'][0]}: if content is missing, "
            "-s SITEMAPGEN_RENDERING_SELECTOR_WAIT=30 -s SITEMAPGEN_RENDERING_DEADLINE=60 waits "
            "longer"
        )


def routes_in_words(facts: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield (number of links, URL) of each document whose views have no URLs of their own."""
    for sighting in facts["traps"]:
        if sighting["kind"] == "hash_route":
            yield sighting["urls"], sighting["pattern"]
