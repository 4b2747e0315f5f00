"""Item pipeline that records pages and sitemap files, and publishes at the end of the crawl.

Of another project's spider, without the add-on, it publishes items that have a URL: ``items.py``.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from typing_extensions import Self

from sitemapgen.context import context_of, step_begins
from sitemapgen.download.engine import wait_closed
from sitemapgen.errors import A_BUG, CrawlError, Exit
from sitemapgen.items import Judgement, Page, SitemapFile
from sitemapgen.params import max_loss, source_date
from sitemapgen.pipelines.items import FORCE, ItemSitemap
from sitemapgen.publish.log_summary import (
    failing_in_words,
    log_summary,
    lost_in_words,
    warnings_in_words,
)
from sitemapgen.publish.options import Options, OutputSettings
from sitemapgen.publish.publication import STEPS, ConclusionRules, Hooks, publish_crawl
from sitemapgen.publish.replacing import Safety
from sitemapgen.report.templates import read_logo
from sitemapgen.verdicts import Verdict

logger = logging.getLogger(__name__)


class SitemapPipeline:
    """Has the crawl record its items, and publishes at its end."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.host = self.context.host
        self.max_loss = max_loss(crawler.settings)
        self.source_date = source_date(os.environ)
        self.output_settings = OutputSettings.of(crawler.settings)
        self._loop: asyncio.AbstractEventLoop
        self._exit_code, self._sentence = Exit.PUBLISHED, ""
        self._fetched = 0
        self._has_outcomes = False
        self._remark = ""
        """A remark on a published crawl, for result.json; empty for none."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self | ItemSitemap:
        if not context_of(crawler).host.publishes:
            return ItemSitemap.from_crawler(crawler)
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.spider_closed, signals.spider_closed)
        crawler.signals.connect(pipeline.engine_stopped, signals.engine_stopped)
        return pipeline

    def process_item(self, item: Any) -> Any:
        is_of_site = True
        if isinstance(item, (Page, SitemapFile)):  # other items come from other spiders
            try:
                is_of_site = self.context.crawl.record(item)
            except CrawlError as error:
                self.context.abort(error)
        if not is_of_site:
            raise DropItem("the response to a made-up URL")
        return item

    async def spider_closed(self, reason: str) -> None:
        """Publish, or keep the state for the next run; log how the crawl ended."""
        try:
            if self.context.is_open and self.host.publishes:
                self._loop = asyncio.get_running_loop()
                await self.context.background.run(partial(self._close_store, reason))
                await self._export_feeds()
        finally:
            self.context.is_concluded.set()

    async def engine_stopped(self) -> None:
        """End a publication that the same command can repeat; do nothing if it is over."""
        if not self.host.unrequested:
            self.context.background.interrupt()
        await wait_closed(self.crawler)

    def _close_store(self, reason: str) -> None:
        """Conclude the crawl and close the store, in the background."""
        store = self.context.crawl.store
        store.bind_to_thread()
        self._fetched = store.frontier.fetched()
        with self._reporting_errors():
            self._conclude_crawl(reason)
        if self._exit_code is Exit.PUBLISHED:
            with self._reporting_errors():
                store.close()
        else:
            with suppress(CrawlError):  # the first error is reported
                store.close()
        if not self._exporters:
            self._end_result()

    @property
    def _exporters(self) -> Sequence[Callable[[Path], Awaitable[None]]]:
        return self.context.exporters if self.context.start_url else ()

    async def _export_feeds(self) -> None:
        """Write the feeds, if any."""
        for export in self._exporters:
            with self._reporting_errors():
                await export(self.host.args.output_directory())
        self._end_result()

    def _end_result(self) -> None:
        """Write the outcome: in the background if possible, where no second signal prevents it."""
        sentence = self._sentence or self._remark
        result = self.context.crawl.result
        result.measure(self.context.response_times.rows())
        result.end(self._exit_code, sentence, fetched=self._fetched)
        self.crawler.stats.set_value("sitemapgen/exit_code", int(self._exit_code))

    @contextmanager
    def _reporting_errors(self) -> Iterator[None]:
        """Log an error of a step; the first one is the outcome. Bugs get a traceback."""
        try:
            yield
            return
        except CrawlError as error:
            logger.error("%(sentence)s", {"sentence": error.sentence})
            outcome = error.exit_code, error.sentence
        except Exception:
            logger.exception("The crawl could not be concluded")
            outcome = Exit.ERROR, A_BUG
        if self._exit_code is Exit.PUBLISHED:
            self._exit_code, self._sentence = outcome

    def _conclude_crawl(self, reason: str) -> None:
        """Publish a crawl that is complete or reached its cap. Raises CrawlError for others."""
        context, store = self.context, self.context.crawl.store
        if context.error is not None:
            raise context.error
        if reason == "start_error":
            raise CrawlError(Exit.ERROR, "the crawl could not begin; see the log above")
        if reason != "finished":
            store.frontier.requeue_leased()
            then = (
                "no sitemap"
                if self.host.unrequested
                else "nothing is lost, the same command continues"
            )
            sentence = f"interrupted ({reason}) after {store.frontier.fetched()} pages; {then}"
            raise CrawlError(Exit.INTERRUPTED, sentence)
        if self.host.unrequested:
            store.frontier.close_urls(self.host.unrequested)
        has_missed = store.frontier.has_pending() and not context.crawl.budget.is_spent
        if store.frontier.in_flight() or has_missed:
            raise CrawlError(Exit.ERROR, "the crawl stopped with URLs still to be fetched; a bug")
        store.commit()  # an interrupt rolls back what follows
        store.abort_when(lambda: context.background.is_interrupted)
        try:
            self._publish_files()
        except CrawlError as error:
            store.abort_when(None)
            if error.exit_code is Exit.INTERRUPTED:
                store.roll_back()
                context.background.check()
            if error.exit_code in (Exit.NOTHING, Exit.REFUSED):
                # The site may change, so the same command has to begin a new run.
                self._end_run(error.exit_code.name.lower())
            raise
        self._end_run(reason)
        browser = self.crawler.stats.get_value("sitemapgen/rendering/browser_lost")
        problems = (lost_in_words(store.results.count_lost()), browser)
        if any(problems):
            raise CrawlError(Exit.ERROR, "; ".join(filter(None, problems)))

    def _end_run(self, reason: str) -> None:
        """End a run that was concluded, and keep its outcomes."""
        if not self._has_outcomes:
            self._keep_outcomes()
        self.context.crawl.store.end_run(reason, time.time())

    def _prepare_files(self, paths: list[str]) -> None:
        """Write all large data before the files are replaced, so that a full disk fails earlier."""
        self.context.background.finalize()
        crawl = self.context.crawl
        crawl.store.abort_when(None)
        self._keep_outcomes()
        crawl.store.checkpoint()
        crawl.result.reserve(paths)

    def _keep_outcomes(self) -> None:
        """Keep the outcomes of the run; they are used once it has ended."""
        self.context.crawl.store.history.keep_outcomes()
        self._has_outcomes = True

    def _signal_step(self, step: str) -> None:
        self.context.background.check()
        words = f"{step} ({STEPS.index(step) + 1} of {len(STEPS)})"
        send = partial(self.crawler.signals.send_catch_log, step_begins, step=words)
        with suppress(RuntimeError):  # a second signal has closed the loop
            self._loop.call_soon_threadsafe(send)

    def _read_logo(self) -> str:
        """Return the logo, which was an image when the crawl began."""
        path = self.host.args.report_logo
        try:
            return read_logo(path) if path else ""
        except CrawlError as error:
            logger.warning("%(error)s", {"error": error})
            return ""

    def _publish_files(self) -> None:
        crawl, start, args = self.context.crawl, self.context.start_url, self.host.args
        now = datetime.now(timezone.utc)
        directory = args.output_directory()
        started = self.crawler.stats.get_value("start_time", now)
        run = crawl.store.last_run()
        assert run is not None
        rules = ConclusionRules(
            start=start,
            site=args.site(start),
            options=run.options,
            extensions=args.extensions,
            index_file=args.indexed,
            logo=self._read_logo(),
            left=Judgement(Verdict.OVER_CAP, crawl.budget.limit),
            crawled=now.timestamp() if self.source_date is None else self.source_date,
        )
        publication = publish_crawl(
            crawl.store,
            directory,
            Options.of(args, start, self.output_settings),
            rules,
            Safety(self.max_loss, args.force),
            now,
            Hooks(self._signal_step, self._prepare_files),
        )
        crawl.result.note(publication, warnings_in_words(publication))
        log_summary(
            publication,
            fetched=max(self._fetched - crawl.store.frontier.fetched_before, 0),
            fetched_before=crawl.store.frontier.fetched_before,
            seconds=(datetime.now(timezone.utc) - started).total_seconds(),
            max_pages=crawl.budget.max_pages,
            formats=args.formats,
        )
        self._remark = failing_in_words(publication.summary)
        publication.check(directory, *([FORCE] if self.host.unrequested else ()))
