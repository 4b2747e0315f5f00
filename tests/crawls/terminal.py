"""A terminal: a real pseudo-terminal around a crawl, and the screen as a person sees it."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable

import pyte

from tests.helpers.crawls import DEADLINE, ROOT

CONTROL_C = b"\x03"
SIZES = ("COLUMNS", "LINES")
"""What is said there comes before the size that a terminal has."""


class Terminal:
    """Runs a command in a terminal of its own; ``wait`` reads it to its end."""

    def __init__(
        self, arguments: list[str], *, columns: int = 100, rows: int = 30, **environment: str
    ) -> None:
        self.raw = b""
        self.screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=0.5)
        self._stream = pyte.ByteStream(self.screen)
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            arguments,
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={
                **{name: value for name, value in os.environ.items() if name not in SIZES},
                "PYTHONPATH": str(ROOT),
                "PYTHONWARNINGS": "error",
                "TERM": "xterm-256color",
                **environment,
            },
            preexec_fn=_own_the_terminal,  # noqa: PLW1509 - nothing runs there but two calls
        )
        os.close(slave)

    def press(self, keys: bytes) -> None:
        os.write(self._master, keys)

    @property
    def lines(self) -> list[str]:
        """What is on the screen, without the lines that scrolled away."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def said(self) -> list[str]:
        """All lines, those included that scrolled away; empty ones left out."""
        above = [
            "".join(line[column].data for column in range(self.screen.columns)).rstrip()
            for line in self.screen.history.top
        ]
        return [line for line in above + self.lines if line]

    def until(self, shown: Callable[[], bool], deadline: float = DEADLINE) -> None:
        """Read until something is shown; fail when that takes too long or the command ends."""
        end = time.monotonic() + deadline
        while not shown():
            assert time.monotonic() < end, "\n".join(self.said)
            assert self._read(), "\n".join(self.said)

    def wait(self, deadline: float = DEADLINE) -> int:
        """The exit code, once everything is read."""
        end = time.monotonic() + deadline
        try:
            while self._read():
                assert time.monotonic() < end, "\n".join(self.said)
            return self.process.wait(max(0.1, end - time.monotonic()))
        finally:
            self.close()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()

    def _read(self) -> bool:
        """Read what there is, for a tenth of a second; False at the end."""
        ready, _, _ = select.select([self._master], [], [], 0.1)
        if not ready:
            return True
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # the other end is closed
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)


def _own_the_terminal() -> None:
    """Make it the controlling one, so that Ctrl-C is a signal."""
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
