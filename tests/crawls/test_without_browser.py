"""The browser that there is not, and pages that need none."""

from pathlib import Path

import pytest

from tests.helpers.browser import app
from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import Serve, page
from tests.helpers.sites import prose


def test_without_a_browser(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    shell = app("", body="<div id=root></div><noscript><a href=/plain>plain</a></noscript>")
    server = serve({"/": shell, "/plain": page("/shell", "/end"), "/shell": shell, "/end": page()})
    settings = (*IMPATIENT, "-s", f"SITEMAPGEN_BROWSER={tmp_path}/chromium")
    result = crawl.published(server.url, settings=settings)
    assert result.verdicts == {
        server.url: "unrenderable",
        f"{server.url}plain": "listed",
        f"{server.url}shell": "unrenderable",
        f"{server.url}end": "listed",
    }
    assert result.log.count("needs a browser") == 1
    assert f"SITEMAPGEN_BROWSER={tmp_path}/chromium: there is no such browser" in result.log
    assert "Traceback" not in result.log


def test_without_a_browser_a_guess_is_named_as_one(crawl: Crawler, tmp_path: Path) -> None:
    settings = (*IMPATIENT, "-s", f"SITEMAPGEN_BROWSER={tmp_path}/chromium")
    server, result = crawl.site({"/": page()}, "render=always", settings=settings)
    assert result.verdicts == {server.url: "listed"}
    assert f"{server.url} may need a browser, and so may others: " in result.log


@pytest.mark.full
def test_a_paragraph_whose_name_begins_with_a_slash_is_no_view(crawl: Crawler) -> None:
    """The options of a manual, and a link to one that is gone, beside the scripts of a menu.

    Or the form for a subscription on every page, also on one with little text.
    """
    names = "".join(f'<p id="/option-{n}">{prose(n * 40, n * 40 + 40)}</p>' for n in range(3))
    manual = f'<script src="/menu.js"></script>{names}'
    news = {
        "/news": page("/news#/portal", "/manual", "/teaser", text=prose(300, 380)),
        "/teaser": page("/teaser#/portal", text="Members read on."),
    }
    start = page("/manual#/option-9", "/manual#/option-1", "/news", text=prose(200, 280))
    server, result = crawl.site({"/": start, "/manual": page(text=manual), **news})
    assert result.sitemap == [f"{server.url}{name}" for name in ("", "manual", "news", "teaser")]
    assert "hash_routes" not in {fix["id"] for fix in result.report["priorities"]}
    assert "behind #" not in result.log
