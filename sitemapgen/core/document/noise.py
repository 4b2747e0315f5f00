"""What differs between two readings of one URL: a token of a form, a captcha, a clock.

Two documents that differ in nothing else are the same page: ``download/second_readings.py``.
"""

from __future__ import annotations

import re
from operator import ne
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

MAX_SHARE = 4
"""Divisor of the parts of a document; of one that differs in more parts nothing is known."""

_PART = re.compile(rb"[^\s<>\"'=&?;,/]+")
_WORD = re.compile(r"[^\W\d_]+")


def parts(body: bytes) -> list[bytes]:
    """Split a document into words, names and values."""
    return _PART.findall(body)


def without_numbers(text: str) -> tuple[str, ...]:
    """Return the words of a text that may be the same in another reading.

    >>> without_numbers("Added at 12:03, order 7f3a")
    ('added', 'at', 'order')
    """
    return tuple(word for part in text.casefold().split() for word in _letters(part))


def _letters(part: str) -> list[str]:
    return [] if any(map(str.isdigit, part)) else _WORD.findall(part)


def noise(one: Sequence[bytes], other: Sequence[bytes]) -> frozenset[int] | None:
    """Return the places at which two readings of one URL differ; None if they do not correspond."""
    if len(one) != len(other):
        return None
    places = frozenset(place for place, differs in enumerate(map(ne, one, other)) if differs)
    return places if len(places) * MAX_SHARE <= len(one) else None


def are_same(one: Sequence[bytes], other: Sequence[bytes], places: Collection[int]) -> bool:
    """Return whether two documents differ at these places only."""
    return len(one) == len(other) and not any(
        differs and place not in places for place, differs in enumerate(map(ne, one, other))
    )
