"""The test by which a law is accepted: Wald, "Sequential tests of statistical hypotheses" (1945).

It compares two hypotheses about the pairs of siblings of a slot: ``LAWFUL`` of them obey the law,
or only ``LAWLESS``. Both errors are at most ``ERROR``: 23 pairs without an exception accept a law,
two exceptions among the first pairs refute it, and each exception costs eleven further pairs.
"""

from __future__ import annotations

from math import ceil, log, log1p
from typing import NamedTuple

LAWFUL = 0.98
"""Share of pairs that obey a law which holds: a page may change between two requests."""
LAWLESS = 0.8
"""Share that obeys it where it does not hold: with one page in five of its own, a law is none."""
ERROR = 0.01
"""Probability of either error."""
MOST = 64
"""Pairs of a slot that are compared; a law of which these decide nothing is not accepted."""
GROWTH = 0.1
"""Growth of the judged pages, as a share, after which the roles of parameters are decided again."""

_LIMIT = log((1 - ERROR) / ERROR)
_OBEYS = log(LAWFUL / LAWLESS)
_BREAKS = log((1 - LAWFUL) / (1 - LAWLESS))
WITHOUT_EXCEPTION = ceil(_LIMIT / _OBEYS)
"""Number of pairs that accept a law if none breaks it: 23."""


class Evidence(NamedTuple):
    """Pairs of siblings that were compared."""

    obey: int
    total: int

    def joined(self, other: Evidence) -> Evidence:
        """Return this with further pairs."""
        return Evidence(self.obey + other.obey, self.total + other.total)

    @property
    def _score(self) -> float:
        return self.obey * _OBEYS + (self.total - self.obey) * _BREAKS

    @property
    def is_without_exception(self) -> bool:
        """Whether there are pairs, and all of them obey the law."""
        return 0 < self.obey == self.total

    @property
    def is_likely(self) -> bool:
        """Whether these pairs are likelier where the law holds than where it does not."""
        return self._score > 0

    @property
    def is_accepted(self) -> bool:
        """Whether the law holds for the slot.

        >>> Evidence(22, 22).is_accepted, Evidence(23, 23).is_accepted, Evidence(33, 34).is_accepted
        (False, True, False)
        """
        return self._score >= _LIMIT

    @property
    def is_refuted(self) -> bool:
        """Whether it does not.

        >>> Evidence(1, 2).is_refuted, Evidence(0, 2).is_refuted
        (False, True)
        """
        return self._score <= -_LIMIT


def level(pages: int) -> int:
    """Return a number that rises whenever the pages have grown by ``GROWTH``.

    >>> level(100), level(101), level(111)
    (48, 48, 49)
    """
    return int(log1p(pages) / log1p(GROWTH))
