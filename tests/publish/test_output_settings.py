"""Settings of the published files: priority and changefreq by pattern."""

import re
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.options import OutputSettings
from sitemapgen.publish.sitemaps import Listed
from tests.helpers.sitemaps import SITE, assert_valid, content, publish
from tests.helpers.tables import for_each

PAGES = [
    Listed(f"{SITE}{path}", "", 1, changefreq="yearly")
    for path in ("about", "blog/1", "blog/news/1", "shop?a=1")
]


def of(**settings: Any) -> OutputSettings:
    names = ("SITEMAPGEN_PRIORITY", "SITEMAPGEN_CHANGEFREQ", "SITEMAPGEN_HTML_TEMPLATE")
    return OutputSettings.of(Settings({**dict.fromkeys(names, ""), **settings}))


def published(directory: Path, settings: OutputSettings, **options: Any) -> dict[str, Any]:
    """(changefreq, priority) of each path; None for what an entry does not have."""
    publish(directory, PAGES, settings=settings, **options)
    assert_valid(directory)
    text = content(directory / "sitemap.xml").decode()
    found = {}
    for entry in text.split("<url>")[1:]:
        path = re.search(f"<loc>{SITE}(.*)</loc>", entry)
        values = [re.search(f"<{name}>(.*)</", entry) for name in ("changefreq", "priority")]
        assert path
        found[path[1]] = tuple(value and value[1] for value in values)
    return found


def test_the_first_pattern_precedes_the_argument(tmp_path: Path) -> None:
    settings = of(
        SITEMAPGEN_PRIORITY={"/blog/news/*": 1, "/blog/*": 0.85, "*?a=1": "0"},
        SITEMAPGEN_CHANGEFREQ='{"/blog/news/*, /about": "daily"}',
    )
    assert published(tmp_path, settings, priority="depth") == {
        "about": ("daily", "0.9"),
        "blog/1": ("yearly", "0.85"),
        "blog/news/1": ("daily", "1.0"),
        "shop?a=1": ("yearly", "0.0"),
    }


def test_with_no_other_priority_only_what_matches_has_one(tmp_path: Path) -> None:
    found = published(tmp_path, of(SITEMAPGEN_PRIORITY={"/blog/*": 0.5}), priority="none")
    assert {path: value for path, (_, value) in found.items()} == {
        "about": None,
        "blog/1": "0.5",
        "blog/news/1": "0.5",
        "shop?a=1": None,
    }


@for_each(
    ("PRIORITY", {"/a": 1.5}, "1.5, the value of /a, is no priority; use a number from 0 to 1"),
    ("PRIORITY", {"/a": "high"}, "'high', the value of /a, is no priority"),
    ("PRIORITY", {"/a": "nan"}, "'nan', the value of /a, is no priority"),
    ("PRIORITY", {"/a": True}, "True, the value of /a, is no priority"),
    ("PRIORITY", {"/a": None}, "None, the value of /a, is no priority"),
    ("PRIORITY", {" , ": 1}, "' , ' is no pattern; write it like {\"/blog/*\": 0.8}"),
    ("PRIORITY", {3: 1}, "3 is no pattern"),
    ("PRIORITY", "/blog/*=0.8", "'/blog/*=0.8' is no table of patterns and values; write it"),
    ("PRIORITY", "[1]", "'[1]' is no table of patterns and values"),
    ("PRIORITY", 7, "7 is no table of patterns and values"),
    ("CHANGEFREQ", {"/a": "often"}, "'often', the value of /a, is no changefreq; use one of al"),
    ("CHANGEFREQ", {"/a": ["daily"]}, "['daily'], the value of /a, is no changefreq"),
)
def test_bad_values_are_refused(name: str, value: object, fault: str) -> None:
    with pytest.raises(CrawlError) as caught:
        of(**{f"SITEMAPGEN_{name}": value})
    assert caught.value.exit_code is Exit.ARGUMENTS
    assert caught.value.sentence.startswith(f"SITEMAPGEN_{name}: {fault}")
