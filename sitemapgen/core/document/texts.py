"""Normalisation of a site's text to one line that is harmless in log and output files."""

from __future__ import annotations

import re

_FORBIDDEN = re.compile(
    # Characters that XML 1.0 section 2.2 forbids, C1 controls, and those that change the direction
    # of the text around them (UAX 9, explicit formatting). Joiners stay: Persian and emoji need
    # them.
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)

BEGINNING = 4_096
"""Characters read of a text that is to be short."""
_CHUNK = 65_536  # characters


def line(text: str, length: int = 0) -> str:
    """Return a text as one line, harmless in XML and HTML and to the text around it.

    A text longer than ``length`` characters (0: no limit) is cut, and no more than ``BEGINNING``,
    or eight times that, are read of it.

    >>> line("a\\r\\nb\\x1b\\u202ec")
    'a bc'
    >>> line("one two three", 9)
    'one two…'
    """
    if length:
        text = text[: max(BEGINNING, 8 * length)]
    plain = squeeze(_FORBIDDEN.sub("", text))
    if not length or len(plain) <= length:
        return plain
    head, _, _ = plain[:length].rpartition(" ")
    return (head if len(head) > length // 2 else plain[: length - 1]) + "…"


def harmless(text: str) -> str:
    """Return a text of several lines without the characters that :func:`line` takes out.

    >>> harmless("a\\n\\x1b\\u202eb")
    'a\\nb'
    """
    return _FORBIDDEN.sub("", text)


def squeeze(text: str) -> str:
    """Put one space between words, and none around them; splits a long text in chunks.

    >>> squeeze("  one\\n two ")
    'one two'
    """
    if len(text) <= _CHUNK:
        return " ".join(text.split())
    parts: list[str] = []
    is_open = False  # whether the last word may continue
    for start in range(0, len(text), _CHUNK):
        chunk = text[start : start + _CHUNK]
        if words := " ".join(chunk.split()):
            if parts and not (is_open and not chunk[0].isspace()):
                parts.append(" ")
            parts.append(words)
        is_open = not chunk[-1].isspace()
    return "".join(parts)
