"""Counts in sentences: the right number of nouns and verbs, and no clause about nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_FORMS = re.compile(r"\[(?:(\w+):)?([^|\[\]]*)\|([^|\[\]]*)\]")


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its words; ``many`` is ``one`` with an s unless given.

    >>> counted(1, "page"), counted(1200, "page"), counted(2, "page is", "pages are")
    ('1 page', '1,200 pages', '2 pages are')
    """
    return f"{count:,} {agree(count, one, many or f'{one}s')}"


def agree(count: int, one: str, many: str) -> str:
    """Return the word, or words, that go with a count.

    >>> agree(1, "it is", "they are"), agree(0, "it is", "they are")
    ('it is', 'they are')
    """
    return one if count == 1 else many


def inflect(text: str, /, count: int, **facts: Any) -> str:
    """Fill in a sentence: ``{name}`` is one of the facts, or the count.

    ``[one|many]`` is the word that goes with the count, ``[name:one|many]`` with that fact.

    >>> inflect("{links:,} [links:link leads|links lead] to {count} page[|s]", 2, links=1)
    '1 link leads to 2 pages'
    """
    facts["count"] = count
    words = _FORMS.sub(lambda match: agree(facts[match[1] or "count"], match[2], match[3]), text)
    return words.format(**facts)


def percent(share: float, sign: str = "%") -> str:
    """Format a share from 0 to 1, such that only 0 becomes 0%, and only 1 becomes 100%.

    >>> [percent(share) for share in (0, 0.0001, 0.123, 0.9999, 1)]
    ['0%', '<0.1%', '12.3%', '>99.9%', '100%']
    """
    if share in (0, 1):
        return f"{100 * share:.0f}{sign}"
    if share < 0.001:
        return f"<0.1{sign}"
    return f"{100 * share:.1f}{sign}" if share < 0.9995 else f">99.9{sign}"


def duration(seconds: float) -> str:
    """Return a time in the largest unit that leaves two digits.

    >>> duration(4), duration(90), duration(9000)
    ('4 s', '2 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s".replace(".0", "")
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def clauses(*parts: tuple[int, str], joint: str = ", ") -> str:
    """Join the clauses whose count is not 0.

    >>> clauses((2, "2 are new"), (0, "0 are gone"), (1, "1 is back"), joint=" and ")
    '2 are new and 1 is back'
    """
    return joint.join(text for count, text in parts if count)


def by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return names with their counts, the largest first, equal ones by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def largest_first(counts: Mapping[str, int]) -> str:
    """Return names with their counts in words, the largest first.

    >>> largest_first({"noindex": 1, "listed": 1200, "trap": 0})
    'listed 1,200, noindex 1'
    """
    return ", ".join(f"{name} {count:,}" for name, count in by_count(counts) if count) or "none"
