"""What may stand in a file of a text that a site wrote? One harmless line of it."""

from __future__ import annotations

import re

_FORBIDDEN = re.compile(
    # What XML 1.0 section 2.2 forbids, C1 controls, and what turns the direction of the text
    # around it (UAX 9, explicit formatting). Joiners stay: Persian and emoji need them.
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)


def line(text: str, length: int = 0) -> str:
    """One line of a text, harmless in XML, HTML and to its neighbours; cut where it is longer.

    >>> line("a\\r\\nb\\x1b\\u202ec")
    'a bc'
    >>> line("one two three", 9)
    'one two…'
    """
    plain = " ".join(_FORBIDDEN.sub("", text).split())
    if not length or len(plain) <= length:
        return plain
    head, _, _ = plain[:length].rpartition(" ")
    return (head if len(head) > length // 2 else plain[: length - 1]) + "…"
