"""What a crawl writes besides the plain sitemap, and what ``scrapy publish`` makes of it later."""

import json
import re
import shutil
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from html import escape
from pathlib import Path

import pytest
from lxml import etree

from tests.crawls.commands import run
from tests.helpers.browser import needs_browser
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler, command, kill_after
from tests.helpers.opened import Opened, Show, launched
from tests.helpers.server import Answer, Serve, Server, page
from tests.helpers.sitemaps import assert_valid_with_extensions

EVERYTHING = (
    "extensions=hreflang,images,videos,news",
    "formats=xml,txt,json,rss,atom,html",
    "stylesheet=xsl",
)
HOSTILE = "</title></script><script>alert(1)</script> \"'& \u202egnp.exe\r\n"
WORDS = "Every page of this site says something of its own, in more than one hundred characters: "


def moment(**ago: float) -> str:
    return (datetime.now(timezone.utc) - timedelta(**ago)).strftime("%Y-%m-%dT%H:%M:%SZ")


def alternates(**hrefs: str) -> str:
    return "".join(
        f'<link rel="alternate" hreflang="{code.replace("_", "-")}" href="{href}">'
        for code, href in hrefs.items()
    )


def json_ld(**node: object) -> str:
    text = json.dumps(node).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def article(**ago: float) -> str:
    date = moment(**ago)
    return json_ld(
        **{"@type": "NewsArticle", "headline": HOSTILE, "inLanguage": "en"},
        datePublished=date,
        dateModified=date,
        publisher={"name": "The Daily"},
    )


def said(path: str, *links: str, head: str = "", body: str = "") -> Answer:
    """A page with a text of its own."""
    words = " ".join(f"{path}{number}" for number in range(30))
    return page(*links, head=head, title=escape(f"Title of {path}"), text=f"{WORDS}{words}{body}")


def site() -> dict[str, Answer]:
    """Pages with all that an entry can say."""
    all_four = alternates(en="/en", de="/de", fr="/gone", x_default="/en")
    paths = ("/en", "/de", "/it", "/news/new", "/news/old", "/film", "/pictures", "/hostile")
    film = json_ld(
        **{"@type": "VideoObject", "name": "A film", "description": "Of <films>"},
        thumbnailUrl="/t.jpg",
        contentUrl="/f.mp4",
    )
    return {
        "/": said("/", *paths, head=json_ld(dateModified="2024-05-01T10:00:00Z")),
        "/en": said("/en", head=all_four),
        "/de": said("/de", head=all_four),
        "/it": said("/it", head=alternates(it="/it", en="/en")),
        "/news/new": said("/news/new", head=article(hours=5)),
        "/news/old": said("/news/old", head=article(days=3)),
        "/film": said("/film", head=film),
        "/pictures": said(
            "/pictures",
            head='<meta property="og:image" content="/og.png">',
            body='<img src="/a.png?b=1&amp;c=2"><img src="/p.gif" width="1" height="1">',
        ),
        "/hostile": page(title=escape(HOSTILE), text=f"{WORDS}hostile"),
    }


def entry(output: Path, name: str, path: str) -> str:
    """The inner XML of the entry of a URL."""
    text = (output / name).read_text("utf-8")
    found = re.search(rf"<loc>http://[^/]+{re.escape(path)}</loc>\n(.*?)  </url>", text, re.DOTALL)
    return found[1] if found else ""


def shaped(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """What ``scrapy publish`` writes, of all files."""
    return {name: body for name, body in files.items() if name.startswith("sitemap")}


def crawled(crawl: Crawler, *arguments: str) -> Crawl:
    server, result = crawl.site(site(), *arguments)
    server.site = {}  # further requests are answered by 404
    assert result.code == 0, result.log
    return result


def test_a_crawl_writes_all_that_is_asked_for(crawl: Crawler) -> None:
    result = crawled(crawl, *EVERYTHING)
    output = result.output
    suffixes = ("html", "rss", "atom", "txt", "json", "xsl", "css", "xml")
    parts = {"sitemap-1.xml", "sitemap-google-news.xml"}
    assert set(shaped(result.files)) == parts | {f"sitemap.{suffix}" for suffix in suffixes}
    assert_valid_with_extensions(output)
    assert "hreflang: 6 links on 2 pages; left out: not_listed 2, no_return 1" in result.log
    english = entry(output, "sitemap-1.xml", "/en")
    codes = re.findall(r'hreflang="(.*?)" href="http://[^/]+(.*?)"', english)
    assert codes == [("de", "/de"), ("en", "/en"), ("x-default", "/en")]
    assert english.count("xhtml:link") == 3
    assert "xhtml" not in entry(output, "sitemap-1.xml", "/it")  # no page names it back
    pictures = entry(output, "sitemap-1.xml", "/pictures")
    images = re.findall(r"<image:loc>http://[^/]+(.*?)<", pictures)
    assert images == ["/og.png", "/a.png?b=1&amp;c=2"]
    assert "Of &lt;films&gt;" in entry(output, "sitemap-1.xml", "/film")
    news = etree.parse(output / "sitemap-google-news.xml")
    (loc,) = news.iterfind(".//{*}loc")
    assert (loc.text or "").endswith("/news/new")
    assert result.report["extensions"] == {
        "hreflang": {"pages": 2, "count": 6, "left_out": {"not_listed": 2, "no_return": 1}},
        "images": {"pages": 1, "count": 2},
        "news": {"pages": 2, "count": 2},
        "videos": {"pages": 1, "count": 1},
    }
    checked = run("validate", output / "sitemap.xml")
    assert checked.code == 0, checked.out
    assert "duplicate" not in checked.out


def test_the_plain_sitemap_stays_plain(crawl: Crawler) -> None:
    """Extensions cost nothing where they are not asked for."""
    result = crawled(crawl)
    assert set(shaped(result.files)) == {"sitemap.xml"}
    assert b"xmlns:" not in result.files["sitemap.xml"]
    assert b"xml-stylesheet" not in result.files["sitemap.xml"]
    assert result.report["extensions"] == {}
    refused = run("publish", result.output, "-a", "extensions=news,images")
    assert refused.code == 2
    assert "the crawl did not read images and news from the pages" in refused.log


def test_pages_that_did_not_change_keep_their_extensions(crawl: Crawler) -> None:
    """What a 304 answers is not read again; and asking for more reads it again."""
    answers = {
        path: answer._replace(headers={**answer.headers, "ETag": f'"{path}"'})
        for path, answer in site().items()
    }
    server, _ = crawl.site(answers)
    asked = crawl(server.url, *EVERYTHING)
    assert all(visit.status != 304 for visit in server.visits)
    again = crawl(server.url, *EVERYTHING)
    assert sum(visit.status == 304 for visit in server.visits) == len(answers)
    assert shaped(again.files) == shaped(asked.files)
    assert b"video:title" in again.files["sitemap-1.xml"]


@pytest.mark.full
def test_a_killed_crawl_loses_nothing_of_it(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    further = {f"/en/{n}": said(f"/en/{n}", body=f'<img src="/{n}.png">') for n in range(60)}
    answers = {**site(), **further}
    answers["/de"] = said("/de", *further, head=alternates(en="/en", de="/de"))
    arguments = ("extensions=hreflang,images,videos", *EVERYTHING[1:])
    server = serve({path: answer._replace(delay=0.02) for path, answer in answers.items()})
    undisturbed = crawl.published(server.url, *arguments)
    output, log = tmp_path / "killed", tmp_path / "killed.log"
    options = [part for argument in arguments for part in ("-a", argument)]
    for moment in (12, 30):
        kill_after(moment, server, command(server.url, output, *options, *IMPATIENT), log)
    result = crawl.published(server.url, *arguments, output=output)
    assert result.files == undisturbed.files
    assert result.files["sitemap.xml"].count(b"<image:loc>") == 62


# scrapy publish


def test_publish_writes_the_same_files_again(crawl: Crawler, tmp_path: Path) -> None:
    result = crawled(crawl, *EVERYTHING, "gzip=true", "priority=pagerank", "layout=section")
    target = tmp_path / "copy"
    done = run("publish", result.output, "--to", target)
    assert done.code == 0, done.log
    written = {path.name: path.read_bytes() for path in target.iterdir()}
    index = re.compile(rb"<lastmod>.*?</lastmod>")
    now, before = written.pop("sitemap.xml"), result.files["sitemap.xml"]
    assert index.sub(b"", now) == index.sub(b"", before)  # it says when its parts changed
    assert written == {k: v for k, v in shaped(result.files).items() if k != "sitemap.xml"}
    inside = run("publish", result.output)
    assert inside.code == 0, inside.log
    assert "written" not in inside.log
    assert Crawl(0, "", result.output).files == result.files


def test_publish_shapes_the_files_anew(crawl: Crawler) -> None:
    result = crawled(crawl, *EVERYTHING)
    output, before = result.output, result.files
    options = ("formats=xml,txt", "extensions=hreflang", "stylesheet=none", "exclude=/de,/film")
    flags = [
        part for option in (*options, "priority=none", "force=true") for part in ("-a", option)
    ]
    done = run("publish", output, *flags, "-a", "base_url=https://cdn.example/maps")
    assert done.code == 0, done.log
    after = Crawl(0, "", output)
    assert set(shaped(after.files)) == {"sitemap.xml", "sitemap.txt"}
    assert b"priority" not in after.files["sitemap.xml"]
    assert not [url for url in after.sitemap if url.endswith(("/de", "/film"))]
    assert b"<xhtml:link" not in after.files["sitemap.xml"]  # one version is not listed any more
    assert {k: v for k, v in after.files.items() if k not in shaped(after.files)} == {
        k: v for k, v in before.items() if k not in shaped(before)
    }
    again = run("publish", output)  # the crawl's own arguments are the default, always
    assert again.code == 0, again.log
    assert set(shaped(Crawl(0, "", output).files)) == set(shaped(before))


def test_publish_refuses_what_would_lose_too_much(crawl: Crawler) -> None:
    result = crawled(crawl)
    refused = run("publish", result.output, "-a", "include=/en,/de")
    assert refused.code == 5
    assert "7 of 9 published URLs are no longer listed (excluded 7)" in refused.log
    assert Crawl(0, "", result.output).files == result.files
    assert len(Crawl(0, "", result.output / "refused").sitemap) == 2
    forced = run("publish", result.output, "-a", "include=/en,/de", "-a", "force=true")
    assert forced.code == 0, forced.log
    assert len(Crawl(0, "", result.output).sitemap) == 2
    assert not (result.output / "refused").exists()


def test_what_a_crawl_was_refused_may_be_published_later(crawl: Crawler) -> None:
    server, whole = crawl.site(site())
    refused = crawl(server.url, "max_pages=5", "query=keep")  # nothing known could stay as it was
    assert refused.code == 5, refused.log
    again = run("publish", refused.output)
    assert again.code == 5
    assert "the crawl was cut short" in again.log
    assert Crawl(0, "", refused.output).files == whole.files
    forced = run("publish", refused.output, "-a", "force=true")
    assert forced.code == 0, forced.log
    published = Crawl(0, "", refused.output)
    assert len(published.sitemap) == 5
    assert published.report == {**whole.report, "published_complete": False}
    assert not (refused.output / "refused").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["-a", "formats=pdf"], 2, "formats: 'pdf' is unknown; use xml"),
        (["-a", "layout=round"], 2, "layout: 'round' is unknown; use size"),
        (["-a", "format=xml"], 2, "format: no such argument; did you mean formats?"),
        (["-a", "render=never"], 2, "render: decides about the crawl; give it to scrapy crawl"),
        (["-a", "base_url=here"], 2, "base_url: 'here' is not an http or https URL"),
        (["-a", "gzip"], 2, "-a gzip: has no =; write NAME=VALUE"),
        (["-a", "exclude=*"], 4, "nothing to list: excluded 9"),
        (["--to", "/dev/null"], 7, "/dev/null: cannot be written"),
        (["more"], 2, "give OUTPUT, and not"),
    ],
)
def test_what_publish_says_in_one_sentence(
    finished: Path, arguments: list[str], code: int, sentence: str
) -> None:
    before = Crawl(0, "", finished).files
    done = run("publish", finished, *arguments)
    assert done.code == code
    assert sentence in done.log
    assert "Traceback" not in done.log
    assert Crawl(0, "", finished).files == before


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a crawl that has ended, its server gone."""
    with Server(site()) as server:
        return Crawler(tmp_path_factory.mktemp("finished")).published(server.url).output


def test_publish_needs_a_crawl(tmp_path: Path) -> None:
    done = run("publish", tmp_path)
    assert done.code == 2
    assert "not the output of a crawl; it has no crawl.sqlite" in done.log


@pytest.mark.full
def test_an_interrupted_crawl_is_published_by_force_only(serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    result = crawl(server.url, settings=(*IMPATIENT, "-s", "CLOSESPIDER_PAGECOUNT=3"))
    assert result.code == 6, result.log
    refused = run("publish", result.output)
    assert refused.code == 5
    assert "the crawl was interrupted; continue it with the same command" in refused.log
    forced = run("publish", result.output, "-a", "force=true")
    assert forced.code == 0, forced.log
    assert 0 < len(Crawl(0, "", result.output).sitemap) < 9
    continued = crawl.published(server.url)  # nothing of it was written into the state
    assert len(continued.sitemap) == 9


def test_other_extensions_are_another_crawl(serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    interrupted = (*IMPATIENT, "-s", "CLOSESPIDER_PAGECOUNT=3")
    crawl(server.url, "extensions=news,images", settings=interrupted)
    refused = crawl(server.url)
    assert refused.code == 5
    assert "continue it with -a extensions=images,news" in refused.log
    assert crawl(server.url, "extensions=images,news").code == 0


# In a browser


@pytest.fixture
def served(serve: Serve, crawl: Crawler, tmp_path: Path) -> Serve:
    """Serve what a crawl wrote, under the address that it was crawled at."""

    def served_(*arguments: str) -> Server:
        server = serve(site())
        result = crawl.published(server.url, *arguments)
        shutil.copytree(result.output, tmp_path / "served")
        server.site = tmp_path / "served"
        return server

    return served_


def hrefs(opened: Opened) -> list[str]:
    links = opened.page.locator("table a").all()
    return [link.get_attribute("href") or "" for link in links]


@pytest.mark.full
def test_the_page_for_people_in_a_browser(served: Serve, show: Show) -> None:
    server = served(*EVERYTHING)
    seen = show(f"{server.url}sitemap.html", width=360)
    assert seen.complaints == []
    assert seen.page.evaluate("document.documentElement.scrollWidth") == 360
    assert [h2.inner_text() for h2 in seen.page.locator("h2").all()] == ["Start", "News"]
    assert seen.page.locator("script, img").count() == 0
    links = seen.page.locator("main a")
    assert links.count() == 9
    titles = [link.inner_text() for link in links.all()]
    assert "</title></script><script>alert(1)</script> \"'& gnp.exe" in titles
    seen.page.locator("nav a", has_text="news").click()
    assert seen.page.url == f"{server.url}sitemap.html#section-2"
    assert seen.page.evaluate("getComputedStyle(document.body).maxWidth") == "1024px"


@pytest.mark.full
@needs_browser
@pytest.mark.parametrize("xslt", [True, False])
def test_the_stylesheets_in_a_browser(served: Serve, xslt: bool) -> None:
    """Where there is XSLT, a page with links; where it was removed, at least a table."""
    server = served(*EVERYTHING)
    with launched(*([] if xslt else ["--disable-features=XSLT"])) as browser:
        seen = Opened(browser.new_page())
        seen.page.goto(f"{server.url}sitemap.xml")
        root = seen.page.evaluate("document.documentElement.localName")
        if not xslt:
            assert root == "sitemapindex"
            seen.page.goto(f"{server.url}sitemap-1.xml")
            shown = "(name) => getComputedStyle(document.querySelector(name)).display"
            assert seen.page.evaluate(shown, "urlset") == "block"
            assert seen.page.evaluate(shown, "url") == "grid"
            assert seen.page.evaluate(shown, "link") == "none"
            heading = "(name) => getComputedStyle(document.querySelector(name), '::before').content"
            assert seen.page.evaluate(heading, "url > loc") == '"Page"'
            assert seen.page.evaluate(heading, "url:nth-of-type(2) > loc") == "none"
            seen.page.set_viewport_size({"width": 360, "height": 800})
            assert seen.page.evaluate("document.documentElement.scrollWidth") == 360
            return
        if root != "html":
            pytest.skip("this browser has no XSLT any more")
        files = [f"{server.url}sitemap-1.xml", f"{server.url}sitemap-google-news.xml"]
        assert hrefs(seen) == files  # and not what a browser says of XSLT itself
        seen.page.locator("table a").first.click()
        seen.page.locator("tbody tr").nth(8).wait_for()
        assert seen.page.locator("tbody tr").count() == 9
        heads = [cell.inner_text() for cell in seen.page.locator("th").all()]
        assert heads == ["Page", "Last changed", "Priority", "Languages", "Images", "Videos"]
        assert f"{server.url}de" in hrefs(seen)
        seen.page.goto(files[1])
        assert "alert(1)" in seen.page.locator("tbody tr").inner_text()
        assert seen.page.locator("td script").count() == 0
        others = [text for text in seen.complaints if "XSLT" not in text]
        assert not [text for text in others if "404" not in text]  # there is no favicon
