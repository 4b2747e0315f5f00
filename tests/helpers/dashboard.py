"""Crawls with a dashboard."""

import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT, command, start
from tests.helpers.nginx import Nginx


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

    @property
    def path(self) -> str:
        """The path of its page, which has its token."""
        return self.url.partition(f":{self.port}")[2]

    def end(self) -> int:
        """Interrupt it; the exit code."""
        self.process.terminate()
        return self.process.wait(DEADLINE)


Watch = Callable[..., Watched]


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
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

    return watch_


GUIDE = Path(__file__).parents[2] / "docs/guides/dashboard.md"
PORT = 6042
"""Port of a dashboard among those that the nginx of the guide passes on."""


class Front(Nginx):
    """An nginx that passes dashboards on as the guide has it."""

    def __init__(self, directory: Path) -> None:
        super().__init__(
            directory, GUIDE.read_text().partition("```nginx\n")[2].partition("```")[0]
        )
