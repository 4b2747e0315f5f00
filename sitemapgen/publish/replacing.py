"""Replacement of published files: the safety check, then all files of the set at once.

The check measures what would be lost: the published files count, whatever program wrote them; the
state of earlier crawls counts only for files that cannot be read. A set with an objection is
written beside the published one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.key_index import NOWHERE, Places, distinct
from sitemapgen.analysis.ranking import decile_bounds
from sitemapgen.core import remedies
from sitemapgen.core.urls import key
from sitemapgen.core.words import agree, clauses, counted, largest_first
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish import conclusions, other_formats
from sitemapgen.publish.entries import Entries
from sitemapgen.publish.existing import Published, read_published
from sitemapgen.publish.file_names import ENTRY, is_bridging, is_ours
from sitemapgen.publish.files import (
    TEMPORARY,
    Staging,
    complete_publication,
    grace_seconds,
    read_object,
    writing_errors,
)
from sitemapgen.publish.options import Options
from sitemapgen.publish.sitemaps import NEWS, NothingListed, Written, write_files
from sitemapgen.report.html import REPORT_FILES
from sitemapgen.store import Store
from sitemapgen.verdicts import Verdict

NOT_SEEN = "not_seen"
"""Key beside the verdicts in ``Loss.lost``, for published URLs that the crawl never saw."""


MOST_UNREAD = 5
"""Maximum number of unreadable files that are named one by one."""


class Loss(NamedTuple):
    """URLs that the published sitemap lists and the new one does not."""

    published: int
    """Distinct URLs in the published sitemap."""
    lost: Mapping[str, int]
    """Number of them that are no longer listed, by their verdict, or as ``not_seen``."""

    @property
    def total(self) -> int:
        """Number of lost URLs."""
        return sum(self.lost.values())

    def in_words(self) -> str:
        """Describe the loss in a clause.

        >>> Loss(1000, {"noindex": 300, "not_seen": 2}).in_words()
        '302 of 1,000 published URLs are no longer listed (noindex 300, not_seen 2)'
        """
        are = agree(self.total, "is", "are")
        urls = counted(self.published, "published URL")
        return f"{self.total:,} of {urls} {are} no longer listed ({largest_first(self.lost)})"


def measure_loss(store: Store, before: Published) -> Loss:
    """Compare the published files with what the store lists now.

    If one of them cannot be read, the URLs that the run before listed count as published as well.
    """
    seen = store.results.verdicts()
    published = [before.keys]
    for run in store.history.concluded_runs()[-1:] if before.unread else []:
        outcomes = store.history.run_outcomes(run)
        listed = (url for url, verdict, _ in outcomes if verdict == Verdict.LISTED.value)
        published.append(np.fromiter(map(key, listed), np.int64))
    keys = distinct(np.concatenate(published))
    found = Places(seen["key"]).find_positions(keys)
    verdicts = seen["verdict"][found[found != NOWHERE]]
    counts = np.bincount(verdicts[verdicts >= 0], minlength=len(Verdict)).tolist()
    lost = {verdict.value: counts[verdict.code] for verdict in Verdict if counts[verdict.code]}
    if unseen := len(keys) - sum(counts):
        lost[NOT_SEEN] = unseen
    lost.pop(Verdict.LISTED.value, None)
    return Loss(len(keys), lost)


def measure_unlisted(listed: NDArray[np.int64], before: Published) -> Loss:
    """Compare the published files with the keys of what is listed now."""
    keys = distinct(before.keys)
    count = int((Places(listed).find_positions(keys) == NOWHERE).sum())
    return Loss(len(keys), {NOT_SEEN: count} if count else {})


def unread_in_words(before: Published) -> Iterator[str]:
    """Yield a sentence for each published file that could not be read: its loss is unknown."""
    for why in before.unread[:MOST_UNREAD]:
        yield f"{why}; what it listed is compared as far as the state has it"
    if (more := len(before.unread) - MOST_UNREAD) > 0:
        yield f"{more:,} more of the published files cannot be read"


def objection(loss: Loss, *, cut_short: bool, was_complete: bool, max_loss: float) -> str:
    """Return why the new sitemap may not replace the published one; empty when it may.

    A crawl that ``max_pages`` cut short never takes URLs out of the sitemap of a complete crawl.
    After another such crawl only the share counts: which URLs the cap cuts off depends on the order
    of responses, and the same command must not be refused for ever.
    """
    unreached = loss.lost.get(Verdict.OVER_CAP.value, 0) + loss.lost.get(NOT_SEEN, 0)
    if cut_short and was_complete and unreached:
        return f"the crawl was cut short: {loss.in_words()}"
    if loss.total > max_loss * loss.published:
        return f"{loss.in_words()}, a larger share than SITEMAPGEN_MAX_LOSS={max_loss:g}"
    return ""


def was_complete(directory: Path) -> bool:
    """Return whether the published sitemap is that of a crawl that ran to its end.

    It is, unless ``published_complete`` of report.json is false, after ``max_pages`` or an
    interruption; what traps and ``max_depth`` cut off is the same from crawl to crawl. The report
    itself may be that of a later crawl, whose sitemap was not published.
    """
    report = read_object(directory / "report.json")
    return report.get("published_complete", report.get("complete")) is not False


REFUSED_FILES = "refused"
"""Subdirectory of the published files for those that may not replace them."""
MOST_NAMED = 20
"""Maximum number of parts of a sitemap that are named one by one."""


class Publication(NamedTuple):
    """The written files, and the result of the safety check."""

    summary: dict[str, Any]
    """The fields of report.json; after ``republish.py`` only ``listed`` and ``refused``."""
    directory: Path
    """Directory of the files: that of the published ones, or ``refused`` in it."""
    loss: Loss
    """URLs that were published before and are no longer listed."""
    objection: str
    """Reason to keep the published files; empty if there is none."""
    files: tuple[str, ...]
    replaced: tuple[str, ...]
    """The files that differ from those before."""
    unread: tuple[str, ...] = ()
    """Sentences about published files that could not be compared."""

    def check(self, published: Path, force: str = "-a force=true") -> None:
        """Raise CrawlError when the files in this directory were not replaced.

        ``force``: what the user would write to have them replaced.
        """
        if self.summary["refused"]:
            verb = "replaced" if self.loss.published else "published"
            raise CrawlError(
                Exit.REFUSED,
                f"{published}: not {verb}, since {self.summary['refused']}; the new files are in "
                f"{self.directory}, and {force} would publish them",
            )

    def states(self) -> Iterator[tuple[Path, str]]:
        """Yield the state of each file: ``file_states``."""
        return file_states(self.directory, self.files, self.replaced)


def file_states(
    directory: Path, files: Collection[str], replaced: Collection[str]
) -> Iterator[tuple[Path, str]]:
    """Yield (path, state) of each file; many parts are summed up in one row."""
    changed = set(replaced)
    parts = {name for name in files if name != ENTRY and is_ours(name)}
    if len(parts) <= MOST_NAMED:
        parts = set()
    else:
        count = len(parts & changed)
        same = len(parts) - count
        what = clauses((count, f"{count:,} written"), (same, f"{same:,} unchanged"))
        yield directory, f"of {len(parts):,} parts {what}"
    for name in files:
        if name not in parts:
            yield directory / name, "written" if name in changed else "unchanged"


class Safety(NamedTuple):
    """What a new set has to stand up to before it replaces the published one."""

    max_loss: float
    """Maximum share of the published URLs that a new set may lack."""
    force: bool
    """Whether to publish in any case."""
    cut_short: bool = False
    """Whether URLs were left unfetched, so that the new set may lack them."""
    listed: int = 0
    """Number of URLs in the new set."""
    doubt: str = ""
    """Reason why the new set lacks the site's pages, whatever was published; empty for none."""


def replace_published(
    directory: Path,
    safety: Safety,
    now: datetime,
    measure: Callable[[Published], Loss],
    write: Callable[[Staging, Published, str], Written],
    layout: str,
) -> Publication:
    """Write a new set of files, and replace the published ones, or write beside them.

    ``measure`` compares the published files with the new set. ``write`` stages the new set, and
    gets the reason why it does not replace the published one; empty if it does. Raises CrawlError,
    with the published files as they were, if the directory cannot take the files.
    """
    with writing_errors(directory):
        complete_publication(directory)
        before = read_published(directory, with_dates=layout == "log")
        loss = measure(before)
        doubt = safety.doubt or objection(
            loss,
            cut_short=safety.cut_short,
            was_complete=was_complete(directory),
            max_loss=safety.max_loss,
        )
        is_refused = bool(doubt) and not safety.force and safety.listed > 0
        refused = doubt if is_refused else ""
        target = directory / REFUSED_FILES if is_refused else directory
        with Staging(target, int(now.timestamp()), grace_seconds(len(before.names))) as staging:
            written = write(staging, before, refused)
            replaced = staging.commit(last=ENTRY, stale=written.stale)
        if not is_refused:
            remove_refused(directory / REFUSED_FILES)
    facts = {"listed": written.count, "refused": refused or None}
    unread = tuple(unread_in_words(before))
    return Publication(facts, target, loss, doubt, written.names, replaced, unread)


def write_sitemap(
    store: Store,
    start: str,
    staging: Staging,
    options: Options,
    before: Published,
    now: datetime,
) -> Written:
    """Stage the sitemap of a concluded store, and the files beside it.

    ``before``: the published files, which these replace. Raises CrawlError if nothing is listed.
    """
    is_observed = options.changefreq == "observed"
    changefreqs = conclusions.observed_changefreqs(store) if is_observed else ()
    store.conclusions.set_changefreqs(changefreqs)  # none: clears those of before
    steps = []
    if options.priority == "pagerank":
        steps = decile_bounds(np.fromiter(store.results.listed_ranks(), np.float64))
    entries = Entries(store, options.extensions)
    other_formats.write_companions(store, start, staging, options)
    try:
        return write_files(
            entries.listed(),
            staging,
            options,
            steps=steps,
            before=before,
            news=entries.news(now),
        )
    except NothingListed:
        counts = store.results.count_urls()["verdict"]
        sentence = f"nothing to list: {remedies.for_nothing(counts, start)}"
        raise CrawlError(Exit.NOTHING, sentence) from None


def remove_refused(directory: Path) -> None:
    """Remove a set of files that was refused before, and no other files."""
    if not directory.is_dir():
        return
    for path in list(directory.iterdir()):
        if (
            is_ours(path.name)
            or NEWS.fullmatch(path.name)
            or is_bridging(path.name)
            or other_formats.is_ours(path)
            or path.name in REPORT_FILES
            or path.name.endswith(TEMPORARY)
        ):
            path.unlink()
    with suppress(OSError):  # files of others are there
        directory.rmdir()
