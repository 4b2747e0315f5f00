"""The section ``due``: pages that the last crawl left out with ``refresh=due``, and the promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sitemapgen.analysis.freshness.due import MAX_DAYS, MAX_RUNS, MOST_STALE
from sitemapgen.analysis.freshness.trust import DAY, SMALL_SECTIONS
from sitemapgen.core.words import agree, counted, percent
from sitemapgen.report.dataset import EXAMPLES
from sitemapgen.store import Store
from sitemapgen.store.due import SectionRow


def due(store: Store) -> dict[str, Any] | None:
    """Return the section; None for a crawl that left out nothing by ``refresh=due``.

    ``stale`` is None for an interrupted crawl, whose sections were not tested.
    """
    left, rows = store.due.left_out_pages(EXAMPLES), store.due.rows()
    if not left.pages and not rows:
        return None
    facts: dict[str, Any] = {
        "not_visited": left.pages,
        "days": round((store.history.start_times()[-1] - left.oldest) / DAY, 1)
        if left.pages
        else 0.0,
        "stale": round(sum(row.tested.stale for row in rows), 1) if rows else None,
        "promise": {"days": MAX_DAYS, "runs": MAX_RUNS, "share": MOST_STALE},
        "visited_whole": [
            _section_row(row) for row in rows if row.tested.ended == store.history.run
        ],
        "examples": left.examples,
    }
    return {"sentence": due_in_words(facts), **facts}


def _section_row(row: SectionRow) -> dict[str, Any]:
    is_small = row.tested.section == SMALL_SECTIONS
    return {
        "section": "the small sections" if is_small else f"/{row.name}",
        "visited": row.tested.visited,
        "changed": row.tested.changed,
        "expected": round(row.tested.expected, 1),
    }


def due_in_words(facts: Mapping[str, Any]) -> str:
    """Describe what was left out, and the promise about it, in one sentence.

    >>> promise = {"days": 30.0, "runs": 10, "share": 0.05}
    >>> facts = {"not_visited": 812, "days": 6.0, "stale": 9.7, "promise": promise}
    >>> due_in_words(facts).partition(";")[0]
    '812 pages were not requested, as many visits found them unchanged (refresh=due)'
    """
    count, promise = facts["not_visited"], facts["promise"]
    if not count:
        return "refresh=due: all pages were requested, as none was unchanged for long enough"
    pages = counted(count, "page was", "pages were")
    them = agree(count, "it", "them")
    stale = facts["stale"]
    outdated = (
        "" if stale is None else f"; about {stale:,.1f} of {them} are expected to be outdated"
    )
    return (
        f"{pages} not requested, as many visits found {them} unchanged (refresh=due); the last "
        f"visit of each is at most {facts['days']:,.1f} days ago{outdated}. The promise: each page "
        f"is visited at least once in {promise['runs']} crawls, and none is left out that was "
        f"visited more than {promise['days']:.0f} days ago, so that a page that is gone may stay "
        f"listed for as long; at most {percent(promise['share'], ' %')} of those left out are "
        "expected to be outdated. refresh=all requests all of them"
    )
