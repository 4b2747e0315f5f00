"""Downloader middleware that keeps every request within robots.txt: ``download/robots.py``."""

from __future__ import annotations

import logging

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http.request import NO_CALLBACK

from sitemapgen.context import Component, context_of
from sitemapgen.core.urls import parse
from sitemapgen.download.failures import Disallowed
from sitemapgen.download.terms import UNJUDGED

logger = logging.getLogger(__name__)


class RobotsMiddleware(Component):
    """Refuses requests that the robots.txt of their origin forbids."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.robots = context_of(crawler).robots

    async def process_request(self, request: Request) -> None:
        """Let an allowed request pass.

        Raises Disallowed with the line that forbids it, and the errors of ``RobotsService.of``.
        """
        if not self.robots.obey or request.meta.get(UNJUDGED):
            return
        lease = request.cb_kwargs.get("lease")
        is_normal = lease is not None and lease.url == request.url
        url = request.url if is_normal else parse(request.url)
        if url is None:  # a file, data: no robots.txt applies
            return
        if line := (await self.robots.of(url)).refusal(url):
            self.crawler.stats.inc_value("sitemapgen/robots/refused_count")
            if request.errback is None and request.callback is not NO_CALLBACK:
                sentence = "%(url)s is not fetched: robots.txt has %(line)s"
                logger.info(sentence, {"url": request.url, "line": line})
            raise Disallowed(line)
