"""``scrapy view``: shows the response for a URL in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.view import Command as ViewCommand

from sitemapgen.commands.outcome import is_refused
from sitemapgen.errors import Exit

if TYPE_CHECKING:
    import argparse


class Command(ViewCommand):
    """Scrapy's command, with Scrapy's own components (``spiders/foreign.py``)."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if is_refused(opts.spider):
            self.exitcode = int(Exit.ARGUMENTS)
        else:
            super().run(args, opts)
