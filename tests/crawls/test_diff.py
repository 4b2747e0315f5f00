"""``scrapy diff``: two crawls, two sitemaps, and one of each."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.crawls.commands import index, run, urlset, write
from tests.helpers.crawls import DEADLINE, IMPATIENT, Crawler
from tests.helpers.server import HERE, Serve, Server, page, xml

SITE = "https://example.com/"


def words(name: str) -> str:
    """A text that no other page has."""
    return f"{name} " * 60


DATED = '<meta property="article:modified_time" content="{}">'


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A directory with two crawls of a site that changed in between, and its URL."""
    directory = tmp_path_factory.mktemp("crawled")
    crawl = Crawler(directory)
    pages = {f"/{name}": page(title=name, text=words(name)) for name in "abcd"}
    pages["/b"] = page(title="b", text=words("b"), head=DATED.format("2024-01-01"))
    with Server({"/": page(*pages, text=words("start")), **pages}) as server:
        crawl.published(server.url, output=directory / "old")
        del pages["/c"]
        noindex = '<meta name="robots" content="noindex">'
        pages["/a"] = page(title="a", text=words("a"), head=noindex)
        pages["/b"] = page(title="b", text=words("b"), head=DATED.format("2024-02-01"))
        pages["/e"] = page(title="e", text=words("e"))
        server.site = {"/": page(*pages, text=words("start")), **pages}
        crawl.published(server.url, "force=true", output=directory / "new")
    return directory, server.url


@pytest.fixture
def outputs(crawled: tuple[Path, str], tmp_path: Path) -> tuple[Path, Path, str]:
    """Return copies of both crawls, and the URL of their site."""
    old, new = (shutil.copytree(crawled[0] / name, tmp_path / name) for name in ("old", "new"))
    return old, new, crawled[1]


@pytest.mark.full
def test_two_outputs(outputs: tuple[Path, Path, str]) -> None:
    old, new, url = outputs
    result = run("diff", old, new)
    assert (result.code, result.log) == (0, "")
    assert result.out.splitlines() == [
        f"{old}/urls.csv -> {new}/urls.csv",
        "added 1 (listed 1)",
        "removed 1 (listed 1)",
        "verdict 1 (listed -> noindex 1)",
        "lastmod 1 (listed 1)",
        "same 2",
        "",
        f"+ {url}e listed",
        "",
        f"- {url}c listed",
        "",
        f"~ {url}a listed -> noindex",
        "",
        f"~ {url}b lastmod 2024-01-01 -> 2024-02-01",
    ]
    assert run("diff", old, new, "--exit-code").code == 10
    assert run("diff", new, new, "--exit-code").code == 0


@pytest.mark.full
def test_stores_say_the_same_and_stay_as_they_are(outputs: tuple[Path, Path, str]) -> None:
    old, new, _ = outputs
    expected = run("diff", old, new).out.splitlines()[1:]
    for directory in (old, new):
        (directory / "urls.csv").unlink()
    result = run("diff", old, new)
    assert result.out.splitlines()[1:] == expected
    assert run("diff", old / "crawl.sqlite", new / "crawl.sqlite").out == result.out
    assert sorted(path.name for path in old.iterdir()) == [
        *("crawl.sqlite", "report.html", "report.json", "result.json", "sitemap.xml"),
    ]


def test_an_output_and_a_sitemap(outputs: tuple[Path, Path, str]) -> None:
    """A sitemap knows nothing of what is not listed: neither does the comparison."""
    old, new, url = outputs
    result = run("diff", old, new / "sitemap.xml", "--format", "json")
    assert result.json == {
        "schema": 1,
        "old": f"{old}/urls.csv",
        "new": f"{new}/sitemap.xml",
        "same": 2,
        "counts": {"added": 1, "removed": 2, "verdict": 0, "lastmod": 1},
        "moves": {
            "added": {"listed": 1},
            "removed": {"listed": 2},
            "verdict": {},
            "lastmod": {"listed": 1},
        },
        "changes": {
            "added": [{"url": f"{url}e", "old": None, "new": {"verdict": "listed", "lastmod": ""}}],
            "removed": [
                {"url": f"{url}{name}", "old": {"verdict": "listed", "lastmod": ""}, "new": None}
                for name in "ac"
            ],
            "verdict": [],
            "lastmod": [
                {
                    "url": f"{url}b",
                    "old": {"verdict": "listed", "lastmod": "2024-01-01"},
                    "new": {"verdict": "listed", "lastmod": "2024-02-01"},
                }
            ],
        },
    }


def test_a_crawl_that_is_under_way(outputs: tuple[Path, Path, str]) -> None:
    old, new, _ = outputs
    (new / "urls.csv").unlink()
    holder = [
        *("python3", "-c"),
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute('PRAGMA locking_mode=EXCLUSIVE'); db.execute('BEGIN IMMEDIATE');"
        "print('held', flush=True); sys.stdin.read()",
        str(new / "crawl.sqlite"),
    ]
    with subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdin
        process.stdout.readline()
        result = run("diff", old, new)
        process.stdin.close()
        assert process.wait(DEADLINE) == 0
    assert result.code == 5
    assert "another crawl is using it" in result.sentence


def test_two_sitemaps_on_the_web_and_on_the_disk(serve: Serve, tmp_path: Path) -> None:
    write(
        tmp_path,
        sitemap__xml=index(f"{SITE}1.xml", f"{SITE}2.xml"),
        **{"1__xml": urlset(f"{SITE}b", f"{SITE}a", f"{SITE}a"), "2__xml": urlset(f"{SITE}c")},
    )
    server = serve(
        {
            "/sitemap.xml": xml(index(f"{HERE}1.xml", "http://127.0.0.2:1/2.xml")),
            "/1.xml": xml(urlset("https://EXAMPLE.com/c", f"{SITE}d")),
        }
    )
    result = run("diff", tmp_path / "sitemap.xml", f"{server.url}sitemap.xml", *IMPATIENT)
    assert result.code == 0
    assert "http://127.0.0.2:1/2.xml: not read: on another host" in result.sentence
    assert result.out.splitlines()[1:6] == [
        *("added 1 (listed 1)", "removed 2 (listed 2)", "verdict 0", "lastmod 0", "same 1")
    ]
    result = run("diff", f"{server.url}sitemap.xml", f"{server.url}1.xml", *IMPATIENT)
    assert result.out.splitlines()[1:6] == [
        "added 0",
        "removed 0",
        "verdict 0",
        "lastmod 0",
        "same 2",
    ]


def test_long_lists_are_cut_unless_all_is_asked_for(tmp_path: Path) -> None:
    write(tmp_path, old__xml=urlset(SITE))
    write(tmp_path, new__xml=urlset(SITE, *[f"{SITE}{n:03}" for n in range(100)]))
    result = run("diff", tmp_path / "old.xml", tmp_path / "new.xml")
    assert "added 100 (listed 100)\n" in result.out
    assert result.out.endswith(f"+ {SITE}019 listed\n... and 80 more (--all)\n")
    result = run("diff", tmp_path / "old.xml", tmp_path / "new.xml", "--all")
    assert result.out.endswith(f"+ {SITE}099 listed\n")
    result = run("diff", tmp_path / "old.xml", tmp_path / "new.xml", "--all", "--format=json")
    assert [change["url"] for change in result.json["changes"]["added"]] == [
        f"{SITE}{n:03}" for n in range(100)
    ]


def test_what_a_sitemap_says_cannot_speak_to_a_terminal(tmp_path: Path) -> None:
    entry = f"<url><loc>{SITE}a</loc><lastmod>&#x9b;31m&#x202e;x</lastmod></url>"
    write(tmp_path, old__xml=urlset(f"{SITE}a"), new__xml=urlset().replace("\n<", f"\n{entry}<"))
    result = run("diff", tmp_path / "old.xml", tmp_path / "new.xml")
    assert "lastmod none -> 31mx" in result.out
    assert result.out.replace("\n", "").isprintable()


def test_a_part_that_is_missing_is_not_a_removal(tmp_path: Path) -> None:
    write(tmp_path, sitemap__xml=index(f"{SITE}1.xml", f"{SITE}2.xml"), **{"1__xml": urlset(SITE)})
    result = run("diff", tmp_path / "1.xml", tmp_path / "sitemap.xml")
    assert (result.code, result.out) == (2, "")
    assert result.sentence == f"ERROR {SITE}2.xml: cannot be read: no such file or directory"


@pytest.mark.full
def test_files_that_are_none_of_ours(tmp_path: Path) -> None:
    write(tmp_path / "empty")
    write(tmp_path, page__html="<!doctype html><p>", a__xml=urlset(SITE))
    write(tmp_path, mixed__csv="url,verdict,lastmod\nhttps://b/,listed,\nhttps://a/,listed,\n")
    write(
        tmp_path,
        less__csv="url,verdict,\nhttps://b/,listed\n",
        **{"x__sqlite": b"SQLite format 3\0"},
    )
    for name, code, sentence in (
        ("empty", 2, "none of urls.csv, crawl.sqlite, sitemap.xml is in this directory"),
        ("page.html", 2, "no sitemap: an HTML page"),
        ("mixed.csv", 2, "line 3: not in URL order, as it was written"),
        ("less.csv", 2, "line 2: not as urls.csv is written"),
        ("x.sqlite", 5, "damaged"),
        ("none", 2, "no such file or directory"),
    ):
        result = run("diff", tmp_path / name, tmp_path / "mixed.csv")
        assert (result.code, result.out) == (code, ""), name
        assert sentence in result.sentence


def test_bad_arguments() -> None:
    assert run("diff").sentence == "ERROR give OLD NEW, and not nothing"
    assert run("diff", "a").sentence == "ERROR a: not the output of a crawl; no crawl.sqlite"
    assert run("diff", "a", "b", "--wath").code == 2


def test_json_is_ascii(tmp_path: Path) -> None:
    entry = f"<url><loc>{SITE}a</loc><lastmod>ä</lastmod></url>"
    write(tmp_path, old__xml=urlset(f"{SITE}a"), new__xml=urlset().replace("\n<", f"\n{entry}<"))
    result = run("diff", tmp_path / "old.xml", tmp_path / "new.xml", "--format", "json")
    assert result.out.isascii()
    assert json.loads(result.out)["changes"]["lastmod"][0]["new"]["lastmod"] == "ä"
