"""Servers of others as processes, on a free port of loopback, which end whatever happens."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.helpers.crawls import wait_for


def free_port() -> int:
    """A port of the loopback interface that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answers(port: int) -> bool:
    """Whether something listens on a port of the loopback interface."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def background(
    command: Sequence[str | Path], port: int, log: Path, **more: object
) -> Iterator[None]:
    """Run a server until the end of the context, in a process group of its own."""
    with log.open("ab") as file:
        process = subprocess.Popen(
            list(map(str, command)),
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **more,
        )
    try:
        wait_for(lambda: answers(port), process)
        yield
    finally:
        end_group(process.pid)
        process.wait()


def end_group(leader: int, seconds: float = 10) -> None:
    """End a process group, first kindly; returns when it is gone."""
    end = time.monotonic() + seconds
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGTERM)
        while time.monotonic() < end:
            time.sleep(0.05)
            with suppress(ChildProcessError):
                os.waitpid(-leader, os.WNOHANG)
            os.killpg(leader, 0)
        os.killpg(leader, signal.SIGKILL)
