"""``scrapy export``: the command of ``commands/export.py``."""

from __future__ import annotations

from sitemapgen.commands import export
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = export.Command()
