"""The report of a crawl, written again from its store: without a request, the store unchanged."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core.urls import key
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Judgement
from sitemapgen.params import Params
from sitemapgen.publish.editions import keep_effort, recall
from sitemapgen.publish.existing import read_published
from sitemapgen.publish.files import Staging, complete
from sitemapgen.publish.publication import ConclusionRules, conclude
from sitemapgen.publish.replacing import BESIDE, states
from sitemapgen.publish.safety import measure_loss, objection, was_complete
from sitemapgen.report import files
from sitemapgen.store.opening import lend_store
from sitemapgen.store.results import COLUMNS
from sitemapgen.verdicts import Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Generator
    from datetime import datetime
    from pathlib import Path

    from sitemapgen.store import Run, Store

UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 section 2.2 forbids, and other control characters."""

LEFT = Judgement(Verdict.NOT_FETCHED, "the crawl was interrupted before", reason=Reason.INTERRUPTED)


class Rebuilt(NamedTuple):
    """What was written, and where."""

    report: dict[str, Any]
    states: tuple[tuple[Path, str], ...]
    """What became of each file."""


def rebuild(directory: Path, *, index_file: Path | None, max_loss: float, now: datetime) -> Rebuilt:
    """Replace the report in an output directory by one from its store.

    For a finished crawl it is the same, byte for byte; for an interrupted one its first line is
    ``unfinished``. Raises CrawlError, with the files unchanged.
    """
    store, run = lend_store(directory)
    try:
        complete(directory)
        rules = rules_of(run, index_file)
        report = conclude(store, rules, None if run.ended else LEFT, is_interrupted=not run.ended)
        if report["indexed"] and report["indexed"]["error"]:
            raise CrawlError(Exit.ARGUMENTS, f"indexed: {report['indexed']['error']}")
        target = _place(report, run, store, directory, max_loss)

        def settle(_: str) -> None:
            recall(store, report)
            keep_effort(report, target / "report.json")

        with Staging(target, int(now.timestamp())) as staging:
            files.write(report, store, staging.open, settle)
            staging.declare("report.json")
            replaced = staging.commit(last="report.json")
    except OSError as error:
        raise CrawlError(
            Exit.NO_SPACE, f"{directory}: cannot be written: {error.strerror}"
        ) from error
    finally:
        store.close()
    return Rebuilt(report, tuple(states(target, files.NAMES, replaced)))


def url_items(directory: Path) -> Generator[dict[str, Any]]:
    """Yield every URL that the crawl in an output directory saw, in URL order: items of feeds.

    Each has the columns of urls.csv, ``text``, the first 2,000 characters of its main text, and
    ``links``, the URLs of its links within the site: first followed, then nofollow ones.

    The conclusions on an interrupted crawl are not kept: its state is unchanged. Raises CrawlError.
    """
    store, run = lend_store(directory)
    try:
        if not run.ended:
            conclude(store, rules_of(run), LEFT, is_interrupted=True)
        for row in store.results.urls():
            page = store.results.page(key(row.url))
            item = dict(zip(COLUMNS, map(_clean, row.cells())))
            item["text"] = _clean(page.excerpt) if page else ""
            item["links"] = [*page.followed, *page.nofollow] if page else []
            yield item
    finally:
        store.close()


def _clean(value: Any) -> Any:
    return UNFIT.sub(" ", value) if isinstance(value, str) else value


def rules_of(run: Run, index_file: Path | None = None) -> ConclusionRules:
    """Return the rules that a crawl was concluded by, or would have been."""
    return ConclusionRules(
        start=run.start,
        site=Params.model_construct(None, **run.arguments).site(run.start),
        index_file=index_file,
        options=run.options,
        extensions=extensions_of(run),
    )


def extensions_of(run: Run) -> frozenset[str]:
    """Return the kinds of extensions that a crawl read from its pages."""
    return frozenset(filter(None, str(run.arguments["extensions"]).split(",")))


def _place(
    report: dict[str, Any], run: Run, store: Store, directory: Path, max_loss: float
) -> Path:
    """Return the directory for the report: that of the sitemap which the crawl wrote, if any.

    A refused sitemap is beside the published one. The report of a crawl that wrote none keeps the
    published sitemap's ``published_complete``.
    """
    is_whole = was_complete(directory)
    if run.reason == "refused" and (directory / BESIDE).is_dir():
        loss = measure_loss(store, read_published(directory))
        report["refused"] = objection(
            loss, cut_short=bool(report["stopped_by"]), was_complete=is_whole, max_loss=max_loss
        )
        return directory / BESIDE
    if run.reason != "finished":
        report["published_complete"] = is_whole
    return directory
