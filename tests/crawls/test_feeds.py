"""Scrapy's feeds: one item a URL, with its final verdict, in every format."""

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT, Crawler, command, start
from tests.helpers.server import HERE, Serve, Server, page, redirect, text

WORDS = "The first page says this and that about its subject, at some length. " * 40
SITE = {
    "/robots.txt": text("User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml\n"),
    "/": page("/a", "/copy", "/old", "/secret", "/missing", title="=cmd()", text="Welcome, all."),
    "/a": page("/", title="A &amp; <B>", text=WORDS),
    "/copy": page("/", title="A &amp; <B>", text=WORDS),
    "/old": redirect("/a"),
    "/noindex": page("/a", head='<meta name="robots" content="noindex">', title="&#1;&#11;N"),
    "/sitemap.xml": text(f"{HERE}noindex\n"),
}


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(SITE)


def feeds(directory: Path, *names: str) -> tuple[str, ...]:
    """The options that have these feeds written."""
    return tuple(part for name in names for part in ("-O", str(directory / name)))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_every_url_is_an_item_in_every_format(
    server: Server, crawl: Crawler, tmp_path: Path
) -> None:
    names = ("items.jl", "items.json", "items.csv", "items.xml")
    result = crawl(server.url, settings=(*IMPATIENT, *feeds(tmp_path, *names)))
    assert (result.code, "Traceback" in result.log) == (0, False), result.log
    items = lines(tmp_path / "items.jl")
    assert json.loads((tmp_path / "items.json").read_text("utf-8")) == items
    assert [item["url"] for item in items] == list(result.urls)
    assert {item["url"]: item["verdict"] for item in items} == result.verdicts
    assert {"listed", "duplicate", "redirect", "robots_disallowed", "http_error", "noindex"} <= {
        item["verdict"] for item in items
    }
    with (tmp_path / "items.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = [*next(iter(result.urls.values())), "text", "links"]
    assert [list(item) for item in items] == [columns] * len(items) == [list(row) for row in rows]
    for row in rows:
        kept = {name: cell for name, cell in row.items() if name not in ("text", "links")}
        assert kept == {**result.urls[row["url"]], "title": kept["title"]}
    elements = list(ElementTree.parse(tmp_path / "items.xml").getroot())
    assert [element.findtext("url") for element in elements] == [item["url"] for item in items]
    assert [[each.text for each in element.find("links") or ()] for element in elements] == [
        item["links"] for item in items
    ]
    of = {item["url"].rpartition("/")[2]: item for item in items}
    assert of["a"]["text"] == f"{WORDS * 2}"[:2000].rstrip()
    assert of["a"]["title"] == "A & <B>"
    assert of["a"]["links"] == [server.url]
    assert of["old"]["links"] == [f"{server.url}a"]
    assert of["old"]["evidence"] == f"301 to {server.url}a"
    assert of["secret"]["evidence"].startswith("robots.txt")
    assert (of["secret"]["text"], of["secret"]["links"]) == ("", [])
    assert of["copy"]["evidence"].endswith(f"{server.url}a")
    assert of["noindex"]["in_sitemap"] == 1
    assert (of["missing"]["status"], of["missing"]["parent"]) == (404, server.url)
    home = next(row for row in rows if row["url"] == server.url)
    assert home["title"] == "'=cmd()"
    assert of[""]["title"] == "=cmd()"
    assert home["links"].split(" ") == of[""]["links"]
    assert home["parent"] == ""
    assert elements[0].findtext("parent") == ""


def test_fields_and_feeds_are_scrapys(server: Server, crawl: Crawler, tmp_path: Path) -> None:
    path = tmp_path / "part-%(batch_id)d.jl"
    options = {"format": "jsonlines", "fields": ["url", "verdict"], "batch_item_count": 3}
    given = ("-s", f"FEEDS={json.dumps({str(path): options})}")
    result = crawl.published(server.url, settings=(*IMPATIENT, *given))
    parts = sorted(tmp_path.glob("part-*.jl"))
    items = [item for part in parts for item in lines(part)]
    assert items == [{"url": url, "verdict": said} for url, said in result.verdicts.items()]
    assert len(parts) == -(-len(items) // 3)


def test_an_interrupted_crawl_says_what_it_knows_and_keeps_its_state(
    server: Server, crawl: Crawler, tmp_path: Path
) -> None:
    stop = ("-s", "CLOSESPIDER_PAGECOUNT=3", "-s", "CONCURRENT_REQUESTS=1")
    feed = feeds(tmp_path, "i.jl")
    first = crawl(server.url, settings=(*IMPATIENT, *stop, *feed))
    assert (first.code, "Traceback" in first.log) == (6, False), first.log
    items = {item["url"]: item for item in lines(tmp_path / "i.jl")}
    waiting = [item for item in items.values() if item["verdict"] == "not_fetched"]
    assert "the crawl was interrupted before" in {item["evidence"] for item in waiting}
    assert items[server.url]["verdict"] == "listed"
    second = crawl.published(server.url, settings=(*IMPATIENT, *feed))
    assert {item["url"]: item["verdict"] for item in lines(tmp_path / "i.jl")} == second.verdicts
    asked = [path for path in server.paths if path in ("/", "/a", "/copy", "/old", "/missing")]
    assert len(asked) == len(set(asked)), "the feed asked for pages again"


def test_a_refresh_says_what_it_carries_on(server: Server, crawl: Crawler, tmp_path: Path) -> None:
    kept = {"ETag": '"1"', "Content-Type": "text/html"}
    server.site = {
        **SITE,
        "/a": page("/", title="A", text=WORDS)._replace(headers=kept),
    }
    crawl(server.url, settings=(*IMPATIENT, *feeds(tmp_path, "first.jl")))
    crawl(server.url, settings=(*IMPATIENT, *feeds(tmp_path, "second.jl")))
    assert 304 in {visit.status for visit in server.visits}
    assert lines(tmp_path / "second.jl") == lines(tmp_path / "first.jl")


def test_a_site_that_never_answers_has_no_items(crawl: Crawler, tmp_path: Path) -> None:
    result = crawl("http://127.0.0.1:1/", settings=(*IMPATIENT, *feeds(tmp_path, "i.jl")))
    assert (result.code, "Traceback" in result.log) == (3, False)
    assert lines(tmp_path / "i.jl") == []


def test_a_feed_that_cannot_be_written_is_one_sentence(
    server: Server, crawl: Crawler, tmp_path: Path
) -> None:
    (tmp_path / "taken").mkdir()
    names = feeds(tmp_path, "taken", "i.jl")
    result = crawl(server.url, settings=(*IMPATIENT, names[0], f"{names[1]}:jl", *names[2:]))
    assert (result.code, "Traceback" in result.log) == (7, False), result.log
    assert "taken: cannot be written: Is a directory" in result.log
    assert len(lines(tmp_path / "i.jl")) == len(result.urls)
    assert result.outcome["exit_code"] == 7


def test_without_a_feed_nothing_is_exported(server: Server, tmp_path: Path) -> None:
    log = tmp_path / "log"
    process = start(command(server.url, tmp_path / "output", *IMPATIENT, "-L", "DEBUG"), log)
    assert process.wait(DEADLINE) == 0
    said = log.read_text("utf-8")
    enabled = said.partition("Enabled extensions:")[2].partition("Enabled downloader")[0]
    assert "Progress" in enabled
    assert "UrlFeeds" not in enabled
