"""Suspects, URLs of possibly endless spaces: patterns, releases, traps."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from zlib import crc32

from sitemapgen.analysis.kinds.crowds import Directories
from sitemapgen.analysis.kinds.dates import ENDED
from sitemapgen.analysis.kinds.made_up import MadeUp
from sitemapgen.analysis.kinds.patterns import Family, Pattern
from sitemapgen.analysis.kinds.usefulness import Lead, SuspectPage, Use
from sitemapgen.analysis.kinds.yields import Grant, Spaces
from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.shapes import base
from sitemapgen.core.urls import key, split
from sitemapgen.items import Judgement, Page, Suspicion
from sitemapgen.store.database import Database
from sitemapgen.store.packing import unpack_numbers
from sitemapgen.store.states import (
    DONE,
    EXCERPT,
    JUDGED_SQL,
    KNOWN,
    LET_IN,
    LINK,
    MADE_UP,
    PENDING,
    insert_sql,
    judged_values,
)
from sitemapgen.verdicts import Reason, Verdict


class TrapRow(NamedTuple):
    """One trap, one kind of response for missing pages, or one kind of repaired links."""

    kind: str
    pattern: str
    urls: int
    """Number of URLs left out; of session ids and host aliases, number of links found."""
    fetched: int
    useful: int
    """Number of fetched pages with new content or links to new content."""
    examples: tuple[str, ...]
    reason: str = ""
    """The evidence for a trap; empty for other rows."""
    is_endless: bool = False
    """Whether a trap still revealed new URLs when it was left; False for other rows."""


class FamilyRow(NamedTuple):
    """A family of suspicious URLs, some of which are in no pattern yet."""

    id: int
    name: str
    constants: frozenset[tuple[str, str]]
    """(slot, value) pairs that separate its patterns: ``analysis/kinds/patterns.py``."""
    size: int
    """Number of its URLs when the constants were decided."""


class Assignment(NamedTuple):
    """The pattern of a suspicious URL."""

    key: int
    url: str
    kind: str
    pattern: str
    space: str


@dataclass(slots=True)
class Memory:
    """Statistics of the analyses in this run; empty after a restart and in a new run."""

    families: dict[int, Family] = field(default_factory=dict)
    spaces: Spaces | None = None
    directories: Directories = field(default_factory=Directories)


EXAMPLES = 3
SORTED_TOGETHER = 5_000
"""Number of URLs assigned to patterns in one step; they take about 2 MB."""
MAX_ITEMS = 100
"""Maximum number of links of a page that are compared with those of other pages of its space."""
MAX_RELEASE = 20_000
"""Maximum number of URLs of one pattern released per round, so that a round fits into memory."""

PARAMETERS = "length({0}) - length(replace({0}, '&', '')), {0}"
ELSEWHERE = f"""
JOIN url AS place ON place.key = other.key
LEFT JOIN pattern AS there ON there.id = place.pattern
WHERE place.verdict = 'listed' AND place.sources <> 0
AND (place.pattern IS NULL OR ({PARAMETERS.format("there.pattern")})
    < ({PARAMETERS.format("pattern.pattern")}) OR place.pattern = url.pattern
    AND NOT EXISTS (SELECT 1 FROM suspect_page WHERE suspect_page.key = place.key)
    OR place.pattern <> url.pattern AND NOT EXISTS (
        SELECT 1 FROM url AS other WHERE other.pattern = place.pattern
        AND other.state <> {DONE} AND other.verdict IS NULL
    ))
"""
PAGE = f"""
SELECT coalesce(page.status >= 500, 0),
coalesce(page.own_reason = '{Reason.PASSWORD_FIELD.value}' AND EXISTS (
    SELECT 1 FROM page AS other JOIN suspect_page AS earlier USING (key)
    JOIN url AS place USING (key) WHERE other.content_hash = page.content_hash
    AND place.pattern = url.pattern AND earlier.use IS NOT NULL
), 0),
CASE WHEN page.text_hash NOT NULL THEN EXISTS (
    SELECT 1 FROM page AS other {ELSEWHERE} AND other.content_hash = page.content_hash
) WHEN page.excerpt <> '' THEN EXISTS (
    SELECT 1 FROM page AS other {ELSEWHERE} AND other.text_hash IS NULL
    AND other.title = page.title AND other.excerpt = page.excerpt
    AND other.pictures = page.pictures
) END, coalesce(sketch.sketch, x''),
coalesce(base.title || char(10) || {EXCERPT.format(page="base")}, ''),
coalesce(page.title || ' ' || page.h1, ''), coalesce(base.title || ' ' || base.h1, ''),
coalesce(base.key, 0), coalesce(theirs.followed, x'')
FROM suspect_page AS seen JOIN url ON url.key = seen.key JOIN pattern ON pattern.id = url.pattern
LEFT JOIN page ON page.key = seen.key
LEFT JOIN sketch ON sketch.key = seen.key
LEFT JOIN page AS base ON base.key = base_key(url.url) AND base.key <> url.key
LEFT JOIN link AS theirs ON theirs.source = base.key
WHERE seen.key = ?
"""
TARGETS = """
SELECT url.key, url.generation, CASE WHEN url.generation > 0 AND url.verdict = 'listed' AND EXISTS (
    SELECT 1 FROM page JOIN page AS other ON other.content_hash = page.content_hash
    JOIN url AS place ON place.key = other.key
    WHERE page.key = url.key AND page.text_hash NOT NULL
    AND place.verdict = 'listed' AND place.generation < url.generation
) THEN 'duplicate' ELSE coalesce(url.verdict, iif(pattern.reason <> '', 'trap', NULL)) END,
       url.pattern, pattern.space, seen.use
FROM json_each(?) AS wanted JOIN url ON url.number = wanted.value
LEFT JOIN pattern ON pattern.id = url.pattern
LEFT JOIN suspect_page AS seen ON seen.key = url.key
"""
JUDGED = f"""
SELECT url.pattern, coalesce(sketch.sketch, x''), seen.items,
       coalesce(base.title || char(10) || {EXCERPT.format(page="base")}, ''),
       coalesce(page.title || ' ' || page.h1, ''), seen.use
FROM suspect_page AS seen JOIN url ON url.key = seen.key
LEFT JOIN page ON page.key = seen.key
LEFT JOIN sketch ON sketch.key = seen.key
LEFT JOIN page AS base ON base.key = base_key(url.url) AND base.key <> url.key
WHERE seen.use IS NOT NULL ORDER BY seen.settled, seen.round, url.draw, url.url
"""
NEW = """
SELECT seen.key, seen.round, url.pattern, coalesce(url.verdict, ''), coalesce(followed, x'')
FROM suspect_page AS seen JOIN url ON url.key = seen.key LEFT JOIN link ON source = seen.key
WHERE {use} AND url.state = ? ORDER BY seen.round, url.draw, url.url
"""


NEW_OF_FAMILY = "FROM url WHERE pattern = ?"
SORTED = "WHERE pattern IN (SELECT id FROM pattern WHERE family = ? AND pattern NOT NULL)"
ADD_PATTERN = insert_sql("pattern", "kind pattern family space", "INSERT OR IGNORE")


class Suspects:
    """The URLs in possibly endless spaces, by their patterns."""

    def __init__(self, db: Database, max_depth: int) -> None:
        self._db = db
        self.max_depth = max_depth
        """Maximum depth, in links from the start URL, of released URLs; 0 means no limit."""
        self._families: dict[str, int] = {}
        self.memory = Memory()
        self.round = self._round()
        """Number of releases of URLs in this run."""
        made_up = db.rows(f"SELECT key FROM url WHERE sources = {MADE_UP}")
        self._made_up = {key_ for (key_,) in made_up}
        db.connection.create_function("base_key", 1, lambda url: key(base(url)), deterministic=True)

    def _round(self) -> int:
        return int(self._db.one("SELECT round FROM run ORDER BY id DESC LIMIT 1") or 0)

    @property
    def waiting(self) -> str:
        """SQL condition of the URLs that may be released."""
        return (
            f"state = {KNOWN} AND sources & {LINK} AND hops <= {MAX_HOPS} "
            "AND (verdict IS NULL OR verdict = 'not_fetched' "
            f"OR verdict = 'too_deep' AND depth <= {self.max_depth or 1 << 60})"
        )

    def begin_run(self) -> None:
        """Begin a new run: the patterns were deleted."""
        self._families.clear()
        self.memory = Memory()
        self._made_up.clear()
        self.round = self._round()

    # In

    def family(self, suspicion: Suspicion) -> int:
        """Return the row id that holds the URLs of a family not assigned to a pattern yet."""
        known = self._families.get(suspicion.family)
        if known is None:
            self._db.execute(ADD_PATTERN, (suspicion.kind, None, suspicion.family, ""))
            query = "SELECT id FROM pattern WHERE family = ? AND pattern IS NULL"
            known = self._families[suspicion.family] = int(self._db.one(query, suspicion.family))
        return known

    def _id(self, kind: str, pattern: str, family: str, space: str) -> int:
        self._db.execute(ADD_PATTERN, (kind, pattern, family, space))
        return int(self._db.one("SELECT id FROM pattern WHERE pattern = ?", pattern))

    def record_fetched(self, page: Page) -> None:
        """Record that a suspect was fetched."""
        self._db.execute(
            insert_sql("suspect_page", "key round", "INSERT OR IGNORE"), (page.key, self.round)
        )

    def is_made_up(self, key: int) -> bool:
        """Return whether a URL was made up as a probe: no page links to it."""
        return key in self._made_up

    def pattern_of(self, kind: str, name: str) -> int:
        """Return the row id of a pattern that is its own family and space; set its kind."""
        id_ = self._id(kind, name, name, name)
        self._db.execute("UPDATE pattern SET kind = ? WHERE id = ?", (kind, id_))
        return id_

    def record_made_up(self, page: Page, keys: Sequence[int]) -> None:
        """Keep the response to a made-up URL and delete the URL.

        ``keys``: the URLs that it links to; it reveals something if one of them is not stored.
        """
        known = "SELECT count(*) FROM url WHERE key IN (SELECT value FROM json_each(?))"
        copied = "SELECT 1 FROM page WHERE content_hash = ? LIMIT 1"
        is_page = page.judgement.verdict is Verdict.LISTED
        is_copy = self._db.one(copied, page.content_hash) is not None
        self._db.execute(
            "REPLACE INTO made_up (url, pattern, sketch, reveals, length, title) "
            "SELECT url, pattern, :sketch, :reveals, :length, :title FROM url WHERE key = :key",
            {
                "key": page.key,
                "sketch": page.sketch if is_page else b"",
                "reveals": not is_copy and len(set(keys)) > self._db.one(known, json.dumps(keys)),
                "length": page.text_length,
                "title": page.title,
            },
        )
        self._db.execute("DELETE FROM url WHERE key = ?", (page.key,))
        self._made_up.discard(page.key)

    def record(self, page: Page) -> None:
        """Keep the sketch of a page, and its repaired links (``Page.sightings``)."""
        if page.sketch:
            self._db.execute(insert_sql("sketch", "key sketch", "REPLACE"), (page.key, page.sketch))
        self._db.executemany(
            "INSERT INTO sighting (kind, pattern, links, example) VALUES (?, ?, 1, ?) "
            "ON CONFLICT (kind, pattern) DO UPDATE SET links = links + 1, "
            "example = min(example, excluded.example)",
            page.sightings,
        )

    def are_pending(self) -> bool:
        """Return whether any of them is in the frontier."""
        query = f"SELECT 1 FROM url WHERE pattern IS NOT NULL AND state = {PENDING} LIMIT 1"
        return self._db.one(query) is not None

    # Patterns

    def families(self) -> list[FamilyRow]:
        """Return the families with URLs that are in no pattern, sorted by name."""
        rows = self._db.rows(
            "SELECT id, family, constants, size FROM pattern "
            "WHERE pattern IS NULL AND EXISTS (SELECT 1 FROM url WHERE url.pattern = pattern.id) "
            "ORDER BY family"
        )
        return [
            FamilyRow(id_, name, frozenset(map(tuple, json.loads(constants))), size)
            for id_, name, constants, size in rows
        ]

    def new_urls(self, family: FamilyRow) -> Iterator[str]:
        """Yield the URLs of a family that are in no pattern yet."""
        return (url for (url,) in self._db.read(f"SELECT url {NEW_OF_FAMILY}", family.id))

    def sorted_urls(self, family: FamilyRow) -> Iterator[str]:
        """Yield the URLs of a family that are in its patterns."""
        return (url for (url,) in self._db.read(f"SELECT url FROM url {SORTED}", family.name))

    def has_released(self, family: FamilyRow) -> bool:
        """Return whether URLs of a pattern of this family were released in doubt."""
        query = "SELECT 1 FROM pattern WHERE family = ? AND doubt > 0 LIMIT 1"
        return self._db.one(query, family.name) is not None

    def decide(self, family: FamilyRow, constants: frozenset[tuple[str, str]], size: int) -> bool:
        """Keep the constants of a family of ``size`` URLs; return whether URLs lost their pattern.

        All of them do if the constants changed.
        """
        moved = 0
        with self._db.writing():
            if constants != family.constants:
                moved = self._db.execute(
                    f"UPDATE url SET pattern = ? {SORTED}", (family.id, family.name)
                ).rowcount
            self._db.execute(
                "UPDATE pattern SET constants = ?, size = ? WHERE id = ?",
                (json.dumps(sorted(constants)), size, family.id),
            )
        return moved > 0

    def unassigned(self, family: FamilyRow) -> list[tuple[int, str]]:
        """Return some thousand (key, URL) of a family that are in no pattern; empty at the end."""
        return self._db.rows(f"SELECT key, url {NEW_OF_FAMILY} LIMIT {SORTED_TOGETHER}", family.id)

    def assign(self, family: FamilyRow, assignments: Sequence[Assignment]) -> None:
        """Put URLs of a family into their patterns."""
        ids: dict[str, int] = {}
        rows = []
        with self._db.writing():
            for key_, url, kind, name, space in assignments:
                if name not in ids:
                    ids[name] = self._id(kind, name, family.name, space)
                draw = crc32(url[len(split(url).origin) :].encode()) | url.count("&") << 32
                rows.append((ids[name], draw, key_))
            self._db.executemany("UPDATE url SET pattern = ?, draw = ? WHERE key = ?", rows)

    def patterns(self) -> list[Pattern]:
        """Return all patterns, sorted by name."""
        rows = self._db.rows(
            f"""
            SELECT id, kind, pattern, family, space,
                (SELECT count(*) FROM url WHERE url.pattern = pattern.id AND {self.waiting}),
                (SELECT count(*) FROM url WHERE url.pattern = pattern.id AND state = {PENDING}),
                (SELECT count(*) FROM url WHERE url.pattern = pattern.id AND generation = ?),
                doubt, is_probed, reason <> '', is_endless
            FROM pattern WHERE pattern NOT NULL ORDER BY pattern
            """,
            self.round or -1,
        )
        return [Pattern(*row[:-3], *map(bool, row[-3:])) for row in rows]

    def feeds(self) -> list[tuple[int, int]]:
        """Return (pattern, pattern of which it revealed URLs)."""
        return self._db.rows("SELECT source, target FROM feed ORDER BY source, target")

    # Pages

    def judged(self) -> Iterator[tuple[SuspectPage, Use]]:
        """Yield the pages that have been judged, in the order of judging."""
        for pattern, sketch, items, base_, name, use in self._db.read(JUDGED):
            known = {"sketch": sketch, "items": _unpack(items), "base": base_, "name": name}
            yield SuspectPage(0, pattern, None, **known), Use(use)

    def open_pages(self) -> Iterator[SuspectPage]:
        """Yield the pages that were judged ``OPEN``, in order, with their leads alone."""
        query = NEW.format(use=f"use = {Use.OPEN:d}")
        names = self._spaces()
        for key_, round_, pattern, verdict, followed in self._db.read(query, DONE):
            leads, *_ = self._targets(followed, names[pattern], round_, is_new=True)
            yield SuspectPage(key_, pattern, Verdict(verdict), leads)

    def unjudged(self) -> Iterator[tuple[SuspectPage, int]]:
        """Yield the pages to judge, in order, each with its round."""
        with self._db.writing():
            self._db.execute("CREATE INDEX IF NOT EXISTS same_content ON page (content_hash)")
            self._db.execute(
                "CREATE INDEX IF NOT EXISTS little_text ON page (title, excerpt) "
                "WHERE text_hash IS NULL"
            )
        names, query = self._spaces(), NEW.format(use="use IS NULL")
        for key_, round_, pattern, verdict, followed in self._db.rows(query, DONE):
            *facts, base_, name, base_name, base_key, of_base = self._db.first(PAGE, key_)
            is_server_error, is_form_again, is_copy, sketch = facts
            leads, items, fed = self._targets(followed, names[pattern], round_)
            items -= {target & 0xFFFFFFFF for target in (base_key, *self._keys(of_base))}
            page = SuspectPage(
                key_,
                pattern,
                Verdict(verdict),
                leads,
                is_server_error=bool(is_server_error),
                is_form_again=bool(is_form_again),
                is_copy=bool(is_copy),
                sketch=sketch,
                items=items,
                base=base_,
                name=name,
                base_name=base_name,
            )
            with self._db.writing():
                self._db.execute(
                    "UPDATE suspect_page SET items = ? WHERE key = ?",
                    (array("I", sorted(items)[:MAX_ITEMS]).tobytes(), key_),
                )
                self._db.executemany(
                    insert_sql("feed", "source target", "INSERT OR IGNORE"),
                    [(pattern, to) for to in fed],
                )
            yield page, round_

    def _spaces(self) -> dict[int, str]:
        return dict(self._db.rows("SELECT id, space FROM pattern"))

    def _targets(
        self, followed: bytes, own_space: str, round_: int, *, is_new: bool = False
    ) -> tuple[tuple[Lead, ...], frozenset[int], set[int]]:
        """Return leads and items outside of the space of a page, and the patterns that it feeds.

        ``is_new``: only of what was found in this round.
        """
        leads, items, fed = [], set(), set()
        targets = json.dumps(unpack_numbers(followed))
        query = f"{TARGETS} WHERE url.generation = {round_:d}" if is_new else TARGETS
        for key_, generation, verdict, pattern, name, use in self._db.rows(query, targets):
            is_lead = round_ > 0 and generation == round_
            if is_lead and pattern is not None:
                fed.add(pattern)
            if name == own_space:
                continue
            if verdict == Verdict.LISTED.value:
                items.add(key_ & 0xFFFFFFFF)
            if is_lead:
                leads.append(Lead(Verdict(verdict) if verdict else None, use, pattern))
        return tuple(leads), frozenset(sorted(items)[:MAX_ITEMS]), fed

    def _keys(self, packed: bytes) -> list[int]:
        """Return the keys of the URLs with these numbers."""
        query = "SELECT key FROM url WHERE number IN (SELECT value FROM json_each(?))"
        return [key_ for (key_,) in self._db.rows(query, json.dumps(unpack_numbers(packed)))]

    def set_uses(self, uses: Iterable[tuple[int, Use]]) -> None:
        """Set the judgements of pages: (key, use)."""
        rows = [(int(use), self.round, key_) for key_, use in uses]
        with self._db.writing():
            self._db.executemany("UPDATE suspect_page SET use = ?, settled = ? WHERE key = ?", rows)

    # Probes

    def listed_urls(self, pattern: int) -> list[str]:
        """Return the URLs of up to two pages of a pattern, useful ones first."""
        rows = self._db.rows(
            "SELECT url.url FROM url JOIN suspect_page AS seen ON seen.key = url.key "
            f"WHERE url.pattern = ? AND url.state = {DONE} AND url.verdict = 'listed' "
            f"ORDER BY use <> {Use.USEFUL:d}, draw, url LIMIT 2",
            pattern,
        )
        return [url for (url,) in rows]

    def probe(self, pattern: int, urls: Iterable[str]) -> int:
        """Put made-up URLs of a pattern into the frontier; return the number of new ones."""
        with self._db.writing():
            self._db.execute("UPDATE pattern SET is_probed = 1 WHERE id = ?", (pattern,))
            return self.ask(pattern, urls)

    def ask(self, pattern: int, urls: Iterable[str]) -> int:
        """Put made-up URLs of a pattern into the frontier, unless stored; return their number."""
        asked = {
            key(url)
            for url in urls
            if self._db.execute(
                "INSERT OR IGNORE INTO url (key, url, state, sources, depth, hops, position, "
                f"pattern) VALUES (?, ?, {PENDING}, {MADE_UP}, 0, 0, 0, ?)",
                (key(url), url, pattern),
            ).rowcount
        }
        self._made_up |= asked
        return len(asked)

    def made_up(self) -> dict[int, tuple[list[MadeUp], float]]:
        """Return, by pattern, the responses to made-up URLs, and the mean text length of its
        listed pages."""
        found: dict[int, tuple[list[MadeUp], float]] = {}
        rows = self._db.rows(
            "SELECT pattern, url, sketch, reveals, length FROM made_up "
            "WHERE pattern NOT IN (SELECT pattern FROM crowd) ORDER BY url"
        )
        for pattern, url, sketch, reveals, length in rows:
            if pattern not in found:
                found[pattern] = [], self._usual_length(pattern)
            found[pattern][0].append(MadeUp(url, sketch, bool(reveals), length))
        return found

    def _usual_length(self, pattern: int) -> float:
        query = (
            "SELECT avg(text_length) FROM page JOIN url USING (key) "
            "WHERE pattern = ? AND verdict = 'listed'"
        )
        return float(self._db.one(query, pattern) or 0)

    # Out

    def release(self, grants: Iterable[Grant]) -> int:
        """Keep the grants, and put the granted URLs into the frontier; return their number."""
        total = 0
        self.round += 1
        with self._db.writing():
            for grant in grants:
                self._db.execute(
                    "UPDATE pattern SET doubt = doubt + :doubt, "
                    "is_endless = is_endless OR :is_endless, "
                    "reason = iif(:reason = '', reason, :reason) WHERE id = :pattern",
                    grant._asdict(),
                )
                if grant.urls:
                    total += self._release(grant)
            if not total:
                self.round -= 1
            self._db.execute("UPDATE run SET round = ? WHERE ended IS NULL", (self.round,))
        return total

    def _release(self, grant: Grant) -> int:
        return self._db.execute(
            f"{LET_IN} WHERE key IN (SELECT key FROM url WHERE pattern = ? AND {self.waiting} "
            "ORDER BY generation, draw, url LIMIT ?)",
            (grant.pattern, min(grant.urls, MAX_RELEASE)),
        ).rowcount

    def mark_traps(self, kept: Iterable[int]) -> None:
        """Give the waiting URLs of traps, and their useless pages, the verdict ``trap``.

        ``kept``: pages that have content, though each part of it is known from others.
        """
        repeats = f"{Use.COPY:d}, {Use.REPEAT:d}"
        useless = f"{Use.NOTHING:d}, {Use.LITTLE:d}, {Use.OPEN:d}, {Use.LIKE_BASE:d}"
        useless = f"{useless}, {Use.AGAIN:d}"
        is_kept = "key IN (SELECT value FROM json_each(?))"
        keys = json.dumps([*kept])
        with self._db.writing():
            for id_, kind, pattern, reason, is_endless in self._db.rows(
                "SELECT id, kind, pattern, reason, is_endless FROM pattern WHERE reason <> ''"
            ):
                trap = Judgement(Verdict.TRAP, f"{kind} {pattern}: {reason}")
                given = (*judged_values(trap), id_)
                self._db.execute(
                    f"UPDATE url SET {JUDGED_SQL} WHERE pattern = ? AND {self.waiting}",
                    given,
                )
                self._db.execute(
                    f"UPDATE url SET {JUDGED_SQL} WHERE pattern = ? "
                    "AND verdict = 'listed' AND key IN "
                    "(SELECT key FROM suspect_page "
                    f"WHERE use IN ({repeats}) "
                    f"OR {is_endless:d} AND use IN ({useless}) AND NOT {is_kept})",
                    (*given, keys),
                )

    def report(self) -> list[TrapRow]:
        """Return the traps, soft 404s by kind, session ids and host aliases."""
        rows = [
            self._trap_row(*row)
            for row in self._db.rows(
                "SELECT id, kind, coalesce(pattern, family), coalesce(nullif(reason, ''), ?), "
                "is_endless OR reason = '' FROM pattern WHERE EXISTS (SELECT 1 FROM url "
                "WHERE url.pattern = pattern.id AND (pattern.reason <> '' OR verdict = 'trap')) "
                "ORDER BY 3",
                ENDED,
            )
        ]
        lost = self._db.rows(
            "SELECT min(evidence), count(*), min(url) FROM url WHERE verdict = 'soft_404' "
            "AND sources <> 0 GROUP BY other_url ORDER BY min(evidence)"
        )
        sightings = self._db.rows(
            "SELECT kind, pattern, links, example FROM sighting "
            "WHERE kind NOT IN ('unread_links', 'unreached') ORDER BY kind, pattern"
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

    def _trap_row(self, id_: int, kind: str, pattern: str, reason: str, is_endless: int) -> TrapRow:
        urls, fetched, useful = self._db.first(
            f"SELECT sum(verdict = 'trap'), sum(state = {DONE}), "
            f"sum(use IN ({Use.USEFUL:d}, {Use.LEADS:d}) OR use IS NULL AND verdict = 'listed') "
            "FROM url LEFT JOIN suspect_page USING (key) WHERE pattern = ?",
            id_,
        )
        examples = self._db.rows(
            "SELECT url FROM url WHERE pattern = ? AND verdict = 'trap' "
            f"ORDER BY length(url), url LIMIT {EXAMPLES}",
            id_,
        )
        return TrapRow(
            kind,
            pattern,
            urls,
            fetched,
            useful or 0,
            examples=tuple(url for (url,) in examples),
            reason=reason,
            is_endless=bool(is_endless),
        )


def _unpack(items: bytes) -> frozenset[int]:
    return frozenset(array("I", items))
