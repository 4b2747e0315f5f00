"""Editions in a store: which one a run belongs to, and what has changed since another."""

from __future__ import annotations

from sitemapgen.items import Judgement
from sitemapgen.store import Store
from sitemapgen.store.editions import Edition, Moved
from sitemapgen.verdicts import Verdict
from tests.store.helpers import NOW, Open, begin, link, names, page, url

NOINDEX = Judgement(Verdict.NOINDEX, "")


def run(store: Store, **pages: str | Judgement) -> Store:
    """Crawl the start page and these; a page is its text, or its verdict."""
    begin(store)
    names(store)
    store.record(page("", *map(link, pages)), NOW)
    for name in names(store):
        if isinstance(said := pages[name], str):
            store.record(page(name, excerpt=said, answered=1), NOW)
        else:
            store.record(page(name, judgement=said, answered=1), NOW)
    store.conclusions.reset_site_verdicts()
    store.history.keep_visits()
    return store


def end(store: Store, reason: str = "finished") -> None:
    store.history.keep_outcomes()
    store.end_run(reason, NOW + 9)


def edition(store: Store, **fields: object) -> Edition:
    made = {"digest": "d", "crawled": NOW, "version": "1", "changes": "null", "seen": 3}
    return Edition(**{"run": store.history.run, "listed": 2, **made, **fields})


def test_what_has_changed_since_an_edition(opened: Open) -> None:
    store = run(opened(), a="A", b="B", c="C", d="D", e=NOINDEX)
    end(store)
    run(store, a="A", b="Another", d=NOINDEX, e="E", f="F")
    assert store.editions.new(1, 9) == Moved(2, [(url("e"), "listed"), (url("f"), "listed")])
    assert store.editions.gone(1, 9) == Moved(2, [(url("c"), None), (url("d"), "noindex")])
    assert store.editions.changed(1, 9) == Moved(1, [(url("b"), "listed")])
    assert store.editions.new(1, 1) == Moved(2, [(url("e"), "listed")])
    end(store)
    run(store, a="A", b="Another", d=NOINDEX, e="E", f="F")
    assert [store.editions.new(2, 9), store.editions.gone(2, 9)] == [Moved(0, []), Moved(0, [])]
    assert store.editions.changed(2, 9) == Moved(0, [])
    assert store.editions.changed(1, 9).urls == 1  # of a run in between


def test_a_run_belongs_to_the_last_published_edition(opened: Open) -> None:
    store = run(opened(), a="A")
    assert (store.editions.before(), store.editions.own()) == (None, None)
    first = edition(store)
    store.editions.keep(first)
    assert store.editions.own() == first
    end(store)
    assert store.editions.of_run() == first
    run(store, a="A")
    assert (store.editions.before(), store.editions.own()) == (first, None)
    end(store)
    assert store.editions.of_run() == first
    run(store)
    refused = edition(store, digest="e", crawled=NOW + 5)
    store.editions.keep(refused)
    end(store, "refused")
    assert store.editions.of_run() == refused
    assert store.editions.latest(9) == [first, refused]
    run(store, a="A")
    assert store.editions.before() == first  # what was refused was never published
    assert store.editions.latest(9) == [first]
    store.editions.keep(edition(store, digest="f", listed=None))
    assert store.editions.latest(9) == [first]
    store.editions.discard()
    assert store.editions.own() is None


def test_of_a_run_under_way_there_is_a_preliminary_one(opened: Open) -> None:
    store = run(opened(), a="A")
    found = store.editions.of_run()
    assert (found.run, found.digest, found.crawled, found.listed) == (1, "", int(NOW), None)
    assert found.changes == "null"


def test_a_run_that_listed_nothing_is_not_of_the_edition_before(opened: Open) -> None:
    store = run(opened(), a="A")
    store.editions.keep(edition(store))
    end(store)
    run(store)
    end(store, "nothing")
    assert (store.editions.of_run().run, store.editions.of_run().crawled) == (2, NOW + 9)


def test_the_last_editions_are_returned(opened: Open) -> None:
    store = opened()
    for number in range(4):
        run(store, a=f"A{number}")
        store.editions.keep(edition(store, seen=number))
        end(store)
    assert [each.seen for each in store.editions.latest(3)] == [1, 2, 3]
