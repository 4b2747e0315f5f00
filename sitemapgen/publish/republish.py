"""Republication of a crawl with other output arguments: from its store, without a request.

The report is written again by ``rereport.py``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pydantic import ValidationError

from sitemapgen.core.urls import key
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Ruling
from sitemapgen.params import Params, sentences
from sitemapgen.publish.existing import read_published
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.files import Staging, complete
from sitemapgen.publish.publication import (
    BESIDE,
    Publication,
    Rules,
    conclude,
    in_words,
    options_of,
    remove_refused,
    write_sitemap,
)
from sitemapgen.publish.rereport import LEFT, extensions_of
from sitemapgen.publish.safety import measure_loss, objection, unread_in_words, was_complete
from sitemapgen.publish.sitemaps import NothingListed
from sitemapgen.publish.switching import grace
from sitemapgen.store.opening import lend_store
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from sitemapgen.publish.options import Options
    from sitemapgen.store import Run, Store

SHAPING = (
    *("layout", "formats", "extensions", "stylesheet", "gzip", "priority", "base_url"),
    *("changefreq", "include", "exclude", "force"),
)
"""Arguments that take effect without another crawl."""


def export(
    directory: Path,
    target: Path,
    given: Mapping[str, str],
    *,
    max_loss: float,
    now: datetime,
) -> Publication:
    """Write the sitemap of the crawl in ``directory`` into ``target``, which may be the same.

    Arguments that are not ``given`` are those of the crawl. Files that the safety check refuses are
    written beside the published ones. Raises CrawlError, with the published files unchanged.
    """
    store, run = lend_store(directory)
    try:
        params = _params(run, given)
        _refuse_interrupted(directory, run, force=params.force)
        rules = Rules(
            start=run.start,
            site=params.site(run.start),
            options=replace(run.options, base_url=params.base_url),
            extensions=params.extensions,
        )
        facts = conclude(store, rules, None if run.ended else LEFT, is_interrupted=not run.ended)
        store.conclusions.set_verdicts(_filtered(store, params))
        return _replace(
            store,
            target,
            rules.start,
            options_of(params, run.start),
            is_whole=not facts["stopped_by"],
            max_loss=max_loss,
            force=params.force,
            now=now,
        )
    except NothingListed:
        counts = {"verdicts": store.results.counts()["verdict"]}
        raise CrawlError(Exit.NOTHING, f"nothing to list: {in_words(counts)}") from None
    except OSError as error:
        raise CrawlError(Exit.NO_SPACE, f"{target}: cannot be written: {error.strerror}") from error
    finally:
        store.close()


def _replace(
    store: Store,
    directory: Path,
    start: str,
    options: Options,
    *,
    is_whole: bool,
    max_loss: float,
    force: bool,
    now: datetime,
) -> Publication:
    complete(directory)
    before = read_published(directory, with_dates=options.layout == "log")
    loss = measure_loss(store, before)
    doubt = objection(
        loss,
        cut_short=not is_whole,
        was_complete=was_complete(directory),
        max_loss=max_loss,
    )
    is_refused = bool(doubt) and not force
    place = directory / BESIDE if is_refused else directory
    with Staging(place, int(now.timestamp()), grace(len(before.names))) as staging:
        written = write_sitemap(store, start, staging, options, before, now)
        if not is_refused:
            _note(directory, staging, is_whole=is_whole)
        replaced = staging.commit(last=ENTRY, stale=written.stale)
    if not is_refused:
        remove_refused(directory / BESIDE)
    facts = {"listed": written.count, "refused": doubt if is_refused else None}
    unread = tuple(unread_in_words(before))
    return Publication(facts, place, loss, doubt, written.names, replaced, unread)


def _note(directory: Path, staging: Staging, *, is_whole: bool) -> None:
    """Set ``published_complete`` in the report beside the files."""
    try:
        report = json.loads((directory / "report.json").read_bytes())
    except (OSError, ValueError):
        return
    if isinstance(report, dict) and report.get("published_complete") not in (None, is_whole):
        report["published_complete"] = is_whole
        text = json.dumps(report, indent=2, ensure_ascii=False)
        staging.open("report.json").write(text.encode() + b"\n")


def _params(run: Run, given: Mapping[str, str]) -> Params:
    """Return the arguments of the crawl, overridden by those given. Raises CrawlError."""
    for name in given:
        if name in SHAPING:
            continue
        if name in Params.model_fields:
            sentence = f"decides about the crawl; give it to scrapy crawl, or one of {_shaping()}"
        else:
            nearest = get_close_matches(name, SHAPING, 1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"use one of {_shaping()}"
            sentence = f"no such argument; {hint}"
        raise CrawlError(Exit.ARGUMENTS, f"{name}: {sentence}")
    options = {**run.options.output, "base_url": run.options.base_url}
    try:
        params = Params.model_validate({**run.arguments, **options, **given})
    except ValidationError as error:
        raise CrawlError(Exit.ARGUMENTS, "; ".join(sentences(error))) from error
    if params.with_links and run.arguments.get("formats") != "links":
        raise CrawlError(
            Exit.ARGUMENTS,
            "formats: the crawl did not collect links; crawl with -a formats="
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


def _shaping() -> str:
    return ", ".join(SHAPING)


def _refuse_interrupted(directory: Path, run: Run, *, force: bool) -> None:
    if not run.ended and not force:
        raise CrawlError(
            Exit.REFUSED,
            f"{directory}: the crawl was interrupted; continue it with the same command, "
            "or publish what it has with -a force=true",
        )


def _filtered(store: Store, params: Params) -> Iterator[Ruling]:
    """Yield the rulings that exclude listed pages by the patterns."""
    include, exclude = params.included(), params.excluded()
    if not (include or exclude):
        return
    for url in [row.url for row in store.results.listed()]:
        if pattern := exclude.match(url):
            yield Ruling(key(url), Verdict.EXCLUDED, f"exclude={pattern}")
        elif include and not include.match(url):
            missed = ",".join(include.patterns)
            yield Ruling(key(url), Verdict.EXCLUDED, f"matches no include={missed}")
