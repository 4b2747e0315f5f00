"""Staging: no reader sees half a file, and what did not change is not touched."""

import errno
import os
import resource
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapgen.publish.files import Staging
from tests.helpers.crawls import captured
from tests.helpers.disk import small_disk
from tests.helpers.tables import for_each


def publish(directory: Path, files: dict[str, bytes], now: int = 1000, **commit) -> tuple[str, ...]:
    with Staging(directory, now) as staging:
        for name, content in files.items():
            staging.open(name).write(content)
        return staging.commit(**commit)


def contents(directory: Path) -> dict[str, bytes]:
    """Everything in the directory, hidden files included."""
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return captured([sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)])


def test_commit_publishes_and_leaves_nothing_else(tmp_path: Path) -> None:
    directory = tmp_path / "made" / "on the way"
    assert publish(directory, {"a": b"1", "b": b"2"}) == ("a", "b")
    assert contents(directory) == {"a": b"1", "b": b"2"}


def test_nothing_shows_before_commit(tmp_path: Path) -> None:
    publish(tmp_path, {"a": b"old"})
    with Staging(tmp_path, 2000) as staging:
        staging.open("a").write(b"new")
        staging.settle("a")
        assert (tmp_path / "a").read_bytes() == b"old"
        staging.commit()
        assert (tmp_path / "a").read_bytes() == b"new"


@pytest.mark.parametrize("settled", [False, True])
def test_leaving_without_commit_changes_nothing(tmp_path: Path, settled: bool) -> None:
    publish(tmp_path, {"a": b"old"})
    with Staging(tmp_path, 2000) as staging:
        staging.open("a").write(b"new")
        staging.open("b").write(b"new")
        if settled:
            staging.settle("a")
    assert contents(tmp_path) == {"a": b"old"}


@for_each(
    (b"", b"", False),
    (b"same", b"same", False),
    (b"same", b"sane", True),
    (b"same", b"same and more", True),
    (b"x" * 1_000_000, b"x" * 1_000_000, False),
    (b"x" * 1_000_000, b"x" * 999_999 + b"y", True),
)
def test_only_changed_files_are_replaced(
    old: bytes, new: bytes, changed: bool, tmp_path: Path
) -> None:
    publish(tmp_path, {"a": old}, now=1000)
    before = (tmp_path / "a").stat()
    assert publish(tmp_path, {"a": new}, now=2000) == (("a",) if changed else ())
    after = (tmp_path / "a").stat()
    assert (tmp_path / "a").read_bytes() == new
    assert after.st_mtime_ns == (2000 if changed else 1000) * 10**9
    assert (after.st_ino != before.st_ino) is changed


def test_settle_tells_the_time_of_the_last_change(tmp_path: Path) -> None:
    publish(tmp_path, {"same": b"1", "other": b"1"}, now=1000)
    os.utime(tmp_path / "same", (1000.9, 1000.9))
    with Staging(tmp_path, 2000) as staging:
        for name, content in {"same": b"1", "other": b"2", "new": b"3"}.items():
            with staging.open(name) as file:
                file.write(content)
        assert [staging.settle(name) for name in ("same", "other", "new")] == [1000, 2000, 2000]


def test_the_last_one_is_replaced_last_and_stale_files_go_after_it(tmp_path: Path) -> None:
    publish(tmp_path, {"index": b"old", "part": b"old", "gone": b"old"})
    seen = []

    class Watched(Staging):
        def _replace_files(self, names) -> None:
            for name in names:
                super()._replace_files([name])
                seen.append((name, contents(self.directory).get("gone")))

    with Watched(tmp_path, 2000) as staging:
        for name in ("index", "part", "another"):
            staging.open(name).write(b"new")
        assert staging.commit(last="index", stale=["gone", "never was"])[-1] == "index"
    assert seen == [("part", b"old"), ("another", b"old"), ("index", b"old")]
    assert contents(tmp_path) == dict.fromkeys(("index", "part", "another"), b"new")


def test_everything_is_on_the_disk_before_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, {"gone": b"old"})
    steps = []
    fsync, replace, unlink = os.fsync, Path.replace, Path.unlink

    def recorded_fsync(descriptor: int) -> None:
        inode = os.fstat(descriptor).st_ino
        known = {path.stat().st_ino: path.name for path in tmp_path.iterdir()}
        steps.append(f"sync {known.get(inode, 'directory').removesuffix('.sitemapgen.tmp')}")
        fsync(descriptor)

    def recorded_replace(path: Path, target: Path) -> Path:
        steps.append(f"replace {target.name}")
        return replace(path, target)

    def recorded_unlink(path: Path, missing_ok: bool = False) -> None:
        steps.append(f"remove {path.name}")
        unlink(path, missing_ok)

    monkeypatch.setattr(os, "fsync", recorded_fsync)
    monkeypatch.setattr(Path, "replace", recorded_replace)
    monkeypatch.setattr(Path, "unlink", recorded_unlink)
    publish(tmp_path, {"index": b"1", "part": b"2"}, last="index", stale=["gone"])

    assert steps == [
        *("sync .index", "sync .part"),
        *("replace part", "sync directory"),
        *("replace index", "sync directory"),
        *("remove gone", "sync directory"),
    ]


def test_notes_are_no_file(tmp_path: Path) -> None:
    with Staging(tmp_path, 2000) as staging:
        notes = staging.scratch()
        notes.write(b"never read")
        notes.flush()
        assert list(tmp_path.iterdir()) == []
        staging.commit()
    assert notes.closed
    assert list(tmp_path.iterdir()) == []


def test_leftovers_of_a_crash_are_removed_and_no_other_files(tmp_path: Path) -> None:
    (tmp_path / ".sitemap-7.xml.sitemapgen.tmp").write_bytes(b"half")
    (tmp_path / ".htaccess").write_bytes(b"theirs")
    (tmp_path / "draft.tmp").write_bytes(b"theirs")
    publish(tmp_path, {"a": b"1"})
    assert contents(tmp_path) == {".htaccess": b"theirs", "draft.tmp": b"theirs", "a": b"1"}


def test_two_cannot_publish_into_one_directory(tmp_path: Path) -> None:
    with Staging(tmp_path, 1000) as first:
        first.open("a").write(b"1")
        with (
            pytest.raises(BlockingIOError, match="another run is publishing"),
            Staging(tmp_path, 1),
        ):
            pass
        first.commit()
    assert publish(tmp_path, {"a": b"2"}) == ("a",)


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "../a", "/etc/passwd"])
def test_names_stay_in_the_directory(tmp_path: Path, name: str) -> None:
    with Staging(tmp_path, 1000) as staging:
        with pytest.raises(ValueError, match="not a plain file name"):
            staging.open(name)
        with pytest.raises(ValueError, match="not a plain file name"):
            staging.commit(stale=[name])


def test_one_name_is_staged_once(tmp_path: Path) -> None:
    with Staging(tmp_path, 1000) as staging:
        staging.open("a").write(b"first")
        with pytest.raises(FileExistsError):
            staging.open("a")


def test_a_folder_in_the_way_is_found_before_anything_is_replaced(tmp_path: Path) -> None:
    publish(tmp_path, {"a": b"old"})
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError):
        publish(tmp_path, {"a": b"new", "b": b"new"})
    assert (tmp_path / "a").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


# --- no space


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", megabytes=1) as directory:
        yield directory


@pytest.mark.parametrize("excess", [100, 2_000_000])  # fails when flushed at the end; at once
def test_a_full_disk_is_an_oserror_and_the_old_files_stay(disk: Path, excess: int) -> None:
    old = {"sitemap.xml": b"index", "sitemap-1.xml": b"x" * 500_000}
    publish(disk, old)
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    new = {"sitemap-1.xml": b"y" * (free + excess), "sitemap.xml": b"new index"}
    with pytest.raises(OSError, match="No space left") as raised:
        publish(disk, new, last="sitemap.xml")
    assert raised.value.errno == errno.ENOSPC
    assert contents(disk) == old
    publish(disk, {"sitemap-1.xml": b"y" * (free // 2)})  # and the space is free again


def test_a_disk_that_fills_up_little_by_little(disk: Path) -> None:
    publish(disk, {"a": b"old"})
    with pytest.raises(OSError, match="No space left"), Staging(disk, 2000) as staging:
        staging.open("a").writelines(b"y" * 100 for _ in range(20_000))
    assert contents(disk) == {"a": b"old"}


def test_a_file_size_limit_is_an_oserror_and_the_old_files_stay(tmp_path: Path) -> None:
    publish(tmp_path, {"a": b"old", "b": b"old"})
    script = """
        import resource, sys
        from pathlib import Path
        from sitemapgen.publish.files import Staging
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        with Staging(Path(sys.argv[1]), 2000) as staging:
            staging.open("a").write(b"new")
            staging.open("b").write(b"new" * 1000)
            staging.commit()
    """
    failed = run(script, tmp_path)
    assert failed.returncode == 1
    assert f"OSError: [Errno {errno.EFBIG}]" in failed.stderr
    assert contents(tmp_path) == {"a": b"old", "b": b"old"}


def test_many_parts_need_few_open_files(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    in_use = len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").exists() else 64
    resource.setrlimit(resource.RLIMIT_NOFILE, (in_use + 8, limits[1]))
    try:
        with Staging(tmp_path, 1000) as staging:
            for number in range(100):
                staging.open(f"part-{number}").write(b"1")
                staging.settle(f"part-{number}")
            assert len(staging.commit()) == 100
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


# --- kill -9

KILLED = """
    import os, signal, sys
    from pathlib import Path
    from sitemapgen.publish.files import Staging

    def replace(self, target, original=Path.replace):
        global left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return original(self, target)

    left = int(sys.argv[2])
    Path.replace = replace
    with Staging(Path(sys.argv[1]), 2000) as staging:
        for name in ("sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"):
            staging.open(name).write(b"new " + name.encode() * 100_000)
        staging.commit(last="sitemap.xml", stale=["sitemap-4.xml"])
"""
NAMES = ("sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap.xml")


@pytest.mark.parametrize("replaced", range(5))
def test_kill_between_replacements_leaves_complete_files(tmp_path: Path, replaced: int) -> None:
    old = {name: b"old " + name.encode() for name in (*NAMES, "sitemap-4.xml")}
    new = {name: b"new " + name.encode() * 100_000 for name in NAMES}
    publish(tmp_path, old)

    killed = run(KILLED, tmp_path, replaced)

    assert killed.returncode == (0 if replaced == 4 else -signal.SIGKILL), killed.stderr
    visible = {name: data for name, data in contents(tmp_path).items() if name[0] != "."}
    expected = dict(old) | {name: new[name] for name in NAMES[:replaced]}
    if replaced == 4:
        del expected["sitemap-4.xml"]
    assert visible == expected

    publish(tmp_path, new, now=3000, last="sitemap.xml", stale=["sitemap-4.xml"])
    assert contents(tmp_path) == new
    assert [(tmp_path / name).stat().st_mtime for name in NAMES] == [
        2000 if number < replaced else 3000 for number in range(4)
    ]


def test_a_part_that_changes_has_another_name_for_each_content(tmp_path: Path) -> None:
    names = []
    for content in (b"one", b"two"):
        publish(tmp_path, {"part.xml": b"before", "index.xml": b"index"})
        with Staging(tmp_path, 2000) as staging:
            staging.open("part.xml").write(content)
            staging.settle("part.xml")
            names += staging.declare("index.xml", ["part.xml"], ["part.xml"]).values()
    assert len(set(names)) == 2
