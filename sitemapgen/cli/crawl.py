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
    names = list(sites.all_of(file))
    code, outcomes = _crawl_in_turn(file, names, [*words, *common])
    sys.stdout.writelines(f"{line}\n" for line in _table_lines(names, outcomes))
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


def _crawl_in_turn(
    file: Path, names: Sequence[str], words: Sequence[str]
) -> tuple[Exit, list[tuple[str, int, float]]]:
    """Crawl sites of a file with the same further words, until a signal.

    Return the exit code, and (name, exit code, seconds) of each crawl.
    """
    outcomes: list[tuple[str, int, float]] = []
    process: subprocess.Popen[bytes] | None = None
    has_signal = False

    def handle_signal(number: int, _: FrameType | None) -> None:
        nonlocal has_signal
        has_signal = True
        # The terminal sends Ctrl-C to the crawl as well.
        if number == signal.SIGTERM and process is not None:
            process.send_signal(number)

    signal.signal(signal.SIGTERM, handle_signal)
    signal.signal(signal.SIGINT, handle_signal)
    for name in names:
        if has_signal:
            break
        command = [sys.executable, "-m", "sitemapgen", "crawl", name, "--file", str(file)]
        began = monotonic()
        process = subprocess.Popen([*command, *words])  # noqa: S603 - its own command
        outcomes.append((name, process.wait(), monotonic() - began))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if has_signal:
        return Exit.INTERRUPTED, outcomes
    has_failed = any(code for _, code, _ in outcomes)
    return Exit.FAILURES if has_failed else Exit.PUBLISHED, outcomes


def _table_lines(names: Sequence[str], outcomes: list[tuple[str, int, float]]) -> Iterator[str]:
    """Yield a line for each site, and their number."""
    width = max(map(len, names))
    for name, code, seconds in outcomes:
        yield f"{name:{width}}  {_name_exit(code):16}  {seconds:,.0f} s"
    for name in names[len(outcomes) :]:
        yield f"{name:{width}}  not begun"
    published = sum(not code for _, code, _ in outcomes)
    yield f"{counted(len(names), 'site')}, {published:,} published"


def _name_exit(code: int) -> str:
    """Return an exit code with its name.

    >>> _name_exit(5)
    'refused (5)'
    """
    if code in {int(each) for each in Exit}:
        return f"{Exit(code).name.lower()} ({code})" if code else "published"
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
