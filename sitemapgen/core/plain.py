"""A quick proof that a large document is harmless: its tags are well nested, and nothing hides any.

It holds for most large documents at a fraction of the cost of reading their tags one by one, as
``nesting.py`` does for the others. What is not proved is not therefore a bomb.
"""

from __future__ import annotations

import re

from sitemapgen.core.nesting import FORMATTING, NEVER_DEEP
from sitemapgen.core.tags import ATTRIBUTE, RAW

MAX_FORMATTING = 4
"""Formatting elements in each other."""

_END = r"[\t\n\f\r />]"
_COMMENT = re.compile(r"<!--[^<>]*-->")
_NOT_PLAIN = re.compile(rf"<(?:svg|math|{'|'.join(sorted(RAW))}){_END}|<!\[", re.IGNORECASE)
_IN_A_TAG = re.compile(rf"<[^<>]*<(?:svg|{'|'.join(sorted(RAW))}){_END}", re.IGNORECASE)
_RAW = re.compile(
    rf"<({'|'.join(sorted(RAW - {'plaintext'}))})(?:[\t\n\f\r /][^>]*)?>"
    rf"[^<]*(?:<(?!/\1{_END})[^<]*)*</\1{_END}[^>]*>",
    re.IGNORECASE,
)
_SHAPES = (
    "animate|circle|clippath|defs|ellipse|g|line|lineargradient|mask|path|polygon|polyline|"
    "radialgradient|rect|stop|symbol|text|tspan|use"
)
_ICON = re.compile(
    r"<svg(?:[\t\n\f\r ][^>]*)?(?<!/)>[^<]*"
    rf"(?:</?(?:{_SHAPES})(?:[\t\n\f\r /][^>]*)?>[^<]*)*</svg>",
    re.IGNORECASE,
)
"""SVG of elements that neither end it nor hold HTML: it ends at its end tag."""
_TAG = re.compile(
    rf"<(/?)(?!(?:{'|'.join(sorted(NEVER_DEEP | RAW))}){_END})([a-zA-Z][^\t\n\f\r />]*)"
)
_REST = re.compile(r"<[a-zA-Z][^\t\n\f\r />]*[\t\n\f\r /]([^>]+)")


def is_harmless(text: str, most_tags: int, most_names: int, deepest: int) -> bool:
    """Tell whether few tags stand in each other, and few names are in use.

    No value of an attribute may hold a ``>``: each tag then ends at the first one.
    """
    if text.count("<!--") != len(_COMMENT.findall(text)) or _IN_A_TAG.search(text):
        return False
    text = _ICON.sub(" ", _RAW.sub(" ", text))
    if _NOT_PLAIN.search(text):
        return False
    tags = _TAG.findall(text)
    if len(tags) > 2 * most_tags or not _is_well_nested(tags, deepest):
        return False
    return len(set(ATTRIBUTE.findall(">".join(_REST.findall(text))))) <= most_names


def _is_well_nested(tags: list[tuple[str, str]], deepest: int) -> bool:
    stack: list[str] = []
    formatting = 0
    for end, name in tags:
        if end:
            if not stack or stack.pop() != name:
                return False
            formatting -= name in FORMATTING
        else:
            stack.append(name)
            if name in FORMATTING:
                formatting += 1
                if formatting > MAX_FORMATTING:
                    return False
            if len(stack) > deepest:
                return False
    return True
