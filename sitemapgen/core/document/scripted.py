"""Links that only a script follows: jump menus, buttons and ``javascript:`` links of older sites.

Only addresses that stand there as a whole are read; no script is run, and nothing is put together.
A button that first asks for a confirmation is no link.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selectolax.lexbor import LexborNode

MAX_ELEMENTS = 50_000
"""Elements of each kind that are read, as many as links are followed from a document."""
MAX_SCRIPT = 2_000
"""Characters read of the script in an attribute."""
HANDLERS = ("onclick", "onchange")
"""Attributes whose script may lead to another page."""
_ELEMENTS = "[onclick], [onchange], [data-href], a[href^='javascript:' i]"
# Case varies in old documents. A search of the text spares most others a search of the tree.
_MARKS = ("data-href", "cript:", "<option", "<OPTION")
_HANDLER_MARKS = ("nclick", "nClick", "NCLICK", "nchange", "nChange", "NCHANGE")
_TARGET_MARKS = ("location", "window.open")

_LITERAL = r"""(?:'([^'"\\<>]*)'|"([^'"\\<>]*)")\s*(?=[;,)}]|$)"""
_NAVIGATION = re.compile(
    r"(?:\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:assign|replace)\s*\(|\bwindow\.open\s*\()"
    rf"\s*{_LITERAL}"
)
_CALL = re.compile(rf"^\s*javascript:.*?\(\s*{_LITERAL}", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:https?://|\.{0,2}/(?!/))\S*|[\w./%-]+\.(?:html?|xhtml|php\d?|aspx?|jsp|cfm|cgi|pl)(?:\?\S*)?",
    re.ASCII,
)


def script_links(roots: Iterable[LexborNode], text: str) -> Iterator[str]:
    """Yield the raw hrefs, in document order by kind.

    ``roots``: the tree and its shadow roots; ``text``: the source of the document.
    """
    if _may_have_some(text):
        for root in roots:
            yield from _elements(root)
            for values in _menus(root):
                yield from _jumps(values)


def _may_have_some(text: str) -> bool:
    """Return whether the text has a word of each document with such links."""

    def has_one_of(marks: tuple[str, ...]) -> bool:
        return any(mark in text for mark in marks)

    return has_one_of(_MARKS) or (has_one_of(_HANDLER_MARKS) and has_one_of(_TARGET_MARKS))


def _elements(root: LexborNode) -> Iterator[str]:
    for node in islice(root.css(_ELEMENTS), MAX_ELEMENTS):
        attributes = node.attributes
        if address := _address(attributes.get("data-href")):
            yield address
        href = attributes.get("href") or ""
        for script in (href, *(attributes.get(name) or "" for name in HANDLERS)):
            yield from navigations(script)


def navigations(script: str) -> Iterator[str]:
    """Yield the addresses that the script of an attribute goes to.

    >>> list(navigations("window.location.href = '/list.html'; return false"))
    ['/list.html']
    >>> list(navigations("javascript:popup('picture.html', 600)"))
    ['picture.html']
    >>> list(navigations("location = '/delete?id=' + id"))
    []
    """
    script = script[:MAX_SCRIPT]
    if "confirm(" in script:
        return
    for found in _NAVIGATION.finditer(script):
        if target := (found[1] or found[2] or "").strip():
            yield target
    if called := _CALL.match(script):
        yield from filter(None, [_address(called[1] or called[2])])


def _menus(root: LexborNode) -> Iterable[list[str]]:
    """Return the values of the options of each menu."""
    menus: dict[int, list[str]] = {}
    for option in islice(root.css("option"), MAX_ELEMENTS):
        menu = option.parent
        if menu is not None and menu.tag == "optgroup":
            menu = menu.parent
        if menu is not None and menu.tag == "select":
            menus.setdefault(menu.mem_id, []).append(option.attributes.get("value") or "")
    return menus.values()


def _jumps(values: list[str]) -> list[str]:
    """Return the values of a menu if more than half of them are addresses; else none.

    >>> _jumps(["", "/de/", "/fr/"]), _jumps(["red", "green", "/"])
    (['/de/', '/fr/'], [])
    """
    given = [value for value in values if value.strip(" -#")]
    addresses = [address for value in given if (address := _address(value))]
    return addresses if 2 * len(addresses) > len(given) else []


def _address(value: str | None) -> str:
    """Return a value that is clearly the address of a page; else an empty text."""
    value = (value or "").strip()
    return value if _ADDRESS.fullmatch(value) else ""
