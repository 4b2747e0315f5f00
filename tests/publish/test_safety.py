"""What a new sitemap would lose of the published one, and when that is too much."""

import gzip
import os
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest

from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.core.urls import key
from sitemapgen.items import Judgement, Link, Page
from sitemapgen.publish.existing import own_entries, published_files, read_published
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.files import Staging
from sitemapgen.publish.options import Options
from sitemapgen.publish.replacing import (
    Loss,
    measure_loss,
    objection,
    unread_in_words,
    was_complete,
)
from sitemapgen.publish.sitemaps import FileLimits, Listed, write_files
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits as StoreLimits
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each

SITE = "https://example.com/"


@for_each(
    (0, {}, False, True, ""),
    (100, {}, True, True, ""),
    (100, {"http_error": 20}, False, True, ""),
    (100, {"http_error": 21}, False, True, "21 of 100 published URLs are no longer listed"),
    (100, {"http_error": 20, "not_seen": 1}, False, True, "(http_error 20, not_seen 1), a l"),
    (1000, {"noindex": 1000}, False, False, "1,000 of 1,000 published URLs are no longer"),
    # A cap:
    (100, {"over_cap": 1}, True, True, "the crawl was cut short: 1 of 100 published"),
    (100, {"not_seen": 1}, True, True, "the crawl was cut short: 1 of 100 published"),
    (100, {"http_error": 1}, True, True, ""),
    (100, {"over_cap": 20}, True, False, ""),
    (100, {"over_cap": 21}, True, False, "a larger share than SITEMAPGEN_MAX_LOSS=0.2"),
)
def test_when_it_is_too_much(
    published: int, lost: dict[str, int], cut_short: bool, was_complete: bool, words: str
) -> None:
    said = objection(
        Loss(published, lost), cut_short=cut_short, was_complete=was_complete, max_loss=0.2
    )
    assert words in said
    assert bool(said) is bool(words)


def test_a_share_of_one_allows_all() -> None:
    loss = Loss(10, {"noindex": 10})
    assert not objection(loss, cut_short=False, was_complete=True, max_loss=1.0)
    assert objection(Loss(1000, {"noindex": 1}), cut_short=False, was_complete=True, max_loss=0.0)


def published_urls(directory: Path) -> list[str]:
    return list(chain.from_iterable(file.urls for file in published_files(directory)))


def own_urls(body: bytes) -> list[str]:
    entries = own_entries(body)
    assert entries is not None
    return list(entries[0])


@for_each(False, True)
@for_each(1, 3)
def test_what_was_written_is_read_back(parts: int, packed: bool, tmp_path: Path) -> None:
    urls = [f"{SITE}{number}?a=1&b='%C3%A9" for number in range(6)]
    with Staging(tmp_path, 1000) as staging:
        listed = (Listed(url, "2024-05-06", 1) for url in urls)
        options = Options(base_url="https://cdn.example/maps/", gzip=packed)
        written = write_files(listed, staging, options, FileLimits(urls=6 // parts))
        staging.commit(last=ENTRY, stale=written.stale)
    assert len(list(tmp_path.iterdir())) == (1 if (parts, packed) == (1, False) else parts + 1)
    assert published_urls(tmp_path) == urls
    part = tmp_path / (ENTRY if (parts, packed) == (1, False) else f"sitemap-1.xml{'.gz' * packed}")
    assert own_urls(part.read_bytes()) == urls[: 6 // parts]


OWN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    "  <url>\n    <loc>https://example.com/?a&amp;&apos;&lt;\u00fc&amp;lt;</loc>\n"
    "    <lastmod>2024-05-06</lastmod>\n    <priority>0.5</priority>\n  </url>\n"
    "  <url>\n    <loc>https://example.com/b</loc>\n  </url>\n</urlset>\n"
)


def test_our_own_form() -> None:
    urls = ["https://example.com/?a&'<\u00fc&lt;", "https://example.com/b"]
    assert own_urls(OWN.encode()) == urls
    assert own_urls(gzip.compress(OWN.encode())) == urls


@for_each(
    ("<urlset xmlns", "<urlset xmlns:a='b' xmlns"),
    ("  <url>", " <url>"),
    ("<loc>", "<loc> "),
    ("&amp;", "&#38;"),
    ("&apos;", "<!-- -->"),
    ("  </url>\n  <url>", "  </url>\n<url><loc>https://example.com/c</loc></url>\n  <url>"),
    ("</url>\n</urlset>", "</url>\n<url><loc>https://example.com/c</loc></url></urlset>"),
    ("    <priority>", "    <expires>never</expires>\n    <priority>"),
    ("</urlset>\n", "</urlset>"),
    ("</urlset>\n", ""),
)
def test_what_differs_from_our_own_form_is_read_as_any_sitemap(
    ours: str, another: str, tmp_path: Path
) -> None:
    assert ours in OWN
    body = OWN.replace(ours, another, 1).encode()
    assert own_entries(body) is None
    (tmp_path / ENTRY).write_bytes(body)
    found = [entry.url for entry in read_sitemap(body).entries]
    assert found
    assert published_urls(tmp_path) == found


@for_each(
    b"",
    OWN.encode("utf-16"),
    OWN.encode("latin-1"),
    gzip.compress(OWN.encode())[:-9],
    gzip.compress(OWN.encode()) + b"more",
)
def test_damage_is_not_our_own_form(body: bytes) -> None:
    assert own_entries(body) is None


def test_what_others_wrote_is_read_as_well(tmp_path: Path) -> None:
    (tmp_path / ENTRY).write_text(
        "<sitemapindex><sitemap><loc>https://example.com/sub/blog.xml.gz</loc></sitemap>"
        "<sitemap><loc>https://example.com/not-here.xml</loc></sitemap>"
        "<sitemap><loc>https://example.com/..</loc></sitemap>"
        "<sitemap><loc>https://example.com/</loc></sitemap></sitemapindex>"
    )
    urlset = (
        f'<urlset xmlns:image="x"><url><image:loc>no</image:loc><loc>{SITE}</loc></url></urlset>'
    )
    (tmp_path / "blog.xml.gz").write_bytes(gzip.compress(urlset.encode()))
    assert published_urls(tmp_path) == [SITE]


@pytest.mark.parametrize("content", [None, b"", b"<earlier/>", b"\x00\xff", b"<urlset><url><loc>h"])
def test_of_no_sitemap_nothing_is_lost(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / ENTRY).write_bytes(content)
    assert published_urls(tmp_path) == []


@for_each(
    ('{"complete": true}', True),
    ('{"complete": false, "stopped_by": "max_pages"}', False),
    ("{}", True),
    ("[1]", True),
    ("{", True),
    (None, True),
)
def test_whether_it_was_complete(report: str | None, complete: bool, tmp_path: Path) -> None:
    if report is not None:
        (tmp_path / "report.json").write_text(report)
    assert was_complete(tmp_path) is complete


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "crawl.sqlite", StoreLimits())
    store.begin_run({}, 0.0)
    yield store
    store.close()


@pytest.fixture
def judge(store: Store) -> Callable[[str, Verdict], None]:
    def judge_(name: str, verdict: Verdict) -> None:
        url = f"{SITE}{name}"
        store.frontier.seed(Link(url=url, key=key(url)), 0.0)
        store.frontier.lease(1)
        store.record_page(Page(url=url, key=key(url), judgement=Judgement(verdict, "")), 0.0)

    return judge_


def test_the_loss(tmp_path: Path, store: Store, judge: Callable[[str, Verdict], None]) -> None:
    published = [SITE.rstrip("/"), *(f"{SITE}{name}" for name in ("a", "a", "b", "gone", "ü"))]
    (tmp_path / ENTRY).write_text("\n".join(published), encoding="utf-8")
    judge("", Verdict.LISTED)
    judge("a", Verdict.NOINDEX)
    judge("b", Verdict.LISTED)
    judge("%C3%BC", Verdict.LISTED)
    judge("new", Verdict.LISTED)
    assert measure_loss(store, read_published(tmp_path)) == Loss(5, {"noindex": 1, "not_seen": 1})
    store.begin_run({}, 1.0)  # what an earlier run saw is not seen now
    assert measure_loss(store, read_published(tmp_path)) == Loss(5, {"not_seen": 5})


def publish_parts(directory: Path, urls: list[str]) -> None:
    with Staging(directory, 1000) as staging:
        options = Options(base_url=SITE, gzip=True)
        write_files((Listed(url, "", 1) for url in urls), staging, options, FileLimits(urls=2))
        staging.commit(last=ENTRY)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda part: part.unlink(), "no such file or directory"),
        (lambda part: part.write_bytes(part.read_bytes()[:30]), "truncated gzip"),
        (lambda part: part.write_bytes(b""), "the file is empty"),
        (lambda part: (part.unlink(), os.mkfifo(part)), "no regular file"),
    ],
)
def test_what_a_part_listed_is_compared_though_it_cannot_be_read(
    damage: Callable[[Path], None],
    why: str,
    tmp_path: Path,
    store: Store,
    judge: Callable[[str, Verdict], None],
) -> None:
    """The state has it as well: no page goes in silence because a file is broken."""
    names = ["a", "b", "c", "d"]
    for name in names:
        judge(name, Verdict.LISTED)
    store.history.keep_outcomes()
    store.end_run("finished", 1.0)
    publish_parts(tmp_path / "out", [f"{SITE}{name}" for name in names])
    damage(tmp_path / "out" / "sitemap-2.xml.gz")
    store.begin_run({}, 2.0)
    for name in names[:3]:
        judge(name, Verdict.LISTED)
    judge("d", Verdict.NOINDEX)

    before = read_published(tmp_path / "out")
    assert measure_loss(store, before) == Loss(4, {"noindex": 1})
    (sentence,) = unread_in_words(before)
    assert f"sitemap-2.xml.gz: {why}" in sentence


def test_many_files_that_cannot_be_read_are_few_lines(tmp_path: Path) -> None:
    publish_parts(tmp_path, [f"{SITE}{number}" for number in range(20)])
    for path in tmp_path.glob("*.gz"):
        path.unlink()
    lines = list(unread_in_words(read_published(tmp_path)))
    assert len(lines) == 6
    assert lines[-1] == "5 more of the published files cannot be read"
