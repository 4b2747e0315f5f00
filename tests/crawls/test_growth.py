"""New URLs over the runs of one output, and who sees them first."""

from typing import Any

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import HERE, Answer, Serve, page, text, urlset

pytestmark = pytest.mark.full

DAY = 86_400
BEGIN = 20_500.5 * DAY
NOTHING = {
    "since": None,
    "new": {"count": 0, "both": 0, "links": 0, "sitemap": 0},
    "runs": [],
    "seen_delta": {"seconds": 0.0, "urls": 0, "sitemap_first": 0, "links_first": 0, "together": 0},
    "scatter": [],
}

LINKED = {"old": 0, "early": 1, "late": 5, "same": 2, "linked": 3}
"""On which day the first link to a page stands on the site."""
IN_SITEMAP = {"old": 0, "early": 4, "late": 2, "same": 2, "listed": 5}
"""On which day the sitemap names it."""


def site(url: str, day: int) -> dict[str, Answer]:
    linked = [f"/{name}" for name, since in LINKED.items() if since <= day]
    listed = [name for name, since in IN_SITEMAP.items() if since <= day]
    pages = {f"/{name}": page(text=f"{name} " * 60) for name in {*LINKED, *IN_SITEMAP}}
    return {
        "/": page(*linked, text="All there is"),
        "/robots.txt": text("Sitemap: /sitemap.xml"),
        "/sitemap.xml": urlset(*listed, base=url),
        **pages,
    }


def when(day: int) -> str:
    return f"2026-02-{16 + day:02}T12:00:00+00:00"


def test_what_comes_after_the_first_run(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    growth: dict[int, Any] = {}
    for day in range(7):
        server.site = site(server.url, day)
        result = crawl.published(server.url, now=BEGIN + day * DAY)
        growth[day] = result.report["growth"]
    assert growth[0] == NOTHING
    assert growth[1]["runs"] == [{"run": when(1), "both": 0, "links": 1, "sitemap": 0}]
    assert growth[6] == growth[5]  # nothing was new
    assert growth[6] == {
        "since": when(0),
        "new": {"count": 5, "both": 1, "links": 2, "sitemap": 2},
        "runs": [
            {"run": when(1), "both": 0, "links": 1, "sitemap": 0},
            {"run": when(2), "both": 1, "links": 0, "sitemap": 1},
            {"run": when(3), "both": 0, "links": 1, "sitemap": 0},
            {"run": when(5), "both": 0, "links": 0, "sitemap": 1},
        ],
        # early: links 3 days ahead; late: the sitemap 3 days ahead; same: neither.
        "seen_delta": {
            # A run starts late on a busy machine.
            **{"seconds": pytest.approx(0, abs=60), "urls": 3},
            **{"sitemap_first": 1, "links_first": 1, "together": 1},
        },
        "scatter": [
            {"sitemap": when(2), "links": when(2), "urls": 1},
            {"sitemap": when(2), "links": when(5), "urls": 1},
            {"sitemap": when(4), "links": when(1), "urls": 1},
        ],
    }
    assert "5 URLs are new since 2026-02-16" in result.html


def test_what_a_cap_kept_out_or_other_arguments_is_not_new(serve: Serve, crawl: Crawler) -> None:
    server = serve(site(HERE, 0) | {"/old": page("/new", text="old"), "/new": page(text="new")})

    def growth(day: int, *arguments: str) -> Any:
        result = crawl.published(server.url, "force=true", *arguments, now=BEGIN + day * DAY)
        return result.report["growth"]

    assert growth(0, "max_pages=1") == NOTHING
    assert growth(1, "exclude=/new") == NOTHING
    assert growth(2) == NOTHING
    server.site = {**server.site, "/new": page("/newer", text="new"), "/newer": page(text="er")}
    assert growth(3)["runs"] == [{"run": when(3), "both": 0, "links": 1, "sitemap": 0}]
