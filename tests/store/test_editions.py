"""Editions in a store: which one a run belongs to, and what has changed since another."""

from sitemapgen.items import Judgement
from sitemapgen.store import Store
from sitemapgen.store.history import Edition, Moved
from sitemapgen.verdicts import Verdict
from tests.store.helpers import NOW, Open, begin, link, names, page, url

NOINDEX = Judgement(Verdict.NOINDEX, "")


def run(store: Store, **pages: str | Judgement) -> Store:
    """Crawl the start page and these; a page is its text, or its verdict."""
    begin(store)
    names(store)
    store.record_page(page("", *map(link, pages)), NOW)
    for name in names(store):
        if isinstance(said := pages[name], str):
            store.record_page(page(name, excerpt=said, answered=1), NOW)
        else:
            store.record_page(page(name, judgement=said, answered=1), NOW)
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
    moved = store.history.count_moved
    assert moved("new", 1, 9) == Moved(2, [(url("e"), "listed"), (url("f"), "listed")])
    assert moved("gone", 1, 9) == Moved(2, [(url("c"), None), (url("d"), "noindex")])
    assert moved("changed", 1, 9) == Moved(1, [(url("b"), "listed")])
    assert moved("new", 1, 1) == Moved(2, [(url("e"), "listed")])
    end(store)
    run(store, a="A", b="Another", d=NOINDEX, e="E", f="F")
    assert moved("new", 2, 9) == moved("gone", 2, 9) == Moved(0, [])
    assert moved("changed", 2, 9) == Moved(0, [])
    assert moved("changed", 1, 9).urls == 1  # of a run in between


def test_a_run_belongs_to_the_last_published_edition(opened: Open) -> None:
    store = run(opened(), a="A")
    assert (store.history.edition_before(), store.history.own_edition()) == (None, None)
    first = edition(store)
    store.history.keep_edition(first)
    assert store.history.own_edition() == first
    end(store)
    assert store.history.edition() == first
    run(store, a="A")
    assert (store.history.edition_before(), store.history.own_edition()) == (first, None)
    end(store)
    assert store.history.edition() == first
    run(store)
    refused = edition(store, digest="e", crawled=NOW + 5)
    store.history.keep_edition(refused)
    end(store, "refused")
    assert store.history.edition() == refused
    assert store.history.latest_editions(9) == [first, refused]
    run(store, a="A")
    assert store.history.edition_before() == first  # what was refused was never published
    assert store.history.latest_editions(9) == [first]
    store.history.keep_edition(edition(store, digest="f", listed=None))
    assert store.history.latest_editions(9) == [first]
    store.history.discard_edition()
    assert store.history.own_edition() is None


def test_of_a_run_under_way_there_is_a_preliminary_one(opened: Open) -> None:
    store = run(opened(), a="A")
    found = store.history.edition()
    assert (found.run, found.digest, found.crawled, found.listed) == (1, "", int(NOW), None)
    assert found.changes == "null"


def test_a_run_that_listed_nothing_is_not_of_the_edition_before(opened: Open) -> None:
    store = run(opened(), a="A")
    store.history.keep_edition(edition(store))
    end(store)
    run(store)
    end(store, "nothing")
    assert (store.history.edition().run, store.history.edition().crawled) == (2, NOW + 9)


def test_the_last_editions_are_returned(opened: Open) -> None:
    store = opened()
    for number in range(4):
        run(store, a=f"A{number}")
        store.history.keep_edition(edition(store, seen=number))
        end(store)
    assert [each.seen for each in store.history.latest_editions(3)] == [1, 2, 3]
