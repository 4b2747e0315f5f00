"""Downloader middleware that adds the user's credentials to requests for the start origin.

The proxy is set on all requests. Validation of the arguments, and the origins: ``core/access.py``.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from sitemapgen.context import Component, context_of
from sitemapgen.core.access import may_be_sent

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)


class AccessMiddleware(Component):
    """Sets headers and proxy on every request: pages, robots.txt, sitemaps.

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
