"""Defence against documents that would take an HTML parser seconds or gigabytes.

Such a document is cut down before it is parsed. A standard parser takes quadratic time for: deep
nesting (100,000 unclosed <div>: 17 s); formatting elements that are never closed, each of which is
reopened in every later paragraph (33 kB: 2 s and 700 MB); attributes, each of which is compared
with all before it (50,000 in one tag, or in many <body>: 4 s); names, which are kept in a table of
fixed size (a million distinct ones: 120 s); and text that is copied again and again
(``merging.py``). Browsers limit the depth to 512.

Nearly every document is found harmless by counting. The others are tokenised (``tags.py``); every
estimate errs towards a bomb, which is read without its layout.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sitemapgen.core.document.merging import SEPARATOR, SOMETIMES_IGNORED, Merging, estimate_merging
from sitemapgen.core.document.nesting import OpenElements
from sitemapgen.core.document.plain import (
    QUOTED,
    distinct_tags,
    is_shallow,
    join_tags,
    with_short_values,
)
from sitemapgen.core.document.tags import ATTRIBUTE, RAW_IF, Tag, raw_end, scan_tags

MAX_NESTING = 512
"""Maximum depth of open elements; a deeper document loses its layout."""
MAX_TAGS = 150_000
"""Start tags read per document, some 500 bytes each. A document with more loses its layout first;
if it still has more, the links of further tags are only counted."""

_SMALL = 32_768  # characters: at most 10,000 attributes, 0.15 s
_LARGE = 262_144  # characters: at most 33,000 distinct names, 0.1 s
_FEW_TAGS, _MANY_TAGS = 1_500, 15_000  # fewer are always harmless; more need a closer check
_VERY_FEW_TAGS = 300  # of 300 attributes: at most 90,000 distinct names, 0.5 s
_FEW_QUOTED = 40  # values with a > inside
_FEW_ROOTS = 8  # tags of <html> and <body>
_MANY_NAMES = 10_000
_LONG_REST = 600  # characters of a tag: at most 300 attributes, 60 us
_MANY_ATTRIBUTES = 256
_LONG_TEXT = 65_536  # characters
_SIZE_OF_FEW_NAMES = 65_536  # characters of tags: at most 22,000 distinct names, 0.03 s
_MAX_REOPENED = 1_000_000  # elements, 200 MB
_MOST_OF_A_KIND = 3  # opened again (WHATWG HTML, "Noah's Ark clause")
_KEPT = frozenset(
    """
    a area base body frame frameset head html iframe img link meta noscript script style time title
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Elements with the links and facts of a document; all others are its layout."""
_PLAIN_LAYOUT = re.compile(rf"</?(?!(?:{'|'.join(sorted(_KEPT))})>)[a-z][a-z0-9]*>", re.IGNORECASE)
_CDATA = "<![CDATA["
_LONG_AFTER_QUOTED = re.compile(rf"{QUOTED.pattern}[^>]*>[^>]{{{_LONG_REST},}}")
_ROOT = re.compile(r"<(?:[hH][tT][mM][lL]|[bB][oO][dD][yY])[\t\n\f\r /]")
_LINK = re.compile(r"<a(?:rea)?[\t\n\f\r /]", re.IGNORECASE)
# Character classes of both cases: much faster than a pattern that ignores case.
_STYLED_FORMATTING = re.compile(
    r"<(?=[bcefinstuBCEFINSTU])(?:[bB]|[bB][iI][gG]|[cC][oO][dD][eE]|[eE][mM]|[fF][oO][nN][tT]|"
    r"[iI]|[nN][oO][bB][rR]|[sS]|[sS][mM][aA][lL][lL]|[sS][tT][rR][iI][kK][eE]|"
    r"[sS][tT][rR][oO][nN][gG]|[tT][tT]|[uU])[\s/][^>]*"
)
_ROOTS = frozenset({"html", "body"})
_KEPT_ATTRIBUTES = frozenset(
    """
    alt class content data data-src datetime height hidden href hreflang http-equiv id itemprop
    itemtype lang name property pubdate rel shadowrootmode src style type width xlink:href
    """.split()  # noqa: SIM905 - a word list, not code
)
_FLUSH = 65_536  # strings
_WINDOW = 1 << 20  # characters


class Defused(NamedTuple):
    """A document that a parser reads in linear time."""

    text: str
    links_cut: int = 0
    """Number of links of the document that the text has lost."""


class _Findings(NamedTuple):
    is_bomb: bool
    """Its layout takes too long to parse."""
    is_loaded: bool = False
    """The attributes of some tags take too long to parse."""
    is_bare: bool = False
    """It has too many attributes, or too many distinct ones; only those that are read are kept."""


def defuse_document(text: str, *, scripting: bool = True) -> Defused:
    """Remove from a document what makes the parser slow; nearly every document stays unchanged."""
    tag_count = text.count("<")
    merging = estimate_merging(text, scripting=scripting)
    if merging.is_in_tables:
        findings = _Findings(is_bomb=True)
    elif _is_suspect(text, tag_count, scripting=scripting):
        findings = _find_slow_parts(text, tag_count, scripting=scripting)
    else:
        findings = _Findings(is_bomb=False)
    if not any(findings) and not any(merging):
        return Defused(text)
    return _Cutter(findings, merging).cut(text, scripting=scripting)


def _is_suspect(text: str, tag_count: int, *, scripting: bool) -> bool:
    """Return whether a document may be a bomb, by counting alone."""
    is_wide = len(text) >= _LARGE and tag_count > _VERY_FEW_TAGS
    if tag_count < _FEW_TAGS and len(text) < _SMALL:
        return False
    distinct = distinct_tags(text)
    found = join_tags(distinct)
    styled = len(set(_STYLED_FORMATTING.findall(found)))  # reopened if none were closed
    is_deep = tag_count >= _MANY_TAGS or styled * _MOST_OF_A_KIND * tag_count >= _MAX_REOPENED
    if not (is_deep or is_wide) and len(text) < _SMALL:
        return False
    roots = sum(map(text.count, set(_ROOT.findall(found))))  # their attributes are merged
    if _is_loaded(distinct) or roots > _FEW_ROOTS:
        return True
    if QUOTED.search(found) is not None:
        short = with_short_values(text)
        if short is None:
            return is_deep or is_wide or _has_loaded_tags(text, scripting=scripting)
        text, distinct = short, distinct_tags(short)
        found = join_tags(distinct)
        if _is_loaded(distinct):
            return True
    if is_deep and tag_count >= 2 * MAX_TAGS:
        return True
    if is_deep and not is_shallow(text, MAX_NESTING, scripting=scripting):
        return True
    return is_wide and len(set(ATTRIBUTE.findall(found))) > _MANY_NAMES


def _has_loaded_tags(text: str, *, scripting: bool) -> bool:
    """Return whether tags with a ``>`` in a value may have too many attributes."""
    quoted = len(QUOTED.findall(text))
    if quoted <= _FEW_QUOTED and _LONG_AFTER_QUOTED.search(text) is None:
        return False
    return any(
        tag.is_long or (len(tag.rest) > _LONG_REST and _has_many_attributes(tag.rest))
        for tag in scan_tags(text, scripting=scripting)
    )


def _is_loaded(distinct: set[str]) -> bool:
    """Return whether a long tag may have very many attributes."""
    return max(map(len, distinct), default=0) > _LONG_REST and any(
        len(tag) > _LONG_TEXT or _has_many_attributes(tag)
        for tag in distinct
        if len(tag) > _LONG_REST
    )


def _has_many_attributes(rest: str) -> bool:
    return len(ATTRIBUTE.findall(rest)) > _MANY_ATTRIBUTES


def _find_slow_parts(text: str, tag_count: int, *, scripting: bool) -> _Findings:
    """Determine which parts of a document take the parser too long."""
    elements = OpenElements()
    names: set[str] = set()
    kinds: set[str] = set()
    roots = started = size = attributes = 0
    is_loaded = False
    for tag in scan_tags(text, scripting=scripting):
        start, end, is_end, name, rest, is_self_closed, is_long = tag
        is_loaded = is_loaded or is_long
        if not name:
            if elements.foreign and text.startswith(_CDATA, start):
                return _Findings(is_bomb=True)  # its end depends on the elements around it
            continue
        if name in RAW_IF[scripting]:
            # SVG would read a < in it as a tag.
            if elements.foreign and not is_end and "<" in text[end : raw_end(text, name, end)]:
                return _Findings(is_bomb=True)
        elif is_end:
            elements.close(name)
        else:
            started += 1
            if started > MAX_TAGS:
                return _Findings(is_bomb=True)
            kinds.add(name)
            elements.open(name, rest, is_self_closed=is_self_closed)
            if elements.depth > MAX_NESTING or elements.is_ambiguous:
                return _Findings(is_bomb=True)
        size += len(rest)
        roots += name in _ROOTS and bool(rest)
        if size > _SIZE_OF_FEW_NAMES or len(rest) > _LONG_REST:
            found = ATTRIBUTE.findall(rest)
            names.update(map(str.lower, found))
            attributes += len(found)
            is_loaded = is_loaded or len(found) > _MANY_ATTRIBUTES
    return _Findings(
        is_bomb=len(kinds) > _MANY_NAMES or elements.reopened > _MAX_REOPENED + 4 * tag_count,
        is_loaded=is_loaded or roots > _FEW_ROOTS,
        is_bare=attributes > 2 * MAX_TAGS or len(names) > _MANY_NAMES,
    )


class _Cutter:
    """Rewrites a document without its layout, or without attributes that no reader needs."""

    def __init__(self, findings: _Findings, merging: Merging) -> None:
        self._is_flat = findings.is_bomb
        self._is_separated = findings.is_bomb or merging.is_after_ignored
        self._is_bare = findings.is_bomb or findings.is_bare
        self._kept = 0
        self._roots: set[str] = set()

    def cut(self, text: str, *, scripting: bool) -> Defused:
        """Cut a document; its links, facts and text stay up to ``MAX_TAGS``."""
        kept = _KEPT if scripting else _KEPT - {"noscript"}
        if self._is_flat:
            text = _without_plain_layout(text)
        parts: list[str] = []
        pieces: list[str] = []
        done = 0
        for number, tag in enumerate(scan_tags(text, scripting=scripting)):
            if tag.is_long and not tag.is_end:
                whole = text[tag.start + 1 + len(tag.name) : tag.end]
                tag = tag._replace(rest=whole.removesuffix(">"))  # noqa: PLW2901
            if not tag.name or (written := self._replacement_of_tag(tag, kept)) is None:
                continue
            if self._kept > MAX_TAGS or number > 4 * MAX_TAGS:
                pieces.append(text[done : tag.start])
                links_cut = sum(1 for _ in _LINK.finditer(text, tag.start))
                return Defused("".join([*parts, *pieces]), links_cut)
            pieces += (text[done : tag.start], written)
            done = tag.end
            if len(pieces) > _FLUSH:  # many short strings take more memory than one long string
                parts.append("".join(pieces))
                pieces.clear()
        return Defused("".join([*parts, *pieces, text[done:]]))

    def _replacement_of_tag(self, tag: Tag, kept: frozenset[str]) -> str | None:
        """Return the replacement of a tag; None if it stays."""
        name, rest, is_end = tag.name, tag.rest, tag.is_end
        is_single = self._is_flat and name == "time"  # it may nest, and its text is not read
        if self._is_flat and (name not in kept or (is_single and is_end)):
            return " "
        if is_end:
            return f"</{name}>" if rest or tag.is_long else None
        self._kept += 1
        is_first = name not in self._roots
        if name in _ROOTS:
            self._roots.add(name)
        is_separate = self._is_separated and bool(rest) and name in SOMETIMES_IGNORED
        is_suspect = self._is_bare or tag.is_long or len(rest) > _LONG_REST
        if is_suspect or not is_first or self._kept > MAX_TAGS:
            rest = _cut_attributes(rest, at_least=0 if self._is_bare else _MANY_ATTRIBUTES)
            rest = rest if is_first else ""
        elif not is_separate:
            return None
        return f"{SEPARATOR if is_separate else ''}<{name}{rest}>{'</time>' if is_single else ''}"


def _without_plain_layout(text: str) -> str:
    """Replace tags of layout without attributes by spaces, some at a time: each match is a string.

    No such tag has a ``<`` inside, so none is cut in two.
    """
    parts, start = [], 0
    while start < len(text):
        end = text.find("<", start + _WINDOW)
        end = len(text) if end < 0 else end
        parts.append(_PLAIN_LAYOUT.sub(" ", text[start:end]))
        start = end
    return "".join(parts)


def _cut_attributes(rest: str, at_least: int) -> str:
    """Keep only the attributes that are read, each once, in a tag with more than ``at_least``."""
    if at_least and len(ATTRIBUTE.findall(rest)) <= at_least:
        return rest
    kept: dict[str, str] = {}
    for found in ATTRIBUTE.finditer(rest):
        name = found["name"].lower()
        if name in _KEPT_ATTRIBUTES and name not in kept:
            kept[name] = found[0]
    return "".join(f" {source}" for source in kept.values())
