"""``scrapy view``: shows the response for a URL in a browser."""

from scrapy.commands.view import Command as ViewCommand

from sitemapgen.tools.scrapy_command import WithoutArguments


class Command(WithoutArguments, ViewCommand):
    """Scrapy's command, with Scrapy's own components (``spiders/foreign.py``)."""
