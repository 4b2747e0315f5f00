"""The same command on a finished crawl: what did not change is not fetched again."""

import re
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, Crawler, command, kill_after, run_to_end
from tests.helpers.server import Answer, Serve, Server, marked, page, redirect, text, urlset

pytestmark = pytest.mark.fixed_urls

WORDS = "All there is to say about the subject of this page, and not a word about another one. "


def tree(pages: int = 40) -> dict[str, Answer]:
    """Pages with two links each, all of them marked."""
    site = {
        "/robots.txt": text("User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml"),
        "/sitemap.xml": urlset("http://127.0.0.1/3"),
    }
    for number in range(pages):
        children = [f"/{child}" for child in (2 * number + 1, 2 * number + 2) if child < pages]
        answer = page(*children, "/secret", text=f"{WORDS} {number}", title=f"Page {number}")
        site[f"/{number or ''}"] = marked(answer, f"v1-{number}")
    return site


def statuses(server: Server) -> Counter[int]:
    return Counter(visit.status for visit in server.visits if visit.path.strip("/").isdecimal())


def test_an_unchanged_site(crawl: Crawler) -> None:
    server, first = crawl.site(tree(), settings=IMPATIENT)
    before = first.files
    server.visits.clear()
    second = crawl.published(server.url, settings=IMPATIENT)
    assert second.files == before
    assert statuses(server)[304] == 39
    assert statuses(server)[200] <= 5  # one in fifty is read all the same
    bodies = [visit.size for visit in server.visits if visit.status == 200]
    assert sum(bodies) < 0.2 * sum(len(str(answer.body)) for answer in tree().values())


def test_what_changed_is_read(serve: Serve, crawl: Crawler) -> None:
    """A page with other words, a new one, one that is gone, one that moved, a new sitemap entry."""
    server = serve(tree())
    assert len(crawl(server.url, settings=IMPATIENT).sitemap) == 40
    site = tree()
    site["/3"] = marked(page("/7", "/8", "/new", text="Other words"), "v2")
    site["/new"] = page(text="What was unknown")
    del site["/39"]
    site["/38"] = redirect("/elsewhere")
    site["/elsewhere"] = page(text="Here it is now")
    site["/orphan"] = page(text="Only a sitemap knows it")
    site["/sitemap.xml"] = urlset(f"{server.url}orphan")
    server.site = site
    server.visits.clear()
    result = crawl.published(server.url, settings=IMPATIENT)
    numbers = {f"{server.url}{number or ''}" for number in range(38)}
    assert set(result.sitemap) == numbers | {
        f"{server.url}{name}" for name in ("new", "elsewhere", "orphan")
    }
    assert result.verdicts[f"{server.url}39"] == "http_error"
    assert result.verdicts[f"{server.url}38"] == "redirect"
    checked = statuses(server) - Counter({304: 36, 200: 1, 301: 1, 404: 1})
    assert set(checked) <= {200}
    assert checked.total() <= 5


def test_links_that_are_gone_take_their_pages_along(serve: Serve, crawl: Crawler) -> None:
    site = {
        "/": marked(page("/a", "/b"), "1"),
        "/a": marked(page("/deep"), "1"),
        "/b": marked(page(), "1"),
        "/deep": marked(page(), "1"),
    }
    server = serve(site)
    assert len(crawl(server.url, settings=IMPATIENT).sitemap) == 4
    server.site = {**site, "/": marked(page("/b"), "2")}
    again = crawl(server.url, "force=true", settings=IMPATIENT)
    assert again.sitemap == [server.url, f"{server.url}b"]


def test_robots_txt_holds_for_what_was_read_before(crawl: Crawler) -> None:
    server, _ = crawl.site(tree(), settings=IMPATIENT)
    server.site = {**tree(), "/robots.txt": text("User-agent: *\nDisallow: /2")}
    server.visits.clear()
    result = crawl(server.url, "force=true", settings=IMPATIENT)
    assert result.verdicts[f"{server.url}2"] == "robots_disallowed"
    assert not [path for path in server.paths if path.startswith("/2")]


@pytest.mark.parametrize("argument", ["query=keep", "trailing_slash=strip"])
def test_other_arguments_read_everything_again(argument: str, crawl: Crawler) -> None:
    server, _ = crawl.site(tree(10), settings=IMPATIENT)
    server.visits.clear()
    crawl(server.url, argument, settings=IMPATIENT)
    assert statuses(server) == {200: 9}


@pytest.mark.parametrize("status", [500, 503, 0])
def test_an_outage_of_a_page_costs_it_nothing_for_two_runs(
    status: int, serve: Serve, crawl: Crawler
) -> None:
    server = serve(tree(10))
    settings = (*IMPATIENT, *("-s", "RETRY_TIMES=0", "-s", "SITEMAPGEN_BACKOFF_RETRIES=0"))
    assert len(crawl(server.url, settings=settings).sitemap) == 10
    broken = {**tree(10), "/1": Answer("", status)}
    server.site = broken
    for _ in range(2):
        result = crawl(server.url, settings=settings)
        assert len(result.sitemap) == 10
        assert "listed as it was" in result.urls[f"{server.url}1"]["evidence"]
    gone = crawl(server.url, "force=true", settings=settings)
    assert f"{server.url}1" not in gone.sitemap
    server.site = tree(10)
    back = crawl(server.url, settings=settings)
    assert len(back.sitemap) == 10
    assert back.urls[f"{server.url}1"]["evidence"] == ""


def test_a_change_that_was_seen_dates_its_page_from_then_on(serve: Serve, crawl: Crawler) -> None:
    server = serve(tree())
    assert not any(row["lastmod"] for row in crawl(server.url, settings=IMPATIENT).urls.values())
    changed = marked(page("/7", "/8", text="Other words than before, and many more of them"), "v2")
    server.site = {**tree(), "/3": changed}
    began = datetime.now(timezone.utc).replace(microsecond=0)
    second = crawl(server.url, settings=IMPATIENT)
    ended = datetime.now(timezone.utc)
    (row,) = (row for row in second.urls.values() if row["lastmod"])
    assert row["url"] == f"{server.url}3"
    assert began <= datetime.fromisoformat(row["lastmod"]) <= ended
    assert (row["lastmod_source"], row["lastmod_evidence"]) == (
        "observed",
        "the main text has changed",
    )
    for _ in range(2):
        assert crawl(server.url, settings=IMPATIENT).files == second.files


def test_items_drawn_by_lot_date_no_page(crawl: Crawler) -> None:
    """24 lists have other items at each visit, and one of 24 products has another text."""
    visits = Counter[str]()

    def site(path: str) -> Answer | None:
        visits[path] += 1
        if path == "/":
            return page(*(f"/{kind}/{n}" for kind in ("list", "lamp") for n in range(24)))
        if not (found := re.fullmatch(r"/(list|lamp)/(\d+)", path)):
            return None
        is_other = found[1] == "list" or (path == "/lamp/7" and visits[path] > 1)
        lot = f"{WORDS} {visits[path] * 7} items drawn anew" if is_other else WORDS
        return page(title=path, text=f"{lot} {path}")

    server, _ = crawl.site(site, settings=IMPATIENT)
    second = crawl(server.url, settings=IMPATIENT)
    dated = [row["url"] for row in second.urls.values() if row["lastmod"]]
    assert dated == [f"{server.url}lamp/7"]


def test_killed_in_the_middle_a_refresh_ends_with_the_same_files(
    serve: Serve, tmp_path: Path
) -> None:
    """What was read before is carried once, whatever is repeated."""

    def runs(output: Path, kill: bool) -> dict[str, bytes]:
        server.site = tree()
        assert run_to_end(command(server.url, output, *IMPATIENT), tmp_path / "log") == 0
        server.site = {**tree(), "/3": marked(page("/7", "/8", text="Other words"), "v2")}
        if kill:
            slow = [*IMPATIENT, "-s", "DOWNLOAD_DELAY=0.05"]
            for seen in (6, 15):
                kill_after(seen, server, command(server.url, output, *slow), tmp_path / "log")
        assert run_to_end(command(server.url, output, *IMPATIENT), tmp_path / "log") == 0
        files = {path.name: path.read_bytes() for path in output.iterdir() if path.is_file()}
        return {
            name: re.sub(rb"20..-..-..T..:..:..", b"", body)  # of what was seen to change
            for name, body in files.items()
            if name.endswith((".xml", ".csv", ".json")) and name != "result.json"
        }

    server = serve(tree())
    assert runs(tmp_path / "killed", kill=True) == runs(tmp_path / "whole", kill=False)


def test_a_sitemap_that_was_right_spares_its_pages_the_request(
    serve: Serve, crawl: Crawler
) -> None:
    """After two comparisons; a twentieth is asked for all the same, and what moved is."""

    def site(changed: dict[int, str]) -> dict[str, Answer]:
        answers: dict[str, Answer] = {}
        days = {}
        for number in range(200):
            name = f"/docs/{'abcdefghij'[number // 20]}-{'abcdefghijklmnopqrst'[number % 20]}"
            days[name] = day = changed.get(number, f"{2000 + number // 10}-{number % 10 + 1:02}-01")
            answers[name] = page("/", text=f"{WORDS} {number} {day}", title=name)
        answers["/"] = page(*answers, text=WORDS)
        answers["/robots.txt"] = text("Sitemap: /sitemap.xml")
        answers["/sitemap.xml"] = urlset(*days, base=server.url[:-1], dates=days)
        return answers

    def asked() -> set[str]:
        paths, server.visits = set(server.paths), []
        return {path for path in paths if path.startswith("/docs/") and "404" not in path}

    server = serve({})
    changes: dict[int, str] = {}
    counts = []
    for run in range(4):
        today = datetime.now(timezone.utc).date().isoformat()
        changes |= {10 * run + number: today for number in range(3)} if run else {}
        server.site = site(changes)
        result = crawl.published(server.url, settings=IMPATIENT)
        assert len(result.sitemap) == 201
        counts.append(len(asked()))
        assert f" {counts[-1] + 1} pages fetched in " in result.log
        assert result.report["fetched"] == 201
    assert counts[:2] == [200, 200]
    assert counts[2] <= 20
    assert counts[3] <= 20
    row = result.urls[f"{server.url}docs/b-k"]
    assert (row["lastmod"], row["lastmod_source"]) == (today, "sitemap")
    assert result.urls[f"{server.url}docs/j-t"]["lastmod"] == "2019-10-01"


@pytest.mark.full
def test_a_phase_whose_pages_are_all_spared_does_not_end_the_crawl(
    serve: Serve, crawl: Crawler
) -> None:
    """Days of a calendar with honest dates, and after them pages that only the sitemap names."""
    days = [f"/events/2024/03/{day:02}" for day in range(1, 15)]
    alone = [f"/alone/{letter}" for letter in "abcdefghij"]

    def site(changed: list[str]) -> dict[str, Answer]:
        answers: dict[str, Answer] = {}
        dates = {}
        today = datetime.now(timezone.utc).date().isoformat()
        for number, name in enumerate([*days, *alone]):
            said = today if name in changed else f"20{number // 10 + 10}-{number % 10 + 1:02}-01"
            dates[name] = said
            answers[name] = page("/", text=f"{WORDS} {number} {said}", title=name)
        answers["/"] = page(*days, text=WORDS)
        answers["/robots.txt"] = text("Sitemap: /sitemap.xml")
        answers["/sitemap.xml"] = urlset(*dates, base=server.url[:-1], dates=dates)
        return answers

    server = serve({})
    for run in range(6):
        server.site = site(days[: 3 * min(run, 2)])
        server.visits.clear()
        result = crawl.published(server.url, settings=IMPATIENT)
        assert len(result.sitemap) == 25
    visited = {path for path in server.paths if path.startswith("/events")}
    assert len(visited) <= 3
