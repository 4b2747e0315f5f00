"""``scrapy submit``: the command of ``commands/submit.py``."""

from __future__ import annotations

from sitemapgen.commands import submit
from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """Adapts the command to Scrapy."""

    command = submit.Command()
