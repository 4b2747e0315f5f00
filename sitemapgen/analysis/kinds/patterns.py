"""Patterns of suspicious URLs: which of their words and values separate one kind from another.

``/git/commit/?id=7`` and ``/git/log/?id=7`` are pages of two kinds, two articles under
``?action=edit`` are of one. Words and values that many URLs of a family share are constants of a
pattern; all others are its variables. So a code browser's commits are judged separately from its
trees, and random words in a path do not each make a pattern.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass

from sitemapgen.core.shapes import Shape

SUPPORT = 16
"""Minimum URLs of a family with a word or value that separates patterns."""
FEW_VALUES = 24
"""Maximum values of a parameter that separates patterns; an identifier has more."""
MAX_PATTERNS = 64
"""Maximum patterns of a family; further slots are merged."""
MAX_VALUES = 4_000
"""Maximum words counted at one place of a family; beyond it, those seen only once are dropped."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as far as it was crawled."""

    id: int
    kind: str
    pattern: str
    family: str
    space: str
    waiting: int
    """Number of URLs that may be released."""
    pending: int
    """Number of released URLs that are not fetched yet."""
    revealed: int
    """Number of URLs revealed by the pages of the last round."""
    doubt: float
    """Number of URLs that its pages were expected to reveal when they were released in doubt."""
    is_probed: bool
    """Whether made-up URLs of it were requested."""
    is_trap: bool
    is_endless: bool = False
    """Whether it is a trap because it has no end, and not because its pages ask to be left out."""


class Family:
    """URLs of one family, counted by the words and values that may separate them.

    The result depends on the set of URLs counted and, beyond ``MAX_VALUES`` words at one place, on
    their order; count them sorted.
    """

    def __init__(self) -> None:
        self.total = 0
        self._is_identified = False
        self._is_dated = False
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._is_overflown: set[str] = set()

    def count_url(self, shape: Shape) -> None:
        """Count one URL."""
        self.total += 1
        self._is_identified |= shape.is_identified
        self._is_dated |= shape.is_dated
        for slot, value in shape.slots():
            counts = self._counts[slot]
            counts[value] += 1
            if len(counts) > MAX_VALUES:
                self._is_overflown.add(slot)
                for word in [word for word, times in counts.items() if times == 1]:
                    del counts[word]

    def constants(self) -> frozenset[tuple[str, str]]:
        """Return the (slot, value) pairs that separate patterns: of the path first, from the root.

        Then of parameters, those with the fewest values first, if an item is identified otherwise:
        by a number, an identifier, one of many words. If not, the parameters are choices, and all
        combinations of choices are one pattern, unless dates have a single one, as their view.
        """
        places = sorted(slot for slot in self._counts if slot.isdigit())
        names = sorted(
            (slot for slot in self._counts if not slot.isdigit()),
            key=lambda slot: (len(self._counts[slot]), slot),
        )
        found: set[tuple[str, str]] = set()
        patterns = 1
        is_view = self._is_dated and len(names) == 1
        if not (self._is_identified or is_view) and all(map(self._is_choice, self._counts)):
            names = []
        for slot in [*places, *names]:
            values = self._slot_values(slot)
            if values and patterns * (len(values) + 1) <= MAX_PATTERNS:
                found.update((slot, value) for value in values)
                patterns *= len(values) if len(values) == 1 else len(values) + 1
        return frozenset(found)

    def _is_choice(self, slot: str) -> bool:
        return len(self._counts[slot]) <= FEW_VALUES and slot not in self._is_overflown

    def _slot_values(self, slot: str) -> list[str]:
        counts = self._counts[slot]
        if len(counts) == 1 and slot not in self._is_overflown:
            return list(counts)
        if not slot.isdigit() and not self._is_choice(slot):
            return []
        frequent = [value for value, times in counts.items() if times >= SUPPORT]
        frequent.sort(key=lambda value: (-counts[value], value))
        return frequent[: MAX_PATTERNS // 2]
