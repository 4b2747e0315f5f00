"""A published sitemap is not replaced by a worse one: real crawls of sites that lost something."""

from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, Crawl, Crawler, assert_one_sentence
from tests.helpers.server import Answer, Serve, page, text

NOINDEX = '<meta name="robots" content="noindex">'


def site(count: int, *, lost: int = 0, by: Answer | None = None) -> dict[str, Answer]:
    """A start page and ``count`` pages that it links to, the last of them answered ``by``."""
    names = [f"/{number:02d}" for number in range(count)]
    answers = {"/": page(*names), **{name: page() for name in names}}
    return {**answers, **{name: by or Answer("", 404) for name in names[count - lost :]}}


def snapshot(output: Path) -> dict[str, tuple[bytes, int]]:
    """The published files, with the time of their last change."""
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in output.iterdir()
        if path.is_file() and not path.name.startswith(("crawl.sqlite", "result.json"))
    }


@pytest.mark.parametrize(
    ("by", "reason"),
    [
        (Answer("", 404), "http_error 5"),
        (page(head=NOINDEX), "noindex 5"),
        (page(head='<link rel="canonical" href="/">'), "canonicalised 5"),
        (Answer(status=301, headers={"Location": "http://parked.invalid/"}), "offsite_redirect 5"),
    ],
)
def test_too_much_is_lost(by: Answer, reason: str, crawl: Crawler) -> None:
    server, first = crawl.site(site(9), "formats=xml,txt", "gzip=true")
    before = snapshot(first.output)

    server.site = site(9, lost=5, by=by)
    second = crawl(server.url, "formats=xml,txt", "gzip=true")
    why = f"5 of 10 published URLs are no longer listed ({reason}), a larger share than"
    assert_one_sentence(second, 5, f"not replaced, since {why} SITEMAPGEN_MAX_LOSS=0.2; ")
    assert snapshot(first.output) == before
    beside = Crawl(0, "", second.output / "refused")
    assert sorted(beside.files) == sorted(before)
    assert (beside.output / "sitemap.txt").read_text() == "".join(
        f"{server.url}{name}\n" for name in ("", "00", "01", "02", "03")
    )
    assert why in beside.report["refused"]
    assert beside.report["listed"] == 5
    assert "<strong>Not published.</strong>" in beside.html
    assert "Not published." not in first.html
    assert f"{beside.output}/sitemap.xml: written" in second.log

    server.site = site(9)  # repaired
    third = crawl.published(server.url, "formats=xml,txt", "gzip=true")
    assert snapshot(first.output) == before
    assert not beside.output.exists()
    assert third.report["refused"] is None


def test_force_publishes_it(crawl: Crawler) -> None:
    server, _ = crawl.site(site(9))
    server.site = site(9, lost=5)
    refused = crawl(server.url)
    assert refused.code == 5
    (refused.output / "refused" / "notes").write_text("mine")
    forced = crawl.published(server.url, "force=true")
    assert len(forced.sitemap) == 5
    assert "force=true: published, though 5 of 10 published URLs" in forced.log
    assert [path.name for path in (forced.output / "refused").iterdir()] == ["notes"]
    assert crawl(server.url).code == 0


def test_a_little_may_be_lost(crawl: Crawler) -> None:
    server, _ = crawl.site(site(9))
    server.site = site(9, lost=2)
    strict = crawl(server.url, settings=(*IMPATIENT, "-s", "SITEMAPGEN_MAX_LOSS=0.1"))
    assert strict.code == 5, strict.log
    result = crawl.published(server.url)
    assert len(result.sitemap) == 8
    assert "INFO 2 of 10 published URLs are no longer listed (http_error 2)" in result.log


def test_all_pages_noindex_and_then_no_longer(crawl: Crawler) -> None:
    server, first = crawl.site(site(9))
    before = snapshot(first.output)
    server.site = {name: page(head=NOINDEX) for name in site(9)}
    second = crawl(server.url)
    assert_one_sentence(second, 4, "nothing to list: noindex 1")
    assert snapshot(first.output) == before
    assert not (first.output / "refused").exists()
    server.site = site(10)
    third = crawl.published(server.url)
    assert len(third.sitemap) == 11


# A cap


def test_a_cap_takes_nothing_from_a_complete_sitemap(crawl: Crawler) -> None:
    """After other arguments nothing is known that could stay as it was."""
    server, first = crawl.site(site(9))
    before = snapshot(first.output)
    capped = crawl(server.url, "max_pages=9", "query=keep")
    why = "the crawl was cut short: 1 of 10 published URLs is no longer listed (over_cap 1)"
    assert_one_sentence(capped, 5, why)
    assert "Stopped by max_pages=9: 1 URL was not fetched" in capped.log
    assert snapshot(first.output) == before
    assert len(Crawl(0, "", first.output / "refused").sitemap) == 9
    assert crawl(server.url, "max_pages=10", "query=keep").code == 0
    assert not (first.output / "refused").exists()


def test_a_cap_that_only_new_pages_meet(crawl: Crawler) -> None:
    server, _ = crawl.site(site(9))
    server.site = {**site(9), "/00": page("/new", "/newer"), "/new": page(), "/newer": page()}
    result = crawl.published(server.url, "max_pages=11")
    assert "Stopped by max_pages=11: 1 URL was not fetched" in result.log
    assert len(result.sitemap) == 11


@pytest.mark.full
def test_the_same_cap_again_is_not_refused(crawl: Crawler) -> None:
    server, first = crawl.site(site(30), "max_pages=20")
    before = snapshot(first.output)
    assert crawl(server.url, "max_pages=20", "query=keep").code == 0
    assert snapshot(first.output) == before
    server.site = {**site(30), "/": page("/a-new-one", *site(30)), "/a-new-one": page()}
    moved_on = crawl.published(server.url, "max_pages=20")
    assert f"{server.url}a-new-one" in moved_on.sitemap
    assert crawl(server.url, "max_pages=30", "query=keep").code == 0
    assert_one_sentence(crawl(server.url, "max_pages=5"), 5, "a larger share than")


# robots.txt


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (Answer("", 503), "/robots.txt: HTTP 503"),
        (Answer("", 429), "/robots.txt: HTTP 429"),
        (Answer(status=0), ": the connection was closed without an answer"),
        (text("Disallow: /")._replace(delay=9), ": no complete answer in time"),
    ],
)
def test_robots_unreachable_may_mean_no_rules(
    answer: Answer, problem: str, serve: Serve, crawl: Crawler
) -> None:
    server = serve({**site(3), "/robots.txt": answer})
    settings = (*IMPATIENT, "-s", "DOWNLOAD_TIMEOUT=1")
    assert crawl(server.url, settings=settings).code == 3
    server.visits.clear()
    result = crawl.published(server.url, "robots_unreachable=allow", settings=settings)
    assert server.paths.count("/robots.txt") == 3  # after the retries
    assert set(result.verdicts.values()) == {"listed"}
    said = [line for line in result.log.splitlines() if " WARNING No robots.txt " in line]
    assert len(said) == 1
    assert f"No robots.txt ({server.url[:-1]}{problem}" in said[0]
    assert said[0].endswith("robots_unreachable=allow: going on without")


def test_robots_unreachable_changes_nothing_for_a_robots_txt_that_answers(
    serve: Serve, crawl: Crawler
) -> None:
    server = serve({**site(3), "/robots.txt": text("User-agent: *\nDisallow: /01")})
    result = crawl(server.url, "robots_unreachable=allow")
    assert result.verdicts[f"{server.url}01"] == "robots_disallowed"
    assert result.urls[f"{server.url}01"]["evidence"] == "robots.txt line 2: Disallow: /01"
    assert " WARNING " not in result.log
