"""Editions: reports have the time of a crawl, and an unchanged site has an unchanged report."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sitemapgen import __version__
from tests.crawls.commands import run
from tests.helpers.browser import needs_browser
from tests.helpers.crawls import (
    CRAWLED,
    DEADLINE,
    IMPATIENT,
    Crawl,
    Crawler,
    assert_one_sentence,
    command,
    start,
)
from tests.helpers.server import HERE, Answer, Serve, marked, page, text, urlset
from tests.store import tables

DAY = 86_400.0
BEGIN = 20_500.5 * DAY
FIRST, SECOND, LAST = (f"2026-02-{day}T12:00:00+00:00" for day in (16, 18, 20))


def site(words: dict[str, str], gone: str = "") -> dict[str, Answer]:
    """Pages with a text each, some of them in the site's own sitemap; one of them may be gone."""
    pages = {f"/{name}": page(text=f"{said} " * 60, title=name) for name, said in words.items()}
    return {
        "/": page(*pages, *([f"/{gone}"] if gone else []), text="All there is", title="Start"),
        "/robots.txt": text("Sitemap: /sitemap.xml"),
        "/sitemap.xml": urlset("", "a", "b", base=HERE),
        **pages,
    }


def report_of(crawl: Crawl) -> dict[str, Any]:
    """report.json, with the hour of each time: a crawl takes a while."""
    text = (crawl.output / "report.json").read_text("utf-8")
    report: dict[str, Any] = json.loads(re.sub(r"T12:\d\d:\d\d\+", "T12:00:00+", text))
    return report


BEFORE = {"a": "one", "b": "two", "c": "three", "d": "four"}
AFTER = {"a": "one", "b": "another two", "d": "four", "e": "five"}


@pytest.mark.full
def test_an_edition_stands_until_the_report_differs(crawl: Crawler) -> None:
    server, first = crawl.site(site(BEFORE), now=BEGIN)
    said = report_of(first)
    edition = {"crawled": FIRST, "version": __version__, "start": server.url}
    assert (said["edition"], said["changes"]) == (edition, None)
    assert said["headline"] == {
        "sentence": "3 of 5 indexable pages (60.0 %) are in your sitemap.",
        **{"part": 3, "whole": 5, "share": 0.6},
    }
    assert f"INFO {said['headline']['sentence']}" in first.log
    row = {"seen": 5, "listed": 5, "in_sitemap": 3, "share": 0.6}
    assert said["trends"] == [{"crawled": FIRST, **row}]
    before = first.files
    again = crawl.published(server.url, now=BEGIN + DAY)
    assert again.files == before

    server.site = site(AFTER, gone="c")
    third = crawl.published(server.url, now=BEGIN + 2 * DAY)
    report = report_of(third)
    changes = {
        "since": FIRST,
        "new": {"count": 1, "examples": [f"{server.url}e"]},
        "gone": {"count": 1, "examples": [{"url": f"{server.url}c", "verdict": "http_error"}]},
        "changed": {"count": 2, "examples": [server.url, f"{server.url}b"]},
    }
    assert (report["edition"]["crawled"], report["changes"]) == (SECOND, changes)
    assert [each["crawled"] for each in report["trends"]] == [FIRST, SECOND]
    words = "1 page is new, 1 page is gone, the text of 2 pages has changed."
    assert f"INFO Since 2026-02-16 {words}" in third.log
    diff = run("diff", third.output, "--format", "json")
    counts = json.loads(diff.out)["counts"]
    assert (counts["added"], counts["verdict"]) == (1, 1)
    before = third.files
    assert crawl(server.url, now=BEGIN + 3 * DAY).files == before
    assert run("report", third.output).code == 0
    assert Crawl(0, "", third.output).files == before

    server.site = site({**AFTER, "a": "one more"}, gone="c")
    fifth = report_of(crawl(server.url, now=BEGIN + 4 * DAY))
    assert fifth["edition"]["crawled"] == LAST
    assert (fifth["changes"]["since"], fifth["changes"]["changed"]["count"]) == (SECOND, 1)


def test_a_title_alone_makes_an_edition(crawl: Crawler) -> None:
    """Its change is one of urls.csv only."""
    server, _ = crawl.site({"/": page(title="Old")}, now=BEGIN)
    server.site = {"/": page(title="New")}
    report = report_of(crawl(server.url, now=BEGIN + 2 * DAY))
    assert report["edition"]["crawled"] == SECOND
    kinds = ("new", "gone", "changed")
    assert [report["changes"][kind]["count"] for kind in kinds] == [0, 0, 0]


def test_a_refused_report_is_no_edition_for_the_next_crawl(serve: Serve, crawl: Crawler) -> None:
    server = serve(site(BEFORE))
    assert crawl(server.url, now=BEGIN).code == 0
    server.site = site({"a": "one"})
    refused = crawl(server.url, now=BEGIN + DAY)
    assert refused.code == 5, refused.log
    beside = json.loads((refused.output / "refused" / "report.json").read_bytes())
    assert (beside["changes"]["gone"]["count"], len(beside["trends"])) == (3, 2)
    server.site = site(BEFORE)
    third = crawl.published(server.url, now=BEGIN + 2 * DAY)
    report = report_of(third)
    assert [report["changes"][kind]["count"] for kind in ("new", "gone")] == [0, 0]
    assert report["changes"]["since"] == FIRST
    assert [each["crawled"] for each in report["trends"]] == [FIRST, SECOND]


@pytest.mark.full
def test_the_report_of_an_interrupted_crawl_has_the_time_of_its_last_response(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = serve(site(BEFORE))
    assert crawl(server.url, now=BEGIN).code == 0
    names = [f"/{number}" for number in range(90)]
    server.site = {"/": page(*names), **{name: page()._replace(delay=0.1) for name in names}}
    output, log = tmp_path / "output", tmp_path / "log2"
    process = start(command(server.url, output, *IMPATIENT), log, now=BEGIN + 2 * DAY)
    began = len(server.visits)
    while len(server.visits) < began + 40 and process.poll() is None:
        pass
    process.terminate()
    assert process.wait(DEADLINE) == 6, log.read_text()
    assert run("report", output).code == 0
    report = report_of(Crawl(0, "", output))
    assert report["unfinished"]
    assert report["edition"]["crawled"] == SECOND
    assert report["changes"] is None
    assert [each["crawled"] for each in report["trends"]] == [FIRST]


def test_the_time_may_be_given(serve: Serve, crawl: Crawler) -> None:
    """As reproducible-builds.org has it: other tests compare the files of two crawls by it."""
    result = crawl(serve({"/": page()}).url)
    assert CRAWLED == 1_767_225_600
    assert result.report["edition"]["crawled"] == "2026-01-01T00:00:00+00:00"


@pytest.mark.parametrize("given", ["yesterday", "-1", "1e9", "9" * 30])
def test_a_time_that_is_none(given: str, serve: Serve, tmp_path: Path) -> None:
    server = serve({"/": page()})
    arguments = command(server.url, tmp_path / "output", *IMPATIENT)[3:]
    result = run(*arguments, SOURCE_DATE_EPOCH=given)
    crawl = Crawl(result.code, result.log, tmp_path / "output")
    assert_one_sentence(crawl, 2, f"SOURCE_DATE_EPOCH: {given!r} is no time; use whole seconds")
    assert server.visits == []


def test_a_state_of_an_earlier_version_has_the_time_of_its_last_crawl(crawl: Crawler) -> None:
    _, result = crawl.site({"/": page("/a"), "/a": page()}, now=BEGIN)
    tables.forget_editions(result.state)
    assert run("report", result.output).code == 0
    report = report_of(Crawl(0, "", result.output))
    assert report["edition"]["crawled"] == FIRST  # when its files were written
    assert report["edition"]["version"] == __version__
    assert (report["changes"], report["trends"]) == (None, [])


def test_times_and_sizes_of_pages_are_in_the_result(crawl: Crawler) -> None:
    slow = page(text="word " * 4_000)._replace(delay=0.4)
    names = [f"/blog/{number}" for number in range(3)]
    _, result = crawl.site({"/": page(*names, "/gone"), **dict.fromkeys(names, slow)})
    facts = result.outcome
    blog, start_page = facts["responses"]
    assert (blog["template"], blog["responses"]) == ("/blog/*", 3)
    assert blog["seconds"]["median"] >= 0.38
    assert 20_000 < blog["bytes"]["median"] <= blog["bytes"]["p95"] < 24_000
    assert (start_page["template"], start_page["responses"]) == ("/", 1)
    assert "responses" not in result.report


@pytest.mark.full
@needs_browser
def test_a_refresh_that_renders_fewer_pages_changes_no_file(serve: Serve, crawl: Crawler) -> None:
    """Scripts that add nothing are tried on a sample; unchanged pages are not read again."""
    script = '<script src="/menu.js"></script>'
    names = [f"page{number}" for number in range(12)]
    pages = {
        f"/{name}": marked(page(head=script, title=name, text=f"{name} has words. " * 40), name)
        for name in names
    }
    server = serve({"/": page(*pages, head=script, text="All there is. " * 40), **pages})
    first = crawl.published(server.url, now=BEGIN)
    before, rendering = first.files, first.report["rendering"]
    assert rendering["pages"] > 0
    again = crawl.published(server.url, now=BEGIN + DAY)
    assert again.files == before
    assert run("report", first.output).code == 0
    assert again.files == before
    server.site["/page3"] = marked(page(head=script, title="3", text="Other words. " * 40), "new")
    changed = crawl(server.url, now=BEGIN + 2 * DAY)
    assert changed.report["changes"]["changed"]["count"] == 1
    assert changed.report["rendering"]["scripted"] < rendering["scripted"]
