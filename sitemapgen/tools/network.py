"""Single requests outside of a crawl, with the same robots.txt, delays, TLS, limits and login.

The callers: ``documents.py`` (reading sitemaps), ``submission.py`` (IndexNow),
``search_console.py``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError
from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.settings import BaseSettings, Settings
from typing_extensions import Self

from sitemapgen.context import CrawlContext, Host, context_of
from sitemapgen.core.robots import Robots
from sitemapgen.core.urls import parse, split
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.egress import Egress, PrivateAddress
from sitemapgen.download.engine import fetch_url
from sitemapgen.download.failures import describe_failure
from sitemapgen.download.responses import location_of, retry_after_of
from sitemapgen.download.robots import SiteUnavailable
from sitemapgen.download.terms import UNJUDGED
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import Params, sentences

_T = TypeVar("_T")
MOST_SECONDS = 31_536_000
"""Maximum seconds of a Retry-After that are turned into a date."""
TO_SERVICE = {UNJUDGED: True, "dont_retry": True}
"""``request.meta`` of requests to a service: robots.txt is for pages."""


class NoAnswer(Exception):
    """A request failed; the message is the reason, in a few words."""


class FetchedResponse(NamedTuple):
    """The response for a URL."""

    status: int
    body: bytes
    location: str
    """The absolute target of a redirect; empty for other responses."""
    is_cut: bool
    """Whether the response is truncated."""
    retry_after: float | None
    """Seconds to wait by the Retry-After header; None without one."""

    @property
    def when(self) -> str:
        """When the same request may be repeated, in words; a year from now at the latest."""
        if self.retry_after is None:
            return "later"
        wait = timedelta(seconds=min(self.retry_after, MOST_SECONDS))
        return f"after {datetime.now(timezone.utc) + wait:%Y-%m-%d %H:%M:%S} UTC"


class Network:
    """The requests of one command."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    async def get(self, url: str, max_bytes: int) -> FetchedResponse:
        """Request a URL as a crawl would, without following redirects. Raises NoAnswer."""
        meta = {"download_fail_on_dataloss": False, "download_maxsize": max_bytes}
        return await self._send_request(url, meta)

    async def post(self, url: str, body: bytes) -> FetchedResponse:
        """Send JSON to a service, without retries. Raises NoAnswer."""
        headers = {"Content-Type": "application/json; charset=utf-8"}
        return await self._send_request(url, TO_SERVICE, "POST", headers=headers, body=body)

    async def put(self, url: str, headers: Mapping[str, str]) -> FetchedResponse:
        """Send a request without a body to a service, without retries. Raises NoAnswer."""
        return await self._send_request(url, TO_SERVICE, "PUT", headers=headers)

    async def fetch_robots(self, url: str) -> Robots:
        """Return the robots.txt for a URL; one without rules if it is unreachable."""
        try:
            return await context_of(self._crawler).robots.of(url)
        except (SiteUnavailable, PrivateAddress):
            return Robots()  # ``get`` is refused in any case

    async def _send_request(
        self, url: str, meta: Mapping[str, Any], method: str = "GET", **options: Any
    ) -> FetchedResponse:
        try:
            response = await fetch_url(self._crawler, url, dict(meta), method, **options)
        except RequestCancelled:
            raise
        except Exception as error:
            raise NoAnswer(describe_failure(error)) from error
        location = location_of(response)
        return FetchedResponse(
            status=response.status,
            body=response.body,
            location=(parse(location, response.url) or "") if location else "",
            is_cut="dataloss" in response.flags,
            retry_after=retry_after_of(response),
        )


def run(
    settings: Mapping[str, Any],
    url: str,
    work: Callable[[Network], Coroutine[Any, Any, _T]],
    *,
    egress: Egress,
) -> _T:
    """Do ``work`` with the network, and return its result; it may raise CrawlError.

    ``settings``: those of Scrapy. ``url`` names the site to which the credentials of the
    environment (``SITEMAPGEN_AUTH`` ...) are sent.
    """
    try:
        params = Params(url=url)
    except ValidationError as error:
        raise CrawlError(Exit.ARGUMENTS, sentences(error)[0]) from error
    assert isinstance(settings, Settings)
    process = _make_process(settings)
    outcome: list[Any] = []
    crawl = asyncio.ensure_future(
        process.crawl(FetchSpider, args=params, work=work, outcome=outcome, egress=egress)
    )
    process.start()
    if crawl.done() and not crawl.cancelled() and (failure := crawl.exception()):
        raise failure
    if not outcome:
        raise CrawlError(Exit.INTERRUPTED, "interrupted")
    result = outcome[0]
    if isinstance(result, BaseException):
        raise result
    return result  # type: ignore[no-any-return]  # what ``work`` returned


def _make_process(settings: Settings) -> AsyncCrawlerProcess:
    """Return Scrapy's process; its log level stays that of the command."""
    scrapy = logging.getLogger("scrapy")
    level = scrapy.level
    logging.disable(logging.INFO if level > logging.INFO else logging.NOTSET)
    try:
        return AsyncCrawlerProcess(settings)
    finally:
        logging.disable(logging.NOTSET)
        scrapy.setLevel(level)


def without_store(settings: BaseSettings, left_out: Iterable[str]) -> dict[str, Any]:
    """Return the settings of a spider without frontier, store and extensions of ours.

    ``left_out``: modules of ``middlewares/``, or components in them, that it lacks.
    """
    others = tuple(f"sitemapgen.middlewares.{name}" for name in left_out)
    return {
        "ADDONS": {},
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "ITEM_PIPELINES": {},
        "DOWNLOADER_MIDDLEWARES": {
            name: None if str(name).startswith(others) else order
            for name, order in settings["DOWNLOADER_MIDDLEWARES"].items()
        },
        "EXTENSIONS": {
            name: order
            for name, order in settings["EXTENSIONS"].items()
            if not str(name).startswith("sitemapgen.")
        },
    }


class FetchSpider(Host, Spider):
    """Spider without pages that does the work of a command through the project's middlewares."""

    name = "fetch"
    work: Callable[[Network], Coroutine[Any, Any, Any]]
    outcome: list[Any]

    @classmethod
    def update_settings(cls, settings: Any) -> None:
        super().update_settings(settings)
        # No browser, as there are no pages; a failed request is final.
        values = without_store(settings, ("rendering", "outage", "refusals.CrashMiddleware"))
        settings.setdict({**values, "ROBOTSTXT_OBEY": True}, priority="spider")

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.home = split(spider.args.url).origin
        CrawlContext(crawler, spider).set_start(spider.args.url)
        return spider

    def end(self, error: CrawlError) -> None:
        self.outcome.append(error)

    async def start(self) -> AsyncIterator[Any]:
        try:
            self.outcome.append(await self.work(Network(self.crawler)))
        except RequestCancelled:
            pass  # interrupted
        except Exception as error:  # noqa: BLE001 - ``run`` raises it
            self.outcome.append(error)
        return
        yield
