"""May this sitemap replace the published one? What would be lost, and when that is too much.

What is published is what the files say, whoever wrote them; the state of earlier crawls is not
asked.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.sitemaps import read
from sitemapgen.core.urls import key, parse
from sitemapgen.items import Verdict
from sitemapgen.publish.sitemaps import ENTRY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from sitemapgen.store import Store

NOT_SEEN = "not_seen"
"""Stands beside the verdicts, for published URLs that the crawl never met."""


class Loss(NamedTuple):
    """What the published sitemap lists and the new one does not."""

    published: int
    """Distinct URLs in the published sitemap."""
    lost: Mapping[str, int]
    """How many of them are not listed any more, by their verdict, or as ``not_seen``."""

    @property
    def total(self) -> int:
        """How many are lost."""
        return sum(self.lost.values())

    def in_words(self) -> str:
        """The loss as a clause.

        >>> Loss(1000, {"noindex": 300, "not_seen": 2}).in_words()
        '302 of 1,000 published URLs are no longer listed (noindex 300, not_seen 2)'
        """
        reasons = sorted(self.lost.items(), key=lambda item: (-item[1], item[0]))
        words = ", ".join(f"{name} {count:,}" for name, count in reasons)
        return f"{self.total:,} of {self.published:,} published URLs are no longer listed ({words})"


def measure_loss(store: Store, directory: Path) -> Loss:
    """Compare the published files of a directory with what the store lists now."""
    verdicts = store.verdicts_of(key(parse(url) or url) for url in published_urls(directory))
    lost = {name or NOT_SEEN: count for name, count in verdicts.items()}
    lost.pop(Verdict.LISTED.value, None)
    return Loss(sum(verdicts.values()), lost)


def objection(loss: Loss, *, cut_short: bool, was_complete: bool, max_loss: float) -> str:
    """Say why the new sitemap may not replace the published one; empty when it may.

    A crawl that a cap cut short never takes URLs out of the sitemap of a complete crawl. After
    another that was cut short only the share counts: where a cap falls depends on the order of
    answers, and the same command must not be refused for ever.
    """
    unreached = loss.lost.get(Verdict.OVER_CAP.value, 0) + loss.lost.get(NOT_SEEN, 0)
    if cut_short and was_complete and unreached:
        return f"max_pages cut the crawl short: {loss.in_words()}"
    if loss.total > max_loss * loss.published:
        return f"{loss.in_words()}, a larger share than SITEMAPGEN_MAX_LOSS={max_loss:g}"
    return ""


def published_urls(directory: Path) -> Iterator[str]:
    """What the sitemap in a directory lists, one file in memory at a time; of none, nothing."""
    entry = directory / ENTRY
    if not entry.is_file():
        return
    sitemap = read(entry.read_bytes())
    yield from (item.url for item in sitemap.entries)
    for location in sitemap.children:
        part = directory / location.rpartition("/")[2]
        if part.is_file():
            yield from (item.url for item in read(part.read_bytes()).entries)


def was_complete(directory: Path) -> bool:
    """Tell whether the published sitemap is that of a whole site; it is unless it says otherwise.

    What report.json says: a crawl that ``max_pages`` stopped is not complete.
    """
    try:
        report = json.loads((directory / "report.json").read_bytes())
    except (OSError, ValueError):
        return True
    return not isinstance(report, dict) or report.get("complete") is not False
