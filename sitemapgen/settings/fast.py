"""Profile for your own site: ``SCRAPY_PROJECT=fast``. Delays of robots.txt still apply."""

from sitemapgen.settings import *  # noqa: F403 - a profile overrides some defaults

CONCURRENT_REQUESTS = 16  # more have no effect: one process does not read faster
CONCURRENT_REQUESTS_PER_DOMAIN = 16
DOWNLOAD_DELAY = 0
AUTOTHROTTLE_ENABLED = False  # latency has no effect; 429 and 503 still slow the crawl down
