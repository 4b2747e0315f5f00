"""Endless spaces around a real site: all of its pages are listed, little else is asked for."""

import re
from collections.abc import Callable
from hashlib import md5
from itertools import count

import pytest

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.server import Answer, page
from tests.helpers.traps import Part, calendar, search, shop, with_doors

REAL = ["", *(f"real-{number}" for number in range(1, 300))]


def repeating(path: str) -> Answer | None:
    """A relative link that was meant to be absolute."""
    if not re.fullmatch(r"/(?:help/contact/)+", path):
        return None
    return page("help/contact/", title="Contact", text="Write to us, we answer within a day.")


def forest(path: str) -> Answer | None:
    """Below /forest/ there is nothing, as a page says that leads to more of it."""
    if not path.startswith("/forest/"):
        return None
    name = md5(path.encode()).hexdigest().translate(str.maketrans("0123456789", "ghijklmnop"))
    links = [f"{path.rstrip('/')[:100]}-{name[start : start + 6]}" for start in (0, 6, 12)]
    return page(*links, title="Not found", text=f"Sorry, the page {path} does not exist.")


TRAPS: dict[str, tuple[Part | None, Callable[[int], list[str]]]] = {
    "calendar": (calendar, lambda _: ["/calendar/2026/06"]),
    "facets": (shop, lambda _: ["/shop"]),
    "repeating_path": (repeating, lambda _: ["/help/contact/"]),
    "pagination": (search, lambda _: ["/results?page=1"]),
}


def sessions() -> Callable[[int], list[str]]:
    """A server that writes another session id into each link of each page."""
    numbers = count()

    def doors(number: int) -> list[str]:
        session = md5(str(next(numbers)).encode()).hexdigest()
        path = f"/real-{number or 1}"
        return [f"{path};jsessionid={session.upper()}", f"{path}?visitor={session}"]

    return doors


def allowed(url: str, result: Crawl) -> set[str]:
    return {path for path in (one.removeprefix(url) for one in result.sitemap) if path not in REAL}


def test_what_is_real_inside_a_trap_is_listed(crawl: Crawler) -> None:
    server, result = crawl.site(
        with_doors(calendar, search, doors=lambda _: ["/calendar/2026/06", "/results?page=1"])
    )
    months = {f"calendar/2026/{month:02}" for month in range(1, 13)}
    assert months | {f"results?page={number}" for number in (1, 2, 3)} <= allowed(
        server.url, result
    )
    wrong = allowed(server.url, result) - months
    assert len(wrong) < 8, wrong
    assert {server.url + path for path in REAL} <= set(result.sitemap)
    traps = result.report["traps"]
    assert {trap["kind"] for trap in traps} >= {"calendar", "pagination"}
    for trap in traps:
        assert f"WARNING Trap, {trap['kind'].replace('_', ' ')}: " in result.log
        assert trap["urls"] > 0
        evidence = {result.urls[example]["evidence"] for example in trap["examples"]}
        assert evidence == {f"{trap['kind']} {trap['pattern']}: {trap['reason']}"}


@pytest.mark.full
def test_session_ids(crawl: Crawler) -> None:
    """Known names are taken out of the URL; an unknown one is recognised by what it leads to."""
    server, result = crawl.site(with_doors(doors=sessions()))
    assert {server.url + path for path in REAL} == set(result.sitemap)
    assert len(server.paths) <= 300 + 500
    assert not [path for path in server.paths if "jsessionid" in path]
    traps = {(trap["kind"], trap["pattern"]): trap for trap in result.report["traps"]}
    assert result.report["verdicts"]["variant"] > 200
    assert traps["session_id", ";jsessionid="]["urls"] >= 300


@pytest.mark.slow
def test_all_of_them_at_once(crawl: Crawler) -> None:
    parts = [part for part, _ in TRAPS.values() if part]
    visitor = sessions()

    def doors(number: int) -> list[str]:
        return [door for _, into in TRAPS.values() for door in into(number)] + visitor(number)

    server, result = crawl.site(
        with_doors(*parts, forest, doors=lambda n: [*doors(n), f"/forest/{n}"])
    )
    assert {server.url + path for path in REAL} <= set(result.sitemap)
    assert len(server.paths) <= 3_000  # six of them
    assert not [url for url in result.sitemap if "/forest/" in url]
    kinds = {trap["kind"] for trap in result.report["traps"]}
    assert kinds >= {*TRAPS, "session_id", "soft_404"} - {"facets"}
    assert result.report["verdicts"]["variant"] > 300, "facets, and a parameter with a session id"
