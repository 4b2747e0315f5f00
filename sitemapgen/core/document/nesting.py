"""Estimate of the depth of a parser's stack of open elements, without building a tree.

The rules are those of WHATWG HTML, "Tree construction", as far as they close elements. Where they
depend on more than the names of tags, an element counts as open: the estimate is never too low.
"""

from __future__ import annotations

from collections.abc import Callable

_SVG, _MATH = ":", ";"  # prefixes of the names of SVG and MathML elements in the stack
_FOREIGN = frozenset({_SVG, _MATH})
_INTEGRATION = {
    _SVG: frozenset({"desc", "foreignobject", "title"}),
    _MATH: frozenset({"mi", "mn", "mo", "ms", "mtext"}),
}
"""Elements of SVG and MathML that contain HTML."""
FORMATTING = frozenset(
    "a b big code em font i nobr s small strike strong tt u".split()  # noqa: SIM905 - a word list
)
# Void elements, and those that a start tag of the same kind closes: they do not nest in themselves.
NEVER_DEEP = frozenset(
    """
    area base basefont bgsound br col embed frame hr image img input keygen link meta param source
    track wbr body colgroup dd dt head html li option p tbody td tfoot th thead tr
    """.split()  # noqa: SIM905 - a word list, not code
)
# Elements whose end tags close all elements in them, up to the next element of _SCOPING.
_BLOCKS = frozenset(
    """
    address article aside blockquote button center details dialog dir div dl fieldset figcaption
    figure footer header hgroup listing main menu nav ol pre search section summary ul
    """.split()  # noqa: SIM905 - a word list, not code
)
_TABLES = frozenset({"table", "template"})
_SCOPING = _TABLES | frozenset({"applet", "caption", "marquee", "object", "select"}).union(
    *_INTEGRATION.values()
)
# Start tags of HTML that end the SVG or MathML around them.
_BREAKOUT = frozenset(
    """
    b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li
    listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var
    """.split()  # noqa: SIM905 - a word list, not code
)
_LOOK_BACK = 32
"""Open elements with which an end tag is compared; further ones stay open."""
_MOST_OF_A_KIND = 3  # WHATWG HTML, "Noah's Ark clause"


class OpenElements:
    """Stack of open elements, as far as it follows from the tags."""

    def __init__(self) -> None:
        self.reopened = 0
        """Upper bound for the number of reopened formatting elements."""
        self.is_ambiguous = False
        """Some element in SVG or MathML may or may not be HTML."""
        self.foreign = 0
        """Number of open SVG and MathML elements."""
        self._stack: list[str] = []
        self._sources: list[str] = []
        self._active = 0
        self._formatting: dict[str, int] = {}

    @property
    def depth(self) -> int:
        """Number of open elements."""
        return len(self._stack)

    def open(self, name: str, rest: str, *, is_self_closed: bool) -> None:
        """Process a start tag: its name in lower case, and the source of its attributes."""
        self.reopened += self._active
        space = self._stack[-1][0] if self.foreign and self._stack else ""
        if space in _FOREIGN:
            if name not in _BREAKOUT:
                self._open_foreign(space, name, rest, is_self_closed=is_self_closed)
                return
            self._leave_foreign()
        if name in NEVER_DEEP:
            return
        if name in ("svg", "math"):
            if not is_self_closed:
                self._push_element(f"{_SVG if name == 'svg' else _MATH}{name}", rest)
        else:
            self._push_element(name, rest)
            if name in FORMATTING and name != "a":  # an <a> closes the one before it
                kind = f"{name} {rest}"
                count = self._formatting[kind] = self._formatting.get(kind, 0) + 1
                self._active += count <= _MOST_OF_A_KIND

    def close(self, name: str) -> None:
        """Process an end tag."""
        self.reopened += self._active
        stack = self._stack
        if name in NEVER_DEEP and not self.foreign:
            return
        if stack and (stack[-1] == name or (self.foreign and stack[-1][1:] == name)):
            self._pop_element(-1, is_own=True)
        elif name in ("p", "br") and self.foreign:
            self._leave_foreign()
        elif name in FORMATTING or name == "form":
            if back := self._find({name}, _SCOPING.__contains__):
                self._pop_element(-back, is_own=True)  # but not the elements in it
        elif name in _BLOCKS or name in _TABLES:
            beyond = {"template"} if name in _TABLES else _SCOPING
            self._close_all(self._find({name}, beyond.__contains__))
        else:
            self._close_all(self._find({name, _SVG + name, _MATH + name}, _is_not_inline))

    def _push_element(self, name: str, rest: str) -> None:
        self._stack.append(name)
        self._sources.append(rest)
        self.foreign += name[0] in _FOREIGN

    def _pop_element(self, index: int, *, is_own: bool) -> None:
        name, rest = self._stack.pop(index), self._sources.pop(index)
        self.foreign -= name[0] in _FOREIGN
        if is_own and (kind := f"{name} {rest}") in self._formatting:
            self._formatting[kind] -= 1
            self._active -= self._formatting[kind] < _MOST_OF_A_KIND

    def _open_foreign(self, space: str, name: str, rest: str, *, is_self_closed: bool) -> None:
        if name == "font" or (name == "annotation-xml" and "html" in rest.lower()):
            self.is_ambiguous = True
        if is_self_closed:
            return
        if name == "svg" and self._stack[-1] == ";annotation-xml":
            space = _SVG
        self._push_element(name if name in _INTEGRATION[space] else f"{space}{name}", rest)

    def _leave_foreign(self) -> None:
        while self._stack and self._stack[-1][0] in _FOREIGN:
            self._pop_element(-1, is_own=False)

    def _find(self, names: set[str], is_boundary: Callable[[str], bool]) -> int:
        """Return the place of an element from the end of the stack; 0 without one in bounds."""
        for back in range(1, min(len(self._stack), _LOOK_BACK) + 1):
            if self._stack[-back] in names:
                return back
            if is_boundary(self._stack[-back]):
                break
        return 0

    def _close_all(self, count: int) -> None:
        for _ in range(count):
            self._pop_element(-1, is_own=False)


def _is_not_inline(name: str) -> bool:
    return name not in FORMATTING and name != "span" and name[0] not in _FOREIGN
