"""``scrapy crawl`` with exit codes that report the outcome to scripts and schedulers."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import signal
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from scrapy.commands.crawl import Command as CrawlCommand
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES

from sitemapgen import interrupts
from sitemapgen.cluster import setup
from sitemapgen.context import context_of
from sitemapgen.core.indexed import Unusable
from sitemapgen.deploy.jobs import JobIdentity
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import Params, repeated_name, sentences
from sitemapgen.report.sections.indexed import check_table
from sitemapgen.report.templates import read_logo
from sitemapgen.tools.command import add_examples
from sitemapgen.tools.scrapy_command import SPIDER, WORKER, ScrapyHelp

logger = logging.getLogger(__name__)

EXAMPLES = (
    "crawl sitemap -a url=https://example.com",
    'crawl sitemap -a url=https://example.com -a max_pages=500 -a "exclude=/tag/*"',
    "crawl sitemap -a url=https://example.com -s DOWNLOAD_DELAY=1",
)


class Command(CrawlCommand):
    """Checks the arguments before the crawl starts, and maps its outcome to an exit code."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.formatter_class = ScrapyHelp
        add_examples(parser, "scrapy", EXAMPLES)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        names = (word.partition("=")[0] for word in opts.spargs)
        if args == [SPIDER] and (twice := repeated_name(names)):
            raise UsageError(f"-a {twice}: is given twice; leave one out", print_help=False)
        super().process_options(args, opts)
        # NumPy's linear algebra is not used; starting its threads would take 0.1 s.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        if self._is_quiet():
            logging.disable(logging.INFO)  # until run(): Scrapy logs its versions in between

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        logging.disable(logging.NOTSET)
        if args not in ([SPIDER], [WORKER]):
            self._run_foreign(args, opts)
            return
        if self._is_quiet():
            logging.getLogger("scrapy").setLevel(logging.WARNING)
            throttle = logging.getLogger("scrapy.extensions.throttle")
            throttle.setLevel(logging.INFO)  # with AUTOTHROTTLE_DEBUG, a line for each response
        assert self.settings is not None
        # Scrapy filters at the handler: without a level here each dropped line costs a record.
        logging.getLogger("sitemapgen").setLevel(self.settings["LOG_LEVEL"])
        if args == [WORKER]:
            self.exitcode = int(self._work(opts))
            return
        result = JobIdentity.of(SPIDER, opts.spargs, self.settings).result_files()
        try:
            params = Params(**opts.spargs)
            if params.indexed:
                check_table(params.indexed)
            if params.report_logo:
                read_logo(params.report_logo)
            crawler = self._create_crawler(SPIDER)
        except (Unusable, ValidationError, CrawlError) as error:
            self.exitcode = int(Exit.ARGUMENTS)
            prefix = "indexed: " if isinstance(error, Unusable) else ""
            said = [f"{prefix}{error}"]
            if isinstance(error, ValidationError):
                said = sentences(error)
            for sentence in said:
                logger.error("%(sentence)s", {"sentence": sentence})
            result.end(Exit.ARGUMENTS, "; ".join(said))
            return
        crawl = self._crawl(crawler, opts.spargs)
        interrupts.ignore()
        gc.freeze()  # the interpreter would examine all objects before it exits: 0.2 s
        context = context_of(crawler)
        context.background.join()
        if context.is_open:
            result = context.crawl.result
        exit_code, sentence = _outcome(crawl, crawler, is_over=result.is_over)
        result.end(exit_code, sentence)
        self.exitcode = int(exit_code)

    def _run_foreign(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run a spider of another project, or log what is wrong with the operands."""
        assert self.crawler_process is not None
        spiders = self.crawler_process.spider_loader.list()
        sentence = ""
        if len(args) > 1 and args[0] in spiders:
            sentence = f"{args[1]}: arguments have names: scrapy crawl {args[0]} -a url={args[1]}"
        elif args and args[0] not in spiders:
            nearest = get_close_matches(args[0], spiders, 1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"there is {', '.join(spiders)}"
            sentence = f"{args[0]}: no such spider; {hint}"
        if sentence:
            logger.error("%(sentence)s", {"sentence": sentence})
            self.exitcode = int(Exit.ARGUMENTS)
            return
        super().run(args, opts)

    def _work(self, opts: argparse.Namespace) -> Exit:
        """Take part in the crawl of another process; return the exit code."""
        assert self.settings is not None
        try:
            membership = setup.join_crawl(self.settings)
            crawler = self._create_crawler(WORKER)
        except CrawlError as error:
            logger.error("%(sentence)s", {"sentence": error.sentence})
            return error.exit_code
        crawl = self._crawl(crawler, {**opts.spargs, "membership": membership})
        return _outcome(crawl, crawler, is_over=False)[0]

    def _crawl(self, crawler: Crawler, arguments: Mapping[str, Any]) -> asyncio.Future[None]:
        gc.set_threshold(50_000, 20, 50)  # pages leave no reference cycles; this saves 10 % CPU
        assert self.crawler_process is not None
        self.crawler_process._log_shutdown = _log_finishing  # type: ignore[method-assign]  # Scrapy has no hook for it
        self.crawler_process._log_kill = _log_stopped  # type: ignore[method-assign]  # Scrapy has no hook for it
        crawl = asyncio.ensure_future(self.crawler_process.crawl(crawler, **arguments))
        self.crawler_process.start()
        return crawl

    def _is_quiet(self) -> bool:
        """Whether Scrapy logs only problems: LOG_LEVEL was not set on the command line."""
        assert self.settings is not None
        return (self.settings.getpriority("LOG_LEVEL") or 0) <= SETTINGS_PRIORITIES["project"]


def _log_finishing(signum: int) -> None:
    logger.warning(
        "%(signal)s: finishing the pages under way; the state is kept, and the same command "
        "continues. Once more stops at once",
        {"signal": _name(signum)},
    )


def _log_stopped(signum: int) -> None:
    logger.warning(
        "%(signal)s again: stopped; the same command continues, with the pages that were under way",
        {"signal": _name(signum)},
    )


def _name(signum: int) -> str:
    return "Ctrl-C" if signum == signal.SIGINT else signal.Signals(signum).name


def _outcome(crawl: asyncio.Future[None], crawler: Crawler, *, is_over: bool) -> tuple[Exit, str]:
    """Return the exit code of a crawl, and the sentence for it that was not reported yet.

    ``is_over``: the crawl was published or given up, even if the process was stopped after that.
    """
    if not crawl.done() and not is_over:
        return Exit.INTERRUPTED, "interrupted by force; the same command continues"
    has_failed = crawl.done() and not crawl.cancelled()
    error = crawl.exception() if has_failed else None
    if isinstance(error, CrawlError):
        logger.error("%(sentence)s", {"sentence": error.sentence})
        return error.exit_code, error.sentence
    if error is not None:
        logger.error("The crawl could not start", exc_info=error)
        return Exit.ERROR, "the crawl could not start; the log has the traceback"
    return Exit(crawler.stats.get_value("sitemapgen/exit_code", Exit.INTERRUPTED)), ""
