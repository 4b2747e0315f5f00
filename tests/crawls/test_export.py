"""``scrapy export``: tables of real crawls, asked by the queries of docs/guides/tables.md."""

import csv
import itertools
import re
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import openpyxl
import pytest
from pyarrow import dataset

from sitemapgen.core.rendering.learn import TEXT
from sitemapgen.core.urls import key
from sitemapgen.publish.tables.rows import TABLES
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from sitemapgen.store.rendering import Render
from tests.crawls.commands import Result, run, urlset
from tests.helpers.crawls import ROOT, Crawl, Crawler, command, start
from tests.helpers.disk import small_disk
from tests.helpers.server import Answer, Serve, Server, page, redirect, text, xml
from tests.store import tables

PAGE = ROOT / "docs/guides/tables.md"
BLOCK = re.compile(r"(?:^\*\*(.+?)\*\*[^\n]*\n\n)?^```(sql|python)\n(.*?)^```$", re.M | re.S)


class Lake(NamedTuple):
    """Two crawls of one site, each exported."""

    directory: Path
    site: str
    url: str
    crawl: Crawl


def words(name: str) -> str:
    """A text that no other page has."""
    return f"{name} " * 60


DATED = '<meta property="article:modified_time" content="{}">'


def first_site() -> dict[str, Answer]:
    names = ("/blog/1", "/blog/2", "/shop/1", "/shop/2", "/shop/copy", "/gone", "/moved")
    return {
        "/": page(*names, text=words("start")),
        "/blog/1": page("/", title="One", text=words("one"), head=DATED.format("2024-01-01")),
        "/blog/2": page("/moved", text=words("two"), head=DATED.format("2024-02-01T10:00:00Z")),
        "/shop/1": page("/", title="=1+1", text=words("shop")),
        "/shop/2": page("/", title="2", text=words("more")),
        "/shop/copy": page("/", title="=1+1", text=words("shop")),
        "/moved": redirect("/blog/1"),
        "/orphan": page("/", title="Orphan", text=words("orphan")),
    }


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Crawl and export a site twice; in between two pages go, and two change."""
    root, site = tmp_path_factory.mktemp("lake"), first_site()
    with Server(site) as server:
        site["/robots.txt"] = text(f"Sitemap: {server.url}sitemap.xml\n")
        site["/sitemap.xml"] = xml(urlset(f"{server.url}orphan", f"{server.url}blog/1"))

        def crawl_and_export() -> Crawl:
            crawl = Crawler(root).published(server.url, "force=true")
            url = f"{server.url}blog/1"
            with closing(Store(crawl.state, Limits())) as store:
                rendered = Render("always", "gained", 1.5, gained=TEXT)
                store.rendering.record_render(key(url), rendered)
            result = run("export", crawl.output, "--into", root / "lake")
            assert result.code == 0, result.log
            return crawl

        crawl_and_export()
        del site["/blog/2"], site["/shop/2"]
        site["/blog/1"] = page("/", title="One", text=words("another"))
        site["/blog/3"] = page("/", title="0012", text=words("three"))
        named = [name for name in site if name.count("/") > 1]
        site["/"] = page(*named, "/moved", "/gone", "/shop/2")
        crawl = crawl_and_export()
        yield Lake(root / "lake", f"127.0.0.1_{server.port}", server.url, crawl)


def queries(lake: Path) -> dict[str, str]:
    """The blocks of SQL of the page, by the title above each, about the tables in a directory."""
    blocks = BLOCK.findall(PAGE.read_text("utf-8"))
    return {
        title: body.replace("'lake/", f"'{lake}/") for title, kind, body in blocks if kind == "sql"
    }


def asked(lake: Lake, title: str) -> list[dict[str, Any]]:
    """The rows that a query of the page returns, without the address of the server."""
    wanted = queries(lake.directory)
    with duckdb.connect() as database:
        database.execute(wanted[""])
        rows: list[dict[str, Any]] = database.sql(wanted[title]).to_arrow_table().to_pylist()
    for row in rows:
        row.pop("site", None)
        for name, cell in row.items():
            if isinstance(cell, str):
                row[name] = cell.replace(lake.url, "/")
    return rows


def test_every_query_of_the_page_is_tested() -> None:
    source = Path(__file__).read_text("utf-8")
    for title in queries(Path()):
        assert f'"{title}"' in source or not title, title


@pytest.mark.full
def test_pages_by_verdict(lake: Lake) -> None:
    found = {row["verdict"]: row["urls"] for row in asked(lake, "Pages by verdict")}
    expected: dict[str, int] = {}
    for verdict in lake.crawl.verdicts.values():
        expected[verdict] = expected.get(verdict, 0) + 1
    assert found == expected
    assert {"listed", "duplicate", "redirect", "http_error"} <= found.keys()


def test_what_is_linked_and_what_is_not(lake: Lake) -> None:
    urls = lake.crawl.urls
    alone = [row["url"] for row in asked(lake, "Listed pages without an inlink")]
    assert alone == ["/orphan"]
    assert asked(lake, "Orphans") == [{"url": "/orphan", "verdict": "listed", "in_degree": 0}]
    top = asked(lake, "Top pages by in-degree")
    assert top[0]["url"] == "/"
    assert {row["url"]: row["in_degree"] for row in top} == {
        url.replace(lake.url, "/"): int(row["in_degree"]) for url, row in urls.items()
    }


def test_links_to_redirects_and_errors(lake: Lake) -> None:
    found = asked(lake, "Links to redirects or errors")
    edges = {(row["page"], row["target"], row["verdict"], row["status"]) for row in found}
    assert ("/", "/moved", "redirect", 301) in edges
    assert ("/", "/gone", "http_error", 404) in edges
    assert {row["other_url"] for row in found if row["target"] == "/moved"} == {"/blog/1"}
    assert len(edges) == len(found)


def test_clusters_and_sections(lake: Lake) -> None:
    assert asked(lake, "Clusters of duplicates") == [
        {"page": "/shop/1", "copies": 1, "urls": [f"{lake.url}shop/copy"]}
    ]
    dates = asked(lake, "Sources of `lastmod` by section")
    assert {row["section"] for row in dates} == {"", "blog", "shop"}
    assert sum(row["pages"] for row in dates) == len(lake.crawl.sitemap)
    assert [row["section"] for row in asked(lake, "Slowest sections")] == ["blog"]
    changed = {row["section"]: row["changed"] for row in asked(lake, "Most changed sections")}
    assert changed["blog"] == 1.0
    assert changed["shop"] == 0.0


def test_changes_between_the_runs(lake: Lake) -> None:
    assert asked(lake, "Lost since the run before") == [
        {"url": "/blog/2", "now": "not named any more"},
        {"url": "/shop/2", "now": "http_error"},
    ]
    first, second = asked(lake, "Growth of each site by run")
    assert (second["seen"], second["listed"]) == (len(lake.crawl.urls), len(lake.crawl.sitemap))
    assert first["more"] is None
    assert second["more"] == second["listed"] - first["listed"]
    assert first["run"] < second["run"]


def test_the_code_of_the_page_runs(lake: Lake, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [body for _, kind, body in BLOCK.findall(PAGE.read_text("utf-8")) if kind == "python"]
    for body in (body for body in blocks if "pyarrow" in body):
        exec(body.replace('"lake/', f'"{lake.directory}/').replace("example.com", lake.site))
    out = capsys.readouterr().out
    assert len(re.findall(r"^20\w+Z listed ", out, re.MULTILINE)) == 2, out


def test_types_and_values(lake: Lake) -> None:
    """All readers see the partitions as columns; values are those of urls.csv."""
    table = dataset.dataset(lake.directory / "pages", partitioning="hive").to_table()
    names = [column.name for column in TABLES["pages"]]
    assert table.column_names == [*names, "site", "run"]
    types = {name: str(table.schema.field(name).type) for name in names}
    assert types["key"] == types["parent_key"] == "int64"
    assert types["verdict"].startswith("dictionary<values=string")
    assert types["visited"] == types["lastmod"] == "timestamp[us, tz=UTC]"
    last = max(table["run"].to_pylist())
    rows = {row["url"]: row for row in table.to_pylist() if row["run"] == last}
    names_of = {row["key"]: url for url, row in rows.items()}
    for url, expected in lake.crawl.urls.items():
        row = rows[url]
        assert key(url) == row["key"]
        assert names_of.get(row["parent_key"], "") == expected["parent"]
        for name in ("verdict", "evidence", "status", "depth", "canonical", "lastmod_source"):
            assert str("" if row[name] is None else row[name]) == expected[name], (url, name)
        assert row["reached"] == bool(int(expected["reached"]))
        assert (row["lastmod"] is None) == (expected["lastmod"] == "")
    assert rows.keys() == lake.crawl.urls.keys()
    assert rows[f"{lake.url}shop/1"]["title"] == "=1+1", "a formula is data where nothing reads it"


def test_csv_has_the_same(lake: Lake, tmp_path: Path) -> None:
    result = run("export", lake.crawl.output, "--to", "csv", "--into", tmp_path)
    assert result.code == 0, result.log
    for name, columns in TABLES.items():
        (last, *_) = sorted((tmp_path / name).glob("*/*/*.csv"), reverse=True)
        with last.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert list(rows[0]) == [column.name for column in columns]
        same = lake.directory / last.parent.relative_to(tmp_path)
        assert len(rows) == dataset.dataset(same).count_rows()
    with (tmp_path / "pages").glob("*/*/*.csv").__next__().open(encoding="utf-8") as file:
        pages = {row["url"]: row for row in csv.DictReader(file)}
    assert pages[f"{lake.url}shop/1"]["title"] == "'=1+1"
    with duckdb.connect() as database:
        for body in queries(tmp_path).values():
            database.execute(body.replace(".parquet", ".csv"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", pages[lake.url]["visited"])


def test_another_format_replaces_the_first(lake: Lake, tmp_path: Path) -> None:
    for format_ in ("parquet", "csv"):
        assert run("export", lake.crawl.output, "--to", format_, "--into", tmp_path).code == 0
    kinds = {path.suffix for path in tmp_path.rglob("*") if path.is_file()}
    assert kinds == {".csv"}
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(TABLES)


# What cannot be exported


def error(result: Result) -> str:
    """The one line of the log of a command that failed."""
    assert result.sentence.startswith("ERROR ")
    return result.sentence.removeprefix("ERROR ")


def test_a_directory_that_is_no_crawl(tmp_path: Path) -> None:
    result = run("export", tmp_path)
    assert result.code == 2
    assert error(result) == f"{tmp_path}: not the output of a crawl; it has no crawl.sqlite"
    assert error(run("export", tmp_path / "none")).endswith("no such directory")
    assert not list(tmp_path.iterdir())


def test_a_state_that_another_process_has(lake: Lake, tmp_path: Path) -> None:
    with closing(Store(lake.crawl.state, Limits(), lent=True)):
        result = run("export", lake.crawl.output, "--into", tmp_path)
    assert result.code == 5
    assert "another crawl is using it; wait for it" in result.sentence
    assert not list(tmp_path.iterdir())


def test_a_state_of_a_newer_version(lake: Lake, tmp_path: Path) -> None:
    version = tables.version(lake.crawl.state)
    tables.set_version(lake.crawl.state, version + 1)
    try:
        result = run("export", lake.crawl.output, "--into", tmp_path)
    finally:
        tables.set_version(lake.crawl.state, version)
    assert result.code == 5
    assert "state of a newer sitemapgen" in result.sentence
    assert not list(tmp_path.iterdir())


def test_a_workbook(lake: Lake, tmp_path: Path) -> None:
    """It has the cells of urls.csv: numbers, and texts, whatever they look like."""
    result = run("export", lake.crawl.output, "--to", "xlsx", "--into", tmp_path)
    assert result.code == 0
    (sheet,) = openpyxl.load_workbook(tmp_path / "urls.xlsx").worksheets
    header, *rows = sheet.iter_rows(values_only=True)
    with (lake.crawl.output / "urls.csv").open(encoding="utf-8", newline="") as file:
        known = [*csv.DictReader(file)]
    assert [[*row] for row in known] == len(known) * [[*header]]
    found = [dict(zip(header, row, strict=True)) for row in rows]
    for row, cells in zip(found, known, strict=True):
        shown = {name: str("" if cell is None else cell) for name, cell in row.items()}
        shown |= {name: cells[name] for name in shown if "render" in name}  # ``lake`` adds one
        assert shown == {name: cell.removeprefix("'") for name, cell in cells.items()}
    titles = {str(row["url"]).removeprefix(lake.url): row["title"] for row in found}
    assert (titles["shop/1"], titles["blog/3"]) == ("=1+1", "0012")
    assert {cell.data_type for cell in sheet["K"] if cell.value} == {"s"}
    assert {type(row["status"]) for row in found} <= {int, type(None)}
    before = (tmp_path / "urls.xlsx").read_bytes()
    run("export", lake.crawl.output, "--to", "xlsx", "--into", tmp_path)
    assert (tmp_path / "urls.xlsx").read_bytes() == before


@pytest.mark.full
@pytest.mark.parametrize(
    ("package", "given", "remedy"),
    [
        ("pyarrow", "parquet", "pip install pyarrow, or give --to csv"),
        ("XlsxWriter", "xlsx", "pip install XlsxWriter, or use urls.csv"),
    ],
)
def test_without_an_optional_package(
    package: str, given: str, remedy: str, lake: Lake, tmp_path: Path
) -> None:
    """The package is hidden by a module of its name that cannot be imported."""
    (tmp_path / f"{package.lower()}.py").write_text("raise ImportError\n")
    path, into = f"{tmp_path}:{ROOT}", tmp_path / "lake"
    result = run("export", lake.crawl.output, "--to", given, "--into", into, PYTHONPATH=path)
    assert result.code == 2
    assert error(result) == f"--to {given}: {package} is not installed; {remedy}"
    assert not into.exists()
    arguments = ("export", lake.crawl.output, "--to", "csv", "--into", tmp_path / "lake")
    assert run(*arguments, PYTHONPATH=path).code == 0


@pytest.mark.full
def test_a_full_disk(lake: Lake, tmp_path: Path) -> None:
    """The tables of before stay."""
    with small_disk(tmp_path / "disk", megabytes=1) as disk:
        into = disk / "lake"
        assert run("export", lake.crawl.output, "--into", into).code == 0
        before = sorted(path.relative_to(into) for path in into.rglob("*"))
        filler = disk / "filler"
        subprocess.run(
            f"dd if=/dev/zero of={filler} bs=4096", shell=True, capture_output=True, check=False
        )
        for format_ in ("parquet", "csv"):
            result = run("export", lake.crawl.output, "--to", format_, "--into", into)
            assert (result.code, error(result)) == (
                7,
                f"{into}: cannot be written: No space left on device",
            )
            assert sorted(path.relative_to(into) for path in into.rglob("*")) == before
    file = tmp_path / "file"
    file.touch()
    result = run("export", lake.crawl.output, "--into", file)
    assert (result.code, error(result)) == (7, f"{file}: cannot be written: File exists")


def test_wrong_options(lake: Lake) -> None:
    assert run("export", lake.crawl.output, "--to", "xml").code == 2
    assert error(run("export")) == "give OUTPUT, and not nothing"


@pytest.mark.full
def test_an_interrupted_crawl(serve: Serve, tmp_path: Path) -> None:
    """It is exported as far as it came, with a warning, and its state stays."""
    names = [f"/{number}" for number in range(60)]
    server = serve({"/": page(*names), **{name: page(name, text=words(name)) for name in names}})
    output = tmp_path / "output"
    log = tmp_path / "log"
    process = start(command(server.url, output), log)
    while len(server.visits) < 20:
        assert process.poll() is None, log.read_text()
    process.kill()
    process.wait()
    result = run("export", output)
    assert result.code == 0, result.log
    assert "WARNING" in result.log
    assert "export it again when it has ended" in result.log
    runs = dataset.dataset(output / "tables/runs").to_table(["ended", "listed"]).to_pylist()
    assert {*itertools.chain(*map(dict.values, runs))} == {None}
    pages = dataset.dataset(output / "tables/pages").to_table(["verdict"])["verdict"].to_pylist()
    assert 0 < pages.count("listed") < 60
    book = run("export", output, "--to", "xlsx", "--into", tmp_path)
    assert (book.code, "export it again when it has ended" in book.log) == (0, True)
    sheet = openpyxl.load_workbook(tmp_path / "urls.xlsx").worksheets[0]
    head, *rows = sheet.iter_rows(values_only=True)
    verdicts = Counter(row[head.index("verdict")] for row in rows)
    assert verdicts == Counter(pages)
    assert verdicts["not_fetched"] > 0
    assert not tables.has_ended(output / "crawl.sqlite")
