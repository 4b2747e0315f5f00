"""Results of a run that are published and reported, read only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import nsmallest
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sitemapgen.core.rendering.learn import RENDERED_FOR
from sitemapgen.core.title_width import pixels
from sitemapgen.core.url_forms import template
from sitemapgen.items import LOST, Extensions, LinkLabel, OnPage, Revisit
from sitemapgen.store.database import Database
from sitemapgen.store.packing import unpack_extensions, unpack_labels, unpack_numbers
from sitemapgen.store.states import COPY_SQL, DONE, EXCERPT, EXPORTED, NOFOLLOW, VERDICT_CODE
from sitemapgen.verdicts import Reason, Verdict


class Lost(NamedTuple):
    """Counts of what was not read because of errors in the crawler."""

    pages: int
    """Number of pages, including those carried over from an earlier run."""
    files: int
    """Number of the site's own sitemap files."""
    parts: int = 0


class ListedRow(NamedTuple):
    """One URL of the sitemap."""

    url: str
    lastmod: str
    depth: int
    pagerank: float
    changefreq: str
    """The published changefreq; empty for none."""


class TitledRow(NamedTuple):
    """One URL of the sitemap with its title, for the HTML sitemap."""

    url: str
    title: str
    lastmod: str
    is_trusted: bool = True
    """Whether the source of its lastmod is trusted; False for a date published before its source
    lost trust."""
    language: str = ""
    """The language that the page states, as written; empty for none."""


class DescribedRow(NamedTuple):
    """One URL of the sitemap with what it is about, for llms.txt."""

    url: str
    title: str
    description: str
    """Empty if the page has none, or the run that read it did not collect descriptions."""
    depth: int | None


class PageText(NamedTuple):
    """One URL of the sitemap with its whole text."""

    url: str
    title: str
    lastmod: str
    language: str
    """The language that the page states, as written; empty for none."""
    markdown: str
    """Empty if the run that read the page did not collect texts."""


class UrlRow(NamedTuple):
    """One URL of a finished crawl: the columns of urls.csv, in their order."""

    url: str
    verdict: str
    evidence: str
    status: int | None
    depth: int | None
    parent: str | None
    in_degree: int
    canonical: str | None
    lastmod: str | None
    lastmod_source: str | None
    title: str | None
    lastmod_evidence: str | None
    pagerank: float | None
    in_sitemap: int
    """1 if the site's own sitemaps list the URL, else 0."""
    reached: int
    """1 if followed links lead from the start URL to this one, else 0."""
    rendered: int
    """1 if the page shows more in a browser than the server sent, else 0."""
    render_reason: str
    """Why it was read in a browser, in words; empty if ``rendered`` is 0."""
    view: int
    """1 if the page shows only what other listed pages show, else 0."""
    view_of: str
    """The one of those pages that it shows most of; empty if ``view`` is 0."""
    redirect_target: str = ""
    """Where it redirects; empty if it does not."""
    kind: str = ""
    """The template of its URL: ``core.url_forms.template``."""
    title_length: int | None = None
    """Number of characters of its title, the site's name included; None if it was not read."""
    title_pixels: int | None = None
    """Approximate width of its title: ``core.title_width``; None if it was not read."""
    description_length: int | None = None
    """Number of characters of its meta description; None if it was not read."""
    description: str = ""
    """Its meta description; empty without one, or if the run did not collect them."""
    h1: str | None = None
    """The text of its first ``<h1>``; empty without one, None if it was not read."""
    on_page: OnPage | None = None
    """Its columns in place of this one; None if it was not read."""
    bytes: int | None = None
    """Number of bytes of the body, as sent; None for less than ``LARGE``, or if it was not read."""
    seconds: float | None = None
    """Seconds to the last byte; None for less than ``SLOW``, or if it was not read."""
    duplicate_of: str = ""
    """The page with the same, or nearly the same, content; empty if there is none."""
    similarity: float | None = None
    """1 if their content is the same; else the similarity of their texts, at most 0.99."""
    dead_end: int = 0
    """1 if it is listed and leads to no other page, else 0."""
    hreflang_faults: int = 0
    """Number of its versions in other languages that do not name it, or are not listed."""
    sitemap_date_fault: str = ""
    """Why its date in the site's own sitemaps is not trusted: a ``DateFault``; empty if it is."""
    page_date_faults: int = 0
    """Number of its other dates that are not trusted."""
    redirect_hops: int | None = None
    """Number of redirects in a row from here on; 0 in a circle, None for no redirect."""
    redirect_links: int | None = None
    """Number of pages that link to the redirect; None for no redirect."""
    same_title: int = 0
    """Number of other listed pages with its title."""
    same_description: int = 0
    """Number of other listed pages with its description."""
    same_h1: int = 0
    """Number of other listed pages with its ``<h1>``."""

    def cells(self) -> tuple[object, ...]:
        """Return the values of ``COLUMNS``."""
        return (*self[:_ON_PAGE], *(self.on_page or _NOT_READ), *self[_ON_PAGE + 1 :])


_ON_PAGE = UrlRow._fields.index("on_page")
COLUMNS = (*UrlRow._fields[:_ON_PAGE], *OnPage._fields, *UrlRow._fields[_ON_PAGE + 1 :])
"""The columns of urls.csv."""
_NOT_READ = (None,) * len(OnPage._fields)


class StoredPage(NamedTuple):
    """The text and the links of a page."""

    title: str
    excerpt: str
    """The first 2,000 characters of its main text."""
    followed: list[str]
    """The URLs of its links, in document order."""
    nofollow: list[str]


class Detail(NamedTuple):
    """One URL in a report."""

    url: str
    verdict: str
    evidence: str
    other_url: str
    depth: int | None
    in_degree: int


class Copy(NamedTuple):
    """A page that is left out for another URL, or listed with the same content."""

    key: int
    url: str
    original: str
    is_exact: bool
    """Whether the content is the same; False for a near-duplicate."""


class ShownRow(NamedTuple):
    """A page that shows only what other listed pages show."""

    key: int
    url: str
    pages: int
    """Number of pages of which it shows parts."""
    example: str
    """The URL of the page that it shows most of."""


class ClusterRow(NamedTuple):
    """A near-duplicate of another page."""

    listed: str
    """The URL of the page that represents the cluster."""
    url: str
    similarity: float
    """The similarity of their texts, from the threshold to 1."""


class Unfetched(NamedTuple):
    """URLs with one verdict that were not fetched."""

    urls: int
    evidence: str
    """The first of their evidence texts in alphabetical order; empty without URLs."""
    examples: list[str]
    """The shortest of the URLs."""


class SharedCanonical(NamedTuple):
    """The URL that most pages name as their canonical one, and are left out for."""

    url: str
    pages: int
    titles: int
    """Number of different titles of these pages."""
    examples: list[str]


class Lacking(NamedTuple):
    """Pages without content, or without a title, a description or an ``<h1>``."""

    pages: int
    examples: list[str]
    """The first pages in URL order."""


class RepeatedText(NamedTuple):
    """A title, a description or an ``<h1>`` of several pages."""

    pages: int
    value: str | int
    """The title without the site's name, the hash of the description, or the ``<h1>``."""


class Transfer(NamedTuple):
    """The last complete response of a page."""

    url: str
    seconds: float
    """Seconds from the request to the last byte, to a tenth; 0 for less than a second."""
    size: int
    """Number of bytes of the body, as sent."""


Field = Literal["title", "description", "h1"]
"""A text of pages that has to be there, and to be their own."""
LENGTH = {"title": "title_length", "description": "description_length", "h1": "length(h1)"}
VALUE = {"title": "title", "description": "description_hash", "h1": "h1"}
NOTICED = 1.0
"""Seconds below which a time is not kept: it differs from crawl to crawl by as much."""
SLOW = 5.0
"""Seconds from which a single page is slow, whatever else the server did."""
LARGE = 500_000
"""Bytes of the body, as sent, from which a page is large. Smaller sizes differ from crawl to crawl,
by the tokens in forms."""
LISTED = "FROM page JOIN url USING (key) WHERE verdict = 'listed' AND sources <> 0"
REPEATED = (
    f"SELECT count(*) AS pages, {{value}} AS shown {LISTED} AND {{value}} <> '' "
    "GROUP BY shown HAVING pages > 1"
)
"""What several listed pages have: a column of VALUE."""
IS_COPY = f"url.reason = '{Reason.SAME_CONTENT.value}'"
"""SQL condition of pages with the same content as another one, listed or not."""

LOST_PAGES = f"""
SELECT count(*) FROM url JOIN page USING (key) WHERE state = {DONE} AND sources <> 0 AND (
    verdict = 'fetch_error' AND reason = '{Reason.LOST.value}'
    OR failures > 0 AND status = 200 AND revisit <> {Revisit.OVER_BUDGET:d}
)
"""

PAGE = f"""
SELECT title, {EXCERPT.format(page="page")}, followed, nofollow
FROM url JOIN page USING (key) LEFT JOIN link ON source = key WHERE key = ? AND state = {DONE}
"""


WITHOUT_FOLLOWED_LINKS = """
SELECT nofollow FROM link JOIN url ON url.key = link.source
WHERE verdict = 'listed' AND coalesce(followed, x'') = x'' AND nofollow <> x''
"""
ONLY_NOFOLLOW = (
    f"SELECT number, url FROM url WHERE sources = {NOFOLLOW} AND verdict = 'not_fetched'"
)


URL_COLUMNS = {
    **EXPORTED,
    "evidence": "url.evidence",
    "parent": "parent.url",
    "rendered": "rendered.reason NOT NULL",
    "render_reason": "rendered.reason",
    "view": "view.key NOT NULL",
    "view_of": "coalesce(example.url, '')",
    "redirect_target": "iif(url.verdict IN ('redirect', 'offsite_redirect'), own_other_url, '')",
    "kind": "NULL",
    "title_pixels": "NULL",
    "description": "coalesce(description.said, '')",
    "bytes": f"iif(transfer.bytes >= {LARGE}, transfer.bytes, NULL)",
    "seconds": f"iif(transfer.seconds >= {SLOW}, transfer.seconds, NULL)",
    "duplicate_of": f"iif({IS_COPY}, url.other_url, coalesce(original.url, ''))",
    "similarity": f"iif({IS_COPY}, 1, iif(original.key, min(round(similarity, 2), 0.99), NULL))",
    "dead_end": "coalesce(link_fault.is_dead_end, 0)",
    "hreflang_faults": "coalesce(link_fault.hreflang, 0)",
    "sitemap_date_fault": "coalesce(date_fault.sitemap, '')",
    "page_date_faults": "coalesce(date_fault.others, 0)",
    "redirect_hops": "nullif(link_fault.hops, -1)",
    "redirect_links": "iif(link_fault.hops >= 0, link_fault.links, NULL)",
    **{f"same_{field}": f"coalesce(same_{field}.pages - 1, 0)" for field in VALUE},
}
"""SQL expressions of the fields of ``UrlRow`` that are not columns of ``page``; NULL for those that
are computed from others."""
SAME = "\n".join(
    f"LEFT JOIN ({REPEATED.format(value=value)}) AS same_{field} "
    f"ON url.verdict = 'listed' AND same_{field}.shown = page.{value}"
    for field, value in VALUE.items()
)
URLS = f"""
SELECT {", ".join(URL_COLUMNS.get(name, f"page.{name}") for name in UrlRow._fields)} FROM url
LEFT JOIN page ON page.key = url.key AND url.state = {DONE}
LEFT JOIN final_lastmod ON final_lastmod.key = page.key
LEFT JOIN rendered ON rendered.key = page.key
LEFT JOIN url AS parent ON parent.key = url.parent
LEFT JOIN view ON view.key = page.key
LEFT JOIN url AS example ON example.key = view.example
LEFT JOIN description ON description.key = page.key
LEFT JOIN transfer ON transfer.key = page.key AND page.status = 200
LEFT JOIN near_duplicate AS near ON near.key = page.key AND near.key <> near.listed
    AND url.verdict IN ('listed', 'duplicate')
LEFT JOIN url AS original ON original.key = near.listed AND original.sources <> 0
LEFT JOIN link_fault ON link_fault.key = page.key
LEFT JOIN date_fault ON date_fault.key = page.key
{SAME} WHERE url.sources <> 0 ORDER BY url.url
"""


def _url_row(cells: tuple[Any, ...]) -> UrlRow:
    """Return the row of the columns that SQL returns, with those that are computed from others."""
    row, packed = UrlRow._make(cells), cells[_ON_PAGE]
    length = row.title_length
    return row._replace(
        render_reason=RENDERED_FOR[row.render_reason] if row.render_reason else "",
        kind=template(row.url),
        title_pixels=None if length is None else pixels(row.title or "", length),
        on_page=OnPage.of(packed) if packed else None,
    )


Row = TypeVar("Row", ListedRow, TitledRow, DescribedRow, PageText)
LISTED_ROWS = """
FROM url JOIN page USING (key) LEFT JOIN final_lastmod USING (key)
LEFT JOIN changefreq USING (key) LEFT JOIN extension USING (key)
LEFT JOIN description USING (key) LEFT JOIN markdown USING (key)
WHERE verdict = 'listed' AND sources <> 0"""
"""The URLs of the sitemap. SQLite leaves out the tables of which no column is asked for."""
LISTED_COLUMNS = {
    "lastmod": EXPORTED["lastmod"],
    "pagerank": "coalesce(pagerank, 0.0)",
    "changefreq": "coalesce(changefreq.word, '')",
    "is_trusted": "coalesce(final_lastmod.is_trusted, 1)",
    "description": "coalesce(description.said, '')",
    "markdown": "coalesce(unpack_text(markdown.said), '')",
}
"""SQL expressions of the fields of rows that are not columns of ``url`` or ``page``."""


def _column_list(kind: type[Row]) -> str:
    return ", ".join(LISTED_COLUMNS.get(name, name) for name in kind._fields)


class Results:
    """The results for the URLs of a run, read only."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def listed(self, kind: type[Row], rank: Callable[[str], str] | None = None) -> Iterator[Row]:
        """Yield the URLs of the sitemap as rows of this kind, in URL order, or by ``rank(url)``.

        They are sorted on the disk. ``rank`` must not raise.
        """
        order = "url"
        if rank is not None:
            self._db.connection.create_function("rank_of", 1, rank, deterministic=True)
            order = "rank_of(url), url"
        rows = self._db.read(f"SELECT {_column_list(kind)} {LISTED_ROWS} ORDER BY {order}")
        return map(kind._make, rows)

    def listed_extended(self) -> Iterator[tuple[ListedRow, int, Extensions | None]]:
        """Yield the URLs of the sitemap, in URL order, with key and sitemap extensions."""
        columns = _column_list(ListedRow)
        rows = self._db.read(
            f"SELECT {columns}, url.key, extension.said {LISTED_ROWS} ORDER BY url"
        )
        for *row, key, said in rows:
            yield ListedRow(*row), key, unpack_extensions(said) if said else None

    def extensions(self) -> Iterator[tuple[int, Extensions]]:
        """Yield (key, sitemap extensions) of listed pages, by key."""
        rows = self._db.read(
            "SELECT key, said FROM extension JOIN url USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 ORDER BY key"
        )
        return ((key, unpack_extensions(said)) for key, said in rows)

    def count_languages(self) -> dict[str, int]:
        """Count the pages of the sitemap by the language that they state, as written."""
        return dict(self._db.read(f"SELECT language, count(*) {LISTED} GROUP BY language"))

    def listed_ranks(self) -> Iterator[float]:
        """Yield the PageRank of each URL of the sitemap, in no order."""
        rows = self._db.read(
            "SELECT coalesce(pagerank, 0.0) FROM url WHERE verdict = 'listed' AND sources <> 0"
        )
        return (rank for (rank,) in rows)

    def urls(self) -> Iterator[UrlRow]:
        """Yield every URL seen in this run, in URL order."""
        return map(_url_row, self._db.read(URLS))

    def page(self, key: int) -> StoredPage | None:
        """Return a page that was recorded in this run; None if it was not, or was not read."""
        row = self._db.first(PAGE, key)
        if row is None:
            return None
        title, excerpt, *packed = row
        followed, nofollow = ([*map(self._db.url_of, unpack_numbers(of))] for of in packed)
        return StoredPage(title, excerpt, followed, nofollow)

    def link_labels(self) -> Iterator[tuple[str, list[LinkLabel]]]:
        """Yield (URL, texts and attributes of its links) of pages where they are kept, by URL."""
        rows = self._db.read(
            "SELECT url, said FROM url JOIN label USING (key) "
            f"WHERE state = {DONE} AND sources <> 0 ORDER BY url"
        )
        return ((url, unpack_labels(said)) for url, said in rows)

    def verdicts(self) -> NDArray[np.void]:
        """Return ``key`` and ``verdict``, a ``Verdict.code``, of every URL seen in this run."""
        rows = self._db.read(f"SELECT key, {VERDICT_CODE} FROM url WHERE sources <> 0")
        return np.fromiter(rows, dtype=[("key", np.int64), ("verdict", np.int8)])

    def locations(self) -> Iterator[tuple[int, str, int]]:
        """Yield (key, URL, id of its pattern, 0 for none) of every URL seen in this run."""
        return self._db.read("SELECT key, url, coalesce(pattern, 0) FROM url WHERE sources <> 0")

    def on_page(self) -> Iterator[tuple[str, OnPage]]:
        """Yield (URL, facts) of every listed page that was read, in URL order."""
        rows = self._db.read(f"SELECT url, on_page {LISTED} AND on_page <> '' ORDER BY url")
        return ((url, OnPage.of(packed)) for url, packed in rows)

    def count_urls(self) -> dict[str, dict[str, int]]:
        """Count the URLs by ``verdict``, ``depth`` and ``lastmod_source``."""
        verdicts = self._db.read(
            "SELECT verdict, count(*) FROM url WHERE sources <> 0 GROUP BY verdict"
        )
        depths = self._db.read(
            "SELECT depth, count(*) FROM url WHERE verdict = 'listed' AND sources <> 0 "
            "GROUP BY depth ORDER BY depth"
        )
        sources = self._db.read(
            f"SELECT {EXPORTED['lastmod_source']} AS source, count(*) "
            "FROM page JOIN url USING (key) LEFT JOIN final_lastmod USING (key) "
            "WHERE verdict = 'listed' AND sources <> 0 GROUP BY 1"
        )
        return {
            "verdict": dict(verdicts),
            "depth": {str(depth): count for depth, count in depths},
            "lastmod_source": {source or "none": count for source, count in sources},
        }

    def count_wrong_dates(self) -> int:
        """Count the listed pages that have dates, besides those of sitemaps, without trust."""
        return self._db.count("SELECT count(*) FROM date_fault WHERE others > 0")

    def count_lost(self) -> Lost:
        """Count what was not read because of errors in the crawler."""
        files = self._db.one("SELECT count(*) FROM sitemap WHERE reason = ?", Reason.LOST.value)
        parts = self._db.one("SELECT count(*) FROM source WHERE error = ?", LOST.evidence)
        return Lost(self._db.one(LOST_PAGES), files, parts)

    def count_unfetched(
        self, verdict: Verdict, examples: int, reason: Reason = Reason.NONE
    ) -> Unfetched:
        """Count the URLs with this verdict, and this reason if given, that were not fetched."""
        those = (
            f"FROM url WHERE verdict = :verdict AND state <> {DONE} AND sources <> 0 "
            "AND (:reason = '' OR reason = :reason)"
        )
        given = {"verdict": verdict.value, "reason": reason.value}
        urls, first = self._db.first(
            f"SELECT count(*), coalesce(min(evidence), '') {those}", **given
        )
        shortest = f"SELECT url {those} ORDER BY length(url), url LIMIT {examples}"
        return Unfetched(urls, first, self._db.column(shortest, **given))

    def count_unfollowed(self, examples: int) -> Unfetched:
        """Count the unfetched URLs of listed pages all of whose links are nofollow."""
        targets: set[int] = set()
        for (packed,) in self._db.read(WITHOUT_FOLLOWED_LINKS):
            targets.update(unpack_numbers(packed))
        only = self._db.read(ONLY_NOFOLLOW) if targets else ()
        found = [url for number, url in only if number in targets]
        return Unfetched(
            len(found), "", nsmallest(examples, found, key=lambda url: (len(url), url))
        )

    def unread_links(self, examples: int) -> Unfetched:
        """Count the links above the maximum of a page; the examples are the pages."""
        those = "FROM sighting WHERE kind = 'unread_links'"
        counts = f"SELECT coalesce(sum(CAST(example AS INTEGER)), 0) {those}"
        pages = self._db.column(f"SELECT pattern {those} ORDER BY pattern LIMIT ?", examples)
        return Unfetched(self._db.one(counts), "", pages)

    def count_unreached(self, examples: int) -> Unfetched:
        """Count the pages whose lists may go on; with the reason of the first one."""
        rows = self._db.rows(
            "SELECT pattern, example FROM sighting WHERE kind = 'unreached' ORDER BY pattern"
        )
        first = rows[0][1] if rows else ""
        return Unfetched(len(rows), first, [url for url, _ in rows[:examples]])

    def shared_canonical(self, examples: int) -> SharedCanonical | None:
        """Return the URL that most pages name as canonical; None if none is left out for one."""
        those = "FROM url JOIN page USING (key) WHERE verdict = 'canonicalised' AND sources <> 0"
        most = self._db.first(
            f"SELECT canonical, count(*), count(DISTINCT title) {those} "
            "GROUP BY canonical ORDER BY count(*) DESC, canonical LIMIT 1"
        )
        if most is None:
            return None
        shared, pages, titles = most
        shortest = f"SELECT url {those} AND canonical = ? ORDER BY length(url), url LIMIT ?"
        return SharedCanonical(shared, pages, titles, self._db.column(shortest, shared, examples))

    def canonicalised(self) -> Iterator[tuple[str, str]]:
        """Yield (URL, canonical) of the pages that are left out for it, in URL order."""
        return self._db.read(
            "SELECT url, other_url FROM url WHERE verdict = 'canonicalised' AND sources <> 0 "
            "AND other_url <> '' ORDER BY url"
        )

    def listed_with_query(self) -> Iterator[str]:
        """Yield the listed URLs with a query."""
        return (url for (url,) in self._db.read(f"SELECT url {LISTED} AND instr(url, '?')"))

    def count_blank(self, examples: int) -> Lacking:
        """Count the listed pages that have neither title nor text nor image."""
        is_blank = "title = '' AND text_length = 0 AND pictures = x'' AND signature_id IS NULL"
        return self._count_lacking(is_blank, examples)

    def count_without(self, field: Field, examples: int) -> Lacking:
        """Count the listed pages that were read and do not have this text."""
        return self._count_lacking(f"{LENGTH[field]} = 0", examples)

    def _count_lacking(self, condition: str, examples: int) -> Lacking:
        those = f"{LISTED} AND {condition}"
        first = f"SELECT url {those} ORDER BY url LIMIT ?"
        return Lacking(self._db.one(f"SELECT count(*) {those}"), self._db.column(first, examples))

    def whole_titles(self) -> Iterator[tuple[str, str, int]]:
        """Yield (URL, title without the site's name, characters with it) of the listed pages."""
        return self._db.read(f"SELECT url, title, title_length {LISTED} AND title_length > 0")

    def long_descriptions(self, limit: int, examples: int) -> tuple[int, list[tuple[str, int]]]:
        """Return (number of listed pages whose description is longer than ``limit``, the longest).

        The latter as (URL, number of characters).
        """
        those = f"{LISTED} AND description_length > ?1"
        first = (
            f"SELECT url, description_length {those} ORDER BY description_length DESC, url LIMIT ?2"
        )
        pages = self._db.one(f"SELECT count(*) {those}", limit)
        return pages, self._db.rows(first, limit, examples)

    def repeated_texts(self, field: Field) -> Iterator[RepeatedText]:
        """Yield what more than one listed page has, in no order."""
        return map(RepeatedText._make, self._db.read(REPEATED.format(value=VALUE[field])))

    def pages_with(
        self, field: Field, values: Collection[str | int]
    ) -> Iterator[tuple[str | int, str]]:
        """Yield (value, URL) of the listed pages with one of these few dozen, in URL order."""
        value, marks = VALUE[field], ", ".join("?" * len(values))
        return self._db.read(
            f"SELECT {value} AS shown, url {LISTED} AND shown IN ({marks}) ORDER BY url", *values
        )

    def transfers(self) -> Iterator[Transfer]:
        """Yield the transfers of pages with status 200, in URL order."""
        rows = self._db.read(
            "SELECT url, seconds, bytes FROM transfer JOIN url USING (key) JOIN page USING (key) "
            f"WHERE status = 200 AND state = {DONE} AND sources <> 0 ORDER BY url"
        )
        return map(Transfer._make, rows)

    def count_statuses(self) -> dict[int | None, int]:
        """Count the fetched URLs by status; None stands for no response."""
        return dict(
            self._db.read(
                "SELECT page.status, count(*) FROM page JOIN url USING (key) "
                f"WHERE state = {DONE} AND sources <> 0 GROUP BY page.status ORDER BY page.status"
            )
        )

    def details(self, keys: Iterable[int]) -> list[Detail]:
        """Return these URLs, a few hundred at most, in the order of the keys."""
        keys = list(keys)
        rows = self._db.read(
            "SELECT key, url, coalesce(verdict, ''), coalesce(evidence, ''), other_url, depth, "
            f"coalesce(in_degree, 0) FROM url WHERE key IN ({', '.join('?' * len(keys))})",
            *keys,
        )
        found = {key: Detail(*row) for key, *row in rows}
        return [found[key] for key in keys]

    def of_other_origins(self, origin: str) -> Iterator[tuple[int, str]]:
        """Yield (key, evidence) of the URLs that are out of scope as they have another origin."""
        return self._db.read(
            "SELECT key, evidence FROM url WHERE sources <> 0 AND verdict = 'out_of_scope' "
            "AND substr(url, 1, length(?1) + 1) <> ?1 || '/'",
            origin,
        )

    def copies(self) -> Iterator[Copy]:
        """Yield the URLs that are canonicalised or have the same content as another one."""
        rows = self._db.read(
            f"SELECT key, url, other_url, reason <> '{Reason.NEAR_DUPLICATE.value}' FROM url "
            f"WHERE sources <> 0 AND (verdict IN ({COPY_SQL}) "
            f"OR verdict = 'listed' AND reason = '{Reason.SAME_CONTENT.value}')"
        )
        return (Copy(key, url, original, bool(exact)) for key, url, original, exact in rows)

    def views(self) -> Iterator[ShownRow]:
        """Yield the views, in URL order, whether they are listed or left out."""
        rows = self._db.read(
            "SELECT url.key, url.url, pages, shown.url FROM view JOIN url USING (key) "
            "JOIN url AS shown ON shown.key = view.example "
            "WHERE url.verdict IN ('listed', 'view') AND url.sources <> 0 ORDER BY url.url"
        )
        return map(ShownRow._make, rows)

    def clusters(self) -> Iterator[ClusterRow]:
        """Yield the rows of ``Conclusions.set_clusters``, listed or not, in URL order."""
        rows = self._db.read(
            "SELECT chosen.url, member.url, similarity FROM near_duplicate "
            "JOIN url AS chosen ON chosen.key = near_duplicate.listed "
            "JOIN url AS member ON member.key = near_duplicate.key "
            "WHERE chosen.sources <> 0 AND member.sources <> 0 ORDER BY chosen.url, member.url"
        )
        return map(ClusterRow._make, rows)
