"""SQL for the dates that sitemaps and systems give for a page, now and at its last visit.

One date a line; those of systems begin with ``SYSTEM_DATE``.
"""

from sitemapgen.core.lastmod import SYSTEM_DATE

_DATES = """coalesce((
    SELECT group_concat(lastmod, char(10)) FROM {sitemaps} AS entry
    WHERE entry.key = page.key AND entry.lastmod <> ''
), '') || coalesce((
    SELECT group_concat(char(10) || '{prefix}' || changed, '') FROM {systems} AS entry
    WHERE entry.key = page.key AND entry.changed <> ''
), '')"""
DATES_NOW = _DATES.format(sitemaps="sitemap_entry", systems="source_entry", prefix=SYSTEM_DATE)
DATES_BEFORE = (
    "coalesce((SELECT said FROM earlier_sitemap_dates_at_visit AS earlier "
    "WHERE earlier.key = page.key), "
    + _DATES.format(
        sitemaps="earlier_sitemap_entry", systems="earlier_source_entry", prefix=SYSTEM_DATE
    )
    + ")"
)
"""SQL expressions for the dates of ``page`` in this run, and at its last visit before this run."""
