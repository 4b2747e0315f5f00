"""``scrapy fetch``: prints the response for a URL, requested with the project's user agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.fetch import Command as FetchCommand

from sitemapgen.commands.outcome import is_refused
from sitemapgen.errors import Exit

if TYPE_CHECKING:
    import argparse


class Command(FetchCommand):
    """Scrapy's command, with Scrapy's own components (``spiders/foreign.py``)."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if is_refused(opts.spider):
            self.exitcode = int(Exit.ARGUMENTS)
        else:
            super().run(args, opts)
