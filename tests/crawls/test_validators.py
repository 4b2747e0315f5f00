"""Conditional requests: what a 304 stands for, and servers that say so of what has changed."""

import gzip
import json
from contextlib import closing
from email.utils import formatdate
from zlib import crc32

import pytest

from sitemapgen.store.opening import lend_store
from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.server import (
    HERE,
    Answer,
    Serve,
    Server,
    index,
    marked,
    page,
    redirect,
    text,
    urlset,
    xml,
)
from tests.store import tables

pytestmark = pytest.mark.fixed_urls

DAY = 86_400.0
BEGIN = 20_500.5 * DAY
IMAGES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)


# --- the site's own sitemaps


def sitemaps(url: str, *more: str) -> dict[str, Answer]:
    """An index of a compressed file, one behind a redirect, and one that lists what it may not."""
    image = "<image:image><image:loc>http://cdn.test/1.png</image:loc></image:image>"
    entries = "".join(
        f"<url><loc>{url}{name}</loc><lastmod>2024-05-0{number}</lastmod>{image}</url>"
        for number, name in enumerate(("zebra", "ape", "newt", *more), 1)
    )
    packed = gzip.compress(f"<urlset {IMAGES}>{entries}</urlset>".encode(), mtime=0)
    moved = f"<urlset><url><loc>{url}only</loc></url><url><loc>http://other.test/</loc></url>"
    moved += f"<url><loc>no url</loc></url><url><loc>{url}only</loc></url></urlset>"
    names = ("zebra", "ape", "newt", "only", *more)
    return {
        "/": page("/ape", text="All there is"),
        **{f"/{name}": page(text=f"{name} " * 60) for name in names},
        "/robots.txt": text("Sitemap: /index.xml"),
        "/index.xml": marked(index("a.xml.gz", "b.xml", "none.xml", base=url), "index"),
        "/a.xml.gz": marked(Answer(packed, headers={"Content-Type": "application/gzip"}), "a"),
        "/b.xml": redirect("/moved.xml"),
        "/moved.xml": marked(xml(moved), "moved"),
    }


@pytest.mark.full
def test_a_sitemap_that_has_not_changed_lists_what_it_did(crawl: Crawler) -> None:
    server, first = crawl.site(sitemaps(HERE))
    before = first.files, tables.sitemap_contents(first.state)
    order = [path for path in server.paths if path in ("/zebra", "/newt", "/only")]
    read = 0
    for _ in range(8):  # in one of them each is read all the same
        server.visits.clear()
        again = crawl.published(server.url)
        assert (again.files, tables.sitemap_contents(again.state)) == before
        assert [path for path in server.paths if path in ("/zebra", "/newt", "/only")] == order
        answers = [(v.path, v.status) for v in server.visits if ".xml" in v.path]
        for path in ("/index.xml", "/a.xml.gz", "/moved.xml"):
            assert (path, 304) in answers
            read += (path, 200) in answers
    assert read == 3
    assert json.loads(before[0]["report.json"])["sitemaps"][0]["entries"] == 3


def test_a_sitemap_that_has_changed_is_read(crawl: Crawler) -> None:
    server, _ = crawl.site(sitemaps(HERE))
    changed = sitemaps(server.url, "gnu")
    server.site = {**changed, "/a.xml.gz": marked(changed["/a.xml.gz"], "other")}
    assert f"{server.url}gnu" in crawl(server.url).sitemap
    moved = urlset(f"{server.url}emu")
    server.site = {
        **server.site,
        "/b.xml": redirect("/new.xml"),
        "/new.xml": marked(moved, "moved"),
    }
    server.site["/emu"] = page(text="emu " * 60)
    result = crawl(server.url, "force=true")
    assert f"{server.url}emu" in result.sitemap  # another file with the same mark
    assert f"{server.url}only" not in result.sitemap


@pytest.mark.full
def test_a_sitemap_that_only_claims_to_be_as_it_was(crawl: Crawler) -> None:
    """It is read once in eight runs, and then always."""
    server, _ = crawl.site(sitemaps(HERE))
    server.site = sitemaps(server.url, "gnu")  # with the marks of before
    found = []
    for _ in range(8):
        result = crawl(server.url)
        found.append(f"{server.url}gnu" in result.sitemap)
        if "changed, but the server answers 304" in result.log:
            break
    assert found == [*(False for _ in found[1:]), True]
    server.site = sitemaps(server.url, "gnu", "yak")
    server.visits.clear()
    assert f"{server.url}yak" in crawl(server.url).sitemap
    assert [v.status for v in server.visits if v.path == "/a.xml.gz"] == [200]


# --- pages


def pages(url: str, edition: int, dates: str = "") -> dict[str, Answer]:
    """Two sections whose pages change with each edition, and keep their ETags in one of them."""
    site, listed = {}, {}
    for section in ("true", "false"):
        for number in range(100):
            name = f"{section}/{number}"
            tag = f"{name}-{edition if section == 'true' else 0}"
            # Every tenth page changes.
            own = edition if number % 10 == 0 else 0
            tag = tag if own else f"{name}-0"
            words = f"{name}, edition {own} " * 20
            site[f"/{name}"] = marked(page(text=words), tag)
            listed[name] = dates if own else f"{2000 + number // 5}-0{1 + number % 9}-01"
    site["/"] = page(*site, text="All there is")
    if dates:
        site["/robots.txt"] = text("Sitemap: /sitemap.xml")
        site["/sitemap.xml"] = urlset(*listed, base=url, dates=listed)
    return site


def lies(result: Crawl) -> dict[str, float]:
    """Changes that were hidden, by section, as the last run has them."""
    with closing(lend_store(result.output)[0]) as store:
        records = store.history.source_records(with_this_run=True)
    names = {crc32(name.encode()): name for name in ("true", "false")}
    return {
        names[section]: record.misses
        for (source, section), record in records.items()
        if source == "validators" and section in names
    }


def asked(server: Server, section: str) -> list[tuple[int, bool]]:
    """(status, whether it was asked for conditionally) of the pages of a section."""
    return [
        (visit.status, "If-None-Match" in visit.headers)
        for visit in server.visits
        if visit.path.startswith(f"/{section}/") and visit.path[-1].isdecimal()
    ]


@pytest.mark.full
def test_a_server_that_hides_changes_is_found_out_by_a_sample(crawl: Crawler) -> None:
    """Its section is asked for without conditions from then on; the other one with them."""
    everything = {f"/false/{n}": page(text=f"quite another text of {n} " * 20) for n in range(100)}
    server, _ = crawl.site(pages(HERE, 0))
    hidden = {path: marked(answer, f"{path[1:]}-0") for path, answer in everything.items()}
    server.site = {**pages(server.url, 0), **hidden}
    for _ in range(6):  # two of a hundred are read in each
        result = crawl.published(server.url)
        if lies(result).get("false"):
            break
    assert lies(result)["false"] >= 50
    assert not lies(result).get("true")
    server.visits.clear()
    result = crawl(server.url)
    of_liar = asked(server, "false")
    assert of_liar.count((200, False)) >= 90  # the others are samples that test it again
    assert asked(server, "true").count((304, True)) == 100
    changed = tables.changed_pages(result.state)
    assert sum("/false/" in url for url in changed) >= 80


@pytest.mark.full
def test_a_sitemap_that_is_believed_gives_away_what_a_server_hides(crawl: Crawler) -> None:
    """In the run in which it begins to lie, and the sitemap is not blamed for it."""
    server, _ = crawl.site(pages(HERE, 0, "none has changed"), now=BEGIN)
    server.site = pages(server.url, 1, "2026-02-17")
    result = crawl.published(server.url, now=BEGIN + DAY)
    assert lies(result)["false"] >= 10
    assert not lies(result)["true"]
    row = result.urls[f"{server.url}false/30"]
    assert (row["lastmod"], row["lastmod_source"]) == ("2026-02-17", "sitemap")
    server.site = pages(server.url, 2, "2026-02-18")
    server.visits.clear()
    crawl(server.url, now=BEGIN + 2 * DAY)
    assert asked(server, "false").count((200, False)) >= 10


@pytest.mark.parametrize("what", ["text", "links"])
def test_each_page_is_read_all_the_same_sooner_or_later(what: str, crawl: Crawler) -> None:
    """What is found then counts as any other change."""
    site = {f"/{n}": marked(page(text=f"{n} " * 60), str(n)) for n in range(60)}
    site["/"] = page(*site, text="All there is")
    server, _ = crawl.site(site)
    other = (
        {f"/{n}": marked(page(text=f"other {n} " * 60), str(n)) for n in range(60)}
        if what == "text"
        else {f"/{n}": marked(page("/new", text=f"{n} " * 60), str(n)) for n in range(60)}
    )
    server.site = {**site, **other, "/new": page(text="new " * 60)}
    for _ in range(12):
        result = crawl(server.url)
        rows = [row for row in result.urls.values() if row["lastmod_source"] == "observed"]
        if rows if what == "text" else f"{server.url}new" in result.sitemap:
            return
    pytest.fail("no page was read again")


def test_a_date_that_comes_with_not_modified_is_what_the_page_says_now(crawl: Crawler) -> None:
    """And what it is worth: a Last-Modified that moves though nothing changes is not believed."""

    def site(day: int) -> dict[str, Answer]:
        made = {}
        for number in range(30):
            moment = BEGIN + day * DAY - number * 2_000 - 9_000
            answer = marked(page(text=f"page {number} " * 30), str(number))
            headers = {
                "Last-Modified": formatdate(moment, usegmt=True),
                "Date": formatdate(BEGIN + day * DAY, usegmt=True),
            }
            made[f"/docs/{number}"] = answer._replace(headers={**answer.headers, **headers})
        return {"/": page(*made, text="All there is"), **made}

    server, first = crawl.site(site(0), now=BEGIN)
    assert first.report["listed_by_lastmod_source"] == {"last_modified": 30, "none": 1}
    server.site = site(1)
    server.visits.clear()
    second = crawl(server.url, now=BEGIN + DAY)
    assert sum(visit.status == 304 for visit in server.visits) == 30
    assert second.report["listed_by_lastmod_source"] == {"none": 31}
    assert second.report["distrusted_lastmods"]["last_modified"]["disproved"] == 30
    server.site = site(1)  # and it does not move any more
    third = crawl(server.url, now=BEGIN + 2 * DAY)
    assert third.report["distrusted_lastmods"] == {"last_modified": {"disproved": 30}}
    days = {header[:11] for header in tables.last_modified_headers(third.state)}
    assert len(days) <= 2


def test_dates_that_all_move_cost_a_part_of_the_pages(serve: Serve, crawl: Crawler) -> None:
    """A sitemap that is dated anew each day: ten pages are read for it, not all of them."""
    server = serve({})

    def site(day: int) -> dict[str, Answer]:
        made = {f"/{n}": marked(page(text=f"{n} " * 60), str(n)) for n in range(80)}
        dates = {f"{n}": f"2026-02-{16 + day}T0{n % 10}:{n // 2 + 10}:00Z" for n in range(80)}
        return {
            "/": page(*made, text="All there is"),
            **made,
            "/robots.txt": text("Sitemap: /sitemap.xml"),
            "/sitemap.xml": urlset(*dates, base=server.url, dates=dates),
        }

    server.site = site(0)
    crawl(server.url, now=BEGIN)
    server.site = site(1)
    server.visits.clear()
    result = crawl.published(server.url, now=BEGIN + DAY)
    read = [v.path for v in server.visits if v.status == 200 and v.path[1:].isdecimal()]
    # Pages that end in a number come in rounds, and of each round some are doubted.
    assert 10 <= len(read) <= 40
    assert result.report["distrusted_lastmods"]["sitemap"]
