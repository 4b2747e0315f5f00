"""``sitemapgen serve``: a page that starts crawls, with their queue, their progress and results."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import sys
from typing import TYPE_CHECKING

from sitemapgen.cli import sites
from sitemapgen.cli.serve.jobs import RUNNING, JobQueue
from sitemapgen.cli.serve.runner import Runner
from sitemapgen.cli.serve.server import Server
from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

logger = logging.getLogger(__name__)


def run(options: argparse.Namespace, words: Sequence[str], file: Path) -> None:
    """Serve until a signal. Raises CrawlError.

    ``words``: further words for each crawl; ``file``: sitemapgen.toml, which may be missing.
    """
    _check_options(options, file)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    queue = JobQueue(options.queue)
    runner = Runner(queue, file.absolute(), options.jobs, words)
    asyncio.run(_serve_until_signal(runner, options.host, options.port))


def _check_options(options: argparse.Namespace, file: Path) -> None:
    if options.jobs < 1:
        raise CrawlError(Exit.ARGUMENTS, f"--jobs: {options.jobs} is too few; use 1 or more")
    if not 0 <= options.port <= 65_535:
        words = f"--port: {options.port} is no port; use 1 to 65535, or 0 for any that is free"
        raise CrawlError(Exit.ARGUMENTS, words)
    sites.refuse_secrets(file)
    if options.file or file.exists():
        sites.read_sites(file)


async def _serve_until_signal(runner: Runner, host: str, port: int) -> None:
    server = Server(runner)
    try:
        url = await server.open(host, port)
    except OSError as error:
        await server.close()
        raise CrawlError(Exit.ARGUMENTS, _in_words(error, host, port)) from error
    sys.stdout.write(f"Serving at {url}\n")
    sys.stdout.flush()
    work = asyncio.ensure_future(runner.run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _end_crawls, runner, work)
    try:
        await work
    except asyncio.CancelledError:
        logger.warning("stopped; the crawls go on, and the next sitemapgen serve finds them")
    finally:
        await server.close()


def _end_crawls(runner: Runner, work: asyncio.Future[None]) -> None:
    """Finish what runs; at the second signal, leave it alone."""
    if runner.is_ending:
        work.cancel()
        return
    runner.end_crawls()
    if running := runner.queue.jobs_in(RUNNING):
        logger.warning(
            "finishing the pages under way of %(crawls)s; the next sitemapgen serve continues",
            {"crawls": counted(len(running), "crawl")},
        )


def _in_words(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken; use --port with another, or with 0 for any"
    why = error.strerror or str(error)
    return f"--host {host}: {why}; use 127.0.0.1, or another address of this machine"
