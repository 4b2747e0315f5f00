"""Check of links to other sites: each URL is requested once, and again only if it does not work.

What a response means: ``core/external.py``. The requests go through the downloader, so that each
host has its own delay, and private addresses stay shut. The robots.txt of these sites holds even
with ``robots=ignore``, which is for the crawled site alone.
"""

from __future__ import annotations

import asyncio
import logging
from time import monotonic

from scrapy.crawler import Crawler

from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.external import BROKEN, LinkCheck, LinkStatus, finding_of
from sitemapgen.core.urls import Site, parse, split
from sitemapgen.core.words import counted
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.egress import PrivateAddress
from sitemapgen.download.engine import fetch_url, is_ending
from sitemapgen.download.failures import describe_failure
from sitemapgen.download.responses import location_of
from sitemapgen.download.robots import RobotsService, RobotsUnreachable, SiteUnavailable
from sitemapgen.download.terms import HEADERS_ONLY, UNJUDGED
from sitemapgen.errors import CrawlError
from sitemapgen.store import Store

logger = logging.getLogger(__name__)

META = {UNJUDGED: True, HEADERS_ONLY: True, "dont_retry": True}


class ExternalChecker:
    """Checks the URLs on other sites that the pages link to, those with the most pages first."""

    def __init__(self, crawler: Crawler, store: Store, site: Site) -> None:
        self.crawler = crawler
        self.store = store
        self.site = site
        settings = crawler.settings
        self.limit = settings.getint("SITEMAPGEN_MAX_EXTERNAL")
        self.seconds = settings.getfloat("SITEMAPGEN_EXTERNAL_SECONDS")
        self._end = float("inf")
        self._places = asyncio.Semaphore(settings.getint("CONCURRENT_REQUESTS"))
        self._robots = RobotsService(crawler, is_strict=True)

    async def run(self) -> None:
        """Check the URLs that were not checked yet, up to the limits. Raises CrawlError."""
        urls = self.store.external.unchecked_urls(self.limit)
        if not urls:
            return
        logger.info(
            "All pages are done; %(urls)s of other sites to check",
            {"urls": counted(len(urls), "URL")},
        )
        self._end = monotonic() + self.seconds
        outcomes = await asyncio.gather(*map(self._check_url, urls))
        logger.info(
            "%(urls)s of other sites checked: %(broken)d broken",
            {
                "urls": counted(sum(found is not None for found in outcomes), "URL"),
                "broken": sum(found in BROKEN for found in outcomes),
            },
        )

    async def _check_url(self, url: str) -> LinkStatus | None:
        """Check a URL and keep the result; None if the crawl, or the time, ends before."""
        async with self._places:
            if is_ending(self.crawler) or monotonic() > self._end:
                return None
            try:
                finding = await self._follow_url(url)
            except RequestCancelled:
                return None
            if is_ending(self.crawler):
                return None
            self.store.external.record_check(url, finding)
            self.store.commit()
            self.crawler.stats.inc_value(f"sitemapgen/external/url_count/{finding.outcome.value}")
            return finding.outcome

    async def _follow_url(self, url: str) -> LinkCheck:
        """Request a URL and the targets of its redirects. Raises RequestCancelled."""
        for _ in range(MAX_HOPS + 1):
            if self.site.owns(url):
                return LinkCheck(LinkStatus.WORKS)  # back here: its pages have their own verdicts
            if refusal := await self._robots_refusal(url):
                return refusal
            found = await self._request_url(url)
            if isinstance(found, LinkCheck):
                return found
            url = found
        return LinkCheck(LinkStatus.UNREACHABLE, f"more than {MAX_HOPS} redirects in a row")

    async def _robots_refusal(self, url: str) -> LinkCheck | None:
        """Return why a URL is not requested, by the robots.txt of its site; None if it may be."""
        try:
            line = (await self._robots.of(url)).refusal(url)
        except RequestCancelled:
            raise
        except RobotsUnreachable as error:
            if error.__cause__ is None:  # an answer that forbids everything
                return LinkCheck(LinkStatus.NOT_ASKED, str(error).partition(";")[0])
            return LinkCheck(LinkStatus.UNREACHABLE, describe_failure(error.__cause__))
        except (SiteUnavailable, PrivateAddress) as error:
            return LinkCheck(LinkStatus.NOT_ASKED, str(error))
        if not line:
            return None
        return LinkCheck(LinkStatus.NOT_ASKED, f"{split(url).origin}/robots.txt: {line}")

    async def _request_url(self, url: str) -> LinkCheck | str:
        """Request a URL: HEAD, and GET where that does not work; return the target of a redirect.

        Servers that answer HEAD wrongly are common, and one failure may be an accident.
        """
        finding = LinkCheck(LinkStatus.UNREACHABLE)
        for method in ("HEAD", "GET"):
            try:
                response = await fetch_url(self.crawler, url, dict(META), method)
            except RequestCancelled:
                raise
            except PrivateAddress as error:
                return LinkCheck(LinkStatus.NOT_ASKED, str(error))
            except CrawlError:
                raise
            except Exception as error:  # noqa: BLE001 - any error of the network
                finding = LinkCheck(LinkStatus.UNREACHABLE, describe_failure(error))
                continue
            if location := location_of(response):
                target = parse(location, url)
                if target is not None:
                    return target
            finding = finding_of(response.status)
            if finding.outcome is LinkStatus.WORKS:
                break
        return finding
