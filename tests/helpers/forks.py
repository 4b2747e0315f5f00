"""Commands that are forked from processes that have imported what they need: ``forked.py``.

What a command does is the same, but for the time that its imports take. Tests of imports, of the
environment, of memory and of signals start a new process instead (``crawls.start``).
"""

import atexit
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

ROOT = Path(__file__).resolve().parents[2]
PARENTS = 3
"""Processes that fork, in turn: the order of a set differs between them, as between any two."""
CLOCK = ROOT / "tests" / "clock"
PATHS = (str(ROOT), f"{CLOCK}{os.pathsep}{ROOT}")
"""Values of PYTHONPATH with which a command can be forked."""
ENVIRONMENT = {**os.environ, "PYTHONWARNINGS": "error"}
"""That of the parents: nothing of a single test."""
AT_START = ("PYTHON", "LC_", "LANG")
"""Beginnings of the names of variables that Python reads when it starts."""


class Parent:
    """A process that forks."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.helpers.forked", str(theirs.fileno())],
                cwd=ROOT,
                env={**ENVIRONMENT, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )
        atexit.register(self._end)

    def _end(self) -> None:
        self._control.shutdown(socket.SHUT_RDWR)  # a process that a test forked may have it, too
        self._control.close()
        self._process.wait()

    def run(self, command: Mapping[str, object], streams: Sequence[int], deadline: float) -> int:
        """Run a command to its end; return its exit code. Raises TimeoutError."""
        ours, theirs = socket.socketpair()
        with ours, ours.makefile() as answers:
            with theirs:
                message = json.dumps(command).encode()
                socket.send_fds(self._control, [message], [*streams, theirs.fileno()])
            child = int(answers.readline())
            ours.settimeout(deadline)
            try:
                return int(answers.readline())
            except BaseException:
                os.kill(child, signal.SIGKILL)
                raise


_parents: list[Parent] = []
_turns = itertools.cycle(range(PARENTS))
_lock = threading.Lock()


def run(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    out: IO[bytes],
    errors: IO[bytes],
    deadline: float,
    directory: Path = ROOT,
) -> int:
    """Run ``python -m MODULE ...`` in a directory; return its exit code.

    It is a new process where Python would start differently. Raises TimeoutError or
    subprocess.TimeoutExpired after ``deadline`` seconds; the process has been killed then.
    """
    assert list(arguments[:2]) == [sys.executable, "-m"]
    if not can_fork(environment):
        done = subprocess.run(
            arguments,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            timeout=deadline,
            check=False,
        )
        return done.returncode
    with _lock:
        turn = next(_turns)
        if turn == len(_parents):
            _parents.append(Parent())
    command = {"arguments": arguments[2:], "environment": environment, "directory": str(directory)}
    with Path(os.devnull).open("rb") as nothing:
        streams = [file.fileno() for file in (nothing, out, errors)]
        return _parents[turn].run(command, streams, deadline)


def captured(
    arguments: Sequence[str],
    environment: Mapping[str, str],
    deadline: float,
    directory: Path = ROOT,
) -> subprocess.CompletedProcess[str]:
    """Run a command as ``run`` does, whatever its exit code; its output is text."""
    with TemporaryFile() as out, TemporaryFile() as errors:
        code = run(arguments, environment, out, errors, deadline, directory)
        out.seek(0)
        errors.seek(0)
        said = (out.read().decode(), errors.read().decode())
    return subprocess.CompletedProcess(arguments, code, *said)


def can_fork(environment: Mapping[str, str]) -> bool:
    """Whether Python would start as the parents did."""
    return (
        sys.platform == "linux"
        and environment.get("PYTHONPATH") in PATHS
        and at_start(environment) == at_start(ENVIRONMENT)
    )


def at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """Return what Python reads of an environment when it starts, but for its paths."""
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(AT_START) and name != "PYTHONPATH"
    }
