"""The sitemap files: valid by the official XSDs, within the limits, stable, complete."""

import json
import re
import tempfile
import textwrap
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapgen.analysis.freshness.rates import INTERVALS
from sitemapgen.errors import CrawlError
from sitemapgen.params import FormatName
from sitemapgen.publish.existing import own_entries
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.formats import FORMATS
from sitemapgen.publish.options import Options
from sitemapgen.publish.sitemaps import FileLimits, Listed, NothingListed, Written
from tests.helpers.sitemaps import (
    EVERY,
    NS,
    SITE,
    assert_valid,
    content,
    entry_point,
    locs,
    names,
    pages,
    publish,
    state,
    urls,
)
from tests.helpers.tables import for_each

# --- what is in a file


def test_a_small_site_is_one_urlset(tmp_path: Path) -> None:
    listed = [Listed(SITE, "2024-05-01T10:00:00Z", 0), Listed(f"{SITE}a", "", 1)]
    assert publish(tmp_path, listed) == Written(count=2, names=(ENTRY,), stale=())
    assert (tmp_path / ENTRY).read_text() == textwrap.dedent("""\
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
          <url>
            <loc>https://example.com/</loc>
            <lastmod>2024-05-01T10:00:00Z</lastmod>
            <priority>1.0</priority>
          </url>
          <url>
            <loc>https://example.com/a</loc>
            <priority>0.9</priority>
          </url>
        </urlset>
        """)
    assert names(tmp_path) == [ENTRY]
    assert_valid(tmp_path)


def test_changefreq_stands_where_the_schema_wants_it(tmp_path: Path) -> None:
    listed = [Listed(SITE, "2024-05-01", 0, changefreq="daily"), Listed(f"{SITE}a", "", 1)]
    publish(tmp_path, listed, formats=EVERY)
    text = (tmp_path / ENTRY).read_text()
    assert "</lastmod>\n    <changefreq>daily</changefreq>\n    <priority>1.0" in text
    assert text.count("changefreq") == 2
    first, second = json.loads((tmp_path / "sitemap.json").read_text())
    assert (first["changefreq"], "changefreq" in second) == ("daily", False)
    assert_valid(tmp_path)
    assert own_entries(text.encode()) == ([SITE, f"{SITE}a"], ["2024-05-01", ""])


@for_each(
    *enumerate(("1.0", "0.9", "0.8", "0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1")),
    *[(10, "0.1"), (11, "0.1"), (10_000, "0.1")],
)
def test_priority_by_depth(depth: int, priority: str, tmp_path: Path) -> None:
    publish(tmp_path, [Listed(SITE, "", depth)], formats=EVERY)
    assert f"<priority>{priority}</priority>" in (tmp_path / ENTRY).read_text()
    assert f'"priority": {priority}}}' in (tmp_path / "sitemap.json").read_text()
    assert_valid(tmp_path)


@for_each((0, 0.0, "1.0"), (1, 0.9, "1.0"), (1, 0.85, "0.9"), (9, 0.5, "0.6"), (1, 0.05, "0.1"))
def test_priority_by_pagerank(depth: int, rank: float, priority: str, tmp_path: Path) -> None:
    steps = [number / 10 for number in range(1, 10)]
    listed = [Listed(SITE, "", depth, rank)]
    publish(tmp_path, listed, formats=EVERY, priority="pagerank", steps=steps)
    assert f"<priority>{priority}</priority>" in (tmp_path / ENTRY).read_text()
    assert f'"priority": {priority}}}' in (tmp_path / "sitemap.json").read_text()


def test_no_priority(tmp_path: Path) -> None:
    publish(tmp_path, pages(3), formats=EVERY, priority="none")
    assert "priority" not in (tmp_path / ENTRY).read_text()
    assert "priority" not in (tmp_path / "sitemap.json").read_text()
    assert_valid(tmp_path)


@for_each(
    (f"{SITE}?a=1&b=2", f"{SITE}?a=1&amp;b=2"),
    (f"{SITE}?a=1&amp;b=2", f"{SITE}?a=1&amp;amp;b=2"),
    (f"{SITE}<b>", f"{SITE}&lt;b&gt;"),
    (f"{SITE}it's", f"{SITE}it&apos;s"),
    (f'{SITE}"x"', f"{SITE}&quot;x&quot;"),
    (f"{SITE}]]>", f"{SITE}]]&gt;"),
    (f"{SITE}caf%C3%A9", f"{SITE}caf%C3%A9"),
    (f"{SITE}café/日本/🙂", f"{SITE}café/日本/🙂"),
)
def test_escaping(url: str, loc: str, tmp_path: Path) -> None:
    publish(tmp_path, [Listed(url, "", 0)], formats=EVERY)
    assert f"<loc>{loc}</loc>" in (tmp_path / ENTRY).read_text(encoding="utf-8")
    assert urls(tmp_path) == [url]
    assert (tmp_path / "sitemap.txt").read_text(encoding="utf-8") == f"{url}\n"
    assert json.loads((tmp_path / "sitemap.json").read_bytes())[0]["loc"] == url


def test_escaped_urls_are_valid(tmp_path: Path) -> None:
    publish(tmp_path, [Listed(f"{SITE}?a=1&b='2'", "2024-05-01T10:00:00+02:00", 3)])
    assert_valid(tmp_path)


@for_each(
    "",
    "http://a.bc",  # 11 characters
    SITE + "x" * 2029,  # 2,049
    "ftp://example.com/",
    "javascript:alert(1)",
    "//example.com/page",
    "/only/a/path/here",
    f" {SITE}",
    *(f"{SITE}{character}x" for character in "\0\b\t\n\r\x1f \x7f\x85\xa0\u2028\ud800\udfff"),
    f"{SITE}\ufffe",
    f"{SITE}\uffff",
    f"{SITE}\n",
)
@for_each(0, 1)
def test_impossible_urls_are_refused_by_name(position: int, url: str, tmp_path: Path) -> None:
    publish(tmp_path, pages(1))
    before = state(tmp_path)
    listed = pages(2)
    listed.insert(position, Listed(url, "", 0))
    with pytest.raises(ValueError, match=re.escape(repr(url))):
        publish(tmp_path, listed)
    assert state(tmp_path) == before


@pytest.mark.parametrize("url", ["http://a.b/c", "https://a.b/", SITE + "x" * 2028])
def test_urls_of_the_least_and_the_greatest_length(tmp_path: Path, url: str) -> None:
    assert len(url) in (12, 2048)
    publish(tmp_path, [Listed(url, "", 0)])
    assert urls(tmp_path) == [url]
    assert_valid(tmp_path)


@for_each(
    *("2024", "2024-05", "yesterday", "2024-05-01T10:00Z", "2024-05-01\n", "</lastmod>"),
    "\u0662024-05-01",  # an Arabic digit
)
def test_impossible_lastmods_are_refused_by_name(lastmod: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(lastmod))):
        publish(tmp_path, [Listed(SITE, lastmod, 0)])


@for_each(
    "2024-05-01", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00.25Z"
)
def test_lastmods_are_written_as_they_are(lastmod: str, tmp_path: Path) -> None:
    publish(tmp_path, [Listed(SITE, lastmod, 0)], formats=EVERY)
    assert entry_point(tmp_path).findtext(f"*/{NS}lastmod") == lastmod
    assert json.loads((tmp_path / "sitemap.json").read_bytes())[0]["lastmod"] == lastmod
    assert_valid(tmp_path)


def test_json_is_one_object_a_line(tmp_path: Path) -> None:
    publish(tmp_path, [Listed(SITE, "2024-05-01", 7), Listed(f"{SITE}a", "", 1)], formats=EVERY)
    assert (tmp_path / "sitemap.json").read_text() == textwrap.dedent("""\
        [
        {"loc": "https://example.com/", "lastmod": "2024-05-01", "priority": 0.3},
        {"loc": "https://example.com/a", "priority": 0.9}
        ]
        """)


def test_only_the_formats_asked_for_and_xml(tmp_path: Path) -> None:
    written = publish(tmp_path, pages(1), formats=frozenset({"json"}))
    assert written.names == ("sitemap.json", ENTRY)
    assert names(tmp_path) == ["sitemap.json", "sitemap.xml"]


def test_the_argument_takes_every_format() -> None:
    assert FORMATS.keys() <= {*get_args(FormatName)}


@for_each(
    ({"base_url": "https://example.com"}, "with a slash at the end"),
    ({"base_url": "/sitemaps/"}, "not a folder on the web"),
)
def test_bad_options(options: dict, sentence: str) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        Options(**({"base_url": SITE} | options))


# --- the limits


@pytest.mark.parametrize(
    ("count", "parts"), [(1, 0), (10, 0), (11, 2), (20, 2), (21, 3), (100, 10)]
)
def test_a_part_holds_so_many_urls(tmp_path: Path, count: int, parts: int) -> None:
    written = publish(tmp_path, pages(count), limits=FileLimits(urls=10), formats=EVERY)
    numbers = range(1, parts + 1)
    xml, txt = ([f"sitemap-{n}.{end}" for n in numbers] for end in ("xml", "txt"))
    if parts == 0:
        txt = ["sitemap.txt"]
    names_in_order = (*xml, "sitemap.json", *txt, ENTRY)
    assert written == Written(count=count, names=names_in_order, stale=())
    assert sorted(written.names) == names(tmp_path)
    assert urls(tmp_path) == [page.url for page in pages(count)]
    assert "".join((tmp_path / name).read_text() for name in txt).split() == urls(tmp_path)
    assert len(json.loads((tmp_path / "sitemap.json").read_bytes())) == count
    assert_valid(tmp_path)


def test_fifty_thousand_urls_are_one_part(tmp_path: Path) -> None:
    assert publish(tmp_path, pages(50_000)).names == (ENTRY,)
    assert publish(tmp_path, pages(50_001)).names == ("sitemap-1.xml", "sitemap-2.xml", ENTRY)
    assert len(locs(content(tmp_path / "sitemap-1.xml"))) == 50_000
    assert_valid(tmp_path)


@pytest.mark.parametrize("gz", [False, True])
def test_a_part_is_as_full_as_its_bytes_allow(tmp_path: Path, gz: bool) -> None:
    limits = FileLimits(bytes=20_000)
    listed = [Listed(f"{SITE}é{n:04d}&" + "y" * (n % 40), "", 1) for n in range(1000)]
    written = publish(tmp_path, listed, limits=limits, gzip=gz, formats=EVERY)
    parts = [content(tmp_path / name) for name in written.names if ".xml" in name][:-1]
    assert len(parts) > 5
    assert all(len(part) <= 20_000 for part in parts)
    for part, following in pairwise(parts):
        one_more = re.search(rb"  <url>.*?</url>\n", following, re.DOTALL)
        assert one_more is not None
        assert len(part) + len(one_more[0]) > 20_000
    texts = [name for name in written.names if name.endswith(".txt")]
    assert len(texts) > 1
    assert all((tmp_path / name).stat().st_size <= 20_000 for name in texts)
    assert urls(tmp_path) == [page.url for page in listed]


def test_the_closing_tag_counts(tmp_path: Path) -> None:
    publish(tmp_path, pages(200))
    exactly = (tmp_path / ENTRY).stat().st_size
    assert exactly > 16_384
    assert len(publish(tmp_path, pages(200), limits=FileLimits(bytes=exactly)).names) == 1
    assert len(publish(tmp_path, pages(200), limits=FileLimits(bytes=exactly - 1)).names) == 3


def test_a_part_must_hold_the_greatest_entry(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="use 16384 or more"):
        FileLimits(bytes=16_383)
    greatest = [Listed(f"{SITE}{n}" + '"' * 2027, "2024-05-01T10:00:00Z", 1) for n in range(3)]
    written = publish(tmp_path, greatest, limits=FileLimits(bytes=16_384))
    assert len(written.names) == 4
    assert all((tmp_path / name).stat().st_size <= 16_384 for name in written.names)


def test_more_parts_than_an_index_may_list(tmp_path: Path) -> None:
    limits = FileLimits(urls=2, parts=3)
    assert publish(tmp_path, pages(6), limits=limits).count == 6
    before = state(tmp_path)
    with pytest.raises(CrawlError, match="need 4 files, and a sitemap index may list 3; leave"):
        publish(tmp_path, pages(7), limits=limits)
    assert state(tmp_path) == before


# --- the index


def test_the_index_names_parts_where_they_are_served(tmp_path: Path) -> None:
    base = "https://cdn.example.net/a&b/"
    publish(tmp_path, pages(3), limits=FileLimits(urls=2), base_url=base)
    assert (tmp_path / ENTRY).read_text() == textwrap.dedent("""\
        <?xml version="1.0" encoding="UTF-8"?>
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
          <sitemap>
            <loc>https://cdn.example.net/a&amp;b/sitemap-1.xml</loc>
            <lastmod>2001-09-09T01:46:40Z</lastmod>
          </sitemap>
          <sitemap>
            <loc>https://cdn.example.net/a&amp;b/sitemap-2.xml</loc>
            <lastmod>2001-09-09T01:46:40Z</lastmod>
          </sitemap>
        </sitemapindex>
        """)
    assert_valid(tmp_path)


def test_an_unchanged_part_keeps_its_lastmod(tmp_path: Path) -> None:
    limits = FileLimits(urls=2)
    publish(tmp_path, pages(6), limits=limits, now=1000)
    first = state(tmp_path)
    changed = pages(6)
    changed[3] = changed[3]._replace(lastmod="2024-06-01")
    publish(tmp_path, changed, limits=limits, now=2000)
    second = state(tmp_path)

    same = [name for name in first if first[name] == second[name]]
    assert sorted(same) == ["sitemap-1.xml", "sitemap-3.xml"]
    assert second["sitemap-2.xml"][1] == 2000 * 10**9
    assert [element.text for element in entry_point(tmp_path).iter(f"{NS}lastmod")] == [
        "1970-01-01T00:16:40Z",
        "1970-01-01T00:33:20Z",
        "1970-01-01T00:16:40Z",
    ]


def test_a_part_dated_in_the_future_is_dated_now(tmp_path: Path) -> None:
    publish(tmp_path, pages(3), limits=FileLimits(urls=2), now=5000)
    publish(tmp_path, pages(3), limits=FileLimits(urls=2), now=1000)
    dates = {element.text for element in entry_point(tmp_path).iter(f"{NS}lastmod")}
    assert dates == {"1970-01-01T00:16:40Z"}


@pytest.mark.parametrize("count", [2, 5])
def test_gzip_keeps_the_entry_point_an_index(tmp_path: Path, count: int) -> None:
    written = publish(tmp_path, pages(count), limits=FileLimits(urls=3), gzip=True)
    assert written.names == (*(f"sitemap-{n + 1}.xml.gz" for n in range((count + 2) // 3)), ENTRY)
    assert entry_point(tmp_path).tag == f"{NS}sitemapindex"
    assert urls(tmp_path) == [page.url for page in pages(count)]
    header = (tmp_path / "sitemap-1.xml.gz").read_bytes()[:8]
    assert header == b"\x1f\x8b\x08\x00" + bytes(4)  # no flags, hence no name; no time
    assert_valid(tmp_path)


# --- replacing an earlier set


@pytest.mark.parametrize("gz", [False, True])
@pytest.mark.parametrize("count", [1, 25])
def test_the_same_again_touches_nothing(tmp_path: Path, gz: bool, count: int) -> None:
    limits = FileLimits(urls=10)
    publish(tmp_path, pages(count), limits=limits, gzip=gz, formats=EVERY, now=1000)
    before = state(tmp_path)
    publish(tmp_path, pages(count), limits=limits, gzip=gz, formats=EVERY, now=2000)
    assert state(tmp_path) == before


SHAPES = [
    {"count": 1},
    {"count": 25},
    {"count": 35},
    {"count": 1, "gzip": True},
    {"count": 25, "gzip": True},
    {"count": 25, "formats": EVERY},
    {"count": 1, "formats": EVERY},
]


def named(shape: dict) -> str:
    """The name of a test must not depend on the order of a set: two processes have to agree."""
    return ",".join(f"{name}={sorted(v) if name == 'formats' else v}" for name, v in shape.items())


@pytest.mark.parametrize("old", SHAPES, ids=named)
@pytest.mark.parametrize("new", SHAPES, ids=named)
def test_files_that_the_new_set_lacks_are_removed(tmp_path: Path, old: dict, new: dict) -> None:
    limits = FileLimits(urls=10)
    before = publish(tmp_path, pages(old["count"]), limits=limits, **_options(old))
    written = publish(tmp_path, pages(new["count"]), limits=limits, **_options(new))
    assert names(tmp_path) == sorted(written.names)
    assert set(written.stale) == set(before.names) - set(written.names)
    assert urls(tmp_path) == [page.url for page in pages(new["count"])]


def _options(shape: dict) -> dict:
    return {name: value for name, value in shape.items() if name != "count"}


def test_files_of_others_stay(tmp_path: Path) -> None:
    theirs = [
        *("sitemap-news.xml", "sitemap-1.xml.bak", "sitemap-01.xml", "sitemap_1.xml"),
        *("my-sitemap.xml", "sitemap.html", "sitemap-1.xml\n"),
        "sitemap-\u0661.xml",  # an Arabic digit
        "robots.txt",
    ]
    for name in theirs:
        (tmp_path / name).write_text("theirs")
    (tmp_path / "sitemap-8.xml").mkdir()
    (tmp_path / "sitemap-9.xml").write_text("ours")
    written = publish(tmp_path, pages(1))
    assert written.stale == ("sitemap-9.xml",)
    assert names(tmp_path) == sorted([*theirs, "sitemap-8.xml", ENTRY])


def test_nothing_listed_leaves_everything(tmp_path: Path) -> None:
    publish(tmp_path, pages(25), limits=FileLimits(urls=10))
    before = state(tmp_path)
    with pytest.raises(NothingListed):
        publish(tmp_path, iter(()))
    assert state(tmp_path) == before


# --- any site


def _utc(moment: datetime) -> str:
    return moment.isoformat() + "Z"


characters = st.characters(
    exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), exclude_characters="\ufffe\uffff"
)
anything = st.builds(
    Listed,
    extensions=st.just(""),
    url=st.text(characters, min_size=4, max_size=60).map(SITE.__add__),
    lastmod=st.one_of(st.just(""), st.dates().map(date.isoformat), st.datetimes().map(_utc)),
    depth=st.integers(0, 30),
    changefreq=st.sampled_from(["", *INTERVALS]),
    priority=st.sampled_from(["", "0.55"]),
)


@pytest.mark.full
@settings(deadline=None, max_examples=60)
@given(
    listed=st.lists(anything, min_size=1, unique_by=lambda page: page.url),
    gz=st.booleans(),
    limit=st.integers(1, 5),
)
def test_what_is_written_reads_back(listed: list[Listed], gz: bool, limit: int) -> None:
    expected = [page.url for page in listed]
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        written = publish(directory, listed, gzip=gz, limits=FileLimits(urls=limit), formats=EVERY)
        texts = [part for part in written.names if part.endswith(".txt")]
        assert urls(directory) == expected
        assert b"".join(map(content, map(directory.joinpath, texts))).decode().split("\n") == [
            *expected,
            "",
        ]
        assert [
            (entry["loc"], entry.get("lastmod", ""))
            for entry in json.loads(content(directory / "sitemap.json"))
        ] == [(page.url, page.lastmod) for page in listed]
