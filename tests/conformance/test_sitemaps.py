"""Do we read sitemaps as Scrapy's ``Sitemap`` and ``sitemap_urls_from_robots`` do?

Every deviation is listed with its reason, and has to be one.
"""

from typing import Any
from urllib.parse import urljoin

from sitemapgen.core import robots
from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.items import SitemapEntry
from tests.helpers.shared import conformance
from tests.helpers.tables import for_each

CASES = conformance("sitemap_scrapy/cases.jsonl")
SITEMAPS = [case for case in CASES if case["kind"] == "sitemap"]
ROBOTS = [case for case in CASES if case["kind"] == "robots_sitemaps"]

NOTHING_FROM_A_DTD = (
    "a file that declares entities is refused as a whole; "
    "Scrapy lists the URL without the part that the entity stood for, which the site never wrote"
)
NO_DATES_OF_FILES = "of an index only the files count: when each is read, its entries have dates"
WAIVERS = {
    "scsm-010": NOTHING_FROM_A_DTD,
    "scsm-002": NO_DATES_OF_FILES,
    "scsm-007": NO_DATES_OF_FILES,
}
FORMATS = {"urlset": "urlset", "sitemapindex": "index", "url": ""}


@for_each(*SITEMAPS)
def test_sitemap(case: dict[str, Any]) -> None:
    sitemap = read_sitemap(case["body"].encode())
    urls = [*sitemap.children, *(entry.url for entry in sitemap.entries)]
    reason = WAIVERS.get(case["id"])
    if reason is NOTHING_FROM_A_DTD:
        assert urls == []
        assert case["expected_urls"] != []
        return
    assert sitemap.format == FORMATS[case["type"]]
    assert urls == case["expected_urls"]
    assert sitemap.error == ("" if sitemap.format else "<url> is no sitemap and no feed")
    if reason is NO_DATES_OF_FILES:
        assert sitemap.children
        assert all("lastmod" in entry for entry in case["entries"])
        return
    assert [as_scrapy_says(entry) for entry in sitemap.entries] == [
        {**NOTHING_SAID, **entry} for entry in case["entries"]
    ]


NOTHING_SAID = {"lastmod": "", "changefreq": "", "priority": "", "alternate": []}


def as_scrapy_says(entry: SitemapEntry) -> dict[str, Any]:
    """An entry in Scrapy's words. It keeps no languages, images, videos and news."""
    loc, lastmod, changefreq, priority, said, _ = entry
    return {
        "loc": loc,
        "lastmod": lastmod,
        "changefreq": changefreq,
        "priority": priority,
        "alternate": [href for _, href in said.alternates] if said else [],
    }


@for_each(*ROBOTS)
def test_sitemaps_of_robots(case: dict[str, Any]) -> None:
    """Scrapy lower-cases the scheme; ours are as written until they are normalised."""
    found = robots.parse_robots(case["robots"].encode()).sitemaps
    absolute = [urljoin(case["base_url"], url).replace("HTTP:", "http:") for url in found]
    assert absolute == [url.replace("HTTP:", "http:") for url in case["expected"]]


def test_all_cases_are_there() -> None:
    assert len(SITEMAPS) == 11
    assert len(ROBOTS) == 1
