"""Item pipeline that records pages and sitemap files, and publishes at the end of the crawl."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from datetime import datetime, timezone
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals

from sitemapgen.context import context_of, step_begins
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Page, SitemapFile
from sitemapgen.params import max_loss
from sitemapgen.publish.log_summary import (
    failing_in_words,
    log_summary,
    lost_in_words,
    warnings_in_words,
)
from sitemapgen.publish.options import Options
from sitemapgen.publish.publication import STEPS, Rules, publish

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from typing_extensions import Self


logger = logging.getLogger(__name__)


class SitemapPipeline:
    """Passes items to the recorder of the crawl, and publishes at its end."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.max_loss = max_loss(crawler.settings)
        self._has_outcomes = False
        self._remark = ""
        """A remark on a published crawl, for result.json; empty for none."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.spider_closed, signals.spider_closed)
        return pipeline

    def process_item(self, item: Any) -> Any:
        if isinstance(item, (Page, SitemapFile)):  # other items come from other spiders
            try:
                self.context.recorder.record(item)
            except CrawlError as error:
                self.context.abort(error)
        return item

    def spider_closed(self, reason: str) -> None:
        """Publish, or keep the state for the next run; log how the crawl ended."""
        if not self.context.is_open:
            return
        fetched = self.context.store.frontier.fetched()
        exit_code, sentence = self._tried(lambda: self._conclude(reason))
        if exit_code is Exit.PUBLISHED:
            exit_code, sentence = self._tried(self.context.store.close)
        else:
            with suppress(CrawlError):  # the first error is reported
                self.context.store.close()
        for export in self.context.exporters if self.context.start_url else ():
            code, why = self._tried(partial(export, self.context.args.output_directory()))
            if exit_code is Exit.PUBLISHED:
                exit_code, sentence = code, why
        self.context.result.end(exit_code, sentence or self._remark, fetched=fetched)
        self.crawler.stats.set_value("sitemapgen/exit_code", int(exit_code))

    def _tried(self, action: Callable[[], None]) -> tuple[Exit, str]:
        """Run a step; log an error, return its exit code and sentence. Bugs get a traceback."""
        try:
            action()
        except CrawlError as error:
            logger.error("%(sentence)s", {"sentence": error.sentence})
            return error.exit_code, error.sentence
        except Exception:
            logger.exception("The crawl could not be concluded")
            return Exit.ERROR, "a bug; the log has the traceback"
        return Exit.PUBLISHED, ""

    def _conclude(self, reason: str) -> None:
        """Publish a crawl that is complete or reached its cap. Raises CrawlError for others."""
        context, store = self.context, self.context.store
        if context.error is not None:
            if not context.start_url:
                store.end_run(reason, time.time())
            raise context.error
        if reason == "start_error":
            raise CrawlError(Exit.ERROR, "the crawl could not begin; see the log above")
        if reason != "finished":
            store.frontier.requeue()
            then = (
                "no sitemap"
                if context.unrequested
                else "nothing is lost, the same command continues"
            )
            sentence = f"interrupted ({reason}) after {store.frontier.fetched()} pages; {then}"
            raise CrawlError(Exit.INTERRUPTED, sentence)
        if context.unrequested:
            store.frontier.close(context.unrequested)
        has_missed = store.frontier.has_pending() and not context.budget.is_spent
        if store.frontier.in_flight() or has_missed:
            raise CrawlError(Exit.ERROR, "the crawl stopped with URLs still to be fetched; a bug")
        try:
            self._publish()
        except CrawlError as error:
            if error.exit_code in (Exit.NOTHING, Exit.REFUSED):
                # The site may change, so the same command has to begin a new run.
                self._end(error.exit_code.name.lower())
            raise
        self._end(reason)
        browser = self.crawler.stats.get_value("sitemapgen/rendering/browser_lost")
        problems = (lost_in_words(store.results.lost()), browser)
        if any(problems):
            raise CrawlError(Exit.ERROR, "; ".join(filter(None, problems)))

    def _end(self, reason: str) -> None:
        """End a run that was concluded, and keep its outcomes."""
        if not self._has_outcomes:
            self._keep_outcomes()
        self.context.store.end_run(reason, time.time())

    def _prepare(self, paths: list[str]) -> None:
        """Write all large data before the files are replaced, so that a full disk fails earlier."""
        self._keep_outcomes()
        self.context.store.checkpoint()
        self.context.result.reserve(paths)

    def _keep_outcomes(self) -> None:
        """Keep the outcomes of the run; they are used once it has ended."""
        self.context.store.history.keep_outcomes()
        self._has_outcomes = True

    def _signal_step(self, step: str) -> None:
        words = f"{step} ({STEPS.index(step) + 1} of {len(STEPS)})"
        self.crawler.signals.send_catch_log(step_begins, step=words)

    def _publish(self) -> None:
        context, args = self.context, self.context.args
        now = datetime.now(timezone.utc)
        directory = args.output_directory()
        started = self.crawler.stats.get_value("start_time", now)
        run = context.store.last_run()
        assert run is not None
        rules = Rules(
            start=context.start_url,
            site=args.site(context.start_url),
            options=run.options,
            extensions=args.extensions,
            index_file=args.indexed,
        )
        publication = publish(
            context.store,
            directory,
            Options.of(args, context.start_url),
            rules,
            max_pages=context.budget.max_pages,
            max_loss=self.max_loss,
            force=args.force,
            now=now,
            on_step=self._signal_step,
            prepare=self._prepare,
        )
        context.result.note(publication, warnings_in_words(publication))
        log_summary(
            publication,
            seconds=(datetime.now(timezone.utc) - started).total_seconds(),
            max_pages=context.budget.max_pages,
            formats=args.formats,
        )
        self._remark = failing_in_words(publication.summary)
        publication.check(directory)
