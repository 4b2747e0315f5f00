"""A shop with 22 kinds of faults: all are counted, and named where the report begins."""

import pytest

from sitemapgen.store.results import LARGE
from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.opened import HEIGHT
from tests.helpers.report import ShowReport
from tests.helpers.server import Server
from tests.helpers.shop import shop

MOST = 9_000
"""Pixels of the whole report."""

PLANTED = {
    "http_error_in_sitemap": 4,
    "redirect_in_sitemap": 3,
    "noindex_in_sitemap": 2,
    "canonicalised_in_sitemap": 5,
    "robots_disallowed_in_sitemap": 2,
    "offsite_in_sitemap": 2,
    "missing_from_sitemap": 11,
    "orphans": 3,
    "broken_links": 5,
    "redirect_chains": 1,
    "hreflang": 2,
    "wrong_dates_in_sitemap": 46,
    "slow_kinds": 12,
    "slow_pages": 1,
    "large_pages": 1,
    "missing_h1s": 2,
    "several_h1s": 1,
    "repeated_titles": 4,
    "images_without_alt": 3,
    "links_without_text": 1,
    "invalid_json_ld": 1,
    "little_content": 2,
    "near_duplicates": 1,
    "dead_ends": 2,
}
"""By id of what to fix: the number of URLs, or of entries, links or dates, with that fault."""


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    with Server(shop()) as server:
        return Crawler(tmp_path_factory.mktemp("shop")).published(server.url)


def test_every_fault_is_counted(audited: Crawl) -> None:
    counts = {fix["id"]: fix["count"] for fix in audited.report["priorities"]}
    assert {name: counts.get(name) for name in PLANTED} == PLANTED


def test_faults_lead_to_their_rows(audited: Crawl) -> None:
    filters = {fix["id"]: fix["filter"] for fix in audited.report["priorities"]}
    rows = {
        name: sorted(url.partition("//")[2].partition("/")[2] for url in audited.rows_of(columns))
        for name, columns in filters.items()
        if columns is not None
    }
    assert rows["hreflang"] == ["product/20", "product/21"]
    assert rows["dead_ends"] == ["product/17", "product/18"]
    assert rows["near_duplicates"] == ["care/print"]
    for name in ("wrong_dates_in_sitemap", "missing_from_sitemap"):
        assert len(rows[name]) == PLANTED[name]
    assert "product/30" not in rows["wrong_dates_in_sitemap"]  # the first that is not in it


def test_wrong_dates_are_among_the_first_five_with_an_example(audited: Crawl) -> None:
    first = audited.report["priorities"][:5]
    (sentence,) = [fix["sentence"] for fix in first if fix["id"] == "wrong_dates_in_sitemap"]
    assert "2026-03-04T05:06:07+00:00" in sentence


def test_the_first_numbers_add_up(audited: Crawl) -> None:
    headline = audited.report["headline"]
    (sentence,) = [
        fix["sentence"]
        for fix in audited.report["priorities"]
        if fix["id"] == "missing_from_sitemap"
    ]
    assert headline["whole"] - headline["part"] == PLANTED["missing_from_sitemap"] + 1
    assert sentence.endswith("add them (1 further is nearly the same as another page).")


def test_columns_for_spreadsheets(audited: Crawl) -> None:
    rows = {path.partition("//")[2].partition("/")[2]: row for path, row in audited.urls.items()}
    moved, shown, gone = rows["moved/1"], rows["product/1"], rows["sold-out/1"]
    assert moved["redirect_target"].endswith("/product/1")
    assert (moved["kind"], shown["kind"]) == ("/moved/*", "/product/*")
    assert gone["title_length"] == ""
    assert shown["title_length"] == str(len("Product 1"))
    assert 80 < int(shown["title_pixels"]) < 100
    assert {path for path, row in rows.items() if row["seconds"]} == {"found/11"}
    large = [row["url"] for row in audited.report["speed"]["large"]["examples"]]
    assert {row["url"]: int(row["bytes"]) >= LARGE for row in rows.values() if row["bytes"]} == (
        dict.fromkeys(large, True)
    )
    filters = {fix["id"]: fix["filter"] for fix in audited.report["priorities"]}
    assert filters["slow_pages"] == {"seconds": [">0"]}
    assert filters["large_pages"] == {"bytes": [f">{LARGE - 1}"]}


@pytest.mark.full
def test_the_first_two_screens_name_them(audited: Crawl, show_report: ShowReport) -> None:
    sentences = {
        fix["id"]: fix["sentence"]
        for fix in audited.report["priorities"]
        if fix["id"] in PLANTED and fix["severity"] != "notice"
    }
    assert len(sentences) == 18
    tab = show_report(audited.files["report.html"]).go(folded=True).page
    below = {}
    for name, sentence in sentences.items():
        place = tab.locator("main").get_by_text(sentence).first.bounding_box()
        bottom = place["y"] + place["height"] if place else None
        if bottom is None or bottom > 2 * HEIGHT:
            below[name] = bottom
    assert not below
    height = tab.evaluate("document.documentElement.scrollHeight")
    assert height <= MOST, "folded by topic"
