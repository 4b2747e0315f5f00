"""From a store to the published files: what the whole site says, step by step, then all at once.

Or to files beside them, when the published ones are better: ``safety.py``.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.exits import CrawlError, Exit
from sitemapgen.items import Judgement, Verdict
from sitemapgen.publish import conclusions
from sitemapgen.publish.files import TEMPORARY, Staging
from sitemapgen.publish.safety import Loss, measure_loss, objection, was_complete
from sitemapgen.publish.sitemaps import ENTRY, OURS, Listed, NothingListed, Options, write
from sitemapgen.report import summary, urls_csv

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sitemapgen.store import Store

REPORTS = ("report.json", "urls.csv")
BESIDE = "refused"
"""The directory, in that of the published files, for those that may not replace them."""


class Publication(NamedTuple):
    """What was written, and where."""

    summary: dict[str, Any]
    """As in report.json."""
    directory: Path
    """Where the files are: that of the published ones, or the one beside them."""
    loss: Loss
    """What was published before and is not listed any more."""
    objection: str
    """Why the published files should stay; empty when nothing speaks against replacing them."""
    files: tuple[str, ...]
    replaced: tuple[str, ...]
    """Those of the files that differ from what was there before."""


def publish(
    store: Store,
    directory: Path,
    options: Options,
    *,
    start: str,
    max_pages: int,
    max_depth: int,
    duplicates: str,
    max_loss: float,
    force: bool,
    now: datetime,
) -> Publication:
    """Conclude a crawl that has nothing more to do, and replace the published files.

    When too much would be lost, they stay, and the new ones are written beside them, unless
    ``force`` is given. Raises CrawlError, with the published files as they were, when nothing may
    be listed and when the directory cannot take the files.
    """
    conclusions.traps(store.suspects)
    store.close_frontier(Judgement(Verdict.OVER_CAP, f"max_pages={max_pages}"))
    store.reconsider()
    remarks = conclusions.Remarks(store)
    conclusions.failing(store, remarks)
    _follow_links(store, remarks, max_depth, leave_out_duplicates=duplicates == "exact")
    distrusted = conclusions.dates(store)
    facts = summary.summarise(store, start, remarks.counts, distrusted)
    try:
        loss = measure_loss(store, directory)
        doubt = objection(
            loss,
            cut_short=not facts["complete"],
            was_complete=was_complete(directory),
            max_loss=max_loss,
        )
        is_refused = bool(doubt) and not force and facts["listed"] > 0
        facts["refused"] = doubt if is_refused else None
        target = directory / BESIDE if is_refused else directory
        with Staging(target, int(now.timestamp())) as staging:
            written = write(map(Listed._make, store.listed()), staging, options)
            urls_csv.write(store.urls(), staging.open("urls.csv"))
            summary.write(facts, staging.open("report.json"))
            replaced = staging.commit(last=ENTRY, stale=written.stale)
        if not is_refused:
            _remove_refused(directory / BESIDE)
    except NothingListed:
        raise CrawlError(Exit.NOTHING, f"nothing to list: {in_words(facts)}") from None
    except OSError as error:
        raise CrawlError(
            Exit.NO_SPACE, f"{directory}: cannot be written: {error.strerror}"
        ) from error
    return Publication(facts, target, loss, doubt, (*written.names, *REPORTS), replaced)


def _follow_links(
    store: Store, remarks: conclusions.Remarks, max_depth: int, *, leave_out_duplicates: bool
) -> None:
    """Conclude what needs the link graph: it takes 100 bytes a page and 4 a link, and goes."""
    graph = store.graph()
    measures = graph.measure(max_depth)
    store.apply(measures, graph)
    is_original = conclusions.canonicals(store, graph, measures, remarks)
    conclusions.duplicates(
        store, graph, measures, is_original, remarks, leave_out=leave_out_duplicates
    )


def _remove_refused(directory: Path) -> None:
    """Remove an earlier set that was refused, and nothing else that may be there."""
    if not directory.is_dir():
        return
    for path in list(directory.iterdir()):
        if OURS.fullmatch(path.name) or path.name in REPORTS or path.name.endswith(TEMPORARY):
            path.unlink()
    with suppress(OSError):  # somebody keeps something there
        directory.rmdir()


def in_words(facts: dict[str, Any]) -> str:
    """The verdicts of a summary with their counts, the largest first.

    >>> in_words({"seen": 3, "verdicts": {"listed": 2, "noindex": 1}})
    'listed 2, noindex 1'
    """
    counts = sorted(facts["verdicts"].items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in counts if count) or "no URL was seen"


def traps_in_words(facts: dict[str, Any]) -> Iterator[tuple[str, int, str]]:
    """Each kind of endless space in a summary: kind, URLs left out, its patterns in words."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for trap in facts["traps"]:
        if trap["fetched"] and trap["kind"] != "soft_404":
            kinds.setdefault(trap["kind"], []).append(trap)
    for kind, traps in kinds.items():
        worst = max(traps, key=lambda trap: (trap["urls"], trap["pattern"]))["pattern"]
        more = f" and {len(traps) - 1} more patterns" if len(traps) > 1 else ""
        yield kind, sum(trap["urls"] for trap in traps), worst + more


def routes_in_words(facts: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """Each document whose views have no URLs of their own: links to them, and its URL."""
    for sighting in facts["traps"]:
        if sighting["kind"] == "hash_route":
            yield sighting["urls"], sighting["pattern"]
