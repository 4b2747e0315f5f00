"""The embedded store's directories of plain URLs. See ``Crowds``."""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING
from zlib import crc32

from sitemapgen.analysis.crowds import COPIED, FIRST, GROWTH, Crowd
from sitemapgen.analysis.made_up import MadeUp
from sitemapgen.core.traps import made_up, plain_shape
from sitemapgen.core.urls import split
from sitemapgen.store.crowds import Answers
from sitemapgen.store.sqlite.states import DONE, KNOWN, LINK, PENDING, START, insert

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.items import Link, Page
    from sitemapgen.store.sqlite.database import Database
    from sitemapgen.store.sqlite.trap_candidates import SqliteTrapCandidates

MADE_UP = "made_up"
"""The kind of a directory that is asked for URLs of no page."""
KEEP = insert("crowd", "directory pattern asked is_held", "REPLACE")
MAX_DIRECTORIES = 10_000
"""Directories counted at a time; beyond, the smallest are dropped."""
MAX_PLACES, MAX_WORDS = 12, 20_000
"""Places of a directory's paths, and different words counted at each."""
_SEPARATORS = re.compile(r"[/,+;]|%2[bBcC]")
WHOLE = ("mirror", MADE_UP)
"""Kinds of directories whose URLs wait whatever their form, as one pattern."""
LINKED = f"hint IS NULL AND sources & {LINK} AND NOT sources & {START}"
PLAIN = f"{LINKED} AND pattern IS NULL"
COUNTED = f"""
WITH twice AS (
    SELECT content_hash AS hash, min(depth) AS depth FROM page JOIN url USING (key)
    WHERE content_hash NOT NULL AND depth NOT NULL GROUP BY content_hash HAVING count(*) > 1
)
SELECT url, state, coalesce(verdict, ''), coalesce(url.depth > twice.depth, 0)
FROM url LEFT JOIN page USING (key) LEFT JOIN twice ON twice.hash = page.content_hash
WHERE {PLAIN}
"""


class SqliteCrowds:
    """See the protocol ``Crowds``; and the pattern of each link's URL."""

    def __init__(self, db: Database, suspects: SqliteTrapCandidates) -> None:
        self._db = db
        self._trap_candidates = suspects
        self._due = FIRST
        self._base = ""
        self._held: dict[str, tuple[int, bool]] = {}
        """By directory: its pattern, and whether that is one of all of its URLs."""
        self._asked: dict[str, int] = {}
        self._before: dict[str, tuple[int, int, int]] = {}
        """Fetched pages, copies and URLs when it was examined last."""
        self._new: set[int] = set()
        """Patterns with answers that were not looked at."""
        for directory, pattern, kind, asked, is_held in db.rows(
            "SELECT directory, crowd.pattern, kind, asked, is_held FROM crowd "
            "JOIN pattern ON pattern.id = crowd.pattern"
        ):
            if is_held:
                self._held[directory] = pattern, kind in WHOLE
            else:
                self._asked[directory] = asked
                self._new.add(pattern)

    def forget(self) -> None:
        """Begin a new run: nothing is held."""
        self._due, self._base = FIRST, ""
        self._held.clear()
        self._asked.clear()
        self._before.clear()
        self._new.clear()

    # In

    def pattern(self, link: Link) -> int | None:
        """Return the row of ``pattern`` in which a link's URL waits; None if it does not."""
        directory = self._directory(link.url) if self._held and not link.file else ""
        pattern, holds_all = self._held.get(directory, (None, False))
        if link.suspicion and not holds_all:
            return self._trap_candidates.family(link.suspicion)
        return pattern

    def _directory(self, url: str) -> str:
        """Return the first directory of a URL's path, below that of the start URL."""
        if not self._base:
            start = self._db.one("SELECT start FROM run ORDER BY id DESC LIMIT 1")
            self._base = split(start).path.rpartition("/")[0] + "/" if start else "/"
        path = split(url).path
        base = self._base if path.startswith(self._base) else "/"
        name, slash, _ = path[len(base) :].partition("/")
        return base + name + slash if slash else base

    def record_answer(self, page: Page) -> None:
        """Keep what a URL answered that no page links to."""
        row = self._db.first(
            "SELECT pattern.id, pattern.kind FROM url JOIN pattern ON pattern.id = url.pattern "
            "WHERE key = ?",
            page.key,
        )
        if not row:
            return
        pattern, kind = row
        followed = [link for link in page.links if not (link.nofollow or link.file or link.refusal)]
        if kind == MADE_UP:
            place = self._directory(page.url)
            links = [
                link.key
                for link in followed
                if not link.suspicion and self._directory(link.url) == place
            ]
            self._new.add(pattern)
        else:
            links = [link.key for link in followed if link.suspicion]
        self._trap_candidates.record_made_up(page, links)

    # Out

    def is_due(self, fetched: int) -> bool:
        if fetched < self._due:
            return False
        self._due = int(fetched * GROWTH)
        return True

    def crowds(self) -> Iterator[Crowd]:
        counts: dict[str, list[int]] = {}
        words: dict[str, list[set[int]]] = {}
        fewest = 1
        for url, state, verdict, is_copy in self._db.read(COUNTED):
            directory = self._directory(url)
            if directory not in counts:
                if len(counts) >= MAX_DIRECTORIES:
                    for small in [name for name, row in counts.items() if row[0] <= fewest]:
                        del counts[small], words[small]
                    fewest += 1
                counts[directory], words[directory] = [0, 0, 0, 0, 0], []
            is_fetched = state == DONE
            found = counts[directory]
            found[0] += 1
            found[1] += is_fetched
            found[2] += is_fetched and verdict == "listed"
            found[3] += is_copy
            found[4] += state == PENDING
            _take_words(words[directory], split(url).path[len(directory) :])
        for directory, (urls, fetched, listed, copies, waiting) in counts.items():
            sizes = [*map(len, words[directory])]
            before, of_them, known = self._before.get(directory, (0, 0, urls))
            if fetched - before >= COPIED:
                self._before[directory] = fetched, copies, urls
            yield Crowd(
                *(directory, urls, max(sizes, default=0), prod(sizes), fetched, listed),
                *(fetched - before, copies - of_them, urls - known, waiting),
                self._asked.get(directory, 0),
            )

    def hold(self, directory: str, kind: str) -> None:
        with self._db.writing():
            self._hold(directory, kind)

    def _hold(self, directory: str, kind: str) -> int:
        pattern = self._trap_candidates.pattern_of(kind, f"{directory}*")
        self._held[directory] = pattern, kind in WHOLE
        self._db.execute(
            "INSERT OR REPLACE INTO crowd (directory, pattern, asked, is_held) VALUES (?, ?, 0, 1)",
            (directory, pattern),
        )
        which = LINKED if kind in WHOLE else PLAIN
        rows = [
            (pattern, crc32(url.encode()), key_)
            for key_, url in self._db.read(f"SELECT key, url FROM url WHERE {which}")
            if self._directory(url) == directory
        ]
        self._db.executemany(
            "UPDATE url SET pattern = ?, draw = ?, "
            f"state = iif(state = {PENDING}, {KNOWN}, state) WHERE key = ?",
            rows,
        )
        return pattern

    def ask(self, crowd: Crowd, count: int) -> None:
        directory = crowd.directory
        self._asked[directory] = crowd.listed
        with self._db.writing():
            pattern = self._trap_candidates.pattern_of(MADE_UP, f"{directory}*")
            self._db.execute(
                KEEP,
                (directory, pattern, crowd.listed, False),
            )
            self._db.execute("DELETE FROM made_up WHERE pattern = ?", (pattern,))
            some = sorted(self._listed(directory), key=lambda url: crc32(url.encode()))[:count]
            self._trap_candidates.ask(
                pattern,
                [
                    made_up(url, plain_shape(url).pattern(frozenset()), seed)
                    for seed, url in enumerate(some, 1)
                ],
            )

    def _listed(self, directory: str) -> Iterable[str]:
        for (url,) in self._db.read(
            f"SELECT url FROM url WHERE {PLAIN} AND state = {DONE} AND verdict = 'listed'"
        ):
            if self._directory(url) == directory:
                yield url

    def answers(self) -> list[Answers]:
        found = []
        for directory, pattern in (
            self._db.rows(
                "SELECT directory, pattern FROM crowd WHERE NOT is_held ORDER BY directory"
            )
            if self._new
            else ()
        ):
            if pattern not in self._new:
                continue
            rows = self._db.rows(
                "SELECT url, sketch, reveals, length, title FROM made_up "
                "WHERE pattern = ? ORDER BY url",
                pattern,
            )
            lengths = [
                length
                for url, length in self._db.read(
                    "SELECT url, text_length FROM url JOIN page USING (key) "
                    f"WHERE {PLAIN} AND verdict = 'listed'"
                )
                if self._directory(url) == directory
            ]
            found.append(
                Answers(
                    directory,
                    [
                        MadeUp(url, sketch, bool(reveals), *rest)
                        for url, sketch, reveals, *rest in rows
                    ],
                    sum(lengths) / max(len(lengths), 1),
                )
            )
        self._new.clear()
        return found

    def leave(self, directory: str, reason: str) -> None:
        with self._db.writing():
            self._db.execute(
                "UPDATE pattern SET reason = ?, is_endless = 1 WHERE id = ?",
                (reason, self._hold(directory, MADE_UP)),
            )


def _take_words(words: list[set[int]], path: str) -> None:
    """Take in the words at each place of a path: /red,green/large/ has three."""
    for at, word in enumerate(part for part in _SEPARATORS.split(path) if part):
        if at == len(words):
            if at == MAX_PLACES:
                break
            words.append(set())
        if len(words[at]) < MAX_WORDS:
            words[at].add(crc32(word.encode()))
