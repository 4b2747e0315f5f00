"""``sitemapgen crawl``: one site by its URL or its name, or all sites of sitemapgen.toml."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from sitemapgen.cli import arguments, queue, sites
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import repeated
from sitemapgen.tools.command import pairs

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

ONE_URL = "a crawl has one URL; write several sites into sitemapgen.toml, for crawl --all"


def all_sites(options: argparse.Namespace, file: Path, common: Sequence[str]) -> Exit:
    """Crawl the sites of a file in turn, and print a table. Raises CrawlError.

    ``common``: the words of the options that all commands have.
    """
    given = given_arguments(options)
    if options.target:
        sentence = f"--all: crawls the sites of {file}; leave {options.target} out"
        raise CrawlError(Exit.ARGUMENTS, sentence)
    queue.check(given, file)
    words = [word for name, value in given.items() for word in ("-a", f"{name}={value}")]
    with queue.SiteQueue(file, list(sites.all_of(file))) as crawls:
        code = crawls.run([*words, *common])
    sys.stdout.writelines(f"{line}\n" for line in crawls.table())
    return code


def one_site(options: argparse.Namespace, file: Path) -> sites.ConfiguredSite:
    """Return what Scrapy is given; secrets go into the environment. Raises CrawlError."""
    given = given_arguments(options)
    if options.target and "url" in given:
        raise CrawlError(Exit.ARGUMENTS, f"-a url={given['url']}: {ONE_URL}")
    site = sites.find(file, options.target, is_given=bool(options.file))
    os.environ.update(site.secrets)
    return site._replace(arguments={**site.arguments, **given})


def given_arguments(options: argparse.Namespace) -> dict[str, str]:
    """Return the arguments of ``-a`` and of the options. Raises CrawlError."""
    found = pairs("-a", options.arguments)
    if twice := repeated(name for name, _ in found):
        raise CrawlError(Exit.ARGUMENTS, f"-a {twice}: is given twice; leave one out")
    return {**dict(found), **arguments.given(options)}
