"""The codes in the tables of ``schema.sql``."""

from __future__ import annotations

from sitemapgen.items import Spared, Verdict

KNOWN, PENDING, IN_FLIGHT, DONE = range(4)
"""``url.state``."""
START, LINK, SITEMAP, NOFOLLOW, MADE_UP = 1, 2, 4, 8, 16
"""The bits of ``url.sources``."""
TEXT, LINKS, DIRECTIVES = 1, 2, 4
"""The bits of ``page.changed``."""

NOT_ASKED = (Spared.SPARED, Spared.POSTPONED)
NOT_ASKED_SQL = f"{Spared.SPARED:d}, {Spared.POSTPONED:d}"
"""``page.spared`` of pages that nobody asked for in this run."""

VERDICT_CODE = " ".join(
    ["CASE verdict", *(f"WHEN '{each.value}' THEN {each.code}" for each in Verdict), "ELSE -1 END"]
)
"""``url.verdict`` as ``Verdict.code``; -1 where it is still open."""
