"""Would this document take an HTML parser seconds? Then it is read without its layout.

Three spellings make any parser that follows the standard quadratic: deep nesting (100,000 unclosed
<div>: 17 s), formatting elements that are never closed, each of which is opened again in every
later paragraph (33 kB: 2 s and 700 MB), and attributes, each of which is compared with all before
it (50,000 in one tag: 4 s). Browsers cut at a depth of 512.
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

_LONG_TAG = 8_192  # characters without those within quotes: some 2,000 attributes, 7 ms
_LOADED_TAG = re.compile(
    rf"(<[a-z][^\s/<>\"']{{0,30}})[\s/](?:[^<>\"']|\"[^\"<>]*\"|'[^'<>]*'){{{_LONG_TAG},}}",
    re.IGNORECASE,
)


def defuse(text: str) -> str:
    """Take out of a document what makes its parser slow; nearly every document stays as it is."""
    # Where such a tag is, so many characters follow each other without a >: cheap to look for.
    starts = range(0, len(text) - _LONG_TAG // 2, _LONG_TAG // 2)
    if any(text.find(">", start, start + _LONG_TAG // 2) < 0 for start in starts):
        text = _LOADED_TAG.sub(r"\1", text)
    return flatten(text) if is_bomb(text) else text


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
