"""Opening of a store for a crawl, whose run is continued, begun or refused, or for a report."""

from __future__ import annotations

import logging
import time
from pathlib import Path

from sitemapgen.core.urls import is_same_site
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import Params
from sitemapgen.store import Run, Store
from sitemapgen.store.frontier import Limits

logger = logging.getLogger(__name__)

STORE_FILE = "crawl.sqlite"


def open_store(params: Params, max_depth: int) -> tuple[Store, str]:
    """Open the store of an output directory and a run in it; return it with the run's start URL.

    The start URL is the one after redirects, empty for a new run. That leaves no trace unless it is
    settled: while a site is down, the state stays that of the run before. Raises CrawlError if the
    directory cannot be written, if the store is in use, damaged or of a version that cannot be
    read, or if it holds another site or an interrupted run with another scope.
    """
    directory = params.output_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrawlError(
            Exit.NO_SPACE, f"output: {directory} cannot be made: {error.strerror}"
        ) from error
    limits = Limits(
        max_depth=max_depth,
        sitemaps_first=params.strategy != "bfs",
        stops_at_traps=params.traps == "stop",
    )
    store = Store(directory / STORE_FILE, limits, fresh=params.fresh)
    try:
        last = store.last_run()
        if last is not None and last.start:
            _refuse_another_site(last, params)
        if last is not None and not last.ended and not last.is_read_alike:
            logger.warning(
                "%(directory)s: its crawl was interrupted in another version, which read pages "
                "otherwise; a new one begins, and asks for all of them",
                {"directory": directory},
            )
        if last is None or last.ended or not (last.start and last.is_read_alike):
            store.begin_run(params.in_scope(), time.time(), is_provisional=True)
            start = ""
        else:
            _refuse_another_scope(last, params)
            store.resume_run()
            start = last.start
        store.commit()
    except BaseException:
        store.close()
        raise
    return store, start


def lend_store(directory: Path) -> tuple[Store, Run]:
    """Open the store of an output directory without changing it; return it with its last run.

    Raises CrawlError if there is no store, if it is in use, damaged or of a version that cannot be
    read, or if the start URL of its run never answered.
    """
    path = directory / STORE_FILE
    if not path.is_file():
        why = f"it has no {STORE_FILE}" if directory.is_dir() else "no such directory"
        raise CrawlError(Exit.ARGUMENTS, f"{directory}: not the output of a crawl; {why}")
    store = Store(path, Limits(), lent=True)
    try:
        run = store.last_run()
        if run is None or not run.start:
            raise CrawlError(
                Exit.ARGUMENTS,
                f"{directory}: nothing to report; its start URL never answered, crawl it again",
            )
        options = run.options
        store.keep_to(Limits(max_depth=options.max_depth, stops_at_traps=options.stops_at_traps))
    except BaseException:
        store.close()
        raise
    return store, run


def _refuse_another_site(last: Run, params: Params) -> None:
    url = str(last.arguments["url"])
    if not is_same_site(url, params.url):
        raise CrawlError(
            Exit.REFUSED,
            f"output: {params.output_directory()} holds a crawl of {url}; "
            "use another -a output=, or -a fresh=true to forget it",
        )


def _refuse_another_scope(last: Run, params: Params) -> None:
    for name, value in params.in_scope().items():
        if (before := last.arguments.get(name)) != value:
            raise CrawlError(
                Exit.REFUSED,
                f"{name}: the interrupted crawl in {params.output_directory()} had {before!r}; "
                f"continue it with -a {name}={before}, or use -a fresh=true to start over",
            )
