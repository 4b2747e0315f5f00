"""sitemapgen: crawls a website and publishes a sitemap that can be trusted.

    url -> spiders/sitemap.py          start(): the start URL, robots.txt
        -> spiders/sitemap_files.py    the site's own sitemaps
        -> frontier/                   next URL out of the store: scheduler, phases, planner
        -> middlewares/                robots.txt, login, proxy, outages, which pages are rendered
        -> download/                   delays, the robots service, probes, egress, answers as pages
        -> browser/                    pages that show nothing without one
        -> spiders/sitemap.py          parse(): core/document/pages.py reads one Page
        -> store/recorder.py           one transaction: page + links + "done"
        -> pipelines/sitemap.py        on close: publish
        -> publish/, report/           store -> sitemap.xml, report.html, urls.csv ..., atomically

    context.py      what the components of one crawl share
    items.py        what flows between them; verdicts.py what follows from a verdict
    params.py       the arguments; settings/ the wiring, and a profile each; errors.py exit codes
    extensions/     the status on a terminal, the dashboard, feeds
    addon.py        the same for the spiders of other projects
    commands/       crawl, and without a crawl work on what one left; tools/ on any sitemap
    deploy/         jobs of Scrapyd

Rules live in ``core/`` (one document) and ``analysis/`` (a whole site), state lives in ``store/``;
Scrapy components only translate between the two.
"""

__version__ = "0.1.0"

HOME_PAGE = "https://a-seed-8f19c7b5.example/sitemapgen"
"""Where the project lives, for owners who find it in their logs; the User-Agent names it."""
