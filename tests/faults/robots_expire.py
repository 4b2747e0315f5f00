"""Settings of a crawl whose robots.txt expires twice a second; given with SITEMAPGEN_PROFILE."""

from sitemapgen.download import robots

robots.MAX_AGE = 0.5
