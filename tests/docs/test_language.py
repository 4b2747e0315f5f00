"""Rules of language that a test can keep, over docstrings, comments and the documentation.

Plain terms of the field: no questions as summaries, no machines that say, tell, know or want, and
no "so many" for a number that stands elsewhere. What is in quotation marks or code is left alone.
"""

import ast
import io
import pkgutil
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import FENCE, PAGES, ROOT
from tests.helpers.tables import for_each

MODULES = sorted((ROOT / "sitemapgen").rglob("*.py"))
CODE = re.compile(
    r"``[^`]*``|`[^`]*`|^\s*(?:>>>|\.\.\.).*$|^ {4,}.*$|\"[^\"]*\"|\b(?:noqa|type): .*$",
    re.MULTILINE,
)
TALKING = re.compile(
    r"\b(?:says?|said|saying|tells?|told|knows?|knew|wants?|wanted|hears?|believes?|believed|"
    r"some(?:body|one)|any(?:body|one)|nobody|no one|who(?:m?ever)|so many|so much)\b",
    re.IGNORECASE,
)
NO_PROSE = re.compile(r"<!--.*?-->|`[^`]*`|\]\([^)]*\)|\"[^\"]*\"", re.DOTALL)
"""Inline code, targets of links and quotations of a page; its blocks of code: ``FENCE``."""
LEVELS = frozenset({"debug", "info", "warning", "error", "critical", "exception", "log"})
PLURAL = re.compile(r"%\(\w+\)d (?:\w+s|are|were|have)\b")
"""A number with a noun or verb that does not depend on it."""
BODIES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def prose(path: Path) -> Iterator[tuple[str, str]]:
    """(line number, text without code) of each docstring, also of attributes, and each comment."""
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        for part in node.body if isinstance(node, BODIES) else ():
            value = part.value if isinstance(part, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                text = "\n".join(
                    line.removeprefix(" " * part.col_offset) for line in value.value.splitlines()
                )
                yield str(part.lineno), CODE.sub("", text)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield str(token.start[0]), CODE.sub("", token.string)


@for_each(*MODULES)
def test_prose(path: Path) -> None:
    faults = [
        f"{path.relative_to(ROOT)}:{line}: {match[0]}: {text.strip()[:90]}"
        for line, text in prose(path)
        if (match := TALKING.search(text) or re.search(r"\?(?=\s|$)", text.split("\n\n")[0]))
    ]
    assert not faults, "\n".join(faults)


def logged(path: Path) -> Iterator[tuple[int, str]]:
    """(line number, format) of each log line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in LEVELS
            and ast.unparse(node.func.value) == "logger"
        ):
            sentence = node.args[node.func.attr == "log"]
            if isinstance(sentence, ast.Constant):
                yield node.lineno, str(sentence.value)


@for_each(*MODULES)
def test_log_lines(path: Path) -> None:
    """Plain words, and no plural that a count of 1 would make wrong: ``core.words.counted``."""
    faults = [
        f"{path.relative_to(ROOT)}:{line}: {match[0]}: {sentence}"
        for line, sentence in logged(path)
        if (match := TALKING.search(sentence) or PLURAL.search(sentence))
    ]
    assert not faults, "\n".join(faults)


def test_every_module_has_a_docstring() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert not text.strip() or text.startswith('"""'), path


@for_each(*PAGES)
def test_pages(path: Path) -> None:
    page = path.relative_to(ROOT)
    text = FENCE.sub(_blank, path.read_text("utf-8"))
    lines = NO_PROSE.sub(_blank, text).splitlines()
    faults = [
        f"{page}:{number}: {match[0]}: ...{line[max(0, match.start() - 40) :][:90]}"
        for number, line in enumerate(lines, 1)
        for match in TALKING.finditer(line)
    ]
    assert not faults, "\n".join(faults)


def _blank(match: re.Match[str]) -> str:
    """Keep the ends of lines, so that their numbers stay."""
    return "\n" * match[0].count("\n")


NAMES = {
    ".py": re.compile(r"``([a-z_]+(?:\.\w+)+)``"),
    ".sql": re.compile(r"--[^\n]*?\b([a-z_]+(?:\.\w+)+)"),
}
"""Dotted names in docstrings, and in comments of SQL."""
ROOMS = {path.stem for path in (ROOT / "sitemapgen").iterdir()}


@for_each(*MODULES, *(ROOT / "sitemapgen" / "store").glob("*.sql"))
def test_names_of_other_modules_exist(path: Path) -> None:
    lost = []
    for name in NAMES[path.suffix].findall(path.read_text("utf-8")):
        if name.partition(".")[0] in ROOMS and not name.endswith((".json", ".py")):
            try:
                pkgutil.resolve_name(f"sitemapgen.{name}")
            except (AttributeError, ImportError):
                lost.append(name)
    assert not lost
