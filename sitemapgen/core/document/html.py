"""HTML reader: links, directives, title, dates and main text of one document.

One tree, one walk over it. ``encoding.py`` turns bytes into text; ``core/eligibility.py`` and
``core/lastmod.py`` decide what the content means for the sitemap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapgen.core.document.dates import article_of, is_modified
from sitemapgen.core.document.labels import read_labels
from sitemapgen.core.document.main_text import (
    BREAK,
    MIN_HASHED_LENGTH,
    encode,
    excerpt_of,
    hash_of,
    join_text,
    parts_without_space,
    visible,
    without_ages,
)
from sitemapgen.core.document.markdown import convert_to_markdown
from sitemapgen.core.document.markup import Source, parse_markup, read_source
from sitemapgen.core.document.media import (
    BACKGROUNDS,
    DRAWINGS,
    Attributes,
    Media,
    backgrounds,
    drawing_geometry,
    media_sources,
)
from sitemapgen.core.document.novelty import sketch_page
from sitemapgen.core.document.on_page import Audit, count_words
from sitemapgen.core.document.scripted import (
    menu_addresses,
    menu_of,
    navigation_targets,
    script_links,
)
from sitemapgen.core.document.shingles import hash_subject, signature_of_parts
from sitemapgen.core.document.streamed import assemble_segments
from sitemapgen.core.document.structured import JsonLd
from sitemapgen.core.document.texts import BEGINNING, line
from sitemapgen.core.headers import QUALIFIERS, Refresh, read_refresh
from sitemapgen.core.robots import AGENTS
from sitemapgen.core.shapes import VersionUrl, is_date_segment, is_identifier
from sitemapgen.core.urls import base_of, path_names
from sitemapgen.core.urls import parse as parse_url
from sitemapgen.items import DocumentFacts, OnPage

MAX_LINKS = 50_000
"""Distinct links followed from one document; as many as the URLs of a full sitemap file."""
MAX_ALTERNATES = 1_000
"""Maximum kept per document, each: canonical links, ``rel=next`` or ``rel=prev``, hreflang."""
MAX_TITLE = 2_000
"""Characters kept of a title, a heading and a description."""
MAX_PROPERTIES = 1_000
"""Properties of Open Graph kept per document."""
MAX_CODE = 64
"""Characters kept of a language code."""
MAX_TIMES = 500
"""``<time>`` elements of updates that are read; a page with more is a list."""
META_ROBOTS = AGENTS | {"robots"}
"""Names of ``<meta>`` elements with directives for crawlers."""
META_DATES = {
    "article:modified_time": "article:modified_time",
    "dcterms.modified": "dcterms.modified",
    "dc.date.modified": "dcterms.modified",
}
"""By the name of a ``<meta>`` element: its source of a date, one of ``core.lastmod.SOURCES``."""

# The content of a <template> is not in the tree, so it needs no entry here.
NOISE_TAGS = frozenset(
    {
        *("script", "style", "noscript", "iframe", "noframes", "noembed", "svg"),
        *("nav", "footer", "aside", "select", "datalist"),
    }
)
NOISE_CLASSES = frozenset(
    {
        *("sidebar", "widget", "breadcrumb", "breadcrumbs"),
        *("cookie-banner", "cookie-notice", "cookie-consent"),
    }
)
# Some pages are hidden as a whole until their script runs, and classes of <body> name layouts.
_NEVER_NOISE = frozenset({"html", "body", "main"})
_SHOWN = BACKGROUNDS | {"hidden", "aria-hidden"}
"""Attributes that hide an element, or show something behind it."""

_SPACE = "\t\n\f\r "
_CONTROL_OR_SPACE = "".join(map(chr, range(0x21)))
_TAB_OR_NEWLINE = re.compile(r"[\t\n\r]+")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_HIDING_STYLE = re.compile(rf"display[{_SPACE}]*:[{_SPACE}]*none", re.IGNORECASE)
_TITLE_SEPARATOR = re.compile(r"(.+) (\||::|»|·|-|–|—) (.+)")  # noqa: RUF001 (dashes are meant)
_SITE_NAME_SEPARATORS = frozenset({"|", "::", "»", "·"})
_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
_NOSCRIPT = re.compile(r"</?noscript(?=[\t\n\f\r />])[^>]*>?", re.IGNORECASE)
_IMAGE_IN_NOSCRIPT = re.compile(r"<img\b", re.IGNORECASE)
_LINK_IN_NOSCRIPT = re.compile(r"<(?:a|area|i?frame|meta)\b", re.IGNORECASE)


class Anchor(NamedTuple):
    """One link as written in the document."""

    href: str
    """Not resolved; without fragment, surrounding spaces, tabs and line breaks."""
    nofollow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(DocumentFacts):
    """Content of an HTML document; its URLs are raw, relative to ``base`` and the page's URL."""

    encoding: str
    """WHATWG name, lower case."""
    base: str
    """The first ``<base href>``; empty if there is none."""
    anchors: tuple[Anchor, ...]
    """Distinct links to follow, in document order, at most ``MAX_LINKS``; one that occurs both with
    and without nofollow counts as without."""
    routes: tuple[str, ...]
    """Distinct hrefs that end in ``#/about`` or ``#!about``: views that scripts render."""
    robots: tuple[tuple[str, str], ...]
    """``<meta>`` directives: (robots, googlebot or sitemapgen; raw content)."""
    canonicals: tuple[str, ...]
    """``rel=canonical`` in the head. Google ignores it in the body, where users can write."""
    qualified: tuple[tuple[str, str], ...]
    """``rel=canonical`` that does not count: (href, the attribute for which)."""
    refresh: str
    """Target of ``<meta http-equiv=refresh>``; empty without one, or if the page reloads itself."""
    refresh_delay: int
    """Seconds before the refresh; 0 without one."""
    description: str
    """The first ``<meta name=description>`` as one line, at most ``MAX_TITLE`` characters."""
    hreflang: tuple[tuple[str, str], ...]
    """Alternates in the head: (language in lower case, href)."""
    dates: tuple[tuple[str, str], ...]
    """Dates of modification that the page states: (source, as written)."""
    images: tuple[str, ...]
    """Distinct ``<img src>``, at most 1,000."""
    pictures: tuple[str, ...]
    """Distinct images, lazily loaded ones included, without icons, spacers and tracking pixels."""
    picture_names: tuple[str, ...]
    """``media.picture_url`` of each of ``pictures``: by that other pages show it as well."""
    open_graph: tuple[tuple[str, str], ...]
    """``<meta property="og:...">``: (property in lower case, content), in document order."""
    json_ld: tuple[str, ...]
    """Texts of the JSON-LD scripts."""
    on_page: OnPage
    """Without ``nofollow_links``; ``mixed_content`` as if the page were of https."""
    has_password: bool = False
    """Whether it has a field for a password."""
    links_cut: int = 0
    """Approximate number of further links; those of tags that were not read may be duplicates."""
    labels: tuple[tuple[Anchor, str, str], ...] = ()
    """(link, kind, text) of each linking element, in document order; empty unless requested."""
    markdown: str = ""
    """The main text as Markdown, its links absolute; empty unless requested."""


class ReadOptions(NamedTuple):
    """What is read of documents beyond what each crawl needs."""

    labels: bool = False
    """Kinds and texts of links."""
    markdown: bool = False
    description: bool = False
    extensions: frozenset[str] = frozenset()
    """The ``core.document.extensions.KINDS`` that sitemap entries are to have."""
    sketch: bool = False
    """The sketch, which documents that link to themselves with parameters always have."""
    judges_scripts: bool = False
    """Whether the crawl finds out what scripts add, so that the bytes of a document with scripts
    and hardly any text identify copies of it."""


BARE = ReadOptions()


def parse_document(
    body: bytes,
    content_type: str = "",
    *,
    source: Source | None = None,
    url: str = "",
    options: ReadOptions = BARE,
) -> Document:
    """Read a document in one pass; any bytes give a Document, nothing raises.

    ``content_type`` is the HTTP header; ``source``, the result of ``read_source`` if the body was
    read before; ``url`` the URL of the document. The links are those of the whole document, the
    text that of the document without its noise.
    """
    source = source or read_source(body, content_type)
    # As in a browser and at Google, <noscript> is one text node, so that a tracking image in it
    # does not close the head before the canonical link.
    tree, links_cut = source.parse()
    reader, roots = _walk_tree(tree, source.text)
    reader.read_script_links(roots, source.text)
    links_cut += reader.read_noscripts()
    reader.read_headings()
    reader.read_times()
    labels = tuple(_anchor_labels(roots, reader)) if options.labels else ()
    main_text = join_text(tree.body, roots[1:], reader.noise)
    anchors, routes = _clean_anchors(reader.hrefs)
    hrefs, media, title = reader.hrefs, reader.media, reader.title or ""
    sketch, markdown = b"", ""
    if options.sketch or _leads_below(url, hrefs) or _leads_within(url, hrefs):
        shown = (*media.shown, *media.drawings)
        sketch = sketch_page(main_text.split(BREAK), shown, (url, *hrefs), title, media.sources)
    if options.markdown:
        base = base_of(url, reader.base or "")
        markdown = convert_to_markdown(
            visible(tree.body, roots[1:]),
            lambda href: None if href[:1] == "#" else parse_url(href, base, source.encoding),
        )
    return _fill_document(
        reader,
        main_text,
        encoding=source.encoding,
        anchors=anchors[:MAX_LINKS],
        routes=routes[:MAX_LINKS],
        links_cut=links_cut + max(len(anchors) - MAX_LINKS, 0),
        labels=labels,
        sketch=sketch,
        markdown=markdown,
    )


def _fill_document(reader: _Reader, main_text: str, **others: Any) -> Document:
    """Return the document of a walk and its main text; ``others``: the fields of neither."""
    media, written_title = reader.media, reader.title or ""
    encoded = encode(main_text)
    dense, parts = parts_without_space(encoded)
    length = len(dense) if dense.isascii() else len(dense.decode())
    signed, unbroken = signature_of_parts(dense, parts, media.sources)
    title = _clean_title(written_title, reader.site_names)
    language = reader.language or reader.content_language
    hashed = content_hash = None
    if length >= MIN_HASHED_LENGTH:
        whole, lasting = hash_of(dense), without_ages(dense)
        hashed = whole if len(lasting) == len(dense) else hash_of(lasting)
        equal = (str(whole), title, language, *media.sources, *media.drawings)
        content_hash = hash_of("\n".join(equal).encode("utf-8", "replace"))
    return Document(
        base=reader.base or "",
        robots=tuple(reader.robots),
        canonicals=tuple(dict.fromkeys(reader.canonicals))[:MAX_ALTERNATES],
        qualified=tuple(reader.qualified.items())[:MAX_ALTERNATES],
        refresh=reader.refresh.target if reader.refresh else "",
        refresh_delay=reader.refresh.delay if reader.refresh else 0,
        title=title,
        title_length=len(written_title),
        description=reader.description or "",
        h1=reader.h1,
        language=language,
        hreflang=tuple(dict.fromkeys(reader.hreflang))[:MAX_ALTERNATES],
        dates=tuple(dict.fromkeys(reader.dates)),
        images=tuple(media.images),
        pictures=tuple(media.pictures),
        picture_names=tuple(media.pictures.values()),
        open_graph=tuple(reader.open_graph),
        json_ld=tuple(reader.json_ld.scripts),
        on_page=reader.audit.facts(count_words(encoded), reader.json_ld),
        has_password=reader.has_password,
        excerpt=excerpt_of(main_text),
        text_length=length,
        text_hash=hashed,
        content_hash=content_hash,
        subject=hash_subject(title, reader.heading, language) if signed else None,
        signature=signed,
        unbroken=unbroken,
        **others,
    )


def excerpt_of_rest(tree: LexborHTMLParser, text: str) -> str:
    """Return the excerpt of a tree of which elements were removed; it also loses its noise.

    ``text``: the document's source.
    """
    tree.merge_text_nodes()  # as if the rest had been parsed: no space where an element was
    reader, roots = _walk_tree(tree, text)
    return excerpt_of(join_text(tree.body, roots[1:], reader.noise))


def _walk_tree(tree: LexborHTMLParser, text: str) -> tuple[_Reader, list[LexborNode]]:
    """Read a tree with its shadow roots; return the reader and these roots, the tree's first."""
    assemble_segments(tree, text)
    reader = _Reader()
    roots = [tree.root] if tree.root else []
    for root in roots:
        reader.read(root)
        if reader.has_shadow_roots:
            reader.has_shadow_roots = False
            for fragment in root.template_fragments():
                mode = fragment.parent.attributes.get("shadowrootmode") if fragment.parent else None
                if (mode or "").lower() in ("open", "closed"):  # declarative, unlike a template
                    roots.append(fragment)
    return reader, roots


_RELATIVE = re.compile(r"[^/#.:]+(/|$)")
"""A reference to a directory of the document's own, or to a neighbour."""
MIN_BELOW = 4
"""Links to paths with the names of its own and others that make a document a list; fewer are parts
of a page."""


def _leads_below(url: str, hrefs: Iterable[str]) -> bool:
    """Return whether a document links to its own path with parameters, or to paths with more names.

    These are lists with filters, and pages whose links may go on without end.
    """
    path = url.partition("?")[0]
    name = path.rpartition("/")[2]
    names = path_names(path.partition("://")[2])[1:]
    if names:
        longer = {href for href in hrefs if names[-1] in href and "?" not in href}
        if sum({*names} < {*path_names(href)} for href in longer) >= MIN_BELOW:
            return True
    for before, mark, _ in (href.partition("?") for href in hrefs):
        if mark and (not before or (before.endswith(name) and path.endswith(before.lstrip("./")))):
            return True
        if (not name or "/" in before) and _RELATIVE.match(before):
            return True
    return False


def _leads_within(url: str, hrefs: Iterable[str]) -> bool:
    """Return whether a document links to further paths below an identifier of its own path.

    That may be the identifier of a version. The parts of a date are none.
    """
    values = [
        f"/{each.value}/"
        for each in VersionUrl.in_path(url, is_identifier)
        if not (is_date_segment(each.value) or is_date_segment(each.place.rsplit("/", 2)[1]))
    ]
    return any(value in href for value in values for href in hrefs)


def _anchor_labels(roots: list[LexborNode], reader: _Reader) -> Iterable[tuple[Anchor, str, str]]:
    refresh = reader.refresh.target if reader.refresh else ""
    scripted = ((href, "script", "") for href in reader.script_links)
    for raw, kind, text in (*read_labels(roots, reader.hrefs, refresh), *scripted):
        for anchor in _clean_anchors({raw: reader.hrefs[raw]})[0]:
            yield anchor, kind, text


class _Reader:
    """Collects the facts of one document, element by element in document order."""

    def __init__(self) -> None:
        self.in_head = True
        self.has_shadow_roots = False
        self.has_password = False
        self.base: str | None = None
        self.hrefs: dict[str, bool] = {}
        self.script_links: dict[str, None] = {}
        self.robots: list[tuple[str, str]] = []
        self.canonicals: list[str] = []
        self.qualified: dict[str, str] = {}
        self.refresh: Refresh | None = None
        self.title: str | None = None
        self.description: str | None = None
        self.heading = ""
        self.h1 = ""
        self.site_names: set[str] = set()
        self.language = ""
        self.content_language = ""
        self.hreflang: list[tuple[str, str]] = []
        self.dates: list[tuple[str, str]] = []
        self.open_graph: list[tuple[str, str]] = []
        self.json_ld = JsonLd()
        self.media = Media()
        self.audit = Audit()
        self.noise: list[LexborNode] = []
        self._noscripts: list[str] = []
        self._menus: dict[int, list[str]] = {}
        self._times: list[tuple[int, str | None]] = []
        self._times_met = 0
        self._last_heading: LexborNode | None = None
        self._first_heading: LexborNode | None = None
        self._headed = 0

    def read(self, root: LexborNode) -> None:
        """Read a tree, or the content of a shadow root."""
        by_tag, is_noise_class, noise = self._BY_TAG, _is_noise_class, self.noise
        for node in root.traverse():
            tag, attributes = node.tag, node.attributes
            if tag in by_tag:
                by_tag[tag](self, node, attributes)
            if tag in NOISE_TAGS:
                noise.append(node)
            elif attributes:
                classes = attributes.get("class")
                if classes and is_noise_class(classes):
                    if tag not in _NEVER_NOISE:
                        noise.append(node)
                elif (not classes or len(attributes) > 1) and not _SHOWN.isdisjoint(attributes):
                    self._read_styled(node, attributes)

    def _read_styled(self, node: LexborNode, attributes: Attributes) -> None:
        if node.tag not in self._BY_TAG:
            self.media.add(backgrounds(attributes))
        is_hidden = (
            "hidden" in attributes
            or (attributes.get("aria-hidden") or "").lower() == "true"
            or _HIDING_STYLE.search(attributes.get("style") or "") is not None
        )
        if is_hidden and node.tag not in _NEVER_NOISE:
            self.noise.append(node)

    def read_noscripts(self) -> int:
        """Add the links that ``<noscript>`` holds for clients without scripts, and its images.

        Returns how many links were left out.
        """
        markup = _NOSCRIPT.sub(" ", "\n".join(self._noscripts))  # inner tags would only nest
        if _IMAGE_IN_NOSCRIPT.search(markup):
            self.media.drawings.append(markup)
        if not _LINK_IN_NOSCRIPT.search(markup):
            return 0
        inner = _Reader()
        tree, links_cut = parse_markup(markup, scripting=False)
        if tree.root:
            inner.read(tree.root)
        for href, nofollow in inner.hrefs.items():
            self._add_href(href, nofollow)
        return links_cut

    def read_script_links(self, roots: list[LexborNode], text: str) -> None:
        """Add the links that only a script follows; ``roots``: the tree and its shadow roots."""
        found = list(script_links(roots, text))
        for href in self.hrefs:
            if href[:11].lower() == "javascript:":
                found += navigation_targets(href)
        for values in self._menus.values():
            found += menu_addresses(values)
        self.script_links = dict.fromkeys(found)
        for href in self.script_links:
            self._add_href(href, False)

    def _add_href(self, href: str, nofollow: bool) -> None:
        self.hrefs[href] = nofollow and self.hrefs.get(href, True)

    def _read_html(self, _: LexborNode, attributes: Attributes) -> None:
        self.language = _clean_code(attributes.get("lang"))

    def _leave_head(self, _: LexborNode, __: Attributes) -> None:
        self.in_head = False

    def _read_base(self, _: LexborNode, attributes: Attributes) -> None:
        if self.base is None and "href" in attributes:
            self.base = (attributes["href"] or "").strip(_SPACE)

    def _read_title(self, node: LexborNode, _: Attributes) -> None:
        in_html = self.in_head or (node.parent is not None and node.parent.tag == "body")
        if self.title is None and in_html:  # not the title of an SVG image
            self.title = line(node.text())[:MAX_TITLE].rstrip()

    def _keep_heading(self, node: LexborNode, _: Attributes) -> None:
        self._last_heading = node  # an <h1> with the site's name comes before the page's own
        self._first_heading = self._first_heading or node
        self.audit.h1s += 1

    def read_headings(self) -> None:
        """Take the texts of the first and the last ``<h1>``, and the article that this heads."""
        if self._last_heading is None or self._first_heading is None:
            return
        self.heading = line(self._last_heading.text())[:MAX_TITLE]
        self._headed = article_of(self._last_heading)[1]
        self.h1 = self.heading
        if self.audit.h1s > 1:
            self.h1 = line(self._first_heading.text())[:MAX_TITLE]
        if not self.h1 and (image := self._first_heading.css_first("img[alt]")):
            self.h1 = line(image.attributes["alt"] or "")[:MAX_TITLE]

    def _read_meta(self, _: LexborNode, attributes: Attributes) -> None:
        content = attributes.get("content") or ""
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        directive = (attributes.get("http-equiv") or "").strip().lower()
        if name in META_ROBOTS:
            self.robots.append((name, content))
        elif name == "description" and self.description is None:
            self.description = line(content)[:MAX_TITLE].rstrip()
        elif name in META_DATES:
            self._add_date(META_DATES[name], content)
        elif name in ("og:site_name", "application-name"):
            self.site_names.add(" ".join(content.split()).casefold())
        if name[:3] == "og:" and len(self.open_graph) < MAX_PROPERTIES:
            self.open_graph.append((name, content[:BEGINNING]))
        if directive == "refresh" and self.refresh is None:
            self.refresh = read_refresh(content)
            if self.refresh and self.refresh.target:
                self._add_href(self.refresh.target, False)
        elif directive == "content-language" and not self.content_language:
            self.content_language = _clean_code(content)
        elif directive == "content-security-policy":
            self.audit.add_policy(content)

    def _read_link(self, _: LexborNode, attributes: Attributes) -> None:
        href = (attributes.get("href") or "").strip(_SPACE)
        if not href:
            return
        rel = (attributes.get("rel") or "").lower().split()
        if "stylesheet" in rel:
            self.audit.add_resource(href)
        is_page = "alternate" in rel and "stylesheet" not in rel  # not a feed or data
        if is_page and (kind := attributes.get("type")):
            is_page = kind.partition(";")[0].strip().lower() in _PAGE_TYPES
        if is_page or not {"next", "prev", "canonical"}.isdisjoint(rel):
            self._add_href(href, "nofollow" in rel)
        if not self.in_head:
            return
        if "canonical" in rel and href[0] != "#":  # a fragment names no other page
            if qualifier := next((name for name in QUALIFIERS if name in attributes), ""):
                self.qualified.setdefault(href, qualifier)
            else:
                self.canonicals.append(href)
        if is_page and (language := attributes.get("hreflang")):
            self.hreflang.append((_clean_code(language), href))

    def _read_anchor(self, node: LexborNode, attributes: Attributes) -> None:
        href = attributes.get("href")
        if href is None:
            href = attributes.get("xlink:href")  # SVG 1.1
        if not href:
            return
        if rel := attributes.get("rel"):
            self._add_href(href, "nofollow" in rel.lower().split())
        else:
            self.hrefs[href] = False
        first = node.first_child
        if first is None or not first.is_text_node or first.is_empty_text_node:
            self.audit.add_link(node)

    def _read_frame(self, _: LexborNode, attributes: Attributes) -> None:
        if source := attributes.get("src"):
            self._add_href(source, False)
            self.audit.add_resource(source)
            self.media.sources.append(source)

    def _read_player(self, _: LexborNode, attributes: Attributes) -> None:
        self.media.add(media_sources(attributes))

    def _read_image(self, _: LexborNode, attributes: Attributes) -> None:
        self.audit.add_image(attributes, self.media.add_image(attributes))

    def _read_drawing(self, _: LexborNode, attributes: Attributes) -> None:
        self.media.drawings.append(drawing_geometry(attributes))

    def _read_path(self, _: LexborNode, attributes: Attributes) -> None:
        self.media.drawings.append(attributes.get("d") or "")

    def _read_words(self, node: LexborNode, _: Attributes) -> None:
        self.media.drawings.append(node.text(deep=False))

    def _read_time(self, node: LexborNode, attributes: Attributes) -> None:
        if self._times_met < MAX_TIMES and is_modified(node, attributes):
            self._times_met += 1
            is_own, article = article_of(node)
            if is_own:
                self._times.append((article, attributes.get("datetime")))

    def read_times(self) -> None:
        """Take the dates of the document's own article.

        Of several articles it is the one with the last ``<h1>``; the others are teasers.
        """
        if len({article for article, _ in self._times}) > 1:
            self._times = [each for each in self._times if each[0] in (0, self._headed)]
        for _, value in self._times:
            self._add_date("time", value)

    def _read_script(self, node: LexborNode, attributes: Attributes) -> None:
        kind = attributes.get("type")
        if kind and kind.strip().lower() == "application/ld+json":
            for modified in self.json_ld.read(node.text()):
                self._add_date("json_ld", modified)
        elif source := attributes.get("src"):
            self.audit.add_resource(source.strip(_SPACE))

    def _add_date(self, source: str, value: str | None) -> None:
        if value and value.isascii() and (value := value.strip()):
            self.dates.append((source, value))

    def _read_option(self, node: LexborNode, attributes: Attributes) -> None:
        menu = menu_of(node)
        if menu is not None:
            self._menus.setdefault(menu, []).append(attributes.get("value") or "")

    def _read_input(self, _: LexborNode, attributes: Attributes) -> None:
        if (attributes.get("type") or "").strip().lower() == "password":
            self.has_password = True
        self.media.add(backgrounds(attributes))

    def _read_noscript(self, node: LexborNode, _: Attributes) -> None:
        self._noscripts.append(node.text())

    def _read_template(self, _: LexborNode, attributes: Attributes) -> None:
        self.has_shadow_roots = self.has_shadow_roots or "shadowrootmode" in attributes

    # Not bound methods: in a reference cycle with the reader they would keep the tree in memory
    # until the garbage collector runs.
    _BY_TAG: ClassVar[dict[str | None, Callable[[_Reader, LexborNode, Attributes], None]]] = {
        "html": _read_html,
        "body": _leave_head,
        "frameset": _leave_head,
        "base": _read_base,
        "title": _read_title,
        "h1": _keep_heading,
        "meta": _read_meta,
        "link": _read_link,
        "a": _read_anchor,
        "area": _read_anchor,
        "frame": _read_frame,
        "iframe": _read_frame,
        "img": _read_image,
        **dict.fromkeys(("audio", "embed", "object", "source", "video"), _read_player),
        **dict.fromkeys(DRAWINGS, _read_drawing),
        "path": _read_path,
        **dict.fromkeys(("text", "tspan"), _read_words),
        "time": _read_time,
        "script": _read_script,
        "input": _read_input,
        "option": _read_option,
        "noscript": _read_noscript,
        "template": _read_template,
    }


def _clean_anchors(hrefs: dict[str, bool]) -> tuple[tuple[Anchor, ...], tuple[str, ...]]:
    """Clean hrefs as a browser does before it resolves them: (those that can be pages, routes).

    Routes are the raw hrefs whose fragment starts with ``/`` or ``!``.
    """
    anchors: dict[str, bool] = {}
    routes: list[str] = []
    for raw, nofollow in hrefs.items():
        href, _, fragment = raw.partition("#")
        if fragment and fragment[0] in "/!":
            routes.append(line(raw))
        href = href.strip(_CONTROL_OR_SPACE)
        if not href.isprintable():
            href = _TAB_OR_NEWLINE.sub("", href)
        if not href or href in anchors:
            if not nofollow and href:
                anchors[href] = False
            continue
        scheme = _SCHEME.match(href) if ":" in href else None
        if scheme is None or scheme[1].lower() in ("http", "https"):
            anchors[href] = nofollow
    return tuple(map(Anchor._make, anchors.items())), tuple(routes)


@lru_cache(maxsize=4_096)  # a site uses the same classes on every page
def _is_noise_class(classes: str) -> bool:
    return not NOISE_CLASSES.isdisjoint(classes.lower().split())


def _clean_code(value: str | None) -> str:
    return (value or "")[:MAX_CODE].strip().lower()


def _clean_title(title: str, site_names: set[str]) -> str:
    """Cut the site's name off the end: ``About Us | MySite`` becomes ``About Us``.

    After a hyphen or dash the last part may be the page's own, so it is cut only if it equals the
    page's ``og:site_name`` or ``application-name``.
    """
    found = _TITLE_SEPARATOR.fullmatch(title)
    if found and (found[2] in _SITE_NAME_SEPARATORS or found[3].casefold() in site_names):
        return found[1]
    return title
