"""``scrapy diff``: the command of ``commands/diff.py``."""

from __future__ import annotations

from sitemapgen.commands import diff
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = diff.Command()
