"""``scrapy report``."""

from sitemapgen.tools.scrapy_command import AdaptedCommand


class Command(AdaptedCommand):
    """The command of ``commands/report.py``."""
