"""The site's own sitemaps: which are asked for, what is kept of them, what bad ones cost."""

import gzip
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.cost import Memory
from tests.helpers.crawls import (
    DEADLINE,
    IMPATIENT,
    Crawl,
    Crawler,
    command,
    kill_after,
    rest,
    run_to_end,
    start,
)
from tests.helpers.raw import RawServer, answer
from tests.helpers.server import (
    HERE,
    Answer,
    Serve,
    Server,
    index,
    page,
    redirect,
    text,
    urlset,
    xml,
)
from tests.store import tables


def robots(*sitemaps: str) -> Answer:
    return text("".join(f"Sitemap: {sitemap}\n" for sitemap in sitemaps))


def files(result: Crawl, base: str) -> dict[str, dict[str, Any]]:
    """The sitemap files of report.json by their URLs, shortened where they are the site's."""
    assert result.code == 0, result.log
    return {file["url"].replace(base, "/"): file for file in result.report["sitemaps"]}


def asked(server: Server) -> list[str]:
    return [path for path in server.paths if path not in ("/", "/robots.txt")]


# Every form


def test_every_format_is_read_whatever_its_content_type(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    rss = (
        f"<rss><channel><item><link>{server.url}rss1</link>"
        "<pubDate>Wed, 01 May 2024 12:00:00 +0200</pubDate></item>"
        f"<item><link>{server.url}rss2</link><pubDate>yesterday</pubDate></item></channel></rss>"
    )
    atom = (
        '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="sub/"><entry><link href="atom"/>'
        "<updated>2024-05-02T01:00:00+01:00</updated></entry></feed>"
    )
    rdf = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://purl.org/rss/1.0/">'
        f"<item><link>{server.url}rdf</link><dc:date>2024-05-03</dc:date></item></rdf:RDF>"
    )
    packed = gzip.compress(gzip.compress(rdf.encode()))
    server.site = {
        "/robots.txt": robots("/rss", "/feeds/atom", "/rdf.gz", "/list", "/index.xml"),
        "/": page(),
        "/rss": Answer(rss),
        "/feeds/atom": Answer(atom.encode("utf-16"), headers={"Content-Type": "text/plain"}),
        "/rdf.gz": Answer(packed, headers={}),
        "/list": Answer(f"{server.url}a\r{server.url}b\r\n".encode("utf-16"), headers={}),
        "/index.xml": index(f"{server.url}urls.xml"),
        "/urls.xml": urlset(f"{server.url}a"),
        **{f"/{name}": page() for name in ("rss1", "rss2", "feeds/sub/atom", "rdf", "a", "b")},
    }
    result = crawl(server.url)
    found = files(result, server.url)
    facts = ("format", "found", "entries")
    assert {url: tuple(file[name] for name in facts) for url, file in found.items()} == {
        "/rss": ("rss", "robots", 2),
        "/feeds/atom": ("atom", "robots", 1),
        "/rdf.gz": ("rdf", "robots", 1),
        "/list": ("text", "robots", 2),
        "/index.xml": ("index", "robots", 0),
        "/urls.xml": ("urlset", "index", 1),
    }
    assert not any(file["error"] for file in found.values())
    assert found["/rss"]["share"] == {"lastmod": 1.0, "changefreq": 0.0, "priority": 0.0}
    assert found["/index.xml"]["share"] == {}
    assert result.report["sitemap_urls_by_format"] == {
        "atom": 1, "rdf": 1, "rss": 2, "text": 2, "urlset": 1,
    }  # fmt: skip
    lastmods = {url.removeprefix(server.url): row["lastmod"] for url, row in result.urls.items()}
    assert lastmods == {
        **dict.fromkeys(["", "rss2", "a", "b"], ""),
        "rss1": "2024-05-01T10:00:00+00:00",
        "feeds/sub/atom": "2024-05-02T00:00:00+00:00",
        "rdf": "2024-05-03",
    }


def test_extensions_are_counted_and_kept(serve: Serve, crawl: Crawler) -> None:
    said = (
        '<url xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'
        f' xmlns:h="http://www.w3.org/1999/xhtml"><loc>{HERE}a</loc>'
        "<i:image><i:loc>/1.png</i:loc></i:image>"
        '<h:link rel="alternate" hreflang="de" href="/de"/></url>'
    )
    plain = f"<url><loc>{HERE}</loc></url>"
    server = serve({
        "/sitemap.xml": xml(f"<urlset>{said}{plain}</urlset>"), "/": page(), "/a": page()
    })  # fmt: skip
    result = crawl(server.url)
    file = files(result, server.url)["/sitemap.xml"]
    names = ("found", "with_images", "with_video", "with_news", "with_hreflang")
    assert [file[name] for name in names] == ["usual_path", 1, 0, 0, 1]
    (kept,) = tables.sitemap_extensions(result.state)
    assert kept == {"images": ["/1.png"], "alternates": [["de", "/de"]]}


# Whose file, and where it stands


def test_an_index_elsewhere_that_robots_txt_names_vouches_for_what_is_next_to_it(
    serve: Serve, crawl: Crawler
) -> None:
    server, bucket, stranger = serve({}), serve({}), serve({})
    bucket.site = {
        "/e/index.xml": index(
            f"{bucket.url}e/1.xml", f"{stranger.url}2.xml", "/moved.xml", f"{server.url}own/3.xml"
        ),
        "/e/1.xml": urlset(f"{server.url}a", f"{bucket.url}not-a-page"),
        "/moved.xml": redirect(f"{stranger.url}moved.xml"),
    }
    server.site = {
        "/robots.txt": robots(f"{bucket.url}e/index.xml"),
        "/": page(),
        "/a": page(),
        "/b": page(),
        "/own/3.xml": urlset(f"{server.url}b"),
    }
    result = crawl(server.url)
    found = files(result, server.url)
    assert set(result.verdicts.values()) == {"listed"}
    assert len(result.sitemap) == 3
    assert asked(bucket) == ["/e/index.xml", "/e/1.xml", "/moved.xml"]
    assert stranger.paths == []
    not_named = "on another host, and robots.txt does not name it"
    whole = found[f"{bucket.url}e/index.xml"]
    assert (whole["children"], whole["unread"]) == (4, 1)
    assert whole["error"] == f"1 of its files not asked for: {not_named}"
    assert found[f"{bucket.url}moved.xml"]["error"] == (
        f"HTTP 301 to {stranger.url}moved.xml: {not_named}"
    )
    first = found[f"{bucket.url}e/1.xml"]
    assert (first["parent"], first["error"]) == (f"{bucket.url}e/index.xml", "")
    assert (first["offsite"], first["offsite_examples"]) == (1, [f"{bucket.url}not-a-page"])
    assert found["/own/3.xml"]["error"] == ""


def test_nothing_leads_to_another_host_without_its_name(serve: Serve, crawl: Crawler) -> None:
    server, stranger = serve({}), serve({})
    theirs = f"{stranger.url}theirs.xml"
    server.site = {
        "/robots.txt": robots("/index.xml", "/moved.xml"),
        "/": page(),
        "/index.xml": index(theirs),
        "/moved.xml": redirect(theirs),
    }
    assert crawl(server.url).code == 0
    assert stranger.paths == []
    stranger.site = {"/theirs.xml": urlset(f"{server.url}a")}
    crawl(server.url, f"sitemaps={theirs}")
    assert stranger.paths == ["/robots.txt", "/theirs.xml"]


def test_a_redirect_leads_to_a_file_once(crawl: Crawler) -> None:
    server, result = crawl.site(
        {
            "/robots.txt": robots(
                *("/old.xml", "/older.xml", "/new.xml", "/index.xml", "/circle.xml", "/far.xml")
            ),
            "/": page(),
            "/old.xml": redirect("/new.xml"),
            "/older.xml": redirect("/only-by-redirect.xml"),
            "/only-by-redirect.xml": urlset(f"{HERE}a"),
            "/new.xml": index("/only-by-redirect.xml"),
            "/index.xml": redirect("/index1.xml"),
            "/index1.xml": redirect("/index2.xml"),
            "/index2.xml": index("/child0.xml"),
            **{f"/child{number}.xml": redirect(f"/child{number + 1}.xml") for number in range(5)},
            "/child5.xml": urlset(f"{HERE}b"),
            "/b": page(),
            "/circle.xml": redirect("/round.xml"),
            "/round.xml": redirect("/circle.xml"),
            "/far.xml": redirect("/far1.xml"),
            **{f"/far{number}.xml": redirect(f"/far{number + 1}.xml") for number in range(1, 9)},
            "/a": page(),
        }
    )
    paths = [path for path in asked(server) if path.endswith(".xml")]
    assert len(paths) == len(set(paths)) == 21
    errors = {url: file["error"] for url, file in files(result, server.url).items()}
    by_itself = "that one is asked for by itself"
    assert errors == {
        "/old.xml": f"HTTP 301 to {server.url}new.xml: {by_itself}",
        "/older.xml": "",
        "/new.xml": "",
        "/index.xml": "",
        "/child0.xml": "",
        "/circle.xml": f"HTTP 301 to {server.url}circle.xml: {by_itself}",
        "/far.xml": "HTTP 301 after 5 redirects in a row",
    }
    assert len(result.sitemap) == 3


def test_urls_outside_the_place_of_a_sitemap_are_an_error_and_fetched(
    serve: Serve, crawl: Crawler
) -> None:
    below = {"/shop/index.xml": index("/shop/1.xml"), "/shop/1.xml": urlset(
        f"{HERE}shop/a", f"{HERE}blog/b", f"{HERE}shopping"
    )}  # fmt: skip
    server = serve(
        {"/": page(), **below} | {f"/{name}": page() for name in ("shop/a", "blog/b", "shopping")}
    )
    by_argument = crawl(server.url, f"sitemaps={server.url}shop/index.xml")
    found = files(by_argument, server.url)
    assert [found[f"/shop/{name}.xml"]["found"] for name in ("index", "1")] == ["argument", "index"]
    assert found["/shop/1.xml"]["outside_location"] == 2
    assert found["/shop/1.xml"]["error"] == (
        f"2 URLs are not under {server.url}shop/, where the file stands; "
        "only robots.txt could allow them"
    )
    assert len(by_argument.sitemap) == 4
    server.site = {**server.site, "/robots.txt": robots("/shop/index.xml")}
    by_robots = crawl(server.url)
    assert files(by_robots, server.url)["/shop/1.xml"]["outside_location"] == 0
    scoped = crawl(f"{server.url}shop/a", "scope=path", "fresh=true", "force=true")
    assert scoped.verdicts[f"{server.url}blog/b"] == "out_of_scope"


# What does not end


def test_indexes_that_list_each_other_are_read_once(crawl: Crawler) -> None:
    server, result = crawl.site(
        {
            "/": page(),
            "/sitemap.xml": index("/sitemap.xml", "/b.xml", "/b.xml#again", "http://["),
            "/b.xml": index("/sitemap.xml", "/b.xml", "/c.xml", "/urls.xml"),
            "/c.xml": index("/d.xml", "/e.xml"),
            "/urls.xml": urlset(HERE),
        }
    )
    found = files(result, server.url)
    assert asked(server) == ["/sitemap.xml", "/b.xml", "/c.xml", "/urls.xml"]
    assert {url: file["error"] for url, file in found.items()} == {
        "/sitemap.xml": "1 of its files not asked for: no http(s) URL",
        "/b.xml": "",
        "/c.xml": "2 of its files not asked for: more than 3 levels of indexes",
        "/urls.xml": "",
    }


def test_an_index_of_dead_files_is_left_after_a_hundred_failures(
    serve: Serve, crawl: Crawler
) -> None:
    server = serve({})
    gone = [f"/gone-{number}.xml" for number in range(50_000)]
    gone[50] = "/alive.xml"
    server.site = {
        "/robots.txt": robots("/index.xml", "/last.xml"),
        "/": page(),
        "/index.xml": index(*gone),
        "/alive.xml": urlset(f"{server.url}a"),
        "/last.xml": urlset(f"{server.url}b"),
        "/a": page(),
        "/b": page(),
    }
    result = crawl(server.url)
    found = files(result, server.url)
    assert [path for path in asked(server) if path.endswith(".xml")] == [
        "/index.xml", *gone[:151], "/last.xml"
    ]  # fmt: skip
    assert found["/index.xml"]["unread"] == 50_000 - 151
    assert found["/index.xml"]["error"] == (
        "49,849 of its files not asked for: the 100 before failed"
    )
    assert found["/gone-0.xml"]["error"] == "HTTP 404"
    assert len(found) == 153
    assert len(result.sitemap) == 3
    assert result.log.count("WARNING") == 3


@pytest.mark.parametrize("named_by", ["index", "robots"])
def test_there_is_a_cap_on_files(named_by: str, crawl: Crawler) -> None:
    names = [f"/s{number}.xml" for number in range(9)]
    site = {"/": page(), **{name: urlset(f"http://other.example{name}") for name in names}}
    if named_by == "index":
        site |= {"/robots.txt": robots("/index.xml"), "/index.xml": index(*names)}
    else:
        site |= {"/robots.txt": robots("/index.xml", *names), "/index.xml": index()}
    server, result = crawl.site(site, settings=(*IMPATIENT, "-s", "SITEMAPGEN_MAX_SITEMAPS=4"))
    found = files(result, server.url)
    assert asked(server) == ["/index.xml", *names[:3]]
    place = "/index.xml" if named_by == "index" else names[3]
    assert found[place]["unread"] == 6
    assert found[place]["error"].endswith("SITEMAPGEN_MAX_SITEMAPS=4 is reached")
    assert "SITEMAPGEN_MAX_SITEMAPS=4 is reached" in result.log


def test_files_are_asked_for_one_at_a_time_while_pages_are_fetched(crawl: Crawler) -> None:
    names = [f"/s{number}.xml" for number in range(8)]
    hrefs = [f"/p{number}" for number in range(30)]
    server, _ = crawl.site(
        {
            "/": page(*hrefs),
            "/sitemap.xml": index(*names),
            **{name: urlset()._replace(delay=0.05) for name in names},
            **{href: page()._replace(delay=0.02) for href in hrefs},
        }
    )
    visits = [visit for visit in server.visits if visit.path in names]
    assert [visit.path for visit in visits] == names
    assert all(one.ended <= two.began for one, two in pairwise(visits))
    between = server.visits[server.visits.index(visits[0]) : server.visits.index(visits[-1])]
    assert any(visit.path in hrefs for visit in between)


# Bad files


def test_a_page_at_every_usual_path_is_no_sitemap(crawl: Crawler) -> None:
    server, result = crawl.site(lambda path: page(title=path) if path != "/robots.txt" else None)
    assert result.sitemap == [server.url]
    assert result.report["sitemaps"] == []
    named = crawl(server.url, f"sitemaps={server.url}sitemap.xml")
    assert files(named, server.url)["/sitemap.xml"]["error"] == "an HTML page"


@pytest.mark.full
def test_bombs_end(serve: Serve, tmp_path: Path) -> None:
    zeros = gzip.compress(b"<urlset>" + bytes(10_000_000), mtime=0) * 1_000  # 10 GB
    server = serve(
        {
            "/robots.txt": robots("/bomb.xml.gz", "/encoded.xml", "/nested.gz", "/large.xml"),
            "/": page(),
            "/bomb.xml.gz": Answer(zeros, headers={"Content-Type": "application/gzip"}),
            "/encoded.xml": Answer(zeros, headers={"Content-Encoding": "gzip"}),
            "/nested.gz": Answer(gzip.compress(zeros), headers={}),
            "/large.xml": Answer(b" " * 53_000_000, headers={}),
        }
    )
    result, megabytes = crawl_watched(server.url, tmp_path)
    found = files(result, server.url)
    assert {url: file["error"].partition(":")[0] for url, file in found.items()} == {
        "/bomb.xml.gz": "larger than 52,428,800 bytes",
        "/nested.gz": "larger than 52,428,800 bytes",
        "/encoded.xml": "the answer is too large",
        "/large.xml": "the answer is too large",
    }
    assert megabytes < 350


def test_an_answer_that_breaks_off_keeps_what_came(raw: RawServer, crawl: Crawler) -> None:
    """The connection ends before the body does, every time."""
    base = raw.url
    body = f"<urlset><url><loc>{base}a</loc></url><url><loc>{base}b".encode()
    html = b"Content-Type: text/html"
    raw.answers = {
        "/": answer(b"<p>page", html),
        "/a": answer(b"<p>page a", html),
        "/sitemap.xml": answer(body, html, b"Content-Length: %d" % (len(body) + 99)),
    }
    result = crawl(base)
    file = files(result, base)["/sitemap.xml"]
    assert (file["format"], file["entries"]) == ("urlset", 1)
    assert file["error"] == "the response was cut short: only the received part was read"
    assert result.sitemap == [base, f"{base}a"]


def million(other: str) -> bytes:
    """Nearly as large as a sitemap may be, with twenty times the URLs it may have."""
    urls = b"".join(b"<url><loc>%s%x</loc></url>" % (other, number) for number in range(1_000_000))
    return b"<urlset>" + urls + b"</urlset>"


@pytest.mark.full
def test_a_million_urls_of_another_site_cost_neither_rows_nor_memory(
    serve: Serve, tmp_path: Path
) -> None:
    body = million(b"http://another.example/")
    assert 45_000_000 < len(body) < 52_428_800
    server = serve({"/": page(), "/sitemap.xml": xml(body.decode())})
    result, megabytes = crawl_watched(server.url, tmp_path)
    file = files(result, server.url)["/sitemap.xml"]
    assert (file["entries"], file["offsite"]) == (50_000, 50_000)
    assert file["error"] == "more than 50,000 entries: the rest was not read"
    assert file["offsite_examples"] == [f"http://another.example/{number}" for number in range(5)]
    assert list(result.urls) == [server.url]
    assert len(tables.urls(result.state)) <= 1
    assert len(tables.sitemap_entries(result.state)) <= 1
    assert megabytes < 350


@pytest.mark.full
@pytest.mark.parametrize("count", [3, *rest(20)])
def test_however_many_files_of_another_site(count: int, serve: Serve, tmp_path: Path) -> None:
    full = urlset(*(f"http://other.example/{number}" for number in range(50_000)))
    names = [f"/s{number}.xml" for number in range(count)]
    server = serve({"/": page(), "/sitemap.xml": index(*names), **dict.fromkeys(names, full)})
    result, megabytes = crawl_watched(server.url, tmp_path)
    found = files(result, server.url)
    assert sum(file["offsite"] for file in found.values()) == 50_000 * count
    assert list(result.urls) == [server.url]
    assert megabytes < 200


# Kill safety


@pytest.mark.full
def test_killed_while_it_reads_sitemaps(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    names = [f"/s{number}.xml" for number in range(40)]
    server = serve({
        "/robots.txt": robots("/index.xml", "/dead.xml", "/feed"),
        "/": page(),
        "/index.xml": index(*names, "http://stranger.example/s.xml"),
        "/dead.xml": index(*(f"/gone-{number}.xml" for number in range(130))),
        "/feed": Answer(f"<rss><item><link>{HERE}p1</link></item></rss>", delay=0.1),
        **{
            name: urlset(f"{HERE}p{number}", f"{HERE}p{number + 1}", "http://o.example/")
            ._replace(delay=0.02)
            for number, name in enumerate(names)
            if number % 5
        },
        **{f"/p{number}": page() for number in range(41)},
    })  # fmt: skip
    undisturbed = crawl.published(server.url)
    assert len(undisturbed.report["sitemaps"]) == 143
    for seed in range(3):
        dice = random.Random(seed)
        output, log = tmp_path / f"killed-{seed}", tmp_path / f"log-{seed}"
        for requests in (dice.randint(3, 140), dice.randint(3, 140)):
            kill_after(requests, server, command(server.url, output, *IMPATIENT), log)
        assert not (output / "sitemap.xml").exists()
        assert run_to_end(command(server.url, output, *IMPATIENT), log) == 0, log.read_text()
        assert Crawl(0, "", output).files == undisturbed.files


def crawl_watched(url: str, directory: Path) -> tuple[Crawl, float]:
    """Crawl; the most resident memory on the way, in MB."""
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak is read from /proc, which this system has not")
    output, log = directory / "output", directory / "log"
    process = start(command(url, output, *IMPATIENT), log)
    memory = Memory()
    memory.watch(process.pid)
    code = process.wait(DEADLINE)
    return Crawl(code, log.read_text("utf-8", "replace"), output), memory.peak
