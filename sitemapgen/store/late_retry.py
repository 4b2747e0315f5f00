"""Pages that could not be read, and their late retries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.analysis.late_retry import FailedPage
from sitemapgen.items import Revisit
from sitemapgen.store.states import DONE, MAY_RECOVER_SQL
from sitemapgen.verdicts import Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.store.database import Database


class Retried(NamedTuple):
    """A page that was requested again in a round."""

    key: int
    url: str
    batch: int


FAILED = f"""
SELECT verdict, reason, page.status, url.key, url.url, coalesce(evidence, ''), coalesce(tries, 0),
       coalesce(round, 0), EXISTS (
    SELECT 1 FROM earlier_page AS earlier WHERE earlier.key = url.key
    AND (earlier.own_verdict IN ({MAY_RECOVER_SQL})
         OR earlier.failures > 0)
)
FROM url JOIN page USING (key) LEFT JOIN late_try USING (key)
WHERE state = {DONE} AND sources <> 0 AND (
    verdict IN ({MAY_RECOVER_SQL})
    OR page.failures > 0 AND page.revisit <> {Revisit.OVER_BUDGET:d}
) ORDER BY url.url
"""


class LateRetries:
    """The failures of the current run, which survive a kill."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def failed(self) -> list[FailedPage]:
        """Return the pages that could not be read in this run, sorted by URL."""
        return [
            FailedPage(
                key,
                url,
                f"HTTP {status}" if status else evidence,
                tries,
                round=number,
                is_old=bool(old),
                verdict=Verdict(verdict),
                status=status,
                cause=Reason(reason),
            )
            for verdict, reason, status, key, url, evidence, tries, number, old in (
                self._db.rows(FAILED)
            )
        ]

    def last_round(self) -> int:
        """Return the number of the last round; 0 before the first."""
        return int(self._db.one("SELECT coalesce(max(round), 0) FROM late_try"))

    def retried(self, number: int) -> list[Retried]:
        """Return the pages that were requested again in a round."""
        rows = self._db.rows(
            "SELECT key, url, batch FROM late_try JOIN url USING (key) WHERE round = ?", number
        )
        return [Retried(*row) for row in rows]

    def begin(self, keys: Iterable[int], number: int, batch: int) -> None:
        """Note that pages are requested again, with the numbers of round and batch."""
        with self._db.writing():
            self._db.executemany(
                "INSERT INTO late_try (key, tries, round, batch) VALUES (?, 1, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET tries = tries + 1, round = excluded.round, "
                "batch = excluded.batch",
                [(key, number, batch) for key in keys],
            )
