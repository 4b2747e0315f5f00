"""The documentation agrees with the code: its tables are generated, its names exist."""

import re
from pathlib import Path

import sitemapgen
from sitemapgen.verdicts import Verdict
from tests.docs.pages import PAGES, ROOT
from tests.docs.tables import TABLE, TABLES, docstrings, written
from tests.helpers.tables import for_each


@for_each(*PAGES)
def test_tables_are_those_of_the_code(path: Path) -> None:
    assert path.read_text("utf-8") == written(path), "run `make tables`"


def test_every_table_is_on_a_page() -> None:
    text = "".join(path.read_text("utf-8") for path in PAGES)
    assert sorted(name for _, name, _ in TABLE.findall(text)) == sorted(TABLES)


@for_each(*TABLES)
def test_no_row_lacks_its_text(name: str) -> None:
    head, *rows = TABLES[name]()
    for row in rows:
        assert len(row) == len(head)
        assert row[0]
        assert row[-1].strip(" ."), row[0]
        assert "|" not in "".join(row), row[0]


def test_the_report_lists_the_verdicts_that_are_wasted() -> None:
    text = (ROOT / "docs/reference/report.md").read_text("utf-8")
    (words,) = re.findall(r"Verdicts: `([^`]+)`", text)
    assert set(words.split()) == {verdict.value for verdict in Verdict if verdict.row.waste}


def test_every_setting_of_ours_is_read() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "sitemapgen").rglob("*.py"))
    for name in docstrings(ROOT / "sitemapgen/settings/__init__.py"):
        if name.startswith("SITEMAPGEN_"):
            assert f'"{name}"' in code, name


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


def test_every_stat_has_its_text() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "sitemapgen").rglob("*.py"))
    counted = re.findall(r'(?:inc|set|max)_value\(\s*f?"(sitemapgen/[^"]+)"', code)
    shown = {re.sub(r"\{[^}]+\}", "", name).rstrip("/") for name in counted}
    page = (ROOT / "docs/reference/stats.md").read_text("utf-8")
    described = re.findall(r"^\| `(sitemapgen/[^`]+)` \| \S", page, re.MULTILINE)
    assert {re.sub(r"[A-Z]+", "", name).rstrip("/") for name in described} == shown
