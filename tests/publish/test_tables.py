"""Exported tables: bounded files, harmless texts, partitions that are replaced whole."""

import csv
import os
import shutil
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

import duckdb
import pytest
from pyarrow import parquet

from sitemapgen.core.urls import key
from sitemapgen.items import Judgement, Link, Page
from sitemapgen.publish.tables import export as exporting
from sitemapgen.publish.tables import parquet_files, rows
from sitemapgen.publish.tables.export import FORMATS, export_tables
from sitemapgen.publish.tables.lake import Lake, replace_directory, swap_in_steps
from sitemapgen.publish.tables.rows import TABLES
from sitemapgen.store import Run, Store
from sitemapgen.store.database import OLDEST, VERSION
from sitemapgen.store.frontier import Limits
from sitemapgen.verdicts import Verdict
from tests.helpers.crawls import rest
from tests.helpers.tables import for_each
from tests.store import tables
from tests.store.old_states import restore

SITE = "https://e.example/"
NOW = 1_700_000_000.0
DAY = 86_400


def url(name: object) -> str:
    return f"{SITE}{name}"


def link(name: object, *, nofollow: bool = False) -> Link:
    return Link(url=url(name), key=key(url(name)), nofollow=nofollow)


def crawl(output: Path, pages: dict[str, str], *, day: int = 0, **arguments: object) -> None:
    """Add a run to a state: the start page links to all ``pages``, whose titles are given."""
    output.mkdir(exist_ok=True)
    with closing(Store(output / "crawl.sqlite", Limits())) as store:
        now = NOW + day * DAY
        store.begin_run({"url": SITE, **arguments}, now)
        store.settle_start(SITE)
        store.frontier.seed(link(""), now)
        links = tuple(link(name) for name in pages)
        while leases := store.frontier.lease(64):
            for lease in leases:
                name = lease.url.removeprefix(SITE)
                store.record_page(
                    Page(
                        url=lease.url,
                        key=lease.key,
                        judgement=Judgement(Verdict.LISTED, ""),
                        status=200,
                        title=pages.get(name, ""),
                        links=links if not name else (link("", nofollow=True),),
                        answered=int(now),
                    ),
                    now,
                )
        store.history.keep_visits()
        store.history.keep_outcomes()
        store.end_run("finished", now + 60)


def read(lake: Path, table: str, suffix: str = "parquet") -> list[dict[str, object]]:
    """All rows of a table, of all sites and runs, without type."""
    found = duckdb.sql(f"SELECT * FROM '{lake}/{table}/*/*/*.{suffix}'")
    rows: list[dict[str, object]] = found.to_arrow_table().to_pylist()
    return rows


def titles(count: int) -> dict[str, str]:
    return {f"a/{number}": f"Page {number}" for number in range(count)}


@pytest.mark.parametrize("suffix", FORMATS)
def test_files_are_bounded_and_have_every_row_once(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exporting, "PART_BYTES", 4_096)
    monkeypatch.setattr(rows, "ROWS", 64)
    monkeypatch.setattr(parquet_files, "GROUP_ROWS", 100)
    crawl(tmp_path, titles(1_000))
    into = tmp_path / "lake"
    exported, _ = export_tables(tmp_path, into, suffix)
    files = sorted(into.glob("pages/*/*/*"))
    assert len(files) > 3
    assert {path.name for path in files} == {f"part-{n}.{suffix}" for n in range(len(files))}
    assert {written.path.name: written.rows for written in exported} == {
        "pages": 1_001,
        "links": 2_000,
        "visits": 1_001,
        "history": 1_001,
        "runs": 1,
    }
    for written in exported:
        name = written.path.name
        paths = list(written.path.rglob(f"*.{suffix}"))
        assert written.files == len(paths)
        assert written.bytes == sum(path.stat().st_size for path in paths)
        found = read(into, name, suffix)
        assert len({tuple(row.values()) for row in found}) == written.rows
    assert {row["url"] for row in read(into, "pages", suffix)} == {
        url(""),
        *map(url, titles(1_000)),
    }
    assert sum(bool(row["nofollow"]) for row in read(into, "links", suffix)) == 1_000
    if suffix == "parquet":
        groups = [parquet.ParquetFile(path).metadata.row_group(0).num_rows for path in files[:-1]]
        assert set(groups) == {128}


def test_a_batch_ends_where_its_texts_are_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred URLs of 100 kB are never in memory together."""
    crawl(tmp_path, {f"{'x' * 100_000}{number}": "" for number in range(100)})
    monkeypatch.setattr(rows, "CHARACTERS", 300_000)
    with closing(Store(tmp_path / "crawl.sqlite", Limits(), lent=True)) as store:
        sizes = [len(batch[0]) for batch in next(rows.table_parts(store.export)).batches]
    assert sum(sizes) == 101
    assert max(sizes) <= 5
    for suffix in FORMATS:
        export_tables(tmp_path, tmp_path / suffix, suffix)
        found = read(tmp_path / suffix, "pages", suffix)
        assert sorted(len(str(row["url"])) for row in found)[1:] == [100_019] * 10 + [100_020] * 90


HOSTILE = {
    "formula": "=HYPERLINK(1)",
    "tab": "\t@cmd",
    "control": "a\x00b\x1b[31m\r\nc\x9f",
    "line": "one\u2028two",
    "quote": '"a",b',
    "emoji": "\U0001f600 e\u0301",
    "right": "\u202egnp.exe",
}


def test_hostile_texts(tmp_path: Path) -> None:
    crawl(tmp_path, HOSTILE)
    for suffix in FORMATS:
        export_tables(tmp_path, tmp_path / suffix, suffix)
    (path,) = (tmp_path / "csv").glob("pages/*/*/*.csv")
    with path.open(encoding="utf-8", newline="") as file:
        text = {row["url"].removeprefix(SITE): row["title"] for row in csv.DictReader(file)}
    assert text.pop("") == ""
    assert text == {
        **HOSTILE,
        "formula": "'=HYPERLINK(1)",
        "tab": "' @cmd",
        "control": "a b [31m  c ",
        "line": "one two",
    }
    pages = read(tmp_path / "parquet", "pages")
    found = {str(row["url"]).removeprefix(SITE): row["title"] for row in pages}
    assert found.pop("") == ""
    assert found == {**HOSTILE, "control": "a b [31m \nc "}


def test_halves_of_characters_are_no_error() -> None:
    """Texts of the state have none; what else has may not end an export."""
    cells = ["\ud83d half", None, "whole"]
    assert parquet_files._clean_texts(cells) == ["  half", None, "whole"]
    assert parquet_files._clean_texts(cells[1:]) == cells[1:]


def test_runs_side_by_side(tmp_path: Path) -> None:
    """An export has the history of all runs, and its last run besides those exported before."""
    into = tmp_path / "lake"
    crawl(tmp_path, {"a": "A", "b": "B"})
    export_tables(tmp_path, into, "parquet")
    crawl(tmp_path, {"a": "A", "c": "C", "d": "D"}, day=1)
    export_tables(tmp_path, into, "parquet")
    labels = ["20231114T221320Z", "20231115T221320Z"]
    for table in ("pages", "links", "visits", "history", "runs"):
        (site,) = (into / table).iterdir()
        assert site.name == "site=e.example"
        assert sorted(each.name for each in site.iterdir()) == [f"run={each}" for each in labels]
    first, second = read(into, "runs")
    assert (first["run"], first["seen"], first["listed"], first["number"]) == (labels[0], 3, 3, 1)
    assert (second["run"], second["seen"], second["listed"]) == (labels[1], 4, 4)
    changes = {
        (row["url"], row["verdict_before"], row["verdict"])
        for row in read(into, "history")
        if row["run"] == labels[1]
    }
    assert changes == {
        (url("b"), "listed", None),
        (url("c"), None, "listed"),
        (url("d"), None, "listed"),
    }
    pages = [row["url"] for row in read(into, "pages") if row["run"] == labels[1]]
    assert sorted(pages) == [url(name) for name in ("", "a", "c", "d")]


def test_sites_side_by_side(tmp_path: Path) -> None:
    """Crawls of two directories of a host are two sites; a new state of one keeps its old runs."""
    into = tmp_path / "lake"
    crawl(tmp_path / "one", {"a": "A"})
    crawl(tmp_path / "two", {"a": "A"}, scope="path")
    for name in ("one", "two"):
        export_tables(tmp_path / name, into, "parquet")
    assert {row["site"] for row in read(into, "pages")} == {"e.example"}
    (tmp_path / "one/crawl.sqlite").unlink()
    crawl(tmp_path / "one", {"b": "B"}, day=9)
    export_tables(tmp_path / "one", into, "parquet")
    assert len(read(into, "runs")) == 2


@for_each(
    ("https://example.com/", "origin", "example.com"),
    ("http://example.com:8080/x/", "origin", "example.com_8080"),
    ("http://[::1]:8000/", "origin", "[__1]_8000"),
    ("https://example.com/docs/a", "path", "example.com/docs/"),
    ("https://example.com/docs/", "origin", "example.com"),
)
def test_names_of_sites(start: str, scope: str, name: str) -> None:
    run = Run(arguments={"url": start, "scope": scope}, start=start, ended=True)
    assert exporting.site_of(run) == name


# Replacing


def swaps() -> list[Callable[[Path, Path], None]]:
    return [replace_directory, swap_in_steps]


@pytest.mark.parametrize("swap", swaps())
def test_directories_are_exchanged(swap: Callable[[Path, Path], None], tmp_path: Path) -> None:
    for name in ("new", "published"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"of {name}").touch()
    swap(tmp_path / "new", tmp_path / "published")
    assert [path.name for path in (tmp_path / "published").iterdir()] == ["of new"]
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["of published"]
    assert len(list(tmp_path.iterdir())) == 2


def test_one_export_of_a_site_at_a_time(tmp_path: Path) -> None:
    crawl(tmp_path / "one", {"a": "A"})
    with Lake(tmp_path / "lake", "e.example"), pytest.raises(exporting.CrawlError) as caught:
        export_tables(tmp_path / "one", tmp_path / "lake", "csv")
    assert caught.value.sentence.endswith(
        "cannot be written: another export of this site is writing; wait until it has finished"
    )
    with Lake(tmp_path / "lake", "another.example"):
        export_tables(tmp_path / "one", tmp_path / "lake", "csv")


STEPS = ("os.", "shutil.", "ctypes.dlsym")
"""Audit events of the steps, besides each opening of a file."""


def killed(step: int, output: Path, into: Path) -> bool:
    """Export in a process of its own that is killed before a step; return whether it was."""
    process = os.fork()
    if not process:
        left = step

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            is_in_lake = event == "open" and str(into) in str(arguments[0])
            if is_in_lake or (event.startswith(STEPS) and event != "os.kill"):
                left -= 1
                if left == -1:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        try:
            export_tables(output, into, "csv")
        finally:
            os._exit(0)
    _, status = os.waitpid(process, 0)
    return os.WIFSIGNALED(status)


def partitions(into: Path) -> dict[str, str]:
    """The content of each partition, by its path."""
    return {
        str(directory.relative_to(into)): "".join(
            path.read_text("utf-8") for path in sorted(directory.iterdir())
        )
        for directory in sorted(into.glob("*/site=*/run=*"))
    }


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, dict[str, str], dict[str, str]]:
    """The output of a crawl, and its partitions before and after it went on."""
    output = tmp_path / "output"
    crawl(output, {"a": "A", "b": "B"})
    export_tables(output, tmp_path / "before", "csv")
    crawl(output, {"a": "A", "c": "C"}, day=1)
    export_tables(output, tmp_path / "after", "csv")
    return output, partitions(tmp_path / "before"), partitions(tmp_path / "after")


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.slow
def test_a_killed_export_leaves_whole_partitions(
    versions: tuple[Path, dict[str, str], dict[str, str]], tmp_path: Path
) -> None:
    """Before each of its steps: every partition is the one before or the one after, or neither."""
    output, before, after = versions
    into = tmp_path / "lake"
    seen = set()
    for steps in count():
        for path, text in before.items():
            shutil.rmtree(into / path, ignore_errors=True)
            (into / path).mkdir(parents=True)
            (into / path / "part-0.csv").write_text(text)
        if not killed(steps, output, into):
            break
        found = partitions(into)
        for path, text in found.items():
            assert text in (before.get(path), after.get(path)), (steps, path)
        assert before.keys() <= found.keys()
        runs = {path.partition("/")[2] for path in found if path.startswith("runs/")}
        assert {f"pages/{run}" for run in runs} <= found.keys()
        seen.add(tuple(found.values()))
    assert steps > 40
    assert len(seen) > 5, "killed between the exchanges as well"
    assert partitions(into) == {**before, **after}
    assert not list(into.glob(".*")), "the next export removes what the killed ones left"


# States


@pytest.mark.full
@pytest.mark.parametrize("version", [OLDEST, VERSION, *rest(*range(OLDEST + 1, VERSION))])
@pytest.mark.parametrize("end", ["finished", "interrupted"])
def test_states_of_all_versions(version: int, end: str, tmp_path: Path) -> None:
    """An older one is migrated in memory, and stays as it is."""
    state = restore(f"{version}-{end}", tmp_path)
    exported, run = export_tables(tmp_path, tmp_path / "tables", "csv")
    assert tables.version(state) == version
    assert (not run.ended) == (end == "interrupted")
    assert {written.path.name for written in exported} == set(TABLES)
    assert {row["site"] for row in read(tmp_path / "tables", "pages", "csv")} == {"site.example"}
    runs = read(tmp_path / "tables", "runs", "csv")
    assert [row["ended"] is None for row in runs] == [False] * (len(runs) - 1) + [not run.ended]
