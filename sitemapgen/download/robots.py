"""Service for the robots.txt files of a crawl: fetched once per origin, renewed after a day.

Parsing and rules: ``core/robots.py``. Requests are checked by ``middlewares/robots.py``.
"""

from __future__ import annotations

import asyncio
import logging
import time
from datetime import datetime, timezone
from typing import ClassVar, NamedTuple

from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from sitemapgen.core import remedies
from sitemapgen.core.robots import Robots, from_response
from sitemapgen.core.urls import is_private, parse, split
from sitemapgen.download.downloader import PoliteDownloader, RequestCancelled
from sitemapgen.download.egress import PrivateAddress
from sitemapgen.download.engine import fetch_url, is_ending
from sitemapgen.download.failures import describe_failure
from sitemapgen.download.responses import location_of
from sitemapgen.download.terms import UNJUDGED
from sitemapgen.errors import Exit

logger = logging.getLogger(__name__)

MAX_AGE = 86_400.0
"""Seconds for which a robots.txt is cached: RFC 9309 section 2.4."""
EXTENDED_AGE = 600.0
"""Maximum seconds for which an expired robots.txt stays in use after a failed renewal (RFC 9309
section 2.4)."""
LONGEST_SLEEP = 0.1
"""Seconds in a pause between two checks of whether the crawl ends."""
MAX_REDIRECTS = 5
"""Maximum number of redirects of a robots.txt that are followed: RFC 9309 section 2.3.1.2."""


class SiteUnavailable(IgnoreRequest):
    """Nothing may be fetched from a site at present."""

    exit_code: ClassVar[Exit]


class RobotsUnreachable(SiteUnavailable):
    """robots.txt is unreachable, so nothing may be fetched: RFC 9309 section 2.3.1.4."""

    exit_code = Exit.UNREACHABLE


class OutsideVisitTime(SiteUnavailable):
    """The Visit-time of robots.txt excludes this time of the day."""

    exit_code = Exit.INTERRUPTED


class _Entry(NamedTuple):
    task: asyncio.Task[Robots]
    expires: float


class RobotsService:
    """The robots.txt of each origin of a crawl; all requests to an origin await it."""

    def __init__(self, crawler: Crawler, *, is_strict: bool = False) -> None:
        """``is_strict``: robots.txt is obeyed whatever the settings."""
        settings = crawler.settings
        self.crawler = crawler
        self.obey = is_strict or settings.getbool("ROBOTSTXT_OBEY")
        allows = settings["SITEMAPGEN_ROBOTS_UNREACHABLE"] == "allow"
        self.allow_unreachable = allows and not is_strict
        self.user_agent: str = settings["ROBOTSTXT_USER_AGENT"] or settings["USER_AGENT"]
        self.retries = settings.getint("RETRY_TIMES")
        self.backoff = settings.getfloat("SITEMAPGEN_ROBOTS_BACKOFF")
        self._entries: dict[str, _Entry] = {}

    async def of(self, url: str) -> Robots:
        """Return the robots.txt that applies to a URL.

        Raises RobotsUnreachable, OutsideVisitTime, PrivateAddress.
        """
        origin = split(url).origin
        entry = self._entries.get(origin)
        if entry is None or (entry.task.done() and entry.expires < time.monotonic()):
            last = entry and _result_of(entry.task)
            loading = self._reload_robots(origin, last) if last else self._load_robots(origin)
            entry = _Entry(asyncio.ensure_future(loading), time.monotonic() + MAX_AGE)
            self._entries[origin] = entry
        if not (robots := _result_of(entry.task)):
            # Shielded: cancelling the first request that waits must not cancel it for the others.
            robots = await asyncio.shield(entry.task)
        if robots.visit_times and (refusal := robots.closed(datetime.now(timezone.utc).time())):
            raise OutsideVisitTime(f"{origin}: {refusal}")
        return robots

    async def _load_robots(self, origin: str, last: Robots | None = None) -> Robots:
        """Fetch a robots.txt and apply its delay to the requests to its host."""
        robots = await self._request_with_retries(origin)
        for name in set(robots.ruled_apart).difference(last.ruled_apart if last else ()):
            logger.warning(
                "%(origin)s/robots.txt has other rules for %(name)s than those of this crawl: "
                "-s ROBOTSTXT_USER_AGENT=%(name)s lists what that search engine may read",
                {"origin": origin, "name": name},
            )
        downloader = self.crawler.engine.downloader
        if isinstance(downloader, PoliteDownloader):  # other downloaders have their own delays
            downloader.obey_robots(origin, robots)
        return robots

    async def _reload_robots(self, origin: str, last: Robots) -> Robots:
        """Renew a robots.txt; if that fails, the last one stays in use."""
        try:
            return await self._load_robots(origin, last)
        except RobotsUnreachable as error:
            logger.warning("%(why)s; the crawl goes on by the last one", {"why": error})
            entry = self._entries[origin]
            expires = time.monotonic() + min(EXTENDED_AGE, MAX_AGE)
            self._entries[origin] = entry._replace(expires=expires)
            return last

    async def _request_with_retries(self, origin: str) -> Robots:
        """Request a robots.txt, with retries after growing pauses."""
        for retry in range(self.retries):
            try:
                return await self._request_once(origin)
            except RobotsUnreachable:
                await self._wait_pause(self.backoff * 2**retry)
        try:
            return await self._request_once(origin)
        except RobotsUnreachable as error:
            if self.obey and not self.allow_unreachable:
                raise
            if self.obey:
                sentence = "No robots.txt (%(problem)s); robots_unreachable=allow: going on without"
                logger.warning(sentence, {"problem": str(error).partition(";")[0]})
            return Robots()

    async def _wait_pause(self, seconds: float) -> None:
        """Wait. Raises RequestCancelled if the crawl ends meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if is_ending(self.crawler):
                raise RequestCancelled("the crawl ends")
            await asyncio.sleep(min(left, LONGEST_SLEEP))

    async def _request_once(self, origin: str) -> Robots:
        """Request a robots.txt once. Raises RobotsUnreachable, from the error of the network."""
        status, body = None, b""
        cause: Exception | None = None
        try:
            response = await self._fetch_file(f"{origin}/robots.txt")
        except (RequestCancelled, PrivateAddress):
            raise
        except Exception as error:  # noqa: BLE001 - any error of the network
            words, cause = describe_failure(error), error
            problem = f"{origin}: {words}{remedies.for_failure(words, origin)}"
        else:
            status, body = response.status, response.body
            problem = f"{origin}/robots.txt: HTTP {status}; without it nothing may be fetched"
            problem += f"{remedies.for_start(status)}; {remedies.ROBOTS}"
        robots = from_response(status, body, self.user_agent)
        if robots is None:
            raise RobotsUnreachable(problem) from cause
        return robots if self.obey else Robots(sitemaps=robots.sitemaps)

    async def _fetch_file(self, url: str) -> Response:
        """Fetch robots.txt, through up to ``MAX_REDIRECTS`` redirects; return the last response.

        Raises PrivateAddress if the site itself is at one, and the errors of the network.
        """
        start = url
        for hops in range(MAX_REDIRECTS + 1):
            try:
                response = await fetch_url(self.crawler, url, {UNJUDGED: True, "dont_retry": True})
            except PrivateAddress:
                if not hops:
                    raise
                break  # the redirect to it is the last response
            location = location_of(response)
            if not location:
                break
            target = parse(location, url)
            if target is None or (is_private(target) and not is_private(start)):
                break
            url = target
        return response


def _result_of(task: asyncio.Task[Robots]) -> Robots | None:
    """Return the result of a task; None if it still runs or has failed."""
    has_result = task.done() and not task.cancelled() and task.exception() is None
    return task.result() if has_result else None
