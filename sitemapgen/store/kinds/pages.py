"""Kinds of pages: ``analysis/kinds``."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import NamedTuple

from sitemapgen.analysis.kinds.dates import ENDED, DatedUrl
from sitemapgen.analysis.kinds.laws import Signature
from sitemapgen.analysis.kinds.recombined import Recombined
from sitemapgen.analysis.kinds.roles import Fetched, Roles, Variant
from sitemapgen.analysis.kinds.versions import PageVersions
from sitemapgen.core.document.novelty import sketch_page
from sitemapgen.core.pagination import strip_page_number
from sitemapgen.core.urls import split_parameters
from sitemapgen.items import Judgement, Page
from sitemapgen.store.database import Database
from sitemapgen.store.kinds.suspects import Suspects
from sitemapgen.store.packing import unpack_numbers
from sitemapgen.store.states import (
    DOCUMENTS_SQL,
    DONE,
    EXCERPT,
    IN_FLIGHT,
    JUDGED_SQL,
    KNOWN,
    NAMED,
    OPEN_SQL,
    PENDING,
    START,
    judged_values,
)
from sitemapgen.verdicts import Verdict


class Asked(NamedTuple):
    """A URL that may be a variant of another one."""

    key: int
    url: str
    pattern: str
    """Its ``analysis.kinds.patterns.Pattern``; empty for that of a URL without parameters."""
    is_variant: bool
    """Whether it is called one already."""


MAX_LIST = 200
"""Pages of a list that are compared with its selections."""
KEPT = 8_000
"""Signatures that stay in memory, 10 to 40 kB each."""
MAX_DATES = 50_000
"""URLs of an endless pattern whose dates are compared, some 20 MB; of one with more none are."""

WAS_LISTED = """coalesce((
    SELECT had.verdict FROM verdict_history AS had
    WHERE had.key = url.key AND had.run < (SELECT max(id) FROM run) ORDER BY had.run DESC LIMIT 1
), '') = 'listed'"""
"""SQL condition of URLs that were listed before this run. Of pages that show the same, such a one
is taken before others, and none is left out unread: otherwise these would take turns."""
BEFORE = 1 << 30
"""What is subtracted from the depths of pages that were listed before this run."""

FETCHED = f"""
SELECT url.key, url.url, coalesce(pattern.pattern, '') AS pattern,
       iif(own_verdict = 'redirect', own_other_url, ''),
       coalesce(depth, 0) - iif({WAS_LISTED}, {BEFORE}, 0) AS depth
FROM page JOIN url USING (key) LEFT JOIN pattern ON pattern.id = url.pattern
WHERE state = {DONE} AND (
    page.key IN (SELECT key FROM sketch) AND own_verdict IN ({DOCUMENTS_SQL})
    OR url.pattern IS NOT NULL AND own_verdict = 'redirect'
)
"""
IN_ORDER = "ORDER BY url.url"
FIRSTS = f"""
SELECT pattern, depth, min(url) FROM ({FETCHED}) JOIN (
    SELECT pattern AS of_pattern, min(depth) AS least FROM ({FETCHED}) GROUP BY pattern
) ON pattern = of_pattern AND depth = least WHERE pattern <> '' GROUP BY pattern
"""
WITH_PARAMETERS = """url.pattern IS NOT NULL AND (
    instr(url, '?') OR url.pattern IN (SELECT id FROM pattern WHERE instr(pattern, '?'))
)"""
ASKED = f"""
SELECT key, url,
    coalesce((SELECT pattern.pattern FROM pattern WHERE pattern.id = url.pattern), ''),
    coalesce(verdict = 'variant', 0)
FROM url WHERE {WITH_PARAMETERS} AND NOT sources & {NAMED}
"""
SKETCHED = f"""
SELECT page.key, url, coalesce(depth, 0), coalesce(pattern.pattern, '')
FROM page JOIN sketch USING (key) JOIN url USING (key) LEFT JOIN pattern ON pattern.id = url.pattern
WHERE state = {DONE} AND own_verdict IN ({DOCUMENTS_SQL})
"""
PLAIN_LISTED = f"""
SELECT key, url, coalesce(pattern.pattern, '')
FROM url LEFT JOIN pattern ON pattern.id = url.pattern
WHERE state = {DONE} AND verdict = 'listed' AND NOT sources & {NAMED | START}
"""
WAITING_PLAIN = f"""
SELECT key, url, '', coalesce(verdict = 'variant', 0) FROM url
WHERE hint IS NULL AND NOT sources & {NAMED | START} AND NOT ({WITH_PARAMETERS})
AND (state = {PENDING} OR state <> {DONE} AND verdict = 'variant' OR {{waiting}})
AND NOT {WAS_LISTED}
ORDER BY coalesce(verdict, ''), depth, url
"""
UNSKETCHED = f"""
SELECT page.key FROM page JOIN url USING (key) WHERE state = {DONE} AND own_verdict = 'listed'
AND page.key NOT IN (SELECT key FROM sketch)
"""
CONTENT = "SELECT content_hash FROM page WHERE key = ?"
TEXT = """
SELECT url, title, subject, sketch FROM page JOIN url USING (key) JOIN sketch USING (key)
WHERE key = ?
"""
DATES = f"""
SELECT url.key, url.url, space, state = {DONE},
    state <> {DONE} AND coalesce(verdict = 'trap', 0), coalesce(depth, 0)
FROM pattern CROSS JOIN url ON url.pattern = pattern.id
WHERE (kind = 'calendar' OR pattern.id IN (SELECT value FROM json_each(?)))
AND pattern.reason = '' AND (
    state = {DONE} AND url.key IN (SELECT key FROM sketch) OR verdict = 'trap'
    OR {{waiting}}
)
"""
ENDLESS_DATES = f"""
SELECT url.key, url.url, space, coalesce(verdict, '') = 'listed' AND EXISTS (
    SELECT 1 FROM sketch WHERE sketch.key = url.key
), 0, coalesce(depth, 0)
FROM pattern CROSS JOIN url ON url.pattern = pattern.id
WHERE is_endless AND pattern.reason <> '' AND NOT EXISTS (
    SELECT 1 FROM url AS other WHERE other.pattern = pattern.id LIMIT 1 OFFSET {MAX_DATES}
)
"""
WITH_END = f"""
SELECT DISTINCT pattern FROM url WHERE pattern IS NOT NULL AND state <> {DONE} AND verdict = 'trap'
"""
END = f"""
UPDATE url SET verdict = 'trap', evidence = (
    SELECT kind || ' ' || pattern.pattern FROM pattern WHERE pattern.id = url.pattern
) || ': {ENDED}', other_url = '', reason = ''
WHERE key = ? AND (state <> {DONE} OR verdict = 'listed')
"""
LEAVE_OUT = f"""
UPDATE url SET state = iif(state = {PENDING}, {KNOWN}, state), {JUDGED_SQL} WHERE key = ?
"""
TAKE_BACK = f"""
UPDATE url SET state = iif(state = {KNOWN} AND pattern IS NULL, {PENDING}, state), {OPEN_SQL}
WHERE key = ?
"""
SIGNATURE = f"""
SELECT url.url, coalesce(pattern.pattern, ''), coalesce(title, ''), subject,
       coalesce(sketch, x''), coalesce(followed, x''),
       iif(sketch IS NULL, {EXCERPT.format(page="page")}, ''),
       EXISTS (SELECT 1 FROM render WHERE render.key = url.key), depth
FROM url LEFT JOIN page USING (key) LEFT JOIN sketch USING (key)
LEFT JOIN link ON link.source = url.key LEFT JOIN pattern ON pattern.id = url.pattern
WHERE url.key = ?
"""
TARGETS = """
SELECT key, url, coalesce(pattern.pattern, ''), depth > ?, EXISTS (
    SELECT 1 FROM sketch JOIN page USING (key) WHERE key = url.key AND own_verdict = 'listed'
) FROM url LEFT JOIN pattern ON pattern.id = url.pattern
WHERE number IN (SELECT value FROM json_each(?))
AND coalesce(verdict, '') NOT IN ('excluded', 'out_of_scope', 'robots_disallowed')
"""


class Kinds:
    """The pages, as far as their kinds are compared."""

    def __init__(self, db: Database, suspects: Suspects) -> None:
        self._db = db
        self._suspects = suspects
        self._recombined = Recombined(self)
        """The places below which names change nothing."""
        self.versions = PageVersions(self)
        self._sketched: list[int] | None = None
        """Keys of the pages whose paths have to be learnt; None for all."""
        self.has_path_laws = False
        """Whether there are, or were, places where names or identifiers change nothing."""
        self.forget()

    def forget(self) -> None:
        """Begin anew, with all pages to be learnt."""
        self.roles = Roles(self)
        """Those of the pages that were learnt in this process."""
        self._new: list[int] | None = None
        """Keys of the pages to be learnt; None for all."""
        self._firsts: dict[str, tuple[int, str]] = {}
        """By pattern of the learnt pages: depth and URL of the one nearest to the start."""
        self._signatures: dict[int, Signature] = {}
        self.is_asking = False
        """Whether pages were to be read again when ``lacking`` was last called."""
        self._asked: set[int] = set()
        """Pages that were read again to be compared."""
        self._relatives: dict[int, list[tuple[int, str]]] = {}
        """By page: (key, URL) of the fetched pages that it links to and may be a list with."""

    def record(self, page: Page) -> None:
        """Note that a page was fetched."""
        if self._new is not None:
            self._new.append(page.key)
        if self._sketched is not None and (page.sketch or page.is_carried):
            self._sketched.append(page.key)

    def learn(self) -> bool:
        """Have the roles learn the pages that were fetched since; return whether there were any.

        They learn all pages anew where other parameters always come together than before.
        """
        new, self._new = self._new, []
        if new is None:
            self._firsts = {each[0]: each[1:] for each in self._db.read(FIRSTS)}
            self._signatures.clear()
            self.roles = Roles(self, self._nearest())
            return self.roles.learn(map(Fetched._make, self._db.read(f"{FETCHED} {IN_ORDER}")))
        if new:  # more of the pages that others link to were fetched
            self._signatures.clear()
        chosen = "AND page.key IN (SELECT value FROM json_each(?))"
        rows = self._db.rows(f"{FETCHED} {chosen} {IN_ORDER}", json.dumps(new))
        pages = [*map(Fetched._make, rows)]
        before = {*self._firsts.items()}
        for page in pages:
            first = page.depth, page.url
            self._firsts[page.pattern] = min(first, self._firsts.get(page.pattern, first))
        is_changed = self.roles.parameters.has_usual or {*self._firsts.items()} != before
        if is_changed and not self.roles.extend(self._nearest()):
            self._new = None
            return self.learn()
        return self.roles.learn(pages)

    def decide(self) -> bool:
        """Learn the pages that were fetched since, and decide; return whether there were any."""
        if is_new := self.learn():
            self.roles.decide()
        self.learn_paths()
        return is_new

    def _nearest(self) -> list[tuple[str, str]]:
        """Return (pattern, its URL nearest to the start), the nearest first."""
        every = sorted((*first, pattern) for pattern, first in self._firsts.items() if pattern)
        return [(pattern, url) for _, url, pattern in every]

    def learn_paths(self) -> None:
        """Learn the paths of the pages that were fetched since."""
        new, self._sketched = self._sketched, []
        if new == []:
            return
        for laws in (self._recombined, self.versions):
            rows = self._db.read(SKETCHED) if new is None else self._db.of_keys(SKETCHED, new)
            laws.learn((url, pattern) for _, url, _, pattern in rows)
        self.has_path_laws |= self._recombined.has_any() or self.versions.has_any()

    def path_variant(self, url: str) -> Variant | None:
        """Return what stands for a URL by its path."""
        return self._recombined.variant(url) or self.versions.variant(url)

    def path_variant_read(self, url: str, pattern: str) -> Variant | None:
        """Return what stands for a fetched page by its path."""
        return self._recombined.variant_read(url) or self.versions.variant_read(url, pattern)

    def judge_path(self, key: int, url: str) -> Judgement | None:
        """Return the verdict of a new URL with names that change nothing; None for others.

        And for those that were listed before this run.
        """
        variant = self.path_variant(url)
        was_listed = variant and self._db.one(f"SELECT {WAS_LISTED} FROM url WHERE key = ?", key)
        return None if variant is None or was_listed else _judgement(variant)

    def sketched(self) -> Iterator[tuple[str, int, str]]:
        """Yield (URL, depth, pattern) of the pages whose text was kept."""
        return ((url, depth, pattern) for _, url, depth, pattern in self._db.read(SKETCHED))

    def lacking(self) -> list[int]:
        """Return the fetched pages that have to be read again to be compared; each once."""
        new = self.roles.lacking(self._unsketched) - self._asked
        self._asked |= new
        self.is_asking = bool(new)
        return sorted(new)

    def _unsketched(self, keys: Iterable[int]) -> set[int]:
        return {key for (key,) in self._db.of_keys(UNSKETCHED, sorted(keys))}

    def plain_waiting(self) -> Iterator[Asked]:
        """Yield the other URLs that wait, and those that were variants."""
        waiting = self._suspects.waiting
        return map(_asked, self._db.read(WAITING_PLAIN.format(waiting=waiting)))

    def plain_listed(self) -> Iterator[tuple[int, str, str]]:
        """Yield (key, URL, pattern) of the listed pages that only links lead to."""
        return self._db.read(PLAIN_LISTED)

    def waiting(self, since: int = 0) -> Iterator[Asked]:
        """Yield the URLs with parameters that wait in patterns, and those that were variants.

        ``since``: the first round in which they were found.
        """
        found = "generation > 0 AND generation >= ?" if since else "? = 0"
        waiting = f"{self._suspects.waiting} OR verdict = 'variant'"
        query = f"{ASKED} AND {found} AND ({waiting}) AND NOT {WAS_LISTED}"
        return map(_asked, self._db.read(query, since))

    def listed(self) -> Iterator[Asked]:
        """Yield the listed pages of patterns whose URLs have parameters."""
        return map(_asked, self._db.read(f"{ASKED} AND state = {DONE} AND verdict = 'listed'"))

    def read_variants(self, among: Container[int] | None = None) -> dict[int, Variant]:
        """Return what stands for the listed pages that show nothing of their own, by their keys.

        ``among``: the keys of the pages that are looked at; None for all.
        """
        self.decide()
        found = {}
        for each in self.listed():
            if among is None or each.key in among:
                found[each.key] = self.roles.variant_read(*each[:3])
        for key_, url, pattern in self.plain_listed() if self.has_path_laws else ():
            if not found.get(key_) and (among is None or key_ in among):
                found[key_] = self.path_variant_read(url, pattern)
        return {key_: variant for key_, variant in found.items() if variant}

    def set_variants(self, variants: Iterable[tuple[int, Variant | None]]) -> None:
        """Give URLs the verdict ``variant``, by key, or take it back."""
        with self._db.writing():
            for key_, variant in variants:
                if variant is None:
                    self._db.execute(TAKE_BACK, (key_,))
                else:
                    self._db.execute(LEAVE_OUT, (*judged_values(_judgement(variant)), key_))

    def dates(self, patterns: Iterable[int] | None = None) -> Iterator[DatedUrl]:
        """Yield the URLs of calendars that wait, are fetched, or were called beyond the end.

        ``patterns``: others that may be calendars; None for those that have ended as one.
        """
        if patterns is None:
            patterns = (each for (each,) in self._db.rows(WITH_END))
        query = DATES.format(waiting=self._suspects.waiting)
        return map(_dated, self._db.read(query, json.dumps([*patterns])))

    def endless_dates(self) -> Iterator[DatedUrl]:
        """Yield the URLs of endless spaces; the fetched ones are those that may be listed."""
        return map(_dated, self._db.read(ENDLESS_DATES))

    def end_calendar(self, ended: Iterable[int], waiting: Iterable[int] = ()) -> None:
        """Give URLs the verdict ``trap``, by key, or have them wait."""
        with self._db.writing():
            self._db.executemany(END, [(key_,) for key_ in ended])
            self._db.executemany(
                f"UPDATE url SET {OPEN_SQL} WHERE key = ?", [(key_,) for key_ in waiting]
            )

    # Pages

    def is_known(self, key: int) -> bool:
        query = "SELECT own_verdict FROM sketch JOIN page USING (key) WHERE key = ?"
        return bool(self._db.one(query, key) == Verdict.LISTED.value)

    def is_listed(self, key: int) -> bool:
        query = "SELECT own_verdict FROM page WHERE key = ?"
        return bool(self._db.one(query, key) == Verdict.LISTED.value)

    def url(self, key: int) -> str:
        return str(self._db.one("SELECT url FROM url WHERE key = ?", key) or "")

    def urls(self) -> Iterator[str]:
        return (url for (url,) in self._db.read("SELECT url FROM url"))

    def is_expected(self, key: int) -> bool:
        waiting = f"state IN ({PENDING}, {IN_FLIGHT}) OR {self._suspects.waiting}"
        return bool(self._db.one(f"SELECT 1 FROM url WHERE key = ? AND ({waiting})", key))

    def content(self, key: int) -> int | None:
        found = self._db.one(CONTENT, key)
        return None if found is None else int(found)

    def excerpt(self, key: int) -> str:
        query = f"SELECT {EXCERPT.format(page='page')} FROM page WHERE key = ?"
        return str(self._db.one(query, key) or "")

    def text(self, key: int) -> Signature:
        url, title, subject, sketch = self._db.first(TEXT, key)
        return Signature.of(url, title, subject, sketch)

    def signature(self, key: int) -> Signature:
        if key not in self._signatures:
            if len(self._signatures) >= KEPT:
                self._signatures.clear()
                self._relatives.clear()
            url, pattern, title, subject, sketch, *facts = self._db.first(SIGNATURE, key)
            followed, excerpt, is_rendered, depth = facts
            self._signatures[key] = Signature.of(
                url,
                title,
                subject,
                sketch or sketch_page((excerpt or "").split(), (), (url,)),
                self._links_of(key, url, followed, depth),
                is_rendered=bool(is_rendered),
                usual=self.roles.parameters.usual(pattern),
            )
        return self._signatures[key]

    def _links_of(
        self, key: int, url: str, followed: bytes, depth: int | None
    ) -> Iterator[tuple[int, str, str, Mapping[str, str]]]:
        """Yield the links of a page, and keep those that may be of a list with it.

        Each is (key, URL, pattern of a fetched page further from the start, or nothing, usual
        values).
        """
        path, first = split_parameters(url).path, strip_page_number(url)
        kin = self._relatives[key] = []
        numbers = json.dumps(unpack_numbers(followed))
        for other, target, pattern, is_ahead, is_kept in self._db.rows(TARGETS, depth, numbers):
            is_kin = target == first or split_parameters(target).path == path
            if is_kept and (is_kin or strip_page_number(target)):
                kin.append((other, target))
            usual = self.roles.parameters.usual(pattern)
            yield other, target, pattern if is_ahead and is_kept else "", usual

    def list_of(self, key: int, is_part: Callable[[str], bool]) -> list[int]:
        found = {key: None}
        queue = [key]
        for each in queue:
            self.signature(each)
            for other, url in self._relatives[each]:
                if other not in found and is_part(url):
                    if len(found) == MAX_LIST:
                        return queue
                    found[other] = None
                    queue.append(other)
        return queue


def _judgement(variant: Variant) -> Judgement:
    return Judgement(Verdict.VARIANT, variant.words, variant.url)


def _dated(row: tuple[int, str, str, int, int, int]) -> DatedUrl:
    key, url, space, is_done, is_ended, depth = row
    return DatedUrl(key, url, space, bool(is_done), bool(is_ended), depth)


def _asked(row: tuple[int, str, str, int]) -> Asked:
    return Asked(*row[:3], bool(row[3]))
