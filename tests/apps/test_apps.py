"""Shops made with current frameworks: each page is found, also those that no link leads to."""

import pytest

from tests.apps.building import APPS, App, served
from tests.helpers.browser import BROWSER, needs_browser
from tests.helpers.crawls import IMPATIENT, Crawler

pytestmark = [pytest.mark.slow, needs_browser]
SETTINGS = (*IMPATIENT, "-s", f"SITEMAPGEN_BROWSER={BROWSER}")
SAME = ("sitemap.xml", "urls.csv")


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.name)
def test_every_page_of_a_shop_is_found(app: App, crawl: Crawler) -> None:
    with served(app) as origin:
        first = crawl.published(f"{origin}/", settings=SETTINGS)
        listed = {url for url, verdict in first.verdicts.items() if verdict == "listed"}
        assert sorted(app.ideal(origin) - listed) == []
        assert sorted(listed - app.ideal(origin)) == []
        assert first.report["complete"], first.report["not_looked_at"]
        files = {name: first.files[name] for name in SAME}
        second = crawl(f"{origin}/", settings=SETTINGS)
        assert {name: second.files[name] for name in SAME} == files
