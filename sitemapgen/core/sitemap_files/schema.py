"""Check of an XML sitemap's structure against its schema, with the lines of all breaches.

The rules are those of the official schemas (sitemap.xsd, siteindex.xsd, and Google's for images,
videos and news), in words for site owners. ``validate.py`` and ``values.py`` check the values.
The parser is expat, which reports line numbers and loads nothing external.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import inf
from typing import TYPE_CHECKING, NamedTuple
from xml.parsers import expat

from sitemapgen.core.document.media import MAX_IMAGES
from sitemapgen.core.sitemap_files.findings import Rule, quote_text
from sitemapgen.core.sitemap_files.read import encoding_of

if TYPE_CHECKING:
    Add = Callable[[Rule, int, str], None]
    OnEntry = Callable[[str, int, "Fields"], None]
    OnPart = Callable[[str, str, str, Mapping[str, str], int], None]

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"  # Search Console refuses https
_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance "
_XML = "http://www.w3.org/XML/1998/namespace "
MAX_DEPTH = 32
"""Maximum depth of nested elements; a deeper file is not read any further."""
MAX_NEWS = 1_000
"""Maximum news entries of one file (Google, "News sitemaps")."""
_MAX_TEXT = 1_048_576  # characters kept of one element; a longer value is an attack

Fields = dict[str, tuple[str, int]]
"""(text, line) of each field of an entry by its name; NEWS_FIELD is present if it is news."""
NEWS_FIELD = "news:news"

_ENTRY = {"urlset": "url", "sitemapindex": "sitemap"}
_FIELDS = {
    "urlset": ("loc", "lastmod", "changefreq", "priority"),
    "sitemapindex": ("loc", "lastmod"),
}
_FEEDS = {"rss": "rss", "feed": "atom", "RDF": "rdf"}


class _Shape(NamedTuple):
    """Schema of an element of an extension."""

    needs: tuple[str, ...] = ()
    """Required child elements."""
    may: frozenset[str] = frozenset()
    """Optional child elements."""
    attributes: tuple[str, ...] = ()
    """Required attributes."""
    is_open: bool = False
    """Whether any content is allowed."""


IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
_MOBILE = "http://www.google.com/schemas/sitemap-mobile/1.0"
_PAGEMAP = "http://www.google.com/schemas/sitemap-pagemap/1.0"

_SHAPES: Mapping[str, Mapping[str, _Shape]] = {
    IMAGE: {
        "image": _Shape(("loc",), frozenset({"caption", "geo_location", "title", "license"})),
    },
    VIDEO: {
        "video": _Shape(
            ("thumbnail_loc", "title", "description"),
            frozenset(
                """
                content_loc player_loc duration expiration_date rating content_segment_loc
                view_count publication_date tag category family_friendly restriction gallery_loc
                price requires_subscription uploader tvshow platform live id
                """.split()  # noqa: SIM905 - a word list, not code
            ),
        ),
        "restriction": _Shape(attributes=("relationship",)),
        "platform": _Shape(attributes=("relationship",)),
        "id": _Shape(attributes=("type",)),
        "tvshow": _Shape(is_open=True),
    },
    NEWS: {
        "news": _Shape(
            ("publication", "publication_date", "title"),
            frozenset({"access", "genres", "keywords", "stock_tickers"}),
        ),
        "publication": _Shape(("name", "language")),
    },
    XHTML: {"link": _Shape(attributes=("rel", "href"))},
    _MOBILE: {"mobile": _Shape()},
    _PAGEMAP: {"PageMap": _Shape(is_open=True)},
}
"""Schemas of elements by namespace and name; other elements contain text."""

_MOST = {"tag": 32, "content_segment_loc": inf, "price": inf, "id": inf}
"""Maximum occurrences of an element in its extension; one for all others."""

_TOPS = {
    **{"image": IMAGE, "video": VIDEO, "news": NEWS},
    **{"link": XHTML, "mobile": _MOBILE, "PageMap": _PAGEMAP},
}
"""Namespace of each extension element that may be a child of an entry."""


class _Element(NamedTuple):
    """An open element."""

    namespace: str
    name: str
    line: int
    shape: _Shape | None
    attributes: Mapping[str, str]
    seen: Counter[str]
    """Number of its child elements by name."""


_Fault = tuple[Rule, str]
_UNCHECKED: _Fault = Rule.EXTENSION_CONTENT, ""
"""Of what is in an element whose content may be any: no fault, but it is not read."""


class _Stop(Exception):
    """Ends the parsing: the rest of the file adds nothing."""


class SchemaReader:
    """Reads a sitemap; reports each breach of the schema and each entry, in the order of the file.

    ``add`` gets each breach. ``on_entry`` gets the format, the line of the entry, and its fields.
    ``on_part`` gets each element of an extension: its parent's name, its name, text, attributes and
    line.
    """

    def __init__(self, add: Add, on_entry: OnEntry, on_part: OnPart) -> None:
        self.add = add
        self.on_entry = on_entry
        self.on_part = on_part
        self.format = ""
        self._root = ""
        self._namespace = ""
        self._fields: tuple[str, ...] = ()
        self._stack: list[_Element] = []
        self._skipped = 0
        """Depth below an element that is ignored, itself included."""
        self._entries = 0
        self._entry: Fields = {}
        self._place = 0
        """Index of the first field that may come next."""
        self._images = self._news = 0
        """Images of this entry, and news of all entries."""
        self._text: list[str] | None = None
        self._length = 0
        self._parser: expat.XMLParserType

    def read(self, body: bytes) -> str:
        """Return ``urlset``, ``index``, ``rss``, ``atom`` or ``rdf``; empty for no sitemap.

        Feeds are read only up to their first tag.
        """
        self._parser = parser = expat.ParserCreate(encoding_of(body), " ")
        parser.buffer_text = True
        parser.StartElementHandler = self._handle_start
        parser.EndElementHandler = self._handle_end
        parser.CharacterDataHandler = self._handle_text
        parser.XmlDeclHandler = self._handle_declaration
        parser.StartDoctypeDeclHandler = self._handle_doctype
        parser.EntityDeclHandler = self._handle_entity
        parser.SkippedEntityHandler = self._unknown_entity
        try:
            # In one call: in pieces, expat rescans a tag of 50 MB with each of them.
            parser.Parse(body, True)
        except _Stop:
            return self.format
        except expat.ExpatError as error:
            if not self._root and body[:14].lower() == b"<!doctype html":
                self.add(Rule.NOT_A_SITEMAP, 1, "an HTML page")
                return ""
            what = expat.ErrorString(error.code)
            self.add(Rule.NOT_WELL_FORMED, error.lineno, f"{what}; the rest was not read")
            return self.format
        except (LookupError, ValueError):  # of pyexpat, for an encoding that it cannot read
            if self._root:
                raise
            self.add(Rule.NOT_WELL_FORMED, 1, "an encoding that cannot be read; nothing was read")
            return ""
        if not self._entries:
            self.add(Rule.EMPTY, 1, f"<{self._root}> has no <{_ENTRY[self._root]}>")
        return self.format

    # Before the first tag

    def _handle_declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding and encoding.lower() not in ("utf-8", "utf8", "us-ascii"):
            self.add(Rule.ENCODING, 1, f"the file is in {quote_text(encoding)}; write it in UTF-8")

    def _handle_doctype(self, name: str, *_: object) -> None:
        if name.lower() == "html":
            self.add(Rule.NOT_A_SITEMAP, self._line_number, "an HTML page")
            raise _Stop
        what = f"document type {quote_text(name)}; it is not loaded"
        self.add(Rule.DOCTYPE, self._line_number, what)

    def _handle_entity(self, name: str, *_: object) -> None:
        self.add(Rule.ENTITIES, self._line_number, f"declares {quote_text(name)}; nothing was read")
        raise _Stop

    def _unknown_entity(self, name: str, *_: object) -> None:
        what = f"uses {quote_text(name)}, which is not declared"
        self.add(Rule.ENTITIES, self._line_number, what)

    # Elements

    @property
    def _line_number(self) -> int:
        return self._parser.CurrentLineNumber

    def _handle_start(self, full_name: str, attributes: dict[str, str]) -> None:
        line = self._line_number
        namespace, _, name = full_name.rpartition(" ")
        depth = len(self._stack)
        if depth + self._skipped >= MAX_DEPTH:
            self.add(Rule.UNEXPECTED_ELEMENT, line, f"nested more than {MAX_DEPTH} elements deep")
            raise _Stop
        if self._skipped:
            self._skipped += 1
            return
        shape = fault = None
        if depth == 0:
            self._open_root(namespace, name, line)
        elif namespace == self._namespace:
            fault = self._open_own(depth, name, line)
        else:
            fault = self._open_extension(depth, namespace, name, line)
            shape = _SHAPES.get(namespace, {}).get(name, _Shape())
        if fault:
            self._skipped = 1
            if fault is not _UNCHECKED:
                self.add(fault[0], line, fault[1])
            return
        self._check_attributes(namespace, name, attributes, shape, line)
        if shape is not None and self._stack[-1].shape is not None and not shape.needs:
            self._text, self._length = [], 0
        self._stack.append(_Element(namespace, name, line, shape, attributes, Counter()))

    def _open_root(self, namespace: str, name: str, line: int) -> None:
        if name in _FEEDS and namespace != SITEMAP:
            self.format = _FEEDS[name]
            raise _Stop
        if name not in _ENTRY:
            what = "an HTML page" if name.lower() == "html" else f"{quote_text(name)} is no sitemap"
            self.add(Rule.NOT_A_SITEMAP, line, what)
            raise _Stop
        if namespace != SITEMAP:
            self.add(Rule.NAMESPACE, line, _wrong_namespace(namespace))
        self.format = "index" if name == "sitemapindex" else "urlset"
        self._root, self._namespace, self._fields = name, namespace, _FIELDS[name]

    def _open_own(self, depth: int, name: str, line: int) -> _Fault | None:
        """Enter an element of the sitemap's own namespace; return why it is not allowed here."""
        if depth == 1 and name == _ENTRY[self._root]:
            self._entries += 1
            self._entry, self._place, self._images = {}, 0, 0
            return None
        if depth == 2 and self._stack[1].namespace == self._namespace and name in self._fields:
            place = self._fields.index(name)
            if name in self._entry:
                return Rule.ELEMENT_ORDER, f"a second <{name}>; the first counts"
            if place < self._place:
                after = "the extensions" if self._place > len(self._fields) else "a later field"
                what = f"<{name}> after {after}; the order is {', '.join(self._fields)}"
                self.add(Rule.ELEMENT_ORDER, line, what)
            self._place = max(self._place, place + 1)
            self._text, self._length = [], 0
            return None
        if depth == 2 and name in _FIELDS["urlset"]:
            return Rule.UNEXPECTED_ELEMENT, f"<{name}> in an index"
        what = f"{quote_text(name)} in <{self._stack[-1].name}>; ignored"
        return Rule.UNEXPECTED_ELEMENT, what

    def _open_extension(self, depth: int, namespace: str, name: str, line: int) -> _Fault | None:
        """Enter an element of another namespace; return why it is ignored."""
        parent = self._stack[-1]
        if parent.shape is not None:
            return self._open_part(parent, parent.shape, namespace, name)
        if depth == 2 and parent.namespace == self._namespace:
            self._place = len(self._fields) + 1
            if _TOPS.get(name) == namespace:
                self._count_extension(name, line)
                return None
            if name in _TOPS:
                what = f"<{name}> in {quote_text(namespace)}; its namespace is {_TOPS[name]}"
                return Rule.EXTENSION_NAMESPACE, what
            if namespace in _SHAPES:
                what = f"{quote_text(name)} in {quote_text(namespace)}: unknown"
                return Rule.EXTENSION_CONTENT, what
        if depth > 2 or not namespace:
            where = "" if namespace else ", and in no namespace"
            return Rule.UNEXPECTED_ELEMENT, f"{quote_text(name)} in <{parent.name}>{where}"
        what = f"{quote_text(name)} in {quote_text(namespace)}: search engines ignore it"
        return Rule.UNKNOWN_NAMESPACE, what

    def _count_extension(self, name: str, line: int) -> None:
        self._images += name == "image"
        if name == "news":
            self._news += 1
            self._entry.setdefault(NEWS_FIELD, ("", line))
        if name == "image" and self._images == MAX_IMAGES + 1:
            self.add(Rule.EXTENSION_CONTENT, line, f"more than {MAX_IMAGES:,} images of one page")
        if name == "news" and self._news == MAX_NEWS + 1:
            self.add(Rule.EXTENSION_CONTENT, line, f"more than {MAX_NEWS:,} news in one file")

    def _open_part(
        self, parent: _Element, shape: _Shape, namespace: str, name: str
    ) -> _Fault | None:
        """Enter an element within an extension; return why it is ignored."""
        if shape.is_open:
            return _UNCHECKED
        if namespace != parent.namespace or not (name in shape.needs or name in shape.may):
            return Rule.EXTENSION_CONTENT, f"{quote_text(name)} in <{parent.name}>; ignored"
        parent.seen[name] += 1
        if parent.seen[name] == _MOST.get(name, 1) + 1:
            what = f"more <{name}> in <{parent.name}> than the {_MOST.get(name, 1)} allowed"
            self.add(Rule.EXTENSION_CONTENT, self._line_number, what)
        return None

    def _check_attributes(
        self, namespace: str, name: str, attributes: dict[str, str], shape: _Shape | None, line: int
    ) -> None:
        if shape is not None:
            given = {each for each, value in attributes.items() if value.strip()}
            missing = [each for each in shape.attributes if each not in given]
            if name == "link" and given.isdisjoint(("hreflang", "media")):
                missing.append("hreflang")
            if missing:
                self.add(Rule.EXTENSION_CONTENT, line, f"<{name}> without {' and '.join(missing)}")
            return
        for attribute in attributes:
            if namespace == self._namespace and not attribute.startswith((_INSTANCE, _XML)):
                what = f"<{name}> has an attribute {quote_text(attribute)}"
                self.add(Rule.STRAY_TEXT, line, what)

    def _handle_end(self, _full_name: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        element = self._stack.pop()
        if element.shape is not None:
            self._close_extension(element, element.shape, self._stack[-1].name)
        elif len(self._stack) == 2 and self._text is not None:
            self._entry[element.name] = ("".join(self._text), element.line)
            self._text = None
        elif len(self._stack) == 1:
            self.on_entry(self.format, element.line, self._entry)

    def _close_extension(self, element: _Element, shape: _Shape, parent: str) -> None:
        text = "".join(self._text or ())
        self._text = None
        self.on_part(parent, element.name, text, element.attributes, element.line)
        missing = [name for name in shape.needs if name not in element.seen]
        if element.name == "video" and not {"content_loc", "player_loc"} & element.seen.keys():
            missing.append("content_loc or player_loc")
        if missing:
            what = f"<{element.name}> without {', '.join(missing)}"
            self.add(Rule.EXTENSION_CONTENT, element.line, what)

    def _handle_text(self, text: str) -> None:
        if self._skipped or not self._stack:
            return
        if self._text is not None:
            if self._length < _MAX_TEXT:
                self._text.append(text)
                self._length += len(text)
            return
        element = self._stack[-1]
        holds_text = element.shape is not None and not element.shape.needs
        if not holds_text and not text.isspace():
            line = self._line_number - text.lstrip().count("\n")
            self.add(Rule.STRAY_TEXT, line, f"{quote_text(text.strip())} in <{element.name}>")


def _wrong_namespace(namespace: str) -> str:
    if not namespace:
        return f'without a namespace; write xmlns="{SITEMAP}"'
    if namespace == SITEMAP.replace("http:", "https:"):
        return f"https:// instead of http:// in the namespace; write {SITEMAP}"
    return f"{quote_text(namespace)} is not the namespace of sitemaps; write {SITEMAP}"
