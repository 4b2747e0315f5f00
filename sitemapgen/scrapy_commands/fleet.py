"""``scrapy fleet``: the command of ``commands/fleet.py``."""

from __future__ import annotations

from sitemapgen.commands import fleet
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = fleet.Command()
