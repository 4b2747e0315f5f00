"""Keeps what the spider found, one transaction a page; publishes when it is done."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from scrapy import signals

from sitemapgen.core.late_retry import LOST
from sitemapgen.exits import CrawlError, Exit
from sitemapgen.extensions.feeds import UrlFeeds
from sitemapgen.items import Page, SitemapFile
from sitemapgen.params import max_loss, near_rule, near_threshold
from sitemapgen.publish.companions import missing
from sitemapgen.publish.publication import (
    STEPS,
    Rules,
    failing_in_words,
    hreflang_in_words,
    in_words,
    lost_in_words,
    options_of,
    publish,
    rendering_in_words,
    robots_txt_in_words,
    routes_in_words,
    traps_in_words,
)
from sitemapgen.report import not_looked_at
from sitemapgen.report.coverage import doubts
from sitemapgen.survey import survey_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from sitemapgen.survey import Survey

logger = logging.getLogger(__name__)

step_begins = object()
"""The signal that a step of publishing begins: ``step``, in words. Nothing else runs until the
next one."""
COMMIT_SECONDS = 0.1


class SitemapPipeline:
    """The only writer of pages, links and sitemap entries."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.max_pages = crawler.settings.getint("SITEMAPGEN_MAX_PAGES")
        self.max_depth = crawler.settings.getint("DEPTH_LIMIT")
        self.near_threshold = near_threshold(crawler.settings)
        self.near_rule = near_rule(crawler.settings)
        self.max_loss = max_loss(crawler.settings)
        self.batch = max(crawler.settings.getint("CONCURRENT_REQUESTS") - 1, 1)
        self._kept_back, self._committed = 0, 0.0
        self._has_outcomes = False
        self._remark = ""
        """What is to be said of a crawl that was published."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.spider_closed, signals.spider_closed)
        return pipeline

    @property
    def spider(self) -> Survey:
        """Our spider, or who looks over the shoulder of another one."""
        return survey_of(self.crawler)

    def process_item(self, item: Any) -> Any:
        try:
            if isinstance(item, Page):
                with self.spider.store.readings.reading(item.key, item.url):
                    self.spider.store.record(item, time.time())
                verdict = item.judgement.verdict.value
                logger.debug("%(verdict)s: %(url)s", {"verdict": verdict, "url": item.url})
                stats = self.crawler.stats
                stats.inc_value(f"sitemapgen/store/page_count/{verdict}")
                stats.inc_value("sitemapgen/links/malformed_count", item.malformed_links)
                stats.inc_value("sitemapgen/links/offsite_count", item.offsite_links)
            elif isinstance(item, SitemapFile):
                self._record_sitemap(item)
            else:
                return item  # of another spider
            self._commit()
        except CrawlError as error:
            self.spider.abort(error)
        return item

    def _record_sitemap(self, file: SitemapFile) -> None:
        try:
            self.spider.store.record_sitemap(file, time.time())
        except CrawlError:
            raise
        except Exception:
            logger.exception("Sitemap %(url)s", {"url": file.url})
            lost = replace(file, format="", error=LOST, entries=(), document=None)
            self.spider.store.record_sitemap(lost, time.time())

    def _commit(self) -> None:
        """Keep what was found: now if pages come slowly, else a few pages at a time.

        A kill then costs the pages in flight and, of those that waited, fewer still.
        """
        self._kept_back += 1
        now = time.monotonic()
        if self._kept_back >= self.batch or now > self._committed + COMMIT_SECONDS:
            self.spider.store.commit()
            self._kept_back, self._committed = 0, now

    def spider_closed(self, reason: str) -> None:
        """Publish, or keep the state for the next run; say how the crawl ended."""
        if not self.spider.is_open:
            return
        fetched = self.spider.store.frontier.fetched()
        exit_code, sentence = self._tried(lambda: self._conclude(reason))
        if exit_code is Exit.PUBLISHED:
            exit_code, sentence = self._tried(self.spider.store.close)
        else:
            with suppress(CrawlError):  # the first error is the one that counts
                self.spider.store.close()
        feeds = self.crawler.get_extension(UrlFeeds)
        if feeds and self.spider.start_url:
            code, why = self._tried(lambda: feeds.export(self.spider.args.output_directory()))
            if exit_code is Exit.PUBLISHED:
                exit_code, sentence = code, why
        self.spider.result.end(exit_code, sentence or self._remark, fetched=fetched)
        self.crawler.stats.set_value("sitemapgen/exit_code", int(exit_code))

    def _tried(self, action: Callable[[], None]) -> tuple[Exit, str]:
        """Do something and say what went wrong: a bug of ours as well, with its traceback."""
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
        """Publish a crawl that is complete, or as far as its cap; of others raise CrawlError."""
        spider, store = self.spider, self.spider.store
        if spider.error is not None:
            if not spider.start_url:
                store.end_run(reason, time.time())
            raise spider.error
        if reason == "start_error":
            raise CrawlError(Exit.ERROR, "the crawl could not begin; the log above says why")
        if reason != "finished":
            store.frontier.requeue()
            then = "no sitemap" if spider.left else "nothing is lost, the same command continues"
            sentence = f"interrupted ({reason}) after {store.frontier.fetched()} pages; {then}"
            raise CrawlError(Exit.INTERRUPTED, sentence)
        if spider.left:
            store.frontier.close(spider.left)
        capped = 0 < self.max_pages <= store.frontier.fetched()
        if store.frontier.in_flight() or (store.frontier.has_pending() and not capped):
            raise CrawlError(Exit.ERROR, "the crawl stopped with URLs still to be fetched; a bug")
        try:
            self._publish()
        except CrawlError as error:
            if error.exit_code in (Exit.NOTHING, Exit.REFUSED):
                # The site may be another tomorrow: the same command has to ask it again.
                self._end(error.exit_code.name.lower())
            raise
        self._end(reason)
        browser = self.crawler.stats.get_value("sitemapgen/rendering/browser_lost")
        said = (lost_in_words(store.results.lost()), browser)
        if any(said):
            raise CrawlError(Exit.ERROR, "; ".join(filter(None, said)))

    def _end(self, reason: str) -> None:
        """End a run that was concluded, and keep what it came to."""
        if not self._has_outcomes:
            self._keep_outcomes()
        self.spider.store.end_run(reason, time.time())

    def _prepare(self, paths: list[str]) -> None:
        """Write all that is large before the files are replaced: after that no disk is full."""
        self._keep_outcomes()
        self.spider.store.checkpoint()
        self.spider.result.reserve(paths)

    def _keep_outcomes(self) -> None:
        """Keep what the run came to; it counts once the run has ended."""
        self.spider.store.history.keep_outcomes()
        self._has_outcomes = True

    def _tell(self, step: str) -> None:
        words = f"{step} ({STEPS.index(step) + 1} of {len(STEPS)})"
        self.crawler.signals.send_catch_log(step_begins, step=words)

    def _publish(self) -> None:
        spider, args = self.spider, self.spider.args
        now = datetime.now(timezone.utc)
        directory = args.output_directory()
        started = self.crawler.stats.get_value("start_time", now)
        rules = Rules(
            start=spider.start_url,
            site=args.site(spider.start_url),
            max_depth=self.max_depth,
            duplicates=args.duplicates,
            near_threshold=self.near_threshold,
            near_rule=self.near_rule,
            base_url=args.base_url,
            extensions=args.extensions,
            index_file=args.indexed,
        )
        publication = publish(
            spider.store,
            directory,
            options_of(args, spider.start_url),
            rules,
            max_pages=self.max_pages,
            max_loss=self.max_loss,
            force=args.force,
            now=now,
            tell=self._tell,
            prepare=self._prepare,
        )
        facts = publication.summary
        warnings = [*publication.unread, *rendering_in_words(facts)]
        spider.result.note(publication, warnings)
        logger.info(
            "%(fetched)d pages fetched in %(seconds).1f s; of %(seen)d URLs seen: %(verdicts)s",
            {
                "fetched": facts["fetched"],
                "seconds": (datetime.now(timezone.utc) - started).total_seconds(),
                "seen": facts["seen"],
                "verdicts": in_words(facts),
            },
        )
        for kind, count, patterns in traps_in_words(facts):
            logger.warning(
                "Trap, %(kind)s: %(count)d URLs left out; %(patterns)s",
                {"kind": kind, "count": count, "patterns": patterns},
            )
        for count, document in routes_in_words(facts):
            logger.warning(
                "%(count)d links lead to views of %(url)s behind #: search engines see one page",
                {"count": count, "url": document},
            )
        for warning in warnings:
            logger.warning("%(warning)s", {"warning": warning})
        for doubt in doubts(facts["indexed"]):
            logger.warning("indexed: %(doubt)s", {"doubt": doubt})
        if facts["postponed"]:
            logger.info(
                "%(count)d pages stand as they were: max_pages=%(cap)d left no visit for them",
                {"count": facts["postponed"], "cap": self.max_pages},
            )
        for line in not_looked_at.in_words(facts["not_looked_at"]):
            logger.warning("%(line)s", {"line": line})
        self._remark = failing_in_words(facts)
        if self._remark:
            logger.warning("%(said)s", {"said": self._remark})
        for path, state in publication.states():
            logger.info("%(path)s: %(state)s", {"path": path, "state": state})
        for name in missing(args.formats, publication.files):
            logger.warning("%(name)s: not written, no page has a date", {"name": name})
        if said := hreflang_in_words(facts):
            logger.info("%(said)s", {"said": said})
        logger.info("%(advice)s", {"advice": robots_txt_in_words(facts)})
        publication.check(directory)
        if publication.objection:
            logger.warning("force=true: published, though %(why)s", {"why": publication.objection})
        elif publication.loss.lost:
            logger.info("%(loss)s", {"loss": publication.loss.in_words()})
