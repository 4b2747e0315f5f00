"""Main text of a document, without its noise; its excerpt, and the hashes that identify copies."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from selectolax.lexbor import LexborNode

EXCERPT_LENGTH = 2_000
"""Characters of the main text kept as an excerpt."""
MIN_HASHED_LENGTH = 100
"""Minimum characters of a main text that is hashed; shorter ones cannot identify duplicates."""

# Separates two text nodes; U+0000 because the parser never emits it.
BREAK = "\x00"
_TIGHT_BREAK = re.compile(r"\x00(?:(?=[.,;:!?)\]])|(?<=[(\[]\x00))")
_AGES = {
    b"vor": rb"(?:Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)",
    b"ilya": rb"(?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?)",
    b"hace": rb"(?:segundos?|minutos?|horas?|d\xc3\xadas?|semanas?|mes(?:es)?|a\xc3\xb1os?)",
}
_AGE_BY_WORD = {word: re.compile(word + b"[0-9]{1,4}" + units) for word, units in _AGES.items()}
_BEFORE_AGO = re.compile(
    rb"(?:(?:about)?(?:[0-9]{1,4}|an?)(?:second|minute|hour|day|week|month|year)s?(?:,|and)?){1,3}$"
)
_LONGEST_AGE = 60
"""Bytes before "ago" that are searched for its number and unit."""
_SPACE_BYTES = b"\t\n\f\r "
_BREAK_BYTES = BREAK.encode()


def join_text(
    body: LexborNode | None, shadow_roots: list[LexborNode], noise: list[LexborNode]
) -> str:
    """Remove the noise from the tree and join the text nodes that are left, a break between two."""
    for node in noise:
        node.decompose()
    return BREAK.join(root.text(separator=BREAK) for root in visible(body, shadow_roots))


def visible(body: LexborNode | None, shadow_roots: list[LexborNode]) -> list[LexborNode]:
    """Return the trees of the main text, once the noise is removed from them."""
    kept = [root for root in shadow_roots if root.parent and root.parent.parent]
    return [body, *kept] if body else kept


def excerpt_of(main_text: str) -> str:
    """Return the beginning of the main text, one space between words and none before a comma."""
    excerpt, size = "", EXCERPT_LENGTH + EXCERPT_LENGTH // 4
    while True:
        beginning = _TIGHT_BREAK.sub("", main_text[:size]).replace(BREAK, " ")
        excerpt = " ".join(beginning.split())[:EXCERPT_LENGTH]
        if len(excerpt) == EXCERPT_LENGTH or size >= len(main_text):
            break
        size *= 4  # most of it was white space
    return excerpt.rstrip()


def without_space(main_text: str) -> bytes:
    """Return the main text as UTF-8 without white space, which formatting alone may change."""
    return parts_without_space(encode(main_text))[0]


def encode(main_text: str) -> bytes:
    """Return the main text as UTF-8, with spaces for no-break spaces."""
    return (main_text if main_text.isascii() else main_text.replace("\xa0", " ")).encode()


def parts_without_space(encoded: bytes) -> tuple[bytes, NDArray[np.int64]]:
    """Return the text of ``without_space``, and the ascending offsets at which text nodes begin.

    The first one, at 0, is left out.
    """
    parts = encoded.translate(None, _SPACE_BYTES)
    breaks = np.flatnonzero(np.frombuffer(parts, np.uint8) == 0)
    return parts.translate(None, _BREAK_BYTES), breaks - np.arange(len(breaks))


def without_ages(dense: bytes) -> bytes:
    """Return a text without white space, and without "9 minutes ago", which changes by itself."""
    *parts, last = dense.split(b"ago")
    if parts:
        dense = b"ago".join([*map(_without_end, parts), last])
    for word, pattern in _AGE_BY_WORD.items():
        if word in dense:
            dense = pattern.sub(b"", dense)
    return dense


def _without_end(text: bytes) -> bytes:
    """Return a text without the age at its end, which "ago" follows."""
    return text[:-_LONGEST_AGE] + _BEFORE_AGO.sub(b"", text[-_LONGEST_AGE:])


def hash_of(data: bytes) -> int:
    """Return a signed 64-bit hash."""
    digest = hashlib.blake2b(data, digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
