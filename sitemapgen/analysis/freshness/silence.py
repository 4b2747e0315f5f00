"""Pages without a date on sites whose systems state when every dated page was changed.

While all statements are the same, lists, archives and start pages have nothing new to show, and
need no visit. That holds as long as the visits that check it find it so: a section is spared if the
share of its pages that change all the same is likely below ``MOST``. Pages that change at each
visit, such as a list of visitors, are visited in each run, and do not count for the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from sitemapgen.analysis.freshness.trust import CHECKED_EVERY, SMALL_SECTIONS, Record

SILENCE = "silence"
"""Source name of these records."""
MOST = 0.05
"""Maximum expected share of pages that change while the systems state the same.

By Laplace's rule of succession: at least 18 visits without a change, 38 with one, 58 with two."""

MOST_RARELY = 4 * CHECKED_EVERY
"""Maximum number of spared pages of which one is visited as a check. It doubles where the expected
share of changed pages is half of ``MOST``, and again at a quarter: what a page may miss between two
visits stays the same."""

MIN_MISSES = 2
"""Changes after which a section is judged by itself."""
WINDOW = 200.0
"""Visits that a record stands for: the last ones. Older ones have no weight, however few there are
in a run."""
MOST_OF_A_RUN = WINDOW / 2
"""Visits for which those of one run count at most: the pages of a site tend to change together."""

Records: TypeAlias = "Mapping[tuple[str, int], Record]"


class Undated(NamedTuple):
    """A page without a date, visited while the systems stated the same as at its last visit."""

    key: int
    url: str
    has_changed: bool
    """Whether main text, links or directives had changed."""


def add_run(pages: Iterable[tuple[int, bool]], records: Records) -> dict[tuple[str, int], Record]:
    """Return the records with those of this run: (section, has changed) of each ``Undated``.

    A visit counts for its section and for all small sections together.
    """
    counts: Counter[tuple[int, bool]] = Counter()
    for section, has_changed in pages:
        for each in (section, SMALL_SECTIONS):
            counts[each, has_changed] += 1
    found = {}
    for section in {section for section, _ in counts}:
        misses, quiet = counts[section, True], counts[section, False]
        weight = min(1.0, MOST_OF_A_RUN / (misses + quiet))
        now = Record(misses=weight * misses, quiet=weight * quiet)
        found[SILENCE, section] = _add_visits(records.get((SILENCE, section), Record()), now)
    return found


def _add_visits(before: Record, now: Record) -> Record:
    """Add the visits of a run, and forget as many of the older ones as exceed ``WINDOW``."""
    old, new = before.misses + before.quiet, now.misses + now.quiet
    kept = min(1.0, max(0.0, WINDOW - new) / old) if old else 0.0
    return Record(misses=kept * before.misses + now.misses, quiet=kept * before.quiet + now.quiet)


class Sparing:
    """The sections in which pages without a date need no visit.

    A section that has not been visited often enough is like the whole site, unless two visits or
    more have found otherwise.
    """

    def __init__(self, records: Records) -> None:
        self._own = {section: each for (name, section), each in records.items() if name == SILENCE}
        self._is_whole_spared = _is_reliable(self._own.get(SMALL_SECTIONS, Record()))

    @property
    def is_any(self) -> bool:
        return any(map(_is_reliable, self._own.values()))

    def covers(self, section: int) -> bool:
        """Return whether pages of a section are spared."""
        record = self._own.get(section, Record())
        is_worse = record.misses >= MIN_MISSES and not _is_reliable(record)
        return _is_reliable(record) or (self._is_whole_spared and not is_worse)

    def checked_every(self, section: int) -> int:
        """Return of how many spared pages of a section one is visited as a check."""
        own = self._own.get(section, Record())
        record = own if _is_reliable(own) else self._own.get(SMALL_SECTIONS, Record())
        every, share = CHECKED_EVERY, _expected_share(record)
        while every < MOST_RARELY and share * 2 * every <= MOST * CHECKED_EVERY:
            every *= 2
        return every


def _is_reliable(record: Record) -> bool:
    return _expected_share(record) <= MOST


def _expected_share(record: Record) -> float:
    """Return the expected share of pages that change while the systems state the same."""
    return (record.misses + 1) / (record.misses + record.quiet + 2)
