"""Whole tables of the embedded store, read only. The protocol: ``store/export.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.store.export import ChangeRow, LinksRow, PageRow, RunRow, VisitRow
from sitemapgen.store.links import Keys
from sitemapgen.store.states import DIRECTIVES, DONE, LINKS, SITEMAP, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.store.database import Database

RUNS = "SELECT id, start, started, ended, reason, is_complete, version FROM run ORDER BY id"

# In the order of the rows on the disk, so that nothing is sorted.
PAGES = f"""
SELECT url.key, url.url, url.verdict, nullif(url.reason, ''), nullif(url.evidence, ''),
       nullif(url.other_url, ''), page.status, url.depth, url.parent, coalesce(url.in_degree, 0),
       url.pagerank, coalesce(url.reached, 0), (url.sources & {SITEMAP}) <> 0,
       nullif(page.canonical, ''), nullif(page.language, ''), page.title, page.text_length,
       nullif(coalesce(final_lastmod.lastmod, page.lastmod), ''),
       nullif(coalesce(final_lastmod.source, page.lastmod_source), ''),
       nullif(coalesce(final_lastmod.evidence, page.lastmod_evidence), ''),
       page.visited, url.first_link, url.first_sitemap, render.seconds
FROM url LEFT JOIN page ON page.key = url.key AND url.state = {DONE}
LEFT JOIN final_lastmod ON final_lastmod.key = page.key
LEFT JOIN render ON render.key = page.key
WHERE url.sources <> 0 ORDER BY url.key
"""

OF_PAGES = f"""
SELECT source, followed, nofollow FROM link JOIN url ON url.key = link.source
WHERE state = {DONE} AND sources <> 0 ORDER BY source
"""

# The limit keeps SQLite from sorting after the join, with the URLs.
CHANGES = """
SELECT run, change.key, url, change.verdict, verdict_before, change.lastmod FROM (
    SELECT run, key, verdict, lag(verdict) OVER (PARTITION BY key ORDER BY run) AS verdict_before,
           lastmod FROM verdict_history ORDER BY run, key LIMIT -1
) AS change CROSS JOIN url ON url.key = change.key
"""

VISITS = f"""
SELECT run, key, visited, (changed & {TEXT}) <> 0, (changed & {LINKS}) <> 0,
       (changed & {DIRECTIVES}) <> 0 FROM visit ORDER BY run, key
"""


class SqliteExport:
    """Implementation of the protocol ``Export``."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def runs(self) -> list[RunRow]:
        return list(map(RunRow._make, self._db.rows(RUNS)))

    def pages(self) -> Iterator[PageRow]:
        return map(PageRow._make, self._db.read(PAGES))

    def links(self) -> Iterator[LinksRow]:
        numbers = self._db.read("SELECT number, key FROM url WHERE number NOT NULL")
        table = np.fromiter(numbers, dtype=[("number", np.int64), ("key", np.int64)])
        keys = Keys(table["number"], table["key"])
        return map(LinksRow._make, keys.rows_of_two(self._db.read(OF_PAGES)))

    def changes(self) -> Iterator[ChangeRow]:
        return map(ChangeRow._make, self._db.read(CHANGES))

    def visits(self) -> Iterator[VisitRow]:
        return map(VisitRow._make, self._db.read(VISITS))
