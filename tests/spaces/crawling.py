"""Crawl a site of the laboratory with the product itself, and compare what it lists."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import TimeoutExpired
from time import monotonic

from tests.helpers.crawls import IMPATIENT, Crawl, command, start
from tests.helpers.server import Server
from tests.spaces.offline import ORIGIN, crawl_offline
from tests.spaces.space import Space, normal

DEADLINE = 240
"""Seconds after which a crawl is killed."""
TOO_MANY = 1.5
"""Times its requests, after which a crawl is killed."""
KILLED = -9
"""The exit code of a crawl that was killed."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a site."""

    space: Space
    crawl: Crawl
    listed: frozenset[str]
    """Path and query."""
    requests: int
    seconds: float

    @property
    def missing(self) -> list[str]:
        return sorted(self.space.ideal - self.listed)

    @property
    def beyond(self) -> list[str]:
        return sorted(self.listed - self.space.ideal)

    @property
    def traps(self) -> list[str]:
        """The kinds and patterns that the report names."""
        return [f"{trap['kind']} {trap['pattern']}" for trap in self.crawl.report["traps"]]

    @property
    def faults(self) -> list[str]:
        """What differs from the ideal, a phrase each."""
        space, found = self.space, []
        wrong = [path for path in self.beyond if not space.tolerated(path)]
        if self.crawl.code:
            found.append(f"exit code {self.crawl.code}")
        if self.missing:
            found.append(f"{len(self.missing)} missing, such as {self.missing[0]}")
        if wrong:
            found.append(f"{len(wrong)} should not be there, such as {wrong[0]}")
        if len(self.beyond) > space.most_beyond:
            found.append(f"{len(self.beyond)} beyond, {space.most_beyond} tolerated")
        if self.requests > space.max_requests:
            found.append(f"{self.requests} requests, {space.max_requests} allowed")
        return found


def run(space: Space, directory: Path, *arguments: str) -> Outcome:
    """Serve a site on loopback and crawl it to the end, ``arguments`` as after ``-a``."""
    began = monotonic()
    with Server(space.answer) as server:
        crawl = crawl_at(
            server.url,
            directory,
            *arguments,
            is_enough=lambda: len(server.paths) > TOO_MANY * space.max_requests,
        )
    listed = crawl.sitemap if (crawl.output / "sitemap.xml").exists() else []
    return Outcome(
        space=space,
        crawl=crawl,
        listed=frozenset(normal("/" + url.removeprefix(server.url)) for url in listed),
        requests=len(server.paths),
        seconds=monotonic() - began,
    )


def run_offline(space: Space, directory: Path) -> Outcome:
    """Crawl a site inside this process, without what a network is needed for."""
    began, output = monotonic(), directory / "output"
    most = TOO_MANY * space.max_requests
    fetched = crawl_offline(space.answer, output, lambda fetched: fetched > most)
    crawl = Crawl(KILLED if fetched > most else 0, "", output)
    listed = crawl.sitemap if (output / "sitemap.xml").exists() else []
    return Outcome(
        space=space,
        crawl=crawl,
        listed=frozenset(normal(url.removeprefix(ORIGIN)) for url in listed),
        requests=fetched,
        seconds=monotonic() - began,
    )


def crawl_at(
    url: str,
    directory: Path,
    *arguments: str,
    settings: Sequence[str] = (),
    is_enough: Callable[[], bool] = lambda: False,
) -> Crawl:
    """Crawl to the end, or until it is enough; output and log go below the directory."""
    directory.mkdir(parents=True, exist_ok=True)
    output, log = directory / "output", directory / "log"
    options = [part for argument in arguments for part in ("-a", argument)]
    process = start(command(url, output, *options, *IMPATIENT, *settings), log)
    code, deadline = KILLED, monotonic() + DEADLINE
    try:
        while monotonic() < deadline and not is_enough():
            with suppress(TimeoutExpired):
                code = process.wait(0.5)
                break
    finally:
        process.kill()
        process.wait()
    return Crawl(code, log.read_text("utf-8", "replace"), output)
