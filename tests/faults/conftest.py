"""The fixtures of whole crawls, for crawls that are disturbed."""

from tests.crawls.conftest import crawl, serve

__all__ = ["crawl", "serve"]
