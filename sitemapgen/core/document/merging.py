"""Estimate of how much text a parser copies because it merges pieces of text into one.

Text after a tag that the parser ignores continues the text before it, and so does text in a table
outside of its cells, which is moved before the table. Where an attribute value or a comment lies
between two such pieces, all the text so far is copied, and its former place is not used again: 3 MB
of ``text</i title="a longer value">`` take 16 GB. The estimate is never too low.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sitemapgen.core.document.tags import RAW_IF, scan_tags

LARGE = 262_144
"""Characters of a document; in a shorter one at most 350,000,000 characters are copied."""
MAX_COPIED = 300_000_000
"""Characters that a parser may copy: 100 MB."""
SOMETIMES_IGNORED = frozenset(
    """
    body caption col colgroup form frame frameset head html tbody td tfoot th thead tr
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Elements whose start tags a parser ignores where they are out of place."""
SEPARATOR = "<!---->"
"""Text before and after it is never merged, except in tables outside of their cells."""

_CELLS = frozenset({"caption", "td", "th"})
_ROWS = frozenset({"colgroup", "tbody", "tfoot", "thead", "tr"})
_TABLE = _ROWS | {"col", "table"}
_ENDS_IN_TABLE = _CELLS | _ROWS | {"template"}
_FOREIGN = frozenset({"math", "svg"})
# The first letters of those names, of both cases; more tags match, which costs time alone.
_BETWEEN_TEXTS = re.compile(
    r"<(?:[!?]|/(?:[^a-zA-Z>]|[^\t\n\f\r />]+[\t\n\f\r /])|"
    r"[tT](?:[dDhHrR][\t\n\f\r /]|[aAbBeEfFhH][a-zA-Z]{3})|"
    r"[bB][oO]|[cC][aAoO][lLpP]|[fF][oOrR][aArR]|[hH][eEtT][aAmM]|[iI][mMnN][aApP]|[sS][cCtT][rRyY])"
)


class Merging(NamedTuple):
    """What makes a parser copy more than ``MAX_COPIED`` characters."""

    is_in_tables: bool = False
    """Text in tables, outside of their cells."""
    is_after_ignored: bool = False
    """Text after tags that may be ignored."""


def estimate_merging(text: str, *, scripting: bool) -> Merging:
    """Determine why a parser may copy too much of a document; ``scripting``: see ``tags``."""
    if len(text) < LARGE or not _is_suspect(text):
        return Merging()
    raw = RAW_IF[scripting]
    done = run = after_ignored = moved = in_tables = 0
    is_raw = is_outside = is_foreign = False
    for tag in scan_tags(text, scripting=scripting):
        name, is_end = tag.name, tag.is_end
        size = 0 if is_raw else tag.start - done
        if size:
            run += size
            after_ignored += run
            if is_outside and not text[done : tag.start].isspace():
                moved += size
                in_tables += moved
        done = tag.end
        is_raw = name in raw and not is_end
        if not name:
            continue
        if name in _FOREIGN:
            is_foreign = not is_end
        if is_end:
            if name in _ENDS_IN_TABLE:
                is_outside = True
            elif name == "table":
                is_outside = False
            continue
        if name not in SOMETIMES_IGNORED:
            run = 0
        if name in _TABLE:
            is_outside = True
        elif name in _CELLS and not is_foreign:
            is_outside = False
    return Merging(in_tables > MAX_COPIED, after_ignored > MAX_COPIED)


def _is_suspect(text: str) -> bool:
    """Return whether the tags and comments between pieces of text are many, by counting."""
    harmless = 2 * MAX_COPIED // len(text)
    return text.count("<") > harmless and len(_BETWEEN_TEXTS.findall(text)) > harmless
