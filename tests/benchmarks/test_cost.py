"""The cost of a process, with children that burn, hold and outlive."""

import sys
import time
from pathlib import Path

import psutil
import pytest

from tests.benchmarks.cost import Memory, cost

CPU = 0.5
MEGABYTES = 60
DEADLINE = 60
"""Seconds."""
NESTED = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=True)"


def test_the_cpu_of_a_child_counts(tmp_path: Path) -> None:
    burn = f"import time\nwhile time.process_time() < {CPU}: pass"
    command = [sys.executable, "-c", NESTED, burn]
    spent = cost(command, log=tmp_path / "log", cwd=tmp_path, environment={})
    assert spent.cpu >= CPU
    assert spent.wall >= CPU


def test_the_memory_of_a_child_counts(tmp_path: Path) -> None:
    """Both processes hold their memory until it has been seen."""
    size, seen = MEGABYTES << 20, tmp_path / "seen"
    hold = f"import pathlib, time; held = b'x' * {size}; seen = pathlib.Path({str(seen)!r})\n"
    wait = "while not seen.exists(): time.sleep(0.05)"
    memory = Memory()

    def watch(process: int) -> None:
        memory.watch(process)
        end = time.monotonic() + DEADLINE
        while memory.peak < 2 * MEGABYTES and time.monotonic() < end:
            time.sleep(0.05)
        seen.touch()

    command = [sys.executable, "-c", hold + NESTED, hold + wait]
    cost(command, log=tmp_path / "log", cwd=tmp_path, environment={}, watch=watch)
    assert 2 * MEGABYTES <= memory.peak < 3 * MEGABYTES


def test_at_the_deadline_children_end_too(tmp_path: Path) -> None:
    command = ["sh", "-c", "sleep 600 & echo $!; wait"]
    with pytest.raises(RuntimeError, match="exit code -9"):
        cost(command, log=tmp_path / "log", cwd=tmp_path, environment={}, deadline=3)
    child = int((tmp_path / "log").read_text())
    end = time.monotonic() + DEADLINE
    while _is_running(child) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _is_running(child)


def _is_running(process: int) -> bool:
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_the_end_of_the_log_of_a_failure_is_named(tmp_path: Path) -> None:
    command = ["sh", "-c", "echo no such site; exit 3"]
    with pytest.raises(RuntimeError, match="exit code 3\nno such site"):
        cost(command, log=tmp_path / "log", cwd=tmp_path, environment={})
