"""Revisits: which pages of the previous run are requested again, and on which condition.

By how often the dates of sitemaps and the validators of the server (ETag, Last-Modified) were right
about each section of the site: ``trust.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from sitemapgen.analysis.freshness.silence import Sparing
from sitemapgen.analysis.freshness.trust import CHECKED_EVERY, is_sample, is_turn
from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.analysis.lastmod import (
    SPARING,
    Records,
    assess_sources,
    distrusted_sections,
    hiding_sections,
    url_section,
)
from sitemapgen.items import Revisit, SameDates

MOST_DOUBTED, LEAST_DOUBTED = 0.05, 10
"""Share of the pages confirmed as unchanged that may be read again because of their sitemap's date,
and the number that always may. If more have a new date, it is hardly the date of the page."""


class Doubtful(NamedTuple):
    """A page that the server confirmed as unchanged, though a sitemap has a newer date for it."""

    key: int
    url: str
    is_read: bool
    """Whether it was read in this run despite that, as a sample."""


class RequestCondition(NamedTuple):
    """The condition of a request."""

    is_conditional: bool
    """Whether the validators of the last visit are sent."""
    is_check: bool
    """Whether the page is read even after a 304."""


class RevisitRules:
    """The rules of one run."""

    def __init__(self, records: Records, run: int) -> None:
        """``records``: how often sources were right before this run; empty in a first run."""
        self._run = run
        self._sparing = frozenset(
            (source, section)
            for (source, section), trust in assess_sources(records).items()
            if source in SPARING and trust.is_sparing
        )
        """The sections in which an unmoved date of a source saves a request."""
        self._silence = Sparing(records)
        self._hiding = hiding_sections(records)
        self._distrusted = distrusted_sections(records, "sitemap")

    @property
    def is_sparing(self) -> bool:
        """Whether an unchanged date, or the silence of systems, saves a request in any section."""
        return self._silence.is_any or bool(self._sparing)

    @property
    def is_hiding(self) -> bool:
        """Whether the server answers 304 for changed pages in any section."""
        return bool(self._hiding)

    def decide_revisit(self, key: int, url: str, same: SameDates) -> Revisit:
        """Decide about a page for which the same is stated as at its last visit."""
        place = url_section(url)
        if (same & SameDates.OF_SYSTEM and ("api", place) in self._sparing) or (
            same & SameDates.IN_SITEMAP and ("sitemap", place) in self._sparing
        ):
            every = CHECKED_EVERY
        elif same & SameDates.SILENCE and self._silence.covers(place):
            is_dated = same & SameDates.IN_SITEMAP  # by its visits that date is judged, too
            every = CHECKED_EVERY if is_dated else self._silence.checked_every(place)
        else:
            return Revisit.FETCHED
        has_turn = is_turn(np.array([key]), self._run, every)[0]
        return Revisit.SPOT_CHECK if has_turn else Revisit.SKIPPED_UNCHANGED

    def decide_condition(self, url: str, *, is_sample: bool, is_doubted: bool) -> RequestCondition:
        """Decide about a page with validators, or one whose sitemap contradicts a 304."""
        if is_doubted:
            return RequestCondition(is_conditional=False, is_check=True)
        if not is_sample and url_section(url) in self._hiding:
            return RequestCondition(is_conditional=False, is_check=False)
        return RequestCondition(is_conditional=True, is_check=is_sample)

    def mark_samples(self, keys: Ints) -> Mask:
        """Mark the pages that are read in this run even after a 304."""
        return is_sample(keys, self._run)

    def choose_doubted(self, pages: Iterable[Doubtful], unchanged: int) -> list[int]:
        """Choose pages to be read again. ``unchanged``: all that were confirmed as unchanged."""
        found: Sequence[Doubtful] = sorted(
            (page for page in pages if url_section(page.url) not in self._distrusted),
            key=lambda page: crc32(f"{page.key} {self._run}".encode()),
        )
        chosen = found[: max(LEAST_DOUBTED, int(MOST_DOUBTED * unchanged))]
        return [page.key for page in chosen if not page.is_read]
