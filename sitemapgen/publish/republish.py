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
from sitemapgen.publish.options import Options
from sitemapgen.publish.publication import ConclusionRules, conclude
from sitemapgen.publish.replacing import Safety, Staged, content_of, replace_published
from sitemapgen.publish.rereport import LEFT, extensions_of
from sitemapgen.store.opening import lend_store
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from sitemapgen.publish.files import Staging
    from sitemapgen.publish.output_settings import OutputSettings
    from sitemapgen.publish.replacing import Publication
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
    settings: OutputSettings,
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
        rules = ConclusionRules(
            start=run.start,
            site=params.site(run.start),
            options=replace(run.options, base_url=params.base_url),
            extensions=params.extensions,
        )
        facts = conclude(store, rules, None if run.ended else LEFT, is_interrupted=not run.ended)
        store.conclusions.set_verdicts(_filtered(store, params))
        is_whole = not facts["stopped_by"]
        safety = Safety(
            max_loss=max_loss,
            force=params.force,
            cut_short=not is_whole,
            listed=store.results.counts()["verdict"].get(Verdict.LISTED.value, 0),
        )

        def stage(staging: Staging, staged: Staged) -> tuple[str, ...]:
            if not staged.refused:
                _note(target, staging, is_whole=is_whole)
            return ()

        content = content_of(store, rules.start, Options.of(params, run.start, settings), now)
        return replace_published(target, content, safety, now, stage)
    finally:
        store.close()


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
