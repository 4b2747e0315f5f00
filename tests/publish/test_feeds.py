"""The feeds: what changed last, by dates that are the pages' own, as feed readers read them."""

from datetime import datetime, timezone

import pytest
from lxml import etree

from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.publish.feeds import ENTRIES, FORMATS, latest_changes
from sitemapgen.store.results import TitledRow
from tests.helpers.tables import for_each

feedparser = pytest.importorskip("feedparser")

SITE = "https://example.com/"
HOSTILE = "Title </title></script><script>alert(1)</script> & \"'\r\n\x00\x1b\u202e\ud800ü"


def rows(count: int) -> list[TitledRow]:
    return [
        TitledRow(f"{SITE}{n:03d}?a=1&b=2", f"Page {n}", f"2024-05-01T10:0{n // 60}:{n % 60:02d}Z")
        for n in range(count)
    ]


def feed(form: str, listed: list[TitledRow]) -> bytes:
    return FORMATS[form][1](
        latest_changes(listed), SITE, "The <site> & co", f"{SITE}sitemap.{form}"
    )


@for_each(*FORMATS)
def test_what_a_reader_reads(form: str) -> None:
    body = feed(form, rows(ENTRIES + 50))
    parsed = feedparser.parse(body)
    assert not parsed.bozo, parsed.bozo_exception
    assert parsed.version == {"rss": "rss20", "atom": "atom10"}[form]
    assert parsed.feed.link == SITE
    assert len(parsed.entries) == ENTRIES
    newest = parsed.entries[0]
    assert newest.link == newest.id == f"{SITE}149?a=1&b=2"
    assert newest.title == "Page 149"
    date = {"rss": "published_parsed", "atom": "updated_parsed"}[form]
    assert newest[date][:6] == (2024, 5, 1, 10, 2, 29)
    stamps = [entry[date] for entry in parsed.entries]
    assert stamps == sorted(stamps, reverse=True)
    assert parsed.feed.updated_parsed == stamps[0]  # not the clock's


@for_each(*FORMATS)
def test_search_engines_read_them_as_sitemaps(form: str) -> None:
    entries = read_sitemap(feed(form, rows(3))).entries
    assert [entry.url for entry in entries] == [f"{SITE}00{n}?a=1&b=2" for n in (2, 1, 0)]


@for_each(*FORMATS)
def test_a_title_is_a_text_and_nothing_else(form: str) -> None:
    body = feed(form, [TitledRow(SITE, HOSTILE, "2024-05-01")])
    titles = [element.text for element in etree.fromstring(body).iter("{*}title")]
    assert titles[1] == "Title </title></script><script>alert(1)</script> & \"' ü"
    assert b"<script" not in body
    assert b"\r" not in body


def test_dates_compare_as_moments_and_equal_ones_by_url() -> None:
    listed = [
        TitledRow(f"{SITE}a", "", "2024-05-01T10:00:00+02:00"),
        TitledRow(f"{SITE}b", "", "2024-05-01T09:00:00Z"),
        TitledRow(f"{SITE}d", "", "2024-05-01"),
        TitledRow(f"{SITE}c", "", "2024-05-01T00:00:00Z"),
        TitledRow(f"{SITE}no-date", "", ""),
    ]
    changes = latest_changes(listed)
    assert [change.url[-1] for change in changes] == ["b", "a", "c", "d"]
    assert changes[1].changed == datetime(2024, 5, 1, 8, tzinfo=timezone.utc)
    assert changes[0].title == f"{SITE}b"  # without a title, the URL


def test_no_dates_no_feed() -> None:
    assert latest_changes([TitledRow(SITE, "Title", "")]) == []
