"""sitemapgen: crawls a website and publishes a sitemap that can be trusted.

    url -> spiders/sitemap.py start()    the start URL, robots.txt
        -> spiders/seeding.py            the site's own sitemaps
        -> scheduler.py                  next URL out of the store's frontier
        -> middlewares/, downloader.py   robots.txt, login, proxy; how often a host may be asked
        -> download/                     robots.txt, probes, addresses that may be connected to
        -> browser/                      pages that show nothing without one; its middleware decides
        -> spiders/sitemap.py parse()    core/pages.py reads the answer: one Page
        -> recording.py                  one transaction: page + links + "done"
        -> pipelines/sitemap.py          on close: publish
        -> publish/, report/             store -> sitemap.xml, report.html, urls.csv ..., atomically
    extensions/ watch from the side: the status on a terminal, the dashboard.
    settings/ the wiring, a profile each; jobs.py where the files of a job of Scrapyd's go
    context.py what the components of one crawl share, pages of the run before among it
    verdicts.py what follows from a verdict, items.py what flows between these
    addon.py for the spiders of other projects: middlewares/visits.py fills the context for them
    commands/ crawl, and without a crawl work on what one left; errands/ on any sitemap.

Rules live in ``core/`` (one document) and ``analysis/`` (a whole site), state lives in ``store/``;
Scrapy components only translate between the two.
"""

__version__ = "0.1.0"

HOME_PAGE = "https://a-seed-8f19c7b5.example/sitemapgen"
"""Where the project lives, for owners who find it in their logs; the User-Agent names it."""
