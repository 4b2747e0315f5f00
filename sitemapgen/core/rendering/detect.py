"""Detection of documents that need a browser, with the reason.

``learn.py`` learns from what the browser added; ``middlewares/rendering.py`` renders.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from sitemapgen.core.document.html import META_ROBOTS
from sitemapgen.core.document.markup import Source, is_selector, parse_markup, read_source
from sitemapgen.core.document.scripted import is_executable
from sitemapgen.core.document.streamed import assemble_segments, count_pending, is_stream_code
from sitemapgen.core.document.texts import squeeze
from sitemapgen.core.rendering.lists import goes_on, is_end_of_list
from sitemapgen.core.url_forms import template

AUTO, CLASSIC = "auto", "classic"

MAX_HINTS = 8
"""Empty containers in a signature; of more only the first ones are kept."""
MAX_SIGNATURE = 300
"""Characters of a family or a template; a longer family is replaced by its hash."""
MAX_ELEMENTS = 50
"""Elements per selector whose content is read; the limit bounds the cost of nested ones."""
LARGEST_SHELL = 1_500
"""Characters of visible text from which a document is not compared with the shell."""
PLACEHOLDER = 60
"""Maximum characters of an element whose text is only a placeholder, "Loading ..."."""

FILLS_LINKS = "fills_links"
"""Hint that scripts set the targets of anchors without one."""
GOES_ON = "goes_on"
"""Hint that a list goes on where scripts load more of it."""

ROOT_SELECTORS = "SITEMAPGEN_RENDERING_ROOT_SELECTORS"
_CONTAINERS = frozenset(
    "article aside div footer header main nav ol section tbody ul".split()  # noqa: SIM905
)
_TEXT_LEAVES = f":is({', '.join(sorted(_CONTAINERS))}, p, span, li, td):not(:has(*))"
_SECTIONS = frozenset({"article", "aside", "div", "section"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_FILLED = (
    "a[href], audio, button, canvas, embed, form, iframe, img, input, object, picture, svg, video"
)
"""Elements that are visible without text."""
_DATA = ("data-", "hx-", "ng-", "v-", "x-")
_MARKING = frozenset({"class", "hidden", "id", "name", "role", "slot", "style", "title"})
"""Attributes of a custom element that carry no content."""
_NOT_CUSTOM = ("annotation-", "color-profile", "font-face", "missing-glyph")  # SVG, MathML
_SILENT = ["script", "style", "noscript", "template", "title"]
_LAZY = 'turbo-frame[src], include-fragment[src], [hx-get][hx-trigger*="load" i], ' + (
    '[hx-get][hx-trigger*="revealed" i], [hx-get][hx-trigger*="intersect" i]'
)
"""Elements that name the fragment by which a script replaces them."""
_LAZY_NAMES = ("turbo-frame", "include-fragment", "hx-get")
_WRITES = re.compile(
    r"document\.write(?:ln)?\(|\.(?:inner|outer)HTML\s*\+?=|insertAdjacentHTML\(|createElement\("
)
_BUILDS_LINKS = re.compile(r"href|<a\b|createElement\(\s*['\"]a['\"]")
_FILLS_LINKS = re.compile(
    r"(?<!location)\.href\s*=[^=]|\b(?:setAttribute|attr|prop)\(\s*['\"]href['\"]\s*,"
)
_ADDRESSES = ("data-href", "data-url", "data-link")
_UNFILLED = ", ".join(
    f"{anchor}[{name}]"
    for anchor in ("a:not([href])", 'a[href^="#"]', 'a[href^="javascript:" i]', 'a[href=""]')
    for name in _ADDRESSES
)
"""Anchors without a target, with an address in a data attribute."""
_FETCHES = re.compile(r"\bfetch\(|XMLHttpRequest|\$\.(?:get|ajax|getJSON)\(|\baxios\b|\.load\(")
_MOVES = re.compile(r"\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:replace|assign|reload)\(")
_ASKS_FOR_SCRIPTS = re.compile(
    r"java\s?script.{0,80}(?:enable|require|need|turn|activ|necess)"
    r"|(?:enable|require|need|turn|activ|necess).{0,80}java\s?script",
    re.IGNORECASE | re.DOTALL,
)
_META_ROBOTS = ", ".join(f'meta[name="{name}" i]' for name in sorted(META_ROBOTS))
_NOINDEX = re.compile(r"(?:^|[\s,])(?:noindex|none)(?:[\s,]|$)")
_NO_PAGE = re.compile(r"(?:javascript|mailto|tel|data):", re.IGNORECASE)
_SCRIPT = re.compile(r"<[sS][cC][rR][iI][pP][tT]")
_HASH = re.compile(r"(?=[^.~_-]*[0-9])[0-9A-Za-z]{5,}|[0-9]+|[0-9a-f]{8,}", re.IGNORECASE)
_NAME_HASH = re.compile(
    r"(?<![0-9a-z])(?=[a-f-]*[0-9])[0-9a-f]{7,}(?:-[0-9a-f]{4,})*(?![0-9a-z])|[0-9]+"
)
"""Numbers, hexadecimal hashes and UUIDs in the id of an element."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Rule by which documents are judged, and what both rules use."""

    rule: str = AUTO
    """``auto`` or ``classic``."""
    minimal_content_length: int = 200
    """Characters below which a document is too short for a page."""
    root_selectors: tuple[str, ...] = ("#root", "#__next")
    loading_indicators: tuple[str, ...] = ("loading", "spinner")


DEFAULT = Policy()


def read_policy(settings: Mapping[str, object]) -> Policy:
    """Read the ``SITEMAPGEN_RENDERING_*`` settings; raises ValueError with one sentence."""
    rule = str(settings["SITEMAPGEN_RENDERING_RULE"])
    if rule not in (AUTO, CLASSIC):
        raise ValueError(f"SITEMAPGEN_RENDERING_RULE: {rule!r} is no rule; use auto or classic")
    selectors, indicators = (
        tuple(filter(None, map(str.strip, str(settings[name]).split(","))))
        for name in (ROOT_SELECTORS, "SITEMAPGEN_RENDERING_LOADING_INDICATORS")
    )
    for selector in selectors:
        if not is_selector(selector):
            raise ValueError(
                f"{ROOT_SELECTORS}: {selector!r} is no CSS selector; use #root or .app"
            )
    return Policy(rule=rule, root_selectors=selectors, loading_indicators=indicators)


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """Features of a document as the server sent it, for the rules."""

    html: str
    scripts: tuple[str, ...] = ()
    """File names of external executable scripts, sorted, with hashes replaced by ``#``."""
    inline: int = 0
    """Number of inline executable scripts."""
    text: str = ""
    """Visible text before scripts run, one space between words."""
    links: frozenset[str] = frozenset()
    """Raw hrefs without fragments; links within the page are left out."""
    mounts: tuple[str, ...] = ()
    """Empty elements into which scripts put whole pages."""
    hints: tuple[str, ...] = ()
    """Other signs that scripts will add content: empty containers, placeholders, code."""
    noindex: bool = False


class RenderVerdict(NamedTuple):
    """Whether a document needs a browser, and the reasons."""

    needs: bool
    reasons: tuple[str, ...]

    @classmethod
    def of(cls, found: Mapping[str, bool], otherwise: str) -> RenderVerdict:
        reasons = tuple(reason for reason, holds in found.items() if holds)
        return cls(bool(reasons), reasons or (otherwise,))


def read_raw(
    body: bytes,
    content_type: str = "",
    policy: Policy = DEFAULT,
    *,
    source: Source | None = None,
) -> Raw:
    """Read a document; any bytes give a Raw, nothing raises.

    ``content_type`` is the HTTP header; ``source``, the result of ``read_source`` if the body was
    read before.
    """
    source = source or read_source(body, content_type)
    text = source.text
    if not _SCRIPT.search(text):
        return Raw(html=text)
    tree = source.copy()
    assemble_segments(tree, text)
    scripts, codes, noscript, noindex = _find_scripts(tree)
    if not scripts and not codes:
        return Raw(html=text)
    has_open_boundary = "<!--$" in text and count_pending(tree) > 0
    tree.strip_tags(_SILENT)
    links = frozenset(
        href
        for node in tree.css("a[href], area[href]")
        if (href := (node.attributes.get("href") or "").partition("#")[0].strip())
        and _NO_PAGE.match(href) is None
    )
    visible = squeeze(tree.body.text(separator=" ")) if tree.body else ""
    mounts, hints, is_list_open = _find_empty_elements(tree, visible, policy)
    hints += sorted(frozenset().union(*map(_code_hints, codes)))
    if any(name in text for name in _LAZY_NAMES) and tree.css_first(_LAZY):
        hints.append("lazy_fragment")
    if _has_placeholder(tree, visible, policy):
        hints.append("placeholder")
    if any(name in text for name in _ADDRESSES) and tree.css_first(_UNFILLED):
        hints.append(FILLS_LINKS)
    if is_list_open or goes_on(tree, text, visible, len(links)):
        hints.append(GOES_ON)
    if has_open_boundary:
        hints.append("open_boundary")
    if _ASKS_FOR_SCRIPTS.search(noscript):
        hints.append("noscript")
    return Raw(
        html=text,
        scripts=tuple(sorted(scripts)),
        inline=len(codes),
        text=visible,
        links=links,
        mounts=mounts,
        hints=tuple(dict.fromkeys(hints)),
        noindex=noindex,
    )


def judge_document(raw: Raw, policy: Policy = DEFAULT) -> RenderVerdict:
    """Judge a document by itself.

    Reasons of ``auto``: ``no_script``, ``noindex``, ``complete`` (no), ``challenge``,
    ``moves``, ``empty_mount``, ``open_boundary``, ``thin_and_linkless``, ``asks_for_scripts``,
    ``lazy_fragment``, ``placeholder``, ``writes_links`` (yes).
    """
    if policy.rule == CLASSIC:
        return judge_classic(raw, policy)
    if not raw.scripts and not raw.inline:
        return RenderVerdict(False, ("no_script",))
    is_thin = len(raw.text) < policy.minimal_content_length
    is_bare = is_thin and not raw.links
    if is_bare and "challenge" in raw.hints:  # its noindex does not apply to the page behind it
        return RenderVerdict(True, ("challenge",))
    if raw.noindex:
        return RenderVerdict(False, ("noindex",))
    found = {
        "moves": is_bare and "moves" in raw.hints,
        "empty_mount": bool(raw.mounts),
        "open_boundary": "open_boundary" in raw.hints,
        "thin_and_linkless": is_bare,
        "asks_for_scripts": is_thin and "noscript" in raw.hints,
        "lazy_fragment": "lazy_fragment" in raw.hints,
        "placeholder": "placeholder" in raw.hints,
        "writes_links": "writes_links" in raw.hints,
    }
    return RenderVerdict.of(found, "complete")


class RenderSignature(NamedTuple):
    """The kind of a page, shared by pages that scripts treat alike."""

    family: str = ""
    """Scripts, and after the last bar hints; empty for all pages of the site."""
    template: str = ""
    """The URL's template; empty for all pages of the family."""

    @property
    def is_sampled(self) -> bool:
        """Whether each template of the family is sampled."""
        return not {FILLS_LINKS, GOES_ON}.isdisjoint(self.family.rpartition("|")[2].split(","))


class Outline(NamedTuple):
    """Features of a raw document by which it is decided whether to render it."""

    signature: RenderSignature
    verdict: RenderVerdict
    likeness: bytes = b""
    """Hash of what a document that may be a shell has in common with that of a path that cannot
    exist: text, links and scripts; empty for others."""

    def against(self, shell: Outline) -> RenderVerdict:
        """Judge the document again, beside that of a path that cannot exist."""
        if self.likeness and self.likeness == shell.likeness:
            return RenderVerdict(True, ("like_random_path",))
        return self.verdict


def outline_document(raw: Raw, url: str, policy: Policy = DEFAULT) -> Outline:
    """Return the features of a raw document and its URL."""
    likeness = b""
    if len(raw.text) < LARGEST_SHELL:
        parts = "\0".join((raw.text, *sorted(raw.links), "", *raw.scripts))
        likeness = blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return Outline(page_signature(raw, url), judge_document(raw, policy), likeness)


def judge_classic(raw: Raw, policy: Policy = DEFAULT) -> RenderVerdict:
    """Judge a document by the classic detection of client-side rendering (rule ``classic``).

    It does not use the loading indicators.
    """
    tree = parse_markup(raw.html, scripting=False).tree
    child_count = sum(1 for _ in tree.body.iter(include_text=True)) if tree.body else 0
    script_count = len(tree.css("script"))
    length = len(raw.html.encode("utf-16-le", "surrogatepass")) // 2  # as JavaScript counts
    has_root = any(tree.css_first(selector) for selector in policy.root_selectors)
    is_short = length < policy.minimal_content_length
    has_empty_body = child_count < 5
    has_many_scripts = script_count > 10
    # Characters of HTML for each script; x / 0 is Infinity in JavaScript.
    low_ratio = bool(script_count) and length / script_count < 1_000
    found = {
        "seed_short_html": is_short,
        "seed_root_and_empty_body": has_root and has_empty_body,
        "seed_empty_body_and_many_scripts": has_empty_body and has_many_scripts,
        "seed_low_ratio_and_root": low_ratio and has_root,
    }
    return RenderVerdict.of(found, "seed_none")


def page_signature(raw: Raw, url: str) -> RenderSignature:
    """Return the signature of a page."""
    inline = raw.inline if raw.inline < 3 else 3 if raw.inline < 6 else 6
    scripts = "|".join([",".join(raw.scripts), str(inline), ",".join(raw.mounts)])
    if len(scripts) > MAX_SIGNATURE:
        scripts = blake2b(scripts.encode("utf-8", "replace"), digest_size=8).hexdigest()
    family = f"{scripts}|{','.join(raw.hints)}"
    return RenderSignature(family, template(url)[:MAX_SIGNATURE])


def has_views(text_length: int, *, needs_browser: bool) -> bool:
    """Return whether ``#/part`` of a page may be a view that its scripts show.

    On a page that the server sends with its text it is the name of a paragraph.
    """
    return needs_browser or text_length < DEFAULT.minimal_content_length


def _find_scripts(tree: LexborHTMLParser) -> tuple[set[str], list[str], str, bool]:
    """Return what a document has for scripts, and for clients without.

    (Names of its external executable scripts, code of the inline ones, text of ``<noscript>``,
    whether it has a ``noindex``.)
    """
    names: set[str] = set()
    codes: list[str] = []
    noscripts: list[str] = []
    noindex = False
    for node in tree.css(f"script, noscript, {_META_ROBOTS}"):
        attributes = node.attributes
        if node.tag == "noscript":
            noscripts.append(node.text())
            continue
        if node.tag == "meta":
            content = (attributes.get("content") or "").lower()
            noindex = noindex or _NOINDEX.search(content) is not None
            continue
        if not is_executable(node):
            continue
        if source := (attributes.get("src") or "").strip():
            names.add(_script_name(source))
        elif (code := node.text().strip()) and not is_stream_code(code):
            codes.append(code)
    return names, codes, " ".join(noscripts), noindex


def _script_name(source: str) -> str:
    """Return the file name of a script's URL, with hashes that change with each build replaced.

    >>> _script_name("/assets/index-DNCkK1qM.js?v=3")
    'index-#.js'
    """
    name = source.partition("?")[0].partition("#")[0].rstrip("/").rpartition("/")[2][:80]
    stem, dot, suffix = name.rpartition(".")
    return _HASH.sub("#", stem) + dot + suffix


def _find_empty_elements(
    tree: LexborHTMLParser, visible: str, policy: Policy
) -> tuple[tuple[str, ...], list[str], bool]:
    """Return (empty elements for whole pages, those that parts of a page may fill, end of a list).

    The last is whether an empty element is behind a list.
    """
    body = tree.body
    if body is None:
        return (), [], False
    is_list_open = False
    mounts: set[str] = set()
    parts: set[str] = set()
    for selector in policy.root_selectors:
        roots = tree.css(selector)[:MAX_ELEMENTS]  # each may be nested in the one before
        mounts.update(_label_element(node) for node in roots if _is_empty(node))
    if len(visible) < policy.minimal_content_length:
        mounts.update(
            _label_element(node)
            for node in body.iter()
            if (node.tag in _CONTAINERS or _is_custom(node)) and _is_empty(node)
        )
    lone_headings = 0
    for node in body.traverse():
        tag = node.tag or ""
        if tag in _CONTAINERS:
            if any(map(_is_element, node.iter())) or node.text().strip():
                continue
            is_list_open = is_list_open or is_end_of_list(node)
            if node.attributes.get("role") == "main" or tag == "main":
                mounts.add(_label_element(node))
            elif (label := _label_element(node)) != tag:
                parts.add(label)
        elif tag in _HEADINGS:
            section = node.parent
            if (
                section is not None
                and lone_headings < MAX_ELEMENTS
                and section.tag in _SECTIONS
                and "id" in section.attributes
                and all(child == node for child in filter(_is_element, section.iter()))
            ):
                lone_headings += 1
                if section.text().strip() == node.text().strip():
                    parts.add(_label_element(section))
        elif (
            "-" in tag
            and _is_custom(node)
            and all(inner.tag == "-comment" for inner in node.iter(True))
        ):
            # A component with data to show, not a marker such as <router-outlet>.
            is_component = not _MARKING.issuperset(node.attributes)
            (mounts if is_component else parts).add(_label_element(node))
    return tuple(sorted(mounts)[:MAX_HINTS]), sorted(parts - mounts)[:MAX_HINTS], is_list_open


def _is_element(node: LexborNode) -> bool:
    return (node.tag or "-")[0] != "-"


def _is_custom(node: LexborNode) -> bool:
    tag = node.tag or ""
    return "-" in tag[1:] and not tag.startswith(_NOT_CUSTOM)


def _is_empty(node: LexborNode) -> bool:
    """Return whether an element shows nothing: neither text nor elements visible without text.

    Nothing is missing where React marked an intentionally empty boundary (``<!--$--><!--/$-->``).
    """
    child = node.child
    is_marked = child is not None and (child.comment_content or "").startswith("$")
    return not is_marked and not node.text().strip() and node.css_first(_FILLED) is None


def _label_element(node: LexborNode) -> str:
    """Return an element's tag with its id, else with its data attributes.

    Numbers and hashes in an id become ``#``.
    """
    attributes = node.attributes
    if name := attributes.get("id"):
        return f"{node.tag}#{_NAME_HASH.sub('#', name)[:40]}"
    names = "".join(
        f"[{name}]" for name in sorted(attributes) if attributes[name] and name.startswith(_DATA)
    )
    return f"{node.tag}{names[:80]}"


def _has_placeholder(tree: LexborHTMLParser, visible: str, policy: Policy) -> bool:
    """Return whether the text of an element is only a loading indicator."""
    words = tuple(indicator.lower() for indicator in policy.loading_indicators)
    lowered = visible.lower()
    if not any(word in lowered for word in words):
        return False
    texts = (node.text().strip().lower() for node in tree.css(_TEXT_LEAVES))
    return any(len(text) <= PLACEHOLDER and text.startswith(words) for text in texts)


@lru_cache(maxsize=64)  # the same code occurs on page after page
def _code_hints(code: str) -> frozenset[str]:
    hints = set()
    if _WRITES.search(code) and _BUILDS_LINKS.search(code):
        hints.add("writes_links")
    if _FILLS_LINKS.search(code):
        hints.add(FILLS_LINKS)
    if _MOVES.search(code):
        hints.add("challenge" if "document.cookie" in code else "moves")
    if _FETCHES.search(code):
        hints.add("fetches")
    return frozenset(hints)
