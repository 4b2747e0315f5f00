"""Coordinator's side of a cluster: hands jobs out to workers, and returns their responses.

It stands where Scrapy's downloader calls a download handler, so that scheduler, delays, robots.txt,
AutoThrottle, retries and back-off are those of any crawl, for all workers together. A job without
an outcome is repeated: ``middlewares/refusals.py``.
"""

from __future__ import annotations

import asyncio
from typing import Any

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from sitemapgen.cluster.connection import RedisServer
from sitemapgen.cluster.description import describe_crawl
from sitemapgen.cluster.exchange import Exchange
from sitemapgen.cluster.messages import (
    JobOutcome,
    WorkerJob,
    exception_from_values,
    findings_from_values,
    pack,
)
from sitemapgen.context import context_of
from sitemapgen.download.downloader import RequestCancelled, polite_downloader
from sitemapgen.download.examining import ReadResponse
from sitemapgen.download.failures import LeaseLost
from sitemapgen.download.terms import DEATHS, OUTCOME, PATIENT, RAW, RENDERING, TRANSFER


class Coordinator:
    """The workers of one crawl, as the download handler calls them."""

    def __init__(self, crawler: Crawler, url: str) -> None:
        """Take a database of Redis for this crawl. Raises CrawlError."""
        self.crawler = crawler
        self.context = context_of(crawler)
        self._turn = asyncio.Lock()
        self._suspects = asyncio.Lock()
        """Held by a request whose worker has died, so that no other one dies with it again."""
        self._rules = 0
        self._described: tuple[str, object] = ("", None)
        """The session and the reader whose description was sent last."""
        server = RedisServer.of(url)
        self._exchange = Exchange(server, self.context, self._describe, self._turn.locked)
        self.release = self._exchange.release_session
        crawler.signals.connect(self._exchange.begin, signals.spider_opened)
        crawler.signals.connect(self._exchange.end, signals.spider_closed)

    def _describe(self) -> None:
        """Have the rules of the origin sent before the next job, if they are new."""
        exchange = self._exchange
        if not self.context.is_entered:
            return
        if self._described == (described := (exchange.session, self.context.link_reader)):
            return
        self._described = described
        self._rules += 1
        description = describe_crawl(
            self.context, exchange.session, self._rules, exchange.lease_seconds
        )
        exchange.describe(pack(description))

    async def download(self, request: Request) -> Response:
        """Have a worker fetch, or render, and read a page.

        Raises LeaseLost, RequestCancelled, and what a request that fails here raises.
        """
        if not request.meta.get(DEATHS):
            return await self._handed_out(request)
        async with self._suspects:
            return await self._handed_out(request)

    async def _handed_out(self, request: Request) -> Response:
        if not self._exchange.workers:
            await self._wait_for_turn(request)
        if self._exchange.is_over:
            raise RequestCancelled("the crawl ends")
        self._describe()
        outcome = await self._exchange.jobs.wait_for_outcome(
            lambda number: pack(self._make_job(number, request))
        )
        return self._make_response(request, outcome)

    async def _wait_for_turn(self, request: Request) -> None:
        """Wait for a worker. Requests that have waited together are sent one delay apart."""
        exchange = self._exchange
        async with self._turn:
            while not exchange.workers and not exchange.is_over:
                await exchange.has_workers.wait()
            delay = polite_downloader(self.crawler).polite_slot(request).delay
            await asyncio.sleep(delay)

    def _make_job(self, number: int, request: Request) -> WorkerJob:
        raw: ReadResponse | None = request.meta.get(RAW)
        lease = request.cb_kwargs.get("lease")
        if lease is None and raw is not None and raw.request is not None:
            lease = raw.request.cb_kwargs["lease"]
        return WorkerJob(
            session=self._exchange.session,
            rules=self._rules,
            number=number,
            lease=lease,
            url=request.url,
            rendering=request.meta.get(RENDERING, ""),
            is_patient=request.meta.get(PATIENT, True),
            before=raw.findings.before if raw else b"",
        )

    def _make_response(self, request: Request, outcome: JobOutcome) -> Response:
        """Turn an outcome into what a handler returns or raises."""
        meta = request.meta
        self._count_stats(outcome)
        if outcome.latency is not None:
            meta["download_latency"] = outcome.latency
        if outcome.transfer:
            meta[TRANSFER] = tuple(outcome.transfer)
        if meta.get(RENDERING):
            meta[OUTCOME] = outcome.rendered
        if outcome.kind == "failed":
            raise exception_from_values(outcome.content)
        if outcome.kind == "returned":
            raise LeaseLost
        common: dict[str, Any] = {
            "status": outcome.status,
            "headers": outcome.headers,
            "flags": list(outcome.flags),
            "request": request,
        }
        if outcome.kind == "document":
            return HtmlResponse(request.url, body=outcome.content, **common)
        findings = findings_from_values(outcome.content, self.context.link_reader)
        return ReadResponse(request.url, findings=findings, **common)

    def _count_stats(self, outcome: JobOutcome) -> None:
        stats = self.crawler.stats
        for name, value in outcome.stats.items():
            if isinstance(value, str):
                stats.set_value(name, value)
            else:
                stats.inc_value(name, value)  # type: ignore[arg-type]  # seconds are added, too
