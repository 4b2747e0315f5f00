"""The pages that people read, with the rules of axe-core: nothing moderate, serious or critical."""

from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from sitemapgen.store.results import TitledRow
from tests.helpers.accessibility import SCHEMES, WIDTHS, violations
from tests.helpers.crawls import rest
from tests.helpers.dashboard import Watch
from tests.helpers.people import write as people
from tests.helpers.report import ShowReport, made
from tests.helpers.server import Serve
from tests.helpers.sites import endless_tree
from tests.report.compared import SITES, written
from tests.report.sample import empty, rows, summary

pytestmark = pytest.mark.sample


CUT_OFF = """
() => [...document.querySelectorAll(".scroll")]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.getAttribute("aria-label"))
"""
"""The names of the tables that are wider than the screen."""


EXTREMES = ((320, "light"), (1400, "dark"))
CASES = [*EXTREMES, *rest(*(case for case in product(WIDTHS, SCHEMES) if case not in EXTREMES))]
sizes_and_schemes = pytest.mark.parametrize(("width", "scheme"), CASES)


@pytest.mark.full
@sizes_and_schemes
def test_a_report(width: int, scheme: str, show_report: ShowReport) -> None:
    opened = show_report(made(summary(300), rows(300)), width=width, color_scheme=scheme)
    page = opened.go("#urls?in_sitemap=1").page
    assert violations(page) == []
    for more in page.get_by_role("button", name="All about this URL").all()[:3]:
        more.click()
    page.locator("main details").evaluate_all("all => all.forEach(one => one.open = true)")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.full
def test_a_report_on_nothing(show_report: ShowReport) -> None:
    opened = show_report(made(empty(), []), width=390).go()
    assert violations(opened.page) == []


@pytest.mark.full
@sizes_and_schemes
def test_a_comparison(width: int, scheme: str, show_report: ShowReport) -> None:
    opened = show_report(written(*SITES)["comparison.html"], width=width, color_scheme=scheme)
    assert violations(opened.go(ready="data-charts=drawn").page) == []
    assert opened.page.evaluate(CUT_OFF) == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
@sizes_and_schemes
def test_a_sitemap_for_people(
    width: int, scheme: str, show_report: ShowReport, tmp_path: Path
) -> None:
    listed = [
        TitledRow(row.url, row.title or "", row.lastmod)
        for row in rows(600)
        if row.verdict == "listed"
    ]
    people(tmp_path / "output", *listed)
    content = (tmp_path / "output" / "sitemap.html").read_bytes()
    opened = show_report(content, width=width, color_scheme=scheme)
    opened.page.goto(opened.url)
    assert violations(opened.page) == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
def test_a_dashboard(serve: Serve, watch: Watch, chromium: Browser) -> None:
    watched = watch(serve(endless_tree(0.2)).url)
    for width in WIDTHS:
        for scheme in SCHEMES:
            page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page.goto(watched.url)
            page.wait_for_selector("#pages tr")
            assert violations(page) == [], (width, scheme)
            assert page.evaluate("document.documentElement.scrollWidth") == width
            page.close()
    watched.end()


def test_faults_are_found(show_report: ShowReport) -> None:
    opened = show_report(
        b"<!doctype html><html><title>t</title><img src='data:,'><p style='color:#ccc'>Pale words"
    )
    opened.page.goto(opened.url)
    assert {found.split(":")[0] for found in violations(opened.page)} == {
        *("color-contrast", "html-has-lang", "image-alt"),
        *("landmark-one-main", "page-has-heading-one", "region"),
    }
