"""The tools that ``comparison`` compares, and how each is run."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import sitemapgen
from tests.benchmarks.crawling import AT_ONCE, BASELINES, speed
from tests.real.processes import environment

HERE = Path(__file__).parent / "baselines"


class Task(NamedTuple):
    """What a contestant is given."""

    url: str
    """Where a crawl begins."""
    urls: Path
    """A file of the URLs, one a line, for those that do not follow links."""
    directory: Path
    """Empty, for whatever is stored."""


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """A tool and how it is run."""

    name: str
    command: Callable[[Task], Sequence[str | Path]]
    distribution: str = ""
    """The distribution on PyPI that is measured; empty: this project."""
    venv: str = ""
    """The virtual environment that it is installed in; empty: the project's own."""
    packages: tuple[str, ...] = ()
    """What is installed in ``venv``."""
    program: str = ""
    """The program of the system that is measured instead, which ``--version`` describes."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables of its environment, beside those of this process."""
    is_second: bool = False
    """Whether a first run, in the same directory, is not measured."""

    @property
    def python(self) -> Path:
        return environment(self.venv) / "bin" / "python" if self.venv else Path(sys.executable)

    @cached_property
    def label(self) -> str:
        """What it is, with its version if it is installed."""
        name, version = "sitemapgen", sitemapgen.__version__
        if self.distribution or self.program:
            name, version = self.distribution or self.program, self._installed()
        return f"{name} {version}".rstrip() + f": {self.name}"

    def _installed(self) -> str:
        if self.program:
            if not shutil.which(self.program):
                return ""
            told = _output([self.program, "--version"])  # GNU Wget 1.21.3 built on linux-gnu.
            return told.split()[2]
        if not self.python.exists():
            return ""
        code = f"from importlib import metadata; print(metadata.version({self.distribution!r}))"
        return _output([self.python, "-I", "-c", code]).strip()


def _output(command: Sequence[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def scrapy(*arguments: str | Path) -> list[str | Path]:
    """``scrapy crawl`` of the project's own environment."""
    return [sys.executable, "-m", "scrapy", "crawl", *arguments]


OURS = Contestant(
    name="profile `fast`",
    command=lambda task: scrapy(
        *("sitemap", "-a", f"url={task.url}", "-a", f"output={task.directory / 'output'}")
    ),
    variables={"SCRAPY_PROJECT": "fast"},
)
"""As a user runs it, with a file as its log."""
AGAIN = replace(OURS, name="again, all pages unchanged", is_second=True)
TUTORIAL = Contestant(
    name="CrawlSpider with LinkExtractor",
    command=lambda task: scrapy(
        *("tutorial", "-a", f"url={task.url}", "-O", task.directory / "urls.csv", *speed())
    ),
    distribution="Scrapy",
    variables={"SCRAPY_SETTINGS_MODULE": f"{BASELINES}.stock"},
)
FETCH_ONLY = Contestant(
    name="only fetches given URLs, with our settings",
    command=lambda task: scrapy("fetch_only", "-a", f"urls={task.urls}", *speed()),
    distribution="Scrapy",
    variables={"SCRAPY_SETTINGS_MODULE": f"{BASELINES}.lean"},
)
CRAWLEE = Contestant(
    name="ParselCrawler",
    command=lambda task: [CRAWLEE.python, "-I", HERE / "parsel_crawler.py", task.url, str(AT_ONCE)],
    distribution="crawlee",
    venv="bench-crawlee",
    packages=("crawlee[parsel]>=1.11,<2",),
)
ADVERTOOLS = Contestant(
    name="crawl",
    command=lambda task: [
        *(ADVERTOOLS.python, "-I", HERE / "seo_crawler.py"),
        *(task.url, str(AT_ONCE), task.directory / "pages.jsonl"),
    ],
    distribution="advertools",
    venv="bench-advertools",
    packages=("advertools>=0.18,<0.19",),
)
AIOHTTP = Contestant(
    name="only fetches given URLs",
    command=lambda task: [AIOHTTP.python, "-I", HERE / "http_client.py", task.urls, str(AT_ONCE)],
    distribution="aiohttp",
)
BARE_LOOP = Contestant(
    name="bare loop with lexbor and SQLite",
    command=lambda task: [
        *(sys.executable, "-I", HERE / "bare_loop.py"),
        *(task.url, str(AT_ONCE), task.directory / "pages.sqlite"),
    ],
    distribution="aiohttp",
)
WGET = Contestant(
    name="-r, one request at a time",
    command=lambda task: [
        *(WGET.program, "--recursive", "--level=inf", "--no-verbose"),
        *(r"--accept-regex=(/|\.html)$", f"--directory-prefix={task.directory}", task.url),
    ],
    program="wget",
)
AT_HAND = (OURS, AGAIN, TUTORIAL, FETCH_ONLY, AIOHTTP, BARE_LOOP)
"""Those that need nothing installed."""
ALL = (OURS, AGAIN, TUTORIAL, CRAWLEE, ADVERTOOLS, WGET, FETCH_ONLY, AIOHTTP, BARE_LOOP)
