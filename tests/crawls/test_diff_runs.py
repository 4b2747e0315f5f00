"""``scrapy diff`` between the runs of one output."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawls.commands import run
from tests.helpers.crawls import IMPATIENT, Crawler, command, kill_after
from tests.helpers.server import Answer, Serve, Server, page
from tests.store.tables import outcome_changes

DATED = '<meta property="article:modified_time" content="{}">'


def site(*names: str, **pages: Answer) -> dict[str, Answer]:
    """A start page that links to these, each with a text of its own."""
    made = {f"/{name}": page(title=name, text=f"{name} " * 60) for name in names}
    made |= {f"/{name}": answer for name, answer in pages.items()}
    return {"/": page(*made, text="start " * 60), **made}


def moved(old: str, new: str) -> list[int]:
    """How many URLs were added, removed, or have another verdict; dates are younger each time."""
    counts = run("diff", old, new, "--format", "json").json["counts"]
    return [counts[kind] for kind in ("added", "removed", "verdict")]


BEFORE = site("a", "c", "d", "f", "g", b=page(title="b", text="b " * 60))
AFTER = site(
    *("c", "d", "e", "f", "g"),
    a=page(title="a", text="a " * 60, head='<meta name="robots" content="noindex">'),
    b=page(title="b", text="b " * 60, head=DATED.format("2024-01-01")),
)
del AFTER["/d"]
CHANGES = [
    "added 1 (listed 1)",
    "removed 0",
    "verdict 2 (listed -> http_error 1, listed -> noindex 1)",
    "lastmod 2 (listed 2)",  # the start page has other words: it names other pages
]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Server]]:
    """Three runs: the first, one without changes, one with some."""
    crawl = Crawler(tmp_path_factory.mktemp("crawled"))
    with Server(BEFORE) as server:
        for _ in range(2):
            result = crawl.published(server.url)
        assert [number for number, _ in outcome_changes(result.state)] == [1]
        server.site = AFTER
        yield crawl.published(server.url, "force=true").output, server


@pytest.fixture
def runs(crawled: tuple[Path, Server], tmp_path: Path) -> tuple[Path, Server]:
    """Return a copy of the three runs, and their server."""
    output, server = crawled
    server.site = AFTER
    return shutil.copytree(output, tmp_path / "output"), server


@pytest.mark.full
def test_the_last_run_and_the_one_before(runs: tuple[Path, Server]) -> None:
    output, server = runs
    assert outcome_changes(output / "crawl.sqlite") == [
        (1, 7),
        (3, 5),
    ]  # what did not change is not written again
    result = run("diff", output)
    assert (result.code, result.log) == (0, "")
    assert re.sub("20..-..-..T.*", "NOW", result.out).splitlines() == [
        f"{output}@2 -> {output}@3",
        *CHANGES,
        "same 3",
        "",
        f"+ {server.url}e listed",
        "",
        f"~ {server.url}a listed -> noindex",
        f"~ {server.url}d listed -> http_error",
        "",
        f"~ {server.url} lastmod none -> NOW",
        f"~ {server.url}b lastmod none -> 2024-01-01",
    ]
    assert run("diff", output, "--exit-code").code == 10


@pytest.mark.full
def test_any_two_runs_in_any_order(runs: tuple[Path, Server]) -> None:
    output, server = runs
    assert run("diff", f"{output}@1", f"{output}@2", "--exit-code").code == 0
    assert run("diff", f"{output}@1", f"{output}@3").out.splitlines()[1:5] == CHANGES
    back = run("diff", f"{output}@3", f"{output}/crawl.sqlite@1", "--format", "json").json
    assert back["old"] == f"{output}@3"
    assert back["counts"] == {"added": 0, "removed": 1, "verdict": 2, "lastmod": 2}
    assert back["changes"]["removed"][0]["url"] == f"{server.url}e"
    # A run beside what the store holds now, what was published, and a sitemap.
    for other in ("crawl.sqlite", "urls.csv"):
        assert run("diff", f"{output}@3", output / other, "--exit-code").code == 0, other
    result = run("diff", f"{output}@2", output / "sitemap.xml")
    assert result.out.splitlines()[1:3] == ["added 1 (listed 1)", "removed 2 (listed 2)"]


@pytest.mark.full
def test_a_url_that_nothing_names_any_more_is_removed_and_may_come_back(
    runs: tuple[Path, Server], crawl: Crawler
) -> None:
    output, server = runs
    links = [f"/{name}" for name in "abcefg"]
    server.site = {**AFTER, "/": page(*links, text="start " * 60)}
    crawl(server.url)
    assert f"- {server.url}d http_error" in run("diff", output).out
    server.site = AFTER
    crawl(server.url)
    assert f"+ {server.url}d http_error" in run("diff", output).out
    assert moved(f"{output}@3", f"{output}@5") == [0, 0, 0]


@pytest.mark.full
def test_a_run_counts_once_it_came_to_its_end(
    runs: tuple[Path, Server], crawl: Crawler, tmp_path: Path
) -> None:
    """Killed, it counts when it is continued; refused, it does; without an answer, never."""
    output, server = runs
    server.site = BEFORE
    slow = [*IMPATIENT, "-s", "DOWNLOAD_DELAY=0.2"]
    kill_after(5, server, command(server.url, output, *slow), tmp_path / "log")
    assert run("diff", output).out.splitlines()[0] == f"{output}@2 -> {output}@3"
    pending = run("diff", f"{output}@3", output / "crawl.sqlite", "--format", "json").json
    assert any(move.endswith("-> pending") for move in pending["moves"]["verdict"])
    assert crawl(server.url).code == 0
    assert moved(f"{output}@1", f"{output}@4") == [0, 0, 0]

    server.site = site("a")
    assert crawl(server.url).code == 5
    refused = run("diff", output).out.splitlines()
    assert refused[0] == f"{output}@4 -> {output}@5"
    assert refused[2] == "removed 5 (listed 5)"

    server.site = {"/": Answer(status=404)}
    assert crawl(server.url).code == 3
    result = run("diff", f"{output}@6", f"{output}@1")
    assert result.code == 2
    assert result.sentence == f"ERROR {output}@6: no such run; there are 1 to 5"


@pytest.mark.full
def test_runs_that_there_are_not(serve: Serve, crawl: Crawler) -> None:
    server = serve(BEFORE)
    output = crawl(server.url).output
    for arguments, sentence in (
        ([output], "only run 1 has come to its end, and it takes two"),
        ([f"{output}@1", f"{output}@2"], "@2: no such run; there are 1"),
        ([f"{output}@0", f"{output}@1"], "@0: no such run; there are 1"),
        ([f"{output}/none@1", f"{output}@1"], "none: not the output of a crawl; no crawl.sqlite"),
        ([output / "urls.csv"], "not a database"),
    ):
        result = run("diff", *arguments)
        assert (result.code, result.out) in ((2, ""), (5, "")), arguments
        assert sentence in result.sentence or "damaged" in result.sentence


def test_a_directory_may_have_such_a_name(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    server = serve(BEFORE)
    output = crawl(server.url, output=tmp_path / "site@1").output
    assert run("diff", output, output).out.splitlines()[0].startswith(f"{output}/urls.csv")
    assert run("diff", f"{output}@1", f"{output}@1", "--exit-code").code == 0
