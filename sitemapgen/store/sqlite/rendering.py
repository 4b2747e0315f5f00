"""What the embedded store knows about rendering: counts by signature, and who went without."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitemapgen.core.learning import Record, Tally, samples
from sitemapgen.store.rendering import RenderingReport
from sitemapgen.store.sqlite.states import DONE

if TYPE_CHECKING:
    from sitemapgen.core.learning import Gain
    from sitemapgen.store.sqlite.database import Database

COUNT = """
INSERT INTO rendering VALUES (?1, 1, ?2, ?3, ?2 - ?3) ON CONFLICT (signature) DO UPDATE SET
    seen = seen + ?4,
    rendered = rendered + ?2,
    gained = gained + ?3,
    dry = CASE WHEN ?3 THEN 0 ELSE dry + ?2 END
"""

UNRENDERED = f"""
SELECT key FROM judged JOIN url USING (key)
WHERE signature = ? AND NOT rendered AND NOT is_sample AND state = {DONE} ORDER BY key LIMIT ?
"""


class SqliteRendering:
    """See the protocol ``Rendering``."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def of(self, signature: str, key: int) -> Record:
        here, family, _ = _levels(signature)
        rows = self._db.rows("SELECT * FROM rendering WHERE signature IN (?, ?)", here, family)
        is_sample = self._db.one("SELECT is_sample FROM judged WHERE key = ?", key)
        tallies = {name: Tally(*counts) for name, *counts in rows}
        return Record(tallies.get(here, Tally()), tallies.get(family, Tally()), is_sample == 1)

    def skip(self, signature: str, key: int) -> None:
        self._count(signature, key, rendered=False, gained=False)

    def record(self, signature: str, key: int, gain: Gain) -> None:
        self._count(signature, key, rendered=True, gained=gain.is_any)

    def total(self) -> Tally:
        row = self._db.first("SELECT * FROM rendering WHERE signature = ''")
        return Tally(*row[1:]) if row else Tally()

    def _count(self, signature: str, key: int, *, rendered: bool, gained: bool) -> None:
        with self._db.writing():
            known = self._db.one("SELECT rendered FROM judged WHERE key = ?", key)
            if known is not None and known >= rendered:
                return  # a crash repeats the page
            self._db.execute(
                "INSERT INTO judged (key, signature, rendered) VALUES (?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET "
                "signature = excluded.signature, rendered = excluded.rendered",
                (key, signature, rendered),
            )
            self._db.executemany(
                COUNT,
                [(level, rendered, gained, known is None) for level in _levels(signature)],
            )

    def note(self, key: int, reason: str, outcome: str, seconds: float) -> None:
        with self._db.writing():
            self._db.execute(
                "REPLACE INTO render VALUES (?, ?, ?, ?)", (key, reason, outcome, seconds)
            )

    def report(self) -> RenderingReport:
        rows = self._db.rows(
            "SELECT reason, outcome, count(*), total(seconds) FROM render "
            "GROUP BY reason, outcome ORDER BY reason"
        )
        outcomes, reasons = Counter[str](), Counter[str]()
        for reason, outcome, count, _ in rows:
            outcomes[outcome] += count
            reasons[reason] += count
        return RenderingReport(
            pages=sum(reasons.values()),
            reasons=dict(reasons),
            gained_nothing=outcomes["nothing"],
            failed=outcomes["failed"],
            seconds=round(sum(row[-1] for row in rows), 1),
        )

    def sample(self) -> list[int]:
        """Choose pages that ``learning.samples`` asks for: to be read again, with the browser."""
        rows = self._db.rows("SELECT * FROM rendering ORDER BY signature")
        chosen = samples({name: Tally(*counts) for name, *counts in rows})
        keys = [
            row
            for signature, count in chosen.items()
            for row in self._db.rows(UNRENDERED, signature, count)
        ]
        self._db.executemany("UPDATE judged SET is_sample = 1 WHERE key = ?", keys)
        return [key for (key,) in keys]


def _levels(signature: str) -> tuple[str, str, str]:
    """A signature, its family (its first part), and the site."""
    return signature, signature.partition(" ")[0], ""
