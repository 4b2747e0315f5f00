"""``scrapy indexnow``: the command of ``commands/indexnow.py``."""

from __future__ import annotations

from sitemapgen.commands import indexnow
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = indexnow.Command()
