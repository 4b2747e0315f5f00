"""SQL for the dates that the site's own sitemaps give for a page, now and at its last visit."""

_DATES = """coalesce((
    SELECT group_concat(lastmod, char(10)) FROM {entry} AS entry
    WHERE entry.key = page.key AND entry.lastmod <> ''
), '')"""
DATES_NOW = _DATES.format(entry="sitemap_entry")
DATES_BEFORE = (
    "coalesce((SELECT said FROM earlier_sitemap_dates_at_visit AS earlier "
    "WHERE earlier.key = page.key), "
    f"{_DATES.format(entry='earlier_sitemap_entry')})"
)
"""SQL expressions for the dates of ``page`` in sitemaps, one a line: in this run, and at its last
visit before this run."""
