"""Tokeniser for the tags of HTML source, in one pass without a tree.

Markup and text are separated as in WHATWG HTML, "Tokenization": quoted attribute values, comments,
raw text. ``bombs.py`` judges documents by their tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_SPACE = r"[\t\n\f\r ]"
_ENOUGH = 1_000
"""Maximum repetitions in one match: each takes memory in the regular expression engine."""
# Each alternative begins with a different character, and its rest always matches: no backtracking.
# An equals sign before the name of an attribute is part of that name.
_ATTRIBUTES = (
    rf"(?:[\t\n\f\r /]+|[^\t\n\f\r />][^\t\n\f\r />=]*(?:{_SPACE}*={_SPACE}*"
    r"(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|(?P<bare>[^\t\n\f\r >\"'][^\t\n\f\r >]*)|(?=>|\Z)))?)"
    rf"{{0,{_ENOUGH}}}"
)
_TAG = re.compile(
    rf"<(?:(?P<end>/?)(?P<name>[a-zA-Z][^\t\n\f\r />]*)(?P<rest>{_ATTRIBUTES})>?"
    r"|!--(?:-?>|.*?(?:--!?>|\Z))|[!?/][^>]*>?)",
    re.DOTALL,
)
_MORE = re.compile(_ATTRIBUTES)
ATTRIBUTE = re.compile(
    r"(?P<name>[^\t\n\f\r />][^\t\n\f\r />=]*)"
    rf"(?:{_SPACE}*={_SPACE}*"
    r"(?:\"[^\"]*(?:\"|\Z)|'[^']*(?:'|\Z)|[^\t\n\f\r >\"'][^\t\n\f\r >]*|\Z))?"
)
"""Pattern of one attribute, with its value, in ``Tag.rest``."""

RAW = frozenset(
    {
        *("iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style"),
        *("textarea", "title", "xmp"),
    }
)
"""Elements whose content is text, not markup; ``noscript`` only where scripts run."""
RAW_IF = {True: RAW, False: RAW - {"noscript"}}
"""These elements by whether scripts run."""
_RAW_END = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in RAW - {"plaintext", "script"}
}
_IN_SCRIPT = re.compile(
    r"(?P<opens><!--(?P<closed>-*>)?)|(?P<closes>-->)|<(?P<end>/?)script(?=[\t\n\f\r />])",
    re.IGNORECASE,
)


class Tag(NamedTuple):
    """A tag with its name, or a comment, declaration or the like without one."""

    start: int
    end: int
    """Index after its last character in the text."""
    is_end: bool
    name: str
    """In lower case."""
    rest: str
    """Source of its attributes; only the first ones if there are very many."""
    is_self_closed: bool = False
    """It ends with a slash that is not part of a value."""
    is_long: bool = False
    """It has more attributes than ``rest`` holds."""


def scan_tags(text: str, *, scripting: bool) -> Iterator[Tag]:
    """Yield the tags, comments and declarations of a document outside of raw text, in order."""
    raw = RAW_IF[scripting]
    position: int | None = 0
    while position is not None:
        start, position = position, None
        for found in _TAG.finditer(text, start):
            closing, name, rest, _ = found.groups()
            begin, end = found.span()
            if name is None:
                yield Tag(begin, end, False, "", "")
                continue
            name = name.lower()
            if is_long := text[end - 1] != ">" and end < len(text):
                end = position = _end_of_tag(text, end)
            is_closed = rest[-1:] == "/" and found.end("bare") != found.end("rest")
            yield Tag(begin, end, bool(closing), name, rest, is_closed, is_long)
            if name in raw and not closing:
                position = raw_end(text, name, end)
            if position is not None:
                break


def _end_of_tag(text: str, position: int) -> int:
    """Return the end of a tag; ``position`` is between two of its attributes."""
    while position < len(text) and text[position] != ">":
        found = _MORE.match(text, position)
        position = found.end() if found else len(text)
    return min(position + 1, len(text))


def raw_end(text: str, name: str, start: int) -> int:
    """Return the start of a raw text element's end tag; the end of the text without one."""
    if name == "script":
        return _script_end(text, start)
    found = _RAW_END[name].search(text, start) if name in _RAW_END else None
    return found.start() if found else len(text)


def _script_end(text: str, start: int) -> int:
    """Return the start of a script's end tag, with "script data double escaped state" of WHATWG.

    In that state a script within a comment within a script has an end tag of its own.
    """
    is_escaped = is_doubly = False
    for found in _IN_SCRIPT.finditer(text, start):
        if found["opens"]:
            is_escaped = is_escaped or not found["closed"]
            if found["closed"]:
                is_escaped = is_doubly = False
        elif found["closes"]:
            is_escaped = is_doubly = False
        elif not found["end"]:
            is_doubly = is_escaped
        elif is_doubly:
            is_doubly = False
        else:
            return found.start()
    return len(text)
