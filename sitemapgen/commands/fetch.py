"""``scrapy fetch``: what a URL answers, asked with the project's identity and manners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands.fetch import Command as FetchCommand

from sitemapgen.commands.outcome import is_refused
from sitemapgen.errors import Exit

if TYPE_CHECKING:
    import argparse


class Command(FetchCommand):
    """Scrapy's command; ``spiders/foreign.py`` gives it Scrapy's components."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if is_refused(opts.spider):
            self.exitcode = int(Exit.ARGUMENTS)
        else:
            super().run(args, opts)
