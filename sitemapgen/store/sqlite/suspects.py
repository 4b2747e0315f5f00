"""The URLs of the embedded store that may be endlessly many: patterns, their budgets, the traps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.analysis.traps import Ledger, PatternPage
from sitemapgen.core.traps import base
from sitemapgen.core.urls import key
from sitemapgen.store.frontier import MAX_HOPS
from sitemapgen.store.sqlite.states import DONE, KNOWN, LINK, PENDING
from sitemapgen.store.suspects import TrapRow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.items import Judgement, Page, Suspicion
    from sitemapgen.store.sqlite.database import Database

EXAMPLES = 3

LEDGER = ("kind", "pattern", "family", "released", "batch", "useful", "fruitless", "is_trap")

PAGES = f"""
SELECT pattern.kind, pattern.pattern, url.key, url.url, url.verdict, EXISTS (
    SELECT 1 FROM page AS other JOIN url AS place ON place.key = other.key
    LEFT JOIN pattern AS elsewhere ON elsewhere.id = place.pattern
    WHERE other.text_hash IS page.text_hash
    AND (page.text_hash NOT NULL OR (page.excerpt <> '' AND other.title = page.title
                                     AND other.excerpt = page.excerpt))
    AND place.verdict = 'listed' AND place.sources <> 0
    AND (place.pattern IS NULL OR elsewhere.pattern < pattern.pattern)
), page.title, page.excerpt, page.text_hash, coalesce(sketch.sketch, x''),
base.title || char(10) || base.excerpt
FROM pattern JOIN url ON url.pattern = pattern.id JOIN page ON page.key = url.key
LEFT JOIN sketch ON sketch.key = url.key
LEFT JOIN page AS base ON base.key = base_key(url.url) AND base.key <> url.key
WHERE pattern.family = ? AND url.state = {DONE} ORDER BY length(url.url), url.url
"""


class SqliteSuspects:
    """See the protocol ``Suspects``."""

    def __init__(self, db: Database, max_depth: int) -> None:
        self._db = db
        self.max_depth = max_depth
        """Links from the start URL to what may be released; 0 means no limit."""
        self._ids: dict[str, int] = {}
        db.connection.create_function("base_key", 1, lambda url: key(base(url)), deterministic=True)

    @property
    def _waiting(self) -> str:
        return (
            f"state = {KNOWN} AND sources & {LINK} AND hops <= {MAX_HOPS} "
            "AND (verdict IS NULL OR verdict = 'not_fetched' "
            f"OR verdict = 'too_deep' AND depth <= {self.max_depth or 1 << 60})"
        )

    def forget(self) -> None:
        """A new run: the patterns are gone."""
        self._ids.clear()

    def id(self, suspicion: Suspicion) -> int:
        """The row of a pattern, made if need be."""
        known = self._ids.get(suspicion.pattern)
        if known is None:
            self._db.execute(
                "INSERT OR IGNORE INTO pattern (kind, pattern, family) VALUES (?, ?, ?)", suspicion
            )
            known = self._ids[suspicion.pattern] = self._one_id(suspicion.pattern)
        return known

    def record(self, page: Page) -> None:
        """Keep what a page says, and the links that were repaired."""
        if page.sketch:
            self._db.execute("REPLACE INTO sketch VALUES (?, ?)", (page.key, page.sketch))
        self._db.executemany(
            "INSERT INTO sighting VALUES (?, ?, 1, ?) ON CONFLICT (kind, pattern) DO UPDATE "
            "SET links = links + 1, example = min(example, excluded.example)",
            page.sightings,
        )

    def are_pending(self) -> bool:
        query = f"SELECT 1 FROM url WHERE pattern IS NOT NULL AND state = {PENDING} LIMIT 1"
        return self._db.one(query) is not None

    def waiting(self) -> list[Ledger]:
        return self._ledgers(
            f"WHERE NOT is_trap AND EXISTS (SELECT 1 FROM url WHERE url.pattern = pattern.id "
            f"AND {self._waiting})"
        )

    def traps(self) -> list[Ledger]:
        return self._ledgers("WHERE is_trap")

    def _ledgers(self, condition: str) -> list[Ledger]:
        rows = self._db.rows(
            f"SELECT {', '.join(LEDGER)} FROM pattern {condition} ORDER BY pattern"
        )
        ledgers = [dict(zip(LEDGER, row)) for row in rows]
        return [Ledger(**{**fields, "is_trap": bool(fields["is_trap"])}) for fields in ledgers]

    def fruitless(self) -> dict[str, int]:
        return dict(self._db.rows("SELECT family, sum(fruitless) FROM pattern GROUP BY family"))

    def pages(self, family: str) -> list[PatternPage]:
        with self._db.writing():
            self._db.execute("CREATE INDEX IF NOT EXISTS same_text ON page (text_hash, title)")
            rows = self._db.execute(PAGES, (family,)).fetchall()
        return [
            PatternPage(kind, pattern, key, url, verdict, bool(is_copy), *others)
            for kind, pattern, key, url, verdict, is_copy, *others in rows
        ]

    def release(self, ledgers: Iterable[Ledger]) -> int:
        total = 0
        with self._db.writing():
            for ledger in ledgers:
                id_ = self._ids.get(ledger.pattern) or self._one_id(ledger.pattern)
                released = 0
                if not ledger.is_trap:
                    released = self._db.execute(
                        f"UPDATE url SET state = {PENDING}, verdict = NULL, evidence = NULL "
                        f"WHERE key IN (SELECT key FROM url WHERE pattern = ? AND {self._waiting} "
                        "ORDER BY length(url), url LIMIT ?)",
                        (id_, ledger.batch),
                    ).rowcount
                self._db.execute(
                    "UPDATE pattern SET released = ?, batch = ?, useful = ?, fruitless = ?, "
                    "is_trap = ? WHERE id = ?",
                    (
                        released,
                        ledger.batch,
                        ledger.useful,
                        ledger.fruitless,
                        ledger.is_trap,
                        id_,
                    ),
                )
                total += released
        return total

    def _one_id(self, pattern: str) -> int:
        return int(self._db.one("SELECT id FROM pattern WHERE pattern = ?", pattern))

    def condemn(self, pattern: str, judgement: Judgement, useless: Iterable[int]) -> None:
        verdict, evidence = judgement.verdict.value, judgement.evidence
        with self._db.writing():
            id_ = self._one_id(pattern)
            self._db.execute(
                f"UPDATE url SET verdict = ?, evidence = ? WHERE pattern = ? AND {self._waiting}",
                (verdict, evidence, id_),
            )
            self._db.executemany(
                "UPDATE url SET verdict = ?, evidence = ? WHERE key = ? AND verdict = 'listed'",
                [(verdict, evidence, key) for key in useless],
            )

    def report(self) -> list[TrapRow]:
        rows = [self._trap_row(ledger) for ledger in self.traps()]
        lost = self._db.rows(
            "SELECT evidence, count(*), min(url) FROM url WHERE verdict = 'soft_404' "
            "AND sources <> 0 GROUP BY evidence ORDER BY evidence"
        )
        sightings = self._db.rows(
            "SELECT kind, pattern, links, example FROM sighting ORDER BY kind, pattern"
        )
        rows += [
            TrapRow("soft_404", evidence, urls, urls, 0, (example,))
            for evidence, urls, example in lost
        ]
        rows += [
            TrapRow(kind, pattern, links, 0, 0, (example,))
            for kind, pattern, links, example in sightings
        ]
        return rows

    def _trap_row(self, ledger: Ledger) -> TrapRow:
        id_ = self._one_id(ledger.pattern)
        urls, fetched = self._db.first(
            f"SELECT sum(verdict = 'trap'), sum(state = {DONE}) FROM url WHERE pattern = ?", id_
        )
        examples = self._db.rows(
            "SELECT url FROM url WHERE pattern = ? AND verdict = 'trap' "
            "ORDER BY length(url), url LIMIT ?",
            *(id_, EXAMPLES),
        )
        return TrapRow(
            ledger.kind,
            ledger.pattern,
            urls,
            fetched,
            ledger.useful,
            tuple(url for (url,) in examples),
        )
