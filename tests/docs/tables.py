"""Generated tables of the documentation, written from the code between two markers of a page.

    <!-- table: settings -->
    <!-- end -->

``make tables`` rewrites them; ``test_tables.py`` fails where a page differs. The texts stand beside
what they describe: descriptions of fields, rows of verdicts, docstrings of attributes. A path in
them such as ``docs/guides/deploy.md#profiles`` becomes a link with the title of that page or
section. The module is not in ``docs/``, of which MkDocs publishes every file.
"""

import ast
import os.path
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, get_args, get_origin

from sitemapgen.core.sitemap_files.findings import Rule
from sitemapgen.errors import Exit
from sitemapgen.params import Params
from sitemapgen.publish.tables.rows import TABLES as EXPORTED
from sitemapgen.report.metrics import METRICS
from sitemapgen.report.priorities import GROUNDS, SEVERITIES
from sitemapgen.verdicts import DateFault, Verdict
from tests.benchmarks import comparison_table
from tests.docs.pages import PAGES, ROOT, prose, slug

TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
PAGE = re.compile(r"docs/([\w/-]+\.md)(#[\w-]+)?")
ARGUMENT = re.compile(r"-a \w+(?:=\w+)?|\bmax_pages\b")

Rows = Iterable[tuple[str, ...]]


def docstrings(path: Path, name: str = "") -> dict[str, tuple[str, str]]:
    """Return (value as a literal, docstring) of each attribute of a module, or of its class."""
    tree = ast.parse(path.read_text("utf-8"))
    body = next(
        (node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name),
        tree.body,
    )
    found = {}
    for node, following in zip(body, [*body[1:], ast.Pass()]):
        if isinstance(node, ast.Assign):
            target = node.targets[0]
        elif isinstance(node, ast.AnnAssign):
            target = node.target
        else:
            continue
        text = ""
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            text = " ".join(str(following.value.value).split())
        if isinstance(target, ast.Name) and node.value:
            found[target.id] = (_literal(node.value), text)
    return found


def _literal(node: ast.expr) -> str:
    """Return the text of a literal; of an expression, which depends on the machine, none."""
    try:
        return str(ast.literal_eval(node))
    except ValueError:
        return ""


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def arguments() -> Rows:
    yield "argument", "default", "meaning"
    for name, field in Params.model_fields.items():
        value = field.default
        if field.is_required():
            default = "required"
        elif value is None:
            default = ""
        elif isinstance(value, frozenset):
            default = _code(",".join(sorted(value)))
        else:
            default = _code(str(value).lower() if isinstance(value, bool) else str(value))
        others = ""
        if get_origin(field.annotation) is Literal:
            choices = [choice for choice in get_args(field.annotation) if choice != value]
            others = f"or {', '.join(map(_code, choices))}. "
        yield _code(name), default, others + (field.description or "")


def settings() -> Rows:
    yield "setting", "default", "meaning"
    for name, (value, text) in docstrings(ROOT / "sitemapgen/settings/__init__.py").items():
        if name.startswith("SITEMAPGEN_"):
            yield _code(name), _code(value), text


def verdicts() -> Rows:
    yield "verdict", "the URL", "to have it listed"
    for verdict in Verdict:
        row = verdict.row
        yield _code(verdict.value), row.detail, ARGUMENT.sub(r"`\g<0>`", row.remedy)


def date_faults() -> Rows:
    yield "fault", "the date", "remedy"
    for fault in DateFault:
        yield _code(fault.value), fault.row.meaning, fault.row.remedy


def exit_codes() -> Rows:
    yield "code", "meaning"
    texts = docstrings(ROOT / "sitemapgen/errors.py", "Exit")
    for code in Exit:
        yield str(int(code)), texts[code.name][1]


def rules() -> Rows:
    yield "rule", "severity", "requirement"
    for rule in Rule:
        yield _code(rule.word), rule.severity, rule.wants


def metrics() -> Rows:
    yield "metric", "a count, part of"
    names: dict[str, list[str]] = {}
    seen = METRICS[Verdict.LISTED.value].whole
    for name, metric in METRICS.items():
        if name not in set(Verdict) and not (metric.whole == seen and name in GROUNDS):
            names.setdefault(metric.whole, []).append(_code(name))
    names[seen] += [
        "every verdict (docs/reference/verdicts.md)",
        "and every other `id` (docs/reference/report.md#priorities-what-to-fix-first)",
    ]
    for whole, group in names.items():
        yield ", ".join(group), whole


def fixes() -> Rows:
    yield "id", "severity", "why it matters"
    names: dict[tuple[str, str], list[str]] = {}
    for name, ground in GROUNDS.items():
        names.setdefault((ground.severity, ground.why), []).append(_code(name))
    for severity, why in sorted(names, key=lambda row: SEVERITIES.index(row[0])):
        yield ", ".join(names[severity, why]), severity, why


def table_columns() -> Rows:
    yield "table", "column", "type", "meaning"
    for table, columns in EXPORTED.items():
        for name, kind, meaning in columns:
            yield _code(table), _code(name), kind, meaning


def comparison() -> Rows:
    """The rounds that ``make bench`` measured last, of a manual."""
    return comparison_table.rows(comparison_table.saved()["comparison"])


def permalinks() -> Rows:
    """The same of posts with permalinks."""
    return comparison_table.rows(comparison_table.saved()["permalinks"])


def tls() -> Rows:
    """The same over TLS, with the tools that need nothing installed."""
    return comparison_table.rows(comparison_table.saved()["tls"])


TABLES: dict[str, Callable[[], Rows]] = {
    made.__name__: made
    for made in (
        *(arguments, settings, verdicts, date_faults, exit_codes, rules, metrics),
        *(fixes, table_columns, comparison, permalinks, tls),
    )
}


def written(path: Path) -> str:
    """Return the text of a page with its tables as the code has them."""
    return TABLE.sub(
        lambda match: f"{match[1]}\n{_table(path, TABLES[match[2]]())}\n{match[3]}",
        path.read_text("utf-8"),
    )


def _table(path: Path, rows: Rows) -> str:
    head, *others = rows
    lines = [f"| {' | '.join(row)} |\n".replace("|  |", "| |") for row in (head, *others)]
    text = "".join((lines[0], f"|{'---|' * len(head)}\n", *lines[1:]))
    return PAGE.sub(lambda match: _link(path, ROOT / "docs" / match[1], match[2] or ""), text)


def _link(path: Path, target: Path, anchor: str) -> str:
    """Return a link from a page to another one, or to a section, with its title."""
    titles = re.findall(r"^#+ (.+)$", prose(target), re.MULTILINE)
    title = next((each for each in titles if f"#{slug(each)}" == anchor), titles[0])
    address = "" if target == path else os.path.relpath(target, path.parent)
    return f"[{title}]({address}{anchor})"


def write() -> None:
    """Write the tables into every page that differs, and print its name."""
    for page in PAGES:
        text = written(page)
        if text != page.read_text("utf-8"):
            page.write_text(text, "utf-8")
            print(f"{page.relative_to(ROOT)}: written")


if __name__ == "__main__":
    write()
