"""Links to other sites: named by host, and requested only with ``check_external=true``."""

import signal
from pathlib import Path

import pytest

from tests.helpers.crawls import DEADLINE, IMPATIENT, Crawler, command, start, wait_for
from tests.helpers.programs import free_port
from tests.helpers.server import Answer, Serve, Server, page, redirect, text

CHECK = "check_external=true"


def other_site(path: str) -> Answer | None:
    """Another site; a server that answers HEAD with 405 has no paths of its own here."""
    answers = {
        "/robots.txt": text("User-agent: *\nDisallow: /private\n"),
        "/works": page(text="It works"),
        "/moved": redirect("/works"),
        "/circle": redirect("/circle"),
        "/down": Answer("busy", status=500),
        "/secret": Answer("no", status=403),
    }
    return answers.get(path, Answer("gone", status=404))


NAMES = ("works", "moved", "circle", "down", "secret", "gone", "private")


@pytest.fixture
def other(serve: Serve) -> Server:
    return serve(other_site)


def pages_with(other: Server, dead: str = "") -> dict[str, Answer]:
    links = [f"{other.url}{name}" for name in NAMES]
    return {
        "/": page("/a", "/b", f"{other.url}works", *filter(None, [dead])),
        "/a": page("/", *links),
        "/b": page("/", f"{other.url}gone", f"{other.url}gone#part", "mailto:a@b.example"),
    }


def test_hosts_are_named_and_nothing_is_requested(
    serve: Serve, other: Server, crawl: Crawler
) -> None:
    done = crawl(serve(pages_with(other)).url)
    found = done.report["external"]
    host = other.url.partition("://")[2].rstrip("/")
    assert found["by_host"] == [{"host": host, "urls": 7, "links": 9, "pages": 3}]
    assert (found["checked"], found["unchecked"], other.visits) == (0, 7, [])
    assert "check_external" in done.html


def test_broken_ones_are_named_with_the_pages_that_link_to_them(
    other: Server, crawl: Crawler
) -> None:
    dead = f"http://127.0.0.1:{free_port()}/x"
    site, done = crawl.site(pages_with(other, dead), CHECK, "robots=ignore")
    found = done.report["external"]
    assert (found["checked"], found["unchecked"]) == (8, 0)
    assert found["outcomes"] == {
        **{"works": 2, "dead": 1, "unreachable": 3, "refused": 1, "not_asked": 1}
    }
    broken = {row["url"].rpartition("/")[2]: row for row in found["broken"]["examples"]}
    assert {name: row["evidence"] for name, row in broken.items()} == {
        "gone": "HTTP 404",
        "down": "HTTP 500",
        "circle": "more than 5 redirects in a row",
        "x": broken["x"]["evidence"],
    }
    assert "refused" in broken["x"]["evidence"]
    assert broken["gone"]["pages"] == [f"{site.url}a", f"{site.url}b"]
    paths = [visit.path for visit in other.visits]
    assert paths.count("/robots.txt") == 1
    assert paths.count("/gone") == 2  # HEAD, then GET to be sure
    assert paths.count("/works") == 2  # once for itself, once as the target of a redirect
    assert "/private" not in paths
    assert found["links"] == done.report["external"]["links"] == 10
    fixes = {fix["id"]: fix["count"] for fix in done.report["priorities"]}
    assert fixes["broken_external_links"] == 4
    again = crawl(site.url)
    assert again.report["external"]["checked"] == 0
    assert "broken_external_links" not in {fix["id"] for fix in again.report["priorities"]}


@pytest.mark.full
def test_an_interrupt_in_the_middle_of_the_check(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    other = serve({"/a": page(), "/b": Answer("slow", delay=5)})
    site = serve({"/": page(f"{other.url}a", f"{other.url}b")})
    log = tmp_path / "log"
    options = (*IMPATIENT, "-a", CHECK, "-s", "CONCURRENT_REQUESTS=1")
    process = start(command(site.url, tmp_path / "output", *options), log)
    wait_for(lambda: "/b" in other.paths)
    process.send_signal(signal.SIGINT)
    assert process.wait(DEADLINE) == 6, log.read_text()
    other.site = {"/a": page(), "/b": page()}
    other.visits.clear()
    done = crawl.published(site.url, CHECK)
    assert done.report["external"]["outcomes"]["works"] == 2
    assert "/a" not in other.paths


def test_slow_sites_do_not_hold_up_the_sitemap(serve: Serve, crawl: Crawler) -> None:
    other = serve({f"/{name}": Answer("slow", delay=2) for name in "abc"})
    site = serve({"/": page(*(f"{other.url}{name}" for name in "abc"))})
    options = ("-s", "CONCURRENT_REQUESTS=1", "-s", "SITEMAPGEN_EXTERNAL_SECONDS=1")
    done = crawl.published(site.url, CHECK, settings=(*IMPATIENT, *options))
    found = done.report["external"]
    assert (found["checked"], found["unchecked"]) == (1, 2)


def test_the_limit_is_named(serve: Serve, other: Server, crawl: Crawler) -> None:
    site = serve(pages_with(other))
    done = crawl(site.url, CHECK, settings=(*IMPATIENT, "-s", "SITEMAPGEN_MAX_EXTERNAL=1"))
    found = done.report["external"]
    assert (found["checked"], found["unchecked"]) == (1, 6)
    assert "SITEMAPGEN_MAX_EXTERNAL" in done.html
    assert {visit.path for visit in other.visits} == {"/robots.txt", "/gone"}
