"""Results of rendering, by page and by signature."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sitemapgen.analysis.freshness.trust import CHECKED_EVERY
from sitemapgen.core.rendering.detect import RenderSignature
from sitemapgen.core.rendering.learn import (
    FAMILY_FRUITLESS_WAITS,
    FRUITLESS_WAITS,
    REPEATED,
    Gain,
    Patience,
    RenderRecord,
    RenderTally,
    Waiting,
    WaitRecord,
)
from sitemapgen.store.database import Database
from sitemapgen.store.states import DONE, insert_sql


class Render(NamedTuple):
    """The result of rendering one page."""

    reason: str
    outcome: str
    """The outcome: ``gained``, ``nothing`` or ``failed``."""
    seconds: float = 0.0
    signature: RenderSignature = RenderSignature()
    waiting: str = ""
    """A value of ``learn.Waiting``."""
    empty: str | None = None
    """Why a page has no links and hardly any text in the browser, empty if unknown; None for all
    other pages."""
    gained: int = 0
    """What it brought: ``learn.Gain.bits``."""
    added: tuple[int, ...] = ()
    """Keys of the URLs to which only scripts show links."""


class Rendered(NamedTuple):
    """A page that shows more in a browser."""

    url: str
    reason: str
    gained: int


class Denied(NamedTuple):
    """Pages of one signature that were read while something on them seemed to be loading."""

    signature: RenderSignature
    pages: int
    looked: int
    """How many more of them were read again with the wait, in vain."""
    has_come: bool
    """Whether waiting for any page of the signature has brought something."""


class RenderingReport(NamedTuple):
    """Counts of the pages rendered in a run."""

    pages: int
    reasons: dict[str, int]
    gained_nothing: int
    failed: int
    seconds: float
    """Time in the browser, all pages together."""
    unfinished: int
    """Number of pages that were read while they still seemed to be loading."""
    unfinished_examples: list[str]


class Showing(NamedTuple):
    """Where the content of a page comes from."""

    text_length: int
    """Characters of its main text, without white space; of a rendered page those in the browser."""
    is_rendered: bool
    """Whether it shows more in a browser than the server sends."""
    verdict: str


COUNT = """
INSERT INTO rendering (family, template, seen, rendered, gained, dry)
VALUES (:family, :template, 1, :rendered, :gained, :dry)
ON CONFLICT (family, template) DO UPDATE SET
    seen = seen + :is_new,
    rendered = rendered + :rendered,
    gained = gained + :gained,
    dry = iif(:gained, 0, dry + :dry)
"""

UNRENDERED = f"""
SELECT key FROM render_candidate JOIN url USING (key)
WHERE family = ? AND template = ? AND NOT rendered AND NOT is_sample AND state = {DONE}
ORDER BY key LIMIT ?
"""


MOST_WAITS = max(FRUITLESS_WAITS, FAMILY_FRUITLESS_WAITS)

STATIC = """
SELECT family, template, since FROM (
    SELECT family, template, gained, coalesce(static_since, (
        SELECT min(?) FROM render WHERE render.family = rendering.family
        AND render.template = rendering.template AND outcome = 'nothing'
    )) AS since FROM rendering
) WHERE template <> '' AND NOT gained AND since > ?
"""

EXAMPLES = 20
UNFINISHED = f"waiting IN ('{Waiting.DENIED.value}', '{Waiting.VAIN.value}')"
FIRST_UNFINISHED = f"""
SELECT url FROM render JOIN url USING (key) WHERE {UNFINISHED} ORDER BY url LIMIT ?
"""

DENIED_SIGNATURES = """
SELECT family, template, count(*) FROM render WHERE waiting = 'denied' GROUP BY family, template
"""

DENIED = f"""
SELECT key FROM render JOIN render_candidate USING (key) JOIN url USING (key)
WHERE render.family = ? AND render.template = ? AND waiting = 'denied'
AND NOT is_sample AND state = {DONE} ORDER BY key LIMIT ?
"""

SHOWING = """
SELECT text_length, rendered.key NOT NULL, verdict
FROM page JOIN url USING (key) LEFT JOIN rendered USING (key) WHERE key = ?
"""

LISTED = (
    f"FROM rendered JOIN url USING (key) WHERE state = {DONE} AND sources <> 0 "
    "AND verdict = 'listed'"
)

LOOKED = """
SELECT count(*) FROM render JOIN render_candidate USING (key)
WHERE render.family = ? AND render.template = ? AND waiting = 'vain' AND is_sample
"""


class Rendering:
    """The results of rendering, by the signatures of pages."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def begin_run(self, run: int, *, is_alike: bool) -> None:
        """Forget what the last run found, but for the templates that are static.

        These are looked at again after ``CHECKED_EVERY`` runs.

        ``is_alike``: whether the run has the arguments of the last one.
        """
        static = self._db.rows(STATIC, run, run - CHECKED_EVERY) if is_alike else []
        for table in ("rendering", "render_candidate", "render"):
            self._db.execute(f"DELETE FROM {table}")
        self._db.executemany("INSERT INTO rendering VALUES (?, ?, 0, 0, 0, 0, ?)", static)

    def record_of(self, signature: RenderSignature, key: int) -> RenderRecord:
        """Return the counts of a signature and its family, and whether the page is a sample."""
        of_template, of_family = map(self._read_tally, _levels_of(signature)[:2])
        return RenderRecord(of_template, of_family, self._is_sample(key))

    def _read_tally(self, level: RenderSignature) -> RenderTally:
        counts = "SELECT seen, rendered, gained, dry, static_since FROM rendering"
        row = self._db.first(f"{counts} WHERE family = ? AND template = ?", *level)
        return _tally(row) if row else RenderTally()

    def _is_sample(self, key: int) -> bool:
        return bool(self._db.one("SELECT is_sample FROM render_candidate WHERE key = ?", key))

    def count_skipped(self, signature: RenderSignature, key: int) -> None:
        """Count a page with scripts that was not rendered."""
        self._count_page(signature, key, rendered=False, gained=False, dry=0)

    def count_rendered(
        self, signature: RenderSignature, key: int, gain: Gain, *, repeats: bool = False
    ) -> None:
        """Count a page that was rendered, and whether it gained anything.

        ``repeats``: scripts added links, all of which the site was known to have.
        """
        dry = 0 if gain.is_any else REPEATED if repeats else 1
        self._count_page(signature, key, rendered=True, gained=gain.is_any, dry=dry)

    def wait_record(self, signature: RenderSignature, key: int) -> WaitRecord:
        """Count what waiting has brought to pages of a signature and its family."""
        of_template, of_family = map(self._read_patience, _levels_of(signature)[:2])
        return WaitRecord(of_template, of_family, self._is_sample(key))

    def _read_patience(self, level: RenderSignature) -> Patience:
        return Patience(
            came=self._count_waits(level, Waiting.CAME), vain=self._count_waits(level, Waiting.VAIN)
        )

    def _count_waits(self, level: RenderSignature, waiting: Waiting) -> int:
        """Count pages with an outcome of waiting, up to ``MOST_WAITS``."""
        is_in_level = "family = ? AND template = ?" if level.template else "family = ?"
        query = f"SELECT 1 FROM render WHERE waiting <> '' AND waiting = ? AND {is_in_level}"
        found = self._db.rows(f"{query} LIMIT {MOST_WAITS}", waiting.value, *filter(None, level))
        return len(found)

    def site_tally(self) -> RenderTally:
        """Return the counts of the whole site."""
        return self._read_tally(RenderSignature())

    def _count_page(
        self, signature: RenderSignature, key: int, *, rendered: bool, gained: bool, dry: int
    ) -> None:
        with self._db.writing():
            known = self._db.one("SELECT rendered FROM render_candidate WHERE key = ?", key)
            if known is not None and known >= rendered:
                return  # the page is repeated after a crash
            self._db.execute(
                "INSERT INTO render_candidate (key, family, template, rendered) "
                "VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET family = excluded.family, "
                "template = excluded.template, rendered = excluded.rendered",
                (key, *signature, rendered),
            )
            counts = {"is_new": known is None, "rendered": rendered, "gained": gained, "dry": dry}
            self._db.executemany(
                COUNT, [{**level._asdict(), **counts} for level in _levels_of(signature)]
            )

    def record_render(self, key: int, render: Render) -> None:
        """Keep the result of rendering a page."""
        reason, outcome, seconds, signature, waiting, empty, gained, added = render
        with self._db.writing():
            columns = "key reason outcome seconds family template waiting empty"
            self._db.execute(
                insert_sql("render", columns, "REPLACE"),
                (key, reason, outcome, seconds, *signature, waiting, empty),
            )
            if gained:
                columns = insert_sql("rendered", "key reason gained", "REPLACE")
                self._db.execute(columns, (key, reason, gained))
            else:
                self._db.execute("DELETE FROM rendered WHERE key = ?", (key,))
            if added:
                packed = array("q", added).tobytes()
                self._db.execute(
                    insert_sql("added_link", "source targets", "REPLACE"), (key, packed)
                )
            else:
                self._db.execute("DELETE FROM added_link WHERE source = ?", (key,))

    def added_links(self) -> Iterator[tuple[int, bytes]]:
        """Yield (source key, packed 64-bit target keys) of links that only scripts show."""
        return self._db.read("SELECT source, targets FROM added_link")

    def count_gains(self) -> Counter[tuple[str, int]]:
        """Count the listed pages that show more in a browser, by (reason, ``learn.Gain.bits``)."""
        query = f"SELECT rendered.reason, gained, count(*) {LISTED} GROUP BY 1, 2"
        return Counter({(reason, bits): pages for reason, bits, pages in self._db.rows(query)})

    def rendered_pages(self, count: int) -> list[Rendered]:
        """Return the first of these pages in URL order."""
        query = f"SELECT url, rendered.reason, gained {LISTED} ORDER BY url LIMIT ?"
        return [Rendered(*row) for row in self._db.rows(query, count)]

    def report(self) -> RenderingReport:
        """Return the counts of this run."""
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
            unfinished=self._db.one(f"SELECT count(*) FROM render WHERE {UNFINISHED}"),
            unfinished_examples=self._db.column(FIRST_UNFINISHED, EXAMPLES),
        )

    def emptiness(self, key: int) -> str | None:
        """Return ``Render.empty`` of a page."""
        found: str | None = self._db.one("SELECT empty FROM render WHERE key = ?", key)
        return found

    def showing(self, key: int) -> Showing | None:
        """Return where the content of a page comes from; None if it was not fetched."""
        row = self._db.execute(SHOWING, (key,)).fetchone()
        return Showing(row[0], bool(row[1]), row[2] or "") if row else None

    def tallies(self) -> dict[RenderSignature, RenderTally]:
        """What rendering brought on each level: signatures, families, the site."""
        rows = self._db.rows("SELECT * FROM rendering ORDER BY family, template")
        return {
            RenderSignature(family, template): _tally(counts) for family, template, *counts in rows
        }

    def unrendered_keys(self, signature: RenderSignature, count: int) -> list[int]:
        """Keys of the first pages of a signature that were read without the browser."""
        return self._db.column(UNRENDERED, *signature, count)

    def denied_waits(self) -> list[Denied]:
        """Count the pages that were not waited for, by signature."""
        return [
            Denied(
                signature := RenderSignature(family, template),
                pages,
                looked=self._db.one(LOOKED, *signature),
                has_come=self._count_waits(signature, Waiting.CAME) > 0,
            )
            for family, template, pages in self._db.rows(DENIED_SIGNATURES)
        ]

    def unawaited_keys(self, signature: RenderSignature, count: int) -> list[int]:
        """Keys of the first pages of a signature that were not waited for."""
        return self._db.column(DENIED, *signature, count)

    def keep_samples(self, keys: Iterable[int]) -> None:
        """Keep that these pages are read again to see what the browser, or the wait, brings."""
        self._db.write_all(
            "UPDATE render_candidate SET is_sample = 1 WHERE key = ?", [(key,) for key in keys]
        )


def _tally(row: tuple[int, int, int, int, int | None]) -> RenderTally:
    seen, rendered, gained, dry, static_since = row
    return RenderTally(seen, rendered, gained, dry, static_since is not None)


def _levels_of(signature: RenderSignature) -> tuple[RenderSignature, ...]:
    """Return a signature, that of its family, and that of the site."""
    return signature, RenderSignature(signature.family), RenderSignature()
