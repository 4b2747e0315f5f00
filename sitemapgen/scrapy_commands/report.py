"""``scrapy report``: the command of ``commands/report.py``."""

from __future__ import annotations

from sitemapgen.commands import report
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = report.Command()
