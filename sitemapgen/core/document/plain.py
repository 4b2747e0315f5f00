"""Fast proof that a large document is harmless: its tags are well nested, and none is hidden.

It succeeds for most large documents, at a fraction of the cost of reading their tags one by one, as
``nesting.py`` does for the others. A document without proof is not necessarily a bomb.

No attribute value may contain a ``>``: each tag and declaration then ends at the first one, and
a ``<`` before it is part of it. Such values are emptied first where that cannot change a tag.
"""

from __future__ import annotations

import re
from itertools import repeat

import numpy as np

from sitemapgen.core.document.nesting import FORMATTING, NEVER_DEEP
from sitemapgen.core.document.tags import RAW_IF

MAX_ROOTS = 2
"""Maximum start tags of <html> and <body> in a harmless document."""
MAX_FORMATTING = 4
"""Maximum depth of nested formatting elements in a harmless document."""

_SOURCE = re.compile(r"<(?:[a-zA-Z]|/[a-zA-Z][^\t\n\f\r />]*[\t\n\f\r /])[^>]*")
QUOTED = re.compile(r"=[\t\n\f\r ]*(?:\"[^\">]*>|'[^'>]*>)")
"""Start of a quoted attribute value with a ``>`` in it, in a tag."""
# Wherever this matches, the next > outside of a value has no < before it: whether or not the quotes
# delimit a value, the same tags are read with and without their content.
_EMPTIED = re.compile(r"=\"[^\"'<>]*>[^\"'<]*\"(?=[^<>]*>)")
_END = r"[\t\n\f\r />]"
_COMMENT = re.compile(r"<!--[^<>]*-->")
_SHAPES = (
    "animate|circle|clippath|defs|ellipse|g|line|lineargradient|mask|path|polygon|polyline|"
    "radialgradient|rect|stop|symbol|text|tspan|use"
)


def _opaque_pattern(raw: frozenset[str]) -> re.Pattern[str]:
    """Build a pattern for raw text, and for SVG of plain shapes, each up to its end tag."""
    return re.compile(
        r"<(?=[intsx])(?:"
        rf"({'|'.join(sorted(raw - {'plaintext'}))})(?:[\t\n\f\r /][^<>]*)?>"
        rf"[^<]*(?:<(?!/\1{_END})[^<]*)*(?:</\1(?:[\t\n\f\r /][^<>]*)?>|\Z)"
        r"|svg(?:[\t\n\f\r ][^<>]*)?(?<!/)>[^<]*"
        rf"(?:</?(?:{_SHAPES})(?:[\t\n\f\r /][^<>]*)?>[^<]*)*</svg>)"
    )


_OPAQUE = {scripting: _opaque_pattern(raw) for scripting, raw in RAW_IF.items()}
_TAG = re.compile(r"<(/?[a-zA-Z][^\t\n\f\r />]*|[!?/])[^>]*>?")


def distinct_tags(text: str) -> set[str]:
    """Return the distinct tags of a document, each up to its first ``>``.

    End tags are included if they have attributes, and so is text like tags in scripts and comments.
    """
    return set(_SOURCE.findall(text))


def join_tags(tags: set[str]) -> str:
    """Join distinct tags to one text, each with its ``>``."""
    return ">".join([*tags, ""])


def with_short_values(text: str) -> str | None:
    """Empty the attribute values that contain a ``>``; None where they cannot be determined."""
    if "<!--" in text:
        # Text in a comment is no value, and the > that ends a comment within a tag ends the tag.
        if text.count("<!--") != len(_COMMENT.findall(text)):
            return None
        text = _COMMENT.sub(">", text)
    text = _EMPTIED.sub('=""', text)
    return None if QUOTED.search(join_tags(distinct_tags(text))) else text


def is_shallow(text: str, deepest: int, *, scripting: bool) -> bool:
    """Return whether text without a ``>`` in a value surely nests at most ``deepest`` elements."""
    if text.count("<!--") != len(_COMMENT.findall(text)) or "<![" in text:
        return False
    visible = _without_opaque(text, _OPAQUE[scripting])
    if visible is None:
        return False
    tags = _TAG.findall(visible)
    kinds = {tag.removeprefix("/") for tag in set(tags)}
    if not kinds.isdisjoint(RAW_IF[scripting] | {"svg", "math"}) or any(
        name != name.lower() for name in kinds
    ):
        return False
    roots = tags.count("html") + tags.count("body")
    return roots <= MAX_ROOTS and _is_well_nested(tags, kinds, deepest)


def _without_opaque(text: str, opaque: re.Pattern[str]) -> str | None:
    """Remove raw text and SVG icons; None where one may begin within a tag."""
    parts = []
    done = 0
    for found in opaque.finditer(text):
        start = found.start()
        if text.rfind("<", 0, start) > text.rfind(">", 0, start):
            return None
        parts.append(text[done:start])
        done = found.end()
    return " ".join([*parts, text[done:]])


def _is_well_nested(tags: list[str], kinds: set[str], deepest: int) -> bool:
    """Return whether each end tag ends the last element that is open.

    ``tags``: names, with a slash before those of end tags; ``kinds``: the names without it. In well
    nested tags, start and end tags alternate among those of one depth; so each end tag is compared
    with the tag before it at its depth.
    """
    # FORMATTING comes first, so that a number shows whether an element is one.
    names = sorted(kinds - NEVER_DEEP - {"", "!", "?"}, key=lambda name: name not in FORMATTING)
    numbers = {name: number for number, name in enumerate(names, 1)}
    numbers |= {f"/{name}": -number for number, name in enumerate(names, 1)}
    all_numbers = np.fromiter(map(numbers.get, tags, repeat(0)), np.int32, len(tags))
    found = all_numbers[all_numbers != 0]
    steps = np.sign(found)
    depths = np.cumsum(steps)
    if depths.min(initial=0) < 0 or depths.max(initial=0) > deepest:
        return False
    is_formatting = np.abs(found) <= len(FORMATTING.intersection(names))
    if np.cumsum(np.where(is_formatting, steps, 0)).max(initial=0) > MAX_FORMATTING:
        return False
    order = np.argsort(depths + (steps < 0), kind="stable")
    ends = np.flatnonzero(found[order] < 0)
    return bool((found[order][ends] == -found[order][ends - 1]).all())
