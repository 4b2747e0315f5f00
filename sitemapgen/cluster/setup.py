"""Entrances to a cluster, importable without its packages, which are optional."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from sitemapgen.cluster.coordinator import Coordinator
    from sitemapgen.cluster.description import Membership

MISSING = "SITEMAPGEN_CLUSTER: %s is not installed; pip install 'redis[hiredis]' msgpack"


def make_coordinator(crawler: Crawler) -> Coordinator | None:
    """Return the coordinator of a crawl with workers; None without them. Raises CrawlError."""
    url = crawler.settings["SITEMAPGEN_CLUSTER"]
    if not url:
        return None
    try:
        from sitemapgen.cluster.coordinator import Coordinator  # noqa: PLC0415 - optional
    except ImportError as error:
        raise CrawlError(Exit.ARGUMENTS, MISSING % error.name) from error
    return Coordinator(crawler, str(url))


def join_crawl(settings: BaseSettings) -> Membership:
    """Wait for a crawl that a worker can be part of. Raises CrawlError."""
    url = settings["SITEMAPGEN_CLUSTER"]
    if not url:
        raise CrawlError(
            Exit.ARGUMENTS,
            "a worker needs the Redis of its crawl: -s SITEMAPGEN_CLUSTER=redis://host:6379/0",
        )
    try:
        from sitemapgen.cluster.description import Membership  # noqa: PLC0415 - optional
    except ImportError as error:
        raise CrawlError(Exit.ARGUMENTS, MISSING % error.name) from error
    return Membership.begin(str(url), settings.getfloat("SITEMAPGEN_BACKOFF_GIVE_UP"))
