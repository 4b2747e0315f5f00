"""Crawls with a dashboard."""

from __future__ import annotations

import re
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT, command, start, wait_for
from tests.helpers.redis import free_port


@dataclass
class Watched:
    """A crawl with a dashboard."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path
    output: Path

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])

    def end(self) -> int:
        """Interrupt it; the exit code."""
        self.process.terminate()
        return self.process.wait(DEADLINE)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., Watched]]:
    """Crawl with a dashboard: ``watch(url, "-a", "max_pages=9")``; return once it is open."""
    processes = []

    def watch_(url: str, *more: str, port: int = 0) -> Watched:
        log, output = tmp_path / f"log-{len(processes)}", tmp_path / f"output-{len(processes)}"
        port_setting = ("-s", f"SITEMAPGEN_DASHBOARD_PORT={port}")
        arguments = ("-a", "dashboard=true", *IMPATIENT, *port_setting, *more)
        processes.append(start(command(url, output, *arguments), log))
        end = time.monotonic() + DEADLINE
        while not (found := re.search(r"Dashboard: (\S+)", log.read_text())):
            assert time.monotonic() < end, log.read_text()
            assert processes[-1].poll() is None, log.read_text()
            time.sleep(0.02)
        return Watched(processes[-1], found[1], log, output)

    yield watch_
    for process in processes:
        process.kill()
        process.wait()


GUIDE = Path(__file__).parents[2] / "docs/guides/dashboard.md"
PORT = 6042
"""Port of a dashboard among those that the nginx of the guide passes on."""


class Front:
    """An nginx that passes dashboards on as the guide has it."""

    def __init__(self, directory: Path) -> None:
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        location = GUIDE.read_text().partition("```nginx\n")[2].partition("```")[0]
        self._errors = directory / "nginx.log"
        configuration = directory / "nginx.conf"
        configuration.write_text(
            f"daemon off; pid {directory}/nginx.pid; error_log {self._errors};\n"
            f"events {{}} http {{ access_log off; proxy_temp_path {directory};\n"
            f"server {{ listen 127.0.0.1:{port};\n{location} }} }}\n"
        )
        self._command = ["nginx", "-c", str(configuration), "-e", str(self._errors)]
        self._address = ("127.0.0.1", port)

    def __enter__(self) -> Front:
        self._process = subprocess.Popen(self._command)
        wait_for(self._answers)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(DEADLINE)

    def _answers(self) -> bool:
        assert self._process.poll() is None, self._errors.read_text()
        with socket.socket() as client:
            return client.connect_ex(self._address) == 0
