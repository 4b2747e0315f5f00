"""``scrapy fetch``: prints the response for a URL, requested with the project's user agent."""

from scrapy.commands.fetch import Command as FetchCommand

from sitemapgen.tools.scrapy_command import WithoutArguments


class Command(WithoutArguments, FetchCommand):
    """Scrapy's command, with Scrapy's own components (``spiders/foreign.py``)."""
