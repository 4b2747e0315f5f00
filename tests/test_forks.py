"""Forked commands are what commands in new processes are, but for their imports."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.helpers import forks
from tests.helpers.crawls import DEADLINE, ROOT, environment_of
from tests.helpers.tables import for_each

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks on Linux only")
ORDER = "order of a set"
PROBE = [sys.executable, "-m", "tests.helpers.probe"]


class Ended(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    errors: str

    @property
    def found(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def given(self) -> dict[str, Any]:
        """What is the same in each process that is started in the same way."""
        return {name: value for name, value in self.found.items() if name != ORDER}


def forked(*words: str, **environment: str) -> Ended:
    """Run the probe as a forked command."""
    done = forks.captured([*PROBE, *words], {**environment_of(None), **environment}, DEADLINE)
    return Ended(done.returncode, done.stdout, done.stderr)


def new(*words: str, **environment: str) -> Ended:
    """Run the probe as a new process."""
    done = subprocess.run(
        [*PROBE, *words],
        cwd=ROOT,
        env={**environment_of(None), **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def test_all_that_a_command_can_see_is_the_same(tmp_path: Path) -> None:
    given = {"TZ": "Asia/Tokyo", "NAME": "\udcff ü", "TMPDIR": str(tmp_path)}
    words = ("0", "-a", "ü=\n")
    found, expected = forked(*words, **given).given, new(*words, **given).given
    filters, at_start = found.pop("warnings"), expected.pop("warnings")
    assert found == expected
    assert [each for each in filters if each in at_start] == at_start  # imports add some


def test_nothing_is_left_of_the_command_before() -> None:
    before = [forked("0").given for _ in range(forks.PARENTS)]
    forked("0", TZ="Asia/Tokyo", NAME="value")
    assert all(forked("0").given == each for each in before)


@pytest.mark.parametrize(("how", "code"), [("0", 0), ("7", 7), ("raise", 1), ("kill", -9)])
def test_ends(how: str, code: int) -> None:
    expected, result = new(how), forked(how)
    assert result.code == expected.code == code
    assert result.errors.splitlines()[-1:] == expected.errors.splitlines()[-1:]


def test_another_time() -> None:
    paths = f"{forks.CLOCK}{os.pathsep}{ROOT}"
    given = {"VIRTUAL_NOW": "4000000000", "PYTHONPATH": paths}
    assert forked("0", **given).found["year"] == 2096
    assert forked("0").found["year"] == time.gmtime().tm_year


def test_parents_differ_in_the_order_of_sets() -> None:
    orders = {str(forked("0").found[ORDER]) for _ in range(forks.PARENTS)}
    assert len(orders) == forks.PARENTS


def test_a_command_that_hangs_is_killed(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as out, pytest.raises(TimeoutError):
        forks.run([*PROBE, "sleep"], environment_of(None), out, out, 0.5)


@for_each(
    {"PYTHONHASHSEED": "3"}, {"PYTHONPATH": "/elsewhere"}, {"LC_ALL": "tr_TR"}, {"LANG": "xx"}
)
def test_a_python_that_starts_differently_is_a_new_process(changed: dict[str, str]) -> None:
    assert forks.can_fork(environment_of(None))
    assert not forks.can_fork({**environment_of(None), **changed})
