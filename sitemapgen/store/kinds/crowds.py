"""Directories of plain URLs that may be endless."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple
from zlib import crc32

from sitemapgen.analysis.kinds.crowds import PlainUrl
from sitemapgen.analysis.kinds.made_up import MadeUp
from sitemapgen.core.urls import split
from sitemapgen.items import Judgement, Link, Page
from sitemapgen.store.database import Database
from sitemapgen.store.kinds.suspects import Suspects
from sitemapgen.store.packing import unpack_numbers
from sitemapgen.store.states import (
    DONE,
    JUDGED_SQL,
    KNOWN,
    LINK,
    NAMED,
    PENDING,
    START,
    insert_sql,
    judged_values,
)
from sitemapgen.verdicts import Verdict


class Answers(NamedTuple):
    """The responses of a directory to made-up URLs, which no page links to."""

    directory: str
    answers: list[MadeUp]
    usual_length: float
    """Mean length in characters of the main text of its listed pages."""


MADE_UP = "made_up"
"""``pattern.kind`` of a directory that is probed with made-up URLs."""
KEEP = insert_sql("crowd", "directory pattern asked is_held", "REPLACE")
WHOLE = ("mirror", MADE_UP)
"""Kinds of directories all of whose URLs, suspicious ones included, wait as one pattern."""
LINKED = f"hint IS NULL AND sources & {LINK} AND NOT sources & {START}"
PLAIN = f"{LINKED} AND pattern IS NULL"
PLAIN_URLS = f"""
WITH twice AS (
    SELECT content_hash AS hash, min(depth) AS depth FROM page JOIN url USING (key)
    WHERE text_hash NOT NULL AND depth NOT NULL GROUP BY content_hash HAVING count(*) > 1
)
SELECT url, state = {DONE}, coalesce(verdict, '') = 'listed',
       coalesce(url.depth > twice.depth, 0), state = {PENDING}
FROM url LEFT JOIN page USING (key) LEFT JOIN twice
    ON twice.hash = page.content_hash AND page.text_hash NOT NULL
WHERE {PLAIN}
"""
FROM_OUTSIDE = """
SELECT followed FROM link JOIN url ON url.key = link.source WHERE url.pattern IS NOT ?
"""


class Crowds:
    """The plain URLs, directory by directory; assigns patterns to the URLs of links, too."""

    def __init__(self, db: Database, suspects: Suspects) -> None:
        self._db = db
        self._suspects = suspects
        self._base = ""
        self._held: dict[str, tuple[int, bool]] = {}
        """By held directory: its row in ``pattern``, and whether all of its URLs wait in it."""
        self._asked: dict[str, int] = {}
        self._new: set[int] = set()
        """Patterns with responses to made-up URLs that ``new_answers`` has not returned yet."""
        for directory, pattern, kind, asked, is_held in db.rows(
            "SELECT directory, crowd.pattern, kind, asked, is_held FROM crowd "
            "JOIN pattern ON pattern.id = crowd.pattern"
        ):
            if is_held:
                self._held[directory] = pattern, kind in WHOLE
            else:
                self._asked[directory] = asked
                self._new.add(pattern)

    def fruitless(self) -> list[tuple[str, str]]:
        """Return (directory, kind) of the held directories that were left, as none is listed."""
        return self._db.rows(
            "SELECT directory, kind FROM crowd JOIN pattern ON pattern.id = crowd.pattern "
            "WHERE is_held AND reason <> '' AND NOT is_endless AND NOT EXISTS "
            "(SELECT 1 FROM url WHERE url.pattern = pattern.id AND verdict = 'listed')"
        )

    def begin_run(self, fruitless: Iterable[tuple[str, str]]) -> None:
        """Begin a new run: only the directories that were ``fruitless`` in the last one wait."""
        self._base = ""
        self._held.clear()
        self._asked.clear()
        self._new.clear()
        for directory, kind in fruitless:
            self._hold_back(directory, kind)

    # In

    def waiting_pattern(self, link: Link) -> int | None:
        """Return the id of the pattern in which a link's URL has to wait; None if in none."""
        directory = self._directory_of(link.url) if self._held and not link.file else ""
        pattern, holds_all = self._held.get(directory, (None, False))
        if link.suspicion and not holds_all:
            return self._suspects.family(link.suspicion)
        return pattern

    def _directory_of(self, url: str) -> str:
        """Return the first directory of a URL's path, below that of the start URL."""
        if not self._base:
            start = self._db.one("SELECT start FROM run ORDER BY id DESC LIMIT 1")
            self._base = split(start).path.rpartition("/")[0] + "/" if start else ""
        path = split(url).path
        base = self._base if self._base and path.startswith(self._base) else "/"
        name, slash, _ = path[len(base) :].partition("/")
        return base + name + slash if slash else base

    def record_answer(self, page: Page) -> None:
        """Keep the response to a made-up URL, and whether it reveals new URLs."""
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
            place = self._directory_of(page.url)
            links = [
                link.key
                for link in followed
                if not link.suspicion and self._directory_of(link.url) == place
            ]
            self._new.add(pattern)
        else:
            links = [link.key for link in followed if link.suspicion]
        self._suspects.record_made_up(page, links)

    # Out

    def plain_urls(self) -> Iterator[PlainUrl]:
        """Yield the plain URLs that are not held back."""
        return (
            PlainUrl(url, self._directory_of(url), *map(bool, facts))
            for url, *facts in self._db.read(PLAIN_URLS)
        )

    def asked(self) -> Mapping[str, int]:
        """Return, by directory, the number of its listed pages when it was last probed."""
        return self._asked

    def hold_back(self, directory: str, kind: str) -> None:
        """Hold back the present and future URLs of a directory as suspects of this kind."""
        with self._db.writing():
            self._hold_back(directory, kind)

    def _hold_back(self, directory: str, kind: str) -> int:
        pattern = self._suspects.pattern_of(kind, f"{directory}*")
        self._held[directory] = pattern, kind in WHOLE
        self._db.execute(
            "INSERT OR REPLACE INTO crowd (directory, pattern, asked, is_held) VALUES (?, ?, 0, 1)",
            (directory, pattern),
        )
        which = LINKED if kind in WHOLE else PLAIN
        rows = [
            (pattern, crc32(url.encode()), key_)
            for key_, url in self._db.read(f"SELECT key, url FROM url WHERE {which}")
            if self._directory_of(url) == directory
        ]
        self._db.executemany(
            "UPDATE url SET pattern = ?, draw = ?, "
            f"state = iif(state = {PENDING}, {KNOWN}, state) WHERE key = ?",
            rows,
        )
        return pattern

    def listed_urls(self, directory: str, count: int) -> list[str]:
        """Return the first listed URLs in a directory, in the order of a hash."""
        query = f"SELECT url FROM url WHERE {PLAIN} AND state = {DONE} AND verdict = 'listed'"
        found = [
            url
            for (url,) in self._db.read(query)
            if self._directory_of(url) == directory != split(url).path
        ]
        return sorted(found, key=lambda url: crc32(url.encode()))[:count]

    def forget_answers(self, directory: str, listed: int) -> None:
        """Forget what a directory has answered. ``listed``: its number of listed pages so far."""
        self._asked[directory] = listed
        with self._db.writing():
            pattern = self._suspects.pattern_of(MADE_UP, f"{directory}*")
            self._db.execute(KEEP, (directory, pattern, listed, False))
            self._db.execute("DELETE FROM made_up WHERE pattern = ?", (pattern,))

    def request_made_up(self, directory: str, urls: Iterable[str]) -> None:
        """Put made-up URLs of a directory into the frontier, unless it was asked for them."""
        query = "SELECT 1 FROM made_up WHERE url = ?"
        new = [url for url in urls if not self._db.one(query, url)]
        with self._db.writing():
            pattern = self._suspects.pattern_of(MADE_UP, f"{directory}*")
            self._suspects.ask(pattern, new)

    def new_answers(self) -> list[Answers]:
        """Return all responses of the directories that have new ones since the last call."""
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
                if self._directory_of(url) == directory
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

    def leave_out(self, directory: str, reason: str) -> None:
        """Hold back the present and future URLs of a directory as an endless space."""
        with self._db.writing():
            self._db.execute(
                "UPDATE pattern SET reason = ?, is_endless = 1 WHERE id = ?",
                (reason, self._hold_back(directory, MADE_UP)),
            )

    def leave_out_made_up(self) -> None:
        """Give the fetched pages of directories that were left the verdict ``trap``.

        A page stays to which a page outside of its directory links, or that the site names
        elsewhere; and all of the start URL's directory, which the site's own pages share.
        """
        left = self._db.rows(
            "SELECT id, directory, reason FROM pattern JOIN crowd ON crowd.pattern = pattern.id "
            f"WHERE kind = '{MADE_UP}' AND reason <> '' AND is_held"
        )
        for pattern, directory, reason in left:
            query = (
                f"SELECT number, key, url FROM url WHERE pattern = ? AND state = {DONE} "
                f"AND verdict = 'listed' AND NOT sources & {NAMED}"
            )
            revealed = {
                number: key_
                for number, key_, url in self._db.read(query, pattern)
                if self._directory_of(url) == directory != self._base
            }
            for (followed,) in self._db.read(FROM_OUTSIDE, pattern) if revealed else ():
                for number in unpack_numbers(followed):
                    revealed.pop(number, None)
            trap = judged_values(Judgement(Verdict.TRAP, f"{MADE_UP} {directory}*: {reason}"))
            self._db.write_all(
                f"UPDATE url SET {JUDGED_SQL} WHERE key = ?",
                ((*trap, key_) for key_ in revealed.values()),
            )
