"""Fixtures of this directory."""

from tests.helpers.crawls import serve

__all__ = ["serve"]
