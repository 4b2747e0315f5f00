"""SQL for the dates that the site's own sitemaps give a page, now and at its last visit."""

_SAID = """coalesce((
    SELECT group_concat(lastmod, char(10)) FROM {entry} AS entry
    WHERE entry.key = page.key AND entry.lastmod <> ''
), '')"""
SAID_NOW = _SAID.format(entry="sitemap_entry")
SAID_BEFORE = (
    "coalesce((SELECT said FROM earlier_sitemap_dates_at_visit AS earlier "
    "WHERE earlier.key = page.key), "
    f"{_SAID.format(entry='earlier_sitemap_entry')})"
)
"""What sitemaps say of a page's date, one date a line; and what they said when it was visited last,
if it was not postponed in this run."""
