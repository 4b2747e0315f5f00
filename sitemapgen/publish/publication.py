"""From a store to the published files: what the whole site says, step by step, then all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.exits import CrawlError, Exit
from sitemapgen.items import Judgement, Verdict
from sitemapgen.publish import conclusions
from sitemapgen.publish.files import Staging
from sitemapgen.publish.sitemaps import ENTRY, Listed, NothingListed, Options, write
from sitemapgen.report import summary, urls_csv

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sitemapgen.store import Store

REPORTS = ("report.json", "urls.csv")


class Publication(NamedTuple):
    """What is published now."""

    summary: dict[str, Any]
    """As in report.json."""
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
    now: datetime,
) -> Publication:
    """Conclude a crawl that has nothing more to do, and replace the published files.

    Raises CrawlError, with the published files as they were, when nothing may be listed and when
    the directory cannot take the files.
    """
    store.close_frontier(Judgement(Verdict.OVER_CAP, f"max_pages={max_pages}"))
    store.reconsider()
    graph = store.graph()
    measures = graph.measure(max_depth)
    store.apply(measures, graph)
    remarks = conclusions.Remarks(store)
    is_original = conclusions.canonicals(store, graph, measures, remarks)
    conclusions.duplicates(
        store, graph, measures, is_original, remarks, leave_out=duplicates == "exact"
    )
    distrusted = conclusions.dates(store)
    facts = summary.summarise(store, start, remarks.counts, distrusted)
    try:
        with Staging(directory, int(now.timestamp())) as staging:
            written = write(map(Listed._make, store.listed()), staging, options)
            urls_csv.write(store.urls(), staging.open("urls.csv"))
            summary.write(facts, staging.open("report.json"))
            replaced = staging.commit(last=ENTRY, stale=written.stale)
    except NothingListed:
        raise CrawlError(Exit.NOTHING, f"nothing to list: {in_words(facts)}") from None
    except OSError as error:
        raise CrawlError(
            Exit.NO_SPACE, f"{directory}: cannot be written: {error.strerror}"
        ) from error
    return Publication(facts, (*written.names, *REPORTS), replaced)


def in_words(facts: dict[str, Any]) -> str:
    """The verdicts of a summary with their counts, the largest first.

    >>> in_words({"seen": 3, "verdicts": {"listed": 2, "noindex": 1}})
    'listed 2, noindex 1'
    """
    counts = sorted(facts["verdicts"].items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {count}" for name, count in counts if count) or "no URL was seen"
