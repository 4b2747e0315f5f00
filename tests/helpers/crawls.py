"""The product as users run it: ``scrapy crawl sitemap`` in a process of its own."""

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import forks, wholes
from tests.helpers.server import Serve, Server, Site

ROOT = forks.ROOT
DEADLINE = 600
"""Seconds after which whatever was begun counts as hanging, on however busy a machine: nothing is
measured by it. What a test must not wait for takes longer than that."""

IMPATIENT = (
    *("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False"),
    *("-s", "SITEMAPGEN_ROBOTS_BACKOFF=0.01", "-s", "SITEMAPGEN_BACKOFF_START=0.01"),
    *("-s", "SITEMAPGEN_LATE_RETRY_SECONDS=0"),
)
"""Tests of anything but politeness need not wait."""
MADE_AGAIN = 5 + 5 + 4
"""Pages that are asked for again after a kill: the requests in flight, the answers that were being
read (each lets another request go before it is recorded), and what the open transaction held."""


@dataclass
class Crawl:
    """What a crawl left behind: its files as they were then, also when another crawl follows."""

    code: int
    log: str
    output: Path
    _files: dict[str, bytes] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        for path in sorted(self.output.iterdir()) if self.output.is_dir() else ():
            if path.is_file() and not path.name.lstrip(".").startswith("crawl.sqlite"):
                self._files[path.name] = path.read_bytes()

    @property
    def state(self) -> Path:
        """The database."""
        return self.output / "crawl.sqlite"

    @property
    def sitemap(self) -> list[str]:
        """The URLs of sitemap.xml, in its order."""
        assert "sitemap.xml" in self._files, self.log
        text = self._files["sitemap.xml"].decode()
        return [loc.replace("&amp;", "&") for loc in re.findall(r"<loc>(.*?)</loc>", text)]

    @property
    def urls(self) -> dict[str, dict[str, str]]:
        """urls.csv by URL."""
        lines = io.StringIO(self._files["urls.csv"].decode(), newline="")
        return {row["url"]: row for row in csv.DictReader(lines)}

    def rows_of(self, columns: Mapping[str, Sequence[object]]) -> set[str]:
        """The URLs that a filter of report.json shows."""
        return {
            url
            for url, row in self.urls.items()
            if all(
                any(_fits(row[column], str(value)) for value in values)
                for column, values in columns.items()
            )
        }

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict of each URL."""
        return {url: row["verdict"] for url, row in self.urls.items()}

    @property
    def report(self) -> dict[str, Any]:
        """report.json."""
        result: dict[str, Any] = json.loads(self._files["report.json"])
        return result

    @property
    def outcome(self) -> dict[str, Any]:
        """result.json."""
        result: dict[str, Any] = json.loads(self._files["result.json"])
        return result

    @property
    def html(self) -> str:
        """report.html."""
        return self._files["report.html"].decode()

    @property
    def files(self) -> dict[str, bytes]:
        """Every published file; not the state, nor the result of the last crawl or its remains."""
        return {
            name: read
            for name, read in self._files.items()
            if not name.lstrip(".").startswith("result.json")
        }


def _fits(cell: str, wanted: str) -> bool:
    """Whether a cell of urls.csv fits a value of a filter."""
    if cell and (limit := re.fullmatch("([<>])(-?[0-9]+)", wanted)):
        sides = float(cell), float(limit[2])
        return sides[0] > sides[1] if limit[1] == ">" else sides[0] < sides[1]
    return cell == wanted


NAMED: dict[str, Server] = {}
"""By URL, the servers whose URLs are the same in each run, whatever their port: ``serve``."""


def command(url: str, output: Path, *more: str) -> list[str]:
    """The command line of a crawl."""
    arguments = ["-a", f"url={url}", "-a", f"output={output}"]
    if url in NAMED:
        arguments += ["-a", f"proxy={NAMED[url].proxy}"]
    return [sys.executable, "-m", "scrapy", "crawl", "sitemap", *arguments, *more]


CRAWLED = 1_767_225_600
"""The time in reports, in seconds since 1970 UTC: 2026-01-01."""

STARTED: list[subprocess.Popen[bytes]] = []
"""Every process of ``start``; those that a test leaves running end with it (``conftest.py``)."""


def environment_of(now: float | None) -> dict[str, str]:
    """Return the environment of a command; ``now``: of one at another time.

    Without one, all reports have the same time, so that those of several crawls can be compared.
    """
    environment = {**os.environ, "PYTHONWARNINGS": "error", "PYTHONPATH": str(ROOT)}
    if now is None:
        environment["SOURCE_DATE_EPOCH"] = str(CRAWLED)
    else:
        paths = f"{forks.CLOCK}{os.pathsep}{ROOT}"
        environment |= {"VIRTUAL_NOW": str(now), "PYTHONPATH": paths}
    return environment


def start(arguments: list[str], log: Path, *, now: float | None = None) -> subprocess.Popen[bytes]:
    """Start a command in the project, its log going to a file; if wanted, at another time."""
    environment = environment_of(now)
    with log.open("ab") as file:
        process = subprocess.Popen(
            arguments, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, env=environment
        )
    STARTED.append(process)
    return process


def run_to_end(
    arguments: list[str], log: Path, *, now: float | None = None, deadline: float = DEADLINE
) -> int:
    """Run a command to its end, as ``start`` does, but forked; return its exit code."""
    with log.open("ab") as file:
        return forks.run(arguments, environment_of(now), file, file, deadline)


def captured(
    line: Sequence[str | Path], *, cwd: Path = ROOT, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command in a new process to its end, whatever its exit code; its output is text."""
    return subprocess.run(
        line, cwd=cwd, env=env, capture_output=True, text=True, timeout=DEADLINE, check=False
    )


@pytest.fixture
def serve(request: pytest.FixtureRequest) -> Iterator[Serve]:
    """Start servers that stop with the test.

    With the marker ``fixed_urls`` a test has one, at http://site.example/: which pages are samples
    follows from the hashes of their URLs, and a port would be part of them.
    """
    name = "site.example" if request.node.get_closest_marker("fixed_urls") else ""
    with ExitStack() as servers:

        def serve_(site: Site, **options: Any) -> Server:
            server = servers.enter_context(Server(site, name=name, **options))
            if name:
                assert not NAMED, "one server a test"
                NAMED[server.url] = server
            return server

        yield serve_
    NAMED.clear()


class Crawler:
    """Crawls into a directory: ``crawl(url, "max_pages=3")``; ``now``: at another time.

    No sentence of the log and the report has a part that is larger than its whole.
    """

    def __init__(self, directory: Path, serve: Serve | None = None) -> None:
        self._directory = directory
        self._serve = serve

    def __call__(self, url: str, *arguments: str, output: Path | None = None, **more: Any) -> Crawl:
        """Crawl to the end, whatever that is."""
        output = output or self._directory / "output"
        options = [part for argument in arguments for part in ("-a", argument)]
        settings = more.get("settings", IMPATIENT)
        log = self._directory / "log"
        log.unlink(missing_ok=True)
        line = command(url, output, *options, *settings)
        code = run_to_end(line, log, now=more.get("now"), deadline=more.get("deadline", DEADLINE))
        said = log.read_text("utf-8", "replace")
        assert not wholes.faults(output, said)
        return Crawl(code, said, output)

    def published(self, url: str, *arguments: str, **more: Any) -> Crawl:
        """Crawl to the end, where files are published."""
        result = self(url, *arguments, **more)
        assert result.code == 0, result.log
        return result

    def site(self, site: Site, *arguments: str, **more: Any) -> tuple[Server, Crawl]:
        """Serve a site, and crawl it to the end, where files are published."""
        assert self._serve
        server = self._serve(site)
        return server, self.published(server.url, *arguments, **more)


@pytest.fixture
def crawl(tmp_path: Path, serve: Serve) -> Crawler:
    """Crawl into the temporary directory of the test."""
    return Crawler(tmp_path, serve)


def rest(*cases: Any) -> list[Any]:
    """Leave the further cases of a class to ``make sweeps``: a tuple has several arguments."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for case in cases
    ]


EVIDENCE = {
    "": "listed",
    ".* ignored: .*": "listed",
    "canonical is .*": "canonicalised",
    "HTTP [0-9]+": "http_error",
    "<meta .*": "noindex",
    "same content as .*": "duplicate",
    "refresh to http.*": "offsite_redirect",
    "(?:30[0-9]|refresh) to .*": "redirect",
}
"""What pages get the verdict for, as far as the evidence is of one verdict alone."""


def verdict_of(evidence: str) -> str:
    """The verdict that a page with this evidence has to have."""
    return next(word for form, word in EVIDENCE.items() if re.fullmatch(form, evidence))


def assert_one_sentence(result: Crawl, code: int, sentence: str) -> None:
    """An exit code, and one line of the log that is an error; it has these words."""
    errors = [line for line in result.log.splitlines() if " ERROR " in line]
    assert result.code == code, result.log
    assert len(errors) == 1, result.log
    assert sentence in errors[0]
    assert "Traceback" not in result.log


def wait_for(
    condition: Callable[[], object], process: subprocess.Popen[bytes] | None = None
) -> None:
    """Wait until a condition holds; fail at the deadline, or where a process ends without it."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert process is None or process.poll() is None or condition()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def kill_after(visits: int, server: Server, arguments: list[str], log: Path) -> None:
    """Start a command, and ``kill -9`` it as soon as the server has had so many requests."""
    server.visits.clear()
    process = start(arguments, log)
    wait_for(lambda: len(server.visits) >= visits, process)
    process.kill()
    process.wait()
