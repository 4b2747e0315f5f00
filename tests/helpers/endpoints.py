"""Browsers that run on their own and are reached at an endpoint, as on other machines."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.helpers.browser import BROWSER, MARK
from tests.helpers.crawls import wait_for

USER = "me:S3CRET@"
TOKEN = "?token=S3CRET"


class RemoteBrowser:
    """A Chromium with a DevTools endpoint, at the same port after each ``start``."""

    def __init__(self, directory: Path, name: str) -> None:
        """Start it; pages and servers see ``name`` in its User-Agent."""
        self.name = name
        self._directory = directory / name
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.start()
        wait_for(self._has_port)

    @property
    def authority(self) -> str:
        """Host and port of the endpoint."""
        return f"127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """The endpoint, with secrets that Chromium ignores."""
        return f"http://{USER}{self.authority}/{TOKEN}"

    def start(self) -> None:
        """Start the browser, and do not wait for it."""
        options = [
            *("--headless", "--no-sandbox", "--disable-gpu", f"--user-agent={self.name}"),
            *(f"--remote-debugging-port={self._port}", f"--user-data-dir={self._directory}"),
        ]
        self._process = subprocess.Popen(
            [BROWSER, *options, "about:blank"],
            env={name: value for name, value in os.environ.items() if name != MARK},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def freeze(self) -> None:
        """Stop the browser: it stays connected, and does not answer."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGSTOP)

    def kill(self) -> None:
        """End the browser and its processes at once."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _has_port(self) -> bool:
        path = self._directory / "DevToolsActivePort"
        lines = path.read_text().split() if path.exists() else []
        self._port = int(lines[0]) if lines else 0
        return self._port > 0


@pytest.fixture
def remote_browser(tmp_path: Path) -> Iterator[Callable[[str], RemoteBrowser]]:
    """Start browsers by their names; they end with the test."""
    started: list[RemoteBrowser] = []

    def start(name: str) -> RemoteBrowser:
        started.append(RemoteBrowser(tmp_path, name))
        return started[-1]

    yield start
    for browser in started:
        browser.kill()
