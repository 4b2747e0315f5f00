"""``scrapy validate``: the command of ``commands/validate.py``."""

from __future__ import annotations

from sitemapgen.commands import validate
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = validate.Command()
