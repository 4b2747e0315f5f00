"""What a process costs from its start to its end, with the processes that it starts.

Linux only: memory is the high-water mark of ``/proc``.
"""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

DEADLINE = 1_800
"""Seconds after which a process is killed, with its children."""
INTERVAL = 0.1
"""Seconds between two looks at the memory of a process and its children."""


class Cost(NamedTuple):
    """What one run of a process took."""

    cpu: float
    """Seconds, user and system, of it and of the children that it waited for."""
    wall: float
    """Seconds from its start to its end."""


def cost(
    command: Sequence[str | Path],
    *,
    log: Path,
    cwd: Path,
    environment: Mapping[str, str],
    deadline: float = DEADLINE,
    watch: Callable[[int], None] | None = None,
) -> Cost:
    """Run a command to its end. ``watch`` is given the id of its process.

    Raises RuntimeError, with the end of the log, when it fails or takes longer than ``deadline``
    seconds.
    """
    began = time.monotonic()
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment},  # as installed
            start_new_session=True,  # a group of its own, which ends as one
        )
    killer = threading.Timer(deadline, _kill_group, (process.pid,))
    killer.start()
    try:
        if watch is not None:
            watch(process.pid)
        _, status, usage = os.wait4(process.pid, 0)  # what Popen.wait() does, and the usage
        wall = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        killer.cancel()
        if process.returncode is None:
            _kill_group(process.pid)
            process.wait()
    if process.returncode:
        end = log.read_text("utf-8", "replace")[-2_000:]
        raise RuntimeError(f"{command}: exit code {process.returncode}\n{end}")
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


class Memory:
    """The peak memory of a process and its children; give ``watch`` to ``cost``."""

    def __init__(self) -> None:
        self.peak = 0.0
        """Megabytes: the sum of the high-water marks of the processes alive at one moment."""

    def watch(self, process: int) -> None:
        """Look at a process until it ends, from a thread of its own."""
        threading.Thread(target=self._sample, args=(process,), daemon=True).start()

    def _sample(self, process: int) -> None:
        with suppress(psutil.Error):
            root = psutil.Process(process)
            while size := high_water(process):
                children = root.children(recursive=True)
                size += sum(high_water(child.pid) for child in children)
                self.peak = max(self.peak, size)
                time.sleep(INTERVAL)


def high_water(process: int) -> float:
    """The most resident memory so far, in MB; 0 of a process that has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    return 0.0
