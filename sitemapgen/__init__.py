"""sitemapgen: crawls a website and publishes a sitemap that can be trusted.

    url -> spiders/sitemap.py          start(): the start URL, robots.txt
        -> spiders/sitemap_files.py    the site's own sitemaps
        -> frontier/                   next URL of the store: scheduler, batches, phases, planner
        -> middlewares/                robots.txt, login, proxy, outages, rendering
        -> download/                   delays, robots.txt, probes, egress, conversion of responses
        -> browser/                    pages that are empty without a browser
        -> cluster/                    pages that workers on other machines fetch and read
        -> spiders/sitemap.py          parse(): core/document/pages.py reads one Page
        -> context.py                  one transaction: page + links + "done"
        -> pipelines/sitemap.py        on close: publish
        -> publish/, report/           store -> sitemap.xml, report.html, urls.csv ..., atomically

    context.py      the state that the components of one crawl share
    items.py        the data that flows between them; verdicts.py properties of each verdict
    params.py       the arguments; settings/ the settings and profiles; errors.py the exit codes
    extensions/     the status on a terminal, the dashboard, feeds
    addon.py        the same for the spiders of other projects
    commands/       commands on the output of a crawl; tools/ their work, also on any sitemap
    scrapy_commands/  the commands of Scrapy: crawl, and those of commands/
    cli/            the command ``sitemapgen``, and the page of ``sitemapgen serve``
    deploy/         jobs of Scrapyd

Rules are in ``core/`` (one document) and ``analysis/`` (a whole site), state is in ``store/``; the
Scrapy components only connect the two.
"""

__version__ = "0.1.0"

HOME_PAGE = "https://a-seed-8f19c7b5.example/sitemapgen"
"""URL of the project in the User-Agent, for site owners who find it in their logs."""
