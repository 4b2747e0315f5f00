"""Servers and crawls as in ``tests/crawls``, and a server that answers byte for byte."""

from tests.helpers.crawls import crawl, serve
from tests.helpers.raw import raw

__all__ = ["crawl", "raw", "serve"]
