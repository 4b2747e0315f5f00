"""Results of rendering, by page and by signature."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.rendering.learn import (
    FAMILY_FRUITLESS_WAITS,
    FRUITLESS_WAITS,
    REPEATED,
    Patience,
    Record,
    Tally,
    Waiting,
    Waits,
)
from sitemapgen.store.states import DONE, insert

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.core.rendering.learn import Gain
    from sitemapgen.store.database import Database


class Render(NamedTuple):
    """The result of rendering one page."""

    reason: str
    """Why it was rendered."""
    outcome: str
    """The outcome: ``gained``, ``nothing`` or ``failed``."""
    seconds: float = 0.0
    signature: str = ""
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

    signature: str
    pages: int
    looked: int
    """How many more of them were read again with the wait, in vain."""
    has_come: bool
    """Whether waiting for any page of the signature has brought something."""


class RenderingReport(NamedTuple):
    """Counts of the pages rendered in a run."""

    pages: int
    reasons: dict[str, int]
    """Number of pages by the reason for rendering."""
    gained_nothing: int
    """Number of pages to which rendering added nothing."""
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
INSERT INTO rendering (signature, seen, rendered, gained, dry) VALUES (?1, 1, ?2, ?3, ?5)
ON CONFLICT (signature) DO UPDATE SET
    seen = seen + ?4,
    rendered = rendered + ?2,
    gained = gained + ?3,
    dry = CASE WHEN ?3 THEN 0 ELSE dry + ?5 END
"""

UNRENDERED = f"""
SELECT key FROM render_candidate JOIN url USING (key)
WHERE signature = ? AND NOT rendered AND NOT is_sample AND state = {DONE} ORDER BY key LIMIT ?
"""


WAITED = (Waiting.CAME.value, Waiting.VAIN.value)  # the fields of Patience
MOST_WAITS = max(FRUITLESS_WAITS, FAMILY_FRUITLESS_WAITS)

EXAMPLES = 20
UNFINISHED = f"waiting IN ('{Waiting.DENIED.value}', '{Waiting.VAIN.value}')"
FIRST_UNFINISHED = f"""
SELECT url FROM render JOIN url USING (key) WHERE {UNFINISHED} ORDER BY url LIMIT ?
"""

IN_FAMILY = "signature >= ? || ' ' AND signature < ? || '!' AND waiting = ?"

DENIED_SIGNATURES = """
SELECT signature, count(*) FROM render WHERE waiting = 'denied' GROUP BY signature
"""

DENIED = f"""
SELECT key FROM render JOIN render_candidate USING (key) JOIN url USING (key)
WHERE render.signature = ? AND waiting = 'denied' AND NOT is_sample AND state = {DONE}
ORDER BY key LIMIT ?
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
WHERE render.signature = ? AND waiting = 'vain' AND is_sample
"""


class Rendering:
    """The results of rendering, by the signatures of pages."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def of(self, signature: str, key: int) -> Record:
        """Return the counts of a signature and its family, and whether the page is a sample."""
        here, family, _ = _levels(signature)
        rows = self._db.rows("SELECT * FROM rendering WHERE signature IN (?, ?)", here, family)
        is_sample = self._db.one("SELECT is_sample FROM render_candidate WHERE key = ?", key)
        tallies = {name: Tally(*counts) for name, *counts in rows}
        return Record(tallies.get(here, Tally()), tallies.get(family, Tally()), is_sample == 1)

    def skip(self, signature: str, key: int) -> None:
        """Count a page with scripts that was not rendered."""
        self._count(signature, key, rendered=False, gained=False, dry=0)

    def record(self, signature: str, key: int, gain: Gain, *, repeats: bool = False) -> None:
        """Count a page that was rendered, and whether it gained anything.

        ``repeats``: scripts added links, all of which the site was known to have.
        """
        dry = 0 if gain.is_any else REPEATED if repeats else 1
        self._count(signature, key, rendered=True, gained=gain.is_any, dry=dry)

    def waits(self, signature: str, key: int) -> Waits:
        """Count what waiting has brought to pages of a signature and its family."""
        is_sample = self._db.one("SELECT is_sample FROM render_candidate WHERE key = ?", key)
        here, family, _ = _levels(signature)
        of_template = Patience(
            *(self._waits(f"signature = ? AND waiting = '{word}'", here) for word in WAITED)
        )
        of_family = Patience(*(self._waits(IN_FAMILY, family, family, word) for word in WAITED))
        return Waits(of_template, of_family, is_sample == 1)

    def _waits(self, which: str, *values: str) -> int:
        """Count pages that the browser waited for, up to ``MOST_WAITS``."""
        query = f"SELECT 1 FROM render WHERE waiting <> '' AND {which} LIMIT {MOST_WAITS}"
        return len(self._db.rows(query, *values))

    def total(self) -> Tally:
        """Return the counts of the whole site."""
        row = self._db.first("SELECT * FROM rendering WHERE signature = ''")
        return Tally(*row[1:]) if row else Tally()

    def _count(self, signature: str, key: int, *, rendered: bool, gained: bool, dry: int) -> None:
        with self._db.writing():
            known = self._db.one("SELECT rendered FROM render_candidate WHERE key = ?", key)
            if known is not None and known >= rendered:
                return  # the page is repeated after a crash
            self._db.execute(
                "INSERT INTO render_candidate (key, signature, rendered) VALUES (?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET "
                "signature = excluded.signature, rendered = excluded.rendered",
                (key, signature, rendered),
            )
            self._db.executemany(
                COUNT,
                [(level, rendered, gained, known is None, dry) for level in _levels(signature)],
            )

    def note(self, key: int, render: Render) -> None:
        """Keep the result of rendering a page."""
        *values, gained, added = render
        with self._db.writing():
            self._db.execute(
                insert("render", "key reason outcome seconds signature waiting empty", "REPLACE"),
                (key, *values),
            )
            if gained:
                columns = insert("rendered", "key reason gained", "REPLACE")
                self._db.execute(columns, (key, render.reason, gained))
            else:
                self._db.execute("DELETE FROM rendered WHERE key = ?", (key,))
            if added:
                packed = array("q", added).tobytes()
                self._db.execute(insert("added_link", "source targets", "REPLACE"), (key, packed))
            else:
                self._db.execute("DELETE FROM added_link WHERE source = ?", (key,))

    def added_links(self) -> Iterator[tuple[int, bytes]]:
        """Yield (source key, packed 64-bit target keys) of links that only scripts show."""
        return self._db.read("SELECT source, targets FROM added_link")

    def gains(self) -> Counter[tuple[str, int]]:
        """Count the listed pages that show more in a browser, by (reason, ``learn.Gain.bits``)."""
        query = f"SELECT rendered.reason, gained, count(*) {LISTED} GROUP BY 1, 2"
        return Counter({(reason, bits): pages for reason, bits, pages in self._db.rows(query)})

    def rendered(self, count: int) -> list[Rendered]:
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
            unfinished_examples=[url for (url,) in self._db.rows(FIRST_UNFINISHED, EXAMPLES)],
        )

    def emptiness(self, key: int) -> str | None:
        """Return ``Render.empty`` of a page."""
        found: str | None = self._db.one("SELECT empty FROM render WHERE key = ?", key)
        return found

    def showing(self, key: int) -> Showing | None:
        """Return where the content of a page comes from; None if it was not fetched."""
        row = self._db.execute(SHOWING, (key,)).fetchone()
        return Showing(row[0], bool(row[1]), row[2] or "") if row else None

    def tallies(self) -> dict[str, Tally]:
        """What rendering brought, by the name of each level: signatures, families, the site."""
        rows = self._db.rows("SELECT * FROM rendering ORDER BY signature")
        return {name: Tally(*counts) for name, *counts in rows}

    def unrendered(self, signature: str, count: int) -> list[int]:
        """Keys of the first pages of a signature that were read without the browser."""
        return [key for (key,) in self._db.rows(UNRENDERED, signature, count)]

    def denied(self) -> list[Denied]:
        """Count the pages that were not waited for, by signature."""
        return [
            Denied(
                *(signature, pages, self._db.one(LOOKED, signature)),
                self._waits("signature = ? AND waiting = 'came'", signature) > 0,
            )
            for signature, pages in self._db.rows(DENIED_SIGNATURES)
        ]

    def unawaited(self, signature: str, count: int) -> list[int]:
        """Keys of the first pages of a signature that were not waited for."""
        return [key for (key,) in self._db.rows(DENIED, signature, count)]

    def keep_samples(self, keys: Iterable[int]) -> None:
        """Keep that these pages are read again to see what the browser, or the wait, brings."""
        with self._db.writing():
            self._db.executemany(
                "UPDATE render_candidate SET is_sample = 1 WHERE key = ?", [(key,) for key in keys]
            )


def _levels(signature: str) -> tuple[str, str, str]:
    """Return a signature, its family (its first part), and the site (the empty signature)."""
    return signature, signature.partition(" ")[0], ""
