"""Pages without a date on sites whose systems state when every dated page was changed.

While all statements are the same, lists, archives and start pages have nothing new to show, and
need no visit. That holds as long as the visits that check it find it so: a section is spared if the
share of its pages that change all the same is likely below ``MOST``. Pages that change at each
visit, such as a list of visitors, are visited in each run, and do not count for the others.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.analysis.freshness.trust import SMALL_SECTIONS, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

SILENCE = "silence"
"""Source name of these records."""
MOST = 0.05
"""Maximum expected share of pages that change while the systems state the same.

By Laplace's rule of succession: at least 18 visits without a change, 38 with one, 58 with two."""

MIN_MISSES = 2
"""Changes after which a section is judged by itself."""
WINDOW = 200.0
"""Visits that a record stands for: the last ones. Older ones have no weight, however few there are
in a run."""

Records: TypeAlias = "Mapping[tuple[str, int], Record]"


class Undated(NamedTuple):
    """A page without a date, visited while the systems stated the same as at its last visit."""

    key: int
    url: str
    has_changed: bool
    """Whether main text, links or directives had changed."""


def learn(pages: Iterable[tuple[int, bool]], records: Records) -> dict[tuple[str, int], Record]:
    """Return the records with those of this run: (section, has changed) of each ``Undated``.

    A visit counts once, for its section and for all small sections together.
    """
    counts: Counter[tuple[int, bool]] = Counter()
    for section, has_changed in pages:
        for each in (section, SMALL_SECTIONS):
            counts[each, has_changed] += 1
    found = {}
    for section in {section for section, _ in counts}:
        now = Record(misses=counts[section, True], quiet=counts[section, False])
        found[SILENCE, section] = _remember(records.get((SILENCE, section), Record()), now)
    return found


def _remember(before: Record, now: Record) -> Record:
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
        self._own = {
            section: each for (source, section), each in records.items() if source == SILENCE
        }
        self._is_whole_spared = _is_reliable(self._own.get(SMALL_SECTIONS, Record()))

    @property
    def is_any(self) -> bool:
        return any(map(_is_reliable, self._own.values()))

    def covers(self, section: int) -> bool:
        """Return whether pages of a section are spared."""
        record = self._own.get(section, Record())
        is_worse = record.misses >= MIN_MISSES and not _is_reliable(record)
        return _is_reliable(record) or (self._is_whole_spared and not is_worse)


def _is_reliable(record: Record) -> bool:
    return (record.misses + 1) / (record.misses + record.quiet + 2) <= MOST
