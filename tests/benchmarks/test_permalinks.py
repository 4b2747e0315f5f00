"""What pages cost whose links are relative, against the same with absolute links.

Each post of the site is a directory (``/post-7/``), and links to 50 others. Measured: by form of
the hrefs, CPU microseconds to read a page, and the ratio to absolute ones (medians of the rounds).
"""

import time
from datetime import datetime, timezone
from statistics import median
from typing import Any

import pytest

from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.document.pages import HttpResponse, read_page
from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.robots import Robots
from sitemapgen.core.urls import Patterns, Site, key
from sitemapgen.items import Link
from tests.benchmarks.serving import POST_LINKS, post

pytestmark = pytest.mark.alone

ORIGIN = "https://www.example.com"
ABSOLUTE = "absolute"
FORMS = {ABSOLUTE: f"{ORIGIN}/", "root": "/", "relative": "../"}
"""What hrefs begin with."""
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
HEADERS = {"content-type": ["text/html; charset=utf-8"]}


def read(posts: int) -> dict[str, float]:
    """Read all posts of a site once, in each form in turn; return CPU seconds by form."""
    site = Site(origin=ORIGIN)
    rules = Rules(site=site, robots=Robots(), include=Patterns(""), exclude=Patterns(""))
    readers = {form: LinkReader(rules) for form in FORMS}
    seconds = dict.fromkeys(FORMS, 0.0)
    for number in range(posts):
        url = f"{ORIGIN}/post-{number}/"
        link, pages = Link(url=url, key=key(url)), []
        for form, reader in readers.items():
            body = post(number, posts, FORMS[form]).encode()
            response = HttpResponse(200, HEADERS, body, NOW)
            began = time.process_time()
            page = read_page(response, link, reader, ReadOptions())
            seconds[form] += time.process_time() - began
            pages.append(page.links)
        if len(pages[0]) != POST_LINKS or any(links != pages[0] for links in pages):
            raise RuntimeError(f"the forms of {url} have different links")
    return seconds


def measure(posts: int = 500, rounds: int = 3) -> dict[str, Any]:
    columns = [read(posts) for _ in range(rounds)]
    return {
        "us": {form: round(median(row[form] for row in columns) / posts * 1e6) for form in FORMS},
        "ratio": {
            form: round(median(row[form] / row[ABSOLUTE] for row in columns), 2) for form in FORMS
        },
    }


def test_five_hundred_posts_with_fifty_links() -> None:
    measured = measure()
    # 0.9 each; 2.1 and 2.2 when each page resolved them.
    assert measured["ratio"]["root"] <= 1.3, measured
    assert measured["ratio"]["relative"] <= 1.3, measured
