"""The comparison with other tools, at a small size and with those that need nothing installed."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.comparison import SITES, measure
from tests.benchmarks.comparison_table import rows, saved, text
from tests.benchmarks.contestants import AIOHTTP, AT_HAND, OURS, Task
from tests.benchmarks.serving import TLS
from tests.real import processes

PAGES = 100


@pytest.mark.slow
def test_every_tool_fetches_the_same_pages() -> None:
    comparison = measure(AT_HAND, f"{TLS}tree:{PAGES}", "", rounds=1)
    assert comparison.pages == PAGES
    assert [tool.name for tool in comparison.tools] == [each.label for each in AT_HAND]
    for tool in comparison.tools:
        assert tool.requests >= PAGES
        for taken in (tool.cpu, tool.wall, tool.memory):
            assert len(taken) == 1
            assert taken[0] > 0
    assert len(list(rows(comparison))) == 1 + len(AT_HAND)
    assert text(comparison).count("\n") == len(AT_HAND)


@pytest.mark.slow
def test_a_tool_that_fetches_other_pages_ends_the_comparison() -> None:
    def all_but_one(task: Task) -> list[str | Path]:
        urls = task.urls.read_text("utf-8").split()
        task.urls.write_text("\n".join(urls[1:] or urls), "utf-8")
        return list(AIOHTTP.command(task))

    with pytest.raises(RuntimeError, match=r"9 pages were fetched, not 10; .* begins with /$"):
        measure((OURS, replace(AIOHTTP, command=all_but_one)), "tree:10", "", rounds=1)


@pytest.mark.slow
def test_a_tool_that_cannot_be_installed_is_a_row_without_figures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(processes, "CACHE", tmp_path)
    absent = replace(
        AIOHTTP, venv="absent", packages=(str(tmp_path / "absent-1.0-py3-none-any.whl"),)
    )
    comparison = measure((OURS, absent), "tree:10", "", rounds=1)
    row = list(rows(comparison))[-1]
    assert row == ("aiohttp: only fetches given URLs", "could not be installed", *"---")
    assert "absent could not be installed" in capsys.readouterr().err


def test_the_table_of_the_documentation_has_every_tool() -> None:
    kept_ones = saved()
    assert kept_ones.keys() == SITES.keys()
    for name, (tools, *_) in SITES.items():
        for tool, kept in zip(tools, kept_ones[name].tools, strict=True):
            assert kept.name.endswith(f": {tool.name}"), "run `make bench`"
