"""What does a page say that the pages before it did not?

The pages of an endless space differ by their dates, numbers and choices, and repeat the rest. So
they are compared by their words, their paragraphs and their images; whatever holds a digit does
not count.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_WORDS, MAX_PARAGRAPHS, MAX_IMAGES = 600, 100, 50
"""Kept of one page; of more words those with the smallest hashes, the same ones on every page."""
PARAGRAPH = 40
"""Characters that make a paragraph of a text node."""
ENOUGH_WORDS = 2
ENOUGH_CHARACTERS = 200
"""New paragraphs of so many characters in all are something new, though each word is known."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_WITH_DIGIT = re.compile(r"\S*\d\S*")


def sketch(texts: Iterable[str], images: Iterable[str]) -> bytes:
    """Keep of a page's text nodes and image addresses what ``News`` needs: at most 3.6 kB."""
    words: set[int] = set()
    paragraphs: dict[int, int] = {}
    for text in texts:
        found = _words(text)
        words.update(crc32(word.encode("utf-8", "replace")) for word in found)
        length = sum(map(len, found))
        if length >= PARAGRAPH and len(paragraphs) < MAX_PARAGRAPHS:
            paragraphs[crc32(" ".join(found).encode("utf-8", "replace"))] = length
    pictures = {crc32(image.encode("utf-8", "replace")) for image in images}
    parts = (
        sorted(words)[:MAX_WORDS],
        [number for item in paragraphs.items() for number in item],
        sorted(pictures)[:MAX_IMAGES],
    )
    return array("I", [*map(len, parts), *(number for part in parts for number in part)]).tobytes()


def is_variant(text: str, other: str) -> bool:
    """Tell whether two texts are one, but for numbers, identifiers and a few words.

    Nine of ten different words in common, and some words at all.
    """
    words, others = set(_words(text)), set(_words(other))
    return len(words & others) * 10 >= len(words | others) * 9 > 0


def _words(text: str) -> list[str]:
    return _WORD.findall(_WITH_DIGIT.sub(" ", text.casefold()))


class _Said(NamedTuple):
    """What a sketch keeps, unpacked."""

    words: set[int]
    paragraphs: dict[int, int]
    """With their lengths in characters."""
    images: set[int]

    @classmethod
    def of(cls, sketch: bytes) -> _Said:
        numbers = array("I")
        numbers.frombytes(sketch)
        words, paragraphs, images = numbers[:3]
        rest = numbers[3 + words :]
        return cls(
            set(numbers[3 : 3 + words]),
            dict(zip(rest[:paragraphs:2], rest[1:paragraphs:2])),
            set(rest[paragraphs : paragraphs + images]),
        )


class News:
    """Everything that some pages have said so far."""

    def __init__(self) -> None:
        self._words: set[int] = set()
        self._paragraphs: set[int] = set()
        self._images: set[int] = set()

    def add(self, sketch: bytes) -> bool:
        """Take in a page; tell whether it says something new.

        Two new words, a new image, or 200 characters of new paragraphs; an empty sketch is a page
        that says nothing.
        """
        if not sketch:
            return False
        words, lengths, images = _Said.of(sketch)
        new = sum(length for key, length in lengths.items() if key not in self._paragraphs)
        is_news = (
            len(words - self._words) >= ENOUGH_WORDS
            or not images <= self._images
            or new >= ENOUGH_CHARACTERS
        )
        self._words |= words
        self._paragraphs.update(lengths)
        self._images |= images
        return is_news

    def expect(self, sketches: Sequence[bytes]) -> None:
        """Take for known what more than half of some pages say: it is their form."""
        said = [_Said.of(sketch) for sketch in sketches if sketch]
        for known, parts in (
            (self._words, (each.words for each in said)),
            (self._paragraphs, (each.paragraphs for each in said)),
            (self._images, (each.images for each in said)),
        ):
            count = Counter(part for each in parts for part in each)
            known.update(part for part, times in count.items() if times * 2 > len(said))
