"""Main text of a document as Markdown (CommonMark, and the tables of GitHub Flavored Markdown).

Kept are headings, paragraphs, lists, quotes, tables, code and links. It takes a walk over the tree,
which a crawl without texts saves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from sitemapgen.core.document.texts import harmless

Resolve = Callable[[str], str | None]

MAX_TEXT = 200_000
"""Characters kept of a text; what follows is left out, from the beginning of a block on."""
MAX_INDENTATION = 10
"""Levels of lists and quotes that are kept; deeper ones count as the last."""

_BLOCKS = frozenset(
    """
    address article blockquote body center dd details dialog div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr li main menu ol p pre section summary table tbody
    td tfoot th thead tr ul
    """.split()  # noqa: SIM905 - a word list
)
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "menu"})
_NO_TEXT = frozenset({"textarea", "button", "option", "title", "head", "template", "object"})
_BREAK = "\x00"  # a <br>; the parser never emits it
_SPECIAL = re.compile(r"([\\`*\[\]<])")
_REFERENCE = re.compile(r"&(?=#?[0-9A-Za-z]+;)")
_BEGINS_BLOCK = re.compile(r"(#{1,6}(?= |$)|[-+>](?= |$)|={3,}|-{3,}|~{3,}|(?<=\d)[.)](?= |$))")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?= |$)")
_TICKS = re.compile(r"`+")


class _Level(NamedTuple):
    """An open item of a list, or a quote."""

    group: int
    """Number of the list, or of the quote."""
    marker: str
    """Before its first line: ``- ``, ``1. `` or ``> ``."""
    indentation: str
    """Before its further lines."""


def convert_to_markdown(roots: Iterable[LexborNode], resolve: Resolve) -> str:
    """Return the text of these trees, without their noise, as blocks with an empty line between.

    ``resolve`` makes an href absolute, or returns None for one that is not to be shown as a link.
    """
    writer = _Writer(resolve)
    for root in roots:
        for node, is_end in _walk_nodes(root):
            if writer.size > MAX_TEXT:
                break
            (writer.end if is_end else writer.begin)(node)
        writer.flush()
    return writer.result()


def escape_inline(text: str) -> str:
    """Return one line of text as inline Markdown that shows the same characters.

    >>> escape_inline("a*b [c] &lt;"), escape_inline("R&D")
    ('a\\\\*b \\\\[c\\\\] \\\\&lt;', 'R&D')
    """
    return _REFERENCE.sub(r"\\&", _SPECIAL.sub(r"\\\1", text))


def escape_paragraph(text: str) -> str:
    """Return one line of text as a paragraph of Markdown that shows the same characters.

    >>> escape_paragraph("# 1 of *2*")
    '\\\\# 1 of \\\\*2\\\\*'
    """
    return _escape_block_start(escape_inline(text))


def _walk_nodes(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """Yield (node, whether it ends) in document order; the depth of the tree is no recursion."""
    yield root, False
    open_nodes = [(root, iter(root.iter(include_text=True)))]
    while open_nodes:
        parent, children = open_nodes[-1]
        child = next(children, None)
        if child is None:
            open_nodes.pop()
            yield parent, True
        elif child.is_text_node:
            yield child, False
        elif child.tag not in _NO_TEXT:
            yield child, False
            open_nodes.append((child, iter(child.iter(include_text=True))))


class _Writer:
    """Collects blocks; the inline text of the current one grows until it is flushed."""

    def __init__(self, resolve: Resolve) -> None:
        self.size = 0
        self._resolve = resolve
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._links: list[tuple[str, int]] = []  # href, position in the inline text
        self._heading = ""
        self._open: list[_Level] = []
        self._written: list[_Level] = []  # those that the last block is in
        self._lists: list[tuple[int, bool]] = []  # (group, whether it is ordered)
        self._items: dict[int, int] = {}  # items of each open list
        self._groups = 0
        self._is_item_new = False
        self._codes: list[int] = []  # positions of open code in the inline text
        self._pre = 0
        self._row: list[str] | None = None
        self._rows = 0

    def begin(self, node: LexborNode) -> None:
        tag = node.tag
        if node.is_text_node:
            text = harmless(node.text_content or "")
            is_code = self._pre or self._codes
            self._inline.append(text if is_code else _SPECIAL.sub(r"\\\1", text))
            self.size += len(text)
        elif tag == "br":
            self._inline.append("\n" if self._pre else _BREAK)
        elif tag == "a":
            self._links.append((node.attributes.get("href") or "", len(self._inline)))
        elif tag == "code" and not self._pre:
            self._codes.append(len(self._inline))
        elif tag in _BLOCKS:
            self._begin_block(str(tag))

    def end(self, node: LexborNode) -> None:
        tag = node.tag
        if tag == "a":
            self._end_link()
        elif tag == "code" and not self._pre:
            self._end_code()
        elif tag in _BLOCKS:
            self._end_block(str(tag))

    def flush(self) -> None:
        """End the current block."""
        if self._row is not None:
            self._inline.append(" ")
            return
        text = "".join(self._inline)
        self._restart_inline()
        lines = [" ".join(line.split()) for line in text.split(_BREAK)]
        lines = [_escape_block_start(line) for line in lines if line]
        if lines and self._heading:
            lines = [self._heading + " ".join(lines)]
        self._write_lines(lines)

    def result(self) -> str:
        return "\n".join(self._blocks).strip("\n") + "\n" if self._blocks else ""

    def _begin_block(self, tag: str) -> None:
        self.flush()
        if tag in _LISTS:
            self._lists.append((self._new_group(), tag == "ol"))
        elif tag == "li" and self._row is None:
            group, is_ordered = self._lists[-1] if self._lists else (0, False)
            self._items[group] = self._items.get(group, 0) + 1
            marker = f"{self._items[group]}. " if is_ordered else "- "
            self._open.append(_Level(group, marker, " " * len(marker)))
            self._is_item_new = True
        elif tag == "blockquote" and self._row is None:
            self._open.append(_Level(self._new_group(), "> ", "> "))
        elif tag in _HEADINGS:
            self._heading = _HEADINGS[tag]
        elif tag == "pre" and self._row is None:
            self._pre += 1
        elif tag == "table":
            self._rows = 0
        elif tag == "tr" and self._row is None:
            self._row = []
        elif tag == "hr":
            self._write_lines(["---"])

    def _new_group(self) -> int:
        self._groups += 1
        return self._groups

    def _restart_inline(self) -> None:
        """Begin the inline text anew, with the links and the code that are still open."""
        self._inline.clear()
        self._links = [(href, 0) for href, _ in self._links]
        self._codes = [0 for _ in self._codes]

    def _end_block(self, tag: str) -> None:
        if tag in ("td", "th") and self._row is not None:
            self._end_cell()
        elif tag == "tr" and self._row is not None:
            self._end_row()
        elif tag == "pre" and self._pre:
            self._end_pre()
        else:
            self.flush()
            if tag in _HEADINGS:
                self._heading = ""
            elif tag in _LISTS and self._lists:
                self._lists.pop()
            elif tag in ("li", "blockquote") and self._row is None and self._open:
                self._open.pop()
                self._is_item_new = False

    def _line_from(self, start: int) -> str:
        """Return the inline text from a position on as one line."""
        return " ".join("".join(self._inline[start:]).replace(_BREAK, " ").split())

    def _end_link(self) -> None:
        href, start = self._links.pop() if self._links else ("", 0)
        if self._links:  # a link in a link
            return
        text = self._line_from(start)
        url = self._resolve(href) if href and text and not self._pre else None
        if url and not self._codes:
            padding = [" " if self._inline[start][:1].isspace() else ""]
            target = url.replace("(", "%28").replace(")", "%29")
            self._inline[start:] = [*padding, f"[{text}]({target})"]

    def _end_code(self) -> None:
        start = self._codes.pop() if self._codes else 0
        if self._codes:  # code in code
            return
        code = self._line_from(start)
        if code:
            ticks = _fence_for(code, 1)
            pad = " " if "`" in (code[0], code[-1]) else ""
            self._inline[start:] = [f"{ticks}{pad}{code}{pad}{ticks}"]

    def _end_pre(self) -> None:
        code = "".join(self._inline).replace(_BREAK, "").strip("\n")
        self._restart_inline()
        self._pre = 0
        if code.strip():
            fence = _fence_for(code, 3)
            self._write_lines([fence, *(line.rstrip() for line in code.split("\n")), fence])

    def _end_cell(self) -> None:
        assert self._row is not None
        text = self._line_from(0)
        self._row.append(text.replace("|", r"\|"))
        self._restart_inline()

    def _end_row(self) -> None:
        if "".join(self._inline).strip():  # before the rows of a table in a cell
            self._end_cell()
        cells, self._row = self._row or [], None
        self._restart_inline()
        if not any(cells):
            return
        lines = [f"| {' | '.join(cells)} |"]
        if not self._rows:
            lines.append(f"|{' --- |' * len(cells)}")
        self._write_lines(lines, is_continued=self._rows > 0)
        self._rows += 1

    def _write_lines(self, lines: list[str], *, is_continued: bool = False) -> None:
        """Write the lines of a block, behind the markers of the lists and quotes it is in."""
        if not lines:
            return
        levels = self._open[:MAX_INDENTATION]
        further = "".join(level.indentation for level in levels)
        first = further
        if self._is_item_new and len(levels) == len(self._open):
            first = "".join([*(level.indentation for level in levels[:-1]), levels[-1].marker])
        before = [level.group for level in self._written[: len(levels)]]
        now = [level.group for level in levels]
        # A new item follows one of its list, or the text of its outer item.
        is_next_item = self._is_item_new and before in (now, now[:-1]) and bool(before)
        if self._blocks and not (is_continued or is_next_item):
            common = zip(levels, self._written)
            prefix = (level.indentation for level, last in common if level.group == last.group)
            self._blocks.append("".join(prefix).rstrip())
        self._blocks += [first + lines[0], *(further + line for line in lines[1:])]
        self._is_item_new = False
        self._written = levels


def _escape_block_start(line: str) -> str:
    """Escape what would begin another kind of block.

    >>> [_escape_block_start(line) for line in ("1. May", "- x", "#1", "# 1")]
    ['1\\\\. May', '\\\\- x', '#1', '\\\\# 1']
    """
    if _BEGINS_BLOCK.match(line):
        return f"\\{line}"
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line


def _fence_for(code: str, least: int) -> str:
    """Return backticks that do not occur in the code, at least that many."""
    longest = max((len(run) for run in _TICKS.findall(code)), default=0)
    return "`" * max(least, longest + 1)
