"""``scrapy publish``: the command of ``commands/publish.py``."""

from __future__ import annotations

from sitemapgen.commands import publish
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = publish.Command()
