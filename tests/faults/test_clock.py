"""The clock of the machine was wrong in one run, while a page changed: no date of it stays."""

import re
from datetime import datetime, timezone

import pytest

from sitemapgen.analysis.lastmod import NEVER, latest_moment
from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.server import Answer, Serve, page

DAY = 86_400.0
NOW = datetime(2026, 3, 1, tzinfo=timezone.utc).timestamp()


def site(*changed: str) -> dict[str, Answer]:
    """Pages with a date of their own and without any, all of which may have changed."""
    dated = '<meta property="article:modified_time" content="2026-01-15">'
    words = {name: f"It is about {name}. " * 20 for name in "abcd"}
    words |= {name: f"It is about {name}, and more. " * 20 for name in changed}
    return {
        "/": page("/a", "/b", "/c", "/d"),
        "/a": page(text=words["a"], title="A"),
        "/b": page(text=words["b"], title="B"),
        "/c": page(text=words["c"], title="C", head=dated),
        "/d": page(text=words["d"], title="D", head=dated),
    }


def dates(result: Crawl) -> dict[str, str]:
    return {url.rpartition("/")[2]: row["lastmod"] for url, row in result.urls.items()}


@pytest.mark.parametrize(
    "off",
    [
        pytest.param(365 * DAY, id="a year ahead"),
        pytest.param(-NOW + 400 * DAY, id="1971", marks=pytest.mark.slow),
    ],
)
def test_a_change_while_the_clock_is_wrong(off: float, serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    first = dates(crawl(server.url, now=NOW))
    assert first == {"": "", "a": "", "b": "", "c": "2026-01-15", "d": "2026-01-15"}
    server.site = site("a", "c")
    wrong = dates(crawl(server.url, now=NOW + off))
    assert (wrong["b"], wrong["d"]) == ("", "2026-01-15")  # unchanged pages keep their dates
    for days in (7, 14):
        result = crawl.published(server.url, now=NOW + days * DAY)
        after = dates(result)
        assert (after["b"], after["d"]) == (first["b"], first["d"])
        assert all(date[:7] in ("", "2026-01", "2026-03") for date in after.values()), after
        files = b"".join(result.files[name] for name in ("sitemap.xml", "urls.csv"))
        assert not re.search(rb"2027-|1971-", files)
    # Changes are seen as ever.
    server.site = site("a", "b", "c")
    after = dates(crawl(server.url, now=NOW + 21 * DAY))
    assert after["b"].startswith("2026-03-22")


def test_which_clock_is_wrong() -> None:
    """The one that most runs contradict; where they do not agree, nothing is ruled out."""
    tolerance = 2 * DAY
    assert latest_moment([NOW, NOW + DAY], NOW + 7 * DAY) == NOW + 7 * DAY + tolerance
    assert latest_moment([NOW, NOW + 365 * DAY], NOW + 7 * DAY) == NOW + 7 * DAY + tolerance
    assert latest_moment([NOW, NOW + DAY], 400 * DAY) == NEVER
    assert latest_moment([NOW, NOW + 365 * DAY, NOW + 366 * DAY], NOW + 7 * DAY) == NEVER
    assert latest_moment([NOW], NOW - DAY) == NOW - DAY + tolerance  # a day back: within reason
    assert latest_moment([], NOW) == NOW + tolerance
