"""A reader of links, as the tests of pages and of links have it."""

from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.robots import parse_robots
from sitemapgen.core.urls import Patterns, Site


def reader(**site: object) -> LinkReader:
    """A reader for https://e.example, of which robots.txt forbids /no."""
    rules = Rules(
        site=Site(origin="https://e.example", **site),
        robots=parse_robots(b"User-agent: *\nDisallow: /no"),
        include=Patterns(""),
        exclude=Patterns(""),
    )
    return LinkReader(rules)
