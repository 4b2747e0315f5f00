"""The section ``external``: links to other sites, and those of them that do not work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemapgen.core.external import BROKEN, LinkStatus
from sitemapgen.report.dataset import EXAMPLES

if TYPE_CHECKING:
    from sitemapgen.store.external import External

MAX_HOSTS = 1_000
"""Maximum number of hosts in report.json."""
MAX_PAGES = 10
"""Maximum number of pages that are named of those with one broken link."""


def external(store: External, *, is_read: bool) -> dict[str, Any]:
    """Return the links to other sites by host, and the result of their check.

    ``is_read``: whether the crawl read its pages as this version does.
    """
    links = store.links()
    outcomes = store.outcomes()
    checked = sum(outcomes.values())
    count, broken_links, examples = store.broken(BROKEN, EXAMPLES, MAX_PAGES)
    return {
        "is_known": is_read or links.links > 0,
        "hosts": len(links.hosts),
        "urls": links.urls,
        "links": links.links,
        "pages": links.pages,
        "unkept": links.unkept,
        "by_host": [row._asdict() for row in links.hosts[:MAX_HOSTS]],
        "checked": checked,
        "unchecked": max(links.urls - checked, 0),
        "outcomes": {outcome.value: outcomes.get(outcome, 0) for outcome in LinkStatus},
        "broken": {
            "count": count,
            "links": broken_links,
            "examples": [{**row._asdict(), "outcome": row.outcome.value} for row in examples],
        },
    }
