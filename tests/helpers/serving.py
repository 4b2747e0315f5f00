"""``sitemapgen serve`` as a process, and a client of it that is no browser."""

import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT, ROOT, STARTED

UNDER_WAY = ("", "waiting", "starting", "crawling", "finishing", "publishing")
"""States of a job that has not ended; the first before there is one."""


class Got(NamedTuple):
    """A response."""

    status: int
    text: str
    headers: Mapping[str, str]
    url: str


@dataclass
class Serving:
    """A process of ``sitemapgen serve``."""

    process: subprocess.Popen[bytes]
    url: str
    directory: Path
    """Its working directory, with the queue."""

    @property
    def log(self) -> str:
        return (self.directory / "log").read_text()

    def get(self, path: str = "", **headers: str) -> Got:
        return ask(urllib.parse.urljoin(self.url, path), None, headers)

    def post(self, path: str, form: Mapping[str, str], **headers: str) -> Got:
        url = urllib.parse.urljoin(self.url, path)
        return ask(url, urllib.parse.urlencode(form).encode(), headers)

    def start(self, url: str, **arguments: str) -> Got:
        """Send the form."""
        return self.post("jobs", {"url": url, **arguments})

    def state(self, number: int) -> str:
        """The state of a job, as the page has it; empty if there is no such job."""
        text = self.get("jobs").text
        found = re.search(rf'id="job-{number}".*?class="state [a-z]*">([^<]*)<', text, re.DOTALL)
        return found[1] if found else ""

    def wait(self, number: int, *states: str) -> None:
        """Wait until a job is in one of these states, and its process has ended, if it is one."""
        end = time.monotonic() + DEADLINE
        while (state := self.state(number)) not in states or self._is_ending(number, state):
            assert time.monotonic() < end, self.log
            assert state in UNDER_WAY or state in states, (state, self.log)
            time.sleep(0.2)

    def _is_ending(self, number: int, state: str) -> bool:
        has_ended = f'id="job-{number}" data-key="ended' in self.get("jobs").text
        return state not in UNDER_WAY and not has_ended

    def end(self) -> int:
        """Interrupt it; the exit code."""
        self.process.terminate()
        return self.process.wait(DEADLINE)


def ask(url: str, data: bytes | None, headers: Mapping[str, str]) -> Got:
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, data, names)
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as response:
            text = response.read().decode("utf-8", "replace")
            return Got(response.status, text, response.headers, response.url)
    except urllib.error.HTTPError as error:
        with error:
            text = error.read().decode("utf-8", "replace")
            return Got(error.code, text, error.headers, url)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sitemapgen", "serve", *words]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[..., Serving]]:
    """Start ``sitemapgen serve`` in the same directory each time: ``serving("--jobs", "2")``."""

    def serving_(*words: str) -> Serving:
        out, log = tmp_path / "out", tmp_path / "log"
        with out.open("wb") as printed, log.open("ab") as errors:
            process = subprocess.Popen(
                command("--port", "0", *IMPATIENT, *words),
                cwd=tmp_path,
                env=environment(),
                stdout=printed,
                stderr=errors,
            )
        STARTED.append(process)
        end = time.monotonic() + DEADLINE
        while not (found := re.search(r"Serving at (\S+)\n", out.read_text())):
            assert time.monotonic() < end, log.read_text()
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        return Serving(process, found[1], tmp_path)

    yield serving_
    for crawl in crawls(tmp_path):
        crawl.kill()


def crawls(directory: Path) -> list[psutil.Process]:
    """The crawls that run, started by any ``serve`` in a directory."""
    found = []
    for process in psutil.process_iter(["cmdline", "cwd"]):
        words = process.info["cmdline"] or []
        if process.info["cwd"] == str(directory) and "crawl" in words:
            found.append(process)
    return found
