"""Links that only a script follows: jump menus, buttons and ``javascript:`` links of older sites.

Only addresses that stand there as a whole are read; no script is run, and nothing is put together.
A button that first asks for a confirmation is no link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

MAX_ELEMENTS = 50_000
"""Elements of each kind that are read, as many as links are followed from a document."""
MAX_SCRIPT = 2_000
"""Characters read of the script in an attribute."""
HANDLERS = ("onclick", "onchange")
"""Attributes whose script may lead to another page."""

_SCRIPT_TYPES = frozenset(
    """
    module text/javascript application/javascript text/ecmascript application/ecmascript
    application/x-javascript text/jscript text/babel
    """.split()  # noqa: SIM905 - a word list, not code
)
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


def script_links(roots: list[LexborNode], text: str) -> Iterator[str]:
    """Yield the raw hrefs of elements that are no links, by kind.

    ``roots``: the tree and its shadow roots; ``text``: the source of the document, which is
    searched first, as most documents have none.
    """
    if "data-href" in text:
        for node in _select_nodes(roots, "[data-href]"):
            if address := address_in(node.attributes["data-href"]):
                yield address
    if "location" in text or "window.open" in text:
        for node in _select_nodes(roots, ", ".join(f"[{name}]" for name in HANDLERS)):
            for name in HANDLERS:
                yield from navigation_targets(node.attributes.get(name) or "")


def _select_nodes(roots: list[LexborNode], selector: str) -> Iterator[LexborNode]:
    nodes = (node for root in roots for node in root.css(selector))
    return islice(nodes, MAX_ELEMENTS)


def menu_of(option: LexborNode) -> int | None:
    """Return the identity of the menu that an option belongs to; None if it belongs to none."""
    menu = option.parent
    if menu is not None and menu.tag == "optgroup":
        menu = menu.parent
    return menu.mem_id if menu is not None and menu.tag == "select" else None


def is_executable(script: LexborNode) -> bool:
    """Return whether a ``<script>`` is code, not data, by its type."""
    kind = (script.attributes.get("type") or "").partition(";")[0].strip().lower()
    return not kind or kind in _SCRIPT_TYPES


def navigation_targets(script: str) -> Iterator[str]:
    """Yield the addresses that the script of an attribute goes to.

    >>> list(navigation_targets("window.location.href = '/list.html'; return false"))
    ['/list.html']
    >>> list(navigation_targets("javascript:popup('picture.html', 600)"))
    ['picture.html']
    >>> list(navigation_targets("location = '/delete?id=' + id"))
    []
    """
    script = script[:MAX_SCRIPT]
    if "confirm(" in script:
        return
    for found in _NAVIGATION.finditer(script):
        if target := (found[1] or found[2] or "").strip():
            yield target
    if called := _CALL.match(script):
        yield from filter(None, [address_in(called[1] or called[2])])


def menu_addresses(values: list[str]) -> list[str]:
    """Return the values of a menu if more than half of them are addresses; else none.

    >>> menu_addresses(["", "/de/", "/fr/"]), menu_addresses(["red", "green", "/"])
    (['/de/', '/fr/'], [])
    """
    given = [value for value in values if value.strip(" -#")]
    addresses = [address for value in given if (address := address_in(value))]
    return addresses if 2 * len(addresses) > len(given) else []


def address_in(value: str | None) -> str:
    """Return a value that is clearly the address of a page; else an empty text."""
    value = (value or "").strip()
    return value if _ADDRESS.fullmatch(value) else ""
