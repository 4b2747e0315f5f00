"""Mutants: the code with one small fault each, chosen by hashes, so that an edit moves few of them.

The tests against them: ``suite.py``.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate, cycle, pairwise
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SEED = 1
"""Fixed before the first run."""
COUNT, LEAST = 60, 3
"""Number of mutants, in proportion to lines, and of those in the smallest package."""
PACKAGES = ("core", "analysis", "store", "publish", "frontier", "middlewares")
KINDS = ("operator", "constant", "branch", "line", "sql")

OPERATOR = re.compile(rb"not in|is not|[<>=!]=|<<|>>|//|\*\*|[<>+\-*/%&|]|\b(?:in|is|and|or|not)\b")
OPERATORS = {
    **{b"<": b"<=", b"<=": b"<", b">": b">=", b">=": b">", b"==": b"!=", b"!=": b"=="},
    **{b"in": b"not in", b"not in": b"in", b"is": b"is not", b"is not": b"is", b"not": b""},
    **{b"and": b"or", b"or": b"and", b"+": b"-", b"-": b"+", b"*": b"+", b"/": b"*"},
    **{b"//": b"*", b"%": b"*", b"&": b"|", b"|": b"&"},
}
SQL = re.compile(rb"\b(?:SELECT|WHERE|UPDATE|DELETE|CASE|AND|OR|NULL)\b")
IN_SQL = (
    *((rb"\bAND\b", b"OR"), (rb"(?<!INSERT )\bOR\b", b"AND"), (rb" <> ", b" = ")),
    *((rb" < ", b" <= "), (rb" > ", b" >= "), (rb" <= ", b" < "), (rb" >= ", b" > ")),
    *((rb"\bIS NULL", b"IS NOT NULL"), (rb"\bIS NOT NULL", b"IS NULL"), (rb"\bmin\(", b"max(")),
    *((rb"\bmax\(", b"min("), (rb"\bNOT EXISTS", b"EXISTS"), (rb"\bLEFT JOIN", b"JOIN")),
)
NO_BEHAVIOUR = {"annotation", "returns", "decorator_list", "bases"}
"""Fields of nodes of which no mutant is made."""
NO_CALL = re.compile(r"(?:logger\.\w+|cast|TypeVar|NewType|\w+\.getLogger)\(")
JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Mutant(NamedTuple):
    file: str
    line: int
    kind: str
    before: str
    after: str
    scope: str
    """The function or class around it."""
    edit: tuple[int, int, bytes]
    """First byte and end of what is replaced, replacement."""


def mutants_of(file: str) -> Iterator[Mutant]:
    """Yield all mutants of a file."""
    source = (ROOT / file).read_bytes()
    for kind, scope, start, end, text in _Edits(source, "/store/" in file).of(ast.parse(source)):
        first, last = source.rfind(b"\n", 0, start) + 1, source.find(b"\n", end)
        lines = source[first:last], source[first:start] + text + source[end:last]
        before, after = (" ".join(each.decode().split()) for each in lines)
        line = source.count(b"\n", 0, start) + 1
        yield Mutant(file, line, kind, before, after, scope, (start, end, text))


class _Edits:
    def __init__(self, source: bytes, has_sql: bool) -> None:
        self.source, self.has_sql = source, has_sql
        self.starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]

    def of(self, node: ast.AST, scope: str = "") -> Iterator[tuple[str, str, int, int, bytes]]:
        """Yield the edits of a node and of what it contains: kind, scope, start, end, text."""
        if _has_no_behaviour(node):
            return
        for kind, *edit in self._of_this(node, scope):
            yield kind, scope, *edit
        if isinstance(node, (ast.JoinedStr, ast.Raise)):
            return
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            scope = f"{scope}.{node.name}".strip(".")
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and name not in NO_BEHAVIOUR:
                    yield from self.of(child, scope)

    def _of_this(self, node: Any, scope: str) -> Iterator[tuple[str, int, int, bytes]]:
        gaps, dropped = [], []
        """Between operands; statements."""
        match node:
            case ast.Compare():
                gaps = self._gaps(node.left, *node.comparators)
            case ast.BoolOp():
                gaps = self._gaps(*node.values)
            case ast.BinOp() if scope:  # without one, of types too
                gaps = self._gaps(node.left, node.right)
            case ast.UnaryOp():
                gaps = [(self._span(node)[0], self._span(node.operand)[0])]
            case ast.AugAssign():
                gaps, dropped = self._gaps(node.target, node.value), [node]
            case ast.Expr():
                dropped = [node]
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) if "__init__" not in scope:
                dropped = [node]
            case ast.If() | ast.For() | ast.While():
                dropped = [each for each in node.body + node.orelse if isinstance(each, JUMPS)]
            case ast.Constant(value=bool()):
                yield ("constant", *self._span(node), str(not node.value).encode())
            case ast.Constant(value=int() | float() as value):
                new = type(value)(value + 1 if value < 10 else value / 2)
                yield ("constant", *self._span(node), repr(new).encode())
            case ast.Constant(value=str()) | ast.JoinedStr():
                start, end = self._span(node)
                if self.has_sql and SQL.search(literal := self.source[start:end]):
                    for pattern, text in IN_SQL:
                        for match in re.finditer(pattern, literal):
                            yield "sql", start + match.start(), start + match.end(), text
                elif scope and re.fullmatch(r"\S+", getattr(node, "value", "")):
                    yield "constant", end - 1, end - 1, b"_"
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            start, end = self._span(node.test)
            yield "branch", start, end, b"not (%b)" % self.source[start:end]
        for each in dropped:
            yield ("line", *self._span(each), b"pass")
        for start, end in gaps:
            found = OPERATOR.search(self.source, start, end)
            if found and found[0] in OPERATORS:
                yield ("operator", *found.span(), OPERATORS[found[0]])

    def _gaps(self, *operands: ast.expr) -> list[tuple[int, int]]:
        spans = [self._span(each) for each in operands]
        return [(left[1], right[0]) for left, right in pairwise(spans)]

    def _span(self, node: Any) -> tuple[int, int]:
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset


def _has_no_behaviour(node: ast.AST) -> bool:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return node.name == "__repr__" or "NotImplementedError" in ast.unparse(node.body[-1])
        case ast.If():
            return ast.unparse(node.test) == "TYPE_CHECKING"
        case ast.Expr(value=ast.Constant()) | ast.Assert() | ast.Import() | ast.ImportFrom():
            return True  # the first: docstrings
        case ast.Expr() | ast.Call():
            return bool(NO_CALL.match(ast.unparse(node)))
    return False


def planted(source: bytes, mutants: Sequence[Mutant]) -> bytes:
    """Return the source of a file with mutants of it."""
    for start, end, text in sorted((each.edit for each in mutants), reverse=True):
        source = source[:start] + text + source[end:]
    return source


def chosen() -> list[Mutant]:
    """Return the mutants of this version of the code, by file and line."""
    paths = {name: sorted((ROOT / "sitemapgen" / name).rglob("*.py")) for name in PACKAGES}
    lines = {name: sum(path.read_bytes().count(b"\n") for path in paths[name]) for name in paths}
    share = {name: COUNT * lines[name] / sum(lines.values()) for name in PACKAGES}
    quota = {name: max(LEAST, int(share[name])) for name in PACKAGES}
    for name in sorted(PACKAGES, key=lambda name: quota[name] - share[name]):
        quota[name] += sum(quota.values()) < COUNT
    mutants = [each for name in PACKAGES for each in _drawn(paths[name], quota[name])]
    return sorted(mutants, key=lambda mutant: (mutant.file, mutant.edit))


def _drawn(paths: Sequence[Path], count: int) -> Iterator[Mutant]:
    """Yield mutants of a package, of each kind in turn, at most one in a function."""
    found = [each for path in paths for each in mutants_of(str(path.relative_to(ROOT)))]
    found.sort(key=_rank)
    used: set[tuple[str, str]] = set()
    kinds = cycle([kind for kind in KINDS if any(each.kind == kind for each in found)])
    for kind, _ in zip(kinds, range(count)):
        free = (each for each in found if each.kind == kind)
        mutant = next(each for each in free if (each.file, each.scope) not in used)
        used.add((mutant.file, mutant.scope))
        yield mutant


def _rank(mutant: Mutant) -> str:
    """Return a hash that depends on the text of a mutant, not on its line."""
    file, _, kind, before, after, scope, _ = mutant
    return sha256(repr((SEED, file, kind, before, after, scope)).encode()).hexdigest()
