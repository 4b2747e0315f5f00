"""Novelty of a page: the part of its content that the pages before it did not have.

The pages of an endless space differ by what follows from their URLs, and repeat the rest. So they
are compared by their words, sentences, images and by those of their numbers that cannot be derived
from URLs.
"""

from __future__ import annotations

import re
from array import array
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_WORDS, MAX_SENTENCES, MAX_IMAGES, MAX_NUMBERS = 600, 100, 50, 200
"""Kept of one page; of more those with the smallest hashes, the same ones on every page."""
SENTENCE = 5
"""Words that make a sentence; with fewer it is an item of a list, which views show in any order."""
MAX_CHARACTERS = 1_000_000
"""Of a page whose words are looked at."""
MAX_URLS = 10_000
"""Of a page that are compared with its words and numbers."""
ENOUGH_WORDS, ENOUGH_NUMBERS, ENOUGH_CHARACTERS, ENOUGH_ITEMS = 2, 3, 100, 2
"""New words, numbers, characters of new sentences, and links to pages elsewhere, from where on a
page says something new."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_DIGITS = re.compile(r"\d+")
_STOP = re.compile(
    r"(?<![.,:;!?|()])[.,:;!?|()]+(?=\s|$)"
)  # begins once a row: never twice as long
_BRACKETS = ".,:;!?|()[]{}\"'"
_PIECE = 65_536  # characters
_MANY_HASHES = 100_000  # of a page, some 10 MB; the smallest ones are kept


class Novelty(NamedTuple):
    """How much of a page no page before it had."""

    words: int
    characters: int
    """Of new sentences."""
    images: int
    numbers: int
    items: int = 0
    """Links that lead out of the space."""

    def exceeds(self, noise: Novelty) -> bool:
        """Whether this is something new: more than twice what reading one page again brings.

        An honest table of rates has dozens of new numbers a page; a clock has one, and has another
        one at the second reading of the same page as well.
        """
        return (
            self.words >= ENOUGH_WORDS + 2 * noise.words
            or self.images > 2 * noise.images
            or self.numbers >= ENOUGH_NUMBERS + 2 * noise.numbers
            or self.characters >= ENOUGH_CHARACTERS + 2 * noise.characters
            or self.items >= ENOUGH_ITEMS + 2 * noise.items
        )


NONE = Novelty(0, 0, 0, 0)
PLENTY = Novelty(1 << 30, 1 << 30, 1 << 30, 1 << 30)


def sketch(texts: Iterable[str], images: Iterable[str], urls: Iterable[str] = ()) -> bytes:
    """Keep what ``Known`` compares of a page's text nodes and images: at most 4.2 kB.

    ``urls``: the page's own, and its links. A number follows from them if all of its digits stand
    in one of them: the day of a calendar, the number of a page. Their words make no sentence:
    "Tagged blue, cotton and large".
    """
    urls = [url.casefold() for url in islice(urls, MAX_URLS)]
    of_urls = {word for url in urls for word in _WORD.findall(url)}
    derived = {
        part.lstrip("0")
        for url in urls
        for digits in _DIGITS.findall(url)
        for part in (digits, *_parts_of_date(digits))
    }
    words: set[int] = set()
    sentences: dict[int, int] = {}
    kept: set[int] = set()
    for text in _pieces(texts):
        folded = text.casefold()
        if _DIGITS.search(folded):
            folded, numbers = _without_numbers(folded)
            kept.update(
                _hash(number.strip(_BRACKETS))
                for number in numbers
                if not derived.issuperset(digits.lstrip("0") for digits in _DIGITS.findall(number))
            )
        for part in _STOP.split(folded):
            found = _WORD.findall(part)
            words.update(_hash(word) for word in found)
            found = [word for word in found if word not in of_urls]
            if len(found) >= SENTENCE:
                sentences[_hash(" ".join(found))] = sum(map(len, found))
        if len(words) + len(sentences) + len(kept) > _MANY_HASHES:
            words, kept = set(sorted(words)[:MAX_WORDS]), set(sorted(kept)[:MAX_NUMBERS])
            sentences = dict(sorted(sentences.items())[:MAX_SENTENCES])
    pictures = {_hash(image) for image in images}
    parts = (
        sorted(words)[:MAX_WORDS],
        [number for item in sorted(sentences.items())[:MAX_SENTENCES] for number in item],
        sorted(pictures)[:MAX_IMAGES],
        sorted(kept)[:MAX_NUMBERS],
    )
    return array("I", [*map(len, parts), *(number for part in parts for number in part)]).tobytes()


def _pieces(texts: Iterable[str]) -> Iterator[str]:
    """Cut texts that are longer than any text of a page into pieces, to bound the memory."""
    left = MAX_CHARACTERS
    for text in texts:
        for start in range(0, min(len(text), left), _PIECE):
            yield text[start : start + min(_PIECE, left - start)]
        left -= min(len(text), left)
        if not left:
            return


def _without_numbers(text: str) -> tuple[str, list[str]]:
    """Take the words with a digit out of a text."""
    words: list[str] = []
    numbers: list[str] = []
    for word in text.split():
        (numbers if _DIGITS.search(word) else words).append(word)
    return " ".join(words), numbers


def _parts_of_date(digits: str) -> tuple[str, ...]:
    """Year, month and day of 20260713, year and month of 202607."""
    if len(digits) not in (6, 8):
        return ()
    return digits[:4], digits[4:6], digits[6:]


def _hash(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))


class Sketch(NamedTuple):
    """A sketch, unpacked; hashes of 32 bits."""

    words: frozenset[int]
    sentences: dict[int, int]
    """With their lengths in characters."""
    images: frozenset[int]
    numbers: frozenset[int]

    @classmethod
    def of(cls, packed: bytes) -> Sketch:
        """Unpack; an empty sketch is that of a page that says nothing."""
        if not packed:
            return cls(frozenset(), {}, frozenset(), frozenset())
        values = array("I")
        values.frombytes(packed)
        parts, at = [], 4
        for size in values[:4]:
            parts.append(values[at : at + size])
            at += size
        words, sentences, images, numbers = parts
        return cls(
            frozenset(words),
            dict(zip(sentences[::2], sentences[1::2])),
            frozenset(images),
            frozenset(numbers),
        )


class Known:
    """Everything that the pages of one space have said so far, up to ``capacity`` hashes."""

    def __init__(self, capacity: int = 1_000_000) -> None:
        self._seen: set[int] = set()
        self._capacity = capacity

    @property
    def is_full(self) -> bool:
        """Whether nothing is kept any more; a space that has said so much is not empty."""
        return len(self._seen) >= self._capacity

    def learn(self, hashes: Iterable[int]) -> None:
        """Take in hashes of words."""
        self._seen.update(hashes)

    def compare(
        self, packed: bytes, items: frozenset[int] = frozenset(), others: Iterable[Known] = ()
    ) -> Novelty:
        """Count what of a page is not known yet, neither here nor to ``others``.

        ``items``: hashes of its links elsewhere.
        """
        words, sentences, images, numbers = Sketch.of(packed)
        new = sentences.keys() - self._seen
        words, images = words - self._seen, images - self._seen
        numbers, items = numbers - self._seen, items - self._seen
        for other in others:
            new -= other._seen
            words, images = words - other._seen, images - other._seen
            numbers, items = numbers - other._seen, items - other._seen
        characters = sum(sentences[key] for key in new)
        return Novelty(len(words), characters, len(images), len(numbers), len(items))

    def add(
        self, packed: bytes, items: frozenset[int] = frozenset(), others: Iterable[Known] = ()
    ) -> Novelty:
        """Add the content of a page; return how much of it is new, to ``others`` as well."""
        found = self.compare(packed, items, others)
        if not self.is_full:
            sketch = Sketch.of(packed)
            self._seen.update(sketch.words, sketch.sentences, sketch.images, sketch.numbers, items)
        return found


def difference(one: bytes, other: bytes, urls: Iterable[str] = ()) -> Novelty:
    """Count what a page says that another one, or another reading of it, did not.

    ``urls``: addresses whose words do not count, where a page may repeat its own.
    """
    known = Known()
    known.add(one)
    known.learn(_hash(word) for url in urls for word in _WORD.findall(url.casefold()))
    return known.compare(other)
