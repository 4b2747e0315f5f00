"""Would this document take an HTML parser seconds? Then it is read without its layout.

Two spellings make any parser that follows the standard quadratic: deep nesting (100,000 unclosed
<div>: 17 s) and formatting elements that are never closed, each of which is opened again in every
later paragraph (33 kB: 2 s and 700 MB). Browsers cut at a depth of 512.
"""

from __future__ import annotations

import re

MAX_NESTING = 512
_FEW_TAGS, _MANY_TAGS = 1_500, 10_000  # below: harmless whatever they are; above: look closely
_MAX_REOPENED = 2_000_000
_STYLED_FORMATTING = re.compile(
    r"<(?:b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/][^>]*", re.IGNORECASE
)
_TAG = re.compile(r"<(/?)([a-z][^\s/>]*)([^>]*)", re.IGNORECASE)
# Void elements, and those whose end tag may be left out: they do not nest by themselves.
_NEVER_DEEP = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"),
        *("wbr", "body", "colgroup", "dd", "dt", "head", "html", "li", "optgroup", "option", "p"),
        *("rp", "rt", "tbody", "td", "tfoot", "th", "thead", "tr"),
    }
)
_FLATTENED = re.compile(
    r"</?(?!(?:a|area|base|body|frame|frameset|head|html|iframe|img|link|meta|noscript|script|style"
    r"|time|title)[\s/>])[a-z][^>]*>",
    re.IGNORECASE,
)
"""The tags that a document can lose without losing a link or a fact."""


def is_bomb(text: str) -> bool:
    """Tell whether the parser would take seconds; such a document is read without its layout."""
    tags = text.count("<")
    if tags < _FEW_TAGS:
        return False
    if tags < _MANY_TAGS:
        # At most three of a kind are opened again (WHATWG HTML, "Noah's Ark clause").
        reopened = 3 * len(set(_STYLED_FORMATTING.findall(text)))
        if reopened * tags < _MAX_REOPENED:
            return False
    return _nesting(text) > MAX_NESTING


def flatten(text: str) -> str:
    """Take the layout tags out of a document: links, facts and text stay."""
    return _FLATTENED.sub(" ", text)


def _nesting(text: str) -> int:
    """Estimate from its tags how many elements a document has open at once, at most."""
    unclosed: dict[str, int] = {}
    depth = deepest = 0
    for end, name, rest in _TAG.findall(text.lower()):
        if name in _NEVER_DEEP:
            continue
        if end:
            if unclosed.get(name):
                unclosed[name] -= 1
                depth -= 1
        elif not (rest.endswith("/") and unclosed.get("svg")):
            unclosed[name] = unclosed.get(name, 0) + 1
            depth += 1
            deepest = max(deepest, depth)
    return deepest
