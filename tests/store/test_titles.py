"""Titles and descriptions of the listed pages in a store."""

import pytest

from sitemapgen.items import Judgement
from sitemapgen.report.sections.titles import count_titles
from sitemapgen.store import Store
from sitemapgen.verdicts import Verdict
from tests.store.helpers import NOW, Open, link, names, page, start, url

PAGES = {
    "a": ("Home", 4, 10, 7),
    "b": ("Home", 4, 161, 7),
    "c": ("Home", 71, 160, 8),
    "d": ("", 0, 0, None),
    "e": ("Own", 30, 0, None),
    "hidden": ("Home", 999, 999, 7),
    "unread": ("Old", None, None, None),
}
"""Title, its length, length and hash of the description."""


@pytest.fixture
def store(opened: Open) -> Store:
    store = start(opened())
    store.record_page(page("", *map(link, PAGES), title="Start"), NOW)
    for name in names(store):
        title, length, described, hash_ = PAGES[name]
        lengths = {"title_length": length, "description_length": described}
        verdict = Verdict.NOINDEX if name == "hidden" else Verdict.LISTED
        judgement = Judgement(verdict, "")
        more = {"title": title, "description_hash": hash_, **lengths}
        store.record_page(page(name, judgement=judgement, **more), NOW)
    store.conclusions.reset_site_verdicts()
    return store


def test_missing_repeated_and_long_ones(store: Store) -> None:
    found = count_titles(store.results, 7)
    assert found["missing_titles"] == {"count": 1, "share": 0.1429, "examples": [url("d")]}
    assert found["missing_descriptions"]["examples"] == [url("d"), url("e")]
    assert found["long_titles"]["examples"] == [{"url": url("c"), "length": 947}]
    assert found["long_descriptions"]["examples"] == [{"url": url("b"), "length": 161}]
    members = [url(name) for name in "abc"]
    assert found["repeated_titles"] == {
        **{"groups": 1, "count": 3, "share": 0.4286},
        "examples": [{"text": "Home", "count": 3, "members": members}],
    }
    assert found["repeated_descriptions"] == {
        **{"groups": 1, "count": 2, "share": 0.2857},
        "examples": [{"text": None, "count": 2, "members": members[:2]}],
    }


def test_the_examples_are_the_most_frequent_ones(opened: Open) -> None:
    store = start(opened())
    shared = {f"{number}-{copy}": f"T{number}" for number in range(1, 26) for copy in range(number)}
    store.record_page(page("", *map(link, shared), title="Start"), NOW)
    for name in names(store, 999):
        store.record_page(page(name, title=shared[name], title_length=2), NOW)
    store.conclusions.reset_site_verdicts()
    found = count_titles(store.results, 1)["repeated_titles"]
    assert (found["groups"], found["count"]) == (24, sum(range(2, 26)))
    assert [row["count"] for row in found["examples"]] == list(range(25, 5, -1))
    assert all(len(row["members"]) == 5 for row in found["examples"])
