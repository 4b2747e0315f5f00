"""``sitemapgen crawl``: one site by its URL or its name, or all sites of sitemapgen.toml.

Those come in turn, each in a process of its own.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic
from types import FrameType

from typing_extensions import Self

from sitemapgen.cli import arguments, sites
from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import ACCESS, repeated_name
from sitemapgen.tools.command import parse_pairs

ONE_URL = "a crawl has one URL; write several sites into sitemapgen.toml, for crawl --all"


def all_sites(options: argparse.Namespace, file: Path, common: Sequence[str]) -> Exit:
    """Crawl the sites of a file in turn, and print a table. Raises CrawlError.

    ``common``: the words of the options that all commands have.
    """
    given = given_arguments(options)
    if options.target:
        sentence = f"--all: crawls the sites of {file}; leave {options.target} out"
        raise CrawlError(Exit.ARGUMENTS, sentence)
    for name in ("url", "output", *ACCESS):
        if name in given:
            raise CrawlError(Exit.ARGUMENTS, f"{name}: would be that of all sites; leave it out")
    sites.refuse_secrets(file)
    words = [word for name, value in given.items() for word in ("-a", f"{name}={value}")]
    with SiteQueue(file, list(sites.all_of(file))) as crawls:
        code = crawls.run([*words, *common])
    sys.stdout.writelines(f"{line}\n" for line in crawls.table_lines())
    return code


def one_site(options: argparse.Namespace, file: Path) -> sites.ConfiguredSite:
    """Return what Scrapy is given; secrets go into the environment. Raises CrawlError."""
    given = given_arguments(options)
    if options.target and "url" in given:
        raise CrawlError(Exit.ARGUMENTS, f"-a url={given['url']}: {ONE_URL}")
    site = sites.find_site(file, options.target, is_given=bool(options.file))
    os.environ.update(site.secrets)
    return site._replace(arguments={**site.arguments, **given})


def given_arguments(options: argparse.Namespace) -> dict[str, str]:
    """Return the arguments of ``-a`` and of the options. Raises CrawlError."""
    found = parse_pairs("-a", options.arguments)
    if twice := repeated_name(name for name, _ in found):
        raise CrawlError(Exit.ARGUMENTS, f"-a {twice}: is given twice; leave one out")
    return {**dict(found), **arguments.spider_arguments(options)}


class SiteQueue:
    """The sites that are crawled, until a signal."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self.path = path
        self.names = names
        self.outcomes: list[tuple[str, int, float]] = []
        """(name of the site, exit code, seconds) of each crawl."""
        self._process: subprocess.Popen[bytes] | None = None
        self._has_signal = False

    def __enter__(self) -> Self:
        signal.signal(signal.SIGTERM, self._handle_signal)
        # The terminal sends Ctrl-C to the crawl as well.
        signal.signal(signal.SIGINT, self._handle_signal)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def run(self, words: Sequence[str]) -> Exit:
        """Crawl all sites with the same further words; return the exit code."""
        for name in self.names:
            if self._has_signal:
                break
            command = [sys.executable, "-m", "sitemapgen", "crawl", name, "--file", str(self.path)]
            began = monotonic()
            self._process = subprocess.Popen([*command, *words])  # noqa: S603 - its own command
            code = self._process.wait()
            self.outcomes.append((name, code, monotonic() - began))
        if self._has_signal:
            return Exit.INTERRUPTED
        has_failed = any(code for _, code, _ in self.outcomes)
        return Exit.FAILURES if has_failed else Exit.PUBLISHED

    def table_lines(self) -> Iterator[str]:
        """Yield a line for each site, and their number."""
        width = max(map(len, self.names))
        for name, code, seconds in self.outcomes:
            yield f"{name:{width}}  {_in_words(code):16}  {seconds:,.0f} s"
        for name in self.names[len(self.outcomes) :]:
            yield f"{name:{width}}  not begun"
        published = sum(not code for _, code, _ in self.outcomes)
        yield f"{counted(len(self.names), 'site')}, {published:,} published"

    def _handle_signal(self, number: int, _: FrameType | None) -> None:
        self._has_signal = True
        if number == signal.SIGTERM and self._process is not None:
            self._process.send_signal(number)


def _in_words(code: int) -> str:
    """Return an exit code with its name.

    >>> _in_words(5)
    'refused (5)'
    """
    if code in {int(each) for each in Exit}:
        return f"{Exit(code).name.lower()} ({code})" if code else "published"
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
