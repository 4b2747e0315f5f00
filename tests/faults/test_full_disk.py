"""A disk that fills up, and files that are removed, while a crawl uses them."""

import json
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.result import Result
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from tests.helpers.crawls import DEADLINE, IMPATIENT, ROOT, captured, command, start, wait_for
from tests.helpers.disk import fill as fill_to_the_last_page
from tests.helpers.disk import small_disk
from tests.helpers.server import Answer, Server, page
from tests.store import tables

COUNT = 60
MEGABYTE = 1 << 20


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", megabytes=8) as directory:
        yield directory


def fill(disk: Path, left: int) -> Path:
    """Leave so many bytes of a disk; the file to remove for the others."""
    found = os.statvfs(disk)
    filler = disk / "filler"
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, found.f_bavail * found.f_frsize - left)
    return filler


def site(word: str, delay: float = 0.0) -> dict[str, Answer]:
    """Pages that link to one another; one of them has the word as its path."""
    paths = [f"/{number}" for number in range(COUNT)] + [f"/{word}"]
    answers = {
        path: page(
            *(paths[(place * 7 + step) % len(paths)] for step in range(20)),
            title=f"{word} {path}",
            text=f"{word} {path} " + " ".join(f"w{(place * 31 + n * 17) % 997}" for n in range(99)),
        )._replace(delay=delay)
        for place, path in enumerate(paths)
    }
    return {**answers, "/": page(*paths)}


def crawl(server: Server, output: Path) -> tuple[int, str, str]:
    """Exit code, outcome and log of a crawl."""
    line = command(server.url, output, *IMPATIENT)
    done = captured(line, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return done.returncode, result_of(output)["outcome"], done.stderr


def result_of(output: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((output / "result.json").read_bytes())
    return facts


def refresh_on_a_full_disk(disk: Path, left: int) -> int:
    """Refresh with so many bytes left: all is said, nothing is lost, and it can be continued."""
    output = disk / "output"
    with Server(site("old")) as server:
        assert crawl(server, output)[:2] == (0, "published")
        before = result_of(output)
        old = {path.name: path.read_bytes() for path in output.glob("*.xml")}
        server.site = site("new")
        filler = fill(disk, left)
        code, outcome, log = crawl(server, output)
        assert "Traceback" not in log, log
        is_new = b"/new</loc>" in (output / "sitemap.xml").read_bytes()
        if result_of(output)["started"] == before["started"]:
            outcome = "no_space"  # not even the state could be opened: nothing was begun
        assert (code, outcome, is_new) in ((0, "published", True), (7, "no_space", False)), log
        if code:
            assert {path.name: path.read_bytes() for path in output.glob("*.xml")} == old
            assert len([line for line in log.splitlines() if " ERROR " in line]) == 1, log
        filler.unlink()
        assert crawl(server, output)[:2] == (0, "published")
        assert b"/new</loc>" in (output / "sitemap.xml").read_bytes()
    return code


def test_little_space(disk: Path) -> None:
    assert refresh_on_a_full_disk(disk, 150_000) == 7


@pytest.mark.slow
@pytest.mark.parametrize("left", range(50_000, 1_650_000, 80_000))
def test_less_and_less_space(disk: Path, left: int) -> None:
    print(left, refresh_on_a_full_disk(disk, left))


def test_the_end_is_written_on_a_full_disk(disk: Path) -> None:
    result = Result([disk / "result.json"])
    result.begin()
    names = [f"sitemap-{number}.xml" for number in range(5_000)]
    result.reserve(names)
    fill(disk, 0)
    result._facts |= {"files": names, "changed": names}
    result.end(Exit.PUBLISHED)
    facts = result_of(disk)
    assert (facts["outcome"], facts["files"]) == ("published", names)
    assert sorted(path.name for path in disk.iterdir()) == ["filler", "result.json"]


def test_a_result_that_cannot_be_written_is_no_full_disk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").touch()
    result = Result([tmp_path / "file" / "result.json", tmp_path / "result.json"])
    result.begin()
    result.reserve(["sitemap.xml"])
    result.end(Exit.PUBLISHED)
    assert "cannot be written" in caplog.text
    assert result_of(tmp_path)["outcome"] == "published"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "result.json"]


def test_after_an_error_of_the_disk_nothing_more_is_written(disk: Path) -> None:
    """Rows that later ones refer to may have been lost with the transaction."""
    with closing(Store(disk / "crawl.sqlite", Limits())) as store:
        store.begin_run({}, 0.0)
        store.commit()
        filler = fill(disk, 0)
        with pytest.raises(CrawlError, match="no space left"):  # noqa: PT012 - at some time
            for _ in range(1_000):
                tables.write_nine_kilobytes(store, 1)
                store.commit()
        filler.unlink()
        with pytest.raises(CrawlError, match="no space left"):
            tables.write_nine_kilobytes(store, 1)


def test_the_log_of_the_store_leaves_room_for_what_it_holds(disk: Path) -> None:
    """What was committed fits into the file: a full disk is not full for the next run as well."""
    with closing(Store(disk / "crawl.sqlite", Limits())) as store:
        store.begin_run({}, 0.0)
        store.commit()
        filler = fill(disk, 2 * MEGABYTE)
        with pytest.raises(CrawlError, match="no space left"):  # noqa: PT012 - at some time
            for number in range(1_000):
                tables.write_nine_kilobytes(store, number)
                store.commit()
    log = disk / "crawl.sqlite-wal"
    assert not log.exists() or log.stat().st_size < MEGABYTE
    assert (disk / "crawl.sqlite").stat().st_size > MEGABYTE
    filler.unlink()


# --- removed while it runs


@pytest.mark.parametrize("what", ["output", "another state in its place"])
def test_removed_while_it_is_in_use(what: str, tmp_path: Path) -> None:
    output = tmp_path / "output"
    with Server(site("old", delay=0.02)) as server:
        process = start(command(server.url, output, *IMPATIENT), tmp_path / "log")
        wait_for(lambda: len(server.visits) >= 30, process)
        shutil.rmtree(output)
        if what != "output":
            output.mkdir()
            (output / "crawl.sqlite").touch()
        code = process.wait(DEADLINE)
    log = (tmp_path / "log").read_text()
    (error,) = [line for line in log.splitlines() if " ERROR " in line]
    assert "crawl.sqlite: removed while it was in use; the same command starts over" in error
    assert (code, "Traceback" in log) == (7, False), log
    facts = result_of(output)
    assert (facts["outcome"], facts["exit_code"]) == ("no_space", 7)


def test_published_files_that_are_removed_are_made_again(tmp_path: Path) -> None:
    output = tmp_path / "output"
    with Server(site("old")) as server:
        assert crawl(server, output)[0] == 0
        files = {path.name for path in output.iterdir()}
        for path in output.iterdir():
            if "sqlite" not in path.name:
                path.unlink()
        assert crawl(server, output)[:2] == (0, "published")
        assert {path.name for path in output.iterdir()} == files


def test_a_table_that_was_dropped(tmp_path: Path) -> None:
    whole = tmp_path / "whole.sqlite"
    Store(whole, Limits()).close()
    names = tables.tables(whole)
    assert len(names) > 30
    for name in names:
        path = tmp_path / "crawl.sqlite"
        shutil.copyfile(whole, path)
        tables.drop_table(path, name)
        with pytest.raises(CrawlError, match="damaged; use -a fresh=true") as raised:
            Store(path, Limits())
        assert raised.value.exit_code is Exit.REFUSED


BEFORE = {"outcome": "published", "files": ["x" * 50] * 40, "pid": 1, "exit_code": 0}


@pytest.mark.parametrize("is_full_at_the_start", [True, False])
def test_a_result_is_never_that_of_the_run_before(
    disk: Path, is_full_at_the_start: bool, caplog: pytest.LogCaptureFixture
) -> None:
    path = disk / "result.json"
    path.write_text(json.dumps(BEFORE))
    result = Result([path])
    if not is_full_at_the_start:
        result.begin()
        (disk / "result.json.reserved").unlink()
    fill_to_the_last_page(disk)
    if is_full_at_the_start:
        result.begin()
    assert result_of(disk)["outcome"] == "running"
    result._facts["warnings"] = ["a long one"] * 9_999
    result.end(Exit.NO_SPACE, "no space left " * 20)
    found = result_of(disk)
    assert (found["outcome"], found["pid"], found["warnings"]) == ("no_space", os.getpid(), [])
    assert "No space left on device; it has the outcome alone" in caplog.text


UNPRIVILEGED = 65_534


def run_unprivileged(directory: Path, is_taken: bool) -> None:
    os.setgid(UNPRIVILEGED)
    os.setuid(UNPRIVILEGED)
    logging.basicConfig(filename=directory / "log", force=True)
    result = Result([directory / "result.json"])
    result.begin()
    if is_taken:
        (directory / "result.json").chmod(0o444)
    directory.chmod(0o555)
    result.end(Exit.NO_SPACE, "read-only")


@pytest.mark.parametrize(
    ("is_taken", "outcome", "said"),
    [
        (False, "no_space", "it has the outcome alone"),
        (True, "running", "it is not that of this crawl"),
    ],
)
def test_a_directory_that_is_made_read_only(is_taken: bool, outcome: str, said: str) -> None:
    if os.getuid():
        pytest.skip("only root can become another user, for whom modes count")
    with TemporaryDirectory() as name:
        directory = Path(name)
        os.chown(directory, UNPRIVILEGED, UNPRIVILEGED)
        process = get_context("fork").Process(target=run_unprivileged, args=(directory, is_taken))
        process.start()
        process.join(DEADLINE)
        assert process.exitcode == 0
        assert f"Permission denied; {said}" in (directory / "log").read_text()
        assert result_of(directory)["outcome"] == outcome
