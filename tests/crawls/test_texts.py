"""``formats=md,jsonl``: whole texts of the pages as they were read, kept from crawl to crawl."""

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.crawls import commands
from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import Answer, Serve, Server

pytestmark = pytest.mark.sample

HTML = {"Content-Type": "text/html; charset=utf-8"}
LONG = "The lamps of the harbour are lit by hand every evening of the year. " * 100


def document(title: str, body: str) -> Answer:
    source = f'<!doctype html><html lang="en"><title>{title}</title><body><nav>Menu</nav>{body}'
    return Answer(source, headers={**HTML, "ETag": f'"{hash(body)}"'})


SITE = {
    "/": document("Home", '<h1>Welcome</h1><ul><li><a href="a">A</a><li><a href="/b/">B</a></ul>'),
    "/a": document("A", f"<p>{LONG}</p><p>The end of A.</p>"),
    "/b/": document("B", f"<h2>Of B</h2><p>{LONG[:900]}</p>"),
}


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(SITE)


def lines(directory: Path) -> dict[str, dict[str, str]]:
    text = (directory / "sitemap.jsonl").read_text("utf-8")
    rows = [json.loads(row) for row in text.splitlines()]
    return {row["url"].split("/", 3)[3]: row for row in rows}


def test_whole_texts(server: Server, crawl: Crawler) -> None:
    result = crawl.published(server.url, "formats=md,jsonl")
    found = lines(result.output)
    assert list(found) == ["", "a", "b/"]
    assert found[""]["text"] == f"# Welcome\n\n- [A]({server.url}a)\n- [B]({server.url}b/)\n"
    assert found["a"]["text"] == f"{LONG.strip()}\n\nThe end of A.\n"
    assert (found["a"]["title"], found["a"]["lang"]) == ("A", "en")
    with ZipFile(result.output / "sitemap.md.zip") as archive:
        assert archive.namelist() == ["index.md", "a.md", "b/index.md"]
        assert archive.read("b/index.md").decode().endswith(found["b/"]["text"])


def test_a_refresh_keeps_the_texts_of_unchanged_pages(server: Server, crawl: Crawler) -> None:
    before = crawl(server.url, "formats=md,jsonl").files
    server.visits.clear()
    second = crawl(server.url, "formats=md,jsonl")
    assert {visit.path for visit in server.visits if visit.status == 304} >= {"/a", "/b/"}
    assert second.files["sitemap.jsonl"] == before["sitemap.jsonl"]
    assert second.files["sitemap.md.zip"] == before["sitemap.md.zip"]
    assert second.log.count("sitemap.md.zip: unchanged") == 1
    server.site = {**SITE, "/a": document("A", "<p>Another text, which is much shorter.</p>")}
    third = lines(crawl(server.url, "formats=jsonl").output)
    assert third["a"]["text"] == "Another text, which is much shorter.\n"
    assert third["b/"] == lines(second.output)["b/"] | {"lastmod": third["b/"]["lastmod"]}
    assert not (second.output / "sitemap.md.zip").exists()  # what is not asked for goes


@pytest.mark.full
def test_texts_are_published_again_only_where_the_crawl_has_them(
    server: Server, crawl: Crawler, tmp_path: Path
) -> None:
    plain = crawl(server.url, output=tmp_path / "plain")
    assert not (plain.output / "sitemap.jsonl").exists()
    refused = commands.run("publish", plain.output, "-a", "formats=md")
    assert refused.code == 2
    assert "formats: the crawl did not collect texts; crawl with -a formats=md" in refused.log
    server.visits.clear()
    crawl(server.url, "formats=jsonl", output=plain.output)
    assert {"/", "/a", "/b/"} <= set(server.paths)
    assert {visit.status for visit in server.visits if visit.path in SITE} == {200}
    assert list(lines(plain.output)) == ["", "a", "b/"]
    assert commands.run("publish", plain.output, "-a", "formats=md,links").code == 2
    assert commands.run("publish", plain.output, "-a", "formats=md").code == 0
    assert (plain.output / "sitemap.md.zip").exists()
    assert not (plain.output / "sitemap.jsonl").exists()


def test_files_of_others_stay(server: Server, crawl: Crawler, tmp_path: Path) -> None:
    output = tmp_path / "output"
    output.mkdir()
    (output / "sitemap.jsonl").write_text('{"their": "own"}\n')
    (output / "sitemap.md.zip").write_bytes(b"PK theirs")
    crawl(server.url, output=output, settings=IMPATIENT)
    assert (output / "sitemap.jsonl").read_text() == '{"their": "own"}\n'
    assert (output / "sitemap.md.zip").read_bytes() == b"PK theirs"
