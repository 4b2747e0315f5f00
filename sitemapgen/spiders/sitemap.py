"""The story of a crawl: the start URL, robots.txt, the site's own sitemaps, then page by page.

It only translates between Scrapy and the rules: pages are read in ``core/pages.py``; sitemaps are
fetched in ``seeding.py``; the order of pages is the scheduler's.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import Request, Spider
from scrapy_spider_metadata import Args

from sitemapgen import profiles, wiring
from sitemapgen.answers import as_rendered, headers_of, read_answer
from sitemapgen.browser.egress import Egress, PrivateAddress
from sitemapgen.commands import signals
from sitemapgen.core.eligibility import Rules
from sitemapgen.core.late_retry import LOST
from sitemapgen.core.links import LinkReader
from sitemapgen.core.pages import carried_page, remarked_page, unfetched_page
from sitemapgen.core.seeding import Named
from sitemapgen.core.urls import is_same_site, key, split
from sitemapgen.downloader import Withdrawn
from sitemapgen.exits import CrawlError, Exit
from sitemapgen.failures import describe, is_bug
from sitemapgen.items import Judgement, Link, Page, Spared, Validation, Verdict
from sitemapgen.jobs import Job
from sitemapgen.middlewares.robots import Barred, Disallowed, RobotsMiddleware
from sitemapgen.params import Params
from sitemapgen.planning import SCORES, Choice, planner
from sitemapgen.publish.publication import mend
from sitemapgen.spiders.probing import Prober
from sitemapgen.spiders.seeding import Seeding
from sitemapgen.store.frontier import MAX_HOPS, Claim
from sitemapgen.store.opening import open_store, options

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure
    from typing_extensions import Self

    from sitemapgen.planning import Planner
    from sitemapgen.publish.result import Result
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)

_Output = TypeVar("_Output")

NOT_MODIFIED, SERVER_ERROR = 304, 500
ANSWERED = 200
"""The status of a page that stands as it was, though it may well have answered."""

MAX_KNOWN_LINKS = 50_000
"""Links of carried pages that are remembered, some 20 MB."""

HINTS: dict[int | None, str] = {
    401: "; does it need a login? -a auth=user:password",
    407: "; the proxy needs a login, -a proxy=http://user:password@host:port",
}
"""What to do about a start page that cannot be had, by its status."""


def or_abort(method: Callable[..., _Output]) -> Callable[..., _Output | None]:
    """Have a CrawlError of a callback end the crawl: Scrapy would log its traceback, and go on."""

    @wraps(method)
    def guarded(self: SitemapSpider, *args: object, **kwargs: object) -> _Output | None:
        try:
            return method(self, *args, **kwargs)
        except CrawlError as error:
            self.abort(error)
            return None

    return guarded


class SitemapSpider(Args[Params], Spider):
    """Crawls one site into a store. The arguments are ``params.py``."""

    name = "sitemap"
    store: Store
    planner: Planner | None
    """Decides what is fetched next; None where that is the order of discovery."""
    reader: LinkReader
    origin: str
    """What is crawled: the start URL's, or the one where it led."""
    prober: Prober
    egress: Egress
    _start_answers: defaultdict[str, asyncio.Future[Page]]
    _known_links: dict[str, Link]
    _seeding: Seeding | None = None
    error: CrawlError | None = None
    """Why the crawl cannot go on; None as long as it can."""
    is_open = True
    left: Judgement | None = None
    """See ``survey.py``."""

    result: Result
    """What is told to those who see no exit code."""

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Take the settings of a profile that was asked for. Raises CrawlError."""
        super().update_settings(settings)
        profiles.take(settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        job = Job.of(cls.name, kwargs, crawler.settings)
        spider.args = job.place(spider.args)
        for name in kwargs:
            delattr(spider, name)  # all are in spider.args; Scrapy would tell everyone user_agent
        for name, (value, priority) in spider.args.settings().items():
            crawler.settings.set(name, value, priority=priority)
        spider.args = spider.args.settled(crawler.settings)
        wiring.check(crawler.settings)
        # Whoever comes first makes the future: the page, or start() that waits for it.
        spider._start_answers = defaultdict(asyncio.Future)
        spider._known_links = {}
        # Before the store is opened: with fresh=true that forgets what is in it.
        choice = _choice(spider.args, crawler.settings)
        kept = options(spider.args, crawler.settings)
        mend(spider.args.output_directory())
        spider.store, spider.start_url = open_store(spider.args, spider.args.max_depth)
        spider.egress = Egress([spider.args.start_url()], spider.args.sitemap_urls())
        spider.planner = planner(spider.store, choice)
        signals.begin()
        spider.result = job.result(spider.args)
        spider.result.begin()
        try:
            spider.store.keep_options(kept)
        except CrawlError as error:
            spider.result.end(error.exit_code, error.sentence)
            with suppress(CrawlError):
                spider.store.close()
            raise
        return spider

    async def start(self) -> AsyncIterator[Any]:
        """Fetch the start URL, settle on its origin, then read the site's own sitemaps."""
        try:
            if self.start_url:
                await self._enter(self.start_url)
            else:
                async for request in self._find_start(self.args.start_url()):
                    yield request
        except CrawlError as error:
            self.abort(error)
            return
        except Withdrawn:
            return  # the crawl ends already
        sitemaps = self.reader.rules.robots.sitemaps
        named = Named(self.start_url, sitemaps, self.args.sitemap_urls())
        max_files = self.settings.getint("SITEMAPGEN_MAX_SITEMAPS")
        grace = self.settings.getint("SITEMAPGEN_GRACE_RUNS")
        self._seeding = Seeding(self.reader, named, max_files, grace, self.store)
        for output in self._seeding.next():
            yield output

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
                self.store.frontier.seed(link, _timestamp())
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

    async def _enter(self, url: str) -> None:
        """Read links from now on by the rules of the URL's origin. Raises CrawlError."""
        self.origin = split(url).origin
        middleware = self.crawler.get_downloader_middleware(RobotsMiddleware)
        if middleware is None:
            raise CrawlError(Exit.ERROR, "RobotsMiddleware is not in DOWNLOADER_MIDDLEWARES")
        try:
            robots = await middleware.robots(url)
        except Barred as error:
            raise CrawlError(error.exit_code, str(error)) from error
        except PrivateAddress as error:
            raise CrawlError(Exit.UNREACHABLE, f"{url}: {error}") from error
        rules = Rules(
            site=self.args.site(url),
            robots=robots,
            include=self.args.included(),
            exclude=self.args.excluded(),
        )
        self.reader = LinkReader(rules, with_labels=self.args.with_links)
        self.prober = Prober(self.crawler, self.store, self.reader, url, self.read)

    async def settle(self, url: str) -> None:
        """Start at a URL that is not asked for. Raises CrawlError."""
        await self._enter(url)
        self.start_url = url

    def start_link(self, url: str) -> Link:
        """A start URL as a link: only robots.txt can keep it out."""
        line = self.reader.rules.robots.refusal(url)
        refusal = Judgement(Verdict.ROBOTS_DISALLOWED, line) if line else None
        return Link(url=url, key=key(url), refusal=refusal)

    # Pages

    async def page_key(self, request: Request, response: Response) -> int | None:
        """The key of the page that a response is; None when it is none of the frontier's."""
        claim: Claim | None = request.cb_kwargs.get("claim")
        return claim and claim.key

    def page_request(self, claim: Claim) -> Request:
        """The request for a URL out of the frontier."""
        return Request(
            claim.url,
            callback=self.parse,
            errback=self.parse_failure,
            cb_kwargs={"claim": claim},
            meta={"depth": claim.depth, **({"dont_retry": True} if claim.is_late else {})},
            dont_filter=True,
        )

    @or_abort
    def parse(
        self, response: Response, claim: Claim
    ) -> Iterable[Page | Request] | AsyncIterator[Page]:
        """Read a page; only one that may be a soft 404 has to wait."""
        link = Link(url=claim.url, key=claim.key)
        is_conditional = bool(claim.etag or claim.last_modified)
        if response.status == NOT_MODIFIED and is_conditional and claim.is_check:
            again = self.page_request(claim._replace(etag="", last_modified=""))
            return (again.replace(priority=1),)
        if response.status == NOT_MODIFIED and (page := self._carried(link, response)):
            self._answer_start(page)
            validation = Validation.UNCHANGED if is_conditional else Validation.NOTHING
            return (replace(page, spared=claim.spared, validation=validation),)
        page = self.read(link, response, is_suspect=claim.is_suspect)
        if claim.spared:
            page = replace(page, spared=claim.spared)
        if is_conditional or claim.is_check:
            validation = Validation.CHANGED if is_conditional else Validation.CHECKED
            page = replace(page, validation=validation)
        if response.flags:
            page = as_rendered(page, response.flags)
        is_down = page.status and page.status >= SERVER_ERROR
        if is_down or page.judgement.verdict is Verdict.UNRENDERABLE:
            page = self._spared(page)
        if self.start_url and self.prober.is_needed(page):
            return self._compare(page, response)
        self._answer_start(page)
        return (page,)

    @property
    def is_waiting_for_sitemaps(self) -> bool:
        """Whether what they say decides what is asked for, and they are not all read."""
        if not (self.start_url and (self.planner or self.store.earlier.is_sparing)):
            return False
        return self._seeding is None or not self._seeding.is_done

    def spare(self, claim: Claim) -> Page | None:
        """The page of a URL that need not be asked for; None where it has to be."""
        if claim.spared not in (Spared.SPARED, Spared.POSTPONED) or not self.start_url:
            return None
        page = self._carried(Link(url=claim.url, key=claim.key))
        return page and replace(page, spared=claim.spared)

    def _carried(self, link: Link, response: Response | None = None) -> Page | None:
        """A page as an earlier run read it; None if none did. ``response``: what says so."""
        earlier = self.store.earlier.page(link.key)
        if earlier is None:
            return None
        known = self._known_links
        links = []
        for url, nofollow, same_list in earlier.links:
            if (target := known.get(url)) is None:
                if len(known) > MAX_KNOWN_LINKS:
                    known.clear()
                target = known[url] = self.reader.link(url)
            if nofollow or same_list:
                target = replace(target, nofollow=nofollow, same_list=same_list)
            links.append(target)
        page = carried_page(link, earlier.judgement, links, self.reader)
        said = response and response.headers.get("Last-Modified")
        if response is None or not said or said.decode("latin-1") == earlier.last_modified:
            return page
        now = datetime.now(timezone.utc)
        return remarked_page(page, earlier.claims, headers_of(response), now)

    def lost_page(self, claim: Claim) -> Page:
        """The page of a URL that an error in the crawler kept from being read."""
        page = self._spared(
            unfetched_page(self.start_link(claim.url), Judgement(Verdict.FETCH_ERROR, LOST))
        )
        return replace(page, status=ANSWERED) if page.is_carried else page

    def _spared(self, page: Page) -> Page:
        """A page that cannot be read now, as it was, for as long as that may pass."""
        earlier = self.store.earlier.page(page.key) if self.start_url else None
        grace = self.settings.getint("SITEMAPGEN_GRACE_RUNS")
        if (
            earlier is None
            or earlier.judgement.verdict is not Verdict.LISTED
            or earlier.failures >= grace
            or (carried := self._carried(Link(url=page.url, key=page.key))) is None
        ):
            return page
        judgement = carried.judgement
        if judgement.verdict is Verdict.LISTED:
            judgement = judgement._replace(evidence=page.judgement.evidence)
        is_rendered = page.judgement.verdict is not Verdict.UNRENDERABLE
        return replace(
            carried,
            judgement=judgement,
            status=page.status if is_rendered else None,
            failures=earlier.failures + 1,
        )

    async def _compare(self, page: Page, response: Response) -> AsyncIterator[Page]:
        try:
            yield await self.prober.judge(page, response)
        except CrawlError as error:
            self.abort(error)

    def read(self, link: Link, response: Response, *, is_suspect: bool = False) -> Page:
        """Read what a URL answered; of a suspect, keep what compares it with others."""
        with self.store.readings.reading(link.key, link.url):
            return read_answer(
                link,
                response.request,
                response,
                self.reader,
                is_suspect=is_suspect,
                extensions=self.args.extensions,
            )

    def parse_failure(self, failure: Failure) -> Iterator[Page]:
        """Record a URL that gave no answer."""
        claim: Claim = failure.request.cb_kwargs["claim"]  # type: ignore[attr-defined]
        error = failure.value
        if isinstance(error, Withdrawn):
            return
        if isinstance(error, Barred):
            self.abort(CrawlError(error.exit_code, str(error)))
            return
        if isinstance(error, CrawlError):
            self.abort(error)
            return
        if is_bug(error):
            logger.error("%(url)s", {"url": claim.url}, exc_info=error)
            return  # the scheduler will miss it: ``lost_page``
        is_disallowed = isinstance(error, Disallowed)
        verdict = Verdict.ROBOTS_DISALLOWED if is_disallowed else Verdict.FETCH_ERROR
        link = Link(url=claim.url, key=claim.key)
        page = unfetched_page(link, Judgement(verdict, describe(error)))
        if not is_disallowed:
            page = self._spared(page)
        self._answer_start(page)
        yield page

    def _answer_start(self, page: Page) -> None:
        if not self.start_url and not self._start_answers[page.url].done():
            self._start_answers[page.url].set_result(page)

    # The end

    def abort(self, error: CrawlError) -> None:
        """Close the spider for an error; the first one is the one that counts."""
        if self.error is None:
            self.error = error
            closing = self.crawler.engine.close_spider_async(reason=error.exit_code.name.lower())
            self._closing = asyncio.ensure_future(closing)


def _choice(args: Params, settings: BaseSettings) -> Choice:
    """By what a crawl chooses. Raises CrawlError."""
    score = settings["SITEMAPGEN_SITEMAP_SCORE"]
    if score not in SCORES:
        words = f"SITEMAPGEN_SITEMAP_SCORE: {score!r}; use one of {', '.join(SCORES)}"
        raise CrawlError(Exit.ARGUMENTS, words)
    return Choice(
        strategy=args.strategy,
        max_pages=settings.getint("SITEMAPGEN_MAX_PAGES"),
        max_depth=settings.getint("DEPTH_LIMIT"),
        score=score,
        with_copies=args.duplicates == "off",
    )


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
        raise CrawlError(Exit.UNREACHABLE, f"{page.url}: {evidence}{HINTS.get(page.status, '')}")


def _timestamp() -> float:
    return datetime.now(timezone.utc).timestamp()
