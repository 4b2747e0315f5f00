"""The story of a crawl: the start URL, robots.txt, the site's own sitemaps, then page by page.

It only translates between Scrapy and the rules: pages are read in ``core/pages.py``, sitemaps in
``core/sitemaps.py``; the order of pages is the scheduler's.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from scrapy import Request, Spider
from scrapy.exceptions import IgnoreRequest
from scrapy_spider_metadata import Args

from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.pages import read_page, unfetched_page
from sitemapgen.core.sitemaps import read
from sitemapgen.core.urls import is_same_site, key, parse, split
from sitemapgen.exits import CrawlError, Exit
from sitemapgen.failures import describe
from sitemapgen.items import Judgement, Link, Page, SitemapFile, Verdict
from sitemapgen.middlewares.robots import RobotsMiddleware, RobotsUnreachable
from sitemapgen.params import Params
from sitemapgen.spiders.probing import Prober
from sitemapgen.store import MAX_HOPS, Claim
from sitemapgen.store.opening import open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from sitemapgen.core.robots import Robots
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)

USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.txt")
"""Tried in this order where robots.txt names none."""
MAX_SITEMAP_LEVELS = 3
"""An index, the indexes that it lists, and theirs."""


class SitemapSpider(Args[Params], Spider):
    """Crawls one site into a store. The arguments are ``params.py``."""

    name = "sitemap"
    store: Store
    reader: LinkReader
    prober: Prober
    _start_answers: defaultdict[str, asyncio.Future[Page]]
    error: CrawlError | None = None
    """Why the crawl cannot go on; None as long as it can."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        for name, value in spider.args.settings().items():
            crawler.settings.set(name, value, priority="spider")
        # Whoever comes first makes the future: the page, or start() that waits for it.
        spider._start_answers = defaultdict(asyncio.Future)
        spider.prober = Prober(spider)
        spider.store, spider.start_url = open_store(spider.args, crawler.settings["DEPTH_LIMIT"])
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Fetch the start URL, settle on its origin, then read the site's own sitemaps."""
        try:
            if not self.start_url:
                async for request in self._find_start(self.args.start_url()):
                    yield request
            robots = await self._enter(self.start_url)
        except CrawlError as error:
            self.abort(error)
            return
        for request in self._sitemap_requests(robots):
            yield request

    async def _find_start(self, url: str) -> AsyncIterator[Request]:
        """Follow the start URL to where it leads; the origin may move to another scheme or www."""
        met: set[str] = set()
        while url not in met:
            if len(met) > MAX_HOPS:
                raise CrawlError(Exit.UNREACHABLE, f"{url}: after {MAX_HOPS} redirects in a row")
            met.add(url)
            await self._enter(url)
            link = self.start_link(url)
            if link.refusal:
                logger.warning(
                    "The start URL may not be fetched: %(line)s", {"line": link.refusal.evidence}
                )
                self.store.seed(link, _timestamp())
                break
            yield Request(url)
            page = await self._start_answers[url]
            target = _redirect_target(page)
            if not target:
                _check_start(page)
                break
            if not is_same_site(url, target):
                raise CrawlError(
                    Exit.ARGUMENTS,
                    f"url: {url} redirects to another site; crawl that with -a url={target}",
                )
            if split(target).origin != split(url).origin:
                logger.info("%(url)s leads to %(target)s", {"url": url, "target": target})
            url = target
        else:
            raise CrawlError(Exit.UNREACHABLE, f"{url}: redirects in a circle")
        self.start_url = url
        self._start_answers.clear()
        self.store.settle_start(url)
        self.store.commit()

    async def _enter(self, url: str) -> Robots:
        """Read links from now on by the rules of the URL's origin. Raises CrawlError."""
        middleware = self.crawler.get_downloader_middleware(RobotsMiddleware)
        if middleware is None:
            raise CrawlError(Exit.ERROR, "RobotsMiddleware is not in DOWNLOADER_MIDDLEWARES")
        try:
            robots = await middleware.robots(url)
        except RobotsUnreachable as error:
            raise CrawlError(Exit.UNREACHABLE, str(error)) from error
        rules = Rules(
            site=self.args.site(url),
            robots=robots,
            include=self.args.included(),
            exclude=self.args.excluded(),
        )
        self.reader = LinkReader(rules)
        return robots

    def start_link(self, url: str) -> Link:
        """A start URL as a link: only robots.txt can keep it out."""
        line = self.reader.rules.robots.refusal(url)
        refusal = Judgement(Verdict.ROBOTS_DISALLOWED, line) if line else None
        return Link(url=url, key=key(url), refusal=refusal)

    # Pages

    def page_request(self, claim: Claim) -> Request:
        """The request for a URL out of the frontier."""
        return Request(
            claim.url,
            callback=self.parse,
            errback=self.parse_failure,
            cb_kwargs={"claim": claim},
            meta={"depth": claim.depth},
            dont_filter=True,
        )

    def parse(self, response: Response, claim: Claim) -> Iterable[Page] | AsyncIterator[Page]:
        """Read a page; only one that may be a soft 404 has to wait."""
        page = self.read(Link(url=claim.url, key=claim.key), response)
        if self.prober.is_needed(page):
            return self._compare(page, response)
        self._answer_start(page)
        return (page,)

    async def _compare(self, page: Page, response: Response) -> AsyncIterator[Page]:
        try:
            yield await self.prober.judge(page, response)
        except CrawlError as error:
            self.abort(error)

    def read(self, link: Link, response: Response) -> Page:
        """Read what a URL answered."""
        return read_page(
            link=link,
            status=response.status,
            headers=_headers(response),
            body=response.body,
            reader=self.reader,
            now=datetime.now(timezone.utc),
        )

    def parse_failure(self, failure: Failure) -> Iterator[Page]:
        """Record a URL that gave no answer."""
        claim: Claim = failure.request.cb_kwargs["claim"]  # type: ignore[attr-defined]
        error = failure.value
        if isinstance(error, RobotsUnreachable):
            self.abort(CrawlError(Exit.UNREACHABLE, str(error)))
            return
        verdict = (
            Verdict.ROBOTS_DISALLOWED if isinstance(error, IgnoreRequest) else Verdict.FETCH_ERROR
        )
        link = Link(url=claim.url, key=claim.key)
        page = unfetched_page(link, Judgement(verdict, describe(error)))
        self._answer_start(page)
        yield page

    def _answer_start(self, page: Page) -> None:
        if not self.start_url and not self._start_answers[page.url].done():
            self._start_answers[page.url].set_result(page)

    # The site's own sitemaps

    def _sitemap_requests(self, robots: Robots) -> Iterator[Request]:
        base = split(self.start_url).origin + "/robots.txt"
        named = [parse(value, base) for value in robots.sitemaps]
        urls = dict.fromkeys([url for url in named if url] + list(self.args.sitemap_urls()))
        self._sitemaps_met = set(urls)
        for url in urls:
            yield self._sitemap_request(url)
        if not urls:
            guesses = [urljoin(base, path) for path in USUAL_SITEMAPS]
            yield self._sitemap_request(guesses[0], guesses=tuple(guesses[1:]))

    def _sitemap_request(self, url: str, **cb_kwargs: Any) -> Request:
        return Request(
            url,
            callback=self.parse_sitemap,
            errback=self.parse_sitemap_failure,
            cb_kwargs={"asked": url, **cb_kwargs},
            dont_filter=True,
            priority=1,
        )

    def parse_sitemap(
        self,
        response: Response,
        asked: str,
        parent: str = "",
        level: int = 1,
        hops: int = 0,
        guesses: tuple[str, ...] | None = None,
    ) -> Iterator[Request | SitemapFile]:
        """Read a sitemap file; follow an index. ``guesses``: usual paths still to be tried."""
        told = {"asked": asked, "parent": parent, "level": level, "guesses": guesses}
        location = response.headers.get("Location")
        if 300 <= response.status < 400 and location and hops < MAX_HOPS:
            target = parse(location.decode("utf-8", "replace"), response.url)
            if target and self._may_lead_to(target):
                yield self._sitemap_request(target, **told, hops=hops + 1)
                return
        if response.status != 200:
            yield from self._sitemap_failed(f"HTTP {response.status}", asked, parent, guesses)
            return
        sitemap = read(response.body)
        if not sitemap.format and guesses is not None:
            yield from self._sitemap_failed(sitemap.error, asked, parent, guesses)
            return
        links = (
            (entry, self.reader.rules.site.resolve(entry.url, response.url))
            for entry in sitemap.entries
        )
        yield SitemapFile(
            url=asked,
            parent=parent,
            format=sitemap.format,
            error=sitemap.error,
            children=len(sitemap.children),
            entries=tuple((entry, self.reader.link(url)) for entry, url in links if url),
        )
        logger.info(
            "Sitemap %(url)s: %(entries)d URLs, %(children)d further files",
            {"url": asked, "entries": len(sitemap.entries), "children": len(sitemap.children)},
        )
        if level < MAX_SITEMAP_LEVELS:
            yield from self._children(sitemap.children, response.url, asked, level + 1)

    def _children(
        self, children: tuple[str, ...], base: str, parent: str, level: int
    ) -> Iterator[Request]:
        for href in children:
            url = parse(href, base)
            if url and url not in self._sitemaps_met and self._may_lead_to(url):
                self._sitemaps_met.add(url)
                yield self._sitemap_request(url, parent=parent, level=level)

    def _may_lead_to(self, url: str) -> bool:
        """Other hosts only where robots.txt or the user names the file itself."""
        return self.reader.rules.site.owns(url) or url in self._sitemaps_met

    def parse_sitemap_failure(self, failure: Failure) -> Iterator[Request | SitemapFile]:
        """Record a sitemap that gave no answer; it never stops a crawl."""
        told = failure.request.cb_kwargs  # type: ignore[attr-defined]
        yield from self._sitemap_failed(
            describe(failure.value), told["asked"], told.get("parent", ""), told.get("guesses")
        )

    def _sitemap_failed(
        self, error: str, asked: str, parent: str, guesses: tuple[str, ...] | None
    ) -> Iterator[Request | SitemapFile]:
        if guesses is None:
            logger.warning("Sitemap %(url)s: %(error)s", {"url": asked, "error": error})
            yield SitemapFile(url=asked, parent=parent, error=error)
        elif guesses:
            yield self._sitemap_request(guesses[0], guesses=guesses[1:])

    # The end

    def abort(self, error: CrawlError) -> None:
        """Close the spider for an error; the first one is the one that counts."""
        if self.error is None:
            self.error = error
            closing = self.crawler.engine.close_spider_async(reason=error.exit_code.name.lower())
            self._closing = asyncio.ensure_future(closing)


def _redirect_target(page: Page) -> str:
    """Where a page redirects to, also when that is another origin; empty when nowhere."""
    verdict, evidence = page.judgement
    if verdict in (Verdict.REDIRECT, Verdict.OFFSITE_REDIRECT):
        return evidence.partition(" to ")[2]
    return ""


def _check_start(page: Page) -> None:
    """Without its start page there is no site to speak of."""
    verdict, evidence = page.judgement
    if verdict in (Verdict.HTTP_ERROR, Verdict.FETCH_ERROR):
        raise CrawlError(Exit.UNREACHABLE, f"{page.url}: {evidence}")


def _headers(response: Response) -> dict[str, list[str]]:
    return {
        name.decode("latin-1").lower(): [value.decode("latin-1") for value in values]
        for name, values in response.headers.items()
    }


def _timestamp() -> float:
    return datetime.now(timezone.utc).timestamp()
