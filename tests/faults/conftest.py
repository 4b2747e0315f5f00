"""The fixtures of whole crawls, for crawls that are disturbed."""

from tests.helpers.crawls import crawl, serve

__all__ = ["crawl", "serve"]
