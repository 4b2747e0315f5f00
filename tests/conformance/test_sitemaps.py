"""Do we read sitemaps as Scrapy's ``Sitemap`` and ``sitemap_urls_from_robots`` do?

Every deviation is listed with its reason, and has to be one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from sitemapgen.core import robots
from sitemapgen.core.sitemaps import read

FILE = (
    Path(__file__).resolve().parents[2].parent
    / "shared"
    / "conformance"
    / "sitemap_scrapy"
    / "cases.jsonl"
)
if not FILE.exists():
    pytest.skip(f"{FILE} is not on this machine", allow_module_level=True)

CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SITEMAPS = [case for case in CASES if case["kind"] == "sitemap"]
ROBOTS = [case for case in CASES if case["kind"] == "robots_sitemaps"]

NOTHING_FROM_A_DTD = (
    "a file that declares entities is refused as a whole; "
    "Scrapy lists the URL without the part that the entity stood for, which the site never wrote"
)
WAIVERS = {"scsm-010": NOTHING_FROM_A_DTD}
FORMATS = {"urlset": "urlset", "sitemapindex": "index", "url": ""}


@pytest.mark.parametrize("case", SITEMAPS, ids=[case["id"] for case in SITEMAPS])
def test_sitemap(case: dict[str, Any]) -> None:
    sitemap = read(case["body"].encode())
    urls = [*sitemap.children, *(entry.url for entry in sitemap.entries)]
    if case["id"] in WAIVERS:
        assert urls == []
        assert case["expected_urls"] != []
        return
    assert sitemap.format == FORMATS[case["type"]]
    assert urls == case["expected_urls"]
    if sitemap.format == "urlset":
        assert [entry[1:] for entry in sitemap.entries] == [
            (entry.get("lastmod", ""), entry.get("changefreq", ""), entry.get("priority", ""))
            for entry in case["entries"]
        ]


@pytest.mark.parametrize("case", ROBOTS, ids=[case["id"] for case in ROBOTS])
def test_sitemaps_of_robots(case: dict[str, Any]) -> None:
    """Scrapy lower-cases the scheme; ours are as written until they are normalised."""
    found = robots.parse(case["robots"].encode()).sitemaps
    absolute = [urljoin(case["base_url"], url).replace("HTTP:", "http:") for url in found]
    assert absolute == [url.replace("HTTP:", "http:") for url in case["expected"]]


def test_all_cases_are_there() -> None:
    assert len(SITEMAPS) == 11
    assert len(ROBOTS) == 1
