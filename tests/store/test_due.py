"""Pages visited in turn in a store: which may be left out, and what is kept of it."""

from typing import Any

import pytest

from sitemapgen.analysis.freshness.due import MIN_QUIET, SectionStanding, SectionTest
from sitemapgen.core.urls import key
from sitemapgen.frontier.revisits import DuePages, Revisits
from sitemapgen.items import Judgement, Revisit
from sitemapgen.store import Store
from sitemapgen.store.due import SectionRow
from sitemapgen.store.frontier import Lease
from sitemapgen.verdicts import Verdict
from tests.store.helpers import NOW, Open, link, names, page, sitemap_file, url

DAY = 86_400
LEAVES = [f"docs/{number}" for number in range(20)]
NOINDEX = Judgement(Verdict.NOINDEX, "")


def begin(store: Store, day: int) -> None:
    store.begin_run({"url": url("")}, NOW + day * DAY)
    store.frontier.seed(link(""), NOW)
    names(store)
    store.settle_start(url(""))
    leaves = map(link, LEAVES)
    store.record_page(page("", *leaves, answered=1, is_lasting=True), NOW + day * DAY)


def answer(store: Store, leases: list[Lease], day: int, **changed: dict[str, Any]) -> None:
    for lease in leases:
        name = lease.url.removeprefix(url(""))
        facts = {"excerpt": "text", "answered": 1, "is_lasting": True}
        facts.update(changed.get(name.replace("docs/", "docs_"), {}))
        store.record_page(page(name, **facts), NOW + day * DAY)


def end(store: Store) -> None:
    store.conclusions.reset_site_verdicts()
    store.history.keep_visits()
    store.history.keep_outcomes()
    store.end_run("finished", NOW)


@pytest.fixture
def settled(opened: Open) -> Store:
    """A store after as many runs as make its pages settled."""
    store = opened()
    for day in range(MIN_QUIET + 1):
        begin(store, day)
        answer(store, store.frontier.lease(99), day)
        end(store)
    return store


def leased(store: Store, due: DuePages) -> list[Lease]:
    return due.mark_not_due(store.frontier.lease(99))


def paths(leases: list[Lease], revisit: Revisit) -> set[str]:
    return {lease.url.removeprefix(url("")) for lease in leases if lease.revisit is revisit}


def test_what_was_not_listed_or_does_not_last_is_always_visited(settled: Store) -> None:
    begin(settled, 6)
    answer(
        settled,
        settled.frontier.lease(99),
        6,
        docs_0={"judgement": NOINDEX},
        docs_1={"is_lasting": False},
        docs_2={"failures": 1},
        docs_3={"excerpt": "other"},
    )
    end(settled)
    begin(settled, 7)
    known = settled.due.known_pages()
    assert set(known.urls) == {url(name) for name in ["", *LEAVES[3:]]}
    leases = leased(settled, DuePages(settled))
    visited = paths(leases, Revisit.FETCHED)
    assert set(LEAVES[:4]) <= visited
    assert 5 <= len(paths(leases, Revisit.NOT_DUE)) == len(LEAVES) - len(visited)


def test_before_the_start_page_has_answered_nothing_is_left_out(settled: Store) -> None:
    settled.begin_run({"url": url("")}, NOW + 6 * DAY)
    settled.frontier.seed(link(""), NOW)
    assert not paths(leased(settled, DuePages(settled)), Revisit.NOT_DUE)


def test_a_run_with_other_arguments_leaves_out_nothing(settled: Store) -> None:
    settled.begin_run({"url": url(""), "scope": "path"}, NOW + 6 * DAY)
    settled.frontier.seed(link(""), NOW)
    settled.settle_start(url(""))
    assert not len(settled.due.known_pages().keys)
    assert not paths(leased(settled, DuePages(settled)), Revisit.NOT_DUE)


def test_a_date_that_has_moved(settled: Store) -> None:
    begin(settled, 6)
    settled.record_sitemap(sitemap_file("docs/1", "docs/2", lastmod="2023-11-20"), NOW)
    known = settled.due.known_pages()
    moved = {at for at, is_moved in zip(known.urls, known.has_other_date) if is_moved}
    assert moved == {url("docs/1"), url("docs/2")}
    assert {"docs/1", "docs/2"} <= paths(leased(settled, DuePages(settled)), Revisit.FETCHED)


def test_a_crawl_that_is_continued_decides_alike(settled: Store, opened: Open) -> None:
    begin(settled, 6)
    settled.commit()
    first = leased(settled, DuePages(settled))
    store = opened(crash=True)
    store.resume_run()
    again = leased(store, DuePages(store))
    assert paths(again, Revisit.NOT_DUE) == paths(first, Revisit.NOT_DUE) != set()


def test_a_spike_has_the_rest_of_the_section_visited(settled: Store, opened: Open) -> None:
    begin(settled, 6)
    due = DuePages(settled)
    revisits = Revisits(settled, due)
    leases = revisits.lease(99)
    left = paths(leases, Revisit.NOT_DUE)
    answer(settled, [each for each in leases if not each.revisit], 6)
    carry(settled, [each for each in leases if each.revisit], 6)
    assert revisits.due.recall_pages() == 0
    assert settled.due.left_out_pages(2).pages == len(left)
    assert not revisits.due.keep_results()
    (row,) = (row for row in settled.due.rows() if row.name == "docs")
    assert (row.tested.left_out, row.tested.ended, row.tested.changed) == (len(left), 0, 0)
    end(settled)

    begin(settled, 7)
    revisits = Revisits(settled, DuePages(settled))
    leases = revisits.lease(99)
    left = paths(leases, Revisit.NOT_DUE)
    design = {name.replace("/", "_"): {"excerpt": "other"} for name in LEAVES}
    answer(settled, [each for each in leases if not each.revisit], 7, **design)
    carry(settled, [each for each in leases if each.revisit], 7)
    fetched = settled.frontier.fetched()
    assert revisits.due.recall_pages() == len(left)
    assert settled.due.recalled_keys() == sorted(key(url(name)) for name in left)
    settled.commit()
    # The crawl is killed, and continued.
    store = opened(crash=True)
    store.resume_run()
    revisits = Revisits(store, DuePages(store))
    leases = revisits.lease(99)
    assert paths(leases, Revisit.FETCHED) == left
    answer(store, leases, 7, **design)
    assert store.frontier.fetched() == fetched + len(left)
    assert revisits.due.recall_pages() == 0
    assert revisits.due.keep_results()
    assert store.due.left_out_pages(2).pages == 0
    (row,) = (row for row in store.due.rows() if row.name == "docs")
    assert (row.tested.left_out, row.tested.ended) == (0, store.history.run)


def carry(store: Store, leases: list[Lease], day: int) -> None:
    for lease in leases:
        name = lease.url.removeprefix(url(""))
        store.record_page(page(name, is_carried=True, revisit=lease.revisit), NOW + day * DAY)


def test_what_is_kept_of_a_section(opened: Open) -> None:
    store = opened()
    begin(store, 0)
    rows = [SectionRow(SectionTest(7, 1, 0.5, 2, 1, 0.25, 1.5, 0), "docs")]
    store.due.replace_rows(rows)
    store.due.replace_rows(rows)
    assert store.due.rows() == rows
    assert store.due.section_standings() == {}
    begin(store, 1)
    assert store.due.rows() == []
    assert store.due.section_standings() == {7: SectionStanding(1.5, 0)}


@pytest.mark.parametrize("is_on_start_page", [True, False])
def test_links_that_the_start_page_has_as_well_are_no_change(
    is_on_start_page: bool, settled: Store
) -> None:
    """A list of the latest posts on each page does not make each page change with each post."""
    for day in range(6, 12):
        posts = [link(f"posts/{post}") for post in range(6, day + 1)]
        settled.begin_run({"url": url("")}, NOW + day * DAY)
        settled.frontier.seed(link(""), NOW)
        names(settled)
        settled.settle_start(url(""))
        leaves = [*map(link, LEAVES), *(posts if is_on_start_page else [])]
        settled.record_page(page("", *leaves, answered=1, is_lasting=True), NOW + day * DAY)
        leases = leased(settled, DuePages(settled))
        left = paths(leases, Revisit.NOT_DUE)
        assert bool(left) == (is_on_start_page or day == 6)
        for lease in leases:
            name = lease.url.removeprefix(url(""))
            more = posts if lease.revisit is Revisit.FETCHED or is_on_start_page else []
            facts = {"excerpt": "text", "answered": 1, "is_lasting": True}
            settled.record_page(page(name, *more, **facts), NOW + day * DAY)
        answer(settled, settled.frontier.lease(99), day)
        end(settled)
