"""The files of a crawl written again from its store, without a request; the store is unchanged."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sitemapgen.core.urls import key
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Judgement, Ruling
from sitemapgen.params import Params, sentences
from sitemapgen.publish import replacing
from sitemapgen.publish.editions import keep_effort, recall_edition
from sitemapgen.publish.existing import Published, read_published
from sitemapgen.publish.files import (
    Staging,
    complete_publication,
    read_object,
    writing_errors,
)
from sitemapgen.publish.options import Options, OutputSettings
from sitemapgen.publish.publication import ConclusionRules, conclude_crawl
from sitemapgen.publish.sitemaps import Written
from sitemapgen.report.html import REPORT_FILES, write_report
from sitemapgen.report.summary import write_json
from sitemapgen.store import Run, Store
from sitemapgen.store.opening import lend_store
from sitemapgen.store.results import COLUMNS, ListedRow
from sitemapgen.verdicts import Reason, Verdict

SHAPING = (
    *("layout", "formats", "extensions", "stylesheet", "gzip", "priority", "base_url"),
    *("changefreq", "include", "exclude", "force"),
)
"""Arguments that take effect without another crawl."""

UNFIT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 section 2.2 forbids, and other control characters."""

LEFT = Judgement(Verdict.NOT_FETCHED, "the crawl was interrupted before", reason=Reason.INTERRUPTED)


def export_sitemap(
    directory: Path,
    target: Path,
    given: Mapping[str, str],
    *,
    settings: OutputSettings,
    max_loss: float,
    now: datetime,
) -> replacing.Publication:
    """Write the sitemap of the crawl in ``directory`` into ``target``, which may be the same.

    Arguments that are not ``given`` are those of the crawl. Files that the safety check refuses are
    written beside the published ones. Raises CrawlError, with the published files unchanged.
    """
    store, run = lend_store(directory)
    try:
        params = _override_params(run, given)
        if not run.ended and not params.force:
            raise CrawlError(
                Exit.REFUSED,
                f"{directory}: the crawl was interrupted; continue it with the same command, "
                "or publish what it has with -a force=true",
            )
        rules = rules_of(run)._replace(
            site=params.site(run.start),
            options=replace(run.options, base_url=params.base_url),
            extensions=params.extensions,
        )
        facts = conclude_crawl(store, rules)
        store.conclusions.set_verdicts(_excluded_rulings(store, params))
        is_whole = not facts["stopped_by"]
        listed = store.results.count_urls()["verdict"].get(Verdict.LISTED.value, 0)
        safety = replacing.Safety(max_loss, params.force, cut_short=not is_whole, listed=listed)
        options = Options.of(params, run.start, settings)

        def write(staging: Staging, before: Published, refused: str) -> Written:
            written = replacing.write_sitemap(store, run.start, staging, options, before, now)
            report = {} if refused else read_object(target / "report.json")
            if report.get("published_complete") not in (None, is_whole):
                report["published_complete"] = is_whole
                write_json(report, staging.open("report.json"))
            return written

        measure = partial(replacing.measure_loss, store)
        return replacing.replace_published(target, safety, now, measure, write, options.layout)
    finally:
        store.close()


def _override_params(run: Run, given: Mapping[str, str]) -> Params:
    """Return the arguments of the crawl, overridden by those given. Raises CrawlError."""
    shaping = ", ".join(SHAPING)
    for name in given:
        if name in SHAPING:
            continue
        if name in Params.model_fields:
            sentence = f"decides about the crawl; give it to scrapy crawl, or one of {shaping}"
        else:
            nearest = get_close_matches(name, SHAPING, 1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"use one of {shaping}"
            sentence = f"no such argument; {hint}"
        raise CrawlError(Exit.ARGUMENTS, f"{name}: {sentence}")
    options = {**run.options.output, "base_url": run.options.base_url}
    try:
        params = Params.model_validate({**run.arguments, **options, **given})
    except ValidationError as error:
        raise CrawlError(Exit.ARGUMENTS, "; ".join(sentences(error))) from error
    kept = str(run.arguments.get("formats")).split(",")
    wanted = {
        "links": ("links", params.with_links),
        "jsonl": ("texts", params.with_texts),
        "llms": ("descriptions", params.with_descriptions),
    }
    for name, (what, is_wanted) in wanted.items():
        if is_wanted and name not in kept:
            raise CrawlError(
                Exit.ARGUMENTS,
                f"formats: the crawl did not collect {what}; crawl with -a formats="
                + ",".join(sorted(params.formats)),
            )
    read = extensions_of(run)
    if unread := sorted(params.extensions - read):
        names = ",".join(sorted(params.extensions | read))
        raise CrawlError(
            Exit.ARGUMENTS,
            f"extensions: the crawl did not read {' and '.join(unread)} from the pages; "
            f"crawl with -a extensions={names}",
        )
    return params


def _excluded_rulings(store: Store, params: Params) -> Iterator[Ruling]:
    include, exclude = params.included(), params.excluded()
    if not (include or exclude):
        return
    for url in [row.url for row in store.results.listed(ListedRow)]:
        if pattern := exclude.match(url):
            yield Ruling(key(url), Verdict.EXCLUDED, f"exclude={pattern}")
        elif include and not include.match(url):
            missed = ",".join(include.patterns)
            yield Ruling(key(url), Verdict.EXCLUDED, f"matches no include={missed}")


# --- the report and the items


def rebuild_report(
    directory: Path,
    *,
    index_file: Path | None,
    logo: str = "",
    max_loss: float,
    now: datetime,
) -> tuple[dict[str, Any], list[tuple[Path, str]]]:
    """Replace the report in an output directory by one from its store; return report.json, and
    what became of each file.

    For a finished crawl it is the same, byte for byte; for an interrupted one its first line is
    ``unfinished``. ``logo``: a ``data:`` URL. Raises CrawlError, with the files unchanged.
    """
    store, run = lend_store(directory)
    with closing(store), writing_errors(directory):
        complete_publication(directory)
        report = conclude_crawl(store, rules_of(run)._replace(index_file=index_file))
        if report["indexed"] and report["indexed"]["error"]:
            raise CrawlError(Exit.ARGUMENTS, f"indexed: {report['indexed']['error']}")
        target = _report_directory(report, run, store, directory, max_loss)

        def complete(_: str) -> None:
            recall_edition(store, report)
            keep_effort(report, target / "report.json")

        with Staging(target, int(now.timestamp())) as staging:
            write_report(report, store, staging.open, complete, logo)
            staging.declare("report.json")
            replaced = staging.commit(last="report.json")
    return report, list(replacing.file_states(target, REPORT_FILES, replaced))


def url_items(directory: Path) -> Generator[dict[str, Any]]:
    """Yield every URL that the crawl in an output directory saw, in URL order: items of feeds.

    Each has the columns of urls.csv, ``text``, the first 2,000 characters of its main text, and
    ``links``, the URLs of its links within the site: first followed, then nofollow ones.

    The conclusions on an interrupted crawl are not kept: its state is unchanged. Raises CrawlError.
    """
    store, run = lend_store(directory)
    with closing(store):
        if not run.ended:
            conclude_crawl(store, rules_of(run))
        for row in store.results.urls():
            page = store.results.page(key(row.url))
            item = dict(zip(COLUMNS, map(_clean_value, row.cells())))
            item["text"] = _clean_value(page.excerpt) if page else ""
            item["links"] = [*page.followed, *page.nofollow] if page else []
            yield item


def _clean_value(value: Any) -> Any:
    return UNFIT.sub(" ", value) if isinstance(value, str) else value


def rules_of(run: Run) -> ConclusionRules:
    """Return the rules that a crawl was concluded by, or would have been."""
    return ConclusionRules(
        start=run.start,
        site=Params.model_construct(None, **run.arguments).site(run.start),
        options=run.options,
        extensions=extensions_of(run),
        left=None if run.ended else LEFT,
    )


def extensions_of(run: Run) -> frozenset[str]:
    """Return the kinds of extensions that a crawl read from its pages."""
    return frozenset(filter(None, str(run.arguments["extensions"]).split(",")))


def _report_directory(
    report: dict[str, Any], run: Run, store: Store, directory: Path, max_loss: float
) -> Path:
    """Return the directory for the report: that of the sitemap which the crawl wrote, if any.

    A refused sitemap is beside the published one. The report of a crawl that wrote none keeps the
    published sitemap's ``published_complete``.
    """
    is_whole = replacing.was_complete(directory)
    if run.reason == "refused" and (directory / replacing.REFUSED_FILES).is_dir():
        loss = replacing.measure_loss(store, read_published(directory))
        report["refused"] = replacing.objection(
            loss, cut_short=bool(report["stopped_by"]), was_complete=is_whole, max_loss=max_loss
        )
        return directory / replacing.REFUSED_FILES
    if run.reason != "finished":
        report["published_complete"] = is_whole
    return directory
