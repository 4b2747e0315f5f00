"""States of older versions go on: histories are kept, pages are carried on, runs continue."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from sitemapgen.store.sqlite.database import OLDEST, VERSION
from tests.crawls.commands import run
from tests.crawls.old_states import PAGES, dump, listed, restore, site
from tests.helpers.crawls import Crawl
from tests.helpers.server import Server

pytestmark = pytest.mark.fixed_urls

VERSIONS = range(OLDEST, VERSION + 1)
READ_ALIKE = range(5, VERSION + 1)
"""Versions whose pages were read as today."""
START = "http://site.example/"


def histories(state: Path) -> dict[str, list[object]]:
    """What all runs together saw."""
    database = sqlite3.connect(f"file:{state}?mode=ro", uri=True)
    version = database.execute("PRAGMA user_version").fetchone()[0]
    verdicts = "verdict_history" if version >= 6 else "outcome"
    tables = {
        "visit": "SELECT key, run, visited, changed FROM visit WHERE run <= 2 ORDER BY 1, 2",
        "verdicts": f"SELECT key, run, verdict FROM {verdicts} WHERE run <= 2 ORDER BY 1, 2",
        "trust": "SELECT run, source, section, hits FROM trust WHERE run <= 2 ORDER BY 1, 2, 3",
        "first seen": "SELECT key, first_link, first_sitemap FROM url ORDER BY key",
    }
    found = {name: database.execute(query).fetchall() for name, query in tables.items()}
    database.close()
    return found


def listed_in(crawl: Crawl) -> set[str]:
    return {url for url, verdict in crawl.verdicts.items() if verdict == "listed"}


def statuses(server: Server) -> Counter[int]:
    return Counter(visit.status for visit in server.visits if visit.path[1:].isdecimal())


@pytest.mark.parametrize("version", VERSIONS)
def test_a_finished_crawl_is_refreshed(
    version: int, serve: Callable[..., Server], crawl: Callable[..., Crawl], tmp_path: Path
) -> None:
    state = restore(f"{version}-finished", tmp_path / "output")
    before = histories(state)
    server = serve(site(2))
    result = crawl(server.url)
    assert result.code == 0, result.log
    assert listed_in(result) == listed(2)
    after = histories(state)
    assert before["visit"]
    assert before["trust"]
    for name in ("visit", "verdicts", "trust"):
        assert after[name] == before[name], name
    assert set(before["first seen"]) <= set(after["first seen"])
    carried = statuses(server)[304]
    assert carried == (PAGES - 1 if version in READ_ALIKE else 0), "the start page is always read"
    changed = "SELECT count(*) FROM visit WHERE run = 3 AND changed & 1"
    database = sqlite3.connect(state)
    assert database.execute(changed).fetchone() == (0,), "another reader is no change of the site"
    database.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_dates_stay(
    version: int, serve: Callable[..., Server], crawl: Callable[..., Crawl], tmp_path: Path
) -> None:
    """An upgrade moves no date."""
    state = restore(f"{version}-finished", tmp_path / "output")
    database = sqlite3.connect(state)
    dates = (
        "SELECT url, coalesce({0}.lastmod, page.lastmod) FROM page JOIN url USING (key) "
        "LEFT JOIN {0} USING (key) WHERE verdict = 'listed' ORDER BY url"
    )
    table = "final_lastmod" if version >= 6 else "settled"
    before = database.execute(dates.format(table)).fetchall()
    database.close()
    result = crawl(serve(site(2)).url)
    assert result.code == 0, result.log
    database = sqlite3.connect(state)
    assert database.execute(dates.format("final_lastmod")).fetchall() == before
    assert any(date for _, date in before)
    database.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_an_interrupted_crawl_goes_on(
    version: int, serve: Callable[..., Server], crawl: Callable[..., Crawl], tmp_path: Path
) -> None:
    state = restore(f"{version}-interrupted", tmp_path / "output")
    database = sqlite3.connect(state)
    (done,) = database.execute("SELECT count(*) FROM page JOIN url USING (key)").fetchone()
    database.close()
    assert done
    server = serve(site(2))
    result = crawl(server.url)
    assert result.code == 0, result.log
    assert listed_in(result) == listed(2)
    database = sqlite3.connect(state)
    (runs,) = database.execute("SELECT count(*) FROM run").fetchone()
    database.close()
    if version in READ_ALIKE:
        assert runs == 3
        assert len(server.visits) < len(site(2)) - done + 5
    else:
        assert runs == 4
        assert "its crawl was interrupted in another version" in result.log


@pytest.mark.parametrize("version", VERSIONS)
def test_a_report_changes_nothing(version: int, tmp_path: Path) -> None:
    """A state that is only read keeps its version; the other URLs are found in it all the same."""
    state = restore(f"{version}-finished", tmp_path / "output")
    before = dump(state)
    result = run("report", tmp_path / "output")
    assert result.code == 0, result.log
    assert dump(state) == before
    report = json.loads((tmp_path / "output" / "report.json").read_text("utf-8"))
    assert report["listed"] == len(listed(2))
    (group,) = report["duplicates"]["exact"]["examples"]
    assert (group["url"], group["members"]) == (f"{START}2", [f"{START}twin"])
    chains = [example["chain"] for example in report["redirects"]["examples"]]
    assert sorted(chains) == [
        [f"{START}away", "https://other.example/"],
        [f"{START}moved", f"{START}1"],
    ]


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        (VERSION + 1, "state of a newer sitemapgen"),
        (OLDEST - 1, "no state of a crawl that this version can read"),
    ],
)
def test_other_states_are_refused(
    version: int, sentence: str, crawl: Callable[..., Crawl], tmp_path: Path
) -> None:
    state = restore(f"{VERSION}-finished", tmp_path / "output")
    database = sqlite3.connect(state)
    database.execute(f"PRAGMA user_version = {version}")
    database.close()
    before = dump(state)
    result = crawl(START)
    assert result.code == 5
    (line,) = [line for line in result.log.splitlines() if " ERROR " in line]
    assert sentence in line
    assert dump(state) == before
