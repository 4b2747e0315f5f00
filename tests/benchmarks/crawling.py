"""What a crawl costs, against Scrapy as its tutorial teaches it and against fetching alone.

Three crawls of the same pages, in turn: ``ours`` (``scrapy crawl sitemap``, from the start URL to
the published files), ``tutorial`` (CrawlSpider and LinkExtractor, stock settings) and
``fetch_only`` (our settings, the same URLs, no parsing, nothing kept). CPU is the crawling
process's own; the server has a process of its own. Measured: CPU milliseconds a page of each
(``whole``: the process from its start to its end; ``marginal``: less what a crawl of one page
takes), the ratios of ours to the others (medians over the rounds), and the seconds from the start
of the process to the first request.
"""

import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pytest

from tests.benchmarks import PROJECT
from tests.benchmarks.cost import cost
from tests.benchmarks.serving import ALONE, Serving, serve

SITE = "/usr/share/doc/postgresql-doc-15/html"
AT_ONCE = 16

OURS, TUTORIAL, FETCH_ONLY = "ours", "tutorial", "fetch_only"
BASELINES = "tests.benchmarks.baselines"
SETTINGS = {
    OURS: "sitemapgen.settings",
    TUTORIAL: f"{BASELINES}.stock",
    FETCH_ONLY: f"{BASELINES}.lean",
}


class Crawl(NamedTuple):
    """What one crawl took."""

    cpu: float
    """Seconds of the crawling process, user and system."""
    first: float
    """Seconds from its start to the first request that the server saw."""
    pages: frozenset[str]
    """The paths of the pages it fetched; not robots.txt, sitemaps and probes."""


def scrapy(settings: str, *arguments: str, log: Path, **options: Any) -> float:
    """Run ``scrapy crawl`` to its end and return its CPU seconds; options are those of ``cost``."""
    command = [sys.executable, "-m", "scrapy", "crawl", *arguments]
    environment = {"SCRAPY_SETTINGS_MODULE": settings, "PYTHONPATH": str(PROJECT)}
    return cost(command, log=log, cwd=PROJECT, environment=environment, **options).cpu


def ours(url: str, output: Path, **options: Any) -> float:
    """Crawl a site as users do, but as fast as it goes; returns CPU seconds."""
    arguments = ["-a", f"url={url}", "-a", f"output={output}", *options.pop("arguments", ())]
    log = output.with_name("ours.log")
    return scrapy(SETTINGS[OURS], "sitemap", *arguments, *speed(), log=log, **options)


def speed() -> list[str]:
    """The settings in which all crawls agree."""
    values = {
        "CONCURRENT_REQUESTS": AT_ONCE,
        "CONCURRENT_REQUESTS_PER_DOMAIN": AT_ONCE,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
    }
    return [part for name, value in values.items() for part in ("-s", f"{name}={value}")]


def crawl(
    contestant: str,
    serving: Serving,
    start: str,
    fetched: frozenset[str],
    arguments: Sequence[str] = (),
) -> Crawl:
    """Crawl from a start path. ``fetched``: the paths that fetch_only is to fetch.

    ``arguments``: more of ours.
    """
    serving.record()
    url = serving.url + start
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        began = time.monotonic()
        if contestant == OURS:
            arguments = ["-a", "max_pages=0", *arguments]
            cpu = ours(url, directory / "output", arguments=arguments)
        else:
            argument = f"url={url}"
            if contestant == FETCH_ONLY:
                urls = directory / "urls"
                urls.write_text("\n".join(serving.url + path[1:] for path in sorted(fetched)))
                argument = f"urls={urls}"
            cpu = scrapy(
                SETTINGS[contestant], contestant, "-a", argument, *speed(), log=directory / "log"
            )
        paths, first, _ = serving.record()
    return Crawl(cpu, first - began, frozenset(pages(paths)))


def pages(paths: Iterable[str]) -> list[str]:
    """The paths of pages; not robots.txt, sitemaps and probes."""
    return [
        path
        for path in paths
        if path.endswith(("/", ".html")) and "/sitemapgen-404-check-" not in path
    ]


def needs(directory: str, package: str) -> None:
    """Skip a test without the files of a Debian package."""
    if not Path(directory).exists():
        pytest.skip(f"the Debian package {package} is not installed")


def measure(
    site: str = SITE, rounds: int = 3, start: str = "", arguments: Sequence[str] = ()
) -> dict[str, Any]:
    """Crawl in turn, so that a busy moment of the machine meets all.

    ``arguments``: more of ours.
    """
    with serve(site) as serving:
        alone = frozenset({f"/{ALONE}"})
        fetched = crawl(OURS, serving, start, alone, arguments).pages  # also compiles and caches
        whole: dict[str, list[Crawl]] = {name: [] for name in SETTINGS}
        single: dict[str, list[Crawl]] = {name: [] for name in SETTINGS}
        for _ in range(rounds):
            for name in SETTINGS:
                single[name].append(crawl(name, serving, ALONE, alone, arguments))
            for name in SETTINGS:
                whole[name].append(crawl(name, serving, start, fetched, arguments))
    for name, crawls in whole.items():
        for other in crawls:
            if other.pages != fetched:
                odd = sorted(other.pages ^ fetched)[:5]
                raise RuntimeError(f"{name} fetched other pages than ours, such as {odd}")
    costs = {name: [one.cpu for one in crawls] for name, crawls in whole.items()}
    marginal = {
        name: [one.cpu - median(alone.cpu for alone in single[name]) for one in crawls]
        for name, crawls in whole.items()
    }
    firsts = {name: [one.first for one in crawls] for name, crawls in single.items()}
    return {
        "pages": len(fetched),
        "whole": per_page(costs, len(fetched)),
        "marginal": per_page(marginal, len(fetched)),
        "first_request": {
            "seconds": {name: round(median(column), 2) for name, column in firsts.items()},
            "ratio": ratios(firsts),
        },
    }


def per_page(seconds: Mapping[str, list[float]], pages: int) -> dict[str, Any]:
    """CPU milliseconds a page of each contestant, the median of the rounds, and the ratios."""
    milliseconds = {
        name: round(median(column) / pages * 1000, 2) for name, column in seconds.items()
    }
    return {"ms": milliseconds, "ratio": ratios(seconds)}


def ratios(columns: Mapping[str, list[float]]) -> dict[str, float]:
    """Ours to each other contestant: the median of the rounds' ratios."""
    return {
        name: round(median(ours / other for ours, other in zip(columns[OURS], column)), 2)
        for name, column in columns.items()
        if name != OURS
    }
