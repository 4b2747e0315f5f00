"""Values of sitemap entries that break a rule, from a store."""

from datetime import datetime, timezone

from sitemapgen.core.urls import key
from sitemapgen.items import Link, SitemapEntry, SitemapFile
from sitemapgen.report.sections.site_sitemaps import invalid_values
from tests.store.helpers import NOW, Open, begin, url

FILE = url("sitemap.xml")
ENTRIES = [
    SitemapEntry(url("a"), "2024-05", "daily", "0.5"),
    SitemapEntry(url("b"), "2024-05", "Daily", "2"),
    SitemapEntry(url("c"), "2023-05-01", "", ""),
    SitemapEntry(url("d"), "2024-13-01T00:00:00Z", "", "high"),
    SitemapEntry(url("e"), "2030-01-01", "", "1.0"),
]


def test_values_that_break_a_rule(opened: Open) -> None:
    store = begin(opened())
    links = [Link(url=entry.url, key=key(entry.url)) for entry in ENTRIES]
    for name, kind in ((FILE, "urlset"), (url("feed"), "rss")):  # a feed has dates of its own
        store.record_sitemap(
            SitemapFile(url=name, found="robots", format=kind, entries=tuple(zip(ENTRIES, links))),
            NOW,
        )
    found = invalid_values(store.sitemaps, datetime.fromtimestamp(NOW, timezone.utc))
    places = {
        row["rule"]: (row["severity"], row["count"], [each["url"] for each in row["examples"]])
        for row in found
    }
    assert places == {
        "lastmod_format": ("error", 3, [url("a"), url("b"), url("d")]),
        "changefreq_value": ("error", 1, [url("b")]),
        "priority_value": ("error", 2, [url("b"), url("d")]),
        "lastmod_future": ("warning", 1, [url("e")]),
    }
    assert found[0]["examples"][0] == {
        **{"url": url("a"), "file": FILE},
        "sentence": '"2024-05" has no day; the schema requires one',
    }
    later = datetime(2030, 1, 2, tzinfo=timezone.utc)
    assert "lastmod_future" not in {row["rule"] for row in invalid_values(store.sitemaps, later)}
