"""The tests, run in a copy of the project in which mutants are planted: ``mutants.py``."""

import ast
import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tests.mutations.mutants import ROOT, Mutant, planted

TIERS = ("test", "test-all")
"""Targets of the Makefile; the second one runs what the first leaves out."""
FLOORS = ("analysis", "conformance", "core", "publish", "report", "store", "tools")
"""Directories of tests without crawls; those at the root of the tests are such, too."""
NO_END = "no end within the deadline"
NEAR_DEADLINE, TEST_DEADLINE, TIER_DEADLINE = 600, 400, 5400
"""Seconds for the tests near one mutant, for one test and for a whole tier, on a busy machine."""
OPTIONS = f"--maxfail=10 -o faulthandler_timeout={TEST_DEADLINE} -o faulthandler_exit_on_timeout=1"
OPTIONS += " -p no:randomly"  # where it is installed: the nearest tests come first


def tier(target: str) -> list[str]:
    """Return the pytest commands of a target, without those of the targets before it."""
    words = ["make", "--dry-run", target]
    made = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    before = [line for each in TIERS[: TIERS.index(target)] for line in tier(each)]
    return [line for line in made.stdout.splitlines() if "/pytest" in line and line not in before]


def only(tests: Sequence[str], options: str = "-m ''") -> list[str]:
    """Return the command of these tests, in their order; none without tests."""
    return [f".venv/bin/pytest {options} {shlex.join(tests)}"] if tests else []


def near(file: str) -> list[str]:
    """Return the command of the tests without crawls that import a module, or what imports it.

    First those with its name or its package's, over one more module, too; then the most direct.
    """
    name_of = {
        path: _name(path) for top in ("sitemapgen", "tests") for path in (ROOT / top).rglob("*.py")
    }
    modules, importers = set(name_of.values()), defaultdict(set)
    for path, name in name_of.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    importers[inner if inner in modules else node.module].add(name)
    distances = {name_of[ROOT / file]: 0}
    for distance in (1, 2, 3):
        for name in list(distances):
            distances.update(dict.fromkeys(importers[name] - distances.keys(), distance))
    _, package, *_ = Path(file).parts
    names = {f"test_{Path(file).stem}", f"test_{Path(file).parent.name}"}
    found = []
    for name, distance in distances.items():
        parts = name.split(".")
        is_near = distance < 3 or parts[-1] in names
        if parts[-1].startswith("test_") and is_near and (len(parts) == 2 or parts[1] in FLOORS):
            order = (parts[-1] not in names, parts[1] != package, distance)
            found.append((order, f"{'/'.join(parts)}.py"))
    marked = re.search(r"-m '[^']*'", tier(TIERS[0])[0])
    return only([path for _, path in sorted(found)], f"-x {marked[0] if marked else ''}")


def _name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


class Tree:
    """A copy of the project in a directory, as it is now, uncommitted changes included."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "project"
        others = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "build", "output")
        shutil.copytree(ROOT, self.path, ignore=shutil.ignore_patterns(*others))
        (self.path / ".venv").symlink_to((ROOT / ".venv").resolve())
        (directory / "shared").symlink_to(ROOT.parent / "shared")
        self.left_out: list[str] = []
        """Tests that fail for another reason than one mutant."""
        self._sources: dict[str, bytes] = {}

    def run(self, mutants: Sequence[Mutant], commands: Sequence[str], seconds: float) -> list[str]:
        """Return the first tests that fail with mutants; ``NO_END`` alone if there is no report."""
        for mutant in mutants:
            self._sources.setdefault(mutant.file, (self.path / mutant.file).read_bytes())
        for file, source in self._sources.items():
            path = self.path / file
            path.write_bytes(planted(source, [each for each in mutants if each.file == file]))
            Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
        failures = self.path / ".pytest_cache/v/cache/lastfailed"
        failures.unlink(missing_ok=True)
        end = time.monotonic() + seconds
        for command in commands:
            if self._call(command, end - time.monotonic()) not in (0, 5):
                return (
                    list(json.loads(failures.read_text("utf-8"))) if failures.exists() else [NO_END]
                )
        return []

    def _call(self, command: str, seconds: float) -> int:
        options = shlex.join(f"--deselect={test}" for test in self.left_out)
        process = subprocess.Popen(
            command,
            shell=True,
            cwd=self.path,
            env={**os.environ, "PYTEST_ADDOPTS": f"{OPTIONS} {options}"},
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            return process.wait(max(0, seconds))
        except subprocess.TimeoutExpired:
            return -1
        finally:  # also what a test has left behind
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def culprit(self, mutants: Sequence[Mutant], test: str) -> Mutant | None:
        """Return a mutant with which alone a test fails, found by halving; None without one."""
        if not mutants or not self.run(mutants, only([test]), TEST_DEADLINE):
            return None
        if len(mutants) == 1:
            return mutants[0]
        middle = len(mutants) // 2
        return self.culprit(mutants[:middle], test) or self.culprit(mutants[middle:], test)
