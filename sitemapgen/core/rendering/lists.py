"""Signs in a document that a list goes on where no link leads: scripts load more of it, or lead on.

The browser finds out on a few pages of each kind: ``learn.choose_samples``, ``hands.py``.
"""

from __future__ import annotations

import re
from collections import Counter

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapgen.core.document.texts import squeeze
from sitemapgen.core.rendering.hands import MORE, stated_total

MAX_BUTTONS = 200
"""Buttons of a document that are looked at."""
MAX_LISTS = 500
LONGEST_NAME = 60
"""Characters of a button's text; longer ones are no names."""
SEVERAL = 3
"""Entries that make a list, and buttons alike that may be one."""
MANY_ADDRESSES = 10
"""Addresses in the data of a page up to which the page need not link to all of them."""

_PRESSABLE = (
    "button, [role=button], [role=link], [onclick], [data-href], [tabindex='0'], "
    "[class~='cursor-pointer'], a[href='#'], a[href^='javascript:' i]"
)
_LISTS = "ul, ol, tbody, main div, main section"
_MORE = re.compile(MORE, re.IGNORECASE)
_PARTS_OF_ALL_PAGES = frozenset({"form", "nav", "header", "footer"})


def goes_on(tree: LexborHTMLParser, html: str, visible: str, links: int) -> bool:
    """Return whether a list seems to go on.

    ``visible``: the text; ``links``: the number of distinct links. The signs are a button with
    words for more, several buttons or cards alike that are no links, a count such as "12 of 150",
    and data with more addresses than links.
    """
    if "slug" in html and html.count("slug") > max(links, MANY_ADDRESSES):
        return True
    buttons = []
    for node in tree.css(_PRESSABLE)[:MAX_BUTTONS]:
        target = node.attributes.get("href") or "#"
        if target == "#" or target.lower().startswith("javascript:"):
            buttons.append(node)
    for button in buttons:
        name = squeeze(button.text(separator=" ")) or button.attributes.get("aria-label") or ""
        if len(name) <= LONGEST_NAME and _MORE.search(name):
            return True
    if _are_alike(buttons):
        return True
    if not stated_total(visible):
        return False
    return stated_total(visible, {_list_size(box) for box in tree.css(_LISTS)[:MAX_LISTS]}) > 0


def is_end_of_list(node: LexborNode) -> bool:
    """Return whether an empty element, which scripts may fill or wait for, is behind a list."""
    before = node.prev
    while before is not None and before.tag in ("-text", "-comment"):
        before = before.prev
    return before is not None and _list_size(before) > 0


def _are_alike(buttons: list[LexborNode]) -> bool:
    """Return whether several buttons have the same tag and classes, in the content of the page."""
    kinds = [(button.tag, button.attributes.get("class")) for button in buttons]
    counts = Counter(kinds)
    in_content = Counter(
        kind
        for kind, button in zip(kinds, buttons)
        if counts[kind] >= SEVERAL
        and button.tag != "a"
        and "aria-expanded" not in button.attributes
        and button.attributes.get("role") != "tab"
        and button.css_first("a[href]") is None
        and not _is_in_part_of_all_pages(button)
    )
    return max(in_content.values(), default=0) >= SEVERAL


def _is_in_part_of_all_pages(node: LexborNode) -> bool:
    parent = node.parent
    while parent is not None:
        if parent.tag in _PARTS_OF_ALL_PAGES:
            return True
        parent = parent.parent
    return False


def _list_size(box: LexborNode) -> int:
    """Return the number of entries of a list each of which has a link; 0 for what is no list."""
    size = 0
    for entry in box.iter():
        if entry.tag == "-comment":
            continue
        if entry.css_first("a[href]") is None:
            return 0
        size += 1
    return size if size >= SEVERAL else 0
