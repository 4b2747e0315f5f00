"""Which sitemap files may be read, and what in them is the site's own?"""

from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.robots import Robots
from sitemapgen.core.sitemap_files.discover import (
    EXAMPLES,
    Named,
    allowed_location,
    join_faults,
    sort_entries,
)
from sitemapgen.core.sitemap_files.read import Sitemap
from sitemapgen.core.urls import Patterns, Site
from sitemapgen.items import Extensions, News, SitemapCounts, SitemapEntry, Video
from tests.helpers.tables import for_each

START = "https://e.example/en/"
INDEX = "https://e.example/index.xml"
CDN = "https://cdn.example/e/index.xml"
BUCKET = "https://bucket.example/e.xml"
PRIVATE = "http://10.0.0.1/e.xml"

NAMED = Named(START, [CDN, PRIVATE, "/relative.xml", "https://[", INDEX], [BUCKET, INDEX])


def test_who_names_a_file() -> None:
    assert list(NAMED.files.items()) == [
        (CDN, "robots"),
        (PRIVATE, "robots"),
        ("https://e.example/relative.xml", "robots"),
        (INDEX, "robots"),
        (BUCKET, "argument"),
    ]


@for_each(
    ("https://e.example/a.xml", INDEX, True),
    ("http://www.e.example/a.xml", INDEX, True),
    (CDN, INDEX, True),
    (BUCKET, INDEX, True),
    ("https://cdn.example/e/1.xml", CDN, True),
    ("https://cdn.example/somewhere/else.xml", CDN, True),
    ("https://e.example/a.xml", CDN, True),
    ("https://cdn.example/e/1.xml", INDEX, False),
    ("http://cdn.example/e/1.xml", CDN, False),
    ("https://cdn.example:8443/e/1.xml", CDN, False),
    ("https://bucket.example/other.xml", CDN, False),
    ("https://e.example.evil.example/a.xml", INDEX, False),
    (PRIVATE, INDEX, False),
    ("http://127.0.0.1/a.xml", CDN, False),
)
def test_which_files_a_file_may_lead_to(url: str, near: str, may: bool) -> None:
    assert (NAMED.refusal(url, near) == "") is may


def test_only_the_user_may_lead_a_public_site_to_a_private_address() -> None:
    assert NAMED.intrusion(PRIVATE)
    assert NAMED.refusal(PRIVATE, INDEX) == NAMED.intrusion(PRIVATE)
    assert not Named(START, [], [PRIVATE]).refusal(PRIVATE, INDEX)
    assert not Named("http://localhost/", [PRIVATE], []).intrusion(PRIVATE)


@for_each(
    ("https://e.example/sitemap.xml", False, "https://e.example/"),
    ("https://e.example/a/sitemap.xml?of=/b/", False, "https://e.example/a/"),
    ("https://e.example/a/sitemap.xml", True, "https://e.example/"),
    ("https://www.e.example/a/sitemap.xml", False, "https://e.example/a/"),
    ("http://e.example/sitemap.xml", False, "http://e.example/"),
    ("https://cdn.example/e/1.xml", True, "https://e.example/"),
    ("https://cdn.example/e/1.xml", False, "https://cdn.example/e/"),
)
def test_what_a_file_may_list(url: str, is_vouched_for: bool, location: str) -> None:
    site = Site(origin="https://e.example", merge_www=True)
    assert allowed_location(url, site, is_vouched_for=is_vouched_for) == location


def reader() -> LinkReader:
    site = Site(origin="https://e.example", directory="/en/")
    rules = Rules(site=site, robots=Robots(), include=Patterns(""), exclude=Patterns(""))
    return LinkReader(rules)


def test_entries_are_sorted_by_whose_they_are() -> None:
    said = Extensions(images=("x",), videos=(Video(),), news=News(), alternates=(("de", "x"),))
    entries = (
        SitemapEntry("relative", "2024-05-01", "daily", "0.5", said),
        SitemapEntry("https://e.example/a/x?utm_id=1", "yesterday", extensions=said),
        SitemapEntry("https://e.example/b", extensions=Extensions(images=("x",))),
        SitemapEntry("https://www.e.example/a/"),
        SitemapEntry("http://e.example/a/"),
        SitemapEntry("https://["),
        SitemapEntry("mailto:me@e.example"),
    )
    counts, kept, examples = sort_entries(
        Sitemap(format="urlset", entries=entries),
        base="https://e.example/a/s.xml",
        location="https://e.example/a/",
        reader=reader(),
    )
    assert [(entry, link.url) for entry, link in kept] == [
        (entries[0], "https://e.example/a/relative"),
        (entries[1], "https://e.example/a/x"),
        (entries[2], "https://e.example/b"),
    ]
    assert {link.refusal and link.refusal.evidence for _, link in kept} == {"outside /en/"}
    assert examples == ("https://www.e.example/a/", "http://e.example/a/")
    assert counts == SitemapCounts(
        entries=7,
        malformed=2,
        offsite=2,
        outside_location=1,
        with_lastmod=2,
        with_changefreq=1,
        with_priority=1,
        with_images=3,
        with_video=2,
        with_news=2,
        with_hreflang=2,
    )
    assert join_faults("too long", counts, "https://e.example/a/") == (
        "too long; 2 entries are no http(s) URL; 1 URL is not under "
        "https://e.example/a/, where the file stands; only robots.txt could allow it"
    )


def test_entries_of_another_site_cost_a_few_examples() -> None:
    entries = tuple(SitemapEntry(f"https://o.example/{'x' * 999}{n}") for n in range(1_000))
    counts, kept, examples = sort_entries(
        Sitemap(format="text", entries=entries), base=INDEX, location="", reader=reader()
    )
    assert (counts.offsite, kept, len(examples)) == (1_000, (), EXAMPLES)
    assert sum(map(len, examples)) <= 1_000
    assert join_faults("", counts, "") == ""
