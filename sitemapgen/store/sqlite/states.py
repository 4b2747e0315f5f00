"""The codes in the tables of ``schema.sql``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.items import Spared
from sitemapgen.verdicts import Content, Stage, Verdict, verdicts_where

if TYPE_CHECKING:
    from collections.abc import Iterable

KNOWN, PENDING, IN_FLIGHT, DONE = range(4)
"""``url.state``."""
START, LINK, SITEMAP, NOFOLLOW, MADE_UP = 1, 2, 4, 8, 16
"""The bits of ``url.sources``."""
TEXT, LINKS, DIRECTIVES = 1, 2, 4
"""The bits of ``page.changed``."""

NOT_ASKED = (Spared.SPARED, Spared.POSTPONED)
NOT_ASKED_SQL = f"{Spared.SPARED:d}, {Spared.POSTPONED:d}"
"""``page.spared`` of pages that nobody asked for in this run."""


def words_sql(verdicts: Iterable[Verdict]) -> str:
    """Write verdicts as the members of an SQL list.

    >>> words_sql([Verdict.LISTED, Verdict.NOINDEX])
    "'listed', 'noindex'"
    """
    return ", ".join(f"'{verdict.value}'" for verdict in verdicts)


READ_SQL = words_sql(
    verdicts_where(lambda row: row.stage > Stage.SEEN and row.content is not Content.NONE)
)
"""Verdicts of HTML documents. A soft 404 is none: a missing page has no type of its own."""
OWN_SQL = words_sql(verdicts_where(lambda row: row.content is Content.OWN))
"""Verdicts of pages with content of their own."""
COPY_SQL = words_sql(verdicts_where(lambda row: row.content is Content.COPY))
"""Verdicts of pages with the content of another one."""
MAY_RECOVER_SQL = words_sql(verdicts_where(lambda row: row.may_recover))
"""Verdicts that may pass by themselves."""

VERDICT_CODE = " ".join(
    ["CASE verdict", *(f"WHEN '{each.value}' THEN {each.code}" for each in Verdict), "ELSE -1 END"]
)
"""``url.verdict`` as ``Verdict.code``; -1 where it is still open."""
