"""max_pages on a larger site: what is known stays, and visits go where they are worth it."""

from collections import Counter
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from sitemapgen.store.opening import lend_store
from tests.helpers.crawls import IMPATIENT, Crawler, command, kill_after, rest
from tests.helpers.server import Answer, Serve, Server, page, redirect, text, urlset
from tests.store.tables import let_a_day_pass

pytestmark = pytest.mark.fixed_urls

WORDS = "All there is to say about the subject of this page, and not a word about another one. "
SECTIONS = {"news": 20, "docs": 60}
CAP = 41


def names(section: str) -> list[str]:
    return [f"/{section}/{number}-" for number in range(SECTIONS[section])]


def site(edition: int = 0, *, without: str = "") -> dict[str, Answer]:
    """News with other words in each edition, and documents that never change."""
    answers = {"/robots.txt": text("")}
    for section in SECTIONS:
        for name in names(section):
            says = f"edition {edition}" if section == "news" else ""
            answers[name] = page("/", text=f"{WORDS} {name} {says}", title=name)
    everything = [name for section in SECTIONS for name in names(section) if name != without]
    return {**answers, "/": page(*everything, text=WORDS)}


def asked(server: Server) -> Counter[str]:
    """Pages asked for by their section; the start page is ''."""
    paths, server.visits = [path for path in server.paths if "404" not in path], []
    return Counter(path.split("/")[1] for path in paths if path.endswith(("-", "/")))


@pytest.mark.full
@pytest.mark.parametrize("strategy", ["bfs", *rest("balanced")])
def test_a_site_is_known_run_by_run_and_its_news_are_visited_more_often(
    strategy: str, serve: Serve, crawl: Crawler
) -> None:
    server = serve(site())
    listed: set[str] = set()
    visits = []
    for edition in range(7):
        server.site = site(edition)
        result = crawl.published(server.url, f"max_pages={CAP}", f"strategy={strategy}")
        visits.append(asked(server))
        assert sum(visits[-1].values()) == result.report["fetched"] == min(CAP, 81)
        assert visits[-1][""] == 1
        assert listed <= set(result.sitemap)
        listed = set(result.sitemap)
        let_a_day_pass(result.state)
    # 40 in the first run, 20 new ones in each of the two that follow.
    assert len(listed) == 81
    assert result.report["complete"] is True
    assert result.report["verdicts"]["over_cap"] == 0
    assert result.report["postponed"] == 81 - CAP
    late = sum(visits[-3:], Counter())
    assert late["news"] / 20 > 2 * late["docs"] / 60
    row = result.urls[f"{server.url}docs/0-"]
    assert row["verdict"] == "listed"
    left = [row for row in result.urls.values() if "max_pages left no visit" in row["evidence"]]
    assert len(left) == 81 - CAP
    assert result.report["remarks"]["postponed"] == 81 - CAP


@pytest.mark.full
def test_half_of_the_visits_are_for_what_is_new(serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    counts = []
    for _ in range(3):
        result = crawl(server.url, "max_pages=21")
        counts.append(len(result.sitemap))
        assert result.report["fetched"] == 21
        assert result.report["complete"] is False
        assert result.report["stopped_by"] == "max_pages"
        assert result.report["verdicts"]["over_cap"] == 81 - counts[-1]
        let_a_day_pass(result.state)
    assert counts == [21, 31, 41]


def test_what_is_known_follows_the_site(crawl: Crawler) -> None:
    """Forbidden, without a link, gone: what needs no visit to be known holds at once."""
    server, first = crawl.site(site(), "max_pages=60")
    assert len(first.sitemap) == 60
    let_a_day_pass(first.state)
    changed = site(without="/docs/3-")
    changed["/robots.txt"] = text("User-agent: *\nDisallow: /docs/5-")
    changed["/docs/7-"] = redirect("/docs/8-")
    server.site = changed
    asked(server)
    second = crawl.published(server.url, "max_pages=60")
    verdicts = second.verdicts
    assert f"{server.url}docs/3-" not in verdicts
    assert verdicts[f"{server.url}docs/5-"] == "robots_disallowed"
    assert "/docs/5-" not in server.paths
    assert verdicts[f"{server.url}docs/7-"] == "redirect" or "/docs/7-" not in server.paths
    assert second.report["fetched"] == 60
    assert second.report["complete"] is True
    assert len(second.sitemap) >= 78
    assert not second.report["refused"]


def test_what_a_page_linked_to_before_it_was_visited_again_is_no_longer_seen(
    crawl: Crawler,
) -> None:
    leaves = ["/leaf-a", "/leaf-b", "/leaf-c"]
    before = {
        "/": page("/hub", "/other", text=WORDS),
        "/hub": page(*leaves, text=f"{WORDS} hub"),
        "/other": page(text=f"{WORDS} other"),
        "/leaf-b/below": page(text=f"{WORDS} below"),
        **{leaf: page(f"{leaf}/below", text=f"{WORDS} {leaf}") for leaf in leaves},
    }
    server, first = crawl.site(before, "max_pages=9")
    assert first.report["fetched"] == 9
    let_a_day_pass(first.state)
    server.site = {**before, "/hub": page("/leaf-a", "/leaf-c", text=f"{WORDS} another hub")}
    second = crawl.published(server.url, "max_pages=9", "force=true")
    gone = {f"{server.url}leaf-b", f"{server.url}leaf-b/below"}
    assert set(second.urls) == set(first.urls) - gone
    assert set(second.sitemap) == set(first.sitemap) - gone


def test_other_arguments_begin_anew(crawl: Crawler) -> None:
    server, _ = crawl.site(site(), "max_pages=30")
    second = crawl(server.url, "max_pages=30", "query=keep")
    assert len(second.sitemap) == 30
    assert second.report["postponed"] == 0


def test_a_site_that_outgrows_max_pages_loses_nothing(crawl: Crawler) -> None:
    small = {name: answer for name, answer in site().items() if not name.startswith("/docs/")}
    server, first = crawl.site({**small, "/": page(*names("news"), text=WORDS)}, "max_pages=30")
    assert len(first.sitemap) == 21
    before = set(first.sitemap)
    # Many new links stand before the old ones now.
    server.site = {**site(), "/": page(*names("docs"), *names("news"), text=WORDS)}
    second = crawl.published(server.url, "max_pages=30")
    assert second.report["fetched"] == 30
    assert before <= set(second.sitemap)


@pytest.mark.full
def test_killed_in_the_middle_it_goes_on(crawl: Crawler, tmp_path: Path) -> None:
    output = tmp_path / "output"
    server, first = crawl.site(site(), f"max_pages={CAP}", output=output)
    let_a_day_pass(output / "crawl.sqlite")
    for seen in (8, 12):
        slow = ["-a", f"max_pages={CAP}", *IMPATIENT, "-s", "DOWNLOAD_DELAY=0.02"]
        kill_after(seen, server, command(server.url, output, *slow), tmp_path / "log")
    result = crawl.published(server.url, f"max_pages={CAP}", output=output)
    assert result.report["fetched"] == CAP
    assert set(first.sitemap) <= set(result.sitemap)
    assert len(result.sitemap) == CAP + 20


@pytest.mark.full
def test_an_honest_sitemap_is_not_blamed_for_visits_that_came_late(
    serve: Serve, crawl: Crawler
) -> None:
    """Its date moved in a run that had no visit for the page; the visit after that sees why."""
    server = serve({})

    moved = datetime.now(timezone.utc) - timedelta(hours=20)

    def date(section: str, number: int, edition: int) -> str:
        if section == "news" and edition:
            return (moved + timedelta(minutes=30 * number)).isoformat(timespec="seconds")
        return f"{1995 + number % 28}-{1 + number // 28:02}-01"

    def dated(edition: int) -> dict[str, Answer]:
        dates = {
            f"{section}/{number}-": date(section, number, edition)
            for section, count in SECTIONS.items()
            for number in range(count)
        }
        return {
            **site(edition),
            "/sitemap.xml": urlset(*dates, base=server.url, dates=dates),
            "/robots.txt": text("Sitemap: /sitemap.xml"),
        }

    visits = []
    for edition in (0, 1, 1, 1):
        server.site = dated(edition)
        server.visits.clear()
        result = crawl.published(server.url, "max_pages=11")
        visits.append({path for path in server.paths if path in names("news")})
        let_a_day_pass(result.state)
    with closing(lend_store(result.output)[0]) as store:
        records = store.history.source_records().items()  # of the third run
    (record,) = (each for (source, where), each in records if source == "sitemap" and where >= 0)
    assert (record.hits, record.misses) == (pytest.approx(5 * 0.7 + 5), 0)
    # A date that has moved has the first turn, whenever that comes.
    assert list(map(len, visits)) == [10, 5, 5, 0]
    assert visits[1] | visits[2] == visits[0]
