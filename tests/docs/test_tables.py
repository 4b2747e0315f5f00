"""The documentation tells the truth: its tables and the code are held together."""

from __future__ import annotations

import re
from typing import Literal, get_args, get_origin

import pytest

import sitemapgen
from sitemapgen import settings
from sitemapgen.core.sitemap_files.findings import Rule
from sitemapgen.errors import Exit
from sitemapgen.params import Params
from sitemapgen.report.metrics import METRICS
from sitemapgen.verdicts import DateFault, Verdict
from tests.docs.pages import PAGES, ROOT, table


def test_every_argument_has_its_row() -> None:
    assert list(table("docs/reference/arguments.md", "# Arguments")) == list(Params.model_fields)


@pytest.mark.parametrize("name", Params.model_fields)
def test_arguments_say_what_the_model_says(name: str) -> None:
    default, text = table("docs/reference/arguments.md", "# Arguments")[name]
    field = Params.model_fields[name]
    assert text.endswith(field.description or "")
    if field.is_required():
        assert default == "required"
    elif name in ("output", "base_url"):
        assert default  # a sentence, since it depends on the site
    elif field.default is None:
        assert default == ""
    else:
        value = field.default
        shown = ",".join(sorted(value)) if isinstance(value, frozenset) else str(value)
        assert default.strip("`") == (shown.lower() if isinstance(value, bool) else shown)
    if get_origin(field.annotation) is Literal:
        for choice in get_args(field.annotation):
            assert f"`{choice}`" in default + text, choice


def test_every_verdict_has_its_row() -> None:
    rows = table("docs/explanation/listed.md", "Every URL ever seen")
    assert {name: cells[-1] for name, cells in rows.items()} == {
        verdict.value: verdict.row.remedy for verdict in Verdict
    }


def test_every_fault_of_a_date_has_its_row() -> None:
    assert table("docs/explanation/listed.md", "| fault |") == {
        fault.value: [fault.row.meaning, fault.row.remedy] for fault in DateFault
    }


def test_the_report_lists_the_verdicts_that_are_wasted() -> None:
    (row,) = table("docs/reference/report.md", "## `wasted`").get("verdicts", [])[-1:]
    assert set(re.findall(r"[a-z]+_?[a-z0-9_]*", row.split("Verdicts: ")[1])) == {
        verdict.value for verdict in Verdict if verdict.row.waste
    }


def test_every_exit_code_has_its_row() -> None:
    assert list(table("docs/explanation/reliability.md", "## Exit codes")) == [
        str(int(code)) for code in Exit
    ]


def test_every_rule_of_validate_has_its_row() -> None:
    rows = {
        name: tuple(cells)
        for name, cells in table("docs/reference/validate.md", "Each finding has").items()
    }
    assert rows == {rule.word: (rule.severity, rule.wants) for rule in Rule}


def test_every_metric_has_its_row() -> None:
    names = {
        name
        for row in table("docs/guides/audit.md", "A condition is")
        for name in re.findall(r"\w+", row)
    }
    assert {*METRICS} - {verdict.value for verdict in Verdict} <= names


def test_every_setting_of_ours_has_its_row() -> None:
    ours = {
        name: str(value) for name, value in vars(settings).items() if name.startswith("SITEMAPGEN_")
    }
    rows = {
        name: cells[0].strip("`")
        for name, cells in table("docs/reference/settings.md", "Ours:").items()
    }
    assert rows == ours


def test_every_setting_of_ours_is_read() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "sitemapgen").rglob("*.py"))
    for name in table("docs/reference/settings.md", "Ours:"):
        assert code.count(f'"{name}"') >= 1, name


def test_the_changelog_and_the_egg_know_the_version() -> None:
    assert f"## {sitemapgen.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f'version="{sitemapgen.__version__}"' in (ROOT / "setup.py").read_text("utf-8")


def test_every_file_of_the_flow_exists() -> None:
    for name in re.findall(r"(?:[a-z_]+/)*[a-z_]+\.py|[a-z]+/(?= )", sitemapgen.__doc__ or ""):
        assert (ROOT / "sitemapgen" / name).exists(), name


def test_make_knows_the_commands_of_the_readme() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    for name in re.findall(
        r"(?:`|\$ )make (\w+)", "".join(page.read_text("utf-8") for page in PAGES)
    ):
        assert name in targets


def test_every_stat_has_its_row() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "sitemapgen").rglob("*.py"))
    counted = re.findall(r'(?:inc|set|max)_value\(\s*f?"(sitemapgen/[^"]+)"', code)
    shown = {re.sub(r"\{[^}]+\}", "", name).rstrip("/") for name in counted}
    rows = {
        re.sub(r"[A-Z]+", "", name).rstrip("/")
        for name in table("docs/reference/stats.md", "| stat |")
    }
    assert rows == shown
