"""Forms of URLs in which made-up names are requested."""

from __future__ import annotations

from collections.abc import Iterator

from sitemapgen.analysis.kinds.titles import FormKey, FormPage
from sitemapgen.core.soft404 import THIN
from sitemapgen.store.database import Database
from sitemapgen.store.states import DONE


class Forms:
    """The fetched pages, for their forms, and the probes of forms since the store was opened."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.probes: dict[FormKey, str] = {}
        """The made-up URL of each form that has one."""
        self.compared: set[FormKey] = set()
        """The forms all of whose pages are compared with it."""
        self.limit = 0
        """Maximum number of probes."""
        self.planned: frozenset[str] = frozenset()
        """The made-up URLs with which pages are compared in any case."""

    def begin_run(self) -> None:
        """Begin a new run."""
        self.probes.clear()
        self.compared.clear()

    def comparable_pages(self) -> Iterator[FormPage]:
        """Yield the pages of this run that are listed or soft 404s, and may be compared.

        Those with a query, or with much text, are left out.
        """
        rows = self._db.read(
            "SELECT key, url, title, iif(verdict = 'soft_404', other_url, '') "
            "FROM url JOIN page USING (key) "
            f"WHERE state = {DONE} AND sources <> 0 AND verdict IN ('listed', 'soft_404') "
            f"AND text_length BETWEEN 1 AND {THIN} AND NOT instr(url, '?')"
        )
        return map(FormPage._make, rows)
