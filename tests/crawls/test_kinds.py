"""Filters, orders and an endless calendar beside a few pages: what is asked for, and listed."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from tests.helpers.crawls import Crawl, wait_for
from tests.helpers.shared import SHARED, require

pytestmark = pytest.mark.sample


@pytest.fixture
def site() -> Iterator[str]:
    script = require(SHARED / "spaces" / "facets-calendar.py")
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(script), str(port)])

    def answers() -> bool:
        with closing(socket.socket()) as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_for(answers)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.kill()
        process.wait()


def test_a_shop_and_a_calendar(site: str, crawl: Callable[..., Crawl]) -> None:
    result = crawl(site)
    assert result.code == 0, result.log
    rows = result.urls
    ideal = {site, f"{site}shop", f"{site}events"}
    ideal |= {f"{site}p/{number}" for number in range(30)}
    ideal |= {f"{site}e/c{number}" for number in range(15)}
    assert ideal <= {*result.sitemap}
    assert len(result.sitemap) <= 70
    assert result.report["seen"] - result.report["verdicts"]["trap"] <= 260
    variants = [row for row in rows.values() if row["verdict"] == "variant"]
    assert len(variants) > 50
    assert all(f"beside {site}shop" in row["evidence"] for row in variants)
    complete = "All 48 pages with content of their own are in your sitemap, and "
    assert result.report["headline"]["sentence"].startswith(complete)
    assert not [fix for fix in result.report["priorities"] if fix["severity"] == "error"]
    once = (result.output / "sitemap.xml").read_bytes()
    assert crawl(site).code == 0
    assert (result.output / "sitemap.xml").read_bytes() == once


def test_traps_are_only_reported(site: str, crawl: Callable[..., Crawl]) -> None:
    result = crawl(site, "traps=report", "max_pages=300")
    assert result.report["verdicts"]["variant"] == 0
    assert f"{site}shop?c=red&sort=price" in result.sitemap
