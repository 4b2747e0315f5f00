"""Fixtures of this directory."""

from tests.helpers.crawls import crawl, serve

__all__ = ["crawl", "serve"]
