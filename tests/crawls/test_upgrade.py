"""States of older versions go on: histories are kept, pages are carried on, runs continue."""

import json
from collections import Counter
from pathlib import Path

import pytest

from sitemapgen.core.document.pages import READER_VERSION
from sitemapgen.store.database import OLDEST, VERSION
from tests.crawls.commands import run
from tests.helpers.crawls import Crawl, Crawler, assert_one_sentence, rest
from tests.helpers.server import Server
from tests.store import tables
from tests.store.old_states import PAGES, dump, listed, restore, site

pytestmark = pytest.mark.fixed_urls

VERSIONS = range(OLDEST, VERSION + 1)
READERS = {
    4: 0,
    5: 1,
    6: 1,
    7: 2,
    8: 2,
    9: 3,
    10: 4,
    11: 5,
    12: 6,
    13: 6,
    14: 7,
    15: 7,
    16: 8,
    17: 8,
    18: 9,
    19: 9,
    20: 9,
    21: 9,
    22: 13,
    23: 13,
}
"""Version of the reader (``READER_VERSION``) by which the pages of each stored state were read."""
READ_ALIKE = {version for version, reader in READERS.items() if reader == READER_VERSION}
"""Versions of the state whose pages were read as today."""
SOME = [OLDEST, VERSION - 1, VERSION, *rest(*VERSIONS[1:-2])]
"""What all versions have alike is tested of these: ``store/test_migrations.py`` has all of them."""
START = "http://site.example/"


def listed_in(crawl: Crawl) -> set[str]:
    return {url for url, verdict in crawl.verdicts.items() if verdict == "listed"}


def statuses(server: Server) -> Counter[int]:
    return Counter(visit.status for visit in server.visits if visit.path[1:].isdecimal())


def test_the_reader_of_every_stored_state_is_known() -> None:
    assert list(READERS) == list(VERSIONS)


@pytest.mark.parametrize("version", SOME)
def test_a_finished_crawl_is_refreshed(version: int, crawl: Crawler, tmp_path: Path) -> None:
    state = restore(f"{version}-finished", tmp_path / "output")
    before, dates = tables.histories(state, 2), tables.listed_dates(state)
    assert any(date for _, date in dates)
    server, result = crawl.site(site(2))
    assert listed_in(result) == listed(2)
    assert tables.listed_dates(state) == dates
    after = tables.histories(state, 2)
    assert before["visit"]
    assert before["trust"]
    for name in ("visit", "verdicts", "trust"):
        assert after[name] == before[name], name
    assert set(before["first seen"]) <= set(after["first seen"])
    carried = statuses(server)[304]
    assert carried == (PAGES - 1 if version in READ_ALIKE else 0), "the start page is always read"
    assert tables.changed_texts(state, run=3) == 0, "another reader is no change of the site"


@pytest.mark.parametrize("version", SOME)
def test_an_interrupted_crawl_goes_on(version: int, crawl: Crawler, tmp_path: Path) -> None:
    state = restore(f"{version}-interrupted", tmp_path / "output")
    done = len(tables.read_pages(state))
    assert done
    server, result = crawl.site(site(2))
    assert listed_in(result) == listed(2)
    if version in READ_ALIKE:
        assert tables.runs(state) == 3
        assert len(server.visits) < len(site(2)) - done + 5
    else:
        assert tables.runs(state) == 4
        assert "its crawl was interrupted in another version" in result.log


@pytest.mark.parametrize("version", SOME)
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
    version: int, sentence: str, crawl: Crawler, tmp_path: Path
) -> None:
    state = restore(f"{VERSION}-finished", tmp_path / "output")
    tables.set_version(state, version)
    before = dump(state)
    published = state.with_name("sitemap.xml")
    published.write_text("<earlier/>")
    result = crawl(START)
    assert_one_sentence(result, 5, sentence)
    assert dump(state) == before
    assert published.read_text() == "<earlier/>"
