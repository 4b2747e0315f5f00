"""``scrapy shell``: opens a Python console with the response for a URL."""

from scrapy.commands.shell import Command as ShellCommand

from sitemapgen.tools.scrapy_command import WithoutArguments


class Command(WithoutArguments, ShellCommand):
    """Scrapy's command, with Scrapy's own components (``spiders/foreign.py``)."""
