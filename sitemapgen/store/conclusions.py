"""Evidence and conclusions about pages that rest on the whole site.

The conclusions are drawn in ``publish/conclusions.py``; the results: ``results.py``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from sitemapgen.analysis.graph import UNREACHED, Floats, Ints, LinkGraph, Measures
from sitemapgen.analysis.lastmod import Conclusion, DatedPage
from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.urls import key
from sitemapgen.items import Revisit, Ruling
from sitemapgen.store.database import BATCH, Database
from sitemapgen.store.states import (
    COPY_SQL,
    DONE,
    EXCERPT,
    HAS_DATES,
    NOT_ASKED_SQL,
    OWN_SQL,
    SITEMAP_DATES,
    SITEMAP_DATES_BEFORE,
    SYSTEM_DATES,
    SYSTEM_DATES_BEFORE,
    TEXT,
)
from sitemapgen.verdicts import Reason


class SignedRow(NamedTuple):
    """The features by which near-duplicates are found."""

    key: int
    url: str
    excerpt: str
    signature: bytes


class ShortRow(NamedTuple):
    """A listed page with little text."""

    key: int
    url: str
    title: str
    language: str
    excerpt: str
    content_hash: int
    first: int | None
    """The key of the page that it was compared with in the previous run; None for none."""
    was_same: bool
    has_changed: bool
    """Whether its text, links or directives have changed since."""
    is_asked: bool
    """Whether it was requested in this run."""


class TextRow(NamedTuple):
    """The text of a page, which other pages may show."""

    key: int
    title: str
    excerpt: str
    signature: bytes
    """Empty for a page with too little text."""
    unbroken: bytes
    """``Page.unbroken``; empty if it was read by a version without it."""
    pictures: bytes
    """``Page.pictures``, which are those of pages without a signature."""


class ViewRow(NamedTuple):
    """A page that shows only what other pages show."""

    key: int
    pages: int
    """Number of pages of which it shows parts."""
    example: int
    """Key of the page that it shows most of."""


OUTCOMES = f"""
SELECT key, verdict = 'listed' AND coalesce(canonical, '') IN ('', url), content_hash, EXISTS (
    SELECT 1 FROM page AS other WHERE other.content_hash = page.content_hash
    AND other.own_verdict = 'listed' AND other.canonical <> url
    AND other.key NOT IN (SELECT value FROM json_each(?1))
)
FROM url LEFT JOIN page USING (key)
WHERE state = {DONE} AND key IN (SELECT value FROM json_each(?1)) ORDER BY key
"""

COMPARABLE = """content_hash NOT NULL AND (text_hash NOT NULL OR NOT EXISTS (
    SELECT 1 FROM render_candidate AS kind WHERE kind.key = page.key AND NOT EXISTS (
        SELECT 1 FROM render WHERE render.family = kind.family
        AND render.template = kind.template AND outcome <> 'failed'
    )
))"""
"""SQL condition on pages that are compared by their content; of those with little text and with
scripts, only if the browser has shown a page of their kind."""

SHORT = 500
"""Characters of main text of a page with little text."""
SHORT_PAGES = f"""
WITH short AS (
    SELECT page.key, url, title, language, content_hash, excerpt_id, excerpt, first, is_same,
           coalesce(changed, 0) <> 0 AS has_changed, revisit NOT IN ({NOT_ASKED_SQL}) AS is_asked
    FROM page JOIN url USING (key) LEFT JOIN earlier_comparison USING (key)
    WHERE verdict = 'listed' AND sources <> 0 AND state = {DONE} AND text_length <= {SHORT}
    AND {COMPARABLE} AND page.key NOT IN (SELECT key FROM render)
)
SELECT key, url, title, language, {EXCERPT.format(page="short")}, content_hash,
       first, is_same, has_changed, is_asked
FROM short
WHERE (title, language) IN (SELECT title, language FROM short GROUP BY 1, 2 HAVING count(*) > 1)
"""

SAME_CONTENT = """
UPDATE page SET content_hash = (
    SELECT other.content_hash FROM comparison JOIN page AS other ON other.key = first
    WHERE comparison.key = page.key
) WHERE key IN (SELECT key FROM comparison WHERE is_same)
"""

TEXTS = """
SELECT page.key, page.title, {excerpt}, coalesce(signature.signature, x''),
       coalesce(unbroken, x''), pictures
FROM page JOIN url USING (key) LEFT JOIN signature ON signature.id = page.signature_id
WHERE sources <> 0
"""

DATED = f"""
SELECT page.key, url, verdict = 'listed', page.answered, page.claims,
       {SITEMAP_DATES}, {SYSTEM_DATES},
       page.lastmod, page.lastmod_source, page.lastmod_evidence, page.visited,
       max(page.visited, CAST((SELECT started FROM run ORDER BY id DESC LIMIT 1) AS INTEGER)),
       CASE WHEN page.revisit NOT IN ({NOT_ASKED_SQL}) AND page.changed NOT NULL
            THEN before.visited END,
       coalesce(page.changed & {TEXT}, 0), before.claims,
       CASE WHEN before.visited THEN {SITEMAP_DATES_BEFORE} END,
       CASE WHEN before.visited THEN {SYSTEM_DATES_BEFORE} END,
       coalesce(final_lastmod.lastmod, before.lastmod),
       coalesce(final_lastmod.source, before.lastmod_source),
       coalesce(final_lastmod.evidence, before.lastmod_evidence),
       page.revisit = {Revisit.SPOT_CHECK:d}, coalesce(final_lastmod.disproved, 0)
FROM page JOIN url USING (key) LEFT JOIN earlier_page AS before USING (key)
LEFT JOIN earlier_final_lastmod AS final_lastmod USING (key)
WHERE page.answered AND state = {DONE} AND (page.claims <> '' OR {HAS_DATES} OR before.key)
"""


class Conclusions:
    """Queries over many pages, and conclusions that replace earlier ones."""

    def __init__(self, db: Database) -> None:
        self._db = db

    # From links

    def write_measures(
        self, measures: Measures, graph: LinkGraph, ranks: Floats | None = None
    ) -> None:
        """Write depth, links and redirects of each URL, and its PageRank if it was computed."""
        self._db.write_all(
            "UPDATE url SET depth = nullif(?2, -1), hops = ?3, "
            "parent = nullif(?4, 0), in_degree = ?5, reached = ?6, pagerank = nullif(?7, 0) "
            "WHERE key = ?1 AND (depth, hops, parent, in_degree, reached, pagerank) "
            "IS NOT (nullif(?2, -1), ?3, nullif(?4, 0), ?5, ?6, nullif(?7, 0))",
            _measure_rows(measures, graph.nodes.keys, ranks),
        )

    def predict_listed(self, keys: Sequence[int], *, with_copies: bool) -> dict[int, bool]:
        """Predict, of the URLs among ``keys`` that are done, which ones will be listed.

        Not listed are pages with another canonical URL and, unless ``with_copies``, pages with the
        same content as one fetched before; within ``keys`` the smallest key counts as the first.
        """
        with self._db.writing():
            self._db.execute("CREATE INDEX IF NOT EXISTS same_content ON page (content_hash)")
            rows = self._db.execute(OUTCOMES, (json.dumps(keys),)).fetchall()
        met: set[int] = set()
        outcomes = {}
        for page, is_listed, content, is_copy in rows:
            outcomes[page] = bool(is_listed and (with_copies or not (is_copy or content in met)))
            if is_listed and content is not None:
                met.add(content)
        return outcomes

    # From pages

    def reset_site_verdicts(self) -> None:
        """Reset the verdicts that depend on the whole site to ``listed``."""
        self._db.write(
            "UPDATE url SET verdict = 'listed', evidence = '', reason = '', other_url = '' "
            f"WHERE verdict IN ({COPY_SQL}) AND state = {DONE} "
            "OR (verdict = 'listed' AND (evidence <> '' OR reason <> ''))"
        )

    def canonicals(self) -> Iterator[tuple[int, str]]:
        """Yield (key, canonical URL) of listed pages that name another URL, by key."""
        return self._db.by_key(
            "SELECT page.key, canonical FROM page JOIN url USING (key) "
            "WHERE verdict = 'listed' AND canonical <> '' AND canonical <> url"
        )

    def contents(self) -> Iterator[tuple[int, int, int, bool, bool]]:
        """Yield the fields of ``publish.conclusions.CONTENT`` of comparable pages.

        These are the pages with content that are listed, or would be if not noindex.
        """
        return self._db.read(
            "SELECT page.key, content_hash, coalesce(subject, 0), "
            "verdict = 'listed', text_hash IS NULL FROM page JOIN url USING (key) "
            f"WHERE verdict IN ({OWN_SQL}) AND sources <> 0 AND {COMPARABLE}"
        )

    def short_pages(self) -> list[ShortRow]:
        """Return the listed pages with little text that share their title with another one.

        Pages that were rendered are left out.
        """
        return [ShortRow(*row) for row in self._db.rows(SHORT_PAGES)]

    def set_comparisons(self, rows: Iterable[tuple[int, int, bool]]) -> None:
        """Keep (key, key of another, whether they are the same); those get its content hash."""
        self._db.replace_all("comparison", "key first is_same", rows)
        self._db.write(SAME_CONTENT)

    def alternates(self, keys: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Yield (key, packed keys of its language versions) of the pages that name any."""
        return self._db.of_keys(
            "SELECT page.key, alternates FROM page WHERE alternates <> x''", sorted(keys)
        )

    def signed_pages(self, keys: Iterable[int]) -> Iterator[SignedRow]:
        """Yield the pages with a signature among ``keys`` (sorted ascending)."""
        rows = self._db.of_keys(
            f"SELECT page.key, url, {EXCERPT.format(page='page')}, signature.signature "
            "FROM page JOIN url USING (key) JOIN signature ON signature.id = page.signature_id "
            "WHERE true",
            keys,
        )
        return map(SignedRow._make, rows)

    def text_samples(self) -> Iterator[TextRow]:
        """Yield the listed pages, in no order, with an excerpt only of those without signature."""
        excerpt = f"iif(signature_id IS NULL, {EXCERPT.format(page='page')}, '')"
        query = f"{TEXTS.format(excerpt=excerpt)} AND verdict = 'listed'"
        return map(TextRow._make, self._db.read(query))

    def texts_of(self, keys: Iterable[int]) -> Iterator[TextRow]:
        """Yield the pages with ``keys`` (sorted ascending)."""
        query = TEXTS.format(excerpt=EXCERPT.format(page="page"))
        return map(TextRow._make, self._db.of_keys(query, keys))

    def listed_urls(self) -> Iterator[tuple[int, str]]:
        """Yield (key, URL) of the listed pages, in no order."""
        return self._db.read("SELECT key, url FROM url WHERE verdict = 'listed' AND sources <> 0")

    def variants(self) -> Iterator[tuple[int, str]]:
        """Yield (key, URL listed instead) of the URLs that are variants, in no order."""
        return self._db.read("SELECT key, other_url FROM url WHERE verdict = 'variant'")

    def set_views(self, rows: Iterable[ViewRow]) -> None:
        """Replace the views."""
        self._db.replace_all("view", "key pages example", rows)

    def set_clusters(self, rows: Iterable[tuple[int, int, float]]) -> None:
        """Replace the clusters: (key, key of the representative page, similarity).

        They contain the near-duplicates of listed pages, and noindex copies and near-duplicates.
        """
        self._db.replace_all("near_duplicate", "key listed similarity", rows)

    def set_link_faults(self, rows: Iterable[tuple[int, bool, int, int, int]]) -> None:
        """Replace the faults of links.

        (key, is a dead end, number of hreflang faults, redirects in a row from here on or -1,
        number of pages that link to the redirect).
        """
        self._db.replace_all("link_fault", "key is_dead_end hreflang hops links", rows)

    def set_resting(self, rows: Iterable[tuple[int, bool]]) -> None:
        """Replace the pages that the next run need not request: (key, is requested)."""
        self._db.replace_all("resting", "key is_turn", rows)
        stands = "SELECT key, other_url FROM url AS page WHERE verdict = 'variant'"
        of_resting = self._db.read(f"{stands} AND key IN (SELECT key FROM resting)")
        bases = {page: key(url) for page, url in of_resting}
        for _ in range(MAX_HOPS):  # a variant may stand for others
            further = dict(self._db.of_keys(stands, sorted({*bases.values()})))
            bases = {
                page: key(further[base]) if base in further else base
                for page, base in bases.items()
            }
        rows = ((base, page) for page, base in bases.items())
        self._db.write_all("UPDATE resting SET base = ? WHERE key = ?", rows)

    def set_date_faults(self, rows: Iterable[tuple[int, str, int]]) -> None:
        """Replace the faults of dates: (key, ``DateFault`` in the site's sitemaps, others)."""
        self._db.replace_all("date_fault", "key sitemap others", rows)

    def failing_pages(self) -> Iterator[tuple[int, int | None, int]]:
        """Yield (key, status, failed runs in a row) of listed pages that fail, by key."""
        return self._db.by_key(
            "SELECT page.key, status, failures FROM page JOIN url USING (key) "
            "WHERE verdict = 'listed' AND failures > 0"
        )

    def postponed_pages(self) -> Iterator[tuple[int, int]]:
        """Yield (key, time of the last visit) of listed pages that were postponed, by key."""
        return self._db.by_key(
            "SELECT page.key, page.visited FROM page JOIN url USING (key) "
            f"WHERE verdict = 'listed' AND revisit = {Revisit.OVER_BUDGET:d}"
        )

    def remarked_pages(self) -> Iterator[tuple[int, str, Reason]]:
        """Yield (key, evidence, reason) of listed pages with a remark from their response alone.

        Only those without another one, but for one on near-duplicates; by key.
        """
        rows = self._db.by_key(
            "SELECT page.key, own_evidence, own_reason FROM page JOIN url USING (key) "
            "WHERE verdict = 'listed' AND own_verdict = 'listed' AND own_reason <> '' "
            f"AND reason IN ('', '{Reason.NEAR_DUPLICATE.value}')"
        )
        return ((key, evidence, Reason(reason)) for key, evidence, reason in rows)

    def set_verdicts(self, rulings: Iterable[Ruling]) -> None:
        """Replace verdicts and their evidence."""
        named = "(SELECT url FROM url WHERE key = :other)"
        self._db.write_all(
            f"UPDATE url SET verdict = :verdict, evidence = :evidence || coalesce({named}, ''), "
            f"other_url = coalesce({named}, :other_url), reason = :reason WHERE key = :key",
            (
                {**each._asdict(), "verdict": each.verdict.value, "reason": each.reason.value}
                for each in rulings
            ),
        )

    # From dates

    def dated_pages(self) -> Iterator[DatedPage]:
        """Yield every document with a date of its own or from a sitemap, by key."""
        return map(_dated_page, self._db.by_key(DATED))

    def dated_at(self, keys: Iterable[int]) -> Iterator[DatedPage]:
        """Yield the rows of ``dated_pages`` for ``keys`` (sorted ascending)."""
        return map(_dated_page, self._db.of_keys(DATED, keys))

    def set_lastmods(self, conclusions: Iterable[Conclusion]) -> None:
        """Replace all final lastmods; pages without one keep the date of their own."""
        columns = "key lastmod source evidence disproved is_trusted"
        self._db.replace_all("final_lastmod", columns, conclusions)

    def set_changefreqs(self, words: Iterable[tuple[int, str]]) -> None:
        """Replace the published changefreqs: (key, word)."""
        self._db.replace_all("changefreq", "key word", words)


def _dated_page(row: tuple[Any, ...]) -> DatedPage:
    *now, before, is_other, packed, sitemap_dates, system_dates = row[:-5]
    lastmod, source, evidence, is_turn, disproved = row[-5:]
    settled = ("", "", "") if lastmod is None else (lastmod, source, evidence)
    if before is None:
        return DatedPage(*now)._replace(settled=settled, disproved=disproved)
    past = (before, bool(is_other), packed, sitemap_dates, system_dates)
    return DatedPage._make((*now, *past, settled, bool(is_turn), disproved))


def _measure_rows(
    measures: Measures, keys: Ints, ranks: Floats | None
) -> Iterator[tuple[object, ...]]:
    """Yield rows in the order of the table, by key, so that each database page is written once."""
    order = np.argsort(keys)
    parents = np.where(measures.parent == UNREACHED, 0, keys[measures.parent])
    ranks = np.zeros(len(keys)) if ranks is None else ranks
    columns = (
        keys,
        measures.depth,
        measures.hops,
        parents,
        measures.in_degree,
        measures.is_reached.astype(np.int8),
        ranks,
    )
    for first in range(0, len(order), BATCH):
        some = order[first : first + BATCH]
        yield from zip(*(column[some].tolist() for column in columns))
