"""A store that is opened, filled and settled in one line each."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sitemapgen.core.urls import key
from sitemapgen.items import Judgement, Link, Page, SitemapEntry, SitemapFile
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from sitemapgen.verdicts import Verdict

LISTED = Judgement(Verdict.LISTED, "")
FORBIDDEN = Judgement(Verdict.ROBOTS_DISALLOWED, "robots.txt line 2: Disallow: /no")
REDIRECT = Judgement(Verdict.REDIRECT, "301 to elsewhere")
NOW = 1_700_000_000.0
Open = Callable[..., Store]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Open the store of one crawl, as often as wanted; close the one before with it."""
    stores: list[Store] = []

    def open_(*, crash: bool = False, fresh: bool = False, **limits: object) -> Store:
        for store in stores:
            if crash:
                store.connection.close()  # what was not committed is lost, as in a kill
            else:
                close(store)
        stores.clear()
        store = Store(tmp_path / "crawl.sqlite", Limits(**limits), fresh=fresh)
        stores.append(store)
        return store

    yield open_
    for store in stores:
        close(store)


def close(store: Store) -> None:
    """Close a store that a test may have closed already."""
    with suppress(sqlite3.ProgrammingError):
        store.close()


def url(name: str) -> str:
    return f"https://e.example/{name}"


def link(name: str, *, nofollow: bool = False, refusal: Judgement | None = None) -> Link:
    return Link(url=url(name), key=key(url(name)), nofollow=nofollow, refusal=refusal)


def page(name: str, *links: Link, judgement: Judgement = LISTED, **more: object) -> Page:
    return Page(
        url=url(name), key=key(url(name)), judgement=judgement, status=200, links=links, **more
    )


def begin(store: Store) -> Store:
    store.begin_run({"url": url("")}, NOW)
    store.frontier.seed(link(""), NOW)
    return store


def start(store: Store) -> Store:
    """Begin a run whose start URL is leased."""
    begin(store)
    assert names(store) == [""]
    return store


def names(store: Store, count: int = 100) -> list[str]:
    """Lease up to so many URLs."""
    return [claim.url.removeprefix(url("")) for claim in store.frontier.lease(count)]


def settle(store: Store, max_depth: int = 0) -> None:
    graph = store.graph()
    store.conclusions.write_measures(graph.measure(max_depth), graph)


def sitemap_file(*names_: str, **entry: str) -> SitemapFile:
    entries = tuple((SitemapEntry(url(name), **entry), link(name)) for name in names_)
    return SitemapFile(url=url("sitemap.xml"), found="robots", format="urlset", entries=entries)
