"""``changefreq=observed``: how often pages change, by what the runs of several days saw."""

import json
import re

import pytest

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.server import Answer, Serve, page

pytestmark = pytest.mark.full

DAY = 86_400.0
BEGIN = 20_500 * DAY
LISTED = re.compile(r"<loc>(.*?)</loc>(?:\s*<lastmod>.*?</lastmod>)?(?:\s*<changefreq>(\w+)<)?")


def site(day: int) -> dict[str, Answer]:
    """News that change every day, docs that change every tenth."""
    pages = {
        f"/{section}/{number}": page(text=f"{section} {number}, edition {day // days} " * 9)
        for section, days in (("news", 1), ("docs", 10))
        for number in range(6)
    }
    return {"/": page(*pages, text="All there is"), **pages}


def words(result: Crawl) -> dict[str, set[str]]:
    """The words that stand in the sitemap, by section; empty for none."""
    found: dict[str, set[str]] = {}
    for url, word in LISTED.findall((result.output / "sitemap.xml").read_text("utf-8")):
        found.setdefault(url.split("/")[3], set()).add(word)
    return found


def test_enough_runs_say_how_often_pages_change(serve: Serve, crawl: Crawler) -> None:
    server = serve(site(0))

    def on(day: int, *arguments: str) -> Crawl:
        server.site = site(day)
        return crawl.published(server.url, *arguments, now=BEGIN + day * DAY)

    for day in range(3):
        assert words(on(day, "changefreq=observed")) == {"": {""}, "news": {""}, "docs": {""}}
    fourth = on(3, "changefreq=observed", "formats=json")
    assert words(fourth) == {"": {""}, "news": {"daily"}, "docs": {""}}
    (entry,) = (
        entry
        for entry in json.loads((fourth.output / "sitemap.json").read_text("utf-8"))
        if entry["loc"].endswith("/news/3")
    )
    assert entry["changefreq"] == "daily"
    for day in (12, 21):
        later = on(day, "changefreq=observed")
    assert words(later)["docs"] <= {"weekly", "monthly"}
    assert words(on(22)) == {"": {""}, "news": {""}, "docs": {""}}  # not asked for
