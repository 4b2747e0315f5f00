"""``formats=llms``: llms.txt with the descriptions of the pages, kept from crawl to crawl."""

from pathlib import Path

import pytest

from tests.crawls import commands
from tests.helpers.crawls import Crawler
from tests.helpers.server import Answer, Serve, Server

pytestmark = pytest.mark.sample


def document(title: str, description: str, body: str = "", head: str = "") -> Answer:
    source = (
        f'<!doctype html><html lang="en"><title>{title}</title>{head}'
        f'<meta name="description" content="{description}"><body>{body} Words of {title}.'
    )
    headers = {"Content-Type": "text/html; charset=utf-8", "ETag": f'"{hash(source)}"'}
    return Answer(source, headers=headers)


LINKS = "".join(f'<a href="{path}">x</a>' for path in ("/a", "/docs/", "/docs/use", "/hidden"))
SITE = {
    "/": document("Lamps", "All about\n lamps.", LINKS),
    "/a": document("A [new] page", ""),
    "/docs/": document("Guides", "How lamps are used"),
    "/docs/use": document("Use", "By hand &amp; by foot"),
    "/hidden": document("Hidden", "Left out", head='<meta name="robots" content="noindex">'),
}


def expected(url: str, use: str = "By hand & by foot") -> str:
    return (
        "# Lamps\n\n> All about lamps.\n\n4 pages, found by a crawl with sitemapgen.\n\n"
        f"## Start\n\n- [Lamps]({url}): All about lamps.\n- [A &#91;new&#93; page]({url}a)\n\n"
        f"## Guides\n\n- [Guides]({url}docs/): How lamps are used\n- [Use]({url}docs/use): {use}\n"
    )


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(SITE)


@pytest.mark.full
def test_a_refresh_keeps_the_descriptions_of_unchanged_pages(
    server: Server, crawl: Crawler
) -> None:
    first = crawl.published(server.url, "formats=llms")
    assert (first.output / "llms.txt").read_text("utf-8") == expected(server.url)
    server.visits.clear()
    second = crawl(server.url, "formats=llms")
    assert {visit.path for visit in server.visits if visit.status == 304} >= {"/a", "/docs/"}
    assert second.files["llms.txt"] == first.files["llms.txt"]
    assert second.log.count("llms.txt: unchanged") == 1
    server.site = {**SITE, "/docs/use": document("Use", "By foot")}
    third = crawl(server.url, "formats=llms")
    assert (third.output / "llms.txt").read_text("utf-8") == expected(server.url, "By foot")
    again = commands.run("publish", third.output, "-a", "exclude=/docs/*", "-a", "force=true")
    assert again.code == 0, again.log
    text = (third.output / "llms.txt").read_text("utf-8")
    assert "2 pages, found" in text
    assert "Guides" not in text
    crawl(server.url)
    assert not (third.output / "llms.txt").exists()  # what is not asked for goes


def test_descriptions_are_published_only_where_the_crawl_has_them(
    server: Server, crawl: Crawler, tmp_path: Path
) -> None:
    plain = crawl(server.url, output=tmp_path / "plain")
    refused = commands.run("publish", plain.output, "-a", "formats=llms")
    assert refused.code == 2
    assert "formats: the crawl did not collect descriptions; crawl with -a" in refused.log
    (plain.output / "llms.txt").write_text("# By hand\n")
    crawl(server.url, output=plain.output)
    assert (plain.output / "llms.txt").read_text() == "# By hand\n"  # files of others stay
    server.visits.clear()
    crawl(server.url, "formats=llms", output=plain.output)
    assert {visit.status for visit in server.visits if visit.path in SITE} == {200}
    assert (plain.output / "llms.txt").read_text("utf-8") == expected(server.url)
