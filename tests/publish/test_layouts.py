"""The files of each layout: valid, complete, disjoint, and the same where nothing changed."""

import gzip
import json
import re
import resource
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import chain
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.analysis import parts
from sitemapgen.analysis.parts import KINDS, UNDATED, Part, epoch_seconds
from sitemapgen.core.urls import key
from sitemapgen.publish.existing import published_files, read_published
from sitemapgen.publish.file_names import (
    ENTRY,
    content_addressed,
    is_bridging,
    is_ours,
    part_of,
    section_label,
    stem,
)
from sitemapgen.publish.files import Staging
from sitemapgen.publish.options import Options
from sitemapgen.publish.replacing import Loss, Publication
from sitemapgen.publish.sitemaps import FileLimits, Listed, Written, write_files
from tests.helpers.sitemaps import (
    EVERY,
    NS,
    SITE,
    assert_valid,
    content,
    entry_point,
    locs,
    names,
    state,
    urls,
)
from tests.helpers.tables import for_each

NOW = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
LAYOUTS = list(KINDS)


def ago(days: float) -> str:
    return (NOW - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")


def site(**changed: str) -> list[Listed]:
    """Two large sections, three small ones and the root; pages of all ages; some without a date."""
    ages = (0, 1, 2.5, 6, 8, 29, 31, 400, None)
    paths = ["", "about", "contact"]
    paths += [f"{section}/{n:03d}" for section in ("blog", "docs") for n in range(120)]
    paths += [f"{section}/{n}" for section in ("x", "y", "z") for n in range(5)]
    return [
        Listed(f"{SITE}{path}", changed.get(path, "" if age is None else ago(age)), 1)
        for path, age in zip(sorted(paths), (ages * 30)[: len(paths)], strict=True)
    ]


def publish(
    directory: Path, listed: list[Listed], now: datetime = NOW, urls: int = 50, **options
) -> Written:
    """Publish as a run does: what is there already is read first."""
    before = read_published(directory, with_dates=True)
    with Staging(directory, int(now.timestamp())) as staging:
        chosen = Options(**({"base_url": SITE} | options))
        written = write_files(listed, staging, chosen, FileLimits(urls=urls), before=before)
        staging.commit(last=ENTRY, stale=written.stale)
    return written


def index(directory: Path) -> dict[str, str]:
    """The lastmod that the index gives each part."""
    return {
        each.findtext(f"{NS}loc").removeprefix(SITE): each.findtext(f"{NS}lastmod")
        for each in entry_point(directory)
    }


def listing(directory: Path) -> dict[str, list[str]]:
    """The paths in each part."""
    return {
        name: [loc.removeprefix(SITE) for loc in locs(content(directory / name))]
        for name in index(directory)
    }


# --- names


@for_each(
    (Part("", 1), "sitemap-1"),
    (Part("", 12), "sitemap-12"),
    (Part("named", 1, "blog"), "sitemap-blog"),
    (Part("named", 2, "blog"), "sitemap-blog-2"),
    (Part("named", 3, "2024-pages"), "sitemap-2024-pages-3"),
    (Part("section", 7), "sitemap-section-7"),
    (Part("mixed", 2), "sitemap-mixed-2"),
    (Part("news", 1), "sitemap-news"),
    (Part("week", 3), "sitemap-week-3"),
    (Part("rest", 1), "sitemap-rest-1"),
    (Part("log", 400), "sitemap-log-400"),
)
def test_names(part: Part, name: str) -> None:
    assert stem(part) == name
    for suffix in (".xml", ".xml.gz", ".txt", ".json"):
        assert part_of(name + suffix) == part
        assert is_ours(name + suffix)


@for_each(
    *("sitemap-news-1.xml", "sitemap-rest.xml", "sitemap-log-01.xml", "sitemap-log-0.xml"),
    *("sitemap-posts-1.xml", "sitemap-.xml", "sitemap-log-1", "sitemap-log-1.xml.bak"),
    *("sitemap-log-1.xml\n", "sitemap-log-\u0661.xml", "news.xml", ""),
)
def test_names_of_others(name: str) -> None:
    assert not is_ours(name)


@for_each(
    ("1970-01-02", 86_400),
    ("1970-01-01T00:00:01Z", 1),
    ("1970-01-01T00:00:01+00:00", 1),
    ("1970-01-01T01:00:01+01:00", 1),
    ("1970-01-01T01:00:01.5+01:00", 1),
    ("1970-02-30T01:00:01+00:00", UNDATED),
    ("1970-01-01T00:00:01.12345", 1),
    ("", UNDATED),
    ("yesterday", UNDATED),
    ("2024-02-30", UNDATED),
)
def test_seconds(lastmod: str, expected: int) -> None:
    assert epoch_seconds(lastmod) == expected


# --- what is in the files


@pytest.mark.parametrize("gz", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_lists_every_url_once(tmp_path: Path, layout: str, gz: bool) -> None:
    written = publish(tmp_path, site(), layout=layout, gzip=gz, formats=EVERY)
    assert written.count == len(site())
    assert sorted(written.names) == names(tmp_path)
    found = list(chain.from_iterable(listing(tmp_path).values()))
    assert sorted(found) == sorted(page.url.removeprefix(SITE) for page in site())
    assert all(listed == sorted(listed) for listed in listing(tmp_path).values())
    assert_valid(tmp_path)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_other_formats_go_with_the_parts(tmp_path: Path, layout: str) -> None:
    publish(tmp_path, site(), layout=layout, formats=EVERY)
    for name, paths in listing(tmp_path).items():
        text = (tmp_path / name.replace(".xml", ".txt")).read_text()
        assert text == "".join(f"{SITE}{path}\n" for path in paths)
    whole = json.loads((tmp_path / "sitemap.json").read_bytes())
    assert [entry["loc"] for entry in whole] == [page.url for page in site()]


def test_a_small_site_by_size_is_one_file(tmp_path: Path) -> None:
    assert publish(tmp_path, site(), urls=1000).names == (ENTRY,)


@pytest.mark.parametrize("layout", LAYOUTS[1:])
def test_every_other_layout_has_an_index(tmp_path: Path, layout: str) -> None:
    written = publish(tmp_path, site()[:1], layout=layout)
    assert len(written.names) == 2
    assert entry_point(tmp_path).tag == f"{NS}sitemapindex"


def test_by_section(tmp_path: Path) -> None:
    publish(tmp_path, site(), layout="section")
    found = {
        name: {path.partition("/")[0] if "/" in path else "" for path in paths}
        for name, paths in listing(tmp_path).items()
    }
    assert found == {
        **{f"sitemap-blog{number}.xml": {"blog"} for number in ("", "-2", "-3")},
        **{f"sitemap-docs{number}.xml": {"docs"} for number in ("", "-2", "-3")},
        "sitemap-mixed-1.xml": {"", "x", "y", "z"},
    }


def test_by_recency(tmp_path: Path) -> None:
    publish(tmp_path, site(), layout="recency")
    dates = {page.url.removeprefix(SITE): page.lastmod for page in site()}
    found = {name: {dates[path] for path in paths} for name, paths in listing(tmp_path).items()}
    assert list(found) == [
        *("sitemap-news.xml", "sitemap-news-2.xml", "sitemap-week.xml", "sitemap-week-2.xml"),
        *("sitemap-month.xml", "sitemap-month-2.xml", "sitemap-rest-1.xml", "sitemap-rest-2.xml"),
    ]
    assert found["sitemap-news.xml"] == {ago(0), ago(1)}
    assert found["sitemap-week.xml"] == {ago(2.5), ago(6)}
    assert found["sitemap-month.xml"] == {ago(8), ago(29)}
    assert found["sitemap-rest-1.xml"] == {ago(31), ago(400), ""}


# --- from run to run


@pytest.mark.parametrize("gz", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_again_touches_nothing(tmp_path: Path, layout: str, gz: bool) -> None:
    publish(tmp_path, site(), layout=layout, gzip=gz, formats=EVERY)
    before = state(tmp_path)
    publish(tmp_path, site(), NOW + timedelta(hours=1), layout=layout, gzip=gz, formats=EVERY)
    assert state(tmp_path) == before


@for_each(False, True)
@for_each(
    # Gone: blog/000. New: blog/000x, docs/new. Later: docs/119.
    ("size", {"sitemap-1.xml", "sitemap-5.xml", "sitemap-6.xml"}),
    ("section", {"sitemap-blog.xml", "sitemap-docs-3.xml"}),
    ("recency", {"sitemap-week.xml", "sitemap-news-2.xml", "sitemap-rest-2.xml"}),
    ("log", {"sitemap-log-1.xml", "sitemap-log-5.xml", "sitemap-log-7.xml"}),
)
def test_only_what_changed_is_another(
    layout: str, changed: set[str], gz: bool, tmp_path: Path
) -> None:
    publish(tmp_path, site(), layout=layout, gzip=gz, formats=EVERY)
    before, index_before = state(tmp_path), index(tmp_path)
    later = NOW + timedelta(hours=1)
    listed = site(**{"docs/119": later.strftime("%Y-%m-%dT%H:%M:%SZ")})
    listed = [page for page in listed if page.url != f"{SITE}blog/000"]
    listed += [Listed(f"{SITE}blog/000x", "", 1), Listed(f"{SITE}docs/new", "", 1)]
    publish(tmp_path, sorted(listed), later, layout=layout, gzip=gz, formats=EVERY)
    after, index_after = state(tmp_path), index(tmp_path)
    ends = ".xml.gz" if gz else ".xml"
    others = {name for name in after if name.endswith(ends) and name != ENTRY}
    found = {name for name in others if after[name] != before.get(name)}
    assert {name.removesuffix(".gz") for name in found} == changed
    assert {name for name in after if index_after.get(name) != index_before.get(name)} == found
    assert {index_after[name] for name in found} == {"2026-03-01T13:00:00Z"}
    assert not before.keys() - after.keys()


def test_without_its_store_a_site_finds_its_parts_again(tmp_path: Path) -> None:
    """A page in the middle of the alphabet has come last; nothing but the files knows."""
    publish(tmp_path, [page for page in site() if page.url != f"{SITE}blog/050"])
    publish(tmp_path, site())
    assert "blog/050" in listing(tmp_path)["sitemap-6.xml"]
    before = state(tmp_path)
    publish(tmp_path, site())
    assert state(tmp_path) == before


def test_one_file_becomes_two(tmp_path: Path) -> None:
    publish(tmp_path, site()[:50])
    assert names(tmp_path) == [ENTRY]
    publish(tmp_path, site()[:51])
    assert [len(paths) for paths in listing(tmp_path).values()] == [50, 1]
    publish(tmp_path, site()[:26])
    assert names(tmp_path) == [ENTRY]  # nothing is left in the other one
    assert len(urls(tmp_path)) == 26


def test_two_files_become_one_when_they_are_half_empty(tmp_path: Path) -> None:
    publish(tmp_path, site()[:60])
    publish(tmp_path, site()[20:60])
    assert [len(paths) for paths in listing(tmp_path).values()] == [30, 10]
    publish(tmp_path, site()[30:55])
    assert names(tmp_path) == [ENTRY]
    assert len(urls(tmp_path)) == 25


@pytest.mark.full
@pytest.mark.parametrize("old", LAYOUTS)
@pytest.mark.parametrize("new", LAYOUTS)
def test_another_layout(tmp_path: Path, old: str, new: str) -> None:
    gz = old != new  # and as before where the layout stays
    publish(tmp_path, site(), layout=old, formats=EVERY)
    written = publish(tmp_path, site(), layout=new, gzip=gz)
    assert names(tmp_path) == sorted(written.names)
    assert sorted(urls(tmp_path)) == sorted(page.url for page in site())
    if old != new:
        (tmp_path / "fresh").mkdir()
        publish(tmp_path / "fresh", site(), layout=new, gzip=gz)
        assert listing(tmp_path) == listing(tmp_path / "fresh")


def test_what_is_packed_stays_in_its_part(tmp_path: Path) -> None:
    publish(tmp_path, site()[1:])
    publish(tmp_path, site())
    before = listing(tmp_path)
    publish(tmp_path, site(), gzip=True)
    assert {name.removesuffix(".gz"): paths for name, paths in listing(tmp_path).items()} == before


def test_plain_names_of_others_stay(tmp_path: Path) -> None:
    """A news sitemap that was written by hand is no leftover, unless ours lists it."""
    (tmp_path / "sitemap-news.xml").write_text("theirs")
    (tmp_path / "sitemap-log-1.xml").write_text("ours")
    assert publish(tmp_path, site()).stale == ("sitemap-log-1.xml",)
    assert (tmp_path / "sitemap-news.xml").read_text() == "theirs"
    publish(tmp_path, site(), layout="recency")
    assert "sitemap-news.xml" in publish(tmp_path, site()).stale


# --- what others have published


def test_a_sitemap_of_others(tmp_path: Path) -> None:
    """Its parts keep their URLs, if they have names of ours; the limits hold all the same."""
    twice = "".join(f"<url><loc>{SITE}{n:03d}</loc></url>" for n in (*range(80), 3, 5))
    (tmp_path / "sitemap-1.xml").write_text(f"<urlset>{twice}</urlset>")
    more = "".join(f"<url><loc>{SITE}./{n:03d}</loc></url>" for n in (3, *range(80, 90)))
    (tmp_path / "sitemap-4.xml").write_text(f"<urlset>{more}</urlset>")
    (tmp_path / "blog.xml").write_text(f"<urlset><url><loc>{SITE}099</loc></url></urlset>")
    locations = ("a/sitemap-1.xml", "b/sitemap-1.xml", "sitemap-4.xml", "blog.xml", "no.xml", "")
    children = "".join(f"<sitemap><loc>{SITE}{name}</loc></sitemap>" for name in locations)
    (tmp_path / ENTRY).write_text(f"<sitemapindex>{children}</sitemapindex>")
    publish(tmp_path, [Listed(f"{SITE}{n:03d}", "", 1) for n in range(100)])
    found = listing(tmp_path)
    assert found == {
        "sitemap-1.xml": [f"{n:03d}" for n in range(50)],
        "sitemap-4.xml": [f"{n:03d}" for n in (*range(50, 90), *range(90, 100))],
    }
    assert "blog.xml" in names(tmp_path)


@pytest.mark.parametrize("lastmod", ["", "<lastmod>soon</lastmod>", "<lastmod>2026</lastmod>"])
def test_a_log_after_dates_that_are_none(tmp_path: Path, lastmod: str) -> None:
    entry = f"<url><loc>{SITE}a</loc>{lastmod}</url>"
    (tmp_path / "sitemap-log-1.xml").write_text(f"<urlset>{entry}</urlset>")
    children = f"<sitemap><loc>{SITE}sitemap-log-1.xml</loc></sitemap>"
    (tmp_path / ENTRY).write_text(f"<sitemapindex>{children}</sitemapindex>")
    publish(
        tmp_path, [Listed(f"{SITE}a", "2026-01-02", 1), Listed(f"{SITE}b", "", 1)], layout="log"
    )
    assert listing(tmp_path) == {"sitemap-log-2.xml": ["a", "b"]}


def test_what_is_published_is_read_in_one_go(tmp_path: Path) -> None:
    publish(tmp_path, site())
    found = read_published(tmp_path, with_dates=True)
    files = [file for file in published_files(tmp_path) if file.name != ENTRY]
    assert found.names == [file.name for file in files] == list(listing(tmp_path))
    assert found.counts.tolist() == [len(file.urls) for file in files]
    assert found.keys.tolist() == [key(page.url) for page in site()]
    assert found.dates.tolist() == [epoch_seconds(page.lastmod) for page in site()]
    assert all(file.is_ours for file in files)
    assert not len(read_published(tmp_path).dates)


# --- many


@for_each(20, 21)
def test_many_parts_are_one_line_of_the_log(count: int) -> None:
    names = [f"sitemap-log-{n}.xml" for n in range(1, count + 1)]
    files = (*names, "sitemap.xml", "urls.csv")
    publication = Publication({}, Path("out"), Loss(0, {}), "", files, (names[2], "sitemap.xml"))
    said = [f"{path}: {state}" for path, state in publication.states()]
    assert said[-2:] == ["out/sitemap.xml: written", "out/urls.csv: unchanged"]
    if count == 21:
        assert said[:-2] == ["out: of 21 parts 1 written, 20 unchanged"]
    else:
        assert said[1:3] == ["out/sitemap-log-2.xml: unchanged", "out/sitemap-log-3.xml: written"]


@pytest.fixture
def few_files() -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@pytest.mark.usefixtures("few_files")
def test_ten_thousand_sections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "OWN_PART", 2)
    monkeypatch.setattr(parts, "MOST_SECTIONS", 200)
    listed = [Listed(f"{SITE}{n:05d}/{m}", "", 1) for n in range(10_000) for m in range(2)]
    written = publish(tmp_path, listed, urls=50_000, layout="section", gzip=True)
    assert len(written.names) == 202
    again = [page for page in listed if page.url != f"{SITE}00007/0"]
    before = state(tmp_path)
    later = NOW + timedelta(hours=1)
    publish(tmp_path, again, later, urls=50_000, layout="section", gzip=True)
    changed = {name for name, now in state(tmp_path).items() if now != before[name]}
    assert changed == {"sitemap-00007-pages.xml.gz", ENTRY}


# --- names of sections

EVIL = {
    "..%2F..%2Fetc": "etc",
    "%00": "x",
    "-1.xml": "1-xml",
    "a?b=": "a-b",
    "CON": "con",
    ".sitemapgen.tmp": "sitemapgen-tmp",
    "News": "news-pages",
    "google-news": "google-news-pages",
    "mixed-2": "mixed-2-pages",
    "section": "section-pages",
    "2024": "2024-pages",
    "x" * 2_000: "x" * 40 + "-x",
    "a-" * 30: "a-" * 19 + "a-x",
    "%D0%B1%D0%BB%D0%BE%D0%B3-1": "1-x",
    "%E4%BA%A7%E5%93%81": "x",
    "%E2%80%AE%F0%9F%98%80": "x",
    "%ff%fe": "x",
    "stra%C3%9Fe": "strasse",
    "%EF%BC%A2log": "blog",
    "caf%C3%A9": "cafe",
    "my_first%20blog": "my-first-blog",
    "": "root",
}
"""Section -> the beginning of its label, which a digest may follow."""


@for_each(*EVIL.items())
def test_labels_of_sections(section: str, beginning: str) -> None:
    found = section_label(section)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", found)
    assert re.fullmatch(rf"{beginning}([0-9a-f]{{7}})?", found)
    assert len(found) < 60
    for number in (1, 2, 30):
        part = Part("named", number, found)
        assert part_of(f"{stem(part)}.xml.gz") == part


@given(st.text(max_size=60), st.integers(1, 99))
def test_whatever_a_section_is_called(section: str, number: int) -> None:
    part = Part("named", number, section_label(quote(section, safe="", errors="replace")))
    assert part_of(f"{stem(part)}.txt") == part
    assert re.fullmatch(r"sitemap-[a-z0-9-]{1,60}", stem(part))
    assert is_bridging(content_addressed(f"{stem(part)}.xml", "0123456789"))


def test_sections_that_look_like_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A section gets a file name of letters, digits and dashes, whatever the site calls it."""
    monkeypatch.setattr(parts, "OWN_PART", 1)
    listed = [Listed(f"{SITE}{section}/x", "", 1) for section in EVIL if len(section) < 2_000]
    written = publish(tmp_path, sorted(listed), layout="section", formats=EVERY)
    assert all(
        re.fullmatch(r"sitemap(-[a-z0-9]+)*\.(xml|txt|json)", each) for each in written.names
    )
    assert sorted(urls(tmp_path)) == sorted(page.url for page in listed)
    before = state(tmp_path)
    publish(tmp_path, sorted(listed), layout="section", formats=EVERY)
    assert state(tmp_path) == before


def test_sections_of_one_name_share_their_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts, "OWN_PART", 2)
    listed = [Listed(f"{SITE}{section}/x", "", 1) for section in ("Blog", "blog", "caf%C3%A9")]
    publish(tmp_path, listed, layout="section")
    assert listing(tmp_path) == {
        "sitemap-blog.xml": ["Blog/x", "blog/x"],
        "sitemap-mixed-1.xml": ["caf%C3%A9/x"],
    }


def test_numbered_sections_of_earlier_versions_get_names(tmp_path: Path) -> None:
    """Their parts go once the new ones are listed; the shared part stays as it is."""
    publish(tmp_path, site(), layout="section", formats=EVERY)
    entry = (tmp_path / ENTRY).read_text()
    for number, name in enumerate(("blog", "blog-2", "blog-3", "docs", "docs-2", "docs-3"), 1):
        for suffix in ("xml", "txt"):
            (tmp_path / f"sitemap-{name}.{suffix}").rename(
                tmp_path / f"sitemap-section-{number}.{suffix}"
            )
        entry = entry.replace(f"sitemap-{name}.xml", f"sitemap-section-{number}.xml")
    (tmp_path / ENTRY).write_text(entry)
    mixed = state(tmp_path)["sitemap-mixed-1.xml"]
    written = publish(tmp_path, site(), layout="section", formats=EVERY)
    assert {f"sitemap-section-{n}.{end}" for n in range(1, 7) for end in ("xml", "txt")} == set(
        written.stale
    )
    assert names(tmp_path) == sorted(written.names)
    assert "sitemap-docs-3.txt" in written.names
    assert state(tmp_path)["sitemap-mixed-1.xml"] == mixed


@pytest.mark.parametrize("name", ["sitemap-shop.xml", "sitemap-shop.xml.gz"])
@pytest.mark.parametrize("is_listed", [False, True])
def test_named_files_of_others_stay(tmp_path: Path, name: str, *, is_listed: bool) -> None:
    """Other programs name sections, too: their files go neither with nor without an index."""
    theirs = b"<urlset><url><loc>https://example.com/shop/1</loc></url></urlset>"
    (tmp_path / name).write_bytes(gzip.compress(theirs) if name.endswith("gz") else theirs)
    (tmp_path / "sitemap-shop.txt").write_text("theirs")
    (tmp_path / "sitemap-shop.20260101.xml").write_text("theirs")
    child = f"<sitemap><loc>{SITE}{name}</loc></sitemap>" if is_listed else ""
    (tmp_path / ENTRY).write_text(f"<sitemapindex>{child}</sitemapindex>")
    assert publish(tmp_path, site()).stale == ()
    assert publish(tmp_path, site(), layout="section").stale != ()
    assert {name, "sitemap-shop.txt", "sitemap-shop.20260101.xml"} <= set(names(tmp_path))


def test_named_parts_go_with_their_section(tmp_path: Path) -> None:
    """Only those that the index lists: a file of this form elsewhere is another output's."""
    publish(tmp_path, site(), layout="section", formats=EVERY, gzip=True)
    copy = (tmp_path / "sitemap-blog.xml.gz").read_bytes()
    (tmp_path / "sitemap-copy.xml.gz").write_bytes(copy)
    bridging = content_addressed("sitemap-blog.xml.gz", "9f86d081")
    (tmp_path / bridging).write_bytes(copy)
    listed = [page for page in site() if not page.url.startswith(f"{SITE}blog/")]
    stale = publish(tmp_path, listed, layout="section", formats=EVERY, gzip=True).stale
    gone = {f"sitemap-blog{n}.{end}" for n in ("", "-2", "-3") for end in ("xml.gz", "txt")}
    assert set(stale) == {*gone, bridging}
    assert "sitemap-copy.xml.gz" in names(tmp_path)
