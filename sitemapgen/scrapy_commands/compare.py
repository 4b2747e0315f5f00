"""``scrapy compare``: the command of ``commands/compare.py``."""

from __future__ import annotations

from sitemapgen.commands import compare
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = compare.Command()
