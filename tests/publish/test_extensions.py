"""Extensions as XML: valid by Google's schemas, whatever the pages say; news in their own part."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sitemapgen.core.document.extensions import is_recent
from sitemapgen.core.document.texts import line
from sitemapgen.core.sitemap_files.findings import Findings
from sitemapgen.core.sitemap_files.validate import check_file
from sitemapgen.items import Video
from sitemapgen.publish.existing import own_entries
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.formats import alternates_xml, images_xml, news_xml, videos_xml
from sitemapgen.publish.sitemaps import NEWS_URLS, Listed
from tests.helpers.sitemaps import (
    ARTICLE,
    HARD_TEXT,
    NS,
    SITE,
    assert_valid_with_extensions,
    content,
    names,
    pages,
    publish,
    urls,
)
from tests.helpers.tables import for_each

KINDS = frozenset({"hreflang", "images", "videos", "news"})
NOW = datetime(2026, 11, 21, 12, tzinfo=timezone.utc)
VIDEO = Video(
    title=HARD_TEXT,
    thumbnail=f"{SITE}t.jpg?a=1&b=2",
    content=f"{SITE}f.mp4",
    player="https://player.example/1?a&b",
    description=HARD_TEXT,
    duration=28_800,
    published="2024-05-01T10:00:00Z",
)
RICH = (
    alternates_xml([("de", f"{SITE}de?a&b"), ("zh-Hant-HK", SITE), ("x-default", SITE)])
    + images_xml([f"{SITE}a.png?x=1&y=2", "https://cdn.example/b.png"])
    + videos_xml([VIDEO, VIDEO._replace(player="", duration=0, published="")])
)


def faults(body: bytes) -> list[str]:
    """What ``scrapy validate`` says of a file."""
    findings = Findings()
    check_file(body, findings, name="sitemap.xml", now=NOW)
    return [rule.word for rule, _, _ in findings.groups()]


@pytest.mark.parametrize("gzip", [False, True])
@pytest.mark.parametrize("stylesheet", ["none", "xsl", "css"])
def test_every_extension_is_valid(tmp_path: Path, gzip: bool, stylesheet: str) -> None:
    listed = [
        Listed(SITE, "2024-05-01T10:00:00Z", 0, 0.0, extensions=RICH),
        Listed(f"{SITE}a", "", 1),
        Listed(f"{SITE}b", "", 1, 0.0, extensions=images_xml([f"{SITE}b.png"])),
    ]
    news = [Listed(f"{SITE}a", "", 1, 0.0, extensions=news_xml(ARTICLE))]
    publish(tmp_path, listed, extensions=KINDS, gzip=gzip, stylesheet=stylesheet, news=news)
    suffix = ".xml.gz" if gzip else ".xml"
    assert names(tmp_path) == sorted([f"sitemap-1{suffix}", f"sitemap-google-news{suffix}", ENTRY])
    assert_valid_with_extensions(tmp_path)
    assert urls(tmp_path) == [SITE, f"{SITE}a", f"{SITE}b", f"{SITE}a"]
    for path in tmp_path.iterdir():
        body = content(path)
        assert faults(body) == []
        assert body.count(b"<?xml-stylesheet") == {"none": 0, "css": 1, "xsl": 2}[stylesheet]
        if path.name != ENTRY:
            own = own_entries(body)
            assert own is not None  # ten times faster than reading it as any sitemap
            assert list(own[0]) == [loc.text for loc in etree.fromstring(body).iter(f"{NS}loc")]


def test_a_namespace_is_declared_where_it_may_be_used(tmp_path: Path) -> None:
    publish(tmp_path, pages(2), extensions=frozenset({"images"}))
    head = (tmp_path / ENTRY).read_text().splitlines()[1]
    assert "sitemap-image/1.1" in head
    assert head.count("xmlns") == 2


@given(
    text=st.text(min_size=1).map(line).filter(bool),
    path=st.text(alphabet="ab%20&'\"<>;=?ü", max_size=20),
)
@settings(max_examples=60, deadline=None)
def test_whatever_a_page_says_comes_back(text: str, path: str) -> None:
    url = f"{SITE}{path}"
    xml = (
        '<x xmlns:image="i" xmlns:video="v" xmlns:news="n" xmlns:xhtml="h">'
        + images_xml([url])
        + videos_xml([VIDEO._replace(title=text, content=url)])
        + news_xml(ARTICLE._replace(publication=text, title=text))
        + alternates_xml([("en", url)])
        + "</x>"
    )
    root = etree.fromstring(xml.encode())
    said = ["".join(each.itertext()) for each in root.iter("{v}title", "{n}name", "{n}title")]
    assert said == [text, text, text]
    where = [each.text for each in root.iter("{i}loc", "{v}content_loc")]
    assert where == [url, url]
    (link,) = root.iter("{h}link")
    assert link.get("href") == url


# News


@for_each(
    ("2026-11-21T12:00:00Z", True),
    ("2026-11-21T12:04:00Z", True),
    ("2026-11-21T13:00:00Z", False),  # not published yet
    ("2026-11-19T12:00:01Z", True),
    ("2026-11-19T12:00:00Z", False),
    ("2026-11-21", True),
    ("2026-11-19", True),  # it may have been late that day
    ("2026-11-18", False),
    ("2026-11-22", False),
    ("soon", False),
)
def test_news_are_of_the_last_two_days(date: str, recent: bool) -> None:
    assert is_recent(date, NOW) == recent


def test_a_part_for_news_has_a_thousand_urls(tmp_path: Path) -> None:
    listed = pages(NEWS_URLS + 1)
    news = [Listed(page.url, "", 0, 0.0, extensions=news_xml(ARTICLE)) for page in listed]
    written = publish(tmp_path, listed, extensions=KINDS, news=news)
    assert written.names == (
        *("sitemap-1.xml", "sitemap-google-news.xml", "sitemap-google-news-2.xml", ENTRY),
    )
    assert len(urls(tmp_path)) == 2 * (NEWS_URLS + 1)
    assert_valid_with_extensions(tmp_path)
    for path in tmp_path.iterdir():
        assert faults(path.read_bytes()) == []
    fewer = publish(tmp_path, listed, extensions=KINDS, news=news[:-1])
    assert fewer.stale == ("sitemap-google-news-2.xml",)
    none = publish(tmp_path, listed, extensions=KINDS)
    assert none.stale == ("sitemap-google-news.xml",)
    assert names(tmp_path) == ["sitemap-1.xml", ENTRY]


def test_validate_knows_the_limit_of_news() -> None:
    entry = f"<url><loc>{SITE}a%d</loc>{news_xml(ARTICLE)}</url>"
    head = (
        f'<urlset xmlns="{NS[1:-1]}" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">'
    )
    body = head + "".join(entry % number for number in range(NEWS_URLS + 1)) + "</urlset>"
    assert faults(body.encode()) == ["extension_content"]


def test_the_latest_pages_of_a_layout_are_another_part(tmp_path: Path) -> None:
    moment = NOW - timedelta(hours=1)
    listed = [Listed(f"{SITE}a", moment.strftime("%Y-%m-%dT%H:%M:%SZ"), 1)]
    news = [Listed(f"{SITE}a", "", 1, 0.0, extensions=news_xml(ARTICLE))]
    now = int(NOW.timestamp())
    for _ in range(2):
        written = publish(tmp_path, listed, now=now, extensions=KINDS, news=news, layout="recency")
        assert written.names == ("sitemap-news.xml", "sitemap-google-news.xml", ENTRY)
    assert_valid_with_extensions(tmp_path)


def test_a_file_of_another_program_stays(tmp_path: Path) -> None:
    (tmp_path / "sitemap-google-news.xml").write_text("<urlset/>")
    (tmp_path / "sitemap.html").write_text("<title>Ours since 1999</title>")
    publish(tmp_path, pages(2))
    assert "sitemap-google-news.xml" in names(tmp_path)
    assert "sitemap.html" in names(tmp_path)
