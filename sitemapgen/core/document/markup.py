"""Safe entrance to the HTML parser: all text for lexbor passes through here.

lexbor is written in C. Two of the 2,231 named character references of HTML are longer in UTF-8 than
their names, and lexbor writes them over the end of its buffer (``docs/explanation/parser.md``);
they are replaced by their characters before parsing. ``bombs.py`` cuts down documents that would
take the parser seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, SelectolaxError

from sitemapgen.core.document.bombs import Defused, defuse_document
from sitemapgen.core.document.encoding import decode_document

LONGER_THAN_THEIR_NAMES = {
    "&nGt;": "\u226b\u20d2",
    "&nLt;": "\u226a\u20d2",
}
"""Named character references with more bytes than their names -> their characters."""
_LONGER = re.compile("|".join(LONGER_THAN_THEIR_NAMES))
# Without events a <select> of n options does not take n squared steps to parse, and the content of
# an <option> is not copied into each <selectedcontent>.
_OPTIONS = LexborDocumentOptions.WO_EVENTS.value


class Markup(NamedTuple):
    """A parsed document."""

    tree: LexborHTMLParser
    links_cut: int
    """Number of links that the tree lacks because the document has too many tags."""


@dataclass(slots=True)
class Source:
    """Text of a document, which is parsed once for the reader and the detection of rendering."""

    text: str
    """As the server sent it."""
    encoding: str
    """WHATWG name, lower case."""
    defused: Defused
    """The text for the parser."""
    _parsed: Markup | None = None

    def parse(self) -> Markup:
        """Build the tree, as in a browser that runs scripts: content of ``<noscript>`` is text.

        The caller may change it: each call returns another one.
        """
        parsed, self._parsed = self._parsed, None
        return parsed or _build_tree(self.defused, scripting=True)

    def copy(self) -> LexborHTMLParser:
        """Return a copy of the tree that the next ``parse`` returns."""
        self._parsed = self._parsed or _build_tree(self.defused, scripting=True)
        return self._parsed.tree.clone()


def read_source(body: bytes, content_type: str = "") -> Source:
    """Decode a document and cut down what is too much for the parser; nothing raises.

    ``content_type`` is the HTTP header.
    """
    text, encoding = decode_document(body, content_type)
    return Source(text, encoding, defuse_document(text))


def parse_markup(text: str, *, scripting: bool) -> Markup:
    """Build the tree of a document; any text gives one, in time linear in its length.

    ``scripting``: parse as a browser that runs scripts: the content of ``<noscript>`` is text.
    """
    return _build_tree(defuse_document(text, scripting=scripting), scripting=scripting)


def is_selector(selector: str) -> bool:
    """Return whether a text is a CSS selector."""
    tree = LexborHTMLParser("", options=_OPTIONS)
    try:
        tree.css_first(_harmless(selector))
    except SelectolaxError:
        return False
    return True


def _build_tree(defused: Defused, *, scripting: bool) -> Markup:
    tree = LexborHTMLParser(_harmless(defused.text), scripting=scripting, options=_OPTIONS)
    return Markup(tree, defused.links_cut)


def _harmless(text: str) -> str:
    return _LONGER.sub(lambda name: LONGER_THAN_THEIR_NAMES[name[0]], text)
