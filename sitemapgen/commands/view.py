"""``scrapy view``: an answer in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.view import Command as ViewCommand

from sitemapgen.commands.outcome import is_refused
from sitemapgen.errors import Exit

if TYPE_CHECKING:
    import argparse


class Command(ViewCommand):
    """Scrapy's command; ``spiders/foreign.py`` gives it Scrapy's components."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if is_refused(opts.spider):
            self.exitcode = int(Exit.ARGUMENTS)
        else:
            super().run(args, opts)
