"""Descriptions of the stats that a crawl counts into Scrapy's stats collector.

The calls of ``inc_value`` stand where it happens. ``make tables`` writes the table in
``docs/reference/stats.md`` from these.
"""

STATS = {
    "sitemapgen/store/page_count/VERDICT": "pages by the verdict of their own answer "
    "(docs/reference/verdicts.md); verdicts that depend on the whole site come later, and are in "
    "`report.json`",
    "sitemapgen/links/malformed_count": "links that no browser could follow",
    "sitemapgen/links/offsite_count": "links to other sites",
    "sitemapgen/external/url_count/OUTCOME": "URLs on other sites by the result of their check: "
    "`works`, `dead` (404 or 410), `unreachable` (no answer, or an error of the server), `refused` "
    "(to a crawler), `not_asked` (by robots.txt, or for its private address)",
    "sitemapgen/robots/refused_count": "requests that robots.txt stopped after they were made: "
    "redirects of sitemaps, a robots.txt that changed",
    "sitemapgen/backoff/refusal_count/STATUS": "responses with status 429 or 503",
    "sitemapgen/backoff/retry_count": "further requests for pages after a 429 or 503",
    "sitemapgen/cluster/lost_count": "requests that were repeated since their worker, or Redis, "
    "was lost (docs/guides/workers.md)",
    "sitemapgen/outage/count": "times that the site was down",
    "sitemapgen/egress/refused_count/downloader": "requests that were refused: their host has a "
    "private address (docs/explanation/reliability.md#private-addresses)",
    "sitemapgen/egress/refused_count/browser": "connections of pages in the browser that were "
    "refused for the same reason",
    "sitemapgen/duplicates/request_count": "second readings of pages that hardly differ "
    "(docs/explanation/duplicates.md)",
    "sitemapgen/soft404/request_count": "requests for paths that cannot exist",
    "sitemapgen/file_hints/unread_count": "responses that were ended after their headers, since "
    "they were files",
    "sitemapgen/rendering/page_count/REASON": "pages that were rendered, by the reason "
    "(docs/explanation/rendering.md#which-pages-are-rendered)",
    "sitemapgen/rendering/fruitless_count": "rendered pages to which the browser added nothing",
    "sitemapgen/rendering/failure_count/REASON": "pages that the browser could not render, by the "
    "same reasons",
    "sitemapgen/rendering/disallowed_count": "scripts, data and frames that robots.txt kept pages "
    "from loading",
    "sitemapgen/rendering/cut_count": "requests of pages that were stopped beyond the limits of a "
    "render (docs/explanation/rendering.md)",
    "sitemapgen/rendering/waiting_count/OUTCOME": "pages that seemed to wait for their content "
    "(docs/explanation/rendering.md#content-that-comes-late): it `came`, it was waited for in "
    "`vain`, it was not (`denied`), nothing was under way (`idle`)",
    "sitemapgen/rendering/seconds": "seconds in the browser, all pages together",
    "sitemapgen/rendering/endpoint_count/NUMBER": "pages that each browser at an endpoint "
    "rendered, by its place in the setting, from 1 "
    "(docs/guides/browsers.md#browsers-on-other-machines)",
    "sitemapgen/rendering/browser_lost": "the reason why the browser ended and could not be "
    "started again; unset where that did not happen",
    "sitemapgen/exit_code": "the exit code of the crawl "
    "(docs/explanation/reliability.md#exit-codes)",
}
"""Name of the stat -> what it counts; a last part in capitals stands for one of a closed list."""
