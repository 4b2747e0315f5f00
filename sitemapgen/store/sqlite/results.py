"""Results in the embedded store, read only. The protocol: ``store/results.py``."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

from sitemapgen.core import urls
from sitemapgen.core.late_retry import LOST
from sitemapgen.core.rendering.words import RENDERED_FOR
from sitemapgen.items import Revisit
from sitemapgen.store.extensions import unpack
from sitemapgen.store.labels import unpack_labels
from sitemapgen.store.links import unpack_numbers
from sitemapgen.store.results import (
    Address,
    Blank,
    ClusterRow,
    Contents,
    Copy,
    DescribedRow,
    Detail,
    ListedRow,
    Lost,
    PageText,
    SampledRow,
    SharedCanonical,
    ShownRow,
    TitledRow,
    Unfetched,
    UrlRow,
)
from sitemapgen.store.states import (
    COPY_SQL,
    DONE,
    EXCERPT,
    NOFOLLOW,
    OWN_SQL,
    SIGNATURE,
    SITEMAP,
    VERDICT_CODE,
)
from sitemapgen.store.texts import unpack_text
from sitemapgen.verdicts import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitemapgen.items import Extensions, LinkLabel
    from sitemapgen.store.database import Database
    from sitemapgen.verdicts import Verdict


MEMORY = 50_000
"""Number of URLs of link targets that are cached; they take about 10 MB."""

LOST_PAGES = f"""
SELECT count(*) FROM url JOIN page USING (key) WHERE state = {DONE} AND sources <> 0 AND (
    verdict = 'fetch_error' AND reason = '{Reason.LOST.value}'
    OR failures > 0 AND status = 200 AND revisit <> {Revisit.OVER_BUDGET:d}
)
"""

CONTENTS = f"""
SELECT {EXCERPT.format(page="page")}, coalesce(followed, x''), coalesce(nofollow, x'')
FROM url JOIN page USING (key) LEFT JOIN link ON source = key WHERE key = ? AND state = {DONE}
"""


WITHOUT_FOLLOWED_LINKS = """
SELECT nofollow FROM link JOIN url ON url.key = link.source
WHERE verdict = 'listed' AND coalesce(followed, x'') = x'' AND nofollow <> x''
"""
ONLY_NOFOLLOW = (
    f"SELECT number, url FROM url WHERE sources = {NOFOLLOW} AND verdict = 'not_fetched'"
)


class SqliteResults:
    """Implementation of the protocol ``Results``."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._urls: dict[int, str] = {}

    def listed(self) -> Iterator[ListedRow]:
        rows = self._db.read(
            "SELECT url, coalesce(final_lastmod.lastmod, page.lastmod), depth, "
            "coalesce(pagerank, 0.0), "
            "coalesce(word, '') FROM url JOIN page USING (key) LEFT JOIN final_lastmod USING (key) "
            "LEFT JOIN changefreq USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 ORDER BY url"
        )
        return map(ListedRow._make, rows)

    def listed_extended(self) -> Iterator[tuple[ListedRow, int, Extensions | None]]:
        rows = self._db.read(
            "SELECT url, coalesce(final_lastmod.lastmod, page.lastmod), depth, "
            "coalesce(pagerank, 0.0), "
            "coalesce(word, ''), url.key, said FROM url JOIN page USING (key) "
            "LEFT JOIN final_lastmod USING (key) LEFT JOIN changefreq USING (key) "
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

    def titles(self, rank: Callable[[str], str] | None = None) -> Iterator[TitledRow]:
        rows = self._db.read(
            "SELECT url, title, coalesce(final_lastmod.lastmod, page.lastmod), "
            "coalesce(final_lastmod.is_trusted, 1), language FROM url JOIN page USING (key) "
            "LEFT JOIN final_lastmod USING (key) "
            f"WHERE verdict = 'listed' AND sources <> 0 ORDER BY {self._order(rank)}"
        )
        return map(TitledRow._make, rows)

    def descriptions(self, rank: Callable[[str], str] | None = None) -> Iterator[DescribedRow]:
        rows = self._db.read(
            "SELECT url, title, coalesce(said, ''), depth FROM url JOIN page USING (key) "
            "LEFT JOIN description USING (key) "
            f"WHERE verdict = 'listed' AND sources <> 0 ORDER BY {self._order(rank)}"
        )
        return map(DescribedRow._make, rows)

    def _order(self, rank: Callable[[str], str] | None) -> str:
        """Return the terms of an ORDER BY: by ``rank(url)``, if given, and by URL."""
        if rank is None:
            return "url"
        self._db.connection.create_function("rank_of", 1, rank, deterministic=True)
        return "rank_of(url), url"

    def languages(self) -> dict[str, int]:
        rows = self._db.read(
            "SELECT language, count(*) FROM url JOIN page USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 GROUP BY language"
        )
        return dict(rows)

    def listed_ranks(self) -> Iterator[float]:
        rows = self._db.read(
            "SELECT coalesce(pagerank, 0.0) FROM url WHERE verdict = 'listed' AND sources <> 0"
        )
        return (rank for (rank,) in rows)

    def urls(self) -> Iterator[UrlRow]:
        rows = self._db.read(
            "SELECT url.url, url.verdict, url.evidence, page.status, url.depth, parent.url, "
            "coalesce(url.in_degree, 0), page.canonical, "
            "coalesce(final_lastmod.lastmod, page.lastmod), "
            "coalesce(final_lastmod.source, page.lastmod_source), page.title, "
            "coalesce(final_lastmod.evidence, page.lastmod_evidence), url.pagerank, "
            f"(url.sources & {SITEMAP}) <> 0, coalesce(url.reached, 0), "
            "rendered.reason NOT NULL, coalesce(rendered.reason, ''), "
            "view.key NOT NULL, coalesce(example.url, '') FROM url "
            f"LEFT JOIN page ON page.key = url.key AND url.state = {DONE} "
            "LEFT JOIN final_lastmod ON final_lastmod.key = page.key "
            "LEFT JOIN rendered ON rendered.key = page.key "
            "LEFT JOIN url AS parent ON parent.key = url.parent "
            "LEFT JOIN view ON view.key = page.key "
            "LEFT JOIN url AS example ON example.key = view.example "
            "WHERE url.sources <> 0 ORDER BY url.url"
        )
        return (
            UrlRow._make((*row, RENDERED_FOR[reason] if reason else "", is_view, view_of))
            for *row, reason, is_view, view_of in rows
        )

    def contents(self, url: str) -> Contents:
        row = self._db.first(CONTENTS, urls.key(url))
        if row is None:
            return Contents("", [], [])
        text, *links = row
        followed, nofollow = (
            [self._url(each) for each in unpack_numbers(packed)] for packed in links
        )
        return Contents(text, followed, nofollow)

    def texts(self) -> Iterator[PageText]:
        rows = self._db.read(
            "SELECT url, title, coalesce(final_lastmod.lastmod, page.lastmod), language, said "
            "FROM url JOIN page USING (key) LEFT JOIN final_lastmod USING (key) "
            "LEFT JOIN markdown USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 ORDER BY url"
        )
        return (PageText._make((*row, unpack_text(said) or "")) for *row, said in rows)

    def labels(self) -> Iterator[tuple[str, list[LinkLabel]]]:
        rows = self._db.read(
            "SELECT url, said FROM url JOIN label USING (key) "
            f"WHERE state = {DONE} AND sources <> 0 ORDER BY url"
        )
        return ((url, unpack_labels(said)) for url, said in rows)

    def _url(self, number: int) -> str:
        """Return the URL of a number, from the cache if possible: navigation links recur often."""
        url = self._urls.get(number)
        if url is None:
            if len(self._urls) > MEMORY:
                self._urls.clear()
            url = self._db.one("SELECT url FROM url WHERE number = ?", number)
            self._urls[number] = url
        return url

    def verdicts(self) -> Iterator[tuple[int, int]]:
        return self._db.read(f"SELECT key, {VERDICT_CODE} FROM url WHERE sources <> 0")

    def locations(self) -> Iterator[tuple[int, str]]:
        return self._db.read("SELECT key, url FROM url WHERE sources <> 0")

    def counts(self) -> dict[str, dict[str, int]]:
        verdicts = self._db.read(
            "SELECT verdict, count(*) FROM url WHERE sources <> 0 GROUP BY verdict"
        )
        depths = self._db.read(
            "SELECT depth, count(*) FROM url WHERE verdict = 'listed' AND sources <> 0 "
            "GROUP BY depth ORDER BY depth"
        )
        sources = self._db.read(
            "SELECT coalesce(final_lastmod.source, lastmod_source) AS source, count(*) "
            "FROM page JOIN url USING (key) LEFT JOIN final_lastmod USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 GROUP BY 1"
        )
        return {
            "verdict": dict(verdicts),
            "depth": {str(depth): count for depth, count in depths},
            "lastmod_source": {source or "none": count for source, count in sources},
        }

    def lost(self) -> Lost:
        files = self._db.one("SELECT count(*) FROM sitemap WHERE reason = ?", Reason.LOST.value)
        parts = self._db.one("SELECT count(*) FROM source WHERE error = ?", LOST.evidence)
        return Lost(self._db.one(LOST_PAGES), files, parts)

    def unfetched(self, verdict: Verdict, examples: int, reason: Reason = Reason.NONE) -> Unfetched:
        those = (
            f"FROM url WHERE verdict = ?1 AND state <> {DONE} AND sources <> 0 "
            "AND (?2 = '' OR reason = ?2)"
        )
        counts = f"SELECT count(*), coalesce(min(evidence), '') {those}"
        shortest = f"SELECT url {those} ORDER BY length(url), url LIMIT ?3"
        urls, first = self._db.first(counts, verdict.value, reason.value)
        rows = self._db.read(shortest, verdict.value, reason.value, examples)
        return Unfetched(urls, first, [url for (url,) in rows])

    def unfollowed(self, examples: int) -> Unfetched:
        targets: set[int] = set()
        for (packed,) in self._db.read(WITHOUT_FOLLOWED_LINKS):
            targets.update(unpack_numbers(packed))
        only = self._db.read(ONLY_NOFOLLOW) if targets else ()
        found = [url for number, url in only if number in targets]
        return Unfetched(
            len(found), "", nsmallest(examples, found, key=lambda url: (len(url), url))
        )

    def unread_links(self, examples: int) -> Unfetched:
        those = "FROM sighting WHERE kind = 'unread_links'"
        counts = f"SELECT coalesce(sum(CAST(example AS INTEGER)), 0) {those}"
        rows = self._db.read(f"SELECT pattern {those} ORDER BY pattern LIMIT ?", examples)
        return Unfetched(self._db.one(counts), "", [url for (url,) in rows])

    def unreached(self, examples: int) -> Unfetched:
        rows = self._db.rows(
            "SELECT pattern, example FROM sighting WHERE kind = 'unreached' ORDER BY pattern"
        )
        first = rows[0][1] if rows else ""
        return Unfetched(len(rows), first, [url for url, _ in rows[:examples]])

    def shared_canonical(self, examples: int) -> SharedCanonical | None:
        those = "FROM url JOIN page USING (key) WHERE verdict = 'canonicalised' AND sources <> 0"
        most = self._db.first(
            f"SELECT other_url, count(*), count(DISTINCT title) {those} "
            "GROUP BY other_url ORDER BY count(*) DESC, other_url LIMIT 1"
        )
        if most is None:
            return None
        shared, pages, titles = most
        shortest = f"SELECT url {those} AND other_url = ? ORDER BY length(url), url LIMIT ?"
        rows = self._db.rows(shortest, shared, examples)
        return SharedCanonical(shared, pages, titles, [url for (url,) in rows])

    def blank(self, examples: int) -> Blank:
        those = (
            "FROM page JOIN url USING (key) WHERE verdict = 'listed' AND sources <> 0 "
            "AND title = '' AND text_length = 0 AND pictures = x'' AND signature_id IS NULL"
        )
        rows = self._db.rows(f"SELECT url {those} ORDER BY url LIMIT ?", examples)
        return Blank(self._db.one(f"SELECT count(*) {those}"), [url for (url,) in rows])

    def statuses(self) -> dict[int | None, int]:
        return dict(
            self._db.read(
                "SELECT page.status, count(*) FROM page JOIN url USING (key) "
                f"WHERE state = {DONE} AND sources <> 0 GROUP BY page.status ORDER BY page.status"
            )
        )

    def details(self, keys: Iterable[int]) -> list[Detail]:
        keys = list(keys)
        rows = self._db.read(
            "SELECT key, url, coalesce(verdict, ''), coalesce(evidence, ''), other_url, depth, "
            f"coalesce(in_degree, 0) FROM url WHERE key IN ({', '.join('?' * len(keys))})",
            *keys,
        )
        found = {key: Detail(*row) for key, *row in rows}
        return [found[key] for key in keys]

    def of_other_origins(self, origin: str) -> Iterator[int]:
        rows = self._db.read(
            "SELECT key FROM url WHERE sources <> 0 AND verdict = 'out_of_scope' "
            "AND substr(url, 1, length(?1) + 1) <> ?1 || '/'",
            origin,
        )
        return (key for (key,) in rows)

    def copies(self) -> Iterator[Copy]:
        rows = self._db.read(
            f"SELECT key, url, other_url, reason <> '{Reason.NEAR_DUPLICATE.value}' FROM url "
            f"WHERE sources <> 0 AND (verdict IN ({COPY_SQL}) "
            f"OR verdict = 'listed' AND reason = '{Reason.SAME_CONTENT.value}')"
        )
        return (Copy(key, url, original, bool(exact)) for key, url, original, exact in rows)

    def views(self) -> Iterator[ShownRow]:
        rows = self._db.read(
            "SELECT url.key, url.url, pages, shown.url FROM view JOIN url USING (key) "
            "JOIN url AS shown ON shown.key = view.example "
            "WHERE url.verdict IN ('listed', 'view') AND url.sources <> 0 ORDER BY url.url"
        )
        return map(ShownRow._make, rows)

    def clusters(self) -> Iterator[ClusterRow]:
        rows = self._db.read(
            "SELECT chosen.url, member.url, similarity FROM near_duplicate "
            "JOIN url AS chosen ON chosen.key = near_duplicate.listed "
            "JOIN url AS member ON member.key = near_duplicate.key "
            "WHERE chosen.sources <> 0 AND member.sources <> 0 ORDER BY chosen.url, member.url"
        )
        return map(ClusterRow._make, rows)

    def text_lengths(self) -> Iterator[tuple[int, int]]:
        return self._db.read(
            "SELECT page.key, text_length FROM page JOIN url USING (key) "
            f"WHERE verdict IN ({OWN_SQL}) AND sources <> 0"
        )

    def samples(self, keys: Iterable[int] | None = None) -> Iterator[SampledRow]:
        query = (
            f"SELECT page.key, iif(signature_id IS NULL, pictures, {SIGNATURE}) "
            f"FROM page JOIN url USING (key) WHERE verdict IN ({OWN_SQL}) "
            "AND sources <> 0 AND (signature_id NOT NULL OR pictures <> x'')"
        )
        rows = self._db.read(query) if keys is None else self._db.of_keys(query, keys)
        return map(SampledRow._make, rows)

    def addresses(self) -> Iterator[Address]:
        rows = self._db.read(
            f"SELECT url, verdict IS 'listed', (sources & {SITEMAP}) <> 0, view.key NOT NULL "
            "FROM url LEFT JOIN view USING (key) WHERE sources <> 0 ORDER BY url"
        )
        return map(Address._make, rows)
