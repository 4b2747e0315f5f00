"""Spider of a crawl: the start URL, robots.txt, the site's own sitemaps, then page by page.

It only connects Scrapy with the rules: pages are read by ``core/document/pages.py``, sitemaps are
fetched by ``sitemap_files.py``, and the scheduler determines the order of pages.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from typing import Any, ClassVar

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DontCloseSpider
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy_spider_metadata import Args
from twisted.python.failure import Failure
from typing_extensions import Self

from sitemapgen import interrupts
from sitemapgen.analysis.scheduling import Choice
from sitemapgen.checks import wiring
from sitemapgen.cluster import setup
from sitemapgen.context import CrawlContext, Host, or_abort
from sitemapgen.core import remedies
from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.politeness import SERVER_ERROR
from sitemapgen.core.urls import is_same_site, split
from sitemapgen.deploy import profiles
from sitemapgen.deploy.jobs import JobIdentity
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.egress import Egress, PrivateAddress
from sitemapgen.download.engine import wake_engine
from sitemapgen.download.examining import ReadResponse
from sitemapgen.download.external import ExternalChecker
from sitemapgen.download.failures import (
    NOT_AS_ENCODED,
    Disallowed,
    OverLimit,
    failure_of,
    is_bug,
    judge_failure,
)
from sitemapgen.download.probing import Prober
from sitemapgen.download.responses import as_rendered, conditional_headers
from sitemapgen.download.robots import SiteUnavailable
from sitemapgen.download.second_readings import SecondReadings
from sitemapgen.download.terms import RAW, TRANSFER
from sitemapgen.errors import A_BUG, CrawlError, Exit
from sitemapgen.frontier.planner import choice_of
from sitemapgen.items import Link, Page, Validation
from sitemapgen.params import Params
from sitemapgen.publish.files import complete_publication, writing_errors
from sitemapgen.spiders.sitemap_files import SitemapFiles
from sitemapgen.spiders.source_files import SourceFiles
from sitemapgen.store.frontier import Lease
from sitemapgen.store.opening import open_store
from sitemapgen.store.options import RunOptions
from sitemapgen.verdicts import Verdict

logger = logging.getLogger(__name__)


class SitemapSpider(Host, Args[Params], Spider):
    """Crawls one site into a store. Its arguments: ``params.py``."""

    name = "sitemap"
    metadata: ClassVar[dict[str, str]] = {
        "title": "Sitemap generator",
        "description": "Crawls a site and publishes a sitemap of its canonical, indexable pages, "
        "with a report, and a reason beside every URL that is left out.",
    }
    publishes = True
    context: CrawlContext
    choice: Choice
    """The arguments and settings that determine the choice of URLs."""
    _discovery: tuple[SitemapFiles | SourceFiles, ...] = ()
    """What reads the URLs that the site names: its sitemaps, then the systems behind it."""
    _last: asyncio.Future[None] | None = None
    """What is requested once all pages are done: second readings, and links to other sites."""
    _start_answers: defaultdict[str, asyncio.Future[Page]]
    _start_response: Response | None = None

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Apply the settings of the selected profile. Raises CrawlError."""
        super().update_settings(settings)
        profiles.apply_profile(settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        job = JobIdentity.of(cls.name, kwargs, crawler.settings)
        spider.args = job.place_output(spider.args)
        for name in kwargs:
            delattr(spider, name)  # all are in spider.args; Scrapy would send user_agent to all
        for name, (value, priority) in spider.args.settings().items():
            crawler.settings.set(name, value, priority=priority)
        spider.args = spider.args.settled(crawler.settings)
        wiring.check_wiring(crawler.settings)
        # The future is made by the first access: by the page, or by start() that waits for it.
        spider._start_answers = defaultdict(asyncio.Future)
        spider.context = CrawlContext(crawler, spider)
        crawler.signals.connect(spider._end_without_start, signals.spider_error)
        crawler.signals.connect(spider._check_last, signals.spider_idle)
        if (coordinator := setup.make_coordinator(crawler)) is not None:
            spider.cluster = coordinator.download
        try:
            spider._open_crawl(job)
        except CrawlError:
            if coordinator is not None:
                coordinator.release()
            raise
        return spider

    def _open_crawl(self, job: JobIdentity) -> None:
        """Open the crawl. Raises CrawlError."""
        args, settings = self.args, self.crawler.settings
        # Before the store is opened: with fresh=true that deletes its content.
        self.choice = choice_of(args, settings)
        options = RunOptions.of(args, settings)
        with writing_errors(args.output_directory()):
            complete_publication(args.output_directory())
        self.egress = Egress([args.start_url()], args.sitemap_urls())
        store, start_url = open_store(args, args.max_depth)
        interrupts.begin()
        result = job.result_files(args)
        result.begin()
        try:
            store.keep_options(options)
        except CrawlError as error:
            result.end(error.exit_code, error.sentence)
            with suppress(CrawlError):
                store.close()
            raise
        self.context.open(store, result, start_url)

    async def start(self) -> AsyncIterator[Any]:
        """Fetch the start URL, which determines the origin, then the site's own sitemaps."""
        try:
            if self.context.start_url:
                await self._enter_origin(self.context.start_url)
            else:
                async for request in self._find_start(self.args.start_url()):
                    yield request
        except CrawlError as error:
            self.context.abort(error)
            return
        except RequestCancelled:
            return  # the crawl is already ending
        source_files = SourceFiles(self.context)
        if self._start_response is not None:
            source_files.examine(self._start_response)
            self._start_response = None
        asks = self.args.sources == "auto"
        sitemap_files = SitemapFiles(self.context, source_files.begin if asks else None)
        self._discovery = (sitemap_files, source_files) if asks else (sitemap_files,)
        for output in sitemap_files.next():
            yield output

    async def _find_start(self, url: str) -> AsyncIterator[Request]:
        """Follow redirects of the start URL within the site: the scheme or www may change."""
        met: set[str] = set()
        while url not in met:
            if len(met) > MAX_HOPS:
                raise CrawlError(Exit.UNREACHABLE, f"{url}: after {MAX_HOPS} redirects in a row")
            met.add(url)
            await self._enter_origin(url)
            link = self.context.start_link(url)
            if link.refusal:
                logger.warning(
                    "The start URL may not be fetched: %(line)s", {"line": link.refusal.evidence}
                )
                self.context.crawl.store.frontier.seed(link, time.time())
                break
            yield Request(url)
            page = await self._start_answers[url]
            verdict, _, target, _ = page.judgement
            if not target or verdict not in (Verdict.REDIRECT, Verdict.OFFSITE_REDIRECT):
                _check_start(page)
                break
            if not is_same_site(url, target):
                leads = "redirects to another site; crawl that with -a url="
                if remedies.is_login(target):
                    leads = f"leads to the login of another site; {remedies.LOGGED_IN}: "
                raise CrawlError(Exit.ARGUMENTS, f"url: {url} {leads}{target}")
            if split(target).origin != split(url).origin:
                logger.info("%(url)s leads to %(target)s", {"url": url, "target": target})
            url = target
        else:
            sentence = f"{url}: redirects in a circle; {remedies.FIRST_COOKIE}"
            raise CrawlError(Exit.UNREACHABLE, sentence)
        if len(met) > 1 and remedies.is_login(url):
            logger.warning(
                "The start page leads to %(url)s: what needs a login is not crawled without one, "
                "-a cookies= or -a auth=",
                {"url": url},
            )
        self.context.set_start(url)
        self._start_answers.clear()
        self.context.crawl.store.settle_start(url)
        self.context.crawl.store.commit()

    async def _enter_origin(self, url: str) -> None:
        """Apply the rules of the URL's origin to links from now on. Raises CrawlError."""
        self.home = split(url).origin
        try:
            robots = await self.context.robots.of(url)
        except SiteUnavailable as error:
            raise CrawlError(error.exit_code, str(error)) from error
        except PrivateAddress as error:
            raise CrawlError(Exit.UNREACHABLE, f"{url}: {error}") from error
        self.context.enter(url, robots)
        store, reader = self.context.crawl.store, self.context.link_reader
        self.prober = Prober(self.crawler, store, reader, url, self.read)

    async def enter_start(self, url: str) -> None:
        """Set the start URL without requesting it. Raises CrawlError."""
        await self._enter_origin(url)
        self.context.set_start(url)

    @property
    def is_discovered(self) -> bool:
        """Whether everything that the site names was requested and has answered."""
        return bool(self._discovery) and all(each.is_done for each in self._discovery)

    # Pages

    async def page_key(self, request: Request, response: Response) -> int | None:
        """Return the key of a response's page; None for requests outside of the frontier."""
        lease: Lease | None = request.cb_kwargs.get("lease")
        return lease and lease.key

    def page_request(self, lease: Lease) -> Request:
        """Return the request for a URL of the frontier."""
        return Request(
            lease.url,
            headers=conditional_headers(lease.etag, lease.last_modified),
            callback=self.parse,
            errback=self.parse_failure,
            cb_kwargs={"lease": lease},
            meta={"depth": lease.depth, **({"dont_retry": True} if lease.is_late else {})},
            dont_filter=True,
        )

    @or_abort
    def parse(
        self, response: Response, lease: Lease
    ) -> Iterable[Page | Request] | AsyncIterator[Page]:
        """Read a page; only a possible soft 404 has to wait for the prober."""
        if not self.context.start_url:
            self._start_response = None if isinstance(response, ReadResponse) else response
        link = Link(url=lease.url, key=lease.key)
        is_conditional = bool(lease.etag or lease.last_modified)
        if response.status == HTTPStatus.NOT_MODIFIED:
            page = self.context.carried(link, response)
            if is_conditional and (page is None or lease.is_check):
                # Where its headers state the change, the 304 hides none.
                again = lease._replace(etag="", last_modified="", is_check=page is not None)
                return (self.page_request(again).replace(priority=1),)
            if page is not None:
                self._answer_start(page)
                validation = Validation.UNCHANGED if is_conditional else Validation.NOTHING
                return (replace(page, revisit=lease.revisit, validation=validation),)
        page = self.read(link, response, is_suspect=lease.is_suspect)
        self._record_transfer(page, response)
        if lease.revisit:
            page = replace(page, revisit=lease.revisit)
        if is_conditional or lease.is_check:
            validation = Validation.CHANGED if is_conditional else Validation.CHECKED
            page = replace(page, validation=validation)
        page = as_rendered(page, response, response.meta)
        is_down = page.status and page.status >= SERVER_ERROR
        if is_down or page.judgement.verdict is Verdict.UNRENDERABLE:
            page = self.context.within_grace_period(page)
        if self.context.start_url and self.prober.is_needed(page):
            return self._compare_with_probe(page, response)
        self._answer_start(page)
        return (page,)

    def _record_transfer(self, page: Page, response: Response) -> None:
        """Keep how long the document took that the server sent, and its size."""
        raw = response.meta.get(RAW)
        request = raw.request if raw else response.request
        if page.title_length is not None and request and TRANSFER in request.meta:
            seconds, size = request.meta[TRANSFER]
            self.context.crawl.store.record_transfer(page.key, seconds, size)
            self.context.response_times.add_response(
                request.url, request.meta["download_latency"], size
            )

    async def _compare_with_probe(self, page: Page, response: Response) -> AsyncIterator[Page]:
        try:
            yield await self.prober.judge_page(page, response)
        except CrawlError as error:
            self.context.abort(error)

    def read(self, link: Link, response: Response, *, is_suspect: bool = False) -> Page:
        """Read the response for a URL; with ``is_suspect``, also what compares it with others."""
        if isinstance(response, ReadResponse):
            return response.findings.page
        with self.context.crawl.store.readings.reading(link.key, link.url):
            return self.context.pages.read(link, response, response.request, is_suspect=is_suspect)

    def parse_failure(self, failure: Failure) -> Iterator[Page | Request]:
        """Record a URL whose request failed."""
        lease: Lease = failure.request.cb_kwargs["lease"]  # type: ignore[attr-defined]  # Scrapy sets it
        error = failure.value
        if isinstance(error, RequestCancelled):
            return
        if isinstance(error, SiteUnavailable):
            error = CrawlError(error.exit_code, str(error))
        if isinstance(error, CrawlError):
            self.context.abort(error)
            return
        if is_bug(error):
            logger.error("%(url)s", {"url": lease.url}, exc_info=error)
            self._end_without_start()
            return  # the scheduler records it: ``spider_idle``
        if failure_of(error) is NOT_AS_ENCODED and not lease.is_late:
            yield self.page_request(lease._replace(is_late=True))  # Scrapy does not repeat it
            return
        if isinstance(error, OverLimit):
            self.context.crawl.store.frontier.requeue_page(lease.key)
            return
        is_disallowed = isinstance(error, Disallowed)
        page = Page(url=lease.url, key=lease.key, judgement=judge_failure(error))
        if not is_disallowed:
            page = self.context.within_grace_period(page)
        self._answer_start(page)
        yield page

    def _end_without_start(self) -> None:
        """End the crawl after a bug with the start page, for which ``start`` waits."""
        if not self.context.start_url:
            self.context.abort(CrawlError(Exit.ERROR, A_BUG))

    def _answer_start(self, page: Page) -> None:
        if not self.context.start_url and not self._start_answers[page.url].done():
            self._start_answers[page.url].set_result(page)

    # When all pages are done

    def _check_last(self) -> None:
        """Begin the last checks when all pages are done. Raises DontCloseSpider until the end."""
        if self.context.error is not None or not self.context.start_url:
            return
        if self._last is None:
            self._last = asyncio.ensure_future(self._run_checks())
        if not self._last.done():
            raise DontCloseSpider

    async def _run_checks(self) -> None:
        context, crawl = self.context, self.context.crawl
        try:
            if self.args.duplicates != "off" and not crawl.budget.is_spent:
                run = context.in_background
                await SecondReadings(self.crawler, crawl.store, self.read, run).run()
            if self.args.check_external:
                await ExternalChecker(self.crawler, crawl.store, context.rules.site).run()
        except RequestCancelled:
            return  # the crawl is ending
        except CrawlError as error:
            context.abort(error)
        except Exception:
            logger.exception("The last checks failed")
        finally:
            wake_engine(self.crawler)

    # The end

    def end(self, error: CrawlError) -> None:
        """Close the spider for an error."""
        closing = self.crawler.engine.close_spider_async(reason=error.exit_code.name.lower())
        self._closing = asyncio.ensure_future(closing)


def _check_start(page: Page) -> None:
    """Raise CrawlError if the start page failed."""
    verdict, evidence, *_ = page.judgement
    if verdict in (Verdict.HTTP_ERROR, Verdict.FETCH_ERROR):
        if page.status:
            remedy = remedies.for_start(page.status)
        else:
            remedy = remedies.for_failure(evidence, split(page.url).origin)
        raise CrawlError(Exit.UNREACHABLE, f"{page.url}: {evidence}{remedy}")
