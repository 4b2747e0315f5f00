"""Rules of language that a test can keep: plain docstrings, no questions, no talking machines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

MODULES = sorted((ROOT / "sitemapgen").rglob("*.py"))
CODE = re.compile(r"``[^`]*``|`[^`]*`|^\s*(?:>>>|\.\.\.).*$|\"[^\"]*\"", re.MULTILINE)
TALKING = re.compile(r"\b(?:somebody|anybody|nobody|whoever wants|hears?)\b", re.IGNORECASE)
BEGINNINGS = ("Tell ", "Tells ", "Say ", "Says ")


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


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_docstrings(path: Path) -> None:
    for where, text in docstrings(path):
        summary = text.split("\n\n")[0]
        assert "?" not in summary, f"{where}: a question"
        assert not summary.startswith(BEGINNINGS), f"{where}: {summary[:50]}"
        assert not TALKING.search(summary), f"{where}: {summary}"


def test_every_module_has_a_docstring() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert not text.strip() or text.startswith('"""'), path
