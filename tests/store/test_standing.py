"""How a crawl stands: counts that are right whatever happens to a URL, and cost nothing to read."""

from collections import Counter
from dataclasses import replace

import pytest

from sitemapgen.frontier.phases import next_phase
from sitemapgen.frontier.revisits import Revisits
from sitemapgen.items import Suspicion
from sitemapgen.store import Store
from sitemapgen.store.states import KNOWN, PENDING
from tests.helpers.cost import at_most
from tests.store.helpers import (
    FORBIDDEN,
    LISTED,
    NOW,
    REDIRECT,
    Open,
    begin,
    link,
    names,
    page,
    sitemap_file,
    start,
)


def check(store: Store) -> None:
    """Compare with what is counted from the beginning."""
    db = store
    waiting, verdicts, later = Counter[int](), Counter[str](), 0
    for state, depth, verdict, sources in db.execute(
        "SELECT state, depth, verdict, sources FROM url"
    ):
        waiting[depth or 0] += state == PENDING
        later += bool(state == KNOWN and verdict is None and sources)
        if verdict:
            verdicts[verdict] += 1
    assert store.counts.read() == (dict(+waiting), later, dict(verdicts))


def test_it_is_right_at_every_moment(opened: Open) -> None:
    store = begin(opened(max_depth=3))
    check(store)
    suspicion = Suspicion("calendar", "/{date}")
    suspect = replace(link("2026-01-01"), suspicion=suspicion)
    forbidden = replace(link("no"), refusal=FORBIDDEN)
    store.record_sitemap(sitemap_file("a", "only-in-sitemap"), NOW)
    check(store)
    for claims in ([""], ["a", "b"], ["c"]):
        assert names(store, 2) == claims
        check(store)
        for name in claims:
            found = {
                "": [link("a"), link("b"), forbidden, suspect, link("a/nofollow", nofollow=True)],
                "a": [link("c"), link("b")],
                "b": [link("2026-01-01")],
                "c": [link("d"), link("a/nofollow")],
            }[name]
            store.record_page(
                page(name, *found, judgement=REDIRECT if name == "b" else LISTED), NOW
            )
            check(store)
        store.commit()
    seen = 0
    while next_phase(store, Revisits(store), 3):
        check(store)
        for name in names(store, 50):
            seen += 1
            store.record_page(page(name), NOW)
            check(store)
    assert seen >= 3
    store.begin_run({}, NOW)
    check(store)
    before = store.counts.read()
    assert store.counts.read(last=True) == before
    store.frontier.seed(link(""), NOW)
    check(store)  # another look counts again


def test_a_crawl_that_is_continued_counts_what_was_there(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", *(link(name) for name in "abc")), NOW)
    store.commit()
    store = opened(crash=True)
    store.resume_run()
    assert store.counts.read() == ({1: 3}, 0, {"listed": 1})


@pytest.mark.alone
def test_reading_it_takes_no_time(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", *(link(str(number)) for number in range(20_000))), NOW)
    assert store.counts.read().waiting == {1: 20_000}
    with at_most(100 * 0.002):
        for _ in range(100):
            store.counts.read()
