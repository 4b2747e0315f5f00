"""Imports point down: the floors of the house, and what the lowest of them may not touch."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "sitemapgen"

FLOORS = {
    "": 0,  # sitemapgen/__init__.py: the version
    "items": 0,
    "exits": 0,
    "core": 1,
    "analysis": 2,
    "params": 3,
    "store": 3,
    "report": 4,
    "publish": 4,
    "failures": 5,
    "logformatter": 5,
    "dupefilter": 5,
    "downloader": 5,
    "phases": 5,
    "planning": 5,
    "late_retry": 5,
    "scheduler": 5,
    "requirements": 5,
    "profiles": 5,
    "jobs": 5,
    "survey": 5,
    "answers": 5,
    "addon": 6,
    "foreign": 6,
    "wiring": 5,
    "browser": 5,
    "errands": 5,
    "middlewares": 5,
    "pipelines": 5,
    "spiders": 5,
    "commands": 5,
    "extensions": 5,
    "settings": 6,
}
PURE = ("items", "exits", "core", "analysis")
IMPURE = {"scrapy", "twisted", "asyncio", "aiohttp", "socket", "sqlite3", "pathlib", "os", "time"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def floor_of(module: str) -> str:
    return ([*module.split("."), ""])[1]


def imports(path: Path, *, also_for_types: bool) -> set[str]:
    """The modules that a file imports, by their full names."""
    tree = ast.parse(path.read_text("utf-8"))
    if not also_for_types:
        tree.body = [
            node
            for node in tree.body
            if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
        ]
    found: set[str] = set()
    known = {name_of(module) for module in MODULES}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            assert node.module
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in known else node.module)
    return found


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    here = FLOORS[floor_of(name_of(path))]
    for module in imports(path, also_for_types=False):
        if module.split(".")[0] == "sitemapgen":
            assert FLOORS[floor_of(module)] <= here, f"{path.name} imports {module}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_rules_are_pure(path: Path) -> None:
    if floor_of(name_of(path)) in PURE:
        touched = {module.split(".")[0] for module in imports(path, also_for_types=False)}
        assert not touched & IMPURE


def test_no_circles() -> None:
    graph = {
        name_of(path): {
            module
            for module in imports(path, also_for_types=False)
            if module.startswith("sitemapgen") and module != name_of(path)
        }
        for path in MODULES
    }
    while leaves := [name for name, targets in graph.items() if not targets & graph.keys()]:
        for name in leaves:
            del graph[name]
    assert not graph


def test_every_file_says_which_question_it_answers() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert not text or ast.get_docstring(ast.parse(text)), path
