"""Downloader middleware of the add-on: records the pages that another project's spider visits.

The spider itself is not changed. Each response for its callbacks is read by the same rules as in a
crawl of the sitemap spider, and ``SitemapPipeline`` publishes the visited pages at the end.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from itertools import pairwise

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import BaseSettings
from scrapy.utils.spider import DefaultSpider

from sitemapgen.context import Component, CrawlContext, Host
from sitemapgen.core.eligibility import ResponseFacts, judge_response
from sitemapgen.core.robots import Robots
from sitemapgen.core.sitemap_files.discover import ROBOTS
from sitemapgen.core.urls import key, parse, split
from sitemapgen.deploy.jobs import JobIdentity
from sitemapgen.download.egress import Egress
from sitemapgen.download.failures import Disallowed, judge_failure, leave_out
from sitemapgen.download.probing import Prober
from sitemapgen.download.responses import as_rendered
from sitemapgen.download.robots import SiteUnavailable
from sitemapgen.errors import CrawlError
from sitemapgen.items import CRASHED, Judgement, Link, Page, SitemapFile
from sitemapgen.params import ACCESS, UNKNOWN, Params, arguments_of_setting
from sitemapgen.store.opening import open_store
from sitemapgen.store.options import RunOptions
from sitemapgen.verdicts import Verdict

logger = logging.getLogger(__name__)

REFUSED_ARGUMENTS = frozenset(
    {
        *("sitemaps", "sources", "max_pages", "max_depth", "strategy", "robots", "refresh"),
        *("robots_unreachable", "verify_tls", "check_external", "dashboard", *ACCESS),
    }
)
"""Arguments that are refused, as the spider and Scrapy's settings determine what is fetched."""
NOT_ASKED_FOR = Judgement(Verdict.NOT_FETCHED, "the spider did not ask for it")
REFRESH = "meta refresh"
"""Scrapy's name for refreshes in the ``redirect_reasons`` of a request."""


class VisitsMiddleware(Component, Host):
    """Reads those responses for a spider that belong to one site.

    It is the site of ``url`` in ``SITEMAPGEN_ARGUMENTS``, else that of the first response.
    """

    publishes = True
    unrequested = NOT_ASKED_FOR
    guards_downloader = False  # requests of the spider itself are not restricted

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.args = read_arguments(crawler.settings)
        self.context = CrawlContext(crawler, self)
        self._is_off = isinstance(crawler.spider, DefaultSpider)  # scrapy fetch, scrapy shell
        self._entering = asyncio.Lock()
        self._seen: set[int] = set()
        self._barred: set[str] = set()
        crawler.signals.connect(self.response_downloaded, signals.response_downloaded)

    async def process_response(self, request: Request, response: Response) -> Response:
        """Read the page, and the redirects that led to it."""
        try:
            await self._read_visit(request, response)
        except Exception:  # an error in this program must not cost the spider its response
            logger.exception("%(url)s", {"url": response.url})
        return response

    async def _read_visit(self, request: Request, response: Response) -> None:
        number = await self.page_key(request, response)
        if not self.context.is_open or request.callback is NO_CALLBACK:
            return
        for page in self._pages_of_refreshes(request, response):
            self._keep_page(page)
        if number is not None and number not in self._seen:
            link = self._link_to(response.url)
            if self.context.crawl.store.readings.is_fatal(link.key):
                leave_out(link.url, CRASHED)
                self._keep_page(Page(url=link.url, key=link.key, judgement=CRASHED))
                return
            page = as_rendered(self._read_answer(link, request, response), response, request.meta)
            if self.prober.is_needed(page):
                page = await self.prober.judge_page(page, response)
            self._keep_page(page)

    def process_exception(self, request: Request, exception: Exception) -> None:
        """Record a URL that failed or is disallowed."""
        if request.callback is NO_CALLBACK:
            return
        origin = split(request.url).origin
        if isinstance(exception, SiteUnavailable) and origin not in self._barred:
            self._barred.add(origin)
            logger.warning("Nothing is fetched there: %(why)s", {"why": exception})
        is_disallowed = isinstance(exception, Disallowed)
        if not self.context.is_open or (isinstance(exception, IgnoreRequest) and not is_disallowed):
            return
        link = self._link_to(request.url)
        if self.context.rules.site.owns(link.url):
            judgement = judge_failure(exception)
            self._keep_page(Page(url=link.url, key=link.key, judgement=judgement))

    async def page_key(self, request: Request, response: Response) -> int | None:
        if self._is_off or request.callback is NO_CALLBACK or request.method != "GET":
            return None
        async with self._entering:
            if not self.context.is_open and self.context.error is None:
                await self._open_store(response.url)
        if not self.context.is_open or self.context.error is not None:
            return None
        link = self._link_to(response.url)
        return link.key if self.context.rules.site.owns(link.url) else None

    async def _open_store(self, url: str) -> None:
        """Open the store for the site of ``url``, or for the one named in the arguments."""
        context, args = self.context, self.args
        if args.url == UNKNOWN:  # start at the root: which page came first is accidental
            args = args.model_copy(update={"url": f"{split(url).origin}/"})
        settings, spider = self.crawler.settings, self.crawler.spider
        assert spider is not None
        job = JobIdentity.of(spider.name, vars(spider), settings)
        self.args = args = job.place_output(args)
        try:
            robots = await context.robots.of(args.url) if context.robots.obey else Robots()
            store, start = open_store(args, settings.getint("DEPTH_LIMIT"))
            if start and not settings["JOBDIR"]:  # the spider starts over, so the run does, too
                store.begin_run(args.in_scope(), time.time())
                start = ""
        except SiteUnavailable as error:
            context.abort(CrawlError(error.exit_code, str(error)))
            return
        except CrawlError as error:
            context.abort(error)
            return
        start = start or args.start_url()
        self.egress = Egress([start])
        store.keep_options(RunOptions.of(args, settings, has_arguments=False))
        store.settle_start(start)
        for line in robots.sitemaps:
            if sitemap := parse(line, start):
                store.record_sitemap(SitemapFile(url=sitemap, found=ROBOTS), time.time())
        result = job.result_files(args)
        result.begin()
        context.open(store, result, start)
        context.enter(start, robots)
        self.prober = Prober(self.crawler, store, context.link_reader, start, self._read_link)

    def _read_link(self, link: Link, response: Response) -> Page:
        return self._read_answer(link, response.request, response)

    def _read_answer(self, link: Link, request: Request | None, response: Response) -> Page:
        with self.context.crawl.store.readings.reading(link.key, link.url):
            return self.context.pages.read(link, response, request)

    def _link_to(self, url: str) -> Link:
        resolved = self.context.rules.site.resolve(url, url) or url
        return Link(url=resolved, key=key(resolved))

    def response_downloaded(self, request: Request, response: Response) -> None:
        """Read a redirect before Scrapy follows or drops it."""
        if not 300 <= response.status < 400 or not self.context.is_open:
            return
        link = self._link_to(request.url)
        if request.callback is not NO_CALLBACK and self.context.rules.site.owns(link.url):
            self._keep_page(self._read_answer(link, request, response))

    def _pages_of_refreshes(self, request: Request, response: Response) -> Iterator[Page]:
        """Yield the pages left by a refresh, whose responses Scrapy does not pass on."""
        site = self.context.rules.site
        chain = [
            self._link_to(url) for url in (*request.meta.get("redirect_urls", ()), response.url)
        ]
        for (here, there), why in zip(pairwise(chain), request.meta.get("redirect_reasons", ())):
            if why == REFRESH and site.owns(here.url):
                answer = ResponseFacts(
                    url=here.url, status=200, media_type="text/html", refresh=there.url
                )
                links = (self.context.link_reader.link(there.url),) if site.owns(there.url) else ()
                judgement = judge_response(answer, site)
                yield Page(url=here.url, key=here.key, judgement=judgement, status=200, links=links)

    def _keep_page(self, page: Page) -> None:
        if page.key in self._seen or self.context.error is not None:
            return
        self._seen.add(page.key)
        try:
            self.context.crawl.store.frontier.mark_in_flight(
                Link(url=page.url, key=page.key), time.time()
            )
            self.context.crawl.record(page)
        except CrawlError as error:
            self.context.abort(error)

    def end(self, error: CrawlError) -> None:
        """Read no further page; the spider continues."""
        if not self.context.is_open:  # else the pipeline logs it at the end
            logger.error("No sitemap: %(sentence)s", {"sentence": error.sentence})


def read_arguments(settings: BaseSettings) -> Params:
    """Return SITEMAPGEN_ARGUMENTS, validated. Raises ValueError with a sentence for each fault."""
    if others := sorted(settings.getdict("SITEMAPGEN_ARGUMENTS").keys() & REFUSED_ARGUMENTS):
        raise ValueError(
            f"SITEMAPGEN_ARGUMENTS: {others[0]}: what is fetched, and how, is determined by the "
            "spider and Scrapy's settings"
        )
    return arguments_of_setting(settings)
