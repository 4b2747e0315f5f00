"""A publication that is killed before each of its steps: sitemap.xml leads to one whole set.

The steps are what Python's audit hooks report of files in the directory. Each is the last thing
that a process of its own does before SIGKILL; who follows ``sitemap.xml`` then finds the set before
or the one after, entry by entry, and the next publication ends as if nothing had happened.
"""

import csv
import fcntl
import json
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from sitemapgen.publish import files
from sitemapgen.publish.existing import own_entries, read_published
from sitemapgen.publish.file_names import ENTRY, is_bridging
from sitemapgen.publish.files import JOURNAL, Staging, complete_publication, listed_in
from sitemapgen.publish.formats import news_xml
from sitemapgen.publish.options import Options
from sitemapgen.publish.sitemaps import FileLimits, Listed, write_files
from tests.helpers.crawls import IMPATIENT, ROOT, captured, command
from tests.helpers.server import Answer, Server, page
from tests.helpers.sitemaps import ARTICLE

HERE = Path(__file__).parent
SITE = "https://example.com/"
NOW = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
LATER = NOW + timedelta(days=3)
REPORTS = ("report.html", "report.json", "urls.csv")
SEED = 20260301
AGES = (0.5, 1, 6, 8, 29, 40, 400)
"""Of the pages, in days: some for each part of ``layout=recency``."""
EVERY = frozenset({"xml", "txt", "json"})
STEPS = {"os.rename", "os.remove", "os.link"}
OTHERS = {"open", "os.truncate", "os.utime"}


class Case(NamedTuple):
    """A publication after another one."""

    before: dict[str, object]
    after: dict[str, object]
    count: int = 130
    """Pages in each of two sections, before some go and others come."""


CASES = {
    **{layout: Case({"layout": layout}, {"layout": layout}) for layout in ("size", "section")},
    **{layout: Case({"layout": layout}, {"layout": layout}) for layout in ("recency", "log")},
    "packed log": Case({"layout": "log", "gzip": True}, {"layout": "log", "gzip": True}),
    "packed": Case({"gzip": True, "formats": EVERY}, {"gzip": True, "formats": EVERY}),
    "another layout": Case({"layout": "recency"}, {"layout": "section"}),
    "news": Case({"extensions": frozenset({"news"})}, {"extensions": frozenset({"news"})}),
    "one file": Case({"formats": EVERY}, {"formats": EVERY}, 10),
    "one file becomes many": Case({}, {"layout": "log"}, 10),
    "many files become one": Case({"layout": "log"}, {}, 10),
}


def pages(count: int, *, is_later: bool) -> list[Listed]:
    """Two sections of all ages, of which some pages go, some come and some change."""
    found = []
    for section in ("blog", "docs"):
        for number in range(count):
            moment = NOW - timedelta(days=AGES[number % 7], minutes=number)
            if is_later and number % 11 == 3:
                moment = LATER - timedelta(minutes=number)
            lastmod = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
            if number % 13 != (5 if is_later else 9):
                found.append(Listed(f"{SITE}{section}/{number:03d}", lastmod, 1))
    return found


def publish(
    directory: Path, case: Case, *, is_later: bool, patience: float = 0.0
) -> tuple[str, ...]:
    """Publish as a crawl does, with reports that name their set."""
    options = Options(**({"base_url": SITE} | (case.after if is_later else case.before)))
    complete_publication(directory)
    before = read_published(directory, with_dates=options.layout == "log")
    now = int((LATER if is_later else NOW).timestamp())
    found = pages(case.count, is_later=is_later)
    news = [page._replace(extensions=news_xml(ARTICLE)) for page in found[is_later::50]]
    news = news if "news" in options.extensions else []
    with Staging(directory, now, patience) as staging:
        written = write_files(
            found, staging, options, FileLimits(urls=50), before=before, news=news
        )
        for name in REPORTS:
            staging.open(name).write(b"later" if is_later else b"earlier")
        return staging.commit(last=ENTRY, stale=written.stale)


def follow(directory: Path) -> set[tuple[str, str]]:
    """The entries, with their dates, that sitemap.xml leads to. Raises FileNotFoundError."""
    bodies = [(directory / ENTRY).read_bytes()]
    if b"<sitemapindex" in bodies[0]:
        bodies = [(directory / name).read_bytes() for name in sorted(names_in(bodies[0]))]
    found: set[tuple[str, str]] = set()
    for body in bodies:
        entries = own_entries(body)
        assert entries is not None
        found.update(zip(*entries, strict=True))
    return found


def names_in(index: bytes) -> list[str]:
    locations = index.decode().split("<loc>")[1:]
    return [each.partition("</loc>")[0].rpartition("/")[2] for each in locations]


def contents(directory: Path) -> dict[str, bytes]:
    """Everything in a directory, hidden files included."""
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def in_child(work: Callable[[], object]) -> int:
    """Do something in a process of its own; the signal that ended it, or 0."""
    pid = os.fork()
    if not pid:
        run_and_exit(work)
    _, status = os.waitpid(pid, 0)
    assert not os.WIFEXITED(status) or os.WEXITSTATUS(status) == 0
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def run_and_exit(work: Callable[[], object]) -> NoReturn:
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def killed_at(step: int, directory: Path, events: set[str], work: Callable[[], object]) -> bool:
    """Do something in a process that dies before a step; whether it came that far."""

    def do() -> None:
        left = step

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal left
            if event in events and str(directory) in str(arguments[0]):
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1

        sys.addaudithook(hook)
        work()

    return in_child(do) == signal.SIGKILL


class Sets(NamedTuple):
    """A published set, and the one that an undisturbed publication makes of it."""

    case: Case
    old: Path
    new: Path


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A directory in memory, where there is one: a sweep waits ten times as long for a disk."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as name:
        yield Path(name)


@pytest.fixture(params=CASES)
def sets(request: pytest.FixtureRequest, disk: Path) -> Sets:
    case = CASES[request.param]
    publish(disk / "old", case, is_later=False)
    shutil.copytree(disk / "old", disk / "new")
    publish(disk / "new", case, is_later=True)
    assert follow(disk / "old") != follow(disk / "new")
    return Sets(case, disk / "old", disk / "new")


def kill_and_mend(sets: Sets, step: int, events: set[str]) -> bool:
    """Kill a publication before a step; check what is left; publish again. Whether it died."""
    directory = sets.old.with_name("killed")
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(sets.old, directory)  # with its times
    has_died = killed_at(
        step, directory, events, lambda: publish(directory, sets.case, is_later=True)
    )
    old, new = contents(sets.old), contents(sets.new)
    found = follow(directory)
    assert found in (follow(sets.old), follow(sets.new))
    reports = {(directory / name).read_bytes() for name in REPORTS}
    if found == follow(sets.old):
        assert reports == {b"earlier"}

    with Staging(directory, 0):  # what the next start does
        pass
    mended = {name: body for name, body in contents(directory).items() if not is_bridging(name)}
    assert mended in (old, new)
    assert mended == new or found == follow(sets.old)
    publish(directory, sets.case, is_later=True)
    assert contents(directory) == new
    return has_died


def test_killed_at_some_steps(sets: Sets) -> None:
    chosen = random.Random(SEED)
    for events, last, count in ((STEPS, 30, 5), (STEPS | OTHERS, 90, 3)):
        for step in chosen.sample(range(last), count):
            kill_and_mend(sets, step, events)


@pytest.mark.parametrize("sets", ["recency"], indirect=True)
def test_killed_at_each_replacement(sets: Sets) -> None:
    step = 0
    while kill_and_mend(sets, step, STEPS):
        step += 1
    assert step > 30


@pytest.mark.slow
def test_killed_at_each_step(sets: Sets) -> None:
    step = 0
    while kill_and_mend(sets, step, STEPS | OTHERS):
        step += 1
    print(f"killed at {step} steps")
    assert step > 10


@pytest.mark.slow
@pytest.mark.parametrize("sets", ["recency", "packed log", "another layout", "news"], indirect=True)
def test_killed_again_while_mending(sets: Sets) -> None:
    """Each kill, and then each kill of what completes the publication."""
    directory = sets.old.with_name("killed twice")
    old, new = follow(sets.old), follow(sets.new)
    count = first = 0
    has_died = True
    while has_died:
        second, is_mending = 0, True
        while is_mending:
            shutil.rmtree(directory, ignore_errors=True)
            shutil.copytree(sets.old, directory)
            has_died = killed_at(
                first, directory, STEPS, lambda: publish(directory, sets.case, is_later=True)
            )
            is_mending = has_died and killed_at(
                second, directory, STEPS, lambda: complete_publication(directory)
            )
            assert follow(directory) in (old, new)
            publish(directory, sets.case, is_later=True)
            assert contents(directory) == contents(sets.new)
            second += 1
            count += 1
        first += 1
    print(f"{count} kills")


@pytest.mark.parametrize("content", [b"", b"null", b"[]", b"{}", b'{"entry": "x"}', b"\xff"])
def test_a_journal_that_is_none(tmp_path: Path, content: bytes) -> None:
    case = CASES["size"]
    publish(tmp_path, case, is_later=False)
    old = contents(tmp_path)
    (tmp_path / JOURNAL).write_bytes(content)
    complete_publication(tmp_path)
    assert contents(tmp_path) == old


def test_who_publishes_completes_what_was_left(disk: Path) -> None:
    """Where another one is publishing, the journal is his."""
    directory = disk / "output"
    publish(directory, CASES["size"], is_later=False)
    assert killed_at(14, directory, STEPS, lambda: publish(directory, CASES["size"], is_later=True))
    left = contents(directory)
    assert JOURNAL in left
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        complete_publication(directory)
        assert contents(directory) == left
    finally:
        os.close(descriptor)
    complete_publication(directory)
    assert JOURNAL not in contents(directory)


# --- a power failure


@pytest.mark.parametrize("name", ["recency", "packed log", "another layout", "news"])
def test_each_step_is_on_the_disk_before_the_next(
    name: str, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a disk may still forget, names or bytes, is never what an index leads to."""
    directory = disk / "output"
    publish(directory, CASES[name], is_later=False)
    contents_synced = {path.stat().st_ino for path in directory.iterdir()}
    names_pending: set[str] = set()
    indexes = 0
    fsync, replace, link, unlink = os.fsync, Path.replace, os.link, Path.unlink

    def recorded_fsync(descriptor: int) -> None:
        fsync(descriptor)
        inode = os.fstat(descriptor).st_ino
        if inode == directory.stat().st_ino:
            names_pending.clear()
        contents_synced.add(inode)

    def recorded_replace(path: Path, target: Path) -> Path:
        nonlocal indexes
        if target.name == ENTRY:
            led_to = listed_in(path)
            indexes += 1
            assert not led_to & names_pending
            files = {path, *map(directory.joinpath, led_to)}
            assert {each.stat().st_ino for each in files} <= contents_synced
        names_pending.add(target.name)
        return replace(path, target)

    def recorded_link(path: Path, other: Path) -> None:
        names_pending.add(other.name)
        link(path, other)

    def recorded_unlink(path: Path, missing_ok: bool = False) -> None:
        if path.exists() and not path.name.startswith("."):
            assert not names_pending
        unlink(path, missing_ok)

    monkeypatch.setattr(os, "fsync", recorded_fsync)
    monkeypatch.setattr(Path, "replace", recorded_replace)
    monkeypatch.setattr(os, "link", recorded_link)
    monkeypatch.setattr(Path, "unlink", recorded_unlink)
    publish(directory, CASES[name], is_later=True)
    assert indexes == (1 if name == "another layout" else 2)
    assert not names_pending


# --- the whole program


def site(*, is_later: bool) -> dict[str, Answer]:
    """40 pages of all ages; later some have gone, others come, and some have changed."""
    moment = datetime.now(timezone.utc)
    answers = {}
    for number in range(40):
        age = AGES[(number + 3 * is_later * (number % 3)) % 7]
        date = (moment - timedelta(days=age, minutes=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        if number % 13 != (5 if is_later else 9):
            answers[f"/{number}"] = page(
                "/",
                head=f'<meta property="article:modified_time" content="{date}">',
                title=f"Page {number}",
                text=f"Page {number} {date}",
            )
    return {**answers, "/": page(*answers)}


class Interrupted(NamedTuple):
    """A refresh that got a signal at a step of its publication."""

    code: int
    log: str
    outcome: str


def refresh(server: Server, output: Path, step: int, signum: int) -> Interrupted:
    environment = {
        **os.environ,
        "PYTHONPATH": f"{HERE / 'steps'}{os.pathsep}{ROOT}",
        "STEP_DIRECTORY": str(output),
        "STEP_NUMBER": str(step),
        "STEP_SIGNAL": str(int(signum)),
    }
    arguments = command(server.url, output, "-a", "layout=recency", *IMPATIENT)
    done = captured(arguments, env=environment)
    outcome = json.loads((output / "result.json").read_bytes())["outcome"]
    return Interrupted(done.returncode, done.stderr, outcome)


def pages_in(output: Path) -> set[str]:
    return {url.rpartition("/")[2] for url, _ in follow(output)}


@pytest.fixture
def published(tmp_path: Path) -> Iterator[tuple[Server, Path]]:
    """The output of a crawl, of a site that has changed since."""
    with Server(site(is_later=False)) as server:
        assert refresh(server, tmp_path / "output", -1, signal.SIGKILL).code == 0
        server.site = site(is_later=True)
        yield server, tmp_path / "output"


def kill_and_continue(server: Server, output: Path, step: int) -> bool:
    """Kill a refresh at a step of its publication, and do it again; whether it died."""
    old, reports = pages_in(output), {name: (output / name).read_bytes() for name in REPORTS}
    new = {path[1:] for path in site(is_later=True)}
    killed = refresh(server, output, step, signal.SIGKILL)
    assert pages_in(output) in (old, new)
    if pages_in(output) == old:
        assert {name: (output / name).read_bytes() for name in REPORTS} == reports
    if killed.code == 0:
        return False
    assert (killed.code, killed.outcome) == (-signal.SIGKILL, "running")
    again = refresh(server, output, -1, signal.SIGKILL)
    assert (again.code, again.outcome) == (0, "published"), again.log
    assert pages_in(output) == new
    with (output / "urls.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["verdict"] == "listed"]
    assert {row["url"].rpartition("/")[2] for row in rows} == new
    present = {path.name for path in output.glob("*sitemap*")}
    assert present == {ENTRY, *names_in((output / ENTRY).read_bytes())}
    return True


@pytest.mark.parametrize("step", random.Random(SEED).sample(range(20), 2))
def test_a_crawl_killed_while_it_publishes(published: tuple[Server, Path], step: int) -> None:
    assert kill_and_continue(*published, step)


@pytest.mark.slow
def test_a_crawl_killed_at_each_replacement(published: tuple[Server, Path], tmp_path: Path) -> None:
    server, output = published
    shutil.copytree(output, tmp_path / "before")
    step = 0
    while kill_and_continue(server, output, step):
        step += 1
        shutil.rmtree(output)
        shutil.copytree(tmp_path / "before", output)
    print(f"killed at {step} steps")
    assert step > 20


def test_a_signal_while_it_publishes_does_not_stop_it(published: tuple[Server, Path]) -> None:
    server, output = published
    ended = refresh(server, output, 3, signal.SIGTERM)
    assert (ended.code, ended.outcome) == (0, "published"), ended.log
    assert pages_in(output) == {path[1:] for path in site(is_later=True)}
    assert "Traceback" not in ended.log


# --- readers that are slower than a publication


@pytest.mark.parametrize("name", ["size", "recency", "packed log", "another layout", "news"])
def test_a_reader_beside_a_publication(name: str, disk: Path) -> None:
    """The grace is that of the reader: it ends once he has read what he began with."""
    case = CASES[name]
    directory = disk / "read"
    publish(directory, case, is_later=False)
    shutil.copytree(directory, disk / "new")
    publish(disk / "new", case, is_later=True)
    both = (follow(directory), follow(disk / "new"))
    asked, ask = os.pipe()
    answered, answer = os.pipe()

    def wait(_: float) -> None:
        os.write(ask, b"?")
        os.read(answered, 1)

    def publish_often() -> None:
        files.time.sleep = wait
        for turn in range(8):
            publish(directory, case, is_later=not turn % 2, patience=1)
        os.write(ask, b".")

    pid = os.fork()
    if not pid:
        run_and_exit(publish_often)
    os.set_blocking(asked, False)
    met = set()
    try:
        while True:
            found = follow(directory)
            assert found in both
            met.add(both.index(found))
            request = read_if_any(asked)
            if request == b".":
                break
            if request:
                os.write(answer, b"!")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        for descriptor in (asked, ask, answered, answer):
            os.close(descriptor)
    assert met == {0, 1}


def read_if_any(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1)
    except BlockingIOError:
        return b""
