"""Assembly of HTML that React streams: late segments move to their places.

A server that streams (React 18 and later, ``renderToPipeableStream``; the App Router of Next.js)
sends the shell of a page first, with a fallback and a ``<template>`` in place of each part that
takes longer, and the parts later, in hidden elements at the end, each with a call that moves it:

- ``$RC("B:1","S:1")``, ``$RR("B:1","S:1",[styles])``: a segment replaces the fallback of a
  Suspense boundary, all between ``<!--$?-->`` and ``<!--/$-->``;
- ``$RS("S:2","P:2")``: a segment replaces a placeholder within another segment;
- ``$RX("B:1")``: the server failed on a boundary, and the client will render it.

Titles, metadata and canonical links of late parts are children of the body, where no user of a
site can write; they are moved to the head. The calls are parsed, not run. The instructions are
those of React's ``ReactFizzInstructionSetShared.js``. ``html.py`` reads links and text;
``core/rendering/detect.py`` decides whether the page still has to be rendered.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapgen.core.document.markup import SelectolaxError

MAX_SEGMENTS = 2_000
"""Calls of one document that are applied; the boundaries of further ones stay open."""
MAX_FALLBACK = 500
"""Sibling nodes of a fallback that is removed; a longer one, or one without its end, stays."""

_CALL = re.compile(r'\$(R[CRS])\(\s*"([^"\\]{1,80})"\s*,\s*"([^"\\]{1,80})"')
_CODE = re.compile(
    r"\s*(?:\$R[A-Z]\s*[=(]|function \$R[A-Z]\(|requestAnimationFrame\(function\(\)\{\$RT\b"
    r"|\(?self\.__next_f\b)"
)
_OPENERS = frozenset({"$", "$?", "$~", "$!", "&"})
_CLOSERS = frozenset({"/$", "/&"})
_FOR_HEAD = ("link", "meta", "title")
_HIDING = ("hidden", "aria-hidden", "style")


def is_stream_code(code: str) -> bool:
    """Return whether an inline script only places segments or carries data for React."""
    return _CODE.match(code) is not None


def assemble_segments(tree: LexborHTMLParser, text: str) -> None:
    """Move the segments of a streamed document to their places, and its metadata to the head.

    ``text`` is the document's source. Each segment is moved once, as a whole.
    """
    if "$" not in text or "$R" not in text or not _CALL.search(text):  # cheapest first
        return
    calls = [
        call
        for script in tree.css("script")
        if "$R" in (code := script.text()) and is_stream_code(code)
        for call in _CALL.findall(code)
    ][:MAX_SEGMENTS]
    if calls and tree.head is not None and tree.body is not None:
        for node in list(tree.body.iter()):
            if node.tag in _FOR_HEAD:
                tree.head.insert_child(node, move=True)
    named = {name for _, *names in calls for name in names}
    places: dict[str, LexborNode] = {}
    for node in tree.css("[id]") if calls else ():
        if (name := node.attributes.get("id") or "") in named:
            places.setdefault(name, node)
    for function, first, second in calls:
        target, source = (second, first) if function == "RS" else (first, second)
        segment = places.pop(source, None)
        if segment is None:
            continue
        place = places.pop(target, None)
        if place is not None and place.tag == "template":
            _place_segment(segment, place, places, is_boundary=function != "RS")


def count_pending(tree: LexborHTMLParser) -> int:
    """Count the Suspense boundaries without content yet, or left to the client."""
    return sum(
        node.prev is not None and node.prev.comment_content in ("$?", "$!")
        for node in tree.css("template")
        if node.prev is not None and node.prev.is_comment_node
    )


def _place_segment(
    segment: LexborNode, place: LexborNode, places: dict[str, LexborNode], *, is_boundary: bool
) -> None:
    """Move a segment to its place; remove what it replaces, and the places within that."""
    holder = _table_around(segment)
    if segment.child is not None:
        try:
            place.insert_before(segment, move=True)
        except SelectolaxError:  # into itself: React writes no such call
            return
    for name in _HIDING:
        if name in segment.attributes:
            del segment.attrs[name]
    for node in [place, *(_fallback_nodes(place) if is_boundary else ())]:
        for inner in node.css("template[id]"):
            places.pop(inner.attributes.get("id") or "", None)
        node.decompose()
    if segment.child is None:
        segment.decompose()
    if holder is not None:
        holder.decompose()


def _table_around(segment: LexborNode) -> LexborNode | None:
    """Return the hidden table around a segment of rows; None for any other segment."""
    node = segment.parent
    while node is not None and node.tag in ("tbody", "tr", "colgroup"):
        node = node.parent
    is_hidden_table = node is not None and node.tag == "table" and "hidden" in node.attributes
    return node if is_hidden_table else None


def _fallback_nodes(place: LexborNode) -> list[LexborNode]:
    """Return the nodes between a boundary's template and the comment that ends the boundary."""
    found: list[LexborNode] = []
    depth, node = 0, place.next
    while node is not None and len(found) < MAX_FALLBACK:
        word = node.comment_content if node.is_comment_node else None
        if word in _CLOSERS:
            if depth == 0:
                return found
            depth -= 1
        elif word in _OPENERS:
            depth += 1
        found.append(node)
        node = node.next
    return []
