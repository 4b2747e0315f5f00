"""Editions of a report: when and by which version the site was crawled, and what is new since.

An unchanged site has an unchanged report, although it has the time of a crawl: a run whose report
would differ in nothing else keeps the edition of the run before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sitemapgen import __version__
from sitemapgen.analysis.coverage import share
from sitemapgen.publish.files import read_object
from sitemapgen.report.sections.growth import changes_in_words, iso_time
from sitemapgen.store import Store
from sitemapgen.store.history import Edition

APART = frozenset(
    {
        *("edition", "changes", "trends", "rendering", "fetched", "due"),
        *("refused", "published_complete"),
    }
)
"""Fields of report.json without effect on its digest: about the edition, the crawl or the files."""
EFFORT = frozenset({"scripted", "pages", "reasons", "gained_nothing", "gained", "seconds"})
"""Figures of rendering in report.json that are about a crawl: a refresh renders fewer pages."""
EXAMPLES = 20
"""Maximum number of URLs that are named of each kind of change."""
TRENDS = 50
"""Maximum number of editions in the section ``trends``."""


def settle_edition(store: Store, facts: dict[str, Any], table: str, crawled: float) -> None:
    """Decide on the edition of a concluded run, keep it, and set the fields that depend on it.

    ``table``: digest of urls.csv; ``crawled``: the time of the crawl in seconds since 1970 UTC.
    """
    lasting = {name: value for name, value in facts.items() if name not in APART}
    digest = hashlib.sha256(json.dumps([table, lasting], sort_keys=True).encode()).hexdigest()
    before, own = store.history.edition_before(), store.history.own_edition()
    changes = _changes_since(store, before) if before else None
    if before and before.digest == digest and not changes_in_words(changes):
        store.history.discard_edition()
    else:
        if own and own.digest == digest:  # the run was killed after its files were replaced
            crawled = own.crawled
        edition = Edition(
            run=store.history.run,
            digest=digest,
            crawled=crawled,
            version=__version__,
            changes=json.dumps(changes),
            seen=facts["seen"],
            listed=facts["listed"],
            in_sitemap=facts["headline"]["part"],
        )
        store.history.keep_edition(edition)
    recall_edition(store, facts, store.history.own_edition() or before)


def recall_edition(store: Store, facts: dict[str, Any], edition: Edition | None = None) -> None:
    """Set the fields of a report that the store has kept with its edition."""
    edition = edition or store.history.edition()
    facts["edition"] = {
        "crawled": iso_time(edition.crawled),
        "version": edition.version,
        "start": facts["start"],
    }
    facts["changes"] = json.loads(edition.changes)
    facts["trends"] = [_trend_row(each) for each in store.history.latest_editions(TRENDS)]


def keep_effort(facts: dict[str, Any], published: Path) -> None:
    """Keep the ``EFFORT`` of a published report.json that is the same in all else.

    So the files of an unchanged site stay as they are, byte for byte.
    """
    before = read_object(published)
    if _without_effort(before) == _without_effort(facts):
        facts["rendering"] = before["rendering"]


def _without_effort(facts: Mapping[str, Any]) -> str:
    rendering = facts.get("rendering")
    kept = {name: each for name, each in dict(rendering or {}).items() if name not in EFFORT}
    return json.dumps({**facts, "rendering": kept}, sort_keys=True)


def _changes_since(store: Store, before: Edition) -> dict[str, Any]:
    """Return the changes of the published set, and of the texts in it, since an edition."""
    new = store.history.count_moved("new", before.run, EXAMPLES)
    gone = store.history.count_moved("gone", before.run, EXAMPLES)
    changed = store.history.count_moved("changed", before.run, EXAMPLES)
    verdicts = [{"url": url, "verdict": verdict} for url, verdict in gone.examples]
    return {
        "since": iso_time(before.crawled),
        "new": {"count": new.urls, "examples": [url for url, _ in new.examples]},
        "gone": {"count": gone.urls, "examples": verdicts},
        "changed": {"count": changed.urls, "examples": [url for url, _ in changed.examples]},
    }


def _trend_row(edition: Edition) -> dict[str, Any]:
    part, whole = edition.in_sitemap, edition.listed or 0
    return {
        "crawled": iso_time(edition.crawled),
        "seen": edition.seen,
        "listed": edition.listed,
        "in_sitemap": part,
        "share": None if part is None else share(part, whole),
    }
