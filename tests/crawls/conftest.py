"""The fixtures of whole crawls."""

from tests.helpers.crawls import crawl, serve
from tests.helpers.raw import raw

__all__ = ["crawl", "raw", "serve"]
