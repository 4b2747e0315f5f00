"""Novelty of a page: the part of its content that earlier pages did not have.

The pages of an endless space differ only by what can be derived from their URLs. They are therefore
compared by words, sentences, images, and the numbers that cannot be derived from URLs.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Set
from functools import cache
from itertools import chain, islice
from typing import NamedTuple
from zlib import crc32

MAX_WORDS, MAX_SENTENCES, MAX_IMAGES, MAX_NUMBERS = 600, 100, 50, 200
"""Maximum words, sentences, images and numbers kept of one page: those with the smallest hashes, so
that every page keeps the same ones."""
SENTENCE = 5
"""Minimum words of a sentence, which also ends with a line, as those of a file; anything shorter is
a list item, which views show in any order."""
MAX_CHARACTERS = 1_000_000
"""Characters of a page's text that are sketched."""
MAX_URLS = 10_000
"""URLs of a page with which its words and numbers are compared."""
ENOUGH_WORDS, ENOUGH_NUMBERS, ENOUGH_CHARACTERS, ENOUGH_ITEMS = 2, 3, 100, 2
"""Thresholds of novelty: a page has new content from this number of new words, new numbers,
characters in new sentences, or new links out of the space."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"(?<![0-9.,])(?:1[89]|20|21)[0-9]{2}(?![0-9.,])")
_HEXADECIMAL = re.compile(r"[0-9a-f-]{16,}")
_STOP = re.compile(
    r"(?<![.,:;!?|()])[.,:;!?|()]+(?=\s|$)"
)  # matches start only at the first character of a run: linear time
_BRACKETS = ".,:;!?|()[]{}\"'"
_PIECE = 65_536  # characters
_MANY_HASHES = 100_000  # per page, some 10 MB; above it only the smallest ones are kept


class Novelty(NamedTuple):
    """Amount of content of a page that no earlier page had."""

    words: int
    characters: int
    """Characters of new sentences."""
    images: int
    numbers: int
    items: int = 0
    """Links that lead out of the space."""

    @property
    def is_content(self) -> bool:
        """Whether that is content: text, or a picture."""
        return self.is_text or self.images > 0

    @property
    def is_text(self) -> bool:
        """Whether it is enough: a table of rates has dozens of new numbers a page, a clock one.

        >>> Novelty(1, 0, 0, 2).is_text, Novelty(0, 0, 0, 3).is_text
        (False, True)
        """
        return (
            self.words >= ENOUGH_WORDS
            or self.numbers >= ENOUGH_NUMBERS
            or self.characters >= ENOUGH_CHARACTERS
            or self.items >= ENOUGH_ITEMS
        )


NONE = Novelty(0, 0, 0, 0)
PLENTY = Novelty(1 << 30, 1 << 30, 1 << 30, 1 << 30)


def sketch_page(
    texts: Iterable[str],
    images: Iterable[str],
    urls: Iterable[str] = (),
    title: str = "",
    players: Iterable[str] = (),
) -> bytes:
    """Pack the hashes that ``Known`` compares of a page's text nodes and images: at most 5 kB.

    They begin with that of the ``title``, ``players`` and texts in order, ``Sketch.wording``.
    ``urls``: the page's own URL, and its links. A number is derived from them if each of its groups
    of digits occurs in them: the day of a calendar, the number of a page. From the digits inside of
    an identifier, which are any, only words with letters are: it, or its beginning. Words of URLs
    do not count towards a sentence: "Tagged blue, cotton and large".
    """
    addresses = "\n".join(islice(urls, MAX_URLS)).casefold()
    of_urls = {*_WORD.findall(addresses)}
    plain = _HEXADECIMAL.sub(
        lambda found: "" if found[0].strip("0123456789-") else found[0], addresses
    )
    without_letters = with_letters = _numbers_of(plain)
    if plain != addresses:
        with_letters = _numbers_of(addresses)
    words: set[str] = set()
    sentences: dict[int, int] = {}
    kept: set[int] = set()
    derived: set[int] = set()
    named = (word for word in _WORD.findall(title.casefold()) if word not in of_urls)
    wording = _hash_text(" ".join((*named, *players)), 1)
    for text in _bounded_pieces(texts):
        for folded in filter(str.strip, dict.fromkeys(text.casefold().split("\n"))):
            line, numbers = _without_numbers(folded) if _DIGITS.search(folded) else (folded, ())
            for number in numbers:
                known = with_letters if _WORD.search(number) else without_letters
                digits = (digits.lstrip("0") for digits in _DIGITS.findall(number))
                hashed = _hash_text(number.strip(_BRACKETS))
                if known.issuperset(digits):
                    derived.add(hashed)
                else:
                    kept.add(hashed)
                    wording = crc32(hashed.to_bytes(4, "big"), wording)
            for part in _STOP.split(line):
                found = _WORD.findall(part)
                words.update(found)
                found = [word for word in found if word not in of_urls]
                wording = _hash_text(" ".join(found), wording)
                if len(found) >= SENTENCE:
                    sentences[_hash_text(" ".join(found))] = sum(map(len, found))
        if len(words) + len(sentences) + len(kept) + len(derived) > _MANY_HASHES:
            words = set(sorted(words, key=_hash_text)[:MAX_WORDS])
            kept, derived = (set(sorted(each)[:MAX_NUMBERS]) for each in (kept, derived))
            sentences = dict(sorted(sentences.items())[:MAX_SENTENCES])
    parts = (
        sorted({*map(_hash_text, words)})[:MAX_WORDS],
        [number for item in sorted(sentences.items())[:MAX_SENTENCES] for number in item],
        sorted({*map(_hash_text, images)})[:MAX_IMAGES],
        sorted(kept)[:MAX_NUMBERS],
    )
    hashes = chain(*parts, sorted(derived)[:MAX_NUMBERS])
    return array("I", [wording, *map(len, parts), *hashes]).tobytes()


def _bounded_pieces(texts: Iterable[str]) -> Iterator[str]:
    """Yield lines in pieces of bounded size, up to ``MAX_CHARACTERS`` in all, to bound memory."""
    joined, start = "\n".join(texts)[:MAX_CHARACTERS] + "\n", 0
    while start < len(joined):
        end = joined.rfind("\n", start, start + _PIECE) + 1 or start + _PIECE
        yield joined[start:end]
        start = end


def _numbers_of(urls: str) -> set[str]:
    """Return the numbers in URLs, without zeros at their beginning, and the parts of dates.

    Those are year, month and day of digits like 20260713, year and month of 202607.
    """
    found = {*_DIGITS.findall(urls)}
    for date in [digits for digits in found if len(digits) in (6, 8)]:
        found.update((date[:4], date[4:6], date[6:]))
    return {part.lstrip("0") for part in found}


def _without_numbers(text: str) -> tuple[str, list[str]]:
    """Split a text into (text without words that have a digit, those words)."""
    words: list[str] = []
    numbers: list[str] = []
    for word in text.split():
        (numbers if _DIGITS.search(word) else words).append(word)
    return " ".join(words), numbers


def _hash_text(text: str, start: int = 0) -> int:
    return crc32(text.encode("utf-8", "replace"), start)


class Sketch(NamedTuple):
    """Unpacked sketch of a page; its values are 32-bit hashes."""

    words: frozenset[int]
    sentences: dict[int, int]
    """Length in characters by hash."""
    images: frozenset[int]
    numbers: frozenset[int]
    derived: frozenset[int]
    """Numbers that follow from its URLs; empty for sketches of earlier versions."""
    wording: int
    """Hash of its title, frames and players, and text in order, without what follows from its URLs,
    and without numbers in the title; 0 if that is not known, as of sketches of earlier versions."""

    @classmethod
    def of(cls, packed: bytes) -> Sketch:
        """Unpack a sketch; no bytes give the sketch of a page without content."""
        if not packed:
            return cls(frozenset(), {}, frozenset(), frozenset(), frozenset(), 0)
        values = array("I")
        values.frombytes(packed)
        parts, at = [], 5
        for size in values[1:5]:
            parts.append(values[at : at + size])
            at += size
        words, sentences, images, numbers = parts
        return cls(
            frozenset(words),
            dict(zip(sentences[::2], sentences[1::2])),
            frozenset(images),
            frozenset(numbers),
            frozenset(values[at:]),
            values[0],
        )


class Known:
    """Content of the pages of one space so far, up to ``capacity`` hashes."""

    def __init__(self, capacity: int = 1_000_000) -> None:
        self._seen: set[int] = set()
        self._capacity = capacity

    @property
    def is_full(self) -> bool:
        """Whether no more hashes are kept; a space with that much content is no trap."""
        return len(self._seen) >= self._capacity

    def learn(self, hashes: Iterable[int]) -> None:
        """Add hashes of words."""
        self._seen.update(hashes)

    def compare(
        self, packed: bytes, items: frozenset[int] = frozenset(), others: Iterable[Known] = ()
    ) -> Novelty:
        """Count the content of a page that is neither here nor in ``others`` yet.

        ``items``: hashes of its links out of the space.
        """
        words, sentences, images, numbers, *_ = Sketch.of(packed)
        new: list[Set[int]] = [words, sentences.keys(), images, numbers, items]
        for known in (self, *others):
            new = [part - known._seen for part in new]
        characters = sum(sentences[key] for key in new.pop(1))
        new_words, *rest = map(len, new)
        return Novelty(new_words, characters, *rest)

    def add(
        self, packed: bytes, items: frozenset[int] = frozenset(), others: Iterable[Known] = ()
    ) -> Novelty:
        """Add the content of a page; return how much of it is neither here nor in ``others``."""
        found = self.compare(packed, items, others)
        if not self.is_full:
            self._seen.update(*Sketch.of(packed)[:-1], items)
        return found


def hashes_of(texts: Iterable[str]) -> set[int]:
    """Return the hashes of the words of some texts, such as URLs, as a sketch has them."""
    return {_hash_text(word) for text in texts for word in _WORD.findall(text.casefold())}


def hashes_of_dates(text: str) -> set[int]:
    """Return the hashes of the numbers of a text that are years, months or days, as of a sketch.

    >>> len(hashes_of_dates("27 November 2026, at 1.5 %")), len(hashes_of_dates("Gold 2,026 (27)"))
    (2, 0)
    """
    numbers = [number.strip(_BRACKETS) for number in _without_numbers(text)[1]]
    dates = [number for number in numbers if _YEAR.search(number)]
    days = [number for number in numbers if number.isdecimal() and int(number) <= 31]
    return {*map(_hash_text, dates + days)} if dates else set()


@cache
def integers() -> dict[int, int]:
    """Return by hash in a sketch the integers that may be counts: those below 10,000."""
    return {_hash_text(str(number)): number for number in range(10_000)}


def novelty_between(one: bytes, other: bytes, urls: Iterable[str] = ()) -> Novelty:
    """Count the content of ``other`` that ``one`` lacks: two pages, or two reads of one page.

    ``urls``: addresses whose words do not count, as a page may repeat the words of its URL.
    """
    known = Known()
    known.add(one)
    known.learn(hashes_of(urls))
    return known.compare(other)
