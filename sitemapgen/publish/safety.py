"""Safety check before a sitemap replaces the published one: measures what would be lost.

The published files count, whatever program wrote them; the state of earlier crawls counts only
for files that cannot be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.analysis.key_index import NOWHERE, Places, distinct
from sitemapgen.core.urls import key
from sitemapgen.core.words import agree, counted
from sitemapgen.publish.files import read_object
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from sitemapgen.publish.existing import Published
    from sitemapgen.store import Store

NOT_SEEN = "not_seen"
"""Key beside the verdicts in ``Loss.lost``, for published URLs that the crawl never saw."""


MOST_NAMED = 5
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
        reasons = sorted(self.lost.items(), key=lambda item: (-item[1], item[0]))
        words = ", ".join(f"{name} {count:,}" for name, count in reasons)
        are = agree(self.total, "is", "are")
        urls = counted(self.published, "published URL")
        return f"{self.total:,} of {urls} {are} no longer listed ({words})"


def measure_loss(store: Store, before: Published) -> Loss:
    """Compare the published files with what the store lists now.

    If one of them cannot be read, the URLs that the run before listed count as published as well.
    """
    seen = store.results.verdicts()
    keys = distinct(np.concatenate([before.keys, *_listed_before(store, before)]))
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


def _listed_before(store: Store, before: Published) -> Iterator[NDArray[np.int64]]:
    runs = store.history.concluded_runs() if before.unread else []
    for run in runs[-1:]:
        outcomes = store.history.run_outcomes(run)
        listed = (url for url, verdict, _ in outcomes if verdict == Verdict.LISTED.value)
        yield np.fromiter(map(key, listed), np.int64)


def unread_in_words(before: Published) -> Iterator[str]:
    """Yield a sentence for each published file that could not be read: its loss is unknown."""
    for why in before.unread[:MOST_NAMED]:
        yield f"{why}; what it listed is compared as far as the state has it"
    if (more := len(before.unread) - MOST_NAMED) > 0:
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
