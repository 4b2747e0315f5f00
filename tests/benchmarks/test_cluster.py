"""The coordinator of a crawl with workers takes less CPU a page than a crawl without them."""

import pytest

pytest.importorskip("redis", reason="redis is not installed")

from tests.benchmarks.cluster import measure
from tests.helpers.browser import needs_browser
from tests.helpers.redis import needs_redis

pytestmark = [pytest.mark.alone, pytest.mark.slow, needs_redis]


def test_pages_that_workers_read() -> None:
    measured = measure("tree:1000", rounds=3)
    print(measured)
    assert measured["same"]
    assert measured["ratio"] <= 0.95, measured
    assert measured["bytes"] <= 8_000, measured


@needs_browser
def test_pages_that_workers_render() -> None:
    measured = measure("apps:60", rounds=3)
    print(measured)
    assert measured["same"]
    assert measured["ratio"] <= 0.8, measured
