"""Downloader middlewares that only add headers: credentials and the contact."""

from __future__ import annotations

import logging
import re

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured

from sitemapgen.context import Component, context_of
from sitemapgen.core.access import may_be_sent
from sitemapgen.errors import CrawlError, Exit

logger = logging.getLogger(__name__)


class AccessMiddleware(Component):
    """Sets the user's headers for the start origin, and the proxy for all: ``core/access.py``.

    Scrapy's HttpAuthMiddleware would send credentials to any scheme and port of a domain, and its
    CookiesMiddleware would keep the site's cookies, so that pages depend on the order of requests.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.host = context_of(crawler).host
        access = self.host.args.access()
        if not (access.headers or access.proxy):
            raise NotConfigured
        self.headers = access.headers
        self.proxy = access.proxy
        self._withheld_from = ""

    def process_request(self, request: Request) -> None:
        if self.proxy:
            request.meta["proxy"] = self.proxy  # HttpProxyMiddleware moves the password to a header
        if not self.headers:
            return
        home = self.host.home
        if may_be_sent(request.url, home=home, start=self.host.args.url):
            for name, value in self.headers.items():
                request.headers[name] = value
        elif request.url.startswith(f"{home}/") and home != self._withheld_from:
            self._withheld_from = home
            logger.warning(
                "The site moved to %(home)s; login, cookies and headers are not sent there",
                {"home": home},
            )


class ContactMiddleware(Component):
    """Sends ``SITEMAPGEN_FROM`` as the From header: RFC 9110 section 10.1.2."""

    def __init__(self, crawler: Crawler) -> None:
        self.address = crawler.settings["SITEMAPGEN_FROM"]
        if not self.address:
            raise NotConfigured
        if not re.fullmatch(r"[!-~]+@[!-~]+", self.address):
            raise CrawlError(
                Exit.ARGUMENTS,
                f"SITEMAPGEN_FROM: {self.address!r} is not a mail address; write ops@example.com",
            )

    def process_request(self, request: Request) -> None:
        request.headers.setdefault("From", self.address)
