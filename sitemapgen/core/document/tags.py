"""Tags of HTML source, tokenised as the standard does, in one pass without a tree.

The cut between markup and text is that of WHATWG HTML, "Tokenization": quoted attribute values,
comments, raw text. What is concluded from the tags: ``bombs.py``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = r"[\t\n\f\r ]"
_ENOUGH = 1_000
"""Steps in one match: the memory of the regular expression engine grows with each."""
# Each alternative begins with another character, and what follows it always matches: nothing is
# read twice. An equals sign before the name of an attribute is part of that name.
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
"""One attribute of the rest of a tag, with its value."""

RAW = frozenset(
    {
        *("iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style"),
        *("textarea", "title", "xmp"),
    }
)
"""Elements whose content is text; ``noscript`` where scripts run."""
_RAW_END = {
    name: re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE)
    for name in RAW - {"plaintext", "script"}
}
_IN_SCRIPT = re.compile(
    r"(?P<opens><!--(?P<closed>-*>)?)|(?P<closes>-->)|<(?P<end>/?)script(?=[\t\n\f\r />])",
    re.IGNORECASE,
)


class Tag(NamedTuple):
    """A tag, or a comment, declaration or the like, which has no name."""

    start: int
    end: int
    """Where it stands in the text."""
    is_end: bool
    name: str
    """Lower case."""
    rest: str
    """The source of its attributes; of very many the first ones."""
    is_self_closed: bool = False
    """It ends with a slash that is no part of a value."""
    is_long: bool = False
    """It has more attributes than ``rest`` holds."""


def tags(text: str, *, scripting: bool) -> Iterator[Tag]:
    """Yield the tags, comments and declarations of a document outside of raw text, in order."""
    raw = RAW if scripting else RAW - {"noscript"}
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
                end = position = _end(text, end)
            is_closed = rest[-1:] == "/" and found.end("bare") != found.end("rest")
            yield Tag(begin, end, bool(closing), name, rest, is_closed, is_long)
            if name in raw and not closing:
                position = raw_end(text, name, end)
            if position is not None:
                break


def _end(text: str, position: int) -> int:
    """Find where a tag ends; ``position`` stands between two of its attributes."""
    while position < len(text) and text[position] != ">":
        found = _MORE.match(text, position)
        position = found.end() if found else len(text)
    return min(position + 1, len(text))


def raw_end(text: str, name: str, start: int) -> int:
    """Find where the end tag of a raw text element begins; the end of the text without one."""
    if name == "script":
        return _script_end(text, start)
    found = _RAW_END[name].search(text, start) if name in _RAW_END else None
    return found.start() if found else len(text)


def _script_end(text: str, start: int) -> int:
    """WHATWG HTML, "script data double escaped state": a script in a comment in a script."""
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
