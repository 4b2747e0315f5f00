"""Replacement of published files: the safety check, then all files of the set at once.

A set that ``safety.py`` objects to is written beside the published one.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.core import remedies
from sitemapgen.core.words import clauses
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish import conclusions
from sitemapgen.publish import other_formats as companions
from sitemapgen.publish.entries import Entries
from sitemapgen.publish.existing import read_published
from sitemapgen.publish.file_names import ENTRY, is_bridging, is_ours
from sitemapgen.publish.files import TEMPORARY, Staging, complete_publication, grace_seconds
from sitemapgen.publish.safety import Loss, objection, unread_in_words, was_complete
from sitemapgen.publish.sitemaps import NEWS, NothingListed, Written, write_files
from sitemapgen.report import files

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from datetime import datetime
    from pathlib import Path

    from sitemapgen.publish.existing import Published
    from sitemapgen.publish.options import Options
    from sitemapgen.store import Store

BESIDE = "refused"
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
            raise CrawlError(
                Exit.REFUSED,
                f"{published}: not replaced, since {self.summary['refused']}; the new files are in "
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
        doubt = objection(
            loss,
            cut_short=safety.cut_short,
            was_complete=was_complete(directory),
            max_loss=safety.max_loss,
        )
        is_refused = bool(doubt) and not safety.force and safety.listed > 0
        refused = doubt if is_refused else ""
        target = directory / BESIDE if is_refused else directory
        with Staging(target, int(now.timestamp()), grace_seconds(len(before.names))) as staging:
            written = write(staging, before, refused)
            replaced = staging.commit(last=ENTRY, stale=written.stale)
        if not is_refused:
            remove_refused(directory / BESIDE)
    facts = {"listed": written.count, "refused": refused or None}
    unread = tuple(unread_in_words(before))
    return Publication(facts, target, loss, doubt, written.names, replaced, unread)


@contextmanager
def writing_errors(directory: Path) -> Iterator[None]:
    """Turn an OSError of writing into a directory into a CrawlError."""
    try:
        yield
    except OSError as error:
        sentence = f"{directory}: cannot be written: {error.strerror or error}"
        raise CrawlError(Exit.NO_SPACE, sentence) from error


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
    conclusions.store_changefreqs(store, are_published=options.changefreq == "observed")
    entries = Entries(store, options.extensions)
    companions.write_companions(store, start, staging, options)
    try:
        return write_files(
            entries.listed(),
            staging,
            options,
            steps=conclusions.rank_steps(store) if options.priority == "pagerank" else (),
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
            or companions.is_ours(path)
            or path.name in files.NAMES
            or path.name.endswith(TEMPORARY)
        ):
            path.unlink()
    with suppress(OSError):  # files of others are there
        directory.rmdir()
