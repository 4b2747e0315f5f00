"""A quick proof that a large document is harmless: its tags are well nested, and nothing hides any.

It holds for most large documents at a fraction of the cost of reading their tags one by one, as
``nesting.py`` does for the others. What is not proved is not therefore a bomb.
"""

from __future__ import annotations

import re

from sitemapgen.core.nesting import FORMATTING, NEVER_DEEP
from sitemapgen.core.tags import ATTRIBUTE, RAW

MAX_ROOTS = 2
"""Start tags of <html> and <body>."""
MAX_FORMATTING = 4
"""Formatting elements in each other."""

_END = r"[\t\n\f\r />]"
_COMMENT = re.compile(r"<!--[^<>]*-->")
_HIDING = RAW | {"svg", "math"}
_SHAPES = (
    "animate|circle|clippath|defs|ellipse|g|line|lineargradient|mask|path|polygon|polyline|"
    "radialgradient|rect|stop|symbol|text|tspan|use"
)
_OPAQUE = re.compile(
    r"<(?=[intsx])(?:"
    rf"({'|'.join(sorted(RAW - {'plaintext'}))})(?:[\t\n\f\r /][^<>]*)?>"
    rf"[^<]*(?:<(?!/\1{_END})[^<]*)*(?:</\1(?:[\t\n\f\r /][^<>]*)?>|\Z)"
    r"|svg(?:[\t\n\f\r ][^<>]*)?(?<!/)>[^<]*"
    rf"(?:</?(?:{_SHAPES})(?:[\t\n\f\r /][^<>]*)?>[^<]*)*</svg>)"
)
"""Raw text, and SVG of elements that neither end it nor hold HTML: both end at their end tags."""
_TAG = re.compile(r"<(/?)([a-zA-Z][^\t\n\f\r />]*)")
_REST = re.compile(r"<[a-zA-Z][^\t\n\f\r /<>]*[\t\n\f\r /]([^>]+)")


def is_harmless(text: str, deepest: int, most_names: int) -> bool:
    """Tell whether few elements stand in each other, and few names are in use.

    No value of an attribute may hold a ``>``: each tag then ends at the first one. ``most_names``:
    of attributes; 0 where they are few anyhow.
    """
    if text.count("<!--") != len(_COMMENT.findall(text)) or "<![" in text:
        return False
    visible = _without_opaque(text)
    if visible is None:
        return False
    tags = _TAG.findall(visible)
    kinds = {name for _, name in tags}
    if not kinds.isdisjoint(_HIDING) or any(name != name.lower() for name in kinds):
        return False
    roots = tags.count(("", "html")) + tags.count(("", "body"))
    if roots > MAX_ROOTS or not _is_well_nested(tags, deepest):
        return False
    return not most_names or len(_names(visible)) <= most_names


def _without_opaque(text: str) -> str | None:
    """Take out raw text and icons; None where one may begin within a tag."""
    parts = []
    done = 0
    for found in _OPAQUE.finditer(text):
        start = found.start()
        if text.rfind("<", 0, start) > text.rfind(">", 0, start):
            return None
        parts.append(text[done:start])
        done = found.end()
    return " ".join([*parts, text[done:]])


def _names(text: str) -> set[str]:
    return set(ATTRIBUTE.findall(">".join(_REST.findall(text))))


def _is_well_nested(tags: list[tuple[str, str]], deepest: int) -> bool:
    stack: list[str] = []
    formatting = 0
    for end, name in tags:
        if name in NEVER_DEEP:
            continue
        if end:
            if not stack or stack.pop() != name:
                return False
            formatting -= name in FORMATTING
        elif name in FORMATTING:
            stack.append(name)
            formatting += 1
            if formatting > MAX_FORMATTING:
                return False
        else:
            stack.append(name)
            if len(stack) > deepest:
                return False
    return True
