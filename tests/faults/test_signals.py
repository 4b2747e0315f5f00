"""One signal at any time, from the first import of the project to the end of the process."""

import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT, command, rest, start, wait_for
from tests.helpers.politeness import site_of
from tests.helpers.server import Serve

SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
ALL = [signal.SIGHUP, *rest(*SIGNALS[1:])]
NAMES = "abcdefghijkl"


@pytest.fixture(autouse=True)
def hang_up() -> None:
    """A SIGHUP that is not ignored: under nohup it would be, in the crawls as well."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def handles(process: subprocess.Popen[bytes], number: signal.Signals) -> bool:
    """Whether a process has a handler for a signal: proc(5), SigCgt."""
    with suppress(OSError):
        for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) >> (number - 1) & 1)
    return False


def check(process: subprocess.Popen[bytes], log: Path, *codes: int) -> None:
    assert process.wait(DEADLINE) in codes, log.read_text()
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("number", ALL)
def test_while_modules_are_imported(number: signal.Signals, serve: Serve, tmp_path: Path) -> None:
    server = serve(site_of(NAMES))
    output, log = tmp_path / "output", tmp_path / "log"
    process = start(command(server.url, output, *IMPATIENT), log)
    # Python itself handles SIGINT from its start on.
    wait_for(lambda: handles(process, signal.SIGTERM) or process.poll() is not None)
    process.send_signal(number)
    check(process, log, 6)
    assert "the same command starts it" in log.read_text()
    assert not output.exists()


@pytest.mark.parametrize("words", [("crawl", "http://127.0.0.1:1"), ("validate", "sitemap.xml")])
def test_while_the_command_is_imported(words: tuple[str, ...], tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = start([sys.executable, "-m", "sitemapgen", *words], log)
    wait_for(lambda: handles(process, signal.SIGTERM) or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    check(process, log, 6)
    assert log.read_text().count("\n") == 1


@pytest.mark.parametrize("number", ALL)
def test_in_the_middle_of_a_crawl(number: signal.Signals, serve: Serve, tmp_path: Path) -> None:
    server = serve(site_of(NAMES))
    output, log = tmp_path / "output", tmp_path / "log"
    process = start(command(server.url, output, *IMPATIENT, "-s", "DOWNLOAD_DELAY=0.3"), log)
    wait_for(lambda: len(server.visits) > 4 or process.poll() is not None)
    process.send_signal(number)
    check(process, log, 6)
    assert "nothing is lost, the same command continues" in log.read_text()
    process = start(command(server.url, output, *IMPATIENT), log)
    check(process, log, 0)
    assert (output / "sitemap.xml").read_text().count("<loc>") == len(NAMES) + 1


@pytest.mark.parametrize("number", ALL)
def test_after_the_publication(number: signal.Signals, serve: Serve, tmp_path: Path) -> None:
    """Again and again, until the process has ended."""
    server = serve(site_of(NAMES))
    output, log = tmp_path / "output", tmp_path / "log"
    process = start(command(server.url, output, *IMPATIENT), log)
    wait_for(lambda: (output / "sitemap.xml").exists() or process.poll() is not None)
    while process.poll() is None:
        process.send_signal(number)
        time.sleep(0.01)
    check(process, log, 0)


@pytest.mark.slow
def test_hangup_that_is_ignored(serve: Serve, tmp_path: Path) -> None:
    """What nohup(1) does."""
    server = serve(site_of(NAMES))
    output, log = tmp_path / "output", tmp_path / "log"
    arguments = command(server.url, output, *IMPATIENT, "-s", "DOWNLOAD_DELAY=0.1")
    process = start(["nohup", *arguments], log)
    wait_for(lambda: len(server.visits) > 4 or process.poll() is not None)
    process.send_signal(signal.SIGHUP)
    check(process, log, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_at_any_moment(seed: int, serve: Serve, tmp_path: Path) -> None:
    dice = random.Random(seed)
    number = dice.choice(SIGNALS)
    server = serve(site_of(NAMES))
    output, log = tmp_path / "output", tmp_path / "log"
    process = start(command(server.url, output, *IMPATIENT), log)
    wait_for(lambda: handles(process, signal.SIGTERM) or process.poll() is not None)
    spent = psutil.Process(process.pid).cpu_times().user
    moment = dice.uniform(0, 2.5)  # of CPU: however busy the machine is
    with suppress(psutil.Error):
        wait_for(
            lambda: (
                process.poll() is not None
                or psutil.Process(process.pid).cpu_times().user > spent + moment
            )
        )
    process.send_signal(number)
    check(process, log, 0, 6)
    process = start(command(server.url, output, *IMPATIENT), log)
    check(process, log, 0)
    assert (output / "sitemap.xml").read_text().count("<loc>") == len(NAMES) + 1
