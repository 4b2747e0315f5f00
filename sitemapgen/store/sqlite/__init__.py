"""The embedded store: SQLite in WAL mode, one file, one process."""

from __future__ import annotations

import json
from array import array
from typing import TYPE_CHECKING, Any

import numpy as np

from sitemapgen import __version__
from sitemapgen.analysis.graph import UNREACHED, Floats, Ints, LinkGraph, Measures, Nodes
from sitemapgen.analysis.lastmod import Conclusion, Dated
from sitemapgen.items import (
    Extensions,
    Page,
    Ruling,
    SitemapFile,
    Spared,
    Verdict,
)
from sitemapgen.store import (
    Address,
    ClusterRow,
    Copy,
    Detail,
    ListedRow,
    Run,
    SignedRow,
    StoredPage,
    TitledRow,
    UrlRow,
)
from sitemapgen.store.frontier import ONLY_NOFOLLOW, Limits
from sitemapgen.store.sqlite.database import BATCH, Database
from sitemapgen.store.sqlite.earlier import SqliteEarlierRun
from sitemapgen.store.sqlite.extensions import pack, unpack
from sitemapgen.store.sqlite.frontier import SqliteFrontier
from sitemapgen.store.sqlite.history import SqliteHistory
from sitemapgen.store.sqlite.rendering import SqliteRendering
from sitemapgen.store.sqlite.sitemaps import SAID_BEFORE, SAID_NOW, SqliteSitemaps
from sitemapgen.store.sqlite.states import (
    DONE,
    KNOWN,
    LINK,
    NOFOLLOW,
    NOT_ASKED_SQL,
    SITEMAP,
    START,
    TEXT,
    VERDICT_CODE,
)
from sitemapgen.store.sqlite.suspects import SqliteSuspects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

NODE = [
    ("key", np.int64),
    ("state", np.int8),
    ("sources", np.int8),
    ("verdict", np.int8),
    ("length", np.int32),
]

PER_RUN = (
    *("sitemap", "sitemap_extension", "pattern", "sighting", "near_duplicate"),
    *("rendering", "judged", "render", "changefreq"),
)
"""Tables that a new run begins without."""

DATED = f"""
SELECT page.key, url, verdict = 'listed', page.answered, page.claims,
       {SAID_NOW} AS said,
       page.lastmod, page.lastmod_source, page.lastmod_evidence, page.visited{{then}}
FROM page JOIN url USING (key){{joined}}
WHERE page.answered AND state = {DONE} AND (page.claims <> '' OR said <> ''{{known}})
"""
DATED_FIRST = DATED.format(then="", joined="", known="")
DATED_AGAIN = DATED.format(
    then=f""",
       CASE WHEN page.spared NOT IN ({NOT_ASKED_SQL}) THEN before.visited END,
       coalesce(page.changed & {TEXT}, 0), before.claims,
       CASE WHEN before.visited THEN {SAID_BEFORE} END,
       coalesce(settled.lastmod, before.lastmod), coalesce(settled.source, before.lastmod_source),
       coalesce(settled.evidence, before.lastmod_evidence),
       page.spared = {Spared.IN_ITS_TURN:d}""",
    joined=" LEFT JOIN earlier_page AS before USING (key) "
    "LEFT JOIN earlier_settled AS settled USING (key)",
    known=" OR before.key",
)

OUTCOMES = f"""
SELECT key, verdict = 'listed' AND coalesce(canonical, '') IN ('', url), content_hash, EXISTS (
    SELECT 1 FROM page AS other WHERE other.content_hash = page.content_hash
    AND other.own_verdict = 'listed' AND other.canonical <> url
    AND other.key NOT IN (SELECT value FROM json_each(?1))
)
FROM url LEFT JOIN page USING (key)
WHERE state = {DONE} AND key IN (SELECT value FROM json_each(?1)) ORDER BY key
"""


class SqliteStore:
    """A crawl's state in one file. See the protocol in ``store/__init__.py``."""

    def __init__(
        self, path: Path, limits: Limits, *, fresh: bool = False, lent: bool = False
    ) -> None:
        """Open or create the file; ``fresh``, ``lent`` and what it raises: see ``Database``."""
        self._db = Database(path, fresh=fresh, lent=lent)
        self.history = SqliteHistory(self._db)
        self.earlier = SqliteEarlierRun(self._db, self.history)
        self._look_back()
        self.suspects = SqliteSuspects(self._db)
        self.rendering = SqliteRendering(self._db)
        self.sitemaps = SqliteSitemaps(self._db, self.history)
        self.frontier = SqliteFrontier(
            self._db, limits, self.earlier, self.suspects, self.rendering
        )
        self.keep_to(limits)
        self._recorded = 0

    def keep_to(self, limits: Limits) -> None:
        """Let into the frontier what these limits allow."""
        self.frontier.limits = limits
        self.suspects.keep_to(limits.max_depth)

    def _look_back(self) -> None:
        """Look at the run that was begun or continued, and at what there was before it."""
        self.history.open()
        self.earlier.open()

    # The run

    def last_run(self) -> Run | None:
        row = next(
            self._db.read(
                "SELECT arguments, start, ended, options, reason FROM run ORDER BY id DESC LIMIT 1"
            ),
            None,
        )
        if row is None:
            return None
        arguments, start, ended, options, reason = row
        return Run(
            arguments=json.loads(arguments),
            start=start,
            ended=ended is not None,
            options=json.loads(options),
            reason=reason or "",
        )

    def begin_run(self, arguments: Mapping[str, object], now: float) -> None:
        with self._db.writing():
            self._db.execute(
                "UPDATE run SET ended = ?, reason = 'given up' WHERE ended IS NULL", (now,)
            )
            self.frontier.unsee()
            self.sitemaps.drop_unmet()
            for table in PER_RUN:
                self._db.execute(f"DELETE FROM {table}")
            self.suspects.forget()
            self.earlier.turn()
            self._db.execute(
                "INSERT INTO run (arguments, start, started, version) VALUES (?, '', ?, ?)",
                (json.dumps(dict(arguments), sort_keys=True), now, __version__),
            )
            self._look_back()

    def resume_run(self) -> None:
        self.frontier.requeue()
        self._look_back()

    def keep_options(self, options: Mapping[str, object]) -> None:
        with self._db.writing():
            self._db.execute(
                "UPDATE run SET options = ? WHERE ended IS NULL",
                (json.dumps(dict(options), sort_keys=True),),
            )

    def settle_start(self, start: str) -> None:
        with self._db.writing():
            self._db.execute("UPDATE run SET start = ? WHERE ended IS NULL", (start,))

    def end_run(self, reason: str, ended: float) -> None:
        with self._db.writing():
            self._db.execute(
                "UPDATE run SET ended = ?, reason = ? WHERE ended IS NULL", (ended, reason)
            )

    def keep_plan(self, plan: Mapping[str, Any]) -> None:
        with self._db.writing():
            self._db.execute("UPDATE run SET plan = ? WHERE ended IS NULL", (json.dumps(plan),))

    def plan(self) -> tuple[Mapping[str, Any], bool]:
        rows = self._db.read(
            "SELECT plan, ended IS NULL FROM run WHERE plan <> '{}' ORDER BY id DESC LIMIT 1"
        )
        plan, is_current = next(rows, ("{}", 0))
        return json.loads(plan), bool(is_current)

    def recorded(self) -> int:
        return self._recorded

    # What is found

    def record(self, page: Page, now: float) -> None:
        with self._db.writing():
            depth, hops = self.frontier.finish(page)
            self._recorded += 1
            if page.judgement.verdict is Verdict.ROBOTS_DISALLOWED:
                self._db.execute("DELETE FROM page WHERE key = ?", (page.key,))
            else:
                self._write_page(page, now)
            if page.sketch or page.sightings:
                self.suspects.record(page)
            if page.links:
                self._write_links(page)
                is_redirect = page.judgement.verdict is Verdict.REDIRECT
                self.frontier.follow(page.links, depth + 1, hops + 1 if is_redirect else 0, now)
            else:  # it may have had some, as an earlier run read it
                self._db.execute("DELETE FROM link WHERE source = ?", (page.key,))

    def _write_page(self, page: Page, now: float) -> None:
        if page.is_carried:
            self.earlier.carry(page, now)
            return
        if page.extensions is not None:
            self._write_extensions(page.key, page.extensions)
        self._db.execute(
            f"REPLACE INTO page VALUES (?{', ?' * 26})",
            (
                page.key,
                page.status,
                page.title,
                page.text_hash,
                page.content_hash,
                page.subject,
                page.signature,
                page.language,
                page.canonical,
                array("q", page.alternates).tobytes(),
                page.etag,
                page.last_modified,
                page.answered,
                page.claims,
                page.lastmod,
                page.lastmod_source,
                page.lastmod_evidence,
                page.judgement.verdict.value,
                page.judgement.evidence,
                self.history.run,
                int(now),
                self.earlier.changes(page),
                page.is_lasting,
                int(page.spared),
                int(page.validation),
                page.failures,
                page.excerpt,
            ),
        )

    def _write_extensions(self, key: int, said: Extensions) -> None:
        if any(said):
            self._db.execute("REPLACE INTO extension VALUES (?, ?)", (key, pack(said)))
        else:
            self._db.execute("DELETE FROM extension WHERE key = ?", (key,))

    def _write_links(self, page: Page) -> None:
        followed = array("q", [link.key for link in page.links if not link.nofollow])
        nofollow = array("q", [link.key for link in page.links if link.nofollow])
        self._db.execute(
            "REPLACE INTO link VALUES (?, ?, ?)",
            (page.key, followed.tobytes(), nofollow.tobytes()),
        )

    def page(self, key: int) -> StoredPage | None:
        row = self._db.first(
            "SELECT title, excerpt, followed FROM url JOIN page USING (key) "
            f"LEFT JOIN link ON source = key WHERE key = ? AND state = {DONE}",
            key,
        )
        if row is None:
            return None
        title, excerpt, packed = row
        targets = array("q", packed or b"")
        links = [self._db.one("SELECT url FROM url WHERE key = ?", target) for target in targets]
        return StoredPage(title, excerpt, links)

    def record_sitemap(self, file: SitemapFile, now: float) -> None:
        with self._db.writing():
            self._recorded += 1
            self.frontier.hold((link for _, link in file.entries), now)
            self.sitemaps.record(file)

    # What the graph says

    def graph(self) -> LinkGraph:
        rows = self._db.read(
            f"SELECT key, state, sources, {VERDICT_CODE}, length(url) FROM url "
            "WHERE sources <> 0 ORDER BY url"
        )
        table = np.fromiter(rows, dtype=NODE)
        nodes = Nodes(
            keys=table["key"].copy(),
            is_start=(table["sources"] & START) != 0,
            in_sitemap=(table["sources"] & SITEMAP) != 0,
            is_fetched=table["state"] == DONE,
            is_redirect=table["verdict"] == Verdict.REDIRECT.code,
            verdict=table["verdict"].copy(),
            length=table["length"].copy(),
        )
        return LinkGraph(nodes, self._db.read("SELECT source, followed FROM link"))

    def apply(self, measures: Measures, graph: LinkGraph, ranks: Floats | None = None) -> None:
        self._db.write_all(
            "UPDATE url SET depth = nullif(?2, -1), hops = ?3, parent = nullif(?4, 0), "
            "in_degree = ?5, reached = ?6, pagerank = nullif(?7, 0) WHERE key = ?1 "
            "AND (depth, hops, parent, in_degree, reached, pagerank) "
            "IS NOT (nullif(?2, -1), ?3, nullif(?4, 0), ?5, ?6, nullif(?7, 0))",
            _measured(measures, graph.nodes.keys, ranks),
        )

    # What the whole site says

    def outcomes(self, keys: Sequence[int], *, with_copies: bool) -> dict[int, bool]:
        with self._db.writing():
            self._db.execute("CREATE INDEX IF NOT EXISTS same_content ON page (content_hash)")
            rows = self._db.execute(OUTCOMES, (json.dumps(keys),)).fetchall()
        met: set[int] = set()
        outcomes = {}
        for key, is_listed, content, is_copy in rows:
            outcomes[key] = bool(is_listed and (with_copies or not (is_copy or content in met)))
            if is_listed and content is not None:
                met.add(content)
        return outcomes

    def reconsider(self) -> None:
        with self._db.writing():
            self._db.execute(
                "UPDATE url SET verdict = 'listed', evidence = '' "
                "WHERE verdict IN ('canonicalised', 'duplicate') "
                "OR (verdict = 'listed' AND evidence <> '')"
            )

    def canonicals(self) -> Iterator[tuple[int, str]]:
        return self._db.by_key(
            "SELECT page.key, canonical FROM page JOIN url USING (key) "
            "WHERE verdict = 'listed' AND canonical <> '' AND canonical <> url"
        )

    def contents(self) -> Iterator[tuple[int, int, int]]:
        return self._db.read(
            "SELECT page.key, content_hash, coalesce(subject, 0) FROM page JOIN url USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 AND content_hash IS NOT NULL"
        )

    def alternates(self, keys: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        return self._db.of_keys(
            "SELECT page.key, alternates FROM page WHERE alternates <> x''", sorted(keys)
        )

    def signed(self, keys: Iterable[int]) -> Iterator[SignedRow]:
        rows = self._db.of_keys(
            "SELECT page.key, url, excerpt, signature FROM page JOIN url USING (key) "
            "WHERE signature <> x''",
            keys,
        )
        return map(SignedRow._make, rows)

    def set_clusters(self, rows: Iterable[tuple[int, int, float]]) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM near_duplicate")
        self._db.write_all("INSERT INTO near_duplicate VALUES (?, ?, ?)", rows)

    def clusters(self) -> Iterator[ClusterRow]:
        rows = self._db.read(
            "SELECT chosen.url, member.url, similarity FROM near_duplicate "
            "JOIN url AS chosen ON chosen.key = near_duplicate.listed "
            "JOIN url AS member ON member.key = near_duplicate.key "
            "WHERE chosen.sources <> 0 AND member.sources <> 0 ORDER BY chosen.url, member.url"
        )
        return map(ClusterRow._make, rows)

    def failing(self) -> Iterator[tuple[int, int | None, int]]:
        return self._db.by_key(
            "SELECT page.key, status, failures FROM page JOIN url USING (key) "
            "WHERE verdict = 'listed' AND failures > 0"
        )

    def postponed(self) -> Iterator[tuple[int, int]]:
        return self._db.by_key(
            "SELECT page.key, page.visited FROM page JOIN url USING (key) "
            f"WHERE verdict = 'listed' AND spared = {Spared.POSTPONED:d}"
        )

    def forget(self, keys: Iterable[int]) -> None:
        rows = [(key,) for key in keys]
        columns = {"page": "key", "sketch": "key", "extension": "key", "link": "source"}
        for table, column in columns.items():
            self._db.write_all(f"DELETE FROM {table} WHERE {column} = ?", rows)
        self._db.write_all(
            f"UPDATE url SET state = {KNOWN}, sources = sources & {NOFOLLOW}, depth = NULL, "
            f"verdict = CASE WHEN sources & {NOFOLLOW} THEN '{ONLY_NOFOLLOW.verdict.value}' END, "
            f"evidence = CASE WHEN sources & {NOFOLLOW} THEN '{ONLY_NOFOLLOW.evidence}' END "
            f"WHERE key = ? AND sources & {START | LINK | SITEMAP}",
            rows,
        )

    def overrule(self, rulings: Iterable[Ruling]) -> None:
        self._db.write_all(
            "UPDATE url SET verdict = ?2, evidence = "
            "?3 || coalesce((SELECT url FROM url AS other WHERE other.key = ?4), '') "
            "WHERE key = ?1",
            ((key, verdict.value, *more) for key, verdict, *more, _ in rulings),
        )

    @property
    def _dated(self) -> str:
        return DATED_AGAIN if self.earlier.has_pages else DATED_FIRST

    def dated(self) -> Iterator[Dated]:
        return map(_dated, self._db.by_key(self._dated))

    def dated_at(self, keys: Iterable[int]) -> Iterator[Dated]:
        return map(_dated, self._db.of_keys(self._dated, keys))

    def set_lastmods(self, conclusions: Iterable[Conclusion]) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM settled")
        self._db.write_all("INSERT INTO settled VALUES (?, ?, ?, ?)", conclusions)

    def set_changefreqs(self, words: Iterable[tuple[int, str]]) -> None:
        with self._db.writing():
            self._db.execute("DELETE FROM changefreq")
        self._db.write_all("INSERT INTO changefreq VALUES (?, ?)", words)

    # What is published

    def listed(self) -> Iterator[ListedRow]:
        rows = self._db.read(
            "SELECT url, coalesce(settled.lastmod, page.lastmod), depth, coalesce(pagerank, 0.0), "
            "coalesce(word, '') FROM url JOIN page USING (key) LEFT JOIN settled USING (key) "
            "LEFT JOIN changefreq USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 ORDER BY url"
        )
        return map(ListedRow._make, rows)

    def listed_extended(self) -> Iterator[tuple[ListedRow, int, Extensions | None]]:
        rows = self._db.read(
            "SELECT url, coalesce(settled.lastmod, page.lastmod), depth, coalesce(pagerank, 0.0), "
            "coalesce(word, ''), url.key, said FROM url JOIN page USING (key) "
            "LEFT JOIN settled USING (key) LEFT JOIN changefreq USING (key) "
            "LEFT JOIN extension USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 ORDER BY url"
        )
        for *row, key, said in rows:
            yield ListedRow(*row), key, unpack(said) if said else None

    def extensions(self) -> Iterator[tuple[int, Extensions]]:
        rows = self._db.read(
            "SELECT key, said FROM extension JOIN url USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 ORDER BY key"
        )
        return ((key, unpack(said)) for key, said in rows)

    def titles(self) -> Iterator[TitledRow]:
        rows = self._db.read(
            "SELECT url, title, coalesce(settled.lastmod, page.lastmod) "
            "FROM url JOIN page USING (key) LEFT JOIN settled USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 ORDER BY url"
        )
        return map(TitledRow._make, rows)

    def listed_ranks(self) -> Iterator[float]:
        rows = self._db.read(
            "SELECT coalesce(pagerank, 0.0) FROM url WHERE verdict = 'listed' AND sources <> 0"
        )
        return (rank for (rank,) in rows)

    def urls(self) -> Iterator[UrlRow]:
        rows = self._db.read(
            "SELECT url.url, url.verdict, url.evidence, page.status, url.depth, parent.url, "
            "coalesce(url.in_degree, 0), page.canonical, "
            "coalesce(settled.lastmod, page.lastmod), "
            "coalesce(settled.source, page.lastmod_source), page.title, "
            "coalesce(settled.evidence, page.lastmod_evidence), url.pagerank, "
            f"(url.sources & {SITEMAP}) <> 0, coalesce(url.reached, 0) FROM url "
            f"LEFT JOIN page ON page.key = url.key AND url.state = {DONE} "
            "LEFT JOIN settled ON settled.key = page.key "
            "LEFT JOIN url AS parent ON parent.key = url.parent "
            "WHERE url.sources <> 0 ORDER BY url.url"
        )
        return map(UrlRow._make, rows)

    def verdicts(self) -> Iterator[tuple[int, int]]:
        return self._db.read(f"SELECT key, {VERDICT_CODE} FROM url WHERE sources <> 0")

    def counts(self) -> dict[str, dict[str, int]]:
        verdicts = self._db.read(
            "SELECT verdict, count(*) FROM url WHERE sources <> 0 GROUP BY verdict"
        )
        depths = self._db.read(
            "SELECT depth, count(*) FROM url WHERE verdict = 'listed' AND sources <> 0 "
            "GROUP BY depth ORDER BY depth"
        )
        sources = self._db.read(
            "SELECT coalesce(settled.source, lastmod_source) AS source, count(*) "
            "FROM page JOIN url USING (key) LEFT JOIN settled USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 GROUP BY 1"
        )
        return {
            "verdict": dict(verdicts),
            "depth": {str(depth): count for depth, count in depths},
            "lastmod_source": {source or "none": count for source, count in sources},
        }

    # What is reported

    def statuses(self) -> dict[int | None, int]:
        return dict(
            self._db.read(
                "SELECT page.status, count(*) FROM page JOIN url USING (key) "
                f"WHERE state = {DONE} AND sources <> 0 GROUP BY page.status ORDER BY page.status"
            )
        )

    def details(self, keys: Iterable[int]) -> list[Detail]:
        keys = list(keys)
        rows = self._db.execute(
            "SELECT key, url, coalesce(verdict, ''), coalesce(evidence, ''), depth, "
            f"coalesce(in_degree, 0) FROM url WHERE key IN ({', '.join('?' * len(keys))})",
            keys,
        )
        found = {key: Detail(*row) for key, *row in rows}
        return [found[key] for key in keys]

    def copies(self) -> Iterator[Copy]:
        rows = self._db.read(
            "SELECT key, url, evidence, evidence NOT GLOB 'nearly*' FROM url WHERE sources <> 0 "
            "AND (verdict IN ('duplicate', 'canonicalised') "
            "OR verdict = 'listed' AND evidence GLOB 'same content as http*')"
        )
        # A URL has no spaces, and the last one of the evidence is where it leads in the end.
        return (
            Copy(key, url, said.rpartition(" ")[2], bool(same)) for key, url, said, same in rows
        )

    def addresses(self) -> Iterator[Address]:
        rows = self._db.read(
            f"SELECT url, verdict IS 'listed', (sources & {SITEMAP}) <> 0 FROM url "
            "WHERE sources <> 0 ORDER BY url"
        )
        return map(Address._make, rows)

    # The database

    def commit(self) -> None:
        self._db.commit()

    def close(self) -> None:
        self._db.close()


def _dated(row: tuple[Any, ...]) -> Dated:
    if len(row) < len(Dated._fields):
        return Dated(*row)
    *now, before, is_other, packed_before, sitemap_before, lastmod, source, evidence, turn = row
    dated = Dated(*now)
    if lastmod is not None:
        dated = dated._replace(settled=(lastmod, source, evidence))
    if before is not None:
        dated = dated._replace(
            before=before,
            is_other=bool(is_other),
            packed_before=packed_before,
            sitemap_before=sitemap_before,
            is_turn=bool(turn),
        )
    return dated


def _measured(measures: Measures, keys: Ints, ranks: Floats | None) -> Iterator[tuple[object, ...]]:
    """Rows by key: as the table has them, so that each part of it is written once."""
    order = np.argsort(keys)
    parents = np.where(measures.parent == UNREACHED, 0, keys[measures.parent])
    ranks = np.zeros(len(keys)) if ranks is None else ranks
    columns = (
        *(keys, measures.depth, measures.hops, parents, measures.in_degree),
        measures.is_reached.astype(np.int8),
        ranks,
    )
    for first in range(0, len(order), BATCH):
        some = order[first : first + BATCH]
        yield from zip(*(column[some].tolist() for column in columns))
