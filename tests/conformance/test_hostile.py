"""Whatever is public and broken, to every reader: none raises, and none takes its time."""

from collections.abc import Callable
from datetime import datetime, timezone

import pytest

from sitemapgen.core import headers, politeness, robots, soft404
from sitemapgen.core.document import html
from sitemapgen.core.document.encoding import decode_document
from sitemapgen.core.eligibility import robots_directives
from sitemapgen.core.headers import read_refresh
from sitemapgen.core.lastmod import http_date, iso_date
from sitemapgen.core.sitemap_files import read as sitemaps
from sitemapgen.core.urls import parse
from tests.helpers.cost import at_most
from tests.helpers.hostile import DOCUMENTS, HEADERS
from tests.helpers.recorded import OF_ALL, all_documents
from tests.helpers.shared import conformance
from tests.helpers.tables import for_each

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)

READERS: list[Callable[[bytes], object]] = [
    html.parse_document,
    soft404.read_document,
    sitemaps.read_sitemap,
    robots.parse_robots,
    lambda body: robots.parse_robots(body).refusal("http://example.com/a" * 50),
]
HEADER_READERS: list[Callable[[str], object]] = [
    lambda value: list(headers.read_links([value])),
    lambda value: robots_directives([("robots", value)], [value], NOW),
    lambda value: politeness.retry_after(value, NOW),
    lambda value: decode_document(b"\xff", value),
    lambda value: parse(value, "http://example.com/"),
    http_date,
    iso_date,
    read_refresh,
]
SECONDS = 1.0
BODIES = {
    **{f"document {number}": body for number, body in enumerate(all_documents())},
    **{f"robots.txt {number}": body.encode() for number, body in enumerate(OF_ALL)},
    **{
        f"sitemap {number}": case["body"].encode()
        for number, case in enumerate(conformance("sitemap_scrapy/cases.jsonl"))
        if "body" in case
    },
    **DOCUMENTS,
}


def values() -> list[str]:
    """Header values: the public ones, and the lines of all broken answers."""
    found = [
        header.partition(":")[2]
        for case in conformance("robots_tags/headers.jsonl")
        for header in case["headers"]
    ]
    found += [case["input"] for case in conformance("url_wpt/cases.jsonl")]
    for sent, _ in HEADERS.values():
        lines = sent.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        found += [line.partition(": ")[2] for line in lines[1:20]]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("reader", READERS)
def test_no_body_stops_a_reader(reader: Callable[[bytes], object]) -> None:
    for name, body in BODIES.items():
        with at_most(SECONDS, name):
            reader(body)


@for_each(*HEADER_READERS)
def test_no_header_stops_a_reader(reader: Callable[[str], object]) -> None:
    for value in values():
        with at_most(SECONDS, value[:80]):
            reader(value)
