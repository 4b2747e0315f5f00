"""Profile for a site that must not notice the crawl: ``SCRAPY_PROJECT=polite``."""

from sitemapgen.settings import *  # noqa: F403 - a profile overrides some defaults

CONCURRENT_REQUESTS = 1
CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 1.0
DOWNLOAD_DELAY_JITTER = 0.0  # Scrapy's jitter would shorten it to 0.5 s at times
AUTOTHROTTLE_START_DELAY = DOWNLOAD_DELAY
AUTOTHROTTLE_TARGET_CONCURRENCY = 0.5  # after a response of one second comes a pause of one
