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


def docstrings(path: Path) -> Iterator[tuple[str, str]]:
    """(where, text without code) of each docstring of a module."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            text = ast.get_docstring(node)
            if text:
                name = getattr(node, "name", "module")
                yield f"{path.relative_to(ROOT)}: {name}", CODE.sub("", text)


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
