"""Imports, for types too, lead to lower floors only; the lowest floors touch no input or output."""

import ast
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

from tests.helpers.tables import for_each

PACKAGE = Path(__file__).resolve().parents[1] / "sitemapgen"

FLOORS = (
    {"", "errors", "verdicts"},
    {"background", "items"},
    {"core", "interrupts"},
    {"analysis", "params", "checks"},
    {"settings"},
    {"store"},
    {"report", "download"},
    {"publish"},
    {"deploy"},
    {"context"},
    {"browser", "cluster", "extensions", "frontier", "middlewares", "pipelines", "tools"},
    {"addon", "spiders"},
    {"commands"},
    {"scrapy_commands"},
    {"cli"},
    {"__main__"},
)
"""The packages and modules of the root, from the lowest floor up; "" is the root itself."""
FLOOR = {name: number for number, floor in enumerate(FLOORS) for name in floor}
PURE = ("items", "verdicts", "errors", "core", "analysis")
IMPURE = {"scrapy", "twisted", "asyncio", "aiohttp", "socket", "sqlite3", "pathlib", "os", "time"}
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = Path(__file__).resolve().parent


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path) for path in MODULES}


def floor_of(module: str) -> str:
    return ([*module.split("."), ""])[1]


def imports(path: Path) -> set[str]:
    """Return the modules that a file imports, for types too, by their full names."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: a relative import"
            assert node.module
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in NAMES else node.module)
    return found


def imports_at_run_time(path: Path) -> set[str]:
    """Return the modules that a file imports when it is imported or run."""
    tree = ast.parse(path.read_text("utf-8"))
    for_types = {
        alias.name if isinstance(inner, ast.Import) else inner.module
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
        if isinstance(inner, (ast.Import, ast.ImportFrom))
        for alias in inner.names
    }
    return imports(path) - for_types


@for_each(*MODULES)
def test_imports_point_down(path: Path) -> None:
    here = floor_of(name_of(path))
    for module in imports(path):
        if module.split(".")[0] == "sitemapgen" and floor_of(module) != here:
            assert FLOOR[floor_of(module)] < FLOOR[here], f"{path.name} imports {module}"


@for_each(*MODULES)
def test_rules_are_pure(path: Path) -> None:
    if floor_of(name_of(path)) in PURE:
        touched = {module.split(".")[0] for module in imports_at_run_time(path)}
        assert not touched & IMPURE


def test_modules_import_each_other_in_no_circle() -> None:
    graph = {
        name_of(path): (imports_at_run_time(path) & NAMES) - {name_of(path)} for path in MODULES
    }
    while leaves := [name for name, targets in graph.items() if not targets & graph.keys()]:
        for name in leaves:
            del graph[name]
    assert not graph


def test_every_file_says_which_question_it_answers() -> None:
    for path in MODULES:
        text = path.read_text("utf-8")
        assert not text or ast.get_docstring(ast.parse(text)), path


@for_each(*MODULES)
def test_every_exception_from_the_types_has_its_reason(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        if "type: ignore" in line:
            assert re.search(r"# type: ignore\[[a-z-]+(?:,[a-z-]+)*\]  # \w", line), line


ARITHMETIC = {
    "authority",
    "base",
    "key",
    "names_of",
    "novelty_between",
    "pixels",
    "sketch_page",
    "split",
    "split_parameters",
    "strip_page_number",
    "template",
}
"""Functions that SQL code may call: parts of URLs, the width of a title, sketches, and how much two
sketches differ."""
APPLIED = {
    *("decide_step", "form_with_address", "is_login", "login_form"),
    *("latest_moment", "past_visits"),
}
"""Rules that the store applies to its rows, as frontier and publication need the same outcome."""


OPTIONAL = {
    "cluster": {"scrapy_commands.crawl", "spiders.sitemap"},
    "cli.serve": {"cli.init", "cli.main"},
    "extensions.dashboard": {"cli.serve.server", "cli.serve.views"},
    "publish.tables": {"commands.export"},
    "tools.fleet": {"commands.fleet"},
}
"""By optional part: the modules outside that import of it; Scrapy loads others by name."""


@for_each(*OPTIONAL)
def test_an_optional_part_is_known_to_few(part: str) -> None:
    """Without it, all that its users do not call works."""
    whole = f"{PACKAGE.name}.{part}"
    outside = {name_of(path): path for path in MODULES if not name_of(path).startswith(whole)}
    users = {
        name.partition(".")[2]
        for name, path in outside.items()
        if any(module.startswith(whole) for module in imports_at_run_time(path))
    }
    assert users == OPTIONAL[part]


@for_each(*[path for path in MODULES if "store" in path.parts and path.stem != "opening"])
def test_sql_code_calls_no_rule(path: Path) -> None:
    """It gets and gives rows; what they mean is decided in ``core`` and ``analysis``."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and floor_of(str(node.module)) in ("core", "analysis"):
            functions = {alias.name for alias in node.names if alias.name.islower()}
            assert functions <= ARITHMETIC | APPLIED | {"urls"}, node.module


def test_no_module_leads_back_to_itself() -> None:
    """Imports make no circle, not even among the modules of one package, nor by types alone."""
    graph = {name_of(path): imports(path) & NAMES for path in MODULES}
    assert list(TopologicalSorter(graph).static_order())


def test_nothing_is_hung_on_the_context_of_a_crawl() -> None:
    """Its attributes change in its own methods alone."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                assert not ast.unparse(node.value).endswith("context"), path


def test_no_module_of_the_tests_imports_from_a_test_module() -> None:
    """What they share is in ``tests/helpers``."""
    for path in sorted(TESTS.rglob("*.py")):
        found: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
        for module in found:
            if module.startswith("tests."):
                assert ".test_" not in module, f"{path.relative_to(TESTS)} imports {module}"


def test_the_tables_of_the_state_are_known_in_the_tests_of_the_store_alone() -> None:
    """Others ask ``tests/store/tables.py``; ``real`` and ``baselines`` have databases of others."""
    for path in sorted(TESTS.rglob("*.py")):
        if {"store", "real", "baselines"}.isdisjoint(path.relative_to(TESTS).parts):
            assert "sqlite3" not in imports(path), path.relative_to(TESTS)
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
            assert "_db" not in attributes, path.relative_to(TESTS)


def test_a_public_class_has_a_name_of_its_own() -> None:
    """But for the commands, all of which are a ``Command``, as Scrapy's are."""
    names = Counter(
        node.name
        for path in MODULES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, number in names.items() if number > 1} == {"Command"}
