"""Formats with what a crawl collects, and keeps from run to run: texts, descriptions and links.

What links.csv says of a link: ``test_links_csv.py``.
"""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.crawls import commands
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler
from tests.helpers.server import Answer, Serve, Server

FILES = {
    "links": "links.csv",
    "md": "sitemap.md.zip",
    "jsonl": "sitemap.jsonl",
    "llms": "llms.txt",
}
COLLECTED = {"links": "links", "md": "texts", "jsonl": "texts", "llms": "descriptions"}
ALL = f"formats={','.join(FILES)}"
LONG = "The lamps of the harbour are lit by hand every evening of the year. " * 100


def document(title: str, description: str, body: str, head: str = "") -> Answer:
    source = (
        f'<!doctype html><html lang="en"><title>{title}</title>{head}'
        f'<meta name="description" content="{description}"><body><nav>Menu</nav>{body}'
    )
    headers = {"Content-Type": "text/html; charset=utf-8", "ETag": f'"{hash(source)}"'}
    return Answer(source, headers=headers)


LINKS = '<li><a href="a">A</a><li><a href="/docs/">Docs</a>'
SITE = {
    "/": document("Lamps", "All about\n lamps.", f"<h1>Welcome</h1><ul>{LINKS}</ul>"),
    "/a": document("A [new] page", "", f"<p>{LONG}</p><p>The end of A.</p>"),
    "/docs/": document("Guides", "How lamps are used", f"<p>{LONG[:900]}</p><a href=use>x</a>"),
    "/docs/use": document("Use", "By hand &amp; by foot", "<p>Of use.</p><a href=/hidden>x</a>"),
    "/hidden": document("Hidden", "", "Left out", '<meta name="robots" content="noindex">'),
}
PAGES = {"/a", "/docs/", "/docs/use"}


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(SITE)


def lines(result: Crawl) -> dict[str, dict[str, str]]:
    """The rows of sitemap.jsonl by path."""
    rows = map(json.loads, (result.output / "sitemap.jsonl").read_text("utf-8").splitlines())
    return {row["url"].split("/", 3)[3]: row for row in rows}


def llms_txt(url: str, use: str = "By hand & by foot") -> str:
    return (
        "# Lamps\n\n> All about lamps.\n\n4 pages, found by a crawl with sitemapgen.\n\n"
        f"## Start\n\n- [Lamps]({url}): All about lamps.\n- [A &#91;new&#93; page]({url}a)\n\n"
        f"## Guides\n\n- [Guides]({url}docs/): How lamps are used\n- [Use]({url}docs/use): {use}\n"
    )


def test_texts_and_descriptions(server: Server, crawl: Crawler) -> None:
    result = crawl.published(server.url, ALL)
    found = lines(result)
    assert list(found) == ["", "a", "docs/", "docs/use"]
    assert found[""]["text"] == f"# Welcome\n\n- [A]({server.url}a)\n- [Docs]({server.url}docs/)\n"
    assert found["a"]["text"] == f"{LONG.strip()}\n\nThe end of A.\n"
    assert (found["a"]["title"], found["a"]["lang"]) == ("A [new] page", "en")
    with ZipFile(result.output / "sitemap.md.zip") as archive:
        assert archive.namelist() == ["index.md", "a.md", "docs/index.md", "docs/use.md"]
        assert archive.read("docs/index.md").decode().endswith(found["docs/"]["text"])
    assert (result.output / "llms.txt").read_text("utf-8") == llms_txt(server.url)


def test_a_refresh_keeps_what_was_not_read_again(server: Server, crawl: Crawler) -> None:
    before = crawl.published(server.url, ALL).files
    server.visits.clear()
    second = crawl(server.url, ALL)
    assert {visit.path for visit in server.visits if visit.status == 304} >= PAGES
    for name in FILES.values():
        assert second.files[name] == before[name]
        assert second.log.count(f"{name}: unchanged") == 1
    docs = lines(second)["docs/"]
    server.site = {**SITE, "/docs/use": document("Use", "By foot", "<p>Another text.</p>")}
    third = crawl(server.url, "formats=jsonl,llms", "force=true")
    found = lines(third)
    assert found["docs/use"]["text"] == "Another text.\n"
    assert found["docs/"] == docs | {"lastmod": found["docs/"]["lastmod"]}
    assert (third.output / "llms.txt").read_text("utf-8") == llms_txt(server.url, "By foot")
    assert not {"links.csv", "sitemap.md.zip"} & third.files.keys()  # what is not asked for goes


@pytest.mark.full
def test_publish_writes_them_again(server: Server, crawl: Crawler) -> None:
    result = crawl(server.url, ALL)
    assert commands.run("publish", result.output, "-a", "formats=xml").code == 0
    assert not {*FILES.values()} & Crawl(0, "", result.output).files.keys()
    assert commands.run("publish", result.output, "-a", ALL).code == 0
    assert Crawl(0, "", result.output).files == result.files
    part = ("-a", "exclude=/docs/*", "-a", "force=true")
    assert commands.run("publish", result.output, *part).code == 0
    text = (result.output / "llms.txt").read_text("utf-8")
    assert "2 pages, found" in text
    assert "Guides" not in text


@pytest.mark.full
def test_what_a_crawl_did_not_collect_is_read_again(server: Server, crawl: Crawler) -> None:
    result = crawl(server.url)
    for form, what in COLLECTED.items():
        refused = commands.run("publish", result.output, "-a", f"formats={form}")
        sentence = f"formats: the crawl did not collect {what}; crawl with -a formats={form}"
        assert (refused.code, refused.sentence.endswith(sentence)) == (2, True), refused.log
    for formats in ("jsonl", "jsonl,links", "jsonl,links,llms"):
        server.visits.clear()
        crawl(server.url, f"formats={formats}")
        assert {visit.status for visit in server.visits if visit.path in SITE} == {200}
    assert list(lines(result)) == ["", "a", "docs/", "docs/use"]
    assert (result.output / "llms.txt").read_text("utf-8") == llms_txt(server.url)
    assert commands.run("publish", result.output, "-a", "formats=md").code == 0  # of the same texts
    assert "sitemap.md.zip" in Crawl(0, "", result.output).files


def test_files_of_others_stay(server: Server, crawl: Crawler, tmp_path: Path) -> None:
    theirs = dict.fromkeys(FILES.values(), b"theirs\n")
    output = tmp_path / "output"
    output.mkdir()
    for name, content in theirs.items():
        (output / name).write_bytes(content)
    assert theirs.items() <= crawl(server.url).files.items()


def test_an_interrupted_crawl_holds_on_to_them(server: Server, crawl: Crawler) -> None:
    stop = (*IMPATIENT, "-s", "CLOSESPIDER_PAGECOUNT=3", "-s", "CONCURRENT_REQUESTS=1")
    assert crawl(server.url, settings=stop).code == 6
    refused = crawl(server.url, "formats=links")
    assert refused.code == 5
    assert "formats: the interrupted crawl" in refused.log
    assert "continue it with -a formats=xml" in refused.log
    assert crawl(server.url, "formats=xml,txt").code == 0
