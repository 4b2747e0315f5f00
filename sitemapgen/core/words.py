"""Counts in sentences: the right number of nouns and verbs, and no clause about nothing."""

from __future__ import annotations


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


def clauses(*parts: tuple[int, str], joint: str = ", ") -> str:
    """Join the clauses whose count is not 0.

    >>> clauses((2, "2 are new"), (0, "0 are gone"), (1, "1 is back"), joint=" and ")
    '2 are new and 1 is back'
    """
    return joint.join(text for count, text in parts if count)
