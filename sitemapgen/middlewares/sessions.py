"""Downloader middleware for servers without cookies: a session id in the URL of every page.

Links lose their session id (``core/urls.py``), and such a server redirects what has none to the
same URL with one. That URL is requested, and its response read as that of the URL without.
"""

from __future__ import annotations

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from sitemapgen.context import Component, context_of
from sitemapgen.core.urls import parse
from sitemapgen.download.responses import location_of
from sitemapgen.download.terms import IN_SESSION, UNJUDGED


class SessionMiddleware(Component):
    """Follows the first redirect from a URL to itself with a session id."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the request for the URL with the session id, once; else the response."""
        is_first = not (request.meta.get(IN_SESSION) or request.meta.get(UNJUDGED))
        target = parse(location_of(response), request.url) if is_first else None
        if not (target and target != request.url and self.context.is_entered):
            return response
        site = self.context.rules.site
        found = site.resolve_link(target)
        if not (found.session and site.owns(target) and found.url == site.resolve(request.url)):
            return response
        self.crawler.stats.inc_value("sitemapgen/sessions/redirect_count")
        meta = {**request.meta, IN_SESSION: True}
        return request.replace(url=target, meta=meta, dont_filter=True)
