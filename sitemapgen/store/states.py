"""Codes and SQL fragments for the tables of ``schema.sql``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from sitemapgen.items import Judgement, Revisit
from sitemapgen.verdicts import DOCUMENTS, Content, Stage, Verdict, verdicts_where

KNOWN, PENDING, IN_FLIGHT, DONE = range(4)
"""The values of ``url.state``."""
START, LINK, SITEMAP, NOFOLLOW, MADE_UP, SYSTEM = 1, 2, 4, 8, 16, 32
"""The bits of ``url.sources``."""
NAMED = SITEMAP | SYSTEM
"""The bits of URLs that the site names elsewhere than in links."""
TEXT, LINKS, DIRECTIVES, SHARED_LINKS = 1, 2, 4, 8
"""The bits of ``page.changed``; with ``SHARED_LINKS`` the start page has all new links as well."""

NOT_ASKED = tuple(revisit for revisit in Revisit if not revisit.is_request)
NOT_ASKED_SQL = ", ".join(f"{revisit:d}" for revisit in NOT_ASKED)
"""The values of ``page.revisit`` for pages that were not requested in this run."""

EXCERPT = """coalesce((
    SELECT unpack_text(packed) FROM excerpt WHERE excerpt.id = {page}.excerpt_id
), {page}.excerpt)"""
"""SQL expression for the excerpt of a page of this run."""
SIGNATURE = """coalesce((
    SELECT signature.signature FROM signature WHERE signature.id = page.signature_id
), x'')"""
"""SQL expression for the signature of a page of this run; empty for none."""

EXPORTED = {
    "url": "url.url",
    "verdict": "url.verdict",
    "depth": "url.depth",
    "in_degree": "coalesce(url.in_degree, 0)",
    "pagerank": "url.pagerank",
    "reached": "coalesce(url.reached, 0)",
    "in_sitemap": f"(url.sources & {SITEMAP}) <> 0",
    "lastmod": "coalesce(final_lastmod.lastmod, page.lastmod)",
    "lastmod_source": "coalesce(final_lastmod.source, page.lastmod_source)",
    "lastmod_evidence": "coalesce(final_lastmod.evidence, page.lastmod_evidence)",
}
"""SQL expressions of what is exported of each URL, by column; the date is the published one."""

_OF_SITEMAPS = """coalesce((
    SELECT group_concat(lastmod, char(10)) FROM {run}sitemap_entry AS entry
    WHERE entry.key = page.key AND entry.lastmod <> ''
), '')"""
_OF_SYSTEMS = """coalesce((
    SELECT group_concat(changed, char(10)) FROM {run}source_entry AS entry
    WHERE entry.key = page.key AND entry.changed <> ''
), '')"""
_KEPT = """coalesce((
    SELECT {column} FROM earlier_sitemap_dates_at_visit AS kept WHERE kept.key = page.key
), {dates})"""
SITEMAP_DATES = _OF_SITEMAPS.format(run="")
SYSTEM_DATES = _OF_SYSTEMS.format(run="")
SITEMAP_DATES_BEFORE = _KEPT.format(column="sitemaps", dates=_OF_SITEMAPS.format(run="earlier_"))
SYSTEM_DATES_BEFORE = _KEPT.format(column="systems", dates=_OF_SYSTEMS.format(run="earlier_"))
"""SQL expressions for the dates that sitemaps and systems give for ``page``: in this run, and at
its last visit before this run. Several dates of one of the two stand one a line."""

HAS_DATES = f"({SITEMAP_DATES} <> '' OR {SYSTEM_DATES} <> '')"
HAD_DATES = f"({SITEMAP_DATES_BEFORE} <> '' OR {SYSTEM_DATES_BEFORE} <> '')"
HAS_SAME_DATES = (
    f"({SITEMAP_DATES} = {SITEMAP_DATES_BEFORE} AND {SYSTEM_DATES} = {SYSTEM_DATES_BEFORE})"
)
"""SQL conditions: dates of ``page`` in this run, at its last visit, the same in both."""

OPEN_SQL = "verdict = NULL, evidence = NULL, reason = '', other_url = ''"
"""SQL assignments that remove a verdict."""
LET_IN = f"UPDATE url SET state = {PENDING}, {OPEN_SQL}"
JUDGED_SQL = "verdict = ?, evidence = ?, other_url = ?, reason = ?"
"""SQL assignments that set a verdict; ``judged_values`` returns their values."""


def judged_values(judgement: Judgement) -> tuple[str, str, str, str]:
    """Return the values of a verdict for ``JUDGED_SQL``."""
    verdict, evidence, other_url, reason = judgement
    return verdict.value, evidence, other_url, reason.value


@cache
def insert_sql(table: str, columns: str, verb: str = "INSERT") -> str:
    """Return the SQL statement that inserts a row.

    >>> insert_sql("changefreq", "key word", "REPLACE")
    'REPLACE INTO changefreq (key, word) VALUES (?, ?)'
    """
    names = columns.split()
    return f"{verb} INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"


def words_sql(verdicts: Iterable[Verdict]) -> str:
    """Return verdicts as the members of an SQL list.

    >>> words_sql([Verdict.LISTED, Verdict.NOINDEX])
    "'listed', 'noindex'"
    """
    return ", ".join(f"'{verdict.value}'" for verdict in verdicts)


READ_SQL = words_sql(
    verdicts_where(lambda row: row.stage > Stage.SEEN and row.content is not Content.NONE)
)
"""Verdicts of HTML documents, without soft 404s: a missing page has no type of its own."""
OWN_SQL = words_sql(verdicts_where(lambda row: row.content is Content.OWN))
"""Verdicts of pages with content of their own."""
DOCUMENTS_SQL = words_sql(DOCUMENTS)
"""Those of ``verdicts.DOCUMENTS``."""
COPY_SQL = words_sql(verdicts_where(lambda row: row.content is Content.COPY))
"""Verdicts of pages with the same content as another page."""
MAY_RECOVER_SQL = words_sql(verdicts_where(lambda row: row.may_recover))
"""Verdicts of failures that may be temporary."""

VERDICT_CODE = " ".join(
    ["CASE verdict", *(f"WHEN '{each.value}' THEN {each.code}" for each in Verdict), "ELSE -1 END"]
)
"""SQL expression for ``url.verdict`` as ``Verdict.code``; -1 for URLs without a verdict."""
