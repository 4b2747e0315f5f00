"""Forms of URLs in the embedded store. The protocol: ``store/forms.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.analysis.forms import FormPage
from sitemapgen.core.soft404 import THIN
from sitemapgen.store.states import DONE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.analysis.forms import FormKey
    from sitemapgen.store.database import Database


class SqliteForms:
    """Implementation of the protocol ``Forms``."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.probes: dict[FormKey, str] = {}
        self.compared: set[FormKey] = set()
        self.limit = 0
        self.planned: frozenset[str] = frozenset()

    def forget(self) -> None:
        """Begin a new run."""
        self.probes.clear()
        self.compared.clear()

    def pages(self) -> Iterator[FormPage]:
        rows = self._db.read(
            "SELECT key, url, title, iif(verdict = 'soft_404', other_url, '') "
            "FROM url JOIN page USING (key) "
            f"WHERE state = {DONE} AND sources <> 0 AND verdict IN ('listed', 'soft_404') "
            f"AND text_length BETWEEN 1 AND {THIN} AND NOT instr(url, '?')"
        )
        return map(FormPage._make, rows)
