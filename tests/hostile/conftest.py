"""Servers and crawls as in ``tests/crawls``, and a server that answers byte for byte."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.crawls.conftest import crawl, serve
from tests.helpers.raw import RawServer

__all__ = ["crawl", "raw", "serve"]


@pytest.fixture
def raw() -> Iterator[RawServer]:
    server = RawServer()
    yield server
    server.stop()
