"""SQL for the dates that sitemaps and systems give for a page, now and at its last visit.

Several dates of one of the two stand one a line.
"""

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
"""SQL expressions for the dates of ``page`` in this run, and at its last visit before this run."""

HAS_DATES = f"({SITEMAP_DATES} <> '' OR {SYSTEM_DATES} <> '')"
HAD_DATES = f"({SITEMAP_DATES_BEFORE} <> '' OR {SYSTEM_DATES_BEFORE} <> '')"
HAS_SAME_DATES = (
    f"({SITEMAP_DATES} = {SITEMAP_DATES_BEFORE} AND {SYSTEM_DATES} = {SYSTEM_DATES_BEFORE})"
)
"""SQL conditions: dates of ``page`` in this run, at its last visit, the same in both."""
